"""Simulates the drives of chapter 5 of Pedersen (2004) and writes the page that compares it figure by figure.

    python docs/validation/pedersen.py

makes ``pedersen.md`` and ``pictures/pedersen/*.png`` beside this file.
"""

from __future__ import annotations

import functools
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from _cases import Case
from _drawing import PICTURES, save
from _pedersen import binder, cases, forms, friction, joints, restitution, strings, teeth
from _pedersen.entry import Entry
from _pedersen.page import page
from _pedersen.runs import Runs, make
from _simulate import simulate_all


def all_cases() -> list[Case]:
    """Every run of the page."""
    return [*cases.teeth_cases(), *cases.friction_cases(), *cases.restitution_cases(), *forms.cases()]


def simulate(folder: Path, say: bool = True) -> Runs:
    """Make every run of the page; results files stay in the folder."""
    return Runs(simulate_all(all_cases(), functools.partial(make, folder), say=say).values())


def entries(runs: Runs) -> dict[str, Sequence[Entry]]:
    """All figures, under the titles of their sections."""
    return {
        "Circular and real tooth (section 5.2)": [*teeth.entries(runs), *binder.entries(runs)],
        "Formulations of contact (sections 3.5.1 and 4.3.3)": forms.entries(runs),
        "Friction between rollers and teeth (section 5.3)": friction.entries(runs),
        "Coefficient of restitution (section 5.4)": restitution.entries(runs),
        "Damping of the joints (section 5.6)": joints.entries(runs),
        "Natural frequencies of the strands (section 5.9.1)": strings.entries(),
    }


def main() -> None:
    """Run everything, draw, write the page."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pedersen-") as folder:
        runs = simulate(Path(folder))
        groups = entries(runs)
        for group in groups.values():
            for entry in group:
                save(entry.picture, PICTURES / "pedersen" / entry.name)
        text = page(groups, runs, datetime.now(UTC).date().isoformat(), time.monotonic() - begun)
    Path(__file__).with_name("pedersen.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Digests of short runs of every example in every formulation: whether a change of the code moved any result.

    python tests/digests.py             compares with tests/digests.json, and says which runs moved and how far
    python tests/digests.py --write     keeps what is computed now
    python tests/digests.py 6l60mc hoist --formulation roller     only these

A digest covers every number of every channel, to the last bit. It is stored with a few sums, by which a run that moved
in its last bits is distinguished from one that computes something else. Digests are the same on every processor that
runs the portable code (``chaindrive.kernels.compiler``), as long as versions of the system's mathematical library
agree, except where the start solves linear equations by LAPACK (links in space, mechanisms): OpenBLAS sums in another
order on another processor. ``test_digests.py`` holds three without these in every test run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from chaindrive import SaveOptions, example, simulate
from chaindrive.errors import ChaindriveError
from chaindrive.formulations.registry import FORMULATIONS
from chaindrive.model import example_names
from chaindrive.studies.formulations import in_formulation

KEPT = Path(__file__).with_suffix(".json")
UNTIL = 2e-3
"""Duration of a run: tens to thousands of steps. [s]"""
RATE = 10_000.0
"""Rows per second. [Hz]"""


def main() -> int:
    """Compare, or write. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="examples; all when none is named")
    parser.add_argument("--formulation", choices=list(FORMULATIONS), help="only this one")
    parser.add_argument("--write", action="store_true", help="keep what is computed now")
    asked = parser.parse_args()
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    found, moved = {}, 0
    for name, kind in runs(asked.names or example_names(), asked.formulation):
        label = f"{name} {kind}"
        found[label] = computed(name, kind)
        said = difference(kept.get(label), found[label])
        moved += said != "same"
        print(f"{label}: {said}", flush=True)
    if asked.write:
        KEPT.write_text(json.dumps(dict(sorted((kept | found).items())), indent=1) + "\n", encoding="utf-8")
    return 0 if asked.write or not moved else 1


def runs(names: list[str], only: str | None = None) -> Iterator[tuple[str, str]]:
    """Name and formulation of every run: the formulations that accept the drive."""
    for name in names:
        for kind in [only] if only else FORMULATIONS:
            try:
                in_formulation(example(name), kind)
            except ChaindriveError:
                continue
            yield name, kind


def computed(name: str, kind: str) -> dict[str, Any]:
    """Digest and sums of a run; for one that is refused or fails, the message."""
    drive = in_formulation(example(name), kind)
    try:
        run = simulate(drive, UNTIL, save=SaveOptions(rate=RATE, precision="double"), progress=False)
    except ChaindriveError as error:
        return {"digest": hashlib.sha256(str(error).encode()).hexdigest()[:16], "sums": {}}
    digest, sums = hashlib.sha256(run.status.name.encode()), {}
    for channel in sorted(run.channels):
        values = np.ascontiguousarray(run.values(channel))
        digest.update(channel.encode())
        digest.update(values.tobytes())
        sums[channel] = float(np.nansum(np.abs(values.astype(np.float64))))
    shown = {key: sums[key] for key in ("span_tension", "wheel_speed", "work_input", "energy_kinetic") if key in sums}
    return {"digest": digest.hexdigest()[:16], "sums": shown}


def difference(kept: dict[str, Any] | None, found: dict[str, Any]) -> str:
    """Difference between two results of a run, in words."""
    if kept is None:
        return "new"
    if kept["digest"] == found["digest"]:
        return "same"
    if set(kept["sums"]) != set(found["sums"]):
        return "MOVED: other channels, or another ending"
    far = {key: abs(found["sums"][key] - was) / (abs(was) or 1.0) for key, was in kept["sums"].items()}
    return "MOVED by " + ", ".join(f"{change:.1e} in {key}" for key, change in far.items())


if __name__ == "__main__":
    sys.exit(main())

"""Tries hostile and damaged files of every kind, as many as in the long tests, and counts the outcomes.

    python docs/validation/hostile_files.py [--seed 1] [--kept] [--write]

calls ``tests/fuzz.py`` for each kind and continues after the inputs of earlier calls; ``--kept`` tries no more files.
``--write`` makes ``hostile-files.md`` next to this file. Exit code 1 if a file revealed a fault of the package.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from _made import kept_folder, made
from _writing import options, publish

PAGE = Path(__file__).with_name("hostile-files.md")
FUZZER = Path(__file__).parents[2] / "tests" / "fuzz.py"
WORDS = {
    "drives": "`check`; for every fourth file also `analyze`, a drawing or a different formulation, for every "
    "twentieth the state of rest, for every fiftieth a short run",
    "studies": "read and planned; for every tenth file also the runs, if they are few and short",
    "checkpoints": "`run --resume`",
    "results": "`info`, and one of `report`, `export` (table, film, drawing) and `plot`",
}
FINE = {"taken": "accepted", "refused": "refused", "failed": "computation failed"}
FAULTS = {"internal": "internal error", "limit": "too long", "crash": "process ended"}
OUTCOMES = FINE | FAULTS


def page(kept: Mapping[str, Mapping[str, Any]], seed: int) -> str:
    """The page, in Markdown. kept: the journals of ``tests/fuzz.py`` by kind."""
    faults = sum(journal["counts"].get(outcome, 0) for journal in kept.values() for outcome in FAULTS)
    lines = [
        "# Hostile files",
        "",
        "The files are examples of drives and studies with up to twelve random changes to values, keys, tables or "
        "text, and results and checkpoints with random damage to bytes, arrays or metadata. Each file must be "
        "accepted, or refused with a message. An internal error, more than two minutes of CPU time, or a crash of "
        "the process is a fault. Searches for an equilibrium are limited to a hundredth of their usual effort.",
        "",
        f"- {made()}, by",
        f"  `python docs/validation/hostile_files.py --seed {seed} --write`",
        "- the next call continues, up to the numbers of files in the long tests (`COUNTS` in "
        "`tests/support/hostile.py`)",
        f"- to try one file again: `python tests/fuzz.py KIND --seed {seed} --only NUMBER`",
        "",
        f"**{sum(journal['done'] for journal in kept.values())} files, {faults or 'no'} faults.**",
        "",
        f"| kind | what is done | tried | {' | '.join(OUTCOMES.values())} |",
        f"|:--|:--|{'--:|' * (1 + len(OUTCOMES))}",
    ]
    for kind, journal in kept.items():
        counts = " | ".join(str(journal["counts"].get(outcome, 0)) for outcome in OUTCOMES)
        lines.append(f"| {kind} | {WORDS[kind]} | {journal['done']} | {counts} |")
    return "\n".join([*lines, ""])


def main() -> int:
    """Try the files that the command line requests."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", action="store_true")
    given = parser.parse_args()
    folder, kept, worst = kept_folder("hostile-files"), {}, 0
    for kind in WORDS:
        if not given.kept:
            command = [sys.executable, str(FUZZER), kind, "--seed", str(given.seed), "--folder", str(folder)]
            worst = max(worst, subprocess.run(command, check=False).returncode)
        kept[kind] = json.loads((folder / f"{kind}-{given.seed}.json").read_text(encoding="utf-8"))
    text = page(kept, given.seed)
    publish(text, PAGE, given.write)
    return worst


if __name__ == "__main__":
    sys.exit(main())

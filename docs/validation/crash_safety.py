"""Stops runs, resumed runs and studies at random instants, and checks that nothing is lost and that all numbers stay
the same.

    python docs/validation/crash_safety.py [--count 100] [--seed 1] [--only KIND] [--write]

``--write`` makes ``crash-safety.md`` next to this file. Full disks are mounted where this is permitted (root on Linux);
elsewhere the system limits the size of files instead. Needs a POSIX system. Exit code 1 if a check failed.
"""

from __future__ import annotations

import platform
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from _crash import KINDS, RUNS, Laboratory, Trial
from _crash_command import STRETCH
from _made import made
from _writing import options, publish

PAGE = Path(__file__).with_name("crash-safety.md")
WORDS = {
    "run": "`chaindrive run`, without earlier results",
    "resume": "`chaindrive run --resume` of a run that was killed",
    "replace": "`chaindrive run --force` over the results of another run",
    "study": "`chaindrive sweep`, one or two processes",
    "full disk": "run, resume or study on a disk that fills up",
    "damaged cache": "run with damaged files of compiled kernels",
    "full cache": "run whose disk for compiled kernels is full",
}

ENDINGS = ("SIGKILL", "SIGINT", "SIGTERM", "disk full")


def kinds_of(count: int) -> list[str]:
    """The kinds of this number of trials, with the shares given in ``KINDS``, evenly distributed."""
    places = [((k + 0.5) / share, kind) for kind, share in KINDS.items() for k in range(share)]
    once = [kind for _, kind in sorted(places)]
    return [
        once[(k * len(once)) // count % len(once)] if count < len(once) else once[k % len(once)] for k in range(count)
    ]


def trials(kinds: Sequence[str], seed: int, folder: Path, cases: Sequence[str] = tuple(RUNS)) -> list[Trial]:
    """Do the trials one after the other, and print each of them."""
    laboratory = Laboratory(folder, seed, cases)
    done = []
    for number, kind in enumerate(kinds, 1):
        trial = laboratory.trial(kind)
        done.append(trial)
        when = f"{'writing + ' if trial.writing else ''}{trial.delay:.2f} s"
        verdict = f"FAILED: {trial.fault}" if trial.fault else f"{trial.left}, then equal bit for bit"
        print(f"{number:4} {kind:14} {trial.case:15} {trial.signal:8} {when:>14}  {verdict}", flush=True)
    return done


def page(done: Sequence[Trial], seed: int, minutes: float) -> str:
    """The page, in Markdown."""
    good = sum(not trial.fault for trial in done)
    lines = [
        "# Crash safety",
        "",
        "A command is stopped by SIGKILL, SIGINT or SIGTERM in turn, or by a full disk. The instant is random: one in",
        "five is distributed uniformly over the whole command, one in five is within 50 ms after its first file",
        "appears, and the others are distributed uniformly over the time in which it writes. What it leaves must be",
        "readable and must hold, bit for bit, the first rows of the uninterrupted run. The same command with "
        "`--resume` (for a study, the same command) must then end like the uninterrupted one: every value of every "
        "channel is equal bit for bit, every number of the table is equal, and no other file is left behind. If a "
        "signal is sent too late, the trial is not counted and is repeated.",
        "",
        f"- {made()},",
        f"  {platform.system()}, in {minutes:.0f} min, by",
        f"  `python docs/validation/crash_safety.py --count {len(done)} --seed {seed} --write`",
        "- drive: the example `industrial-08b`, 0.5 s, all channels at 2 kHz, by velocity Verlet, Verlet with means",
        "  (`run.save.reduce`) and Dormand-Prince; and `crash_five_wheels.toml`, 0.04 s at 10 kHz, in which Verlet "
        f"repeats sections. Checkpoints are written every 20 ms of wall-clock time instead of every 2 s, and "
        f"sections have {STRETCH} steps instead of 1024 to 32 768. The study has 8 runs of `industrial-08b`, each "
        "beginning where the one before ended",
        "- compiled kernels are on the disk beforehand, as in every run but a user's first, except in the rows in "
        "which their cache is damaged or their disk is full",
        "",
        f"**{good} of {len(done)} readable, and equal bit for bit after resuming.**",
        "",
        f"| what was stopped | {' | '.join(ENDINGS)} | readable, then equal bit for bit | what was found (in how "
        f"many trials) |",
        "|:--|--:|--:|--:|--:|--:|:--|",
    ]
    for kind, words in WORDS.items():
        those = [trial for trial in done if trial.kind == kind]
        if those:
            signals = Counter(trial.signal for trial in those)
            fine = sum(not trial.fault for trial in those)
            counts = " | ".join(str(signals[name]) for name in ENDINGS)
            lines.append(f"| {words} | {counts} | {fine} of {len(those)} | {_found(those)} |")
    faults = [
        f"- {t.kind}, {t.case}, {t.signal} after {t.delay:.2f} s: {' '.join(t.fault.split())}" for t in done if t.fault
    ]
    return "\n".join([*lines, "", *(["Failed trials:", "", *faults, ""] if faults else [])])


def _found(those: Sequence[Trial]) -> str:
    """What the trials left: files by kind, with the range of their rows or runs, and the number of trials in
    brackets.
    """
    words = Counter(trial.left for trial in those if trial.left in ("no file", "the earlier file"))
    parts = [f"{left} ({count})" for left, count in words.items()]
    for unit in ("rows", "runs"):
        counts = [int(trial.left.split()[0]) for trial in those if trial.left.endswith(unit)]
        if counts:
            low, high = min(counts), max(counts)
            parts.append(f"{low if low == high else f'{low} to {high}'} {unit} ({len(counts)})")
    return ", ".join(parts)


def main() -> int:
    """Run the trials that the command line requests."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=list(KINDS))
    given = parser.parse_args()
    begun = time.monotonic()
    kinds = [given.only] * given.count if given.only else kinds_of(given.count)
    with tempfile.TemporaryDirectory(prefix="chaindrive-crash-") as folder:
        done = trials(kinds, given.seed, Path(folder))
    text = page(done, given.seed, (time.monotonic() - begun) / 60.0)
    publish(text, PAGE, given.write)
    return 1 if any(trial.fault for trial in done) else 0


if __name__ == "__main__":
    sys.exit(main())

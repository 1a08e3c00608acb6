"""Hostile and damaged files by the thousand: every one is accepted, or refused with a message; never a traceback.

    python tests/fuzz.py drives                  10,000 drive files, good ones changed at random
    python tests/fuzz.py studies --count 500     or studies, checkpoints, results
    python tests/fuzz.py drives --seed 2         others
    python tests/fuzz.py drives --seed 2 --only 117    one of them again, with its traceback

An interrupted call is resumed by the next one. Inputs that ended in an internal error, took too long or ended the
process are kept in ``build/fuzz/KIND-SEED-failed``, each with its details; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: threads wait for each other on a busy machine

from support.hostile import COUNTS, KINDS, LIMIT, Ending, attempt

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "fuzz"
FAULTS = ("internal", "limit", "crash")
"""Outcomes that are faults of the package; a crash is the end of the process."""
MEMORY = 8 << 30
"""Memory limit of the process. [bytes]"""
PROGRESS = 10.0
"""Time between two lines of progress. [s]"""


class Session:
    """Inputs of one kind and seed: those tried by earlier calls are not tried again."""

    def __init__(self, kind: str, seed: int, folder: Path = FOLDER, limit: float = LIMIT) -> None:
        self.kind, self.seed, self.limit = kind, seed, limit
        self.good, self.input = folder / "good", folder / f"{kind}-{seed}-input"
        self.failed, self.journal = folder / f"{kind}-{seed}-failed", folder / f"{kind}-{seed}.json"
        self.good.mkdir(parents=True, exist_ok=True)
        held: dict[str, Any] = json.loads(self.journal.read_text()) if self.journal.exists() else {}
        self.done = int(held.get("done", 0))
        self.counts = Counter(held.get("counts", {}))
        if held.get("begun"):  # the process ended in it
            self._take(Ending("crash", "the process ended during this input\n"))

    def go(self, count: int) -> None:
        """Try inputs up to a number, and keep the outcome after each one."""
        told = time.monotonic()
        while self.done < count:
            self._write(begun=True)
            try:
                ending = self.one(self.done)
            except BaseException:  # interrupted, or a mistake of the fuzzer
                self._write(begun=False)
                raise
            self._take(ending)
            if time.monotonic() - told > PROGRESS:
                told = time.monotonic()
                print(f"{self.done} of {count} {self.kind}: {self.summary}", flush=True)

    def one(self, index: int) -> Ending:
        """Outcome of one input."""
        return attempt(KINDS[self.kind], self.kind, self.seed, index, self.good, self.input, self.limit)

    def _take(self, ending: Ending) -> None:
        if ending.outcome in FAULTS:
            kept = self.failed / f"{self.done}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(self.input, kept)
            (kept / "details.txt").write_text(f"{ending.outcome}\n{ending.details}", encoding="utf-8")
            print(f"{self.kind} {self.done}: {ending.outcome}, kept in {kept}", flush=True)
        self.counts[ending.outcome] += 1
        self.done += 1
        self._write(begun=False)

    def _write(self, begun: bool) -> None:
        part = self.journal.with_suffix(".part")
        part.write_text(json.dumps({"done": self.done, "begun": begun, "counts": self.counts}), encoding="utf-8")
        part.replace(self.journal)

    @property
    def summary(self) -> str:
        """The outcomes with their numbers."""
        return ", ".join(f"{count} {outcome}" for outcome, count in sorted(self.counts.items())) or "none"

    @property
    def faults(self) -> int:
        """Number of inputs that showed a fault of the package."""
        return sum(self.counts[outcome] for outcome in FAULTS)


def main(words: Sequence[str] | None = None) -> int:
    """Exit code: 1 if an input showed a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("--count", type=int, help="number of inputs (default: that of the long tests)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="one input, with its traceback")
    parser.add_argument("--again", action="store_true", help="forget earlier calls")
    parser.add_argument("--limit", type=float, default=LIMIT, help="CPU time of one input in s (default: %(default)g)")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where inputs and progress are kept")
    asked = parser.parse_args(words)
    with _confined():
        return _tried(asked)


def _tried(asked: argparse.Namespace) -> int:
    """Do what the command line requests; return the exit code."""
    if asked.again:
        (asked.folder / f"{asked.kind}-{asked.seed}.json").unlink(missing_ok=True)
        shutil.rmtree(asked.folder / f"{asked.kind}-{asked.seed}-failed", ignore_errors=True)
    session = Session(asked.kind, asked.seed, asked.folder, asked.limit)
    if asked.only is not None:
        ending = session.one(asked.only)
        print(f"{ending.outcome}, input in {session.input}\n{ending.details}")
        return int(ending.outcome in FAULTS)
    session.go(COUNTS[asked.kind] if asked.count is None else asked.count)
    print(f"{session.done} {asked.kind}, seed {asked.seed}: {session.summary}")
    return int(session.faults > 0)


@contextlib.contextmanager
def _confined() -> Iterator[None]:
    """Make an input that asks for all memory, or SIGTERM, end in an ordinary error."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with _limited_memory():
            yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextlib.contextmanager
def _limited_memory() -> Iterator[None]:
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    before, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, most))


if __name__ == "__main__":
    sys.exit(main())

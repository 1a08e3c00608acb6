"""Long tests and those against published data, file by file: a call that was interrupted is resumed by the next one.

    python tests/long.py                        all that have not passed with this source
    python tests/long.py open_chains rotors     files whose path contains one of these
    python tests/long.py --again                those that have passed, too
    python tests/long.py --write                and write docs/validation/long-tests.md of all that has passed
    python tests/long.py -- --numprocesses 2    what follows goes to pytest

What passed is kept in ``docs/validation/long-tests.json``, with a digest of the code of all kernels, without comments,
docstrings and messages, and of that of the test file: it runs again after an edit of any of them. Commit it with the
page: another copy of the repository continues from there.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from chaindrive.kernels.source import PACKAGE, kernels_digest
from support.code import code_of, files_of_kernels, without_words

ROOT = Path(__file__).resolve().parents[1]
WRITER = ROOT / "docs" / "validation" / "long_tests.py"
"""The script that writes the page."""
KEPT = ROOT / "docs" / "validation" / "long-tests.json"
SELECTED = ("-m", "long or validation")
NONE_SELECTED = 5
"""Exit code of pytest where a file has no such tests."""


def files() -> list[str]:
    """Test files that have such tests, by a collection."""
    command = [sys.executable, "-m", "pytest", "--collect-only", *SELECTED]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return list(dict.fromkeys(line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line))


def tested(file: str) -> int:
    """Run the tests of a file; exit code of pytest. Tests that need a browser fail where there is none: a file whose
    tests were skipped has not passed.
    """
    command = [sys.executable, "-m", "pytest", *SELECTED, file, *FOR_PYTEST]
    needed = os.environ | {"CHAINDRIVE_REQUIRE_BROWSER": "1"}
    return subprocess.run(command, cwd=ROOT, env=needed, check=False).returncode


FOR_PYTEST: list[str] = []


@functools.cache
def kernels() -> bytes:
    """The code of everything that kernels depend on; another word in a message moves no force."""
    return b"".join(code_of(PACKAGE / file, sentences=False) for file in sorted(files_of_kernels()))


def key(file: str) -> str:
    """The code for which a pass holds: that of the kernels and of the test file."""
    return hashlib.sha256(kernels() + without_words((ROOT / file).read_bytes())).hexdigest()[:20]


def pieces(names: Iterable[str], kept: Path, run: Callable[[str], int]) -> list[str]:
    """Run the files that have not passed, and note after each one that it has; return those that failed."""
    passed: dict[str, dict[str, Any]] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    due = [name for name in names if passed.get(name, {}).get("key") != key(name)]
    failed = []
    for number, name in enumerate(due, 1):
        print(f"\n=== {number} of {len(due)}: {name}", flush=True)
        wanted, begun = key(name), time.monotonic()
        if run(name) in (0, NONE_SELECTED):
            day = datetime.now(UTC).date().isoformat()
            seconds = round(time.monotonic() - begun, 1)
            passed[name] = {"key": wanted, "kernels": kernels_digest(), "date": day, "seconds": seconds}
            kept.parent.mkdir(exist_ok=True)
            part = kept.with_suffix(".part")
            part.write_text(json.dumps(passed, indent=1, sort_keys=True), encoding="utf-8")
            part.replace(kept)
        else:
            failed.append(name)
        print(
            f"=== {name}: {'FAILED' if name in failed else 'passed'} after {time.monotonic() - begun:.0f} s", flush=True
        )
    return failed


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="parts of the paths of test files; all without one")
    parser.add_argument("--write", action="store_true", help="write docs/validation/long-tests.md")
    parser.add_argument("--again", action="store_true", help="forget what has passed")
    given = list(sys.argv[1:] if words is None else words)
    cut = given.index("--") if "--" in given else len(given)
    asked = parser.parse_args(given[:cut])
    FOR_PYTEST[:] = given[cut + 1 :]
    if asked.again:
        KEPT.unlink(missing_ok=True)
    every = files()
    chosen = [file for file in every if not asked.names or any(name in file for name in asked.names)]
    try:
        failed = pieces(chosen, KEPT, tested)
    except KeyboardInterrupt:
        sys.exit("\nInterrupted: the same command goes on with the files that have not passed.")
    if asked.write:
        subprocess.run([sys.executable, str(WRITER), *every], check=True)
    print(f"\n{len(chosen) - len(failed)} of {len(chosen)} files passed with this source.")
    if failed:
        sys.exit("FAILED: " + ", ".join(failed))


if __name__ == "__main__":
    main()

"""Check that the tests notice a wrong program: applies the mutations of ``tests/mutations``, one at a time, and runs
tests.

    python tests/mutate.py                   all that have not been measured since they, their file or tests changed
    python tests/mutate.py pin-force gap     only those whose name contains one of these
    python tests/mutate.py --all             the whole fast suite for those that their own tests do not kill
    python tests/mutate.py --write           and write docs/validation/mutations.md, tests/mutations/outcomes.jsonl

The sources are changed in a temporary copy only. Ctrl-C keeps the measured outcomes; the next call continues. An
outcome holds until its mutation is edited, the code of the file that this changes, or that of the test that noticed it
and what this imports from ``tests``; where none did, of all its tests.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mutations import MUTATIONS, page, trial
from mutations.mutation import Mutation
from mutations.trial import ALL_TESTS, LIMIT, LIMIT_OF_ALL, Kept, Outcome

KEPT = trial.ROOT / "build" / "mutations.jsonl"
SHARED = trial.TESTS / "mutations" / "outcomes.jsonl"
"""Outcomes under version control, measured in another copy of the repository."""
KERNELS = trial.ROOT / "build" / "mutation-kernels"
PAGE = trial.ROOT / "docs" / "validation" / "mutations.md"


def main(arguments: list[str] | None = None) -> int:
    """0 when all that were chosen are killed or explained, 1 otherwise, 130 when interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="part of the name of a mutation; all by default")
    parser.add_argument("--all", action="store_true", help="the whole fast suite for what the named tests let live")
    parser.add_argument("--list", action="store_true", help="print the list and measure nothing")
    parser.add_argument("--again", action="store_true", help="measure anew what is known")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.relative_to(trial.ROOT)}")
    parser.add_argument("--kept", type=Path, default=KEPT, help="file of outcomes (build/mutations.jsonl)")
    asked = parser.parse_args(arguments)
    chosen = [m for m in MUTATIONS if not asked.names or any(part in m.name for part in asked.names)]
    if asked.list:
        for mutation in chosen:
            print(f"{mutation.name:40} {mutation.wrong}")
        return 0
    kept = Kept(asked.kept, SHARED)
    if asked.again:
        kept.forget()
    interrupted = False
    try:
        measure(chosen, kept, asked.all)
    except KeyboardInterrupt:
        interrupted = True
        print("\nInterrupted; what is measured is kept.")
    rows = known(chosen, kept, asked.all)
    print(page.summary(rows))
    if asked.write:
        everything = known(list(MUTATIONS), kept, asked.all)
        page.write(PAGE, everything, len(MUTATIONS), asked.all)
        kept.share(SHARED, ((trial.key_of(m, whole), m.tests) for m in MUTATIONS for whole in (False, True)))
        print(f"Written: {PAGE.relative_to(trial.ROOT)}, {SHARED.relative_to(trial.ROOT)}")
    if interrupted:
        return 130
    return int(any(not outcome.killed and not mutation.survives for mutation, outcome in rows))


def known(chosen: list[Mutation], kept: Kept, whole: bool) -> list[tuple[Mutation, Outcome]]:
    """The mutations that are measured, with their outcomes."""
    found = []
    for mutation in chosen:
        keys = [trial.key_of(mutation, each) for each in ((True, False) if whole else (False, True))]
        outcome = next((each for key in keys if (each := kept.outcome(key, mutation.tests))), None)
        if outcome is not None:
            found.append((mutation, outcome))
    return found


def measure(chosen: list[Mutation], kept: Kept, whole: bool) -> None:
    """Measure the unknown outcomes in one copy of the sources."""
    with trial.tree(KERNELS) as tree:
        for number, mutation in enumerate(chosen, 1):
            outcome = one(tree, mutation, kept, whole)
            said = f"killed by {outcome.by}" if outcome.killed else "SURVIVED"
            print(f"{number:3}/{len(chosen)} {mutation.name:40} {said} ({outcome.seconds:.0f} s)", flush=True)


def one(tree: trial.Tree, mutation: Mutation, kept: Kept, whole: bool) -> Outcome:
    """The outcome of one mutation; the tests that notice it must pass without it."""
    key = trial.key_of(mutation, False)
    outcome = kept.outcome(key, mutation.tests)
    if outcome is None:
        compiled = trial.runs_compiled(mutation)
        with tree.mutated(mutation):
            outcome = tree.tests(mutation.tests, compiled, LIMIT)
        if outcome.killed:
            passes_without(tree, mutation, outcome, kept, compiled)
        kept.add(key, mutation.tests, outcome)
    if outcome.killed or not whole:
        return outcome
    key = trial.key_of(mutation, True)
    outcome = kept.outcome(key, mutation.tests)
    if outcome is None:
        with tree.mutated(mutation):
            outcome = tree.tests(ALL_TESTS, True, LIMIT_OF_ALL)
        kept.add(key, mutation.tests, outcome)
    return outcome


def passes_without(tree: trial.Tree, mutation: Mutation, outcome: Outcome, kept: Kept, compiled: bool) -> None:
    """End the program where the test that failed, with all its parameters, fails with the sound sources, too."""
    names = trial.deciding(outcome, mutation.tests)
    key = trial.baseline_key(names, compiled)
    sound = kept.outcome(key, names)
    if sound is None:
        sound = tree.tests(names, compiled, LIMIT)
        kept.add(key, names, sound)
    if sound.killed:
        sys.exit(f"{mutation.name}: its tests fail without it, too: {sound.by}")


if __name__ == "__main__":
    sys.exit(main())

"""Errors are complete in their text, and survive transfer between processes."""

from __future__ import annotations

import pickle

from chaindrive.errors import ComputationError, InputError, Problem


def test_input_error_lists_all_problems_and_pickles() -> None:
    error = InputError([Problem("a", "must be positive", "-1"), Problem("b", "is missing")], "drive.toml")
    again = pickle.loads(pickle.dumps(error))
    assert again.problems == error.problems
    assert str(again) == str(error)
    assert str(error).splitlines() == ["drive.toml: 2 problems", "  a: must be positive (got -1)", "  b: is missing"]
    assert InputError(Problem("a", "is missing")).exit_code == 1


def test_computation_error_says_when_and_what_to_try_and_pickles() -> None:
    error = ComputationError("The disk is full.", "make room", 1.25)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) == "The disk is full. at t = 1.25 s\n  Try: make room"
    assert again.exit_code == 2
    assert again.time == 1.25

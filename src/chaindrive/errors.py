"""The exceptions of chaindrive, all with one base class. Every error that a user can cause raises one of them; a
traceback shown to a user is a defect.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["MOST_PROBLEMS", "ChaindriveError", "ComputationError", "InputError", "Problem"]

MOST_PROBLEMS = 20
"""Largest number of problems listed; any more are only counted. ``InputError.problems`` contains all of them."""


class Problem(NamedTuple):
    """A problem in the input, with its place, its value, what is allowed and what to do."""

    place: str
    """Place: a field path such as ``wheels[2].teeth``, or a file, or an option."""
    message: str
    """What is allowed and what to do, in one or two sentences."""
    value: str = ""
    """The present value, as the user wrote it; empty if there is none."""

    def __str__(self) -> str:
        got = f" (got {self.value})" if self.value else ""
        where = f"{self.place}: " if self.place else ""
        return f"{where}{self.message}{got}"


class ChaindriveError(Exception):
    """Base of every error that chaindrive raises deliberately. ``exit_code`` is the exit code of the command
    line.
    """

    exit_code = 2


class InputError(ChaindriveError):
    """The input is wrong. ``problems`` contains *all* problems found, each with its place, its value and what is
    allowed.
    """

    exit_code = 1

    def __init__(self, problems: Sequence[Problem] | Problem, source: str = "") -> None:
        self.problems: tuple[Problem, ...] = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.source = source
        """The file with the problems, or empty for values given in Python."""
        super().__init__(self._text())

    def __reduce__(self) -> tuple[type, tuple[tuple[Problem, ...], str]]:
        return type(self), (self.problems, self.source)

    def _text(self) -> str:
        head = f"{self.source}: " if self.source else ""
        if len(self.problems) == 1:
            return f"{head}{self.problems[0]}"
        lines = [f"  {problem}" for problem in self.problems[:MOST_PROBLEMS]]
        if self.unlisted:
            lines.append(f"  {self.unlisted}")
        return "\n".join([f"{head}{len(self.problems)} problems", *lines])

    @property
    def unlisted(self) -> str:
        """``... and 180 more`` if there are more problems than are listed; otherwise an empty string."""
        more = len(self.problems) - MOST_PROBLEMS
        return f"... and {more} more" if more > 0 else ""


class ComputationError(ChaindriveError):
    """The input is well formed but the computation failed.

    The message says what happened and when, and what to try.
    """

    exit_code = 2

    def __init__(self, message: str, advice: str = "", time: float | None = None) -> None:
        self.message = message
        self.advice = advice
        self.time = time
        at = f" at t = {time:.6g} s" if time is not None else ""
        hint = f"\n  Try: {advice}" if advice else ""
        super().__init__(f"{message}{at}{hint}")

    def __reduce__(self) -> tuple[type, tuple[str, str, float | None]]:
        return type(self), (self.message, self.advice, self.time)

"""Commands of chaindrive in messages, in the form in which a shell accepts them."""

from __future__ import annotations

import shlex

__all__ = ["command"]


def command(*words: object) -> str:
    """Return the command line of chaindrive with these words; those with blanks or other special characters are
    quoted.
    """
    return shlex.join(["chaindrive", *map(str, words)])

"""Remarks on the runs of a study, which hold their warnings or the reason why there is no result."""

from __future__ import annotations

from collections.abc import Iterable

from chaindrive.contract.status import Status

__all__ = ["counted_warnings", "ending_of", "remark_of", "split_remark", "warnings_in"]

BETWEEN = " | "
"""Text that separates the warnings of a run in its remark."""


def remark_of(warnings: Iterable[str]) -> str:
    """Return the warnings of a run as one remark, from which :func:`split_remark` recovers them."""
    return BETWEEN.join(" ".join(text.replace("|", "/").split()) for text in warnings)


def split_remark(remark: str) -> tuple[str, ...]:
    """Return the parts of a remark; see :func:`remark_of`."""
    return tuple(remark.split(BETWEEN)) if remark else ()


def warnings_in(status: str, remark: str) -> tuple[str, ...]:
    """Return the warnings in the remark of a run; none for a failed run, whose remark is the reason for the failure."""
    return split_remark(remark) if status == Status.REACHED_END.name else ()


def ending_of(status: str, remark: str) -> str:
    """Return the status of a failed run, or the number of warnings of any other run; empty if there are none."""
    if status != Status.REACHED_END.name:
        return status
    count = len(warnings_in(status, remark))
    return counted_warnings(count) if count else ""


def counted_warnings(count: int) -> str:
    """Return a number of warnings as text: "1 warning"."""
    return f"{count} warning{'' if count == 1 else 's'}"

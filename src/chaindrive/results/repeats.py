"""Repetitions of a run from perturbed starts, as stored in the results."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from chaindrive.contract.status import Status
from chaindrive.results import files, lowlevel
from chaindrive.results.attributes import decode, encode
from chaindrive.results.layout import Layout
from chaindrive.results.lock import locked
from chaindrive.results.readers import open_file

__all__ = ["ATTRIBUTE", "Repeat", "packed_repeats", "repeats_in", "store_repeats"]

ATTRIBUTE = "repeats"
"""Name of the attribute of the results."""


class Repeat(NamedTuple):
    """A repetition of a run from perturbed initial values."""

    disturbance: int
    """Number of the perturbation, from 1."""
    status: str
    """How the repetition ended: the name of a ``Status``, or INPUT_ERROR, COMPUTATION_ERROR or INTERNAL_ERROR."""
    extremes: Mapping[str, float]
    """Extremes in the main part of the repetition, by the key of the finding; keys of a stage begin with its name
    ("final.contact_force"). Empty if the repetition did not reach its end."""
    remark: str = ""
    """Why the repetition did not reach its end, or its warnings."""

    @property
    def failed(self) -> bool:
        """Whether the repetition did not reach its end."""
        return self.status != Status.REACHED_END.name


def packed_repeats(repeats: Iterable[Repeat]) -> str:
    """Return the repetitions as the text of an attribute, in the order of their perturbations."""
    return encode({"runs": [each._asdict() for each in sorted(repeats)]})


def repeats_in(attributes: Mapping[str, str]) -> tuple[Repeat, ...]:
    """Return the repetitions in the attributes of results; empty if one of them is damaged (``attributes.misfit``
    refuses such attributes).
    """
    try:
        return tuple(_repeat(each) for each in decode(attributes.get(ATTRIBUTE, "")).get("runs", ()))
    except (ValueError, TypeError, AttributeError, LookupError):
        return ()


def _repeat(stored: Mapping[str, Any]) -> Repeat:
    extremes = {str(key): float(value) for key, value in stored["extremes"].items()}
    return Repeat(int(stored["disturbance"]), str(stored["status"]), extremes, str(stored.get("remark", "")))


def store_repeats(path: str | os.PathLike[str], repeats: Iterable[Repeat]) -> None:
    """Store repetitions in a results file: a copy with the repetitions is written, which replaces the file once it is
    complete.

    The file must not be open. Raises InputError if it is not a results file or a run is writing to it, ComputationError
    if the disk is full.
    """
    target = files.check_target(path, overwrite=True)
    try:
        with locked(target), lowlevel.replacing(target) as part, open_file(target) as old:
            attributes = {**old.attrs, ATTRIBUTE: packed_repeats(repeats)}
            layout = Layout(tuple(old.channels.values()), old.labels)
            blocks = old.blocks(old.rows, max(1, files.BLOCK_BYTES // layout.row_bytes))
            files.create_compact(part, layout, attributes, old.rows, blocks)
    except OSError as error:
        raise lowlevel.full_disk(error, target, "the results stay as they are, without the repetitions.") from None

"""One chain of a drive with stages, as a separate result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.channels import Channel
from chaindrive.results.attributes import decode, encode
from chaindrive.results.layout import Table
from chaindrive.results.readers import EVERY_ROW, Reader
from chaindrive.results.repeats import ATTRIBUTE, Repeat, packed_repeats, repeats_in

if TYPE_CHECKING:
    import xarray

    from chaindrive.model import Drive

__all__ = ["ChainReader"]


class ChainReader:
    """The channels of one chain, under the names that they would have in a drive with this chain alone.

    Channels of a stage are stored with its name as prefix, "final.link_tension". Channels of the first chain are stored
    without such a prefix; the channels of the rotors, "motor.speed", are read with them.
    """

    def __init__(self, reader: Reader, drive: Drive, own: Drive, stage: str | None) -> None:
        """drive: the complete drive; own: the drive with this chain alone (``chains_alone``)."""
        names = [each.name for each in drive.stages]
        self._reader, self._prefix = reader, "" if stage is None else f"{stage}."
        self._others = tuple(f"{name}." for name in names if name != stage)
        stored = [channel for name, channel in reader.channels.items() if self._is_own(name)]
        self.channels = {channel.name: channel for channel in map(self._named, stored)}
        dims = {dim for channel in self.channels.values() for dim in channel.dims}
        self.labels = {
            self._bare(dim): label
            for dim, label in reader.labels.items()
            if self._bare(dim) in dims and self._is_own(dim)
        }
        self.rows, self.written_by = reader.rows, reader.written_by
        shafts = [each.shaft for each in drive.rotors] + [each.shaft for each in drive.stages]
        joined = [shaft.from_wheel for shaft in shafts if shaft.from_stage == stage]
        joined += [each.shaft.to_wheel for each in drive.stages if each.name == stage]
        self.attrs = dict(reader.attrs) | self._attributes(own, stage, names, joined)

    def _attributes(self, own: Drive, stage: str | None, names: list[str], joined: list[str]) -> dict[str, str]:
        """Return drive, notes and warnings of this chain alone. joined: the wheels of this chain that are on the shafts
        of rotors or other chains.
        """
        notes, warnings = (decode(self._reader.attrs.get(name, "")) for name in ("notes", "warnings"))
        inside = notes.pop("stages", {})
        rotors = notes.pop("rotors", {})
        prefixes = tuple(f"stage {name!r}: " for name in names)
        offered = [name for name in decode(self._reader.attrs.get("offered", "")) if self._is_own(name)]
        if stage is not None:
            at_end = {key: value for key, value in notes.items() if key == "end_time"}
            notes, here = inside.get(stage, {}) | at_end, f"stage {stage!r}: "
            warnings = [text.removeprefix(here) for text in warnings if text.startswith(here)]
        else:
            warnings = [text for text in warnings if not text.startswith(prefixes)]
            notes |= {"turned": rotors} if rotors else {}
        notes |= {"shafts": joined} if joined else {}
        return {
            "name": own.name,
            "drive": own.to_toml(),
            "notes": encode(notes),
            "warnings": encode(warnings),
            "offered": encode([self._bare(name) for name in offered]),
            ATTRIBUTE: packed_repeats(map(self._own_extremes, repeats_in(self._reader.attrs))),
        }

    def _own_extremes(self, repeat: Repeat) -> Repeat:
        """Return a repetition with the extremes of this chain alone."""
        own = {self._bare(key): value for key, value in repeat.extremes.items() if self._is_own(key)}
        return repeat._replace(extremes=own)

    def _is_own(self, name: str) -> bool:
        return name == "axis" or (name.startswith(self._prefix) and not name.startswith(self._others))

    def _bare(self, name: str) -> str:
        return name.removeprefix(self._prefix)

    def _named(self, channel: Channel) -> Channel:
        return channel._replace(name=self._bare(channel.name), dims=tuple(self._bare(dim) for dim in channel.dims))

    def time(self) -> NDArray[np.float64]:
        """See :class:`~chaindrive.results.readers.Reader`."""
        return self._reader.time()

    def values(self, name: str, rows: slice = EVERY_ROW, item: int | None = None) -> NDArray[Any]:
        """See :class:`~chaindrive.results.readers.Reader`."""
        return self._reader.values(f"{self._prefix}{name}", rows, item)

    def blocks(self, rows: int, size: int) -> Iterator[tuple[NDArray[np.float64], Table]]:
        """See :class:`~chaindrive.results.readers.Reader`."""
        for time, table in self._reader.blocks(rows, size):
            yield time, {name: table[f"{self._prefix}{name}"] for name in self.channels}

    def dataset(self) -> xarray.Dataset:
        """See :class:`~chaindrive.results.readers.Reader`."""
        found = self._reader.dataset()[[f"{self._prefix}{name}" for name in self.channels]]
        stored = [str(name) for name in (*found.variables, *found.sizes)]
        names = {name: self._bare(name) for name in stored if self._bare(name) != name}
        return found.rename(names).assign_attrs(self.attrs)

    def close(self) -> None:
        """Do nothing: the file belongs to the result of all chains."""

"""Solution: the object returned by a simulation, and by opening a results file."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from numbers import Integral
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from chaindrive import plugs
from chaindrive.contract.channels import Channel
from chaindrive.contract.end_state import EndState
from chaindrive.contract.status import Status
from chaindrive.errors import InputError, Problem
from chaindrive.model.arguments import path_of, times
from chaindrive.model.problems import nearest_of, shown
from chaindrive.renamed import new_name
from chaindrive.results import files, lowlevel
from chaindrive.results.attributes import decode, status_of
from chaindrive.results.audit import OWN_WORK, SHAFTS, EnergyAudit, audit, doubts, is_audit_channel, loss_names
from chaindrive.results.ending import ending_text, still_running
from chaindrive.results.layout import Layout, UnknownChannelError, nearest
from chaindrive.results.lock import locked
from chaindrive.results.readers import EVERY_ROW, MemoryReader, Reader, open_file
from chaindrive.results.repeats import ATTRIBUTE, Repeat, packed_repeats, repeats_in

if TYPE_CHECKING:
    import xarray
    from pandas import DataFrame

    from chaindrive.analyses.results.verdict import Verdict
    from chaindrive.model import Drive
    from chaindrive.plots.accessor import Plots

__all__ = ["Solution", "open_solution"]


KEPT = "run.save.channels selects what a run keeps"


class Solution:
    """Named channels with units as functions of time, together with the drive and the options from which they were
    computed.

    ``solution["link_tension"]`` is an xarray.DataArray with dimensions (time, link), ``attrs["units"] == "N"``; wheels
    and axes are selected by name: ``solution["wheel_speed"].sel(wheel="crankshaft")``. A solution opened from a file
    reads on demand; close it, or use it in a ``with`` statement, to release the file.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._dataset: xarray.Dataset | None = None
        self._drive: Drive | None = None
        self._doubts: tuple[str, ...] | None = None
        self._chains: dict[str | None, Solution] = {}
        self.end: EndState | None = None
        """State at the end, from which another run can begin; only if the run was computed in this session and did not
        fail."""

    @classmethod
    def from_memory(
        cls, layout: Layout, time: NDArray[np.float64], table: Mapping[str, NDArray[Any]], attrs: Mapping[str, str]
    ) -> Solution:
        """A solution made of arrays; time: (rows,) [s]; table: arrays by channel name, (rows, *shape); attrs: result of
        ``describe``.
        """
        return cls(MemoryReader(layout, time, table, attrs))

    def __getitem__(self, name: str | tuple[str, str | int]) -> xarray.DataArray:
        """One channel, or one of its items by name or number: ``solution["wheel_speed", "crankshaft"]``.

        Raises UnknownChannelError (an InputError and a KeyError) as :meth:`channel` does, and InputError, which gives
        the most similar name, for an item that does not exist. The ``sel`` of the returned channel raises
        UnknownLabelError (also an InputError and a KeyError) for an unknown label.
        """
        if isinstance(name, tuple) and len(name) == 2:
            channel, item = name
            return self[channel][:, self._item(channel, item)]
        if not isinstance(name, str):
            raise InputError(Problem("channel", "must be the name of a channel, or a name and an item", repr(name)))
        if name != "time":
            self.channel(name)
        from chaindrive.results.labelled import ChannelArray  # which loads xarray

        return ChannelArray(self.dataset[name])

    def _item(self, name: str, item: str | int) -> int:
        """Return the number of an item of a channel."""
        channel = self.channel(name)
        if not channel.dims:
            raise InputError(Problem(name, "has one value per instant and no items", repr(item)))
        size = channel.shape[0]
        if isinstance(item, Integral) and not isinstance(item, bool):
            if -size <= item < size:
                return int(item) % size
            raise InputError(Problem(name, f"has the items 0 to {size - 1}", repr(item)))
        items = self.items(name)
        if isinstance(item, str) and item in items:
            return items.index(item)
        raise InputError(Problem(name, f"has no item with this name{nearest_of(str(item), items)}", repr(item)))

    def _ipython_key_completions_(self) -> list[str]:
        """Completions of ``solution["`` in a notebook."""
        return [*self.channels, "time"]

    def __iter__(self) -> Iterator[str]:
        """The names of the channels."""
        return iter(self.channels)

    def __getstate__(self) -> dict[str, Any]:
        """The state for a pickle; a results file is opened again when it is read (``FileReader``)."""
        return vars(self) | {"_dataset": None}

    def __contains__(self, name: object) -> bool:
        return name in self._reader.channels

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Solution {self.name or 'without name'}: {self._reader.rows} instants, {self.status.name}>"

    def _repr_html_(self) -> str:
        """The display of this solution in a notebook."""
        return plugs.solution_html(self)

    @property
    def plot(self) -> Plots:
        """Every plot as a method: ``solution.plot.link_tension(link=3)``; figures display in a notebook."""
        return plugs.plots(self)

    def peaks(self, start: float | str | None = None, stop: float | str | None = None) -> DataFrame:
        """The largest and smallest values between two instants, given in seconds or as "300 ms", with their times and
        places, as a table.

        Raises InputError if nothing was stored between them.
        """
        begin, end = times(start=start, stop=stop)
        return self.plot.table_of_peaks(begin, end)

    @property
    def verdict(self) -> Verdict:
        """The verdict on the chain of the drive itself: strength, steadiness, resonance, losses.

        For the verdicts on the stages see ``chains``. Raises InputError if too little was stored.
        """
        return self.verdict_of()

    def verdict_of(self, start: float | str | None = None, stop: float | str | None = None) -> Verdict:
        """The verdict on the part of the run from start to stop, given in seconds or as "300 ms", instead of the steady
        part.

        Raises InputError if fewer than two instants are stored between them.
        """
        begin, end = times(start=start, stop=stop)
        return plugs.verdict(self.chains[0], begin, end)

    def show(self) -> Any:
        """Show the report: inline in a notebook, otherwise in a browser. Raises InputError if nothing was stored."""
        return plugs.shown_report(self)

    @property
    def dataset(self) -> xarray.Dataset:
        """All channels as one xarray.Dataset; if the solution was opened from a file, values are read when used."""
        if self._dataset is None:
            self._dataset = self._reader.dataset()
        return self._dataset

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The stored channels by name; their offsets refer to this result."""
        return self._reader.channels

    @property
    def stages(self) -> tuple[str, ...]:
        """Names of the stages of the drive, which are also the prefixes of their channels: "final.link_tension"."""
        return tuple(self._decode("notes").get("stages", {}))

    def stage(self, name: str) -> Solution:
        """The chain of one stage as a separate solution, whose channel names have no prefix.

        It reads from this solution, which must stay open. Raises InputError for a stage that does not exist.
        """
        if name not in self.stages:
            there = ", ".join(map(repr, self.stages)) or "none"
            raise InputError(Problem("stage", f"this result has no such stage; available: {there}", repr(name)))
        return self._chain(name)

    @property
    def chains(self) -> tuple[Solution, ...]:
        """Every chain as a separate solution: first the chain of the drive itself, then the stages.

        For a drive without stages and rotors the only item is this solution.
        """
        if not (self.stages or self.rotors):
            return (self,)
        return tuple(self._chain(name) for name in (None, *self.stages))

    def _chain(self, stage: str | None) -> Solution:
        from chaindrive.mechanism.stages import chains_alone
        from chaindrive.results.stages import ChainReader

        if not self._chains:
            alone = zip((None, *self.stages), chains_alone(self.drive), strict=True)
            self._chains = {name: Solution(ChainReader(self._reader, self.drive, own, name)) for name, own in alone}
        return self._chains[stage]

    @property
    def rotors(self) -> tuple[str, ...]:
        """Names of the rotors of the drive, which are also the prefixes of their channels: "motor.speed"."""
        return tuple(self._decode("notes").get("rotors", {}))

    def rotor_audit(self, name: str) -> EnergyAudit:
        """The energy balance of one rotor. Raises InputError for a rotor that does not exist."""
        if name not in self.rotors:
            there = ", ".join(map(repr, self.rotors)) or "none"
            raise InputError(Problem("rotor", f"this result has no such rotor; available: {there}", repr(name)))
        return self._audit(f"{name}.")

    @property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """Names along dimensions that have them, such as the wheels."""
        return self._reader.labels

    @property
    def time(self) -> NDArray[np.float64]:
        """Instants stored in seconds, shape (rows,)."""
        return self._reader.time()

    def channel(self, name: str) -> Channel:
        """Return the description of one channel. Raises UnknownChannelError with the three most similar names if it was
        not kept.

        For the name of a channel in earlier versions, the error gives its present name.
        """
        if not isinstance(name, str):
            raise UnknownChannelError(Problem("channel", "must be the name of a channel", shown(name)))
        if new := new_name(name, self._reader.channels):
            raise UnknownChannelError(Problem("channel", f"{name} is now called {new}", repr(name)))
        if name not in self._reader.channels:
            near = nearest(name, self._reader.channels)
            message = f"this result does not hold {name!r}; the nearest that it holds are {near}. {KEPT}"
            if self.offers(name) is False:
                message = f"{self._not_offered(name)}; the nearest that this result holds are {near}"
            raise UnknownChannelError(Problem("channel", message))
        return self._reader.channels[name]

    def absent(self, *names: str) -> str:
        """Why the result does not contain one of these channels: the formulation has none, or it was not kept."""
        none = [name for name in names if self.offers(name) is False]
        if none:
            return f"the formulation {self.attrs.get('formulation', '')!r} has no {' and no '.join(none)}"
        missing = [name for name in names if name not in self._reader.channels]
        return f"the run did not keep {' and '.join(missing)} (run.save.channels)"

    def _not_offered(self, name: str) -> str:
        """Why the run could not keep a channel: its formulation has none, or only this drive has none."""
        from chaindrive.formulations.every_channel import every_channel  # which loads Numba

        kind, bare = self.attrs.get("formulation", ""), name.rpartition(".")[2]
        found = next((channel for channel in every_channel(kind) if channel.name == bare), None)
        if found is None:
            return self.absent(name)
        return f"this drive has no {name} ({found.description}); other drives have it in the formulation {kind!r}"

    def offers(self, name: str) -> bool | None:
        """Whether the formulation has such a channel, kept or not; None if the result does not state its channels."""
        offered = tuple(self._decode("offered"))
        return name in offered if offered else None

    def values(self, name: str, rows: slice = EVERY_ROW, item: str | int | None = None) -> NDArray[Any]:
        """Return one channel as a plain array, shape (rows, *shape), without importing xarray.

        rows: a part of the rows, such as ``slice(100, 200)``; item: the name or number of a single link, wheel, span
        ..., which removes the first dimension after time. Only the requested values are read from a file. Raises
        UnknownChannelError as :meth:`channel` does, and InputError for an item that does not exist, and for a name in
        place of rows.
        """
        self.channel(name)
        if isinstance(rows, str | float):
            message = f"must be a slice such as slice(100, 200); an item is given by its name or number, item={rows!r}"
            raise InputError(Problem("rows", message, shown(rows)))
        return self._reader.values(name, rows, None if item is None else self._item(name, item))

    def items(self, name: str) -> tuple[str, ...]:
        """Names of the items of a channel: wheels, spans ... have names of their own, links are called "link 17". The
        result is () for a channel with one number per instant.

        Raises UnknownChannelError as :meth:`channel` does.
        """
        channel = self.channel(name)
        if not channel.dims:
            return ()
        dim = channel.dims[0]
        return self.labels.get(dim) or tuple(f"{dim} {k}" for k in range(channel.shape[0]))

    @property
    def name(self) -> str:
        """Name of the drive."""
        return self.attrs.get("name", "")

    @property
    def status(self) -> Status:
        """How the run ended. A file that was never finished is INTERRUPTED; the text says whether a run was still
        writing it when it was opened (``being_written``).
        """
        owner = self._reader.written_by
        if owner is None:
            return status_of(self.attrs)
        return still_running(owner, self._reader.rows, float(self.time[-1]) if self._reader.rows else math.nan)

    @property
    def being_written(self) -> bool:
        """Whether a run was still writing the file when it was opened."""
        return self._reader.written_by is not None

    @property
    def ending(self) -> str:
        """How the run ended and what to try, after the likely cause if this is a start out of equilibrium."""
        return ending_text(self.status, self.notes)

    @property
    def statistics(self) -> dict[str, Any]:
        """Counts of the solver: steps, rejections, evaluations ..."""
        return self._decode("statistics")

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about this run: those given during the run, and doubts about its energy balance.

        The balance is computed from the stored channels (``audit.doubts``); runs store all work integrals and energies.
        """
        warnings = tuple(self._decode("warnings"))
        behind = [(f"stage {name!r}", self.stage(name).own_doubts) for name in self.stages]
        behind += [(f"rotor {name!r}", self._doubts_of(f"{name}.")) for name in self.rotors]
        return (*warnings, *self.own_doubts, *(f"{whose}: {text}" for whose, texts in behind for text in texts))

    @property
    def own_doubts(self) -> tuple[str, ...]:
        """Doubts about the result that arise from the energy balance of the (first) chain; see ``audit.doubts``."""
        if self._doubts is None:
            self._doubts = self._doubts_of("")
        return self._doubts

    def _doubts_of(self, prefix: str) -> tuple[str, ...]:
        """Return doubts about the chain or rotor whose channels have this prefix; empty if they are not all stored."""
        needed = {f"{prefix}{name}" for name in ("work_input", "energy_kinetic", "energy_residual")}
        whole = needed <= self._reader.channels.keys()
        solver, balance = self.attrs.get("solver", ""), self.attrs.get("balance", "auto")
        return doubts(self._audit(prefix), solver, balance, self._tooth_forms) if whole else ()

    def _tooth_forms(self) -> set[str]:
        """Return the forms of the teeth; empty if the stored drive cannot be read."""
        try:
            return {wheel.tooth.form for wheel in self.drive.wheels}
        except InputError:
            return set()

    @property
    def notes(self) -> dict[str, Any]:
        """Facts established during the run: configuration, static equilibrium, adjusted preload."""
        return self._decode("notes")

    @property
    def repeats(self) -> tuple[Repeat, ...]:
        """Repetitions of the run from perturbed starts, with their extremes, in the order of their numbers
        (``studies.repeat``).
        """
        return repeats_in(self.attrs)

    def keep_repeats(self, repeats: Iterable[Repeat]) -> None:
        """Replace the repetitions held by this solution; a results file is not changed.

        ``save`` stores them, as does ``results.repeats.store_repeats`` in the file of a closed solution.
        """
        self.attrs[ATTRIBUTE] = packed_repeats(repeats)
        self._chains = {}

    @property
    def options(self) -> dict[str, Any]:
        """Options of formulation, solver and saving."""
        return self._decode("options")

    @property
    def versions(self) -> dict[str, str]:
        """Versions of chaindrive, numpy, numba and python used for the computation, and the digest of the kernels."""
        return self._decode("versions")

    @property
    def attrs(self) -> dict[str, str]:
        """Global attributes as stored; all of them are strings."""
        return self._reader.attrs

    @property
    def drive_text(self) -> str:
        """The simulated drive, as the text of a TOML file."""
        return self.attrs.get("drive", "")

    @property
    def drive(self) -> Drive:
        """The simulated drive. It is read only once, because a drive cannot be changed.

        Raises InputError if it cannot be read, or if the channels belong to a different drive.
        """
        if self._drive is None:
            from chaindrive.model import loads

            drive = loads(self.drive_text)
            self._check_drive(drive)
            self._drive = drive
        return self._drive

    def _check_drive(self, drive: Drive) -> None:
        """Refuse channels whose sizes, or names of parts, do not match the drive."""
        sizes = {"link": drive.chain.links, "roller": drive.chain.joints}
        names = drive.part_names
        sizes |= {dim: len(named) for dim, named in names.items()}
        for dim, length in Layout(tuple(self.channels.values()), self.labels).dimensions.items():
            wanted = sizes.get(dim, length)
            if wanted != length or self.labels.get(dim, ()) not in ((), names.get(dim, self.labels.get(dim))):
                message = "the file is damaged: its results are not those of the drive in it"
                raise InputError(Problem("drive", f"{message} (its {dim} dimension differs)"))

    @property
    def audit(self) -> EnergyAudit:
        """The energy balance of the run."""
        return self._audit("")

    def _audit(self, prefix: str) -> EnergyAudit:
        """Return the balance of the chain or rotor whose channels have this prefix."""
        accounts = {
            name.removeprefix(prefix): np.asarray(self._reader.values(name))
            for name, channel in self._reader.channels.items()
            if name.startswith(prefix) and is_audit_channel(name.removeprefix(prefix)) and not channel.shape
        }
        works = [f"{prefix}{name}" for name in (SHAFTS, OWN_WORK) if f"{prefix}{name}" in self._reader.channels]
        parts = [math.prod(self._reader.channels[name].shape) for name in works]
        shafts = [
            np.reshape(self._reader.values(name), (self.time.size, n)) for name, n in zip(works, parts, strict=True)
        ]
        return audit(self.time, accounts, np.hstack(shafts) if shafts else None, self.loss_names)

    @property
    def loss_names(self) -> Mapping[str, str]:
        """Descriptions of the causes of losses, by the names of their channels (work_NAME)."""
        return loss_names(self.attrs.get("formulation", ""))

    def save(self, path: str | os.PathLike[str], *, overwrite: bool = True) -> None:
        """Save as netCDF-4. A file at ``path`` is replaced once the new one is complete, unless ``overwrite`` is False.

        Raises InputError if the file cannot be written or a run is writing to it, ComputationError if the disk is full.
        """
        target = files.check_results(path, overwrite=overwrite)
        attributes = {**self.attrs, "status": self.status.name}
        reader = self._reader
        layout = Layout(tuple(reader.channels.values()), reader.labels)
        try:
            with locked(target), lowlevel.replacing(target) as part:
                blocks = reader.blocks(reader.rows, max(1, files.BLOCK_BYTES // layout.row_bytes))
                files.create_compact(part, layout, attributes, reader.rows, blocks)
        except OSError as error:
            raise lowlevel.full_disk(error, target, "nothing was saved; an earlier file there is unchanged.") from None

    def summary(self) -> str:
        """Return the drive, the ending, the channels and the energy balance as text."""
        time = self.time
        covered = f"{time[0]:.6g} to {time[-1]:.6g} s in {time.size} instants" if time.size else "nothing stored"
        lines = [f"{self.name or 'unnamed drive'} ({self.attrs.get('source', '')})", f"time: {covered}"]
        lines.append(f"status: {self.status.name}. {self.ending}")
        lines += [f"warning: {text}" for text in self.warnings]
        lines += [f"{key.replace('_', ' ')}: {value}" for key, value in self.statistics.items()]
        width = max((len(name) for name in self.channels), default=0)
        lines.append("channels:")
        for channel in self.channels.values():
            sizes = " x ".join(f"{length} {dim}" for dim, length in zip(channel.dims, channel.shape, strict=True))
            lines.append(f"  {channel.name:{width}}  [{channel.unit}]  {sizes}")
        return "\n".join([*lines, "energy balance:", self.audit.table()])

    def _decode(self, name: str) -> Any:
        try:
            return decode(self.attrs.get(name, ""))
        except ValueError:
            raise InputError(Problem(name, "this attribute of the results file is damaged (not JSON)")) from None

    def close(self) -> None:
        """Close the file. Values read before remain usable."""
        self._reader.close()


def open_solution(path: str | os.PathLike[str]) -> Solution:
    """Open a results file. Of a file that was interrupted or is still being written, the rows written so far can be
    read.

    Raises InputError if it is missing, a directory, empty, damaged or not a results file.
    """
    reader = open_file(path_of(path, "path", "a results file"))
    try:
        reader.check()
    except BaseException:
        reader.close()
        raise
    return Solution(reader)

"""Data of a run in progress for the page of the live view: frames of the animation, curves, progress."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.signals.windows import unwrapped
from chaindrive.mechanism.facts import drive_facts
from chaindrive.report.curves import curve_groups
from chaindrive.report.frames import FRAME_CHANNELS, Band, along_the_route, frames_entry
from chaindrive.report.pack import Blob, Reference
from chaindrive.report.page import header_text
from chaindrive.results.layout import Layout, select
from chaindrive.results.solution import Solution
from chaindrive.viewer.thinning import MOST, Piece, Thinned

if TYPE_CHECKING:
    from chaindrive.model import Drive
    from chaindrive.report.curves import Group
    from chaindrive.simulation.simulate import Observation

__all__ = ["AT_ONCE", "Feed", "State"]

FloatArray = NDArray[np.float64]

AT_ONCE = 250
"""Largest number of frames in one answer; a page that was opened late receives the rest with its next requests."""
QUICKLY = 1
"""Compression level of an answer; it is low because the answer does not leave this machine."""
BETWEEN = "minimum and maximum between two frames of the animation"


class State(NamedTuple):
    """Progress of a run."""

    state: str = "starting"
    """One of starting, running, finished, failed or interrupted."""
    message: str = "compiling the equations, finding the static equilibrium"
    time: float = 0.0
    """Simulated time reached [s]"""
    until: float = 0.0
    """Simulated time at which the run ends. [s]"""
    remaining: float | None = None
    """Forecast of the remaining time [s of wall clock]; None while it is unknown."""
    report: str | None = None
    """Address of the finished report, relative to the page."""


class Feed:
    """Receives the results of a run and provides every page with the data that it still lacks. Several threads may use
    it.

    until: latest end of the run [s]. most: largest number of frames.
    """

    def __init__(self, drive: Drive, until: float, most: int = MOST) -> None:
        self._drive, self._until, self._most = drive, until, most
        self._lock = threading.Lock()
        self._state = State(until=until)
        self._kept: Thinned | None = None
        self._last: tuple[FloatArray, dict[str, NDArray[Any]], FloatArray] | None = None
        self._layout: Layout
        self._groups: tuple[Group, ...] = ()
        self._offset: FloatArray
        self._origin = (0.0, 0.0)
        self._driver = drive_facts(drive).driver
        self._rate = 0.0

    def update(self, **changes: Any) -> None:
        """Change fields of the state."""
        with self._lock:
            self._state = self._state._replace(**changes)

    def observe(self, observation: Observation) -> None:
        """Receive computed rows."""
        with np.errstate(invalid="ignore", over="ignore"):
            layout = self._layout_of(observation)
            table: dict[str, NDArray[Any]] = {c.name: observation.values(c.name) for c in layout.channels}  # views
            attributes = {"formulation": self._drive.run.formulation.kind}
            piece = Solution.from_memory(layout, observation.time, table, attributes)
            groups = tuple(curve_groups(piece, self._drive, slice(None), running=True))
        with self._lock:
            if self._kept is None:
                self._begin(layout, table, groups)
            if self._rate == 0.0 and observation.time.size > 1:
                self._rate = self._stored_rate(observation.time)
            series = self._series(table, groups)
            kept = {name: table[name] for name in self._kept_names}
            assert self._kept is not None  # begun above
            angle = table["wheel_angle"][:, self._driver] if self._drive.wheels else observation.time
            self._kept.add(observation.time, kept, series, angle)
            self._last = observation.time[-1:], {name: values[-1:] for name, values in kept.items()}, series[-1:]
            if self._state.state == "starting":  # the first rows arrive before the first report of progress
                self._state = self._state._replace(state="running", message="", time=float(observation.time[-1]))

    def close(self) -> None:
        """End the feed: the last instant of the run becomes a frame."""
        with self._lock:
            if self._kept is not None and self._last is not None:
                time, table, series = self._last
                self._kept.close(float(time[0]), table, series)

    def answer(self, after: int, generation: int) -> str:
        """Return as JSON the data that are missing on a page with ``after`` frames of this generation.

        Frames are renumbered in every generation; a page with frames of an earlier generation starts again from frame 0
        (``anew``).
        """
        with self._lock:
            state, kept, piece, advance = self._state, self._kept, None, np.zeros(0)
            now, count, stored = (0, 0, 0) if kept is None else (kept.generation, kept.count, kept.seen)
            anew = generation != now or after > count
            after = 0 if anew else after
            if kept is not None and after < count:
                piece = kept.piece(after, AT_ONCE)
                advance = self._advance(kept)[after : after + piece.time.size]
        blob = Blob()
        header = state._asdict() | {"generation": now, "anew": anew, "frames": None, "curves": None}
        if piece is not None:
            header["frames"] = self._frames(piece, advance, stored, blob)
            header["curves"] = self._curves(piece, stored, blob)
        return header_text(header | {"data": blob.packed(QUICKLY) if piece is not None else ""})

    def _layout_of(self, observation: Observation) -> Layout:
        """Return the layout of the channels used, which are the channels that results hold by default."""
        if self._kept is None:
            self._layout = Layout(select(observation.channels), dict(observation.labels))
        return self._layout

    def _stored_rate(self, time: FloatArray) -> float:
        """Return the number of rows per second stored by a run that computes rows at these times [s]. [Hz]"""
        save = self._drive.run.save
        return 1.0 / (float(time[1] - time[0]) * (save.oversample if save.reduce == "mean" else 1))

    def _begin(self, layout: Layout, table: dict[str, NDArray[Any]], groups: tuple[Group, ...]) -> None:
        """Allocate memory once the recorded channels are known."""
        unused = "link_path_position"  # follows from the angles of the wheels, except where the chain slips
        names = {name for name in FRAME_CHANNELS if name in table and (name != unused or self._drive.sheaves)}
        self._kept_names = tuple(sorted(names))
        self._groups = tuple(group._replace(values=np.empty((len(group.series), 0))) for group in groups)
        self._links = self._drive.chain.links if "link_tension" in table else 0
        followed = self._links + sum(len(group.series) for group in groups)
        channels = tuple(channel for channel in layout.channels if channel.name in names)
        self._kept = Thinned(Layout(channels, layout.labels), followed, self._until, self._most)
        path = table.get(unused)
        angle = float(table["wheel_angle"][0, 0]) if self._drive.wheels else 0.0
        self._origin = (0.5 if path is None else float(path[0, 0])), angle
        energy = [group.values[:, :1] for group in groups if group.key == "energy"]
        self._energy = energy[0] if energy else np.zeros((0, 1))

    def _series(self, table: dict[str, NDArray[Any]], groups: tuple[Group, ...]) -> FloatArray:
        """Return the series that are followed between frames, (rows, series): the tension of every link, then all
        curves.
        """
        columns = [np.asarray(table["link_tension"], dtype=np.float64)] if self._links else []
        for group in groups:
            since_start = self._energy if group.key == "energy" else 0.0
            columns.append((group.values - since_start).T)
        return np.concatenate(columns, axis=1)

    def _advance(self, kept: Thinned) -> FloatArray:
        """Return the advance of the chain at all instants kept, continuous from piece to piece. [pitches]"""
        path, angle = self._origin
        turned = np.zeros(kept.count)
        if self._drive.wheels:
            turned = drive_facts(self._drive).pitches_turned(kept.values("wheel_angle")[:, 0] - angle)
        if self._drive.sheaves and "link_path_position" in self._kept_names:
            place = np.asarray(kept.values("link_path_position")[:, 0], dtype=np.float64) - 0.5
            return unwrapped(place, turned, self._drive.chain.links)
        return path - 0.5 + turned

    def _frames(self, piece: Piece, advance: FloatArray, stored: int, blob: Blob) -> Reference:
        links, table = self._links, piece.table
        band = Band(_finite(piece.low[:, :links]), _finite(piece.high[:, :links])) if links else None
        if "roller_position" not in table:
            table = along_the_route(self._drive, table, advance)
        rows = np.floor(piece.time * self._rate * (1.0 + 1e-12)).astype(np.int64)
        return frames_entry(self._drive, table, advance, piece.time, rows, blob, stored=stored, band=band)

    def _curves(self, piece: Piece, stored: int, blob: Blob) -> list[Reference]:
        """Return two points for each interval of several instants, so that a curve passes through its extremes.

        One point is at the first instant of the interval and the other at the last; for a monotone curve they are
        exact.
        """
        several = piece.rows > 1
        begin = piece.before + (piece.time - piece.before) / piece.rows
        order = np.argsort(np.concatenate([piece.time, begin[several]]), kind="stable")
        time = np.concatenate([piece.time, begin[several]])[order]
        # the extreme that is nearer to the value at the end is placed last
        low, high, value = _finite(piece.low), _finite(piece.high), piece.series
        rising = np.abs(high - value) < np.abs(value - low)
        last = np.where(several[:, None], np.where(rising, high, low), value)
        first = np.where(rising, low, high)[several]
        values = np.concatenate([last, first])[order].T
        entries, at = [], self._links
        when = blob.add(time, "f8")
        for group in self._groups:
            part = values[at : at + len(group.series)]
            at += len(group.series)
            entries.append(
                {
                    "key": group.key,
                    "title": group.title,
                    "unit": group.unit,
                    "series": [each._asdict() for each in group.series],
                    "time": when,
                    "values": blob.add(part, "f4"),
                    "stored": stored,
                    "kept": int(time.size),
                    "remark": BETWEEN,
                }
            )
        return entries


def _finite(values: FloatArray) -> FloatArray:
    """Return extremes with those of an empty range, which are infinite, replaced by not-a-number."""
    return np.where(np.isfinite(values), values, np.nan)

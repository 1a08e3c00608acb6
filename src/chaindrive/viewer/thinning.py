"""Thinning of a run in progress: instants for the animation, and extremes between them.

An instant is kept whenever the driver has turned by a certain fraction of a turn, or a certain time has passed. The
minima and maxima between kept instants are stored, so that no peak is lost. When the memory is full, every second
instant is dropped, and from then on half as many are kept, so the memory is bounded however long a run is.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.results.layout import Layout, Table, storage_dtype

__all__ = ["Piece", "Thinned"]

PER_TURN = 50
"""Number of instants kept per turn of the driver at the beginning."""
IN_ALL = 500
"""Number of instants that would be kept over the whole run, with the initial step, if the driver were stationary."""
MOST = 3000
"""Largest number of instants kept."""

FloatArray = NDArray[np.float64]


class Piece(NamedTuple):
    """Consecutive instants. Interval k extends from the instant before instant k up to and including instant k."""

    time: FloatArray
    """Instants, shape (n,). [s]"""
    before: FloatArray
    """The instant before each instant; for the very first instant its own time, shape (n,). [s]"""
    table: dict[str, NDArray[Any]]
    """Channels at these instants, each (n, *shape)."""
    rows: NDArray[np.int64]
    """Number of computed instants in each interval, shape (n,)."""
    low: FloatArray
    """Minimum of every series in each interval, shape (n, series)."""
    high: FloatArray
    """Maximum of every series in each interval, shape (n, series)."""
    series: FloatArray
    """Value of every series at these instants, shape (n, series)."""


class _Extremes:
    """Minima and maxima of the rows so far."""

    def __init__(self, width: int) -> None:
        self.low, self.high = np.full(width, np.inf), np.full(width, -np.inf)
        self.rows = 0

    def include(self, low: FloatArray, high: FloatArray, rows: int) -> None:
        np.fmin(self.low, low, out=self.low)
        np.fmax(self.high, high, out=self.high)
        self.rows += rows

    def clear(self) -> None:
        self.low.fill(np.inf)
        self.high.fill(-np.inf)
        self.rows = 0


class Thinned:
    """The instants kept from a run, and the extremes between them.

    layout: channels that are kept at every instant. series: number of series that are followed between these instants.
    until: latest end of the run [s]. most: largest number of instants, at least 4.
    """

    def __init__(self, layout: Layout, series: int, until: float, most: int = MOST) -> None:
        self._most = max(4, most)
        self._turn, self._time_step = 2.0 * math.pi / PER_TURN, until / IN_ALL
        self._last = (math.nan, math.nan)
        self._pending = _Extremes(series)
        self.count = 0
        """Number of instants kept."""
        self.generation = 0
        """Number of times that every second instant has been dropped."""
        self.seen = 0
        """Number of instants offered."""
        # the system allocates memory only as it is used
        self._time = np.empty(self._most)
        self._table = {c.name: np.empty((self._most, *c.shape), storage_dtype(c)) for c in layout.channels}
        self._rows = np.empty(self._most, dtype=np.int64)
        self._low, self._high, self._series = (np.empty((self._most, series)) for _ in range(3))

    def add(self, time: FloatArray, table: Table, series: FloatArray, driver: FloatArray | None) -> None:
        """Offer instants: time (n,) [s], channels (n, *shape), series to be followed (n, S), and angle of the driver
        (n,) [rad].
        """
        at = 0
        while at < time.size:
            chosen = at + self._choose(time[at:], None if driver is None else driver[at:], self._most - self.count)
            end = int(chosen[-1]) + 1 if chosen.size == self._most - self.count else time.size
            self._keep(chosen, at, end, time, table, series)
            self.seen += end - at
            at = end
            if self.count == self._most:
                self._drop_every_second()

    def close(self, time: float, table: Table, series: FloatArray) -> None:
        """Keep the very last instant, which is given as arrays of one row, unless it has already been kept."""
        if self.count and self._pending.rows == 0:
            return
        if self.count == self._most:
            self._drop_every_second()
        k = self.count
        self._time[k] = time
        for name, values in table.items():
            self._table[name][k] = values[0]
        self._series[k] = series[0]
        self._low[k] = np.fmin(self._pending.low, series[0])
        self._high[k] = np.fmax(self._pending.high, series[0])
        self._rows[k] = max(1, self._pending.rows)
        self._pending.clear()
        self.count += 1

    def values(self, name: str) -> NDArray[Any]:
        """Return a channel at all instants kept, as a view that the next instant may change."""
        return self._table[name][: self.count]

    def piece(self, after: int, at_most: int) -> Piece:
        """Return a copy of at most ``at_most`` instants, beginning with number ``after``."""
        part = slice(after, min(self.count, after + at_most))
        first = max(after - 1, 0)
        time = self._time[part].copy()
        before = self._time[first : part.stop - 1] if after else np.concatenate([time[:1], time[:-1]])
        table = {name: values[part].copy() for name, values in self._table.items()}
        rows, low, high = self._rows[part].copy(), self._low[part].copy(), self._high[part].copy()
        return Piece(time, before.copy(), table, rows, low, high, self._series[part].copy())

    def _choose(self, time: FloatArray, driver: FloatArray | None, room: int) -> NDArray[np.intp]:
        """Return the instants to be kept, at most ``room``."""
        angle = np.zeros_like(time) if driver is None else driver
        changed = np.zeros(time.size, dtype=bool)
        for values, last, step in zip((time, angle), self._last, (self._time_step, self._turn), strict=True):
            changed |= np.diff(np.floor(values / step), prepend=np.floor(last / step)) != 0.0
        chosen = np.flatnonzero(changed)[:room]
        end = int(chosen[-1]) if chosen.size == room else -1
        self._last = float(time[end]), float(angle[end])
        return chosen

    def _keep(
        self, chosen: NDArray[np.intp], at: int, end: int, time: FloatArray, table: Table, series: FloatArray
    ) -> None:
        """Store the chosen ones among the instants from ``at`` to ``end``; extremes after the last chosen instant wait
        for the next one.
        """
        into = slice(self.count, self.count + chosen.size)
        self._time[into] = time[chosen]
        for name, values in table.items():
            self._table[name][into] = values[chosen]
        self._series[into] = series[chosen]
        starts = np.concatenate([[at], chosen + 1])
        starts = starts[starts < end]
        low = np.fmin.reduceat(series[:end], starts, axis=0)
        high = np.fmax.reduceat(series[:end], starts, axis=0)
        rows = np.diff(starts, append=end)
        for k in range(starts.size):
            if k >= chosen.size:
                self._pending.include(low[k], high[k], int(rows[k]))
                continue
            place = self.count + k
            self._low[place] = np.fmin(low[k], self._pending.low)
            self._high[place] = np.fmax(high[k], self._pending.high)
            self._rows[place] = rows[k] + self._pending.rows
            self._pending.clear()
        self.count += chosen.size

    def _drop_every_second(self) -> None:
        """Keep instants 0, 2, 4, ...; each interval is merged with the interval of the dropped instant before it."""
        n = self.count
        for k in range(2, n, 2):
            np.fmin(self._low[k], self._low[k - 1], out=self._low[k])
            np.fmax(self._high[k], self._high[k - 1], out=self._high[k])
            self._rows[k] += self._rows[k - 1]
        if n % 2 == 0:  # the last instant is dropped, the extremes before it are kept
            self._pending.include(self._low[n - 1], self._high[n - 1], int(self._rows[n - 1]))
        for values in (self._time, self._rows, self._low, self._high, self._series, *self._table.values()):
            values[: (n + 1) // 2] = values[:n:2].copy()
        self.count = (n + 1) // 2
        self.generation += 1
        self._turn *= 2.0
        self._time_step *= 2.0

"""Progress of a run and its display: a bar on a terminal, one line that is updated in a notebook, and successive lines
elsewhere.
"""

from __future__ import annotations

import html
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from chaindrive.numbers import clock, count

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["COMPILING", "REPORT_INTERVAL", "Progress", "Show", "bar", "forecast", "in_notebook", "lines", "own_display"]

COMPILING = "compiling, finding the static equilibrium"
"""The activity before the first step."""
REPORT_INTERVAL = 10.0
"""Interval between two lines where there is no terminal. [s]"""
REFRESH = 0.25
"""Interval between two updates of the line in a notebook. [s]"""


class Progress(NamedTuple):
    """Progress of a run."""

    time: float
    """Simulated time reached. [s]"""
    until: float
    """Simulated time at which the run ends; for a run until the steady state its latest possible end. [s]"""
    steps: int
    """Accepted steps so far."""
    elapsed: float
    """Wall-clock time since the integration began, in this session. [s]"""
    remaining: float
    """Forecast of the remaining wall-clock time, based on the progress since all kernels were compiled; infinite until
    it is known. [s]"""
    rate: float = math.nan
    """Accepted steps per second since all kernels were compiled; nan until it is known. [1/s]"""

    @property
    def share(self) -> float:
        """Fraction of the run that has been completed."""
        return self.time / self.until


class Show(Protocol):
    """Shows the progress of a run; before: the name of the run, if there are several."""

    def __call__(self, progress: Progress, before: str = "") -> None:
        """Show the progress."""


def forecast(progress: Progress) -> str:
    """Return a text with the steps per second and the time left."""
    if not math.isfinite(progress.rate):
        return "just begun"
    return f"{count(progress.rate)} steps/s, {clock(progress.remaining)} left"


@contextmanager
def bar(console: Console) -> Iterator[Show]:
    """Provide a progress bar on a terminal."""
    from rich import progress as rich

    texts = [rich.TextColumn(f"{{task.{field}}}", markup=False) for field in ("description", "fields[forecast]")]
    columns = (rich.SpinnerColumn(), texts[0], rich.BarColumn(), rich.TaskProgressColumn(), texts[1])
    with rich.Progress(*columns, console=console) as made:
        task = made.add_task("preparing", total=None, forecast=COMPILING)

        def show(progress: Progress, before: str = "") -> None:
            made.update(
                task,
                description=f"{before}t = {progress.time:.3f} of {progress.until:g} s",
                completed=progress.time,
                total=progress.until,
                forecast=forecast(progress),
            )

        yield show


def lines(write: Callable[[str], object]) -> Show:
    """Return a display that writes one line every few seconds."""
    last = time.monotonic()

    def show(progress: Progress, before: str = "") -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= REPORT_INTERVAL:
            last = now
            reached = f"{before}t = {progress.time:.3f} of {progress.until:g} s ({100.0 * progress.share:.0f} %)"
            write(f"{reached}, {forecast(progress)}")

    return show


@contextmanager
def own_display(wanted: bool | None) -> Iterator[Callable[[Progress], None] | None]:
    """Provide the default display of ``simulate`` in a notebook or on a terminal, and None elsewhere."""
    at_terminal = sys.stderr is not None and sys.stderr.isatty()  # None: a program with windows only
    if wanted is False or (wanted is None and not (in_notebook() or at_terminal)):
        yield None
    elif in_notebook():
        yield _in_a_cell()
    elif at_terminal:
        from rich.console import Console

        with bar(Console(stderr=True, markup=False, emoji=False, highlight=False)) as show:
            yield show
    else:
        yield lines(lambda text: print(text, file=sys.stderr, flush=True))  # noqa: T201 (asked for)


def in_notebook() -> bool:
    """Whether this code runs in a notebook, which can show rich output."""
    shell = _shell()
    return shell is not None and hasattr(shell, "kernel")


def _shell() -> Any:
    if "IPython" not in sys.modules:
        return None
    from IPython import get_ipython

    return get_ipython()


def _in_a_cell() -> Callable[[Progress], None]:
    """Return a display in one line below the cell, which is updated during the run."""
    from IPython.display import HTML, display

    def line(text: str, share: float) -> Any:
        return HTML(f'<progress max="1" value="{share:.4f}"></progress> {html.escape(text)}')

    handle, last = display(line(COMPILING, 0.0), display_id=True), 0.0

    def show(progress: Progress) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= REFRESH or progress.share >= 1.0:
            last = now
            handle.update(
                line(f"t = {progress.time:.3f} of {progress.until:g} s, {forecast(progress)}", progress.share)
            )

    return show

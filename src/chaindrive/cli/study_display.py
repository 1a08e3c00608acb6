"""Parts that sweeps and optimisations share on the command line: the request, progress, and interruption."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chaindrive.cli import console
from chaindrive.cli.endings import Stopped
from chaindrive.errors import ChaindriveError
from chaindrive.simulation.progress import REPORT_INTERVAL

if TYPE_CHECKING:
    from chaindrive.studies import OptimisationTable, StudyTable

__all__ = ["Request", "kept_in", "shown_as", "warn_of_runs"]


class Request(NamedTuple):
    """What the command line requests."""

    file: str
    output: Path | None
    workers: int | None
    cluster: str | None
    restart: bool
    changes: Sequence[str]
    picture: Path | None


@contextmanager
def kept_in(output: Path) -> Iterator[None]:
    """Turn an interruption of a study into Stopped; after an internal error, print how many runs its table contains."""
    try:
        yield
    except KeyboardInterrupt as interruption:
        raise Stopped(interruption) from None
    except ChaindriveError:
        raise
    except Exception:  # an internal error, which main.py reports
        _tell_kept(output)
        raise


def _tell_kept(output: Path) -> None:
    from chaindrive.studies.store import TABLE

    path = output / TABLE
    try:
        with path.open("rb") as file:
            kept = sum(1 for _ in file) - 1
    except OSError:
        return
    if kept > 0:
        runs = "1 run is" if kept == 1 else f"{kept} runs are"
        console.note(f"{runs} kept in {path.parent}. Run the same command again to continue with them.", "")


def warn_of_runs(table: StudyTable | OptimisationTable) -> None:
    """Print the warnings of a table."""
    for text in table.warnings:
        console.warn(text)


class _Lines:
    """Progress without a terminal: one line every few seconds."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, done: str, forecast: str) -> None:
        """Print the progress and the remaining time, if the last line is old enough."""
        now = time.monotonic()
        if now - self._last >= REPORT_INTERVAL:
            self._last = now
            console.note(f"{done}, {forecast}", "")


@contextmanager
def shown_as(before: str) -> Iterator[Callable[[str, str, int, int], None]]:
    """Show a progress bar on a terminal, and an occasional line elsewhere. Yield the function that updates them; it
    takes the progress and the forecast as text, the count and the total.

    before: text that is shown until the first call.
    """
    if not console.err().is_terminal:
        lines = _Lines()
        yield lambda done, forecast, _, __: lines(done, forecast)
        return
    from rich import progress as rich

    texts = [rich.TextColumn(f"{{task.{field}}}", markup=False) for field in ("description", "fields[forecast]")]
    columns = (rich.SpinnerColumn(), texts[0], rich.BarColumn(), rich.TaskProgressColumn(), texts[1])
    with rich.Progress(*columns, console=console.err()) as bar:
        task = bar.add_task("preparing", total=None, forecast=before)
        yield lambda done, forecast, count, total: bar.update(
            task, description=done, completed=count, total=total, forecast=forecast
        )

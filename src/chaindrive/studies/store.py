"""A study on disk: one folder with the end states of runs and with a table, to which every run adds a line when it
ends.

    study.json    identity of the study (fingerprint), so that a changed one is not mixed with it
    table.csv     one line per run, in the order of completion; sorted at the end
    states/       end states from which runs still have to begin; removed when the study is complete
    spectra/      spectra of every run, 000000.nc and so on, if the study keeps them
    reports/      reports, 0.html and so on, if the study keeps them

A line is written by one call and flushed to disk after all other data of its run, so a killed study can be continued
with the existing rows.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from chaindrive.analyses.results.speed_map import Column
from chaindrive.contract.end_state import EndState
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.results.attributes import decode
from chaindrive.results.checkpoint import Fingerprint, fingerprint
from chaindrive.results.end_states import load_end_state, save_end_state
from chaindrive.results.lowlevel import full_disk, open_flags, replacing
from chaindrive.studies.plan import Plan
from chaindrive.studies.spectra import load_spectra, save_spectra
from chaindrive.studies.table import Row, columns_of, line
from chaindrive.studies.table import cells as cells_of_run

__all__ = [
    "BEST",
    "MAP",
    "MAP_PICTURE",
    "PICTURE",
    "REPORTS",
    "TABLE",
    "Kept",
    "Memory",
    "Store",
    "identity_of",
    "kept_runs",
    "open_store",
]

IDENTITY, TABLE, PICTURE, STATES = "study.json", "table.csv", "picture.png", "states"
BEST = "best.toml"
"""File with the drive for the best values of an optimisation."""
SPECTRA, REPORTS = "spectra", "reports"
MAP, MAP_PICTURE = "campbell.html", "campbell.png"
"""Files with the map over speed and frequency, for a study that keeps spectra."""
OWN = (IDENTITY, TABLE, PICTURE, STATES, BEST, SPECTRA, REPORTS, MAP, MAP_PICTURE)
OF_RUNS = {SPECTRA: re.compile(r"\d{6}\.nc"), REPORTS: re.compile(r"\d+\.html"), STATES: re.compile(r"\d{6}\.npz")}
"""Folders that contain one file for each run."""
PART = re.compile(rf"\.({'|'.join(re.escape(name) for name in OWN)}|\d{{6}}\.npz|\d{{6}}\.nc|\d+\.html)\.\d+\.part")
"""Pattern of files that a killed session may have left."""
FIRST_CELLS = b"run,curve,", b"evaluation,"
FORMAT = 2


class _Numbered(Protocol):
    @property
    def run(self) -> int:
        """Number of the row in the table."""


class _Table(Protocol):
    @property
    def complete(self) -> bool:
        """Whether no row is missing."""

    def to_csv(self, path: Path) -> None:
        """Write the table."""


AnyRow = TypeVar("AnyRow", bound=_Numbered)


class Kept(NamedTuple, Generic[AnyRow]):
    """Description of the content of a folder: the identity of its study, and the conversion between rows and lines of a
    file.
    """

    name: str
    runs: int
    """Largest number of rows."""
    identity: Fingerprint
    heading: str
    free: tuple[int, ...]
    """Columns whose unit may differ from that in an earlier session, because they are computed from other columns."""
    cells: Callable[[AnyRow], Sequence[Any]]
    """Function that returns the cells of a row."""
    read: Callable[[list[str]], AnyRow]
    """Function that returns the row with these cells; it raises ValueError or IndexError if they are invalid."""


def kept_runs(plan: Plan, drive_text: str, units: Sequence[str]) -> Kept[Row]:
    """Return the description of the folder for a plan of runs."""
    heading = line(column.heading for column in columns_of(plan.study, units))
    name, identity = plan.study.name, identity_of(plan, drive_text)
    return Kept(name, len(plan.runs), identity, heading, (), cells_of_run, lambda cells: _row(cells, plan))


def identity_of(plan: Plan, drive_text: str) -> Fingerprint:
    """Return the identity of a study: its drive, its file without descriptive texts and operating point, and the
    version of chaindrive.
    """
    words = {"name", "source", "notes", "drive", "operating"}
    return fingerprint(drive_text, plan.study.model_dump(exclude=words))


class Memory(Generic[AnyRow]):
    """The rows and states of a study that is not stored on disk."""

    def __init__(self) -> None:
        self.rows: dict[int, AnyRow] = {}
        self._states: dict[int, EndState] = {}
        self._spectra: dict[int, tuple[Column, ...]] = {}

    def add(self, row: AnyRow, end: EndState | None, spectra: tuple[Column, ...] = (), report: bytes = b"") -> None:
        """Keep the outcome of a run; the report is dropped here, and kept only by a study in a folder."""
        if end is not None:
            self._states[row.run] = end
        self._spectra[row.run] = spectra
        self.rows[row.run] = row

    def spectra(self, run: int) -> tuple[Column, ...]:
        """Return the spectra of a stored run."""
        return self._spectra[run]

    def state(self, run: int) -> EndState:
        """Return the end state of a stored run."""
        return self._states[run]

    def forget(self, run: int) -> None:
        """Discard a state from which no other run will begin."""
        self._states.pop(run, None)

    def finish(self, table: _Table) -> None:
        """Do nothing: no files need to be sorted or removed."""


class Store(Memory[AnyRow]):
    """The rows, end states, spectra and reports of a study, stored in a folder."""

    def __init__(self, folder: Path, kept: Kept[AnyRow], rows: Mapping[int, AnyRow]) -> None:
        super().__init__()
        self.folder, self._cells = folder, kept.cells
        self.rows.update(rows)

    def add(self, row: AnyRow, end: EndState | None, spectra: tuple[Column, ...] = (), report: bytes = b"") -> None:
        """Store the outcome of a run, and finally the line that records it."""
        if end is not None:
            save_end_state(self._state_path(row.run), end)
        if spectra:
            save_spectra(self._made(SPECTRA) / f"{row.run:06d}.nc", spectra)
        if report:
            with replacing(self._made(REPORTS) / f"{row.run}.html") as part:
                part.write_bytes(report)
        _append(self.folder / TABLE, line(self._cells(row)))
        self.rows[row.run] = row

    def _made(self, name: str) -> Path:
        """Return a folder of the study; it is created if it does not exist."""
        (self.folder / name).mkdir(exist_ok=True)
        return self.folder / name

    def spectra(self, run: int) -> tuple[Column, ...]:
        """Return the spectra of a stored run. Raises InputError if their file is missing."""
        return load_spectra(self.folder / SPECTRA / f"{run:06d}.nc")

    def state(self, run: int) -> EndState:
        """Return the end state of a stored run. Raises InputError if its file is missing."""
        return load_end_state(self._state_path(run))

    def forget(self, run: int) -> None:
        """Remove a state from which no other run will begin."""
        with contextlib.suppress(OSError):
            self._state_path(run).unlink()

    def finish(self, table: _Table) -> None:
        """Sort a complete table, and remove the data that were needed to continue.

        An incomplete table is not changed, because its file may contain a line that did not reach the table in memory
        before the interruption.
        """
        if table.complete:
            table.to_csv(self.folder / TABLE)
            with contextlib.suppress(OSError):  # states of an earlier session may be left, when it was killed
                for path in (self.folder / STATES).glob("*.npz"):
                    path.unlink()
                (self.folder / STATES).rmdir()

    def _state_path(self, run: int) -> Path:
        return self.folder / STATES / f"{run:06d}.npz"


@contextlib.contextmanager
def open_store(output: Path | None, kept: Kept[AnyRow], restart: bool) -> Iterator[Memory[AnyRow]]:
    """Open the store of a study, either new or with the rows of an earlier session; it is locked while it is open.

    Raises InputError if the folder does not belong to this study (unless ``restart``), ComputationError if the disk is
    full.
    """
    if output is None:
        yield Memory()
        return
    _check_folder(output)
    try:
        (output / STATES).mkdir(parents=True, exist_ok=True)
        with _locked(output):
            _remove_parts(output)
            begun = (output / IDENTITY).is_file()
            if begun and not restart:
                _check_identity(output, kept.identity)
                rows = _stored_rows(output / TABLE, kept)
            else:
                rows = {}
                _begin(output, kept)
            yield Store(output, kept, rows)
    except PermissionError as error:
        raise InputError(Problem(str(output), f"no permission to write there ({error.strerror})")) from None
    except OSError as error:
        raise full_disk(error, output, "the runs that finished earlier are stored.") from None


def _check_folder(output: Path) -> None:
    """Raise InputError for a folder with other content, so that no file of the user is overwritten or mixed with those
    of the study.
    """
    try:
        if output.exists() and not output.is_dir():
            raise InputError(Problem(str(output), "is a file; give the name of a folder"))
        there = {path.name for path in output.iterdir()} if output.is_dir() else set()
    except OSError as error:
        raise InputError(Problem(str(output), f"cannot be used: {error.strerror or error}")) from None
    # table.csv and picture.png without study.json: a session was killed while it began. It makes the folder of states
    # first, and a study that is complete has none.
    ours = STATES in there and all(name in OWN or PART.fullmatch(name) for name in there)
    if there and IDENTITY not in there and not (ours and _is_table(output / TABLE)):
        message = "contains other files and no study; give a new or empty folder"
        raise InputError(Problem(str(output), message))


def _is_table(path: Path) -> bool:
    """Return whether this file is the table of a study or does not exist."""
    try:
        with path.open("rb") as file:
            return file.read(max(map(len, FIRST_CELLS))).startswith(FIRST_CELLS)
    except FileNotFoundError:
        return True


def _remove_parts(output: Path) -> None:
    """Remove files that a killed session was writing; this is safe because the folder is locked."""
    with contextlib.suppress(OSError):
        folders = [output / name for name in OF_RUNS]
        for path in [*output.iterdir(), *(path for folder in folders if folder.is_dir() for path in folder.iterdir())]:
            if PART.fullmatch(path.name):
                path.unlink(missing_ok=True)


def _begin(output: Path, kept: Kept[AnyRow]) -> None:
    """Initialise the folder of a new study; the table is written first, so that study.json is never found beside an
    older table.
    """
    (output / IDENTITY).unlink(missing_ok=True)
    for name in (PICTURE, BEST, MAP, MAP_PICTURE):
        (output / name).unlink(missing_ok=True)
    for name, ours in OF_RUNS.items():
        for path in list((output / name).iterdir()) if (output / name).is_dir() else []:
            if ours.fullmatch(path.name):
                path.unlink()
    with replacing(output / TABLE) as part:
        part.write_text(kept.heading, encoding="utf-8", newline="")
    content = {"format": FORMAT, "name": kept.name, "runs": kept.runs, "identity": kept.identity._asdict()}
    with replacing(output / IDENTITY) as part:
        part.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")


def _check_identity(output: Path, identity: Fingerprint) -> None:
    place = str(output / IDENTITY)
    begin = "--restart runs the study again; a different output folder keeps this one"
    try:
        content: dict[str, Any] = decode((output / IDENTITY).read_text(encoding="utf-8"))
        found, readable = Fingerprint(**content["identity"]), content["format"] == FORMAT
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(Problem(place, f"cannot be read ({error}); {begin}")) from None
    problems = []
    if not readable:
        problems.append(Problem(place, f"was written by another version of chaindrive; {begin}"))
    if found.drive != identity.drive:
        problems.append(Problem(place, f"the drive has changed since these runs were computed; {begin}"))
    if found.options != identity.options:
        problems.append(Problem(place, f"the study has changed since these runs were computed; {begin}"))
    if other := found.other_source(identity):
        problems.append(Problem(place, f"these runs were computed by {other}; {begin}"))
    if problems:
        raise InputError(problems)


def _stored_rows(path: Path, kept: Kept[AnyRow]) -> dict[int, AnyRow]:
    """Return the rows of a table; an incomplete line left by a crash is removed.

    Raises InputError if the table does not belong to this study.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        content = b""
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        os.truncate(path, len(whole))
    problem = Problem(str(path), "is no longer the table of this study; --restart runs the study again")
    try:
        lines = list(csv.reader(io.StringIO(whole.decode("utf-8"), newline="")))
        wanted = next(csv.reader([kept.heading]))
        if not lines or _fixed(lines[0], kept.free) != _fixed(wanted, kept.free):
            raise InputError(problem)
        rows = [kept.read(cells) for cells in lines[1:]]
    except (ValueError, IndexError, csv.Error):
        raise InputError(problem) from None
    return {row.run: row for row in rows}


def _fixed(headings: list[str], free: tuple[int, ...]) -> list[str]:
    return [heading for i, heading in enumerate(headings) if i not in free]


def _row(cells: list[str], plan: Plan) -> Row:
    """Return a line of the file as a row. Raises ValueError or IndexError if the line is invalid."""
    run = plan.runs[int(cells[0])]
    first = 2 + len(run.values)
    last = first + len(plan.study.figures_of_merit)
    if len(cells) != last + 6 or cells[1] != run.curve:
        raise ValueError("not a row of this study")
    figures = tuple(float(cell) if cell else float("nan") for cell in cells[first:last])
    status, remark = cells[last], cells[last + 2]
    cpu, wall, steps = float(cells[last + 3]), float(cells[last + 4]), int(cells[last + 5])
    return Row(run.number, run.curve, run.values, figures, status, remark, cpu, wall, steps)


def _append(path: Path, text: str) -> None:
    """Append a line to a file by one call, and flush it to disk. Raises ComputationError if the disk is full."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | open_flags())
        try:
            data = text.encode()
            if os.write(file, data) != len(data):
                raise ComputationError(f"the disk is full: {path} cannot grow", "free some space and run again.")
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        raise full_disk(error, path, "the runs that finished earlier are stored.") from None


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Prevent another process from computing a study in the same folder; the lock is released when this process ends,
    however it ends.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            message = "another process is running a study in this folder; wait for it, or give another folder"
            raise InputError(Problem(str(folder), message)) from None
        yield
    finally:
        os.close(file)

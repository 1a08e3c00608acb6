"""A session of the editor: the document, its drawing, and the tasks that check and run it."""

from __future__ import annotations

import threading
import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from chaindrive.editor.beneath import keep_drawing
from chaindrive.editor.changes import Change, applied, change_of, with_units
from chaindrive.editor.document import Document
from chaindrive.editor.picture import placed_picture
from chaindrive.editor.sketch import sketch
from chaindrive.editor.sweep import study_text
from chaindrive.editor.tasks import problem_entry, read
from chaindrive.editor.worker import Order, Worker
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.mechanism.stages import chains_alone
from chaindrive.model import Drive
from chaindrive.model.files.drawing import looking_in
from chaindrive.model.files.text import tables
from chaindrive.model.problems import shown
from chaindrive.templates import TEMPLATES

__all__ = ["Session", "StaleError"]

LOOK = 1.0
"""Interval at which the file is checked while a page waits. [s]"""
PATIENCE = 20.0
"""Longest time that a page waits for a change. [s]"""
LONGEST_LABEL = 100
MOST_CHANGES = 2000


class StaleError(InputError):
    """A request of a page that does not have the present revision."""


class Session:
    """One file that is edited in pages. Thread-safe. Raises InputError as ``Document``."""

    def __init__(self, path: Path) -> None:
        self._folder = path.parent
        self._lock = threading.RLock()
        self._news = threading.Condition(self._lock)
        self._stamp = 1
        self._document = Document(path)
        self._shown: tuple[int, dict[str, Any]] = (-1, {})
        self._parsed: tuple[str, Mapping[str, Any]] = ("", {})
        self._ran_short = -1
        self._workers = {name: Worker(name, self._tell) for name in ("check", "short", "run", "sweep")}
        self._files: dict[str, Path] = {}
        self._ordered = -1
        self._order_check()

    @property
    def document(self) -> Document:
        """The file."""
        return self._document

    def close(self) -> None:
        """End the tasks."""
        for worker in self._workers.values():
            worker.close()
        with self._lock:
            self._document.close()

    def state(self, stamp: int, revision: int) -> dict[str, Any]:
        """The part of the state that a page does not have yet; waits for a change if it has everything.

        stamp, revision: those of the last answer, or 0 and -1.
        """
        end = time.monotonic() + PATIENCE
        with self._lock:
            while True:
                self._look()
                if stamp != self._stamp or revision != self._document.revision or time.monotonic() >= end:
                    return self._answer(revision)
                self._news.wait(min(LOOK, max(0.0, end - time.monotonic())))

    def edit(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Make changes requested by a page with the present revision. Raises InputError if they are not possible."""
        with self._lock:
            self._check_revision(given)
            label = given.get("label", "edit")
            if not isinstance(label, str) or len(label) > LONGEST_LABEL or not label.isprintable():
                raise InputError(Problem("label", f"must be a text of at most {LONGEST_LABEL} characters"))
            changes = self._changes(given)
            self._document.change(changes, label, bool(given.get("merge")))
            return self._changed()

    def geometry(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The sketch as it would be after changes, which are not made."""
        with self._lock:
            self._check_revision(given)
            fields = applied(self._fields(), self._changes(given))
        drive, _ = self._drive(fields)
        return {"sketch": sketch(fields, drive)}

    def undo(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Undo the last step."""
        with self._lock:
            self._document.undo()
            return self._changed()

    def redo(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Redo the step that was undone last."""
        with self._lock:
            self._document.redo()
            return self._changed()

    def save(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Write the file; over: even if it was changed outside."""
        with self._lock:
            self._document.save(given.get("over") is True)
            return self._changed()

    def keep_drawing(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Write a DXF or SVG beside the drive (``beneath.keep_drawing``)."""
        keep_drawing(self._folder, given)
        return {}

    def take_file(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Load the text of a file that was changed outside."""
        with self._lock:
            self._document.take_file()
            return self._changed()

    def begin(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Begin with the drive of a template, made from the answers to its questions."""
        kind, answers = given.get("kind"), given.get("answers", {})
        if not isinstance(kind, str) or kind not in TEMPLATES:
            raise InputError(Problem("kind", f"must be one of {', '.join(TEMPLATES)}", shown(kind)))
        if not isinstance(answers, dict):
            raise InputError(Problem("answers", "must be a table", shown(answers)))
        text = TEMPLATES[kind].made(answers).text
        with self._lock:
            self._document.replace(text, f"begin with {kind}")
            return self._changed()

    def run(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Start the run that the file describes, with results under an unused name. Raises InputError if there is no
        drive.
        """
        with self._lock:
            text = self._text_to_compute("run")
            stem = self._free_stem(self._document.path.stem, ".nc", ".html")
            self._files["report.html"] = self._folder / f"{stem}.html"
            options = {"output": f"{stem}.nc", "report": f"{stem}.html"}
            self._workers["run"].give(Order("run", text, self._folder, self._document.revision, options))
            self._tell()
            return self._answer(self._document.revision)

    def sweep(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Start a study of the drive (``sweep.study_text``), whose file and folder beside it are given unused names.

        Raises InputError if there is no drive or the request is not a study.
        """
        with self._lock:
            text = self._text_to_compute("sweep")
            study = study_text(self._document.path.name, given)
            stem = self._free_stem(f"{self._document.path.stem}-sweep", ".toml", "-study")
            try:
                (self._folder / f"{stem}.toml").write_text(study, encoding="utf-8")
            except OSError as error:
                message = f"{stem}.toml cannot be written ({error.strerror or error})"
                raise ComputationError(message, "free some space, or check the permissions.") from None
            output = f"{stem}-study"
            self._files["sweep.png"] = self._folder / output / "picture.png"
            options = {"study": study, "output": output}
            self._workers["sweep"].give(Order("sweep", text, self._folder, self._document.revision, options))
            self._tell()
            return self._answer(self._document.revision)

    def stop(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Stop the run or the named task; it keeps the results so far."""
        name = given.get("task", "run")
        if name not in ("run", "sweep"):
            raise InputError(Problem("task", "must be run or sweep", shown(name)))
        self._workers[name].stop()
        return {}

    def file(self, name: str) -> bytes | None:
        """The report of the last run, or the picture of the last sweep; None if there is none."""
        path = self._files.get(name)
        return path.read_bytes() if path is not None and path.is_file() else None

    def _text_to_compute(self, task: str) -> str:
        """The text of the drive. Raises InputError if there is no drive, or if this task is already running."""
        if self._workers[task].state["state"] in ("waiting", "running"):
            raise InputError(Problem(task, "is already running; stop it first"))
        read(self._document.text, self._folder)
        return self._document.text

    def _free_stem(self, stem: str, *suffixes: str) -> str:
        """An unused name: no file has it with any of the suffixes."""
        number = 1
        while True:
            name = stem if number == 1 else f"{stem}-{number}"
            if not any((self._folder / f"{name}{suffix}").exists() for suffix in suffixes):
                return name
            number += 1

    def _check_revision(self, given: Mapping[str, Any]) -> None:
        if given.get("revision") != self._document.revision:
            raise StaleError(Problem("revision", "is not that of the file, which was changed in the meantime"))

    def _changes(self, given: Mapping[str, Any]) -> list[Change]:
        """The changes of a request; points are given in m and written in the units of the file."""
        wanted = given.get("changes")
        if not isinstance(wanted, list) or not 1 <= len(wanted) <= MOST_CHANGES:
            raise InputError(Problem("changes", f"must be a list of 1 to {MOST_CHANGES} changes"))
        fields, changes = self._fields(), []
        for each in wanted:
            change = change_of(each)
            if each.get("metres") is True:
                point = change.value
                if not (isinstance(point, list) and len(point) == 2 and all(type(x) in (int, float) for x in point)):
                    raise InputError(Problem("value", "must be a point of two numbers [m]", shown(point)))
                change = with_units(fields, change)
            changes.append(change)
        return changes

    def _fields(self) -> Mapping[str, Any]:
        """The content of the file, empty if it is not TOML; it is parsed once for each text, not for each position of a
        drag.
        """
        text = self._document.text
        if self._parsed[0] != text:
            try:
                self._parsed = text, tomllib.loads(text)
            except (tomllib.TOMLDecodeError, RecursionError):
                self._parsed = text, {}
        return self._parsed[1]

    def _drive(self, fields: Mapping[str, Any]) -> tuple[Drive | None, Sequence[Problem]]:
        try:
            with looking_in(self._folder):
                return Drive.from_dict(fields), ()
        except InputError as error:
            return None, error.problems

    def _look(self) -> None:
        before = self._document.revision, self._document.changed_outside
        self._document.look()
        if before != (self._document.revision, self._document.changed_outside):
            self._changed()

    def _changed(self) -> dict[str, Any]:
        self._order_check()
        self._tell()
        return self._answer(-1)

    def _tell(self) -> None:
        """Wake the waiting pages, and begin the short run once the check has passed."""
        with self._lock:
            self._stamp += 1
            checked = self._workers["check"].state
            revision = self._document.revision
            if checked["state"] == "done" and checked["revision"] == revision != self._ran_short:
                self._ran_short = revision
                if not checked["result"]["problems"]:
                    self._workers["short"].give(Order("short", self._document.text, self._folder, revision, {}))
            self._news.notify_all()

    def _order_check(self) -> None:
        document = self._document
        if document.text.strip() and document.revision != self._ordered:
            self._ordered = document.revision
            self._workers["check"].give(Order("check", document.text, self._folder, document.revision, {}))

    def _answer(self, revision: int) -> dict[str, Any]:
        document = self._document
        found: dict[str, Any] = {
            "stamp": self._stamp,
            "revision": document.revision,
            "name": document.path.name,
            "unsaved": document.unsaved,
            "undo": document.undoes,
            "redo": document.redoes,
            "changed_outside": document.changed_outside,
            "restored": document.restored,
            "tasks": {name: worker.state for name, worker in self._workers.items()},
        }
        if revision != document.revision:
            found["document"] = self._showing()
        return found

    def _showing(self) -> dict[str, Any]:
        """Text, content, problems and drawing of the present revision."""
        revision, shown_then = self._shown
        if revision == self._document.revision:
            return shown_then
        text, problems = self._document.text, []
        try:
            fields = tables(text)
        except InputError as error:
            fields, problems = {}, [problem_entry(each) for each in error.problems]
        drive: Drive | None = None
        if fields:
            drive, wrong = self._drive(fields)
            problems += [problem_entry(each) for each in wrong]
        pictures, why = [], []
        try:
            pictures = [placed_picture(chain) for chain in chains_alone(drive)] if drive else []
        except InputError as error:
            why = [problem_entry(each) for each in error.problems]
        found = {
            "text": text,
            "fields": fields,
            "problems": problems + why,
            "sketch": sketch(fields, drive),
            "pictures": pictures,
        }
        self._shown = (self._document.revision, found)
        return found

"""A session of the editor: the document, its drawing, and the tasks that check and run the drive."""

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
"""Interval at which the file is checked for changes by other programs while a page waits. [s]"""
PATIENCE = 20.0
"""Longest time for which a request of a page waits for a change. [s]"""
LONGEST_LABEL = 100
MOST_CHANGES = 2000


class StaleError(InputError):
    """A request from a page that does not show the latest revision."""


class Session:
    """A file that is edited in one or more pages. Thread-safe. Raises InputError as ``Document`` does."""

    def __init__(self, path: Path) -> None:
        self._folder = path.parent
        self._lock = threading.RLock()
        self._news = threading.Condition(self._lock)
        self._stamp = 1
        self._document = Document(path)
        self._shown: tuple[int, dict[str, Any]] = (-1, {})
        self._parsed: tuple[str, Mapping[str, Any]] = ("", {})
        self._ran_short = -1
        self._workers = {name: Worker(name, self._notify) for name in ("check", "short", "run", "sweep")}
        self._files: dict[str, Path] = {}
        self._ordered = -1
        self._order_check()

    @property
    def document(self) -> Document:
        """The edited file."""
        return self._document

    def close(self) -> None:
        """End all tasks and close the document."""
        for worker in self._workers.values():
            worker.close()
        with self._lock:
            self._document.close()

    def state(self, stamp: int, revision: int) -> dict[str, Any]:
        """Return the part of the state that a page does not have yet; if it has everything, wait for a change.

        stamp, revision: values in the last answer to the page, or 0 and -1 for the first request.
        """
        end = time.monotonic() + PATIENCE
        with self._lock:
            while True:
                self._look()
                if stamp != self._stamp or revision != self._document.revision or time.monotonic() >= end:
                    return self._answer(revision)
                self._news.wait(min(LOOK, max(0.0, end - time.monotonic())))

    def edit(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Make the changes requested by a page that shows the latest revision. Raises InputError if they are not
        possible.
        """
        with self._lock:
            self._check_revision(given)
            label = given.get("label", "edit")
            if not isinstance(label, str) or len(label) > LONGEST_LABEL or not label.isprintable():
                raise InputError(Problem("label", f"must be a string of at most {LONGEST_LABEL} printable characters"))
            changes = self._changes(given)
            self._document.change(changes, label, bool(given.get("merge")))
            return self._changed()

    def geometry(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the sketch as it would look after certain changes, without making them."""
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
        """Write the file.

        ``over`` in the request: write it even if another program has changed it.
        """
        with self._lock:
            self._document.save(given.get("over") is True)
            return self._changed()

    def keep_drawing(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Save a DXF or SVG file in the folder of the drive (``beneath.keep_drawing``)."""
        keep_drawing(self._folder, given)
        return {}

    def take_file(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Load the text of the file, which another program has changed."""
        with self._lock:
            self._document.take_file()
            return self._changed()

    def begin(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Begin with the drive that a template makes from the answers to its questions."""
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
        """Start the run described in the file; its results are stored under an unused name.

        Raises InputError if there is no drive.
        """
        with self._lock:
            text = self._text_to_compute("run")
            stem = self._free_stem(self._document.path.stem, ".nc", ".html")
            self._files["report.html"] = self._folder / f"{stem}.html"
            options = {"output": f"{stem}.nc", "report": f"{stem}.html"}
            self._workers["run"].give(Order("run", text, self._folder, self._document.revision, options))
            self._notify()
            return self._answer(self._document.revision)

    def sweep(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Start a study of the drive (``sweep.study_text``).

        The file and folder of the study are created beside the drive under unused names. Raises InputError if there is
        no drive or the request is not a study.
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
            self._notify()
            return self._answer(self._document.revision)

    def stop(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Stop the task named in the request, by default the run; its results so far are kept."""
        name = given.get("task", "run")
        if name not in ("run", "sweep"):
            raise InputError(Problem("task", "must be run or sweep", shown(name)))
        self._workers[name].stop()
        return {}

    def file(self, name: str) -> bytes | None:
        """Return the report of the last run or the picture of the last sweep; None if it does not exist."""
        path = self._files.get(name)
        return path.read_bytes() if path is not None and path.is_file() else None

    def _text_to_compute(self, task: str) -> str:
        """Return the text of the drive.

        Raises InputError if there is no drive, or if this task is already running.
        """
        if self._workers[task].state["state"] in ("waiting", "running"):
            raise InputError(Problem(task, "is already running; stop it first"))
        read(self._document.text, self._folder)
        return self._document.text

    def _free_stem(self, stem: str, *suffixes: str) -> str:
        """Return an unused name: no file has this name with any of the suffixes."""
        number = 1
        while True:
            name = stem if number == 1 else f"{stem}-{number}"
            if not any((self._folder / f"{name}{suffix}").exists() for suffix in suffixes):
                return name
            number += 1

    def _check_revision(self, given: Mapping[str, Any]) -> None:
        if given.get("revision") != self._document.revision:
            raise StaleError(Problem("revision", "is out of date, because the file has been changed in the meantime"))

    def _changes(self, given: Mapping[str, Any]) -> list[Change]:
        """Return the changes in a request. Points marked as ``metres`` are converted to the units of the file."""
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
        """Return the content of the file, empty if it is not TOML.

        The text is parsed only once, not again for every position of a part that is being dragged.
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
        self._notify()
        return self._answer(-1)

    def _notify(self) -> None:
        """Wake the waiting pages, and start the short run once the drive has passed the check."""
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
        """Return text, content, problems and drawing of the present revision."""
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

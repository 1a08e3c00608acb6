"""The file of a drive while it is edited: changes with undo and redo, a journal of unsaved changes, and safe saving."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from chaindrive.editor.changes import Change, changed
from chaindrive.errors import ComputationError, InputError, Problem
from chaindrive.model.files.text import read_text
from chaindrive.results.lock import locked
from chaindrive.results.lowlevel import replacing

__all__ = ["Document", "Step", "journal_path", "locked_for_editing"]

MOST_STEPS = 500
"""Largest number of steps that can be undone."""
LARGEST_JOURNAL = 20_000_000
"""Size in bytes above which the journal is started anew with only the present text."""
BOM = "\ufeff"


class Step(NamedTuple):
    """A text that undo or redo restores."""

    text: str
    label: str
    """Description of the step, such as "move intake camshaft"."""


def journal_path(path: Path) -> Path:
    """Return the path of the journal of unsaved changes, which lies beside the file."""
    return path.with_name(f"{path.name}.unsaved")


def locked_for_editing(path: Path) -> contextlib.AbstractContextManager[None]:
    """Return a context that prevents other editors from opening a file. Raises InputError if one already
    has it open.
    """
    return locked(path, "is open in another editor; close that editor first")


class Document:
    """The edited file at ``path``, which need not exist yet.

    Every change is immediately written into a journal beside the file, and so survives the end of the program; saving
    removes the journal. Undo restores earlier texts byte for byte.

    Raises InputError for a file that is not text (``model.files.text.read_text``) and for a journal in another format.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.revision = 0
        """Counter that increases with every change of the text."""
        self.changed_outside = False
        """Whether another program has changed the file since it was read or saved, while there are unsaved changes
        here."""
        self.restored = 0
        """Number of unsaved changes found in the journal when the document was opened."""
        self._before: list[Step] = []
        self._after: list[Step] = []
        self._read()
        self._take_journal()

    def _read(self) -> None:
        """Read the text from the file."""
        content = b""
        if self.path.exists():
            read_text(str(self.path))  # refuses a file that is not text
            content = self.path.read_bytes()
        self._saved = content
        text = content.decode("utf-8")
        self._bom = text.startswith(BOM)
        self._crlf = "\r\n" in text and "\n" not in text.replace("\r\n", "")
        self.text = self._of_file(text)

    def _of_file(self, text: str) -> str:
        text = text.removeprefix(BOM)
        return text.replace("\r\n", "\n") if self._crlf else text

    @property
    def content(self) -> bytes:
        """Return the text as the bytes of a file, with the line endings and the byte order mark of the file that was
        read.
        """
        text = self.text.replace("\n", "\r\n") if self._crlf else self.text
        return ((BOM if self._bom else "") + text).encode("utf-8")

    @property
    def unsaved(self) -> bool:
        """Whether the text differs from the file as last read or saved."""
        return self.content != self._saved

    @property
    def undoes(self) -> str | None:
        """Description of the step that ``undo`` reverts; None if there is none."""
        return self._before[-1].label if self._before else None

    @property
    def redoes(self) -> str | None:
        """Step that ``redo`` repeats; None if there is none."""
        return self._after[-1].label if self._after else None

    def change(self, changes: Sequence[Change], label: str, merge: bool = False) -> None:
        """Change the text (``changes.changed``).

        merge: combine the change with the previous step if both have the same label, for example when a part is moved
        by several keystrokes. Raises InputError for changes that are not possible.
        """
        self.replace(changed(self.text, changes), label, merge)

    def replace(self, text: str, label: str, merge: bool = False) -> None:
        """Replace the whole text, as a step that can be undone."""
        if text != self.text:
            self._note({"text": text, "label": label, "merge": merge})
            self._step(text, label, merge)

    def _step(self, text: str, label: str, merge: bool) -> None:
        if not (merge and self.undoes == label and not self._after):
            self._before.append(Step(self.text, label))
            del self._before[:-MOST_STEPS]
        self._after.clear()
        self._set(text)

    def undo(self) -> None:
        """Undo the last step, if there is one."""
        if self._before:
            self._note({"undo": True})
            self._go(self._before, self._after)

    def redo(self) -> None:
        """Redo the step that was undone last, if there is one."""
        if self._after:
            self._note({"redo": True})
            self._go(self._after, self._before)

    def _go(self, source: list[Step], target: list[Step]) -> None:
        text, label = source.pop()
        target.append(Step(self.text, label))
        self._set(text)

    def _set(self, text: str) -> None:
        self.text = text
        self.revision += 1

    def look(self) -> None:
        """Check whether another program has changed the file.

        If it has, and there are no unsaved changes, the text of the file is loaded as a step.
        """
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            content = b""
        except OSError:
            return
        if content == self._saved or (not content and self._saved):  # a file removed or being written: keep the text
            self.changed_outside = self.changed_outside and content != self._saved
            return
        if content == self.content:  # the other program made the same changes
            self._saved, self.changed_outside = content, False
        elif self.unsaved:
            self.changed_outside = True
        else:
            try:
                self.take_file()
            except InputError:  # no longer a text: the user decides
                self.changed_outside = True

    def take_file(self) -> None:
        """Load the text of the file, as a step that can be undone, even if there are unsaved changes. Raises
        InputError if the file is not text.
        """
        mine = self.text
        self._read()
        theirs, self.text = self.text, mine
        self.changed_outside = False
        self._begin_journal()
        self.replace(theirs, "load the file")

    def save(self, over: bool = False) -> None:
        """Write the file, either completely or not at all.

        over: write it even if another program has changed it; without ``over``, InputError is raised in this case.
        Raises ComputationError if the file cannot be written.
        """
        self.look()
        if self.changed_outside and not over:
            raise InputError(Problem(self.path.name, "was changed by another program; load the file, or overwrite it"))
        content = self.content
        try:
            with replacing(self.path) as part:
                part.write_bytes(content)
                if self.path.exists():
                    part.chmod(self.path.stat().st_mode)
        except OSError as error:
            advice = (
                f"free some space, or check the permissions; the changes are kept in {journal_path(self.path).name}"
            )
            raise ComputationError(f"{self.path} cannot be written ({error.strerror or error})", advice) from None
        self._saved, self.changed_outside = content, False
        journal_path(self.path).unlink(missing_ok=True)

    def close(self) -> None:
        """Remove the journal if there are no unsaved changes."""
        if not self.unsaved:
            journal_path(self.path).unlink(missing_ok=True)

    def _note(self, entry: dict[str, Any]) -> None:
        """Append an entry to the journal. Raises ComputationError if it cannot be written."""
        journal = journal_path(self.path)
        try:
            if not journal.exists() or journal.stat().st_size > LARGEST_JOURNAL:
                self._begin_journal()
            with journal.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")
        except OSError as error:
            message = f"{journal} cannot be written ({error.strerror or error}); the change was not made"
            raise ComputationError(
                message, "free some space, check the permissions, or edit a copy elsewhere."
            ) from None

    def _begin_journal(self) -> None:
        head: dict[str, Any] = {"base": _digest(self._saved), "crlf": self._crlf, "bom": self._bom}
        lines = [head] if not self.unsaved else [head, {"text": self.text, "label": "earlier changes"}]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        journal_path(self.path).write_text(text, encoding="utf-8")

    def _take_journal(self) -> None:
        """Restore the unsaved changes of an editor that ended without saving."""
        journal = journal_path(self.path)
        if not journal.exists():
            return
        head, entries = _entries(journal)
        for entry in entries:
            if "text" in entry:
                self._step(entry["text"], entry["label"], entry.get("merge", False))
            elif "undo" in entry and self._before:
                self._go(self._before, self._after)
            elif "redo" in entry and self._after:
                self._go(self._after, self._before)
        if not self._saved:
            self._crlf, self._bom = bool(head.get("crlf")), bool(head.get("bom"))
        self.restored = len(entries)
        self.changed_outside = self.unsaved and head["base"] != _digest(self._saved)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _entries(journal: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the header and the entries of a journal, whose last line may be incomplete.

    Raises InputError if it is not a journal.
    """
    found = []
    with contextlib.suppress(ValueError):
        for line in journal.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            whole = isinstance(entry, dict) and isinstance(entry.get("text", ""), str)
            if not whole or ("text" in entry and not isinstance(entry.get("label"), str)):
                break
            found.append(entry)
    if not found or not isinstance(found[0].get("base"), str):
        raise InputError(Problem(str(journal), "is not a journal of unsaved changes; move it elsewhere"))
    return found[0], found[1:]

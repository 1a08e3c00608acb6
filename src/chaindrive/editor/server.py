"""The server of the editor's page, on the loopback address (``viewer.loopback``)."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from http import HTTPStatus
from importlib import resources
from typing import Any

import jinja2

from chaindrive.drawing.colours import TENSION
from chaindrive.editor.beneath import beneath
from chaindrive.editor.session import Session, StaleError
from chaindrive.editor.sweep import FIGURES as FIGURES_OF_MERIT
from chaindrive.errors import ChaindriveError, InputError
from chaindrive.model import SERIES, chain_names, standard_chain
from chaindrive.model.files.schema import schema_path
from chaindrive.report.page import finite
from chaindrive.templates import TEMPLATES
from chaindrive.templates.questions import Choice
from chaindrive.version import __version__
from chaindrive.viewer.loopback import Answer, Loopback, refusal, whole_numbers

__all__ = ["EditorServer", "page_html"]

FILES = {"report.html": "text/html; charset=utf-8", "sweep.png": "image/png"}
"""Content types of the files from the last run and the last sweep, with their addresses relative to the
page as keys."""


class EditorServer(Loopback):
    """Serves the page of a session until it is closed. Raises InputError if the port is not available."""

    takes_posts = True

    def __init__(self, session: Session, port: int = 0) -> None:
        self._session = session
        self._tables: dict[str, Callable[[], Any]] = {
            "catalogue": _catalogue,
            "templates": _templates,
            "figures": _figures,
        }
        self._actions: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "edit": session.edit,
            "geometry": session.geometry,
            "undo": session.undo,
            "redo": session.redo,
            "save": session.save,
            "take": session.take_file,
            "begin": session.begin,
            "run": session.run,
            "sweep": session.sweep,
            "stop": session.stop,
            "beneath": beneath,
            "drawing": session.keep_drawing,
        }
        super().__init__(port, "editor")

    def got(self, name: str, query: str) -> Answer:
        """Return the page, the state of the document, files of the last run and sweep, or constant tables."""
        if name == "":
            return HTTPStatus.OK, "text/html; charset=utf-8", page_html().encode()
        if name == "state":
            numbers = whole_numbers(query, stamp=0, revision=-1)
            return refusal(HTTPStatus.BAD_REQUEST) if numbers is None else _json(self._session.state(*numbers))
        if name == "schema":
            return HTTPStatus.OK, "application/json", schema_path().read_bytes()
        if name in self._tables:
            return _json(self._tables[name]())
        if name in FILES and (content := self._session.file(name)) is not None:
            return HTTPStatus.OK, FILES[name], content
        return refusal(HTTPStatus.NOT_FOUND)

    def posted(self, name: str, body: bytes) -> Answer:
        """Perform an action requested as JSON, and return the answer; if the action is refused, the
        answer lists the problems.
        """
        if name not in self._actions:
            return refusal(HTTPStatus.NOT_FOUND)
        try:
            given = json.loads(body, parse_constant=_refused)
        except (ValueError, RecursionError):
            return refusal(HTTPStatus.BAD_REQUEST)
        if not isinstance(given, dict):
            return refusal(HTTPStatus.BAD_REQUEST)
        try:
            return _json(self._actions[name](given))
        except InputError as error:
            status = HTTPStatus.CONFLICT if isinstance(error, StaleError) else HTTPStatus.UNPROCESSABLE_ENTITY
            return _json({"message": str(error), "problems": [each._asdict() for each in error.problems]}, status)
        except ChaindriveError as error:
            return _json({"message": str(error), "problems": []}, HTTPStatus.INSUFFICIENT_STORAGE)


def page_html() -> str:
    """Return the page of the editor, with its script and its style."""
    return _page_template().render(
        script=_asset("editor.js"),
        style=_asset("editor.css"),
        colours=json.dumps(TENSION),
        version=__version__,
    )


@cache
def _page_template() -> jinja2.Template:
    text = resources.files("chaindrive.editor").joinpath("page.html.j2").read_text("utf-8")
    return jinja2.Environment(autoescape=False, keep_trailing_newline=True).from_string(text)  # noqa: S701  (no names of users)


def _asset(name: str) -> str:
    return resources.files("chaindrive.editor").joinpath("assets", name).read_text("utf-8")


def _json(content: Any, status: HTTPStatus = HTTPStatus.OK) -> Answer:
    try:
        text = json.dumps(content, allow_nan=False, default=_plain)
    except ValueError:  # not-a-number, from a file or in a sketch
        text = json.dumps(finite(content), default=_plain)
    return status, "application/json", text.encode()


def _plain(value: Any) -> Any:
    """Return a value that JSON can represent, for NumPy numbers and for TOML dates (which no drive contains)."""
    return value.item() if hasattr(value, "item") else str(value)


def _refused(constant: str) -> Any:
    raise ValueError(constant)


@cache
def _catalogue() -> list[dict[str, Any]]:
    """Return all chains of the catalogue with their names and distinguishing dimensions; lengths in m, loads in N."""
    chains = [standard_chain(name) for name in chain_names()]
    return [
        {
            "name": chain.name,
            "series": SERIES[chain.series].title,
            "pitch": chain.pitch,
            "roller_diameter": chain.roller_diameter,
            "breaking_load": chain.breaking_load,
        }
        for chain in chains
    ]


def _figures() -> list[dict[str, str]]:
    """Return the figures of merit of a sweep."""
    return [{"finding": finding, "name": name} for finding, (name, _) in FIGURES_OF_MERIT.items()]


@cache
def _templates() -> list[dict[str, Any]]:
    """Return all templates with their questions."""
    return [
        {
            "kind": kind,
            "title": template.title,
            "questions": [
                {
                    "name": name,
                    "text": question.text,
                    "allowed": question.allowed,
                    "default": str(template.defaults[name]),
                    "options": dict(question.options) if isinstance(question, Choice) else None,
                }
                for name, question in template.questions.items()
            ],
        }
        for kind, template in TEMPLATES.items()
    ]

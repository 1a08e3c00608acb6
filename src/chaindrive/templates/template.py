"""A template: a function whose keyword arguments are the questions asked on the command line."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, ParamSpec, get_type_hints

from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.layout import placed_chain
from chaindrive.mechanism.stages import chains_alone
from chaindrive.model import Drive, loads
from chaindrive.model.problems import nearest_of, shown
from chaindrive.templates.questions import Question
from chaindrive.templates.sheet import Sheet

__all__ = ["TEMPLATES", "Made", "Template", "template"]

P = ParamSpec("P")


class Made(NamedTuple):
    """A drive made by a template."""

    text: str
    """Text of the file, in TOML with comments."""
    drive: Drive

    def save(self, path: str | Path) -> None:
        """Write the file. Raises FileExistsError if it exists, and OSError if it cannot be written."""
        with Path(path).open("x", encoding="utf-8") as file:
            file.write(self.text)


class Template(NamedTuple):
    """A template and its questions."""

    kind: str
    """Name on the command line."""
    title: str
    """Title of the resulting drive, in one line."""
    questions: Mapping[str, Question]
    """Questions by the names of the arguments, in the order in which they are asked."""
    defaults: Mapping[str, Any]
    draft: Callable[..., Sheet]

    def answers(self, given: Mapping[str, object]) -> dict[str, Any]:
        """Return the answers in SI units, with defaults for those not given. Raises an InputError that lists all
        answers that are wrong.
        """
        problems = [
            Problem(name, f"is not an argument of {self.kind!r}{nearest_of(name, list(self.questions))}", shown(value))
            for name, value in given.items()
            if name not in self.questions
        ]
        found: dict[str, Any] = {}
        for name, question in self.questions.items():
            value = given.get(name, self.defaults[name])
            try:
                found[name] = question.parse(value)
            except ValueError as error:
                problems.append(Problem(name, str(error), shown(value)))
        if problems:
            raise InputError(problems)
        return found

    def made(self, given: Mapping[str, object]) -> Made:
        """Return the drive for these answers.

        Raises InputError for answers that are wrong, for which no chain of the catalogue suffices, or from which no
        drive can be built.
        """
        answers = self.answers(given)
        text = self.draft(**answers).text
        try:
            drive = loads(text)
            for chain in chains_alone(drive):
                if not chain.sheaves:
                    placed_chain(chain)
        except InputError as error:
            names = ", ".join(name for name in self.questions if name != "name")
            message = f"no drive can be built from these values: {error.problems[0]}"
            raise InputError(Problem(names, message)) from None
        return Made(text, drive)


_TEMPLATES: dict[str, Template] = {}
TEMPLATES: Mapping[str, Template] = MappingProxyType(_TEMPLATES)
"""All templates by their names on the command line."""


def template(kind: str) -> Callable[[Callable[P, Sheet]], Callable[P, Made]]:
    """Make a template from a function that writes the file from its keyword arguments.

    Every argument is annotated with ``Annotated[Given, question]`` and has a default. The resulting function takes
    strings with units, returns the drive (``Made``) and raises InputError that lists everything that is wrong.
    """

    def decorated(draft: Callable[P, Sheet]) -> Callable[P, Made]:
        hints = get_type_hints(draft, include_extras=True)
        defaults = {each.name: each.default for each in inspect.signature(draft).parameters.values()}
        questions = {name: hints[name].__metadata__[0] for name in defaults}
        doc = inspect.getdoc(draft) or ""
        made = Template(kind, doc.partition("\n")[0].rstrip("."), questions, defaults, draft)
        _TEMPLATES[kind] = made

        @functools.wraps(draft)
        def drive_of(*args: P.args, **given: P.kwargs) -> Made:
            if args:
                raise TypeError(f"{draft.__name__} takes keyword arguments: {', '.join(questions)}")
            return made.made(given)

        lines = (
            f"    {name}: {each.text}, {each.allowed} (default {defaults[name]})" for name, each in questions.items()
        )
        drive_of.__doc__ = "\n".join([doc, "", "Arguments, as text with units or in SI units:", "", *lines])
        plain = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation="str | float")
            for name in questions
        ]
        drive_of.__signature__ = inspect.Signature(plain, return_annotation="Made")  # type: ignore[attr-defined]
        return drive_of

    return decorated

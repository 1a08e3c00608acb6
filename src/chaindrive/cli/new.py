"""``chaindrive new``: writes the file of a new drive from a few values, for which it asks at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import typer

from chaindrive.cli import console
from chaindrive.cli.files import refuse_existing, write_file
from chaindrive.cli.pictures import default_picture, save_picture
from chaindrive.errors import InputError, Problem
from chaindrive.model import Drive
from chaindrive.model.problems import nearest_of, shown
from chaindrive.numbers import quantity
from chaindrive.shell import command
from chaindrive.templates import TEMPLATES, Template

__all__ = ["Wanted", "at_terminal", "kinds", "new"]


class Wanted(NamedTuple):
    """What the command line requests."""

    kind: str | None
    """Kind of the drive; None: ask for it."""
    output: Path | None
    answers: list[str]
    """Strings "NAME=VALUE"."""
    defaults: bool
    """Whether to take the defaults without asking."""
    force: bool


def kinds(incomplete: bool) -> None:
    """List the kinds of drives and the questions of each. Raises InputError if only the kind is missing."""
    if incomplete:
        raise InputError(Problem("KIND", f"is missing; give one of {', '.join(TEMPLATES)}"))
    for kind, template in TEMPLATES.items():
        console.headline(kind)
        console.say(f"{template.title}.")
        _questions(template)
    console.say("To create one: chaindrive new KIND, or without questions: chaindrive new KIND --defaults.", "dim")


def _questions(template: Template) -> None:
    table = console.table("number", ">default", "range", "")
    for name, question in template.questions.items():
        if name != "name":
            table.add_row(name, str(template.defaults[name]), question.allowed, question.text)
    console.out().print(table)


def new(wanted: Wanted) -> None:
    """Ask for missing answers, write the file, draw the drive, and print the next steps.

    Without a terminal no questions are asked, so the kind must be given. Raises InputError with all errors.
    """
    template = _asked_kind() if wanted.kind is None else _known(wanted.kind)
    target = wanted.output or Path(f"{template.kind}.toml")
    refuse_existing(target, wanted.force)
    given = _parsed_answers(template, wanted.answers)
    if not wanted.defaults and at_terminal():
        given = _asked(template, given)
    made = template.made(given)
    write_file(target, made.text.encode(), wanted.force, "--output", str(target))
    console.say(f"{target} written: {_summary(made.drive)}.")
    if (picture := default_picture(str(target.with_suffix(".png")))) is not None:
        _draw(made.drive, picture)
    console.say(f"Next: {command('check', target)}, then {command('run', target, '--report')}")


def _known(kind: str) -> Template:
    """Return the template of a kind. Raises InputError with the most similar kind if there is no template."""
    if kind not in TEMPLATES:
        raise InputError(Problem("KIND", f"is not known{nearest_of(kind, list(TEMPLATES))}", shown(kind)))
    return TEMPLATES[kind]


def _asked_kind() -> Template:
    """Return the template that the user chooses from a list; ask again after an unknown name."""
    table = console.table("kind", "drive")
    for kind, template in TEMPLATES.items():
        table.add_row(kind, template.title)
    console.out().print(table)
    while True:
        try:
            return _known(typer.prompt("Kind of drive").strip())
        except InputError as error:
            console.note(str(error), "")


def at_terminal() -> bool:
    """Return whether there is a user who can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _parsed_answers(template: Template, answers: list[str]) -> dict[str, str]:
    """Return the answers from ``--set`` by name. Raises InputError with all that are wrong."""
    given: dict[str, str] = {}
    problems = []
    for answer in answers:
        name, equals, value = answer.partition("=")
        name = name.strip().replace("-", "_")
        if not (equals and name and value.strip()):
            first = next(iter(template.questions))
            such = f'{first}="{template.defaults[first]}"'
            problems.append(Problem("--set", f"takes NAME=VALUE, such as {such}", shown(answer)))
        elif name in given:
            problems.append(Problem("--set", f"gives {name} twice", shown(answer)))
        else:
            given[name] = value.strip()
    try:
        template.answers(given)
    except InputError as error:
        problems += error.problems
    if problems:
        raise InputError(problems)
    return given


def _asked(template: Template, given: Mapping[str, str]) -> dict[str, Any]:
    """Return the given answers, and the user's answers to all other questions; a question is asked again after a wrong
    answer.
    """
    console.say(f"{template.title}. Press Enter to take the value in brackets.")
    answers: dict[str, Any] = dict(given)
    for name, question in template.questions.items():
        while name not in answers:
            default = str(template.defaults[name])
            typed = typer.prompt(f"{question.text} ({question.allowed})", default=default)
            try:
                question.parse(typed)
                answers[name] = typed
            except ValueError as error:
                problem = str(error)
                console.note(problem if shown(typed) in problem else f"{shown(typed)}: {problem}", "")
    return answers


def _summary(drive: Drive) -> str:
    chain = drive.chain
    what = f"{chain.links} links of {chain.standard or quantity(chain.pitch, 'm')}"
    teeth = ", ".join(f"{wheel.name} {wheel.teeth}" for wheel in drive.wheels)
    return f"{what}; teeth: {teeth}" if teeth and not drive.sheaves else what


def _draw(drive: Drive, picture: Path) -> None:
    """Draw the drive as placed. If the picture cannot be written, only warn, because the file of the drive exists
    already.
    """
    from chaindrive.plots import plot_drive

    try:
        save_picture(plot_drive(drive), picture)
    except InputError as error:
        console.warn(f"no picture: {error}")
    else:
        console.say(f"Drawn in {picture}")

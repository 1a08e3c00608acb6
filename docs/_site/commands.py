"""Every command of the command line with its arguments and options, read from the application itself."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import typer.main

__all__ = ["as_markdown", "commands", "options_of"]


@functools.cache
def commands() -> dict[str, Any]:
    """All commands by their words, such as "examples copy"."""
    from chaindrive.cli.commands import app

    root = typer.main.get_command(app)
    return dict(_below(root, ""))


def _below(group: Any, path: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        here = f"{path} {name}".strip()
        yield here, command
        if hasattr(command, "commands"):
            yield from _below(command, here)


def options_of(command: Any) -> set[str]:
    """All spellings of the options of a command, such as --output and -o."""
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    return {text for option in options for text in (*option.opts, *option.secondary_opts)}


def as_markdown(level: int = 2) -> str:
    """One section for each command."""
    return "\n\n".join(_section(name, command, level) for name, command in commands().items()) + "\n"


def _section(name: str, command: Any, level: int) -> str:
    lines = [f"{'#' * level} chaindrive {name}", "", f"```text\n{_usage(name, command)}\n```", ""]
    lines += [_prose(command.help or command.short_help or ""), ""]
    shown = [p for p in command.params if not getattr(p, "hidden", False)]
    if shown:
        lines += ["| argument or option | meaning |", "|:--|:--|"]
        lines += [f"| {_spelled(p)} | {_prose(getattr(p, 'help', '') or '')} |" for p in shown]
    return "\n".join(lines)


def _usage(name: str, command: Any) -> str:
    arguments = [_argument(p) for p in command.params if p.param_type_name == "argument"]
    options = "[OPTIONS] " if any(p.param_type_name == "option" for p in command.params) else ""
    below = "[COMMAND] " if hasattr(command, "commands") else ""
    return f"chaindrive {name} {options}{below}{' '.join(arguments)}".strip()


def _argument(parameter: Any) -> str:
    """An argument as help texts show it: [RUN.nc] if optional, ... if repeatable."""
    word = parameter.metavar or parameter.name.upper()
    return f"{word if parameter.required else f'[{word}]'}{'' if parameter.nargs == 1 else ' ...'}"


def _spelled(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"`{parameter.metavar or parameter.name.upper()}`"
    value = "" if getattr(parameter, "is_flag", False) else f" {parameter.metavar or 'NUMBER'}"
    return ", ".join(f"`{text}{value}`" for text in (*parameter.opts, *parameter.secondary_opts))


def _prose(text: str) -> str:
    plain = " ".join(text.split())
    return plain.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("[", "\\[")

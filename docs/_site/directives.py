"""Directives whose content is made from the code while the site is built.

{drive-keys} Study          every table and key of a study's file (or of an Optimisation)
{key-groups}                the top level of a drive's file, and a list of the pages of keys below it
{key-group} NAME            the tables on one of these pages (``generated.py``)
{commands}                  every command with its options
{channels}, {endings}, {laws}, {chains}
{example-notes} NAME        source and doubts of an example
{module-names} MODULE       the public names of a module, from their docstrings
{public-names} MODULE ...   a list of modules, each with a page of its own (``generated.py``)
{public-package} PACKAGE    such pages for every module of a package, with its inner packages
"""

from __future__ import annotations

import importlib
import inspect
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

__all__ = ["setup"]


class _Made(SphinxDirective):
    """Parses the Markdown that ``text`` returns, headings included."""

    has_content = False
    optional_arguments = 1
    final_argument_whitespace = True

    def text(self) -> str:
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        node = nodes.Element()
        node.document = self.state.document
        lines = StringList(self.text().splitlines(), source=self.env.docname)
        self.state.nested_parse(lines, self.content_offset, node, match_titles=True)
        return node.children


class DriveKeys(_Made):
    required_arguments = 1
    optional_arguments = 0

    def text(self) -> str:
        from _site import drive_keys
        from chaindrive.model.study.description import Study
        from chaindrive.model.study.optimisation import Optimisation

        models = {"Study": Study, "Optimisation": Optimisation}
        return drive_keys.as_markdown(drive_keys.tables(models[self.arguments[0]]))


class KeyGroups(_Made):
    """The top level of a drive's file, and the pages of all keys below it."""

    def text(self) -> str:
        from _site import drive_keys, generated

        lines = [drive_keys.as_markdown(generated.tables(_drive())[:1]), "## Tables", ""]
        lines += ["| page | tables |", "|:--|:--|"]
        for name, group in generated.key_groups().items():
            told = ", ".join(dict.fromkeys(drive_keys.shown(table.paths[0]) for table in group))
            lines.append(f"| [{name.replace('-', '.')}](keys/{name}.md) | {told} |")
        return "\n".join([*lines, "", *_toctree([f"keys/{name}" for name in generated.key_groups()])])


class KeyGroup(_Made):
    """The tables of one page of keys."""

    required_arguments = 1
    optional_arguments = 0

    def text(self) -> str:
        from _site import drive_keys, generated

        return drive_keys.as_markdown(generated.key_groups()[self.arguments[0]])


def _drive() -> Any:
    from chaindrive.model import Drive

    return Drive


def _toctree(names: list[str]) -> list[str]:
    """A table of contents for the navigation, hidden on the page."""
    return ["```{toctree}", ":hidden:", "", *names, "```"]


class Commands(_Made):
    def text(self) -> str:
        from _site import commands

        return commands.as_markdown()


class Channels(_Made):
    def text(self) -> str:
        from _site import tables

        return tables.channel_table()


class Balance(_Made):
    def text(self) -> str:
        from _site import tables

        return tables.balance_table()


class Endings(_Made):
    def text(self) -> str:
        from _site import tables

        return tables.ending_table()


class Laws(_Made):
    def text(self) -> str:
        from _site import tables

        return tables.law_table()


class Plots(_Made):
    def text(self) -> str:
        from _site import tables

        return tables.plot_table()


class Chains(_Made):
    def text(self) -> str:
        from _site import tables

        return tables.chain_table()


class Glance(_Made):
    def text(self) -> str:
        from _site import tables

        return tables.glance()


class Gallery(_Made):
    required_arguments = 1
    optional_arguments = 0

    def text(self) -> str:
        from _site import tables

        return tables.gallery(self.arguments[0])


class Module(_Made):
    """Docstring of a module, then autodoc of each of its public names."""

    required_arguments = 1
    optional_arguments = 0

    def text(self) -> str:
        return _module_text(self.arguments[0])


class PublicNames(_Made):
    """Modules, their purposes, and their pages."""

    required_arguments = 1
    optional_arguments = 0

    def modules(self) -> list[str]:
        return self.arguments[0].split()

    def text(self) -> str:
        from _site.generated import summary

        rows = [f"| [{name}](modules/{name}.md) | {summary(name)} |" for name in self.modules()]
        pages = [f"modules/{name}" for name in self.modules()]
        return "\n".join(["| module | what |", "|:--|:--|", *rows, "", *_toctree(pages)])


class PublicPackage(PublicNames):
    """Such a list for every module of a package that has public names."""

    def modules(self) -> list[str]:
        from _site.generated import modules_below

        return list(modules_below(self.arguments[0]))


def _module_text(name: str) -> str:
    return "\n".join(["```{eval-rst}", *_module_lines(importlib.import_module(name)), "```"])


def _module_lines(module: ModuleType) -> list[str]:
    from _site.docstrings import as_text

    lines = as_text(inspect.getdoc(module).splitlines()) if inspect.getdoc(module) else []
    called_first = sorted(module.__all__, key=lambda name: not inspect.isfunction(getattr(module, name)))
    for name in called_first:
        if not name.startswith("__"):
            lines += ["", *_documented(module, name)]
    return lines


def _documented(module: ModuleType, name: str) -> list[str]:
    thing = getattr(module, name)
    place = f"{module.__name__}.{name}"
    if inspect.ismodule(thing) or getattr(thing, "__module__", module.__name__) != module.__name__:
        return []  # documented where it is written
    if inspect.isclass(thing):
        if hasattr(thing, "model_fields"):  # its fields stand in the reference of the file
            own = [key for key, part in vars(thing).items() if inspect.isfunction(part) and not key.startswith("_")]
            own = [key for key in own if key not in ("further_problems", "model_post_init")]
            return [f".. autoclass:: {place}()", f"   :members: {', '.join(own)}" if own else ""]
        return [f".. autoclass:: {place}", "   :members:"]
    if callable(thing):
        return [f".. autofunction:: {place}"]
    return [f".. autodata:: {place}", "   :no-value:"]


def _take_reports(app: Any, error: Exception | None) -> None:
    """Live reports of the gallery, if they have been made, next to the page that shows them."""
    from _site import tables

    if error is None and app.builder.name == "html":
        folder = Path(app.outdir) / "gallery" / "reports"
        folder.mkdir(parents=True, exist_ok=True)
        for report in tables.REPORTS.glob("*.html"):
            shutil.copy(report, folder)


def setup(app: Any) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("build-finished", _take_reports)
    named = {
        "drive-keys": DriveKeys,
        "key-groups": KeyGroups,
        "key-group": KeyGroup,
        "module-names": Module,
        "commands": Commands,
        "channels": Channels,
        "chains": Chains,
        "balance": Balance,
        "endings": Endings,
        "laws": Laws,
        "gallery": Gallery,
        "glance": Glance,
        "plots": Plots,
        "public-names": PublicNames,
        "public-package": PublicPackage,
    }
    for name, directive in named.items():
        app.add_directive(name, directive)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

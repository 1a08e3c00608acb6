"""One term for one thing: phrases that the word list of CONTRIBUTING.md replaces do not occur in text for users."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from chaindrive.model import Run
from chaindrive.shell import command
from support.syntax import syntax_trees

ROOT = Path(__file__).parents[2]
PYTHON = sorted((ROOT / "src/chaindrive").rglob("*.py"))
PAGE = [*sorted((ROOT / "web/src").rglob("*.ts")), *sorted((ROOT / "src/chaindrive/report").glob("*.j2"))]
PROSE = [
    ROOT / "README.md",
    ROOT / "ARCHITECTURE.md",
    ROOT / "docs/validation/README.md",
    *(path for folder in (".", "guide", "theory", "recipes") for path in sorted((ROOT / "docs" / folder).glob("*.md"))),
]


def words() -> list[tuple[str, str]]:
    """Rows of the word list: phrase not to be used, and its replacement."""
    section = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("## Words\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| ")]
    return [(phrase, word.strip()) for word, not_these in rows for phrase in re.findall(r"`([^`]+)`", not_these)]


def strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of the strings of a module without its docstrings; pieces of one f-string joined by "{}"."""
    skipped, nodes = set(), list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Expr):
            skipped.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            skipped.update(node.values)
    for node in nodes:
        if node in skipped:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value
        elif isinstance(node, ast.JoinedStr):
            pieces = (str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield node.lineno, "".join(pieces)


def read(path: Path) -> list[tuple[int, str]]:
    """Lines and texts of a file that a user can see."""
    if path.suffix == ".py":
        return list(strings(syntax_trees([path])[path]))
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ts":
        text = re.sub(r"/\*.*?\*/", lambda occurs: re.sub(r"[^\n]", " ", occurs[0]), text, flags=re.DOTALL)
        text = re.sub(r"(?<![:\"'`])//[^\n]*", "", text)
    if path.suffix == ".md":  # a phrase may run on to the next line
        lines = text.splitlines()
        return [
            (k + 1, f"{line} {after.strip()}")
            for k, (line, after) in enumerate(zip(lines, [*lines[1:], ""], strict=True))
        ]
    return list(enumerate(text.splitlines(), 1))


def occurs(phrase: str, text: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(phrase)}(?!\w)", text, re.IGNORECASE) is not None


def test_the_list_is_read():
    listed = dict(words())
    assert listed["unpick"] == "select, selected part"
    assert len(listed) > 15


@pytest.mark.parametrize("files", [PYTHON, PAGE, PROSE], ids=["python", "page", "prose"])
def test_words_that_are_not_used(files):
    assert len(files) > 5
    listed = [(phrase.lower(), word) for phrase, word in words()]
    wrong = []
    for path in files:
        lines = read(path)
        whole = "\n".join(text for _, text in lines).lower()
        here = [(phrase, word) for phrase, word in listed if phrase in whole]  # of hardly any file there are some
        wrong += [
            f"{path.relative_to(ROOT)}:{line}: {phrase!r}, say {word!r}"
            for phrase, word in here
            for line, text in lines
            if occurs(phrase, text)
        ]
    assert not wrong, "\n".join(wrong)


def test_commands_in_messages_are_quoted_for_a_shell():
    """A file name with a blank must not become two words: ``chaindrive.shell.command`` quotes it."""
    assert command("check", Path("two wheels.toml")) == "chaindrive check 'two wheels.toml'"
    plain = re.compile(r"chaindrive (?:[a-z-]+ )+\{\}")
    wrong = [f"{path.relative_to(ROOT)}:{line}" for path in PYTHON for line, text in read(path) if plain.search(text)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("files", [PYTHON, PAGE, PROSE], ids=["python", "page", "prose"])
def test_options_of_a_run_are_named_as_they_are_written(files):
    """``run.solver.step`` can be given to ``--set``, ``solver.step`` cannot."""
    tables = [name for name, field in Run.model_fields.items() if "Options" in str(field.annotation)]
    short = re.compile(rf"(?<![\w./-])(?:{'|'.join(tables)})\.(?!py\b|md\b)[a-z_]+")
    named = [(path, line, short.findall(text)) for path in files for line, text in read(path)]
    wrong = [f"{path.relative_to(ROOT)}:{line}: {found}, write run. before it" for path, line, found in named if found]
    assert not wrong, "\n".join(wrong)


def test_what_is_looked_at(tmp_path):
    """Docstrings and comments are not checked; strings, f-strings across lines, and prose across lines are."""
    python = tmp_path / "a.py"
    python.write_text('"""One unpick."""\nX = ("two un"\n     f"pick {1} here")\n# unpick\n', encoding="utf-8")
    assert [line for line, text in read(python) if occurs("unpick", text)] == [2]
    script = tmp_path / "a.ts"
    script.write_text('/** unpick */\nconst a = "Unpick"; // unpick\nconst b = "repicks";\n', encoding="utf-8")
    assert [line for line, text in read(script) if occurs("unpick", text)] == [2]
    assert not occurs("pick", "repicks")
    prose = tmp_path / "a.md"
    prose.write_text("it goes\non from there\n", encoding="utf-8")
    assert [line for line, text in read(prose) if occurs("goes on from", text)] == [1]

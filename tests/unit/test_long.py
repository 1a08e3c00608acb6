"""The command of the long tests: an interrupted one is resumed, and passes with other source code do not count."""

from __future__ import annotations

import json
from pathlib import Path

import long_tests
import pytest

import long

NAMES = ["tests/unit/test_a.py", "tests/unit/test_b.py", "tests/unit/test_c.py"]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three test files."""
    monkeypatch.setattr(long, "ROOT", tmp_path)
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"NAME = {name!r}  # a file")
    return tmp_path


class Run:
    """A substitute for pytest: the files it was given, and its result for each."""

    def __init__(self, **answers: int | type[BaseException]) -> None:
        self.answers, self.seen = answers, []

    def __call__(self, name: str) -> int:
        self.seen.append(name)
        answer = self.answers.get(Path(name).stem, 0)
        if isinstance(answer, int):
            return answer
        raise answer


def test_what_was_interrupted_is_resumed(root: Path) -> None:
    kept, first, second, third = root / "build" / "kept.json", Run(test_b=KeyboardInterrupt), Run(), Run()
    with pytest.raises(KeyboardInterrupt):
        long.pieces(NAMES, kept, first)
    assert long.pieces(NAMES, kept, second) == []
    assert (first.seen, second.seen) == (NAMES[:2], NAMES[1:])
    assert long.pieces(NAMES, kept, third) == []
    assert third.seen == []


def test_what_failed_runs_again(root: Path) -> None:
    kept, again = root / "kept.json", Run()
    assert long.pieces(NAMES, kept, Run(test_a=1, test_c=long.NONE_SELECTED)) == NAMES[:1]
    assert long.pieces(NAMES, kept, again) == []
    assert again.seen == NAMES[:1]


def test_other_source_runs_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, edited, another = root / "kept.json", Run(), Run()
    long.pieces(NAMES, kept, Run())
    (root / NAMES[0]).write_text(f"NAME = {NAMES[0]!r}  # other words")
    (root / NAMES[1]).write_text("NAME = 'edited'")
    long.pieces(NAMES, kept, edited)
    assert edited.seen == NAMES[1:2]
    monkeypatch.setattr(long, "kernels", lambda: b"another")
    long.pieces(NAMES, kept, another)
    assert another.seen == NAMES


def test_a_file_whose_tests_need_a_browser_does_not_pass_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser is named by a variable that names no program."""
    monkeypatch.setenv("CHAINDRIVE_BROWSER", str(tmp_path / "none"))
    assert long.tested("tests/browser/test_campbell.py") == int(pytest.ExitCode.TESTS_FAILED)


def test_what_follows_two_dashes_goes_to_pytest(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr(long, "files", lambda: NAMES)
    asked: list[list[str]] = []
    monkeypatch.setattr(long, "pieces", lambda names, *_: asked.append(names) or [])
    long.main(["test_b", "--", "--numprocesses", "2"])
    assert asked == [NAMES[1:2]]
    assert long.FOR_PYTEST == ["--numprocesses", "2"]
    assert "1 of 1 files passed" in capsys.readouterr().out
    monkeypatch.setattr(long, "pieces", lambda names, *_: list(names))
    with pytest.raises(SystemExit, match=r"FAILED: tests/unit/test_b\.py"):
        long.main(["test_b"])


def test_the_page_says_what_has_passed_with_which_code(root: Path) -> None:
    kept = root / "build" / "kept.json"
    long.pieces(NAMES[:2], kept, Run())
    passed = json.loads(kept.read_text())
    passed[NAMES[0]] = {"key": "4567", "kernels": "0123456789abcdef0123", "date": "2026-11-01", "seconds": 61.4}
    page = long_tests.page(NAMES, passed)
    assert "**1 of 3 files have passed with the present code.**" in page
    assert f"| `{NAMES[0]}` | 2026-11-01 | another (kernels 0123456789abcdef0123) | 61 |" in page
    assert f"| `{NAMES[1]}` | {passed[NAMES[1]]['date']} | the present | 0 |" in page
    assert f"| `{NAMES[2]}` | **has not passed** | | |" in page

"""The mutations of ``tests/mutations`` can be applied. ``python tests/mutate.py`` measures whether they are noticed."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import mutate
from mutations import MUTATIONS, page, trial
from mutations.mutation import Mutation, Place, PlaceError, mutated_text, place_of
from mutations.trial import PACKAGE, ROOT, Kept, Outcome, deciding, digest_of_tests, files_of_tests, key_of, tree
from support.code import code_of
from support.syntax import syntax_trees


def test_each_has_one_place_and_gives_a_program() -> None:
    assert [problem for mutation in MUTATIONS for problem in problems_of(mutation)] == []


def problems_of(mutation: Mutation) -> Iterator[str]:
    """Reasons why it cannot be applied, gives no valid program, or has no tests."""
    try:
        place = place_of(mutation, ROOT / PACKAGE)
    except PlaceError as error:
        yield str(error)
        return
    text = mutated_text(mutation, place)
    longer = len(text) - len(place.path.read_text(encoding="utf-8"))
    if mutation.original == mutation.mutated or longer != len(mutation.mutated) - len(mutation.original):
        yield f"{mutation.name} does not put one text in the place of another"
    if place.path.suffix == ".py":
        try:
            ast.parse(statement(text, mutation, place))
        except SyntaxError as error:
            yield f"{mutation.name} gives no program: {error}"
    missing = [name for name in mutation.tests if not is_there(name)]
    if missing or not mutation.tests:
        yield f"{mutation.name} names tests that are not there: {missing}"
    if not mutation.wrong.endswith("."):
        yield f"{mutation.name} says what is wrong without a full stop"


def is_there(name: str) -> bool:
    """Whether a test of this name, or a file of tests, exists; its parameters are not asked for."""
    file, *within = name.partition("[")[0].split("::")
    path = ROOT / file
    return path.is_file() and (not within or f"def {within[-1]}(" in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"original": "no such text"}, "occurs 0 times"),
        ({"mutated": "("}, "gives no program"),
        ({"tests": ()}, "names tests that are not there"),
        ({"tests": ("tests/unit/test_nowhere.py",)}, "test_nowhere"),
        ({"tests": ("tests/unit/test_mutations.py::test_of_nothing[1]",)}, "test_of_nothing"),
        ({"wrong": "The sign"}, "full stop"),
    ],
)
def test_what_is_wrong_with_one_is_told(change: dict[str, Any], said: str) -> None:
    (mutation,) = (given for given in MUTATIONS if given.name == "link-damping-sign")
    assert list(problems_of(mutation)) == []
    (problem,) = problems_of(mutation._replace(**change))
    assert said in problem


def statement(text: str, mutation: Mutation, place: Place) -> str:
    """The mutated one among the statements of the module; the others are unchanged."""
    sound = place.path.read_text(encoding="utf-8")
    line = sound.count("\n", 0, place.begin) + 1
    node = next(each for each in syntax_trees([place.path])[place.path].body if (each.end_lineno or 0) >= line)
    begin = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
    rest = sound.count("\n") - (node.end_lineno or 0)
    return "".join(text.splitlines(keepends=True)[begin - 1 : -rest or None])


def test_there_are_many_all_over_the_package() -> None:
    assert len(MUTATIONS) >= 60
    assert max(Counter(mutation.name for mutation in MUTATIONS).values()) == 1
    places = {place_of(mutation, ROOT / PACKAGE).path.relative_to(ROOT / PACKAGE).parts[0] for mutation in MUTATIONS}
    rooms = {"analyses", "export", "formulations", "geometry", "mechanism", "model", "physics", "report", "results"}
    assert rooms | {"solvers", "studies"} <= places


def small_package(folder: Path) -> Path:
    (folder / "one.py").write_text("def first(a):\n    return a + 1\n\n\ndef second(a):\n    return a + 1\n")
    return folder


def test_the_function_tells_two_places_apart(tmp_path: Path) -> None:
    root = small_package(tmp_path)
    given = Mutation("sign", "second", "a + 1", "a - 1", "Wrong.", ())
    assert mutated_text(given, place_of(given, root)).endswith("return a + 1\n\n\ndef second(a):\n    return a - 1\n")


@pytest.mark.parametrize(
    ("within", "original", "said"),
    [
        ("", "a + 1", "occurs 2 times"),
        ("second", "a * 1", "occurs 0 times in second"),
        ("third", "a + 1", "no function or class 'third'"),
    ],
)
def test_a_text_without_one_place_is_an_error(tmp_path: Path, within: str, original: str, said: str) -> None:
    with pytest.raises(PlaceError, match=said):
        place_of(Mutation("sign", within, original, "a", "Wrong.", ()), small_package(tmp_path))


@pytest.mark.long
def test_it_is_applied_in_a_copy_and_taken_back(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(trial, "COPIED", ("src", "tests", "pyproject.toml"))  # what the tests of this one read
    (mutation,) = (given for given in MUTATIONS if given.name == "link-damping-sign")
    place = place_of(mutation, ROOT / PACKAGE)
    before = place.path.read_bytes()
    with tree(tmp_path) as copy:
        path = copy.folder / place.path.relative_to(ROOT)
        with copy.mutated(mutation):
            assert path.read_text(encoding="utf-8") == mutated_text(mutation, place)
            outcome = copy.tests(mutation.tests, compiled=False, limit=120.0)
            assert place.path.read_bytes() == before
        assert path.read_bytes() == before
        assert outcome.killed
        assert outcome.by.startswith(f"{mutation.tests[0]}::test_")
        assert not copy.tests(mutation.tests, compiled=False, limit=120.0).killed
        assert copy.tests(mutation.tests, compiled=False, limit=0.01).by.startswith("time")


def test_kernels_of_a_mutation_go_and_those_of_the_sound_sources_stay(tmp_path: Path, monkeypatch) -> None:
    place = place_of(MUTATIONS[0], ROOT / PACKAGE)
    monkeypatch.setattr(trial, "COPIED", (place.path.parent.relative_to(ROOT).as_posix(),))
    kernels = tmp_path / "build" / "kernels"
    with tree(kernels) as copy:
        kernels.mkdir(parents=True)
        (kernels / "sound.nbc").touch()
        with copy.mutated(MUTATIONS[0]):
            (kernels / "mutated.nbc").touch()
    assert [path.name for path in kernels.iterdir()] == ["sound.nbc"]


def test_an_outcome_depends_on_what_its_tests_import_and_on_no_other_test(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(trial, "ROOT", tmp_path)
    monkeypatch.setattr(trial, "TESTS", tmp_path / "tests")
    texts = {
        "unit/test_a": "import numpy\nfrom support import drives\n\n\ndef test_b():\n    from support.late import x",
        "unit/test_c": "from support.other import x",
        "support/__init__": "",
        "support/drives": "import support.deep",
        "support/deep": "",
        "support/late": "x = 1",
        "support/other": "x = 2",
    }
    for name, text in texts.items():
        path = tmp_path / "tests" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = files_of_tests(("tests/unit/test_a.py::test_b",))
    names = [path.relative_to(tmp_path / "tests").with_suffix("").as_posix() for path in found]
    assert names == ["support/deep", "support/drives", "support/late", "unit/test_a"]


def test_an_outcome_does_not_depend_on_words_and_on_when_its_tests_run(tmp_path: Path) -> None:
    texts = {
        "marked": '"""Of wheels."""\n@pytest.mark.long\ndef test_a(n):\n    "It turns."\n    assert n  # so far\n',
        "bare": "def test_a(n):\n    assert n\n",
        "other": "def test_a(n):\n    assert not n\n",
        "some": "@each([1, pytest.param(2, marks=pytest.mark.long)])\ndef test_a(n):\n    assert n\n",
        "all": "@each([1, pytest.param(2)])\ndef test_a(n):\n    assert n\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    code = {name: code_of(tmp_path / f"{name}.py", marked=False) for name in texts}
    assert code["marked"] == code["bare"] != code["other"]
    assert code["some"] == code["all"] != code["bare"]
    assert code_of(tmp_path / "marked.py") != code["bare"]


def test_messages_are_left_out_where_these_do_not_matter(tmp_path: Path) -> None:
    texts = {
        "first": "def f(n):\n    raise ValueError(f'{n!r} is too long, of ' + kinds['a'])\n",
        "reworded": "def f(n):\n    raise ValueError(f'{n!r} exceeds the length of ' + kinds['a'])\n",
        "other": "def f(n):\n    raise ValueError(f'{n!r} is too long, of ' + kinds['b'])\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    code = {name: code_of(tmp_path / f"{name}.py", sentences=False) for name in texts}
    assert code["first"] == code["reworded"] != code["other"]
    assert code_of(tmp_path / "first.py") != code_of(tmp_path / "reworded.py")


def test_other_tests_of_a_file_do_not_matter_for_one_that_is_named(tmp_path: Path) -> None:
    text = "n = 1\ndef test_a():\n    assert n\n"
    more = {
        "plain": text,
        "another": text + "def test_b():\n    assert not n\n",
        "helped": text + "def helper():\n    pass\n",
        "changed": text.replace("assert n", "assert n > 0"),
    }
    for name, each in more.items():
        (tmp_path / f"{name}.py").write_text(each)
    named = {name: code_of(tmp_path / f"{name}.py", tests=frozenset({"test_a"})) for name in more}
    assert named["plain"] == named["another"]
    assert len({named["plain"], named["helped"], named["changed"]}) == 3
    assert code_of(tmp_path / "plain.py") != code_of(tmp_path / "another.py")


NAMES = ("tests/unit/test_mutations.py",)
"""Tests that are there."""
ONE = f"{NAMES[0]}::test_outcomes_are_shared_by_the_keys_that_hold"


def test_outcomes_are_shared_by_the_keys_that_hold(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "build" / "kept.jsonl")
    outcomes = {key: Outcome(key != "two", ONE, 1.5) for key in ("one", "two", "three")}
    for key, outcome in outcomes.items():
        kept.add(key, NAMES, outcome)
    shared = tmp_path / "outcomes.jsonl"
    kept.share(shared, [(key, NAMES) for key in ("two", "four", "one")])
    elsewhere = Kept(tmp_path / "elsewhere" / "kept.jsonl", shared)
    known = {key: elsewhere.outcome(key, NAMES) for key in ("one", "two", "three", "four")}
    assert known == {"one": outcomes["one"], "two": outcomes["two"], "three": None, "four": None}
    elsewhere.add("two", NAMES, outcomes["one"])  # what is measured here counts more
    assert Kept(elsewhere.path, shared).outcome("two", NAMES) == outcomes["one"]


def test_an_outcome_holds_while_the_test_that_noticed_is_the_same(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept.jsonl")
    noticed, lived = Outcome(True, f"{ONE}[1]", 1.0), Outcome(False, "", 1.0)
    assert deciding(noticed, NAMES) == (ONE,)
    assert deciding(lived, NAMES) == deciding(Outcome(True, "time: not over", 9.0), NAMES) == NAMES
    kept.add("noticed", NAMES, noticed)
    text = kept.path.read_text(encoding="utf-8")
    kept.path.write_text(text.replace(digest_of_tests((ONE,)), digest_of_tests(NAMES)), encoding="utf-8")
    assert kept.outcome("noticed", NAMES) == noticed
    assert Kept(kept.path).outcome("noticed", NAMES) is None


class Asked:
    """Stands in for a tree: tests fail with a mutation, and without it if so set."""

    def __init__(self, fails_without: bool) -> None:
        self.fails_without, self.within, self.asked = fails_without, False, []

    @contextmanager
    def mutated(self, mutation: Mutation) -> Iterator[None]:
        self.within = True
        yield
        self.within = False

    def tests(self, names: tuple[str, ...], compiled: bool, limit: float) -> Outcome:
        self.asked.append((names, self.within))
        return Outcome(self.within or self.fails_without, f"{names[0].partition('::')[0]}::test_b[1.5 - c]", 1.0)


def test_what_notices_a_mutation_must_pass_without_it(tmp_path: Path) -> None:
    first, second = (each for each in MUTATIONS[:2] if each.tests == MUTATIONS[0].tests)
    kept, sound = Kept(tmp_path / "kept.jsonl"), Asked(fails_without=False)
    for mutation in (first, second):
        assert mutate.one(sound, mutation, kept, whole=False).killed
    alone = ((f"{first.tests[0]}::test_b",), False)  # asked once for both
    assert sound.asked == [(first.tests, True), alone, (second.tests, True)]
    with pytest.raises(SystemExit, match=f"fail without it, too: {first.tests[0]}"):
        mutate.one(Asked(fails_without=True), first, Kept(tmp_path / "other.jsonl"), whole=False)
    assert not (tmp_path / "other.jsonl").read_text().count(key_of(first, False))


def test_outcomes_are_kept_and_a_line_cut_off_is_not(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "build" / "kept.jsonl")
    outcomes = {"one": Outcome(True, ONE, 1.5), "two": Outcome(False, "", 2.0)}
    for key, outcome in outcomes.items():
        kept.add(key, NAMES, outcome)
    kept.path.write_text(kept.path.read_text() + '["three", "x", tru')
    again = Kept(kept.path)
    assert {key: again.outcome(key, NAMES) for key in (*outcomes, "three")} == {**outcomes, "three": None}


def test_another_mutation_of_the_same_name_is_measured_anew() -> None:
    first = MUTATIONS[0]
    keys = {key_of(first, False), key_of(first, True), key_of(first._replace(mutated="0.0"), False)}
    assert len(keys) == 3
    assert key_of(first._replace(survives="It is the same.", wrong="Wrong."), False) == key_of(first, False)


def test_the_page_names_who_noticed_and_why_others_survive(tmp_path: Path) -> None:
    one, two = MUTATIONS[0], MUTATIONS[1]._replace(survives="The sum is the same.")
    rows = [(one, Outcome(True, "tests/unit/test_a.py::test_b", 1.0)), (two, Outcome(False, "", 1.0))]
    page.write(tmp_path / "page.md", rows, 3, whole=False)
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "1 of 2 were noticed, 50.0 %" in text
    assert "1 have not been measured" in text
    assert "`test_a.py::test_b`" in text
    assert "The sum is the same." in text
    assert page.summary(rows) == f"1 of 2 killed (50.0 %); survivors: {two.name}"

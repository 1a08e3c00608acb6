"""The mutations of ``tests/mutations`` can be applied. Whether they are noticed measures ``python tests/mutate.py``."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from mutations import MUTATIONS, page
from mutations.mutation import Mutation, PlaceError, mutated_text, place_of
from mutations.trial import PACKAGE, ROOT, Kept, Outcome, key_of, tree


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_it_has_one_place_and_gives_a_program(mutation: Mutation) -> None:
    place = place_of(mutation, ROOT / PACKAGE)
    assert mutation.original != mutation.mutated
    text = mutated_text(mutation, place)
    assert len(text) == len(place.path.read_text(encoding="utf-8")) + len(mutation.mutated) - len(mutation.original)
    if place.path.suffix == ".py":
        ast.parse(text)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_its_tests_are_there(mutation: Mutation) -> None:
    assert mutation.tests
    assert [name for name in mutation.tests if not (ROOT / name.partition("::")[0]).is_file()] == []
    assert mutation.wrong.endswith(".")


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


def test_it_is_applied_in_a_copy_and_taken_back() -> None:
    (mutation,) = (given for given in MUTATIONS if given.name == "link-damping-sign")
    place = place_of(mutation, ROOT / PACKAGE)
    before = place.path.read_bytes()
    with tree() as copy:
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


def test_outcomes_are_kept_and_a_line_cut_off_is_not(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "build" / "kept.jsonl")
    kept.add("one", Outcome(True, "tests/unit/test_a.py::test_b", 1.5))
    kept.add("two", Outcome(False, "", 2.0))
    kept.path.write_text(kept.path.read_text() + '["three", tru')
    assert Kept(kept.path).outcomes == kept.outcomes


def test_another_mutation_of_the_same_name_is_measured_anew() -> None:
    first = MUTATIONS[0]
    keys = {key_of(first, False), key_of(first, True), key_of(first._replace(mutated="0.0"), False)}
    assert len(keys) == 3
    assert key_of(first._replace(survives="It is the same."), False) == key_of(first, False)


def test_the_page_names_who_noticed_and_why_others_survive(tmp_path: Path) -> None:
    one, two = MUTATIONS[0], MUTATIONS[1]._replace(survives="The sum is the same.")
    rows = [(one, Outcome(True, "tests/unit/test_a.py::test_b", 1.0)), (two, Outcome(False, "", 1.0))]
    page.write(tmp_path / "page.md", rows, 3, whole=False)
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "1 of 2 were noticed, 50 %" in text
    assert "1 have not been measured" in text
    assert "`test_a.py::test_b`" in text
    assert "The sum is the same." in text
    assert page.summary(rows) == f"1 of 2 killed (50.0 %); survivors: {two.name}"

"""Commands, keys and files as typed by new users: understood, or answered with what was probably meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from chaindrive.cli.main import main

WHEEL = """
name = "{name}"
teeth = 17
position = [{x}, 0]
inertia = "0.01 kg*m^2"
tooth = {{ form = "iso-606" }}
"""
HEAD = 'name = "two"\nchain = { standard = "08B-1", links = 108 }\ncontact = { stiffness = 1e10 }\n'


def message_of(words: list[str], capsys: pytest.CaptureFixture, code: int = 1) -> str:
    with pytest.raises(SystemExit) as ending:
        main(words)
    assert ending.value.code == code
    out, err = capsys.readouterr()
    return " ".join((out + err).split())


@pytest.mark.parametrize(("typed", "meant"), [("simulate", "run"), ("validate", "check"), ("optimize", "optimise")])
def test_commands_of_other_programs(typed: str, meant: str, capsys: pytest.CaptureFixture) -> None:
    assert f"did you mean '{meant}'?" in message_of([typed, "6l60mc"], capsys)


def test_keys_are_found_by_a_word_of_their_meaning(capsys: pytest.CaptureFixture) -> None:
    text = message_of(["keys", "--search", "gap"], capsys, code=0)
    assert "tensioners.leakage.gap" in text
    assert "stages.tensioners.leakage.gap" not in text
    assert "'xyzzy'" in message_of(["keys", "--search", "xyzzy"], capsys)


def test_a_drive_in_the_place_of_its_results(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HEAD)
    assert f"chaindrive run {path}" in message_of(["plot", str(path)], capsys)
    assert "chaindrive run 6l60mc -o 6l60mc.nc" in message_of(["info", "6l60mc"], capsys)


def test_a_drive_in_the_place_of_a_study_and_the_other_way(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    drive, study = tmp_path / "mine.toml", tmp_path / "study.toml"
    drive.write_text(HEAD + "".join(f"[[wheels]]{WHEEL.format(name=name, x=x)}" for name, x in (("a", 0), ("b", 0.5))))
    study.write_text(f'name = "s"\ndrive = "{drive}"\nfigures_of_merit = []\n')
    assert f"chaindrive run {drive}" in message_of(["sweep", str(drive)], capsys)
    assert f"chaindrive sweep {study}" in message_of(["run", str(study)], capsys)


@pytest.mark.parametrize("brackets", ["[", "[ [", "[ [[", "[[ ["])
def test_wheels_in_single_brackets(brackets: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = tmp_path / "mine.toml"
    wheels = zip(brackets.split(), (("a", 0), ("b", 0.5)), strict=False)
    path.write_text(HEAD + "".join(f"{b}wheels{']' * len(b)}{WHEEL.format(name=name, x=x)}" for b, (name, x) in wheels))
    text = message_of(["check", str(path)], capsys)
    assert "double brackets" in text
    assert "wheels" in text


@pytest.mark.parametrize("heading", ["[chain]\nlinks = 108", "[[chain]]\nlinks = 108"])
def test_a_table_that_is_there_twice_or_in_double_brackets(
    heading: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f'name = "two"\n{heading}\n[chain]\nstandard = "08B-1"\n')
    assert "single brackets" in message_of(["check", str(path)], capsys)
    path.write_text('name = "two"\n[[chain]]\nstandard = "08B-1"\nlinks = 108\n')
    assert "single brackets" in message_of(["check", str(path)], capsys)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ('tooth = "iso-606"', "{ form = 'iso-606' }"),
        ('motion = "500 rpm"', "{ kind = 'constant_speed', speed = ... }"),
        ('speed = "500 rpm"', "did you mean 'motion'?"),
        ("z = 17", "did you mean 'teeth'?"),
        ("center = [0, 0]", "did you mean 'position'?"),
    ],
)
def test_keys_of_a_wheel_as_other_programs_have_them(
    typed: str, meant: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    path = tmp_path / "mine.toml"
    wheel = WHEEL.format(name="a", x=0)
    key = typed.partition(" ")[0]
    kept = [line for line in wheel.splitlines() if not line.startswith(f"{key} ")]
    path.write_text("\n".join([HEAD, "[[wheels]]", *kept, typed]) + "\n")
    assert meant in message_of(["check", str(path)], capsys)


@pytest.mark.parametrize("typed", ["wheel.motion", "wheels.0.motion", "wheels[0].motion"])
def test_a_key_of_one_of_several_wheels(typed: str, capsys: pytest.CaptureFixture) -> None:
    assert message_of(["keys", typed], capsys, code=0).startswith("wheels.motion")


def test_a_key_without_its_table(capsys: pytest.CaptureFixture) -> None:
    text = message_of(["keys", "torque.over"], capsys)
    assert "wheels.torque" in text
    assert "did you mean" not in text


def test_an_open_chain_with_a_mistake_is_not_taken_for_a_closed_one(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    path = tmp_path / "mine.toml"
    ends = '[{ kind = "ground", position = [0, 0] }, { kind = "free", force = "50 N" }]'
    path.write_text(HEAD.replace("links = 108", f"links = 30, ends = {ends}"))
    text = message_of(["check", str(path)], capsys)
    assert "chain.ends[1].force" in text
    assert "{ direction = ..., size = ... }" in text
    assert "closed chain" not in text

"""Commands, keys and files as newcomers type them: understood, or told what was meant."""

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


def said(words: list[str], capsys: pytest.CaptureFixture, code: int = 1) -> str:
    with pytest.raises(SystemExit) as ending:
        main(words)
    assert ending.value.code == code
    out, err = capsys.readouterr()
    return " ".join((out + err).split())


@pytest.mark.parametrize(("typed", "meant"), [("simulate", "run"), ("validate", "check"), ("optimize", "optimise")])
def test_commands_of_other_programs(typed: str, meant: str, capsys: pytest.CaptureFixture) -> None:
    assert f"did you mean '{meant}'?" in said([typed, "6l60mc"], capsys)


def test_keys_are_found_by_a_word_of_their_meaning(capsys: pytest.CaptureFixture) -> None:
    text = said(["keys", "--search", "gap"], capsys, code=0)
    assert "tensioners.leakage.gap" in text
    assert "stages.tensioners.leakage.gap" not in text
    assert "'xyzzy'" in said(["keys", "--search", "xyzzy"], capsys)


def test_a_table_in_the_singular(capsys: pytest.CaptureFixture) -> None:
    assert "did you mean 'wheels'" in said(["keys", "wheel.motion"], capsys)


def test_a_drive_in_the_place_of_its_results(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(HEAD)
    assert f"chaindrive run {path}" in said(["plot", str(path)], capsys)
    assert "chaindrive run 6l60mc -o 6l60mc.nc" in said(["info", "6l60mc"], capsys)


def test_a_drive_in_the_place_of_a_study_and_the_other_way(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    drive, study = tmp_path / "mine.toml", tmp_path / "study.toml"
    drive.write_text(HEAD + "".join(f"[[wheels]]{WHEEL.format(name=name, x=x)}" for name, x in (("a", 0), ("b", 0.5))))
    study.write_text(f'name = "s"\ndrive = "{drive}"\nfigures_of_merit = []\n')
    assert f"chaindrive run {drive}" in said(["sweep", str(drive)], capsys)
    assert f"chaindrive sweep {study}" in said(["run", str(study)], capsys)


@pytest.mark.parametrize("count", [1, 2])
def test_wheels_in_single_brackets(count: int, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = tmp_path / "mine.toml"
    wheels = [WHEEL.format(name=name, x=x) for name, x in (("a", 0), ("b", 0.5))[:count]]
    path.write_text(HEAD + "".join(f"[wheels]{wheel}" for wheel in wheels))
    text = said(["check", str(path)], capsys)
    assert "double brackets" in text
    assert "wheels" in text

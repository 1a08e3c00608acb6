"""``chaindrive schema``: writes and prints, and never overwrites another file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chaindrive.cli.main import main
from chaindrive.model.files.schema import SCHEMAS, schema_text


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """Run the command line in an empty folder: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        with pytest.raises(SystemExit) as ended:
            main(["schema", *arguments])
        return ended.value.code, *capsys.readouterr()

    return run


def test_both_are_written_once(call):
    code, said, _ = call()
    assert code == 0
    assert said.count("written") == 2
    for kind in SCHEMAS:
        assert Path(f"{kind}.schema.json").read_text("utf-8") == schema_text(kind)
    code, said, _ = call()
    assert code == 0
    assert said.count("up to date") == 2


def test_other_files_of_these_names_are_kept(call):
    Path("study.schema.json").write_text("mine")
    code, _, complaint = call()
    assert (code, Path("study.schema.json").read_text()) == (1, "mine")
    assert "study.schema.json" in complaint
    assert not Path("drive.schema.json").exists()
    assert call("--force")[0] == 0
    assert Path("study.schema.json").read_text("utf-8") == schema_text("study")


@pytest.mark.parametrize("kind", SCHEMAS)
def test_one_is_printed_or_written_elsewhere(call, kind):
    code, printed, _ = call(kind)
    assert code == 0
    assert json.loads(printed) == json.loads(schema_text(kind))
    assert list(Path().iterdir()) == []
    Path("drives").mkdir()
    assert call(kind, "--to", "drives")[0] == 0
    assert [path.name for path in Path("drives").iterdir()] == [f"{kind}.schema.json"]


def test_what_is_not_possible_is_said(call):
    code, _, complaint = call("wheel")
    assert code == 1
    assert "drive, study" in complaint
    code, _, complaint = call("--to", "nowhere")
    assert code == 1
    assert "--to" in complaint

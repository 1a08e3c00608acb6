"""Completions that the shell offers, once installed."""

import pytest

from chaindrive.cli import completion
from chaindrive.cli.main import main


@pytest.fixture
def offered(tmp_path, monkeypatch, capfd):
    """Completions that bash receives after given words in a folder with a few files."""
    (tmp_path / "mine.toml").touch()
    (tmp_path / "mine.nc").touch()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "run.nc").touch()
    monkeypatch.chdir(tmp_path)

    def ask(words: str) -> list[str]:
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split(" ")) - 1))
        monkeypatch.setenv("_CHAINDRIVE_COMPLETE", "complete_bash")
        with pytest.raises(SystemExit) as ending:
            main([])
        assert not ending.value.code
        return capfd.readouterr().out.split()

    return ask


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("chaindrive run timing", ["timing-06b", "timing-06b-run-up"]),
        ("chaindrive run mi", ["misaligned-08b", "mine.toml"]),
        ("chaindrive info m", ["mine.nc"]),
        ("chaindrive info o", ["other/"]),
        ("chaindrive info other/", ["other/run.nc"]),
        ("chaindrive plot mine.nc ener", ["energy"]),
        ("chaindrive sweep smoo", ["smoothest-centres"]),
        ("chaindrive ana", ["analyze"]),
    ],
)
def test_examples_files_and_names(offered, words, found):
    assert offered(words) == found


def test_a_folder_that_is_not_there():
    assert completion.results("nowhere/run") == []

"""``chaindrive edit``: the edited file, and the message at the end."""

from __future__ import annotations

import shlex

import pytest

from chaindrive.cli import edit as command
from chaindrive.cli.edit import Request, edit
from chaindrive.editor.document import Document, journal_path
from chaindrive.errors import InputError
from support.editing import Still


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path, monkeypatch):
    """Send Ctrl-C as soon as the page is served."""

    def interrupted(seconds):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("chaindrive.editor.session.Worker", Still)
    monkeypatch.setattr(command.time, "sleep", interrupted)


def test_address_is_printed_and_nothing_is_left(tmp_path, capsys):
    edit(Request(None, browser=False))
    assert "Editor of drive.toml: http://127.0.0.1:" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_a_new_file_gets_a_name_that_is_free(tmp_path, capsys):
    (tmp_path / "drive.toml").write_text("mine")
    edit(Request(None, browser=False))
    assert "drive-2.toml" in capsys.readouterr().out


def test_unsaved_changes_are_told_of(tmp_path, capsys):
    path = tmp_path / "mine.toml"
    Document(path).replace('name = "a"\n', "begin")
    edit(Request(path, browser=False))
    told = f"mine.toml.unsaved; {shlex.join(['chaindrive', 'edit', str(path)])} restores them"
    assert told in " ".join(capsys.readouterr().out.split())
    assert journal_path(path).exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("drive.txt", "", "TOML file"),
        ("nowhere/drive.toml", None, "folder"),
        ("drive.toml", b"\0", "binary"),
        ("drive.toml", b"\xff", "UTF-8"),
    ],
)
def test_what_cannot_be_edited_is_refused_with_words(tmp_path, name, content, message):
    path = tmp_path / name
    if content:
        path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        edit(Request(path, browser=False))


def test_a_port_that_is_no_port(tmp_path):
    with pytest.raises(InputError, match="1 to 65535"):
        edit(Request(tmp_path / "drive.toml", port=0, browser=False))

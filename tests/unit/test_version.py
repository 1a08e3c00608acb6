"""The version is written in three places, which agree; every output that names it also names the kernels."""

import re
import tomllib
from pathlib import Path

import chaindrive
from chaindrive.kernels.source import kernels_digest
from chaindrive.results.attributes import versions

ROOT = Path(__file__).parents[2]


def test_project_package_and_change_log_have_one_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    log = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## (\d[\w.]*) - \d{4}-\d\d-\d\d$", log, re.MULTILINE)
    assert project["version"] == chaindrive.__version__ == released[0]


def test_results_state_the_source_that_ran(monkeypatch):
    """Also where another version is installed, as in a second checkout."""
    monkeypatch.setattr("importlib.metadata.version", lambda name: f"installed {name}")
    assert versions()["chaindrive"] == chaindrive.__version__
    assert versions()["kernels"] == kernels_digest()

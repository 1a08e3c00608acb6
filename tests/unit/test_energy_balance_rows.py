"""The energy balance has one set of rows, in the same words everywhere: command line, report, notebook, summary,
docs.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive import notebook
from chaindrive.cli.main import main
from chaindrive.results.audit import LOSS_NAMES, audit, loss_names
from support.made_run import made_run
from support.report_run import Page

pytestmark = pytest.mark.usefixtures("few_windows")

ROWS = {
    "work input": 5000.0,  # over 2.5 s: 2000 W put in, of which 1500 W taken out, ...
    "work output": 3750.0,
    "lost in damping of the links": 2.5,
    "lost in joints of the chain": 750.0,
    "lost in impact and damping on teeth": 200.0,
    "lost in friction on teeth": 297.5,
    "stored as kinetic energy": 0.0,
    "stored as elastic energy": 0.0,
    "stored as gravity energy": 0.0,
    "energy residual": 0.0,
}


@pytest.fixture(scope="module")
def run() -> cd.Solution:
    return made_run()


def test_rows_are_those_of_the_balance(run: cd.Solution) -> None:
    found = run.audit
    assert list(found.rows) == list(ROWS)  # bearings lost nothing and have no row
    assert found.losses["bearing"] == 0.0
    assert found.rows == pytest.approx(ROWS, abs=1e-9)
    put_in, taken_out, *rest = found.rows.values()
    assert put_in - taken_out == pytest.approx(sum(rest))


def test_a_loss_that_is_a_gain_has_a_row() -> None:
    ends = {"work_friction": -3.0, "work_input": 1.0, "energy_kinetic": 4.0}
    found = audit(np.arange(2.0), {name: np.array([0.0, end]) for name, end in ends.items()})
    assert found.rows["lost in friction on teeth"] == -3.0
    assert found.rows["energy residual"] == 0.0


def test_losses_of_other_formulations_are_called_as_their_channels_are() -> None:
    creep = np.array([0.0, 3.0])
    assert audit(np.arange(2.0), {"work_belt_creep": creep}).rows["lost in belt creep"] == 3.0
    for formulation in ("roller", "link"):
        names = loss_names(formulation)
        assert names.keys() == LOSS_NAMES.keys()
        assert len(set(names.values())) == len(names)
    rows = audit(np.arange(2.0), {"work_link_damping": creep}, names=loss_names("link")).rows
    assert rows["lost in contacts of pins in bushes"] == 3.0


def rows_in_order(text: str, names: list[str]) -> bool:
    """Whether a text has these names, one after the other."""
    places = [text.find(name) for name in names]
    return -1 not in places and places == sorted(places)


def test_every_table_has_them(
    run: cd.Solution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "150")
    run.save(tmp_path / "run.nc")
    with pytest.raises(SystemExit):
        main(["info", str(tmp_path / "run.nc")])
    told = capfd.readouterr().out
    cd.write_report(run, tmp_path / "run.html")
    page = "".join(Page((tmp_path / "run.html").read_text(encoding="utf-8")).texts)
    page = page[page.index("Input = output + losses") :].partition("Analytical checks")[0]
    beside = [name.removeprefix("work ") for name in ROWS if not name.startswith("stored")]  # powers have one row of it
    assert rows_in_order(page[page.index("input") :], [*beside[:-1], "stored", beside[-1]])
    shown = html.unescape(re.sub("<[^>]*>", "\n", notebook.solution_html(run)))
    for text in (told, shown, run.summary(), run.audit.table()):
        table = text[text.index("work input") :]
        assert rows_in_order(table, list(ROWS))
        assert "lost in bearings" not in table[: table.index("energy residual")]


def test_the_documentation_has_them(run: cd.Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs"))
    from _site.tables import balance_table

    lines = [line.split(" | ") for line in balance_table().splitlines()[2:]]
    assert [line[0].removeprefix("| ") for line in lines if line[0].removeprefix("| ") in ROWS] == list(ROWS)
    channels = dict.fromkeys(line[1].strip("`") for line in lines)
    assert {f"work_{name}" for name in LOSS_NAMES} <= set(channels)
    assert "energy_residual" in channels

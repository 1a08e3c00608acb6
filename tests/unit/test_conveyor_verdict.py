"""The verdict on a conveyor of the templates: the power in a run is that of a hand calculation; where it is shown."""

import pytest
from numba import config

import chaindrive as cd
from chaindrive.analyses.results.conveyor import conveyor
from chaindrive.analyses.results.losses import losses
from chaindrive.cli.main import main
from chaindrive.model import override
from chaindrive.report.write import page_of


@pytest.fixture(scope="module")
def run() -> cd.Solution:
    """Two metres of a slat conveyor that starts from rest."""
    if config.DISABLE_JIT:
        pytest.skip("minutes in plain Python")
    drive = cd.templates.conveyor(length="2 m").drive
    started = {"run.start": "at_rest", "run.until": 1.6, "wheels.head.motion.ramp": 0.5, "run.save": {"rate": 500}}
    return cd.simulate(override(drive, started), progress=False)


def test_rails_take_the_friction_of_the_weight(run):
    found = conveyor(run)
    upper, lower = found.parts[:2]
    assert (upper.name, lower.name) == ("upper rail", "lower rail")
    assert upper.power == pytest.approx(upper.by_hand, rel=0.02)
    assert lower.power == pytest.approx(lower.by_hand, rel=0.05)
    lost = losses(run, found.part.start, found.part.stop)
    of_guides = float(lost.power[lost.keys.index("guide")])
    assert upper.power + lower.power == pytest.approx(of_guides, rel=0.02)
    together = sum(part.power for part in found.parts)
    assert together + found.stored == pytest.approx(found.shaft, rel=0.02)


def test_the_run_is_steady_and_its_motor_has_the_gear_of_the_template(run):
    tiles = {tile.key: tile for tile in run.verdict.tiles}
    assert list(tiles)[-4:] == ["motor", "start_torque", "take_up", "balance"]
    found = conveyor(run)
    assert found.motor == pytest.approx(found.shaft / 0.94)
    assert 0.3 < found.start.time < 0.5
    assert found.take_up.name == "take-up"


def test_a_level_conveyor_has_the_work_of_carrying_in_place_of_an_efficiency(run):
    """P / (m v); by hand the friction of chain and goods on the rails, over the mass of the goods."""
    found, tile = conveyor(run), run.verdict.tile("efficiency")
    by_hand = found.pull.total / found.goods
    assert by_hand < found.specific < 1.25 * by_hand  # joints take the rest
    assert tile.headline == f"{found.specific:.3g} J per kg and metre"
    assert "kg at" in tile.lines[0]
    assert any("stored" in line or "no output" in line for line in tile.lines)


def test_info_and_report_have_the_power_by_rail(run, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "110")
    run.save(tmp_path / "run.nc")
    with pytest.raises(SystemExit, match="0"):
        main(["info", str(tmp_path / "run.nc")])
    printed = capsys.readouterr().out
    power = f"{conveyor(run).parts[0].power:.3f}"
    line = next(line for line in printed.splitlines() if line.strip().startswith("upper rail"))
    assert power in line
    page = page_of(run, frames=2).decode()
    assert "Power of the conveyor by part" in page
    assert power in page

"""Pictures of the loop, peaks, bearings, losses, rainflow counts and closed-form solutions draw what their tables
hold.
"""

import matplotlib
import numpy as np
import pandas
import pytest

from chaindrive.analyses.results.comparison import Compared, comparison
from chaindrive.analyses.results.extremes import extremes
from chaindrive.analyses.results.loop import loop_zones, tension_envelope
from chaindrive.errors import InputError
from chaindrive.plot_names import PLOT_NAMES
from chaindrive.plots import (
    DATA,
    PLOTS,
    data_bearing_force,
    data_comparison,
    data_link_load,
    data_losses,
    data_peaks,
    data_rainflow,
    data_tension_envelope,
    plot_bearing_force,
    plot_comparison,
    plot_link_load,
    plot_losses,
    plot_peaks,
    plot_rainflow,
    plot_tension_envelope,
)
from chaindrive.plots.loads import _two_numbers
from support.made_run import TIME, made_run

MINE = ("tension-envelope", "link-load", "peaks", "bearing-force", "losses", "rainflow", "comparison")


@pytest.fixture(scope="module")
def run():
    return made_run()


def _column(frame, name):
    return frame[name].dropna().to_numpy(dtype=float)


@pytest.mark.parametrize("name", MINE)
def test_they_are_known_to_the_command_line_and_draw_a_solution_without_state(run, name):
    assert name in PLOT_NAMES
    before = dict(matplotlib.rcParams)
    PLOTS[name](run)  # test_plots.py saves it
    assert dict(matplotlib.rcParams) == before
    assert isinstance(DATA[name](run), pandas.DataFrame)


def test_tension_envelope(run):
    frame, figure = data_tension_envelope(run), plot_tension_envelope(run)
    above, below = figure.axes
    high, low, mean = above.lines
    for line, name in ((high, "maximum"), (low, "minimum"), (mean, "mean")):
        np.testing.assert_allclose(line.get_ydata(), _column(frame, f"{name} tension [N]") / 1e3)
    np.testing.assert_allclose(below.lines[0].get_ydata(), _column(frame, "maximum tension of the link [N]") / 1e3)
    bands = sorted((p.get_x(), p.get_x() + p.get_width()) for p in above.patches)
    wheels = sorted((zone.start, zone.end) for zone in loop_zones(run) if zone.kind == "wheel")
    np.testing.assert_allclose(bands, wheels)
    assert "one loop" in above.get_title(loc="right")


def test_link_load(run):
    frame, figure = data_link_load(run, link=7), plot_link_load(run, link=7)
    tension, force, bend = figure.axes
    np.testing.assert_allclose(tension.lines[0].get_xdata(), frame["place [pitches]"])
    np.testing.assert_allclose(tension.lines[0].get_ydata(), frame["tension of link 7 [N]"] / 1e3)
    np.testing.assert_allclose(force.lines[1].get_ydata(), frame["contact force of its second roller [N]"] / 1e3)
    np.testing.assert_allclose(bend.lines[0].get_ydata(), np.degrees(frame["joint angle at its first roller [rad]"]))
    with pytest.raises(InputError, match="links 0 to 121"):
        plot_link_load(run, link=-1)
    bare = made_run(drop=("contact_force", "roller_position"))
    assert len(plot_link_load(bare).axes) == 1
    assert list(data_link_load(bare).columns) == ["time [s]", "place [pitches]", "tension of link 0 [N]"]


def test_peaks():
    run = made_run()
    run.values("link_tension")[1100, 40] = 99e3
    frame, figure = data_peaks(run), plot_peaks(run)
    above, below = figure.axes
    np.testing.assert_allclose(above.lines[0].get_ydata(), _column(frame, "largest link tension [N]") / 1e3)
    np.testing.assert_allclose(below.lines[0].get_ydata(), _column(frame, "largest tooth force [N]") / 1e3)
    found = extremes(run).peaks
    table = frame.dropna(subset="quantity")
    assert list(table["quantity"]) == [peak.quantity for peak in found]
    np.testing.assert_allclose(_column(table, "value [in its unit]"), [peak.value for peak in found])
    dots = [(line.get_xdata()[0], line.get_ydata()[0]) for line in above.lines if len(line.get_xdata()) == 1]
    assert (1.1, 99.0) in [(round(x, 9), round(y, 9)) for x, y in dots]
    (note,) = [text for text in above.texts if "99.0 kN" in text.get_text()]
    assert note.get_text() == "99.0 kN, link 40, in span crankshaft - counterweight 2"


def test_bearing_force(run):
    frame, figure = data_bearing_force(run), plot_bearing_force(run)
    *paths, over_time = figure.axes
    assert [axes.get_title(loc="left") for axes in paths] == [wheel.name for wheel in run.drive.wheels]
    for axes, wheel, line in zip(paths, run.drive.wheels, over_time.lines, strict=True):
        np.testing.assert_allclose(axes.lines[0].get_xdata(), _column(frame, f"force in x on {wheel.name} [N]") / 1e3)
        np.testing.assert_allclose(axes.lines[0].get_ydata(), _column(frame, f"force in y on {wheel.name} [N]") / 1e3)
        np.testing.assert_allclose(line.get_ydata(), _column(frame, f"magnitude on {wheel.name} [N]") / 1e3)
    turns = data_bearing_force(run, start=0.5, stop=2.499)  # four of them
    np.testing.assert_allclose(_column(turns, "mean force in y [N]"), 4e3)
    np.testing.assert_allclose(_column(turns, "rms of the fluctuation [N]"), 300.0)


def test_losses(run):
    frame, figure = data_losses(run), plot_losses(run)
    above, below = figure.axes
    drawn = {line.get_label(): line.get_ydata() for line in above.lines}
    assert set(drawn) == {
        "damping of the links",
        "joints of the chain",
        "impact and damping on teeth",
        "friction on teeth",
    }
    for name, values in drawn.items():
        np.testing.assert_allclose(values, _column(frame, f"{name} [W]"))
    means = frame.dropna(subset="cause").set_index("cause")["mean power [W]"]
    names = [text.get_text() for text in below.get_yticklabels()]
    widths = [bar.get_width() for bar in below.patches]
    np.testing.assert_allclose(widths, means[names].to_numpy(dtype=float))
    assert means["input"] == pytest.approx(2000.0)
    assert "efficiency 75.00 %" in below.get_title(loc="right")


def test_rainflow(run):
    frame, figure = data_rainflow(run, link=7), plot_rainflow(run, link=7)
    left, right = figure.axes[:2]
    drawn = left.collections[0].get_array()
    assert float(drawn.sum()) == pytest.approx(_column(frame, "cycles [-]").sum())
    np.testing.assert_allclose(right.lines[0].get_ydata(), _column(frame, "range [N]") / 1e3)
    np.testing.assert_allclose(right.lines[0].get_xdata(), _column(frame, "per link and loop [-]"))
    worst = _column(frame, "damage-equivalent range, one cycle per loop, exponent 5 [N]")
    np.testing.assert_allclose(right.lines[1].get_ydata(), worst[0] / 1e3)
    assert "link 7" in right.get_title(loc="right")


def test_comparison(run):
    frame, figure = data_comparison(run), plot_comparison(run)
    found = comparison(run)
    (axes,) = figure.axes
    numbers = frame.dropna(subset="simulated [in unit]")
    assert len(numbers) == len(found.rows) == len(axes.get_yticklabels())
    assert len(frame) == len(found.rows) + len(found.left_out)
    for k, row in enumerate(found.rows):
        assert numbers["relative difference [-]"].iloc[k] == pytest.approx(row.relative)
        assert row.quantity in axes.get_yticklabels()[k].get_text()
    marks = {
        float(y): float(x)
        for line in axes.lines
        for x, y in zip(*line.get_data(), strict=True)
        if line.get_marker() != "None"
    }
    for k, row in enumerate(found.rows):
        assert marks[k] == pytest.approx(np.clip(100.0 * row.relative, -100.0, 100.0))
    assert all(text.startswith("not compared: ") for text in frame["remark"].iloc[len(found.rows) :])


def test_both_numbers_of_a_row_have_one_prefix_and_a_ratio_has_none():
    row = Compared("a", "", "drive", -1, 1234.5, 0.5, "N", "", "")
    assert _two_numbers(row) == ("1.234 kN", "0.0005000 kN")
    assert _two_numbers(row._replace(simulated=-0.0014157, analytical=0.002, unit="1")) == ("−0.001416", "0.002")


@pytest.mark.parametrize(
    "name",
    [
        name if name in ("tension-envelope", "bearing-force") else pytest.param(name, marks=pytest.mark.long)
        for name in MINE
    ],
)
def test_a_run_that_diverged_is_shown_up_to_there(name, tmp_path):
    broken = made_run()
    for channel in broken.channels:
        broken.values(channel)[-1] = np.nan
    PLOTS[name](broken).savefig(tmp_path / "plot.png", dpi=40)
    frame = DATA[name](broken)
    if "time [s]" in frame:
        assert frame["time [s]"].max() <= TIME[-1]
    whole = made_run()
    if name == "tension-envelope":  # its window ends a row earlier
        last = tension_envelope(broken)
        assert last.stop == pytest.approx(TIME[-2])
        np.testing.assert_allclose(last.mean, tension_envelope(whole).mean, rtol=1e-3)
    if name == "bearing-force":
        assert frame["time [s]"].max() == pytest.approx(TIME[-2])
        assert np.isfinite(_column(frame, "mean magnitude [N]")).all()


def test_a_run_of_nothing_but_nan_says_that_it_diverged():
    broken = made_run()
    for channel in broken.channels:
        broken.values(channel)[:] = np.nan
    for name in ("tension-envelope", "bearing-force", "losses"):
        with pytest.raises(InputError, match="diverged"):
            DATA[name](broken)
    assert "diverged" in comparison(broken).left_out[0].reason


def test_a_comparison_without_rows_says_why(tmp_path):
    run = made_run()
    run.values("wheel_speed")[:] *= (1.0 + 0.1 * TIME)[:, None]
    figure = plot_comparison(run)
    assert any("speed of the chain changes" in text.get_text() for text in figure.axes[0].texts)
    figure.savefig(tmp_path / "plot.png", dpi=40)

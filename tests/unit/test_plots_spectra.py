"""Plots of spectra, orders, waterfall, transmission error: pictures and tables hold the results of the analyses."""

import matplotlib
import numpy as np
import pandas
import pytest
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure

from chaindrive.analyses.signals.orders import order_spectrum
from chaindrive.analyses.signals.spectra import spectrum_of
from chaindrive.analyses.signals.transmission import transmission_error
from chaindrive.analyses.signals.waterfall import campbell_lines, waterfall
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.model import example, override
from chaindrive.plots import (
    DATA,
    PLOTS,
    data_orders,
    data_spectrum,
    data_transmission_error,
    data_waterfall,
    data_waterfall_of_runs,
    plot_orders,
    plot_spectrum,
    plot_transmission_error,
    plot_waterfall,
    plot_waterfall_of_runs,
)
from support.signals_of_known_answer import made_up, turning

RATE = 2000.0
TIME = np.arange(4001) / RATE
MINE = ("spectrum", "orders", "waterfall", "transmission-error")


def result(drive, turns):
    """The motor makes ``turns`` revolutions (over time); all channels pulse with its 17 teeth and with its order 2."""
    motor = 2 * np.pi * turns
    angle = turning(drive, motor)
    pulse = np.sin(17 * motor)
    speeds = np.gradient(angle, TIME, axis=0)
    angle[:, 1] += 1e-4 * pulse
    force = np.zeros((TIME.size, 2, 2))
    force[:, 0, 0] = 500.0 + 30.0 * pulse
    slow = np.sin(2 * motor)
    return made_up(
        drive,
        TIME,
        wheel_angle=angle,
        wheel_speed=speeds,
        bearing_force=force,
        span_tension=np.stack([50.0 + slow, 520.0 + 20.0 * pulse + 5.0 * slow], axis=1),
        span_displacement=np.stack([1e-4 * pulse + 3e-3 * slow, 1e-5 * pulse], axis=1),
    )


@pytest.fixture(scope="module")
def drive():
    return example("industrial-08b")


@pytest.fixture(scope="module")
def steady(drive):
    return result(drive, 8.0 * TIME)


@pytest.fixture(scope="module")
def rising(drive):
    return result(drive, 4.0 * TIME + 2.0 * TIME**2)


def curve(axes):
    """The spectrum in axes: the line with the most points."""
    return max(axes.lines, key=lambda line: len(line.get_xdata())).get_data()


def marks(axes):
    return sorted({round(float(line.get_xdata()[0]), 2) for line in axes.lines if len(line.get_xdata()) == 2})


@pytest.mark.parametrize("name", MINE)
def test_figures_without_state_and_tables_with_units(steady, name):
    before = dict(matplotlib.rcParams)
    assert isinstance(PLOTS[name](steady), Figure)  # test_plots.py saves it
    assert dict(matplotlib.rcParams) == before
    table = DATA[name](steady)
    assert isinstance(table, pandas.DataFrame)
    numbers = [column for column in table.columns if column != "mark"]
    assert all("[" in column for column in numbers)
    assert all(table[column].dtype.kind == "f" for column in numbers)


def test_spectrum(drive, steady):
    figure = plot_spectrum(steady, "span_tension", 1)
    axes = figure.axes[0]
    found = spectrum_of(steady, "span_tension", 1)
    x, y = curve(axes)
    shown = (found.frequency > 0.0) & (found.frequency <= 3.3 * 17 * 8.0)
    np.testing.assert_allclose(x, found.frequency[shown])
    floor = 1e-5 * found.amplitude.max()
    np.testing.assert_allclose(y, np.maximum(found.amplitude[shown], floor), rtol=1e-6)
    assert axes.get_ylabel() == "amplitude [N]"
    assert {8.0, 136.0, 272.0, 408.0} <= set(marks(axes))  # revolution of the motor, teeth and harmonics
    labels = [text.get_text() for text in axes.texts]
    assert "136 Hz" in labels
    assert "16 Hz" in labels
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "teeth: 136, 272, 408 Hz" in legend
    assert any(text.startswith("spans as moving strings: ") for text in legend)
    table = data_spectrum(steady, "span_tension", 1)
    column = "amplitude of span tension of conveyor - motor [N]"
    assert table[column].max() == pytest.approx(20.0, rel=1e-3)
    assert float(table["frequency [Hz]"][table[column].argmax()]) == pytest.approx(136.0)
    assert float(table.set_index("mark")["frequency of the mark [Hz]"]["tooth frequency"]) == pytest.approx(136.0)


def test_scalings_and_highest(steady):
    assert plot_spectrum(steady, "bearing_force", "motor", scaling="density").axes[0].get_ylabel() == (
        "power spectral density [N^2/Hz]"
    )
    assert plot_spectrum(steady, "bearing_force", scaling="rms").axes[0].get_ylabel() == "rms amplitude [N]"
    assert plot_spectrum(steady, highest=50.0).axes[0].get_xlim() == (0.0, 50.0)
    assert plot_spectrum(steady).axes[0].get_ylabel() == "amplitude [mm]"
    assert data_spectrum(steady, highest=50.0)["frequency [Hz]"].max() <= 50.0


def test_a_signal_of_zeros_can_be_drawn(drive, tmp_path):
    still = made_up(drive, TIME, span_tension=np.zeros((TIME.size, 2)))
    plot_spectrum(still, "span_tension").savefig(tmp_path / "a.png", dpi=40)
    plot_waterfall(still, "span_tension").savefig(tmp_path / "b.png", dpi=40)


def test_orders_of_a_run_up(rising):
    """Orders 17 and 2 while the speed goes from 4 to 12 rev/s; seen from the conveyor 38 and 4.47."""
    axes = plot_orders(rising, "span_tension", 1, start=0.0).axes[0]
    found = order_spectrum(rising, "span_tension", 1, start=0.0)
    x, y = curve(axes)
    assert x[int(np.argmax(y))] == pytest.approx(17.0)
    assert y.max() == pytest.approx(20.0, rel=5e-3)
    assert {17.0, 34.0, 51.0, 1.0, round(17 / 38, 2), round(17 / 108, 2)} <= set(marks(axes))
    assert axes.get_xlabel() == "order of motor [cycles per revolution]"
    assert "16 revolutions" in axes.get_title(loc="right")
    assert "240 to 720 rpm" in axes.get_title(loc="right").replace("240.1", "240").replace("719.9", "720")
    table = data_orders(rising, "span_tension", 1, "conveyor", start=0.0)
    at = int(table["amplitude of span tension of conveyor - motor [N]"].argmax())
    assert table["order of conveyor [1]"][at] == pytest.approx(38.0, abs=0.2)
    assert found.revolutions == 16


def test_waterfall_of_a_run_up(rising):
    figure = plot_waterfall(rising, "span_tension", 1, columns=20)
    axes = figure.axes[0]
    assert axes.get_xlabel() == "speed of motor [rpm]"
    found = waterfall(rising, "span_tension", 1, columns=20)
    (mesh,) = (c for c in axes.collections if isinstance(c, QuadMesh))
    shown = np.asarray(mesh.get_array())
    rows = shown.shape[0]
    wanted = found.amplitude[:, 1 : rows + 1].T
    np.testing.assert_allclose(shown, np.maximum(wanted, 1e-3 * wanted.max()), rtol=1e-9)
    lines = {line.label: line.frequency for line in campbell_lines(rising, found.start, found.stop)}
    drawn = [line.get_ydata() for line in axes.lines]
    assert any(np.allclose(y, lines["tooth frequency"]) for y in drawn)
    assert any(np.allclose(y, lines["motor, order 1"]) for y in drawn)
    assert any(np.allclose(y, lines["string 1, conveyor - motor"]) for y in drawn)
    assert not any(np.allclose(y, lines["string 1, motor - conveyor"], rtol=1e-3) for y in drawn)  # not of this span
    table = data_waterfall(rising, "span_tension", 1, columns=20)
    assert table["tooth frequency [Hz]"].count() == 20
    cells = table["amplitude of span tension of conveyor - motor [N]"]
    np.testing.assert_allclose(cells.to_numpy().reshape(20, -1).T, wanted)


def test_waterfall_over_time(steady):
    axes = plot_waterfall(steady).axes[0]
    assert axes.get_xlabel() == "time [s]"


def test_waterfall_of_runs(drive):
    runs = [result(drive, turns * TIME) for turns in (8.0, 6.0, 7.0)]
    axes = plot_waterfall_of_runs(runs, "span_tension", 1).axes[0]
    assert axes.get_xlabel() == "speed of motor [rpm]"
    teeth = [line.get_ydata() for line in axes.lines if np.allclose(line.get_xdata(), [360.0, 420.0, 480.0])]
    assert any(np.allclose(y, [102.0, 119.0, 136.0]) for y in teeth)
    table = data_waterfall_of_runs(runs, "span_tension", 1)
    assert table["tooth frequency [Hz]"].dropna().tolist() == pytest.approx([102.0, 119.0, 136.0])


def test_transmission_error(steady):
    figure = plot_transmission_error(steady)
    found = transmission_error(steady)
    over_time, over_angle, over_orders = figure.axes[:3]
    np.testing.assert_allclose(over_time.lines[0].get_ydata(), found.angle * 1e6)  # 100 microrad
    assert over_time.get_ylabel() == "error [µrad]"
    assert over_angle.get_xlim() == (0.0, 360.0)
    x, y = curve(over_orders)
    assert (x[int(np.argmax(y))], y.max()) == (pytest.approx(17.0), pytest.approx(100.0, rel=1e-3))
    assert figure.get_suptitle() == "Transmission error of conveyor against motor"
    table = data_transmission_error(steady)
    radius = steady.drive.chain.pitch / (2 * np.sin(np.pi / 38))
    angles = table["transmission error at conveyor [rad]"]
    paths = table["transmission error at the pitch circle of conveyor [m]"]
    np.testing.assert_allclose(paths, radius * angles)
    assert table.attrs["peak to peak [rad]"] == pytest.approx(2e-4, rel=1e-3)


def test_transmission_error_of_less_than_a_revolution(steady):
    figure = plot_transmission_error(steady, start=1.0, stop=1.05)
    assert "at least one revolution" in figure.axes[2].texts[0].get_text()
    assert not any("order" in column for column in data_transmission_error(steady, start=1.0, stop=1.05).columns)


@pytest.mark.filterwarnings("ignore:Glyph")  # the font has no Chinese: boxes
def test_names_are_shown_as_they_are(drive, tmp_path):
    """They are not interpreted as mathematics or markup, and none causes an error."""
    odd = override(drive, {"wheels.0.name": "<script>$x_1$", "wheels.1.name": "链条 größer ☃"})
    run = result(odd, 8.0 * TIME)
    figure = plot_transmission_error(run)
    assert figure.get_suptitle() == "Transmission error of 链条 größer ☃ against <script>$x_1$"
    plot_orders(run).savefig(tmp_path / "plot.svg")
    assert "<script>" not in (tmp_path / "plot.svg").read_text(encoding="utf-8")


# On the command line --------------------------------------------------------------------------------------------------


@pytest.fixture
def call(steady, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    steady.save("run.nc")

    def run(*arguments):
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main(["plot", "run.nc", *arguments])
        return ending.value.code, " ".join("".join(capfd.readouterr()).split())

    return run


def test_command_line(call, tmp_path):
    assert call("spectrum", "--channel", "bearing_force", "--index", "conveyor", "--scaling", "rms")[0] == 0
    assert call("orders", "--channel", "span_tension", "--index", "1", "--wheel", "conveyor", "--data", "o.csv")[0] == 0
    assert call("waterfall", "--wheel", "1", "--start", "500 ms")[0] == 0
    assert call("transmission-error", "--wheel", "conveyor")[0] == 0
    for name in MINE:
        assert (tmp_path / f"run-{name}.png").read_bytes().startswith(b"\x89PNG")
    assert "order of conveyor [1]" in (tmp_path / "o.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("spectrum", "--channel", "span_tensions"), "span_tension"),
        (("spectrum", "--channel", "span_tension", "--index", "7"), "spans 0 to 1"),
        (("spectrum", "--channel", "span_tension", "--index", "-1"), "there is no span of this name"),
        (("spectrum", "--wheel", "motor"), "which takes --channel, --index, --start, --stop, --scaling"),
        (("spectrum", "--scaling", "loud"), "amplitude, rms, density"),
        (("orders", "--wheel", "engine"), "motor, conveyor"),
        (("orders", "--start", "soon"), "--start"),
        (("orders", "--start", "1.95 s"), "at least one revolution"),
        (("waterfall", "--start", "5 s"), "no saved instant"),
        (("transmission-error", "--wheel", "motor"), "wheel_1 (got 'motor')"),
        (("spectrums",), "spectrum"),
    ],
)
def test_wrong_command_lines_are_told_why(call, tmp_path, arguments, expected):
    code, said = call(*arguments)
    assert code == 1
    assert expected in said
    assert "Traceback" not in said
    assert not list(tmp_path.glob("*.png"))


def test_problems_are_input_errors(steady):
    for name in MINE[:3]:
        with pytest.raises(InputError, match="nearest"):
            PLOTS[name](steady, "tension_of_spans")
        with pytest.raises(InputError, match="nearest"):
            DATA[name](steady, "tension_of_spans")

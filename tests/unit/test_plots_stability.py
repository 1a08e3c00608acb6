"""The stability map of a span: it shows the results of the analysis, with units and names."""

import matplotlib
import numpy as np
import pytest
from matplotlib.figure import Figure

import chaindrive as cd
from chaindrive.analyses.analytical.operating import operating_point, span_frequencies, span_stability
from chaindrive.analyses.linear.stability import SpanStability
from chaindrive.errors import InputError
from chaindrive.model import override
from chaindrive.plots import plot_drive
from chaindrive.plots.stability import plot_stability


@pytest.fixture(scope="module")
def point():
    return operating_point(cd.example("6s90mc-c"), np.full(4, 80.08e3))


@pytest.fixture(scope="module")
def coarse(point):
    """A map of few points, from 1.6 to 4.4 times the first frequency."""
    first = span_frequencies(point)[0]
    return span_stability(point, 0, first * np.linspace(1.6, 4.4, 57), np.linspace(0.0, 30e3, 7), damping_ratio=0.01)


def texts(figure: Figure) -> str:
    return " ".join(text.get_text() for text in figure.findobj(matplotlib.text.Text))


def test_what_is_drawn(point, coarse):
    settings = matplotlib.rcParams["axes.grid"], matplotlib.rcParams["font.size"]
    figure = plot_stability(point, 0, 0.01, coarse)
    figure.canvas.draw()
    assert (matplotlib.rcParams["axes.grid"], matplotlib.rcParams["font.size"]) == settings
    axes, bar = figure.axes
    assert axes.get_xlim() == pytest.approx((coarse.frequency[0], coarse.frequency[-1]))
    assert axes.get_ylim() == pytest.approx((0.0, 30.0))  # kN
    assert bar.get_ylabel() == "growth of the vibration [1/s]"
    shown = texts(figure)
    for text in ("Stability of span 0, crankshaft - counterweight 2", "80.1 kN", "damping ratio 0.01", "[kN]", "2 f1",
                 "f1 + f2", "order of crankshaft", "one mode, first order"):  # fmt: skip
        assert text in shown
    # The tongue of one mode to first order opens where eps = 4 zeta, at twice the first frequency.
    tongue = next(line for line in axes.lines if line.get_label() == "one mode, first order")
    lowest = tongue.get_xydata()[0]
    first = float(span_frequencies(point)[0])
    speed_ratio = point.chain_speed / np.sqrt(80.08e3 / point.mass_per_length)
    threshold = 0.04 * (1 - speed_ratio**2) / np.sinc(speed_ratio) * 80.08
    assert threshold < lowest[1] < threshold + 5.0  # amplitudes of the map are 5 kN apart
    assert lowest[0] == pytest.approx(2 * first, rel=0.05)
    assert bar.get_ylim()[1] >= coarse.growth.max()


def test_stable_span(point, coarse):
    calm = SpanStability(coarse.frequency, coarse.amplitude, np.full_like(coarse.multiplier, 0.9))
    shown = texts(plot_stability(point, 0, 0.5, calm))
    assert "stable everywhere" in shown
    assert "growth of the vibration" not in shown


def test_drive_that_stands_still(coarse):
    still = override(cd.example("6s90mc-c"), {"wheels.0.motion.speed": 0.0})
    shown = texts(plot_stability(operating_point(still, np.full(4, 80.08e3)), 0, 0.01, coarse))
    assert "order of" not in shown
    assert "chain speed 0 m/s" in shown


def test_span_that_does_not_exist(point):
    with pytest.raises(InputError, match="span of the drive, 0 to 3"):
        plot_stability(point, 4)


def test_names_are_no_mathematics(coarse):
    """A name with dollar signs is shown unchanged, in this and in other plots."""
    named = override(cd.example("6s90mc-c"), {"wheels.0.name": "a $\\frac$ b"})
    for figure in (plot_stability(operating_point(named, np.full(4, 80.08e3)), 0, 0.01, coarse), plot_drive(named)):
        figure.canvas.draw()
        assert "a $\\frac$ b" in texts(figure)

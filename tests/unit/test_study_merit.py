"""Figures of merit of signals of known answer: every reduction, over a window, with a factor."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba.core import config

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.model.limits import VERDICT_FINDINGS
from chaindrive.model.study.description import FigureOfMerit
from chaindrive.results import Solution
from chaindrive.studies.merit import Measured, NotKnownError, evaluate, prepare_figures
from support.made_run import changed, solution_of
from support.shared_runs import SharedRuns

TIME = np.linspace(0.0, 2.0, 2001)


@pytest.fixture(scope="module")
def run() -> cd.Solution:
    """Span tension 3 + 4 sin(2 pi 5 t) N in the second second, 100 N before it; the other spans have none."""
    drive = cd.example("industrial-08b")
    tension = np.zeros((TIME.size, len(drive.wheels)))
    tension[:, 0] = np.where(TIME < 1.0, 100.0, 3.0 + 4.0 * np.sin(2.0 * math.pi * 5.0 * TIME))
    return solution_of(drive, TIME, {"span_tension": tension})


@pytest.mark.parametrize(
    ("reduce", "expected"),
    [
        ("max", 7.0),
        ("min", -1.0),
        ("mean", 3.0),
        ("rms", math.sqrt(3.0**2 + 4.0**2 / 2.0)),
        ("range", 8.0),
        ("last", 3.0),
        ("peak_frequency", 5.0),
    ],
)
def test_a_reduction_is_that_of_the_window(run: cd.Solution, reduce: str, expected: float) -> None:
    """1.0 to 1.999 s are five whole periods of a thousand rows; the factor 2 represents another unit."""
    stop = TIME[-1] if reduce == "last" else 1.999
    figure = Measured("span_tension", (0,), reduce, 1.0, stop, 2.0, (0.0, math.inf))
    assert evaluate(figure, run) == pytest.approx(2.0 * expected, rel=1e-3 if reduce == "peak_frequency" else 1e-9)


@pytest.mark.parametrize(
    ("channel", "unit", "si"),
    [
        ("wheel_speed", "1/min", 2 * math.pi / 60),
        ("wheel_speed", "min^-1", 2 * math.pi / 60),
        ("wheel_torque", "in-lb", 0.1129848290276167),
        ("wheel_torque", "lb ft", 1.3558179483314004),
    ],
)
def test_a_unit_is_that_of_the_quantity_of_the_channel(channel: str, unit: str, si: float) -> None:
    """23 of the unit as measured, in a figure, and as the difference from a measured curve of 20 in the same unit."""
    drive = cd.example("industrial-08b")
    run = solution_of(drive, TIME, {channel: np.full((TIME.size, len(drive.wheels)), 23.0 * si)})
    curve = {"times": [0.0, 2.0], "values": [20.0, 20.0], "unit": unit}
    for reduce, measured, expected in (("mean", None, 23.0), ("rms_difference", curve, 3.0)):
        figure = FigureOfMerit(name="x", channel=channel, item=0, reduce=reduce, unit=unit, measured=measured)
        prepared, _ = prepare_figures([figure], list(run.channels.values()), run.labels)
        assert evaluate(prepared[0], run) == pytest.approx(expected, rel=1e-12)


def test_both_ends_belong_to_the_window(run: cd.Solution) -> None:
    before = Measured("span_tension", (0,), "max", 0.999, 1.5, 1.0, (0.0, math.inf))
    assert evaluate(before, run) == 100.0
    assert evaluate(before._replace(start=1.0), run) == pytest.approx(7.0)


# ---- extremes between the stored instants


@pytest.fixture(scope="module")
def between() -> Solution:
    """Links at 10 N, the second half of the run at 20 N; between two rows link 2 has 50 N, before it -5 N. The
    bearing forces are vectors, of whose magnitudes the largest are stored.
    """
    drive = cd.example("industrial-08b")
    tension = np.full((TIME.size, drive.chain.links), 10.0)
    tension[TIME >= 1.0] = 20.0
    largest, smallest = tension.copy(), tension.copy()
    largest[1500, 2], smallest[1400, 2] = 50.0, -5.0
    force = np.zeros((TIME.size, 2, 2))
    force[:, 0] = 3.0, 4.0
    return solution_of(
        drive,
        TIME,
        {
            "link_tension": tension,
            "link_tension_max": largest,
            "link_tension_min": smallest,
            "bearing_force": force,
            "bearing_force_max": np.full((TIME.size, 2), 7.0),
        },
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"reduce": "max"}, 50.0),
        ({"reduce": "min"}, -5.0),
        ({"reduce": "range"}, 55.0),
        ({"reduce": "max", "item": 1}, 20.0),
        ({"reduce": "max", "stop": 1.4}, 20.0),
        ({"reduce": "mean", "start": 1.0}, 20.0),
        ({"reduce": "max", "channel": "bearing_force"}, 4.0),
        ({"reduce": "max", "channel": "bearing_force_max"}, 7.0),
        ({"reduce": "max", "divide_by_channel": {"channel": "link_tension", "item": 2, "reduce": "min"}}, -10.0),
        ({"reduce": "max", "divide_by_channel": {"channel": "link_tension", "item": 2}}, 1.0),
    ],
)
def test_extremes_are_those_of_all_steps_where_they_are_stored(
    between: Solution, given: dict[str, object], expected: float
) -> None:
    figure = FigureOfMerit(name="x", **({"channel": "link_tension"} | given))
    (made,), _ = prepare_figures([figure], tuple(between.channels.values()), between.labels)
    assert evaluate(made, between) == expected


def test_a_run_keeps_the_extremes_that_a_figure_needs(between: Solution) -> None:
    def kept(reduce: str) -> set[str]:
        figure = FigureOfMerit(name="x", channel="link_tension", reduce=reduce)
        (made,), _ = prepare_figures([figure], tuple(between.channels.values()), between.labels)
        return set(made.channels)

    assert kept("mean") == {"link_tension"}
    assert kept("max") == {"link_tension", "link_tension_max"}
    assert kept("range") == {"link_tension", "link_tension_max", "link_tension_min"}


# ---- ratios of channels


@pytest.fixture(scope="module")
def two() -> Solution:
    """Span tensions 10 and 4 N with fluctuations in phase, speeds whose ratio is 2 + cos, torques of 3 N m."""
    drive = cd.example("industrial-08b")
    wave = np.sin(2.0 * math.pi * 5.0 * TIME)
    tension = np.stack([10.0 + 5.0 * wave, 4.0 + 2.0 * wave], axis=1)
    slow = 20.0 + wave
    speed = np.stack([(2.0 + 0.1 * np.cos(2.0 * math.pi * 5.0 * TIME)) * slow, slow], axis=1)
    torque = np.stack([np.full(TIME.size, 3.0), np.zeros(TIME.size)], axis=1)
    return solution_of(drive, TIME, {"span_tension": tension, "wheel_speed": speed, "wheel_torque": torque})


def ratio(run: Solution, channel: str, item: object, reduce: str, by: dict[str, object], **given: object) -> tuple:
    """Number and unit of a ratio over whole periods."""
    figure = FigureOfMerit(
        name="x", channel=channel, item=item, reduce=reduce, divide_by_channel=by, start=1.0, stop=1.999, **given
    )
    made, units = prepare_figures([figure], tuple(run.channels.values()), run.labels)
    assert set(made[0].channels) == {channel, by["channel"]}
    return evaluate(made[0], run), units[0]


def test_a_ratio_of_two_reduced_channels(two: Solution) -> None:
    """Largest of one span over the mean of the other: 15 N / 4 N."""
    by = {"channel": "span_tension", "item": 1, "reduce": "mean"}
    assert ratio(two, "span_tension", 0, "max", by) == (pytest.approx(15.0 / 4.0, rel=1e-6), "1")
    assert ratio(two, "span_tension", 0, "max", by, unit="%") == (pytest.approx(375.0, rel=1e-6), "%")


def test_a_ratio_at_every_instant(two: Solution) -> None:
    """The range of the transmission ratio is that of its cosine, though both speeds fluctuate."""
    by = {"channel": "wheel_speed", "item": "conveyor"}
    assert ratio(two, "wheel_speed", "motor", "range", by) == (pytest.approx(0.2, rel=1e-6), "1")
    assert ratio(two, "wheel_speed", "motor", "mean", by) == (pytest.approx(2.0, rel=1e-6), "1")
    both = ratio(two, "span_tension", "all", "max", {"channel": "span_tension", "item": 1})
    assert both == (pytest.approx(2.5, rel=1e-9), "1")


def test_the_unit_of_a_ratio_of_two_kinds(two: Solution) -> None:
    """3 N m over 15 N, an arm of 0.2 m, as such or in millimetres."""
    by = {"channel": "span_tension", "item": 0, "reduce": "max"}
    assert ratio(two, "wheel_torque", "motor", "max", by) == (pytest.approx(0.2, rel=1e-6), "N m/N")
    assert ratio(two, "wheel_torque", "motor", "max", by, unit="mm") == (pytest.approx(200.0, rel=1e-6), "mm")


def test_division_by_zero_is_a_number_that_is_not_known(two: Solution) -> None:
    with pytest.raises(NotKnownError, match="zero"):
        ratio(two, "wheel_torque", "motor", "max", {"channel": "wheel_torque", "item": "conveyor"})


@pytest.mark.parametrize(
    ("by", "place", "said"),
    [
        ({"channel": "span_tensions"}, "divide_by_channel.channel", "span_tension"),
        ({"channel": "span_tension"}, "divide_by_channel.item", "one item"),
        ({"channel": "span_tension", "item": 7, "reduce": "max"}, "divide_by_channel.item", "0 to 1"),
    ],
)
def test_a_divisor_that_does_not_fit(two: Solution, by: dict[str, object], place: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        ratio(two, "wheel_speed", 0, "max", by)
    (problem,) = caught.value.problems
    assert problem.place == f"figures_of_merit[0].{place}"
    assert said in problem.message


# ---- findings of the verdict


@pytest.fixture(scope="module")
def real(shared_runs: SharedRuns) -> Solution:
    if config.DISABLE_JIT:
        pytest.skip("minutes in plain Python")
    run = shared_runs.run("industrial-08b", 0.5)
    return changed(run, {"limits": {"motor_power": "5 kW"}})  # with the tiles of a conveyor


@pytest.mark.parametrize("key", [key for key in VERDICT_FINDINGS if key not in ("slip", "thrust_ratio")])
def test_a_finding_is_the_number_of_its_tile(real: Solution, key: str) -> None:
    """It needs no more channels than the figure requests."""
    figure = FigureOfMerit(name="x", finding=key)
    made, units = prepare_figures([figure], tuple(real.channels.values()), real.labels)
    assert units == [VERDICT_FINDINGS[key] or "1"]
    kept = {*made[0].channels, *(n for n, channel in real.channels.items() if n.startswith(("work_", "energy_")))}
    table = {name: real.values(name) for name in real.channels if name in kept}
    alone = solution_of(real.drive, real.time, table, dict(real.attrs))
    wanted = {each.key: each for each in real.verdict.findings}[key]
    assert wanted.unit == VERDICT_FINDINGS[key]
    assert evaluate(made[0], alone) == pytest.approx(wanted.value, rel=1e-12)


def test_a_finding_of_a_window_and_in_percent(real: Solution) -> None:
    figure = FigureOfMerit(name="x", finding="efficiency", unit="%", start="200 ms", stop="300 ms")
    made, units = prepare_figures([figure], tuple(real.channels.values()), real.labels)
    wanted = {each.key: each.value for each in real.verdict_of(0.2, 0.3).findings}["efficiency"]
    assert (evaluate(made[0], real), units) == (pytest.approx(100.0 * wanted), ["%"])


def test_a_finding_that_is_not_known_says_why(run: cd.Solution) -> None:
    made, _ = prepare_figures([FigureOfMerit(name="x", finding="efficiency")], tuple(run.channels.values()), {})
    with pytest.raises(NotKnownError, match="work"):
        evaluate(made[0], run)

"""The numbers behind every plot: a figure draws the values of its DataFrame, in SI units."""

import inspect

import numpy as np
import pandas
import pytest
from matplotlib.collections import EllipseCollection, LineCollection, PolyCollection

import chaindrive as cd
from chaindrive import plots
from chaindrive.analyses.analytical.operating import operating_point, span_frequencies, span_stability
from chaindrive.drawing.scene import scene_of
from chaindrive.errors import InputError
from chaindrive.model.study.description import Study
from chaindrive.plot_names import OF_A_VARIATOR
from chaindrive.plots import (
    DATA,
    PLOTS,
    data_contact_force,
    data_drive,
    data_energy,
    data_link_tension,
    data_overview,
    data_span,
    data_tension_around,
    plot_contact_force,
    plot_drive,
    plot_energy,
    plot_link_tension,
    plot_overview,
    plot_span,
    plot_tension_around,
)
from chaindrive.plots.stability import data_stability, plot_stability
from chaindrive.plots.study import data_study, plot_study
from chaindrive.plots.tables import side_by_side, table, tables_of
from chaindrive.studies.table import Row, StudyTable
from support.drawn_drives import every_part, marine
from support.plotted_run import RATE, TIME, plotted_run


@pytest.fixture(scope="module")
def run():
    return plotted_run()


def same(line, frame, x, y, factor=1.0):
    """Assert that a line of a figure equals two columns of a table, times the factor of the unit's prefix."""
    rows = frame[[x, y]].dropna()
    np.testing.assert_allclose(line.get_xdata(), rows[x])
    np.testing.assert_allclose(line.get_ydata(), rows[y].to_numpy(dtype=float) * factor)


def arguments(function):
    return [(p.name, p.default) for p in inspect.signature(function).parameters.values()]


def test_every_plot_has_its_data_with_the_same_arguments(run):
    assert list(DATA) == list(PLOTS)
    for name, data in DATA.items():
        assert arguments(data) == arguments(PLOTS[name]), name
        assert data.__name__ == PLOTS[name].__name__.replace("plot_", "data_")
        assert getattr(plots, data.__name__) is data
        if name in OF_A_VARIATOR:  # tests/verification/test_variator_results.py
            continue
        frame = data(run)
        assert isinstance(frame, pandas.DataFrame)
        assert len(frame)
        for column in frame.columns:
            if frame[column].dtype.kind == "f":
                assert "[" in column, f"{name}: {column} has no unit"
    assert arguments(data_drive) == arguments(plot_drive)
    assert arguments(data_stability) == arguments(plot_stability)
    assert arguments(data_study) == arguments(plot_study)


def test_arguments_are_described_in_both(run):
    """``draws`` and ``tabulates`` add the description of the arguments, once, to the docstring of each function."""
    for draw, data in ((plot_span, data_span), (plot_link_tension, data_link_tension), (plot_drive, data_drive)):
        own, common = inspect.getdoc(draw), inspect.getdoc(data).partition("\n\n")[2].rpartition("\n\n")[2]
        assert own.endswith(common)
        assert "\n\n" in own
        assert inspect.getdoc(data).partition("\n\n")[0] not in own
    assert inspect.signature(plot_span).return_annotation == "Figure"
    assert inspect.signature(data_span).return_annotation == "DataFrame"
    with pytest.raises(InputError, match="2 problems"):
        data_span(run, start="soon", stop="later")


def test_speeds(run):
    figure, frame = PLOTS["speeds"](run), DATA["speeds"](run)
    upper, lower = figure.axes
    names = [wheel.name for wheel in run.drive.wheels]
    for line, name in zip(upper.lines, names, strict=True):
        same(line, frame, "time [s]", f"speed of {name} [rad/s]", 30.0 / np.pi)
    others = [line for line in lower.lines if len(line.get_xdata()) == len(frame)]
    for line, name in zip(others, names[1:], strict=True):
        same(line, frame, "time [s]", f"deviation of {name} from the mean ratio [1]", 100.0)


def test_link_tension(run):
    frame = data_link_tension(run, link=7, start=0.4, stop=1.4)
    (line,) = plot_link_tension(run, link=7, start=0.4, stop=1.4).axes[0].lines
    same(line, frame, "time [s]", "tension of link 7 [N]", 1e-3)
    # on a wheel while both rollers of the link are
    body = run["contact_surface"].sel(time=slice(0.4 - 1e-9, 1.4 + 1e-9)).values
    names = [wheel.name for wheel in run.drive.wheels]
    both = [names[int(a)] if a == b and a >= 0 else "" for a, b in zip(body[:, 7], body[:, 8], strict=True)]
    assert list(frame["on"]) == both
    assert {"", *names} >= set(both) != {""}


def test_contact_force(run):
    frame = data_contact_force(run, roller=5, start=0.5, stop=1.4)
    (line,) = plot_contact_force(run, roller=5, start=0.5, stop=1.4).axes[0].lines
    same(line, frame, "time [s]", "contact force of roller 5 [N]", 1e-3)
    np.testing.assert_array_equal(frame["on"] != "", frame["contact force of roller 5 [N]"] > 0.0)


def test_span(run):
    frame = data_span(run, span=3, start=0.5, stop=1.5)
    above, below = plot_span(run, span=3, start=0.5, stop=1.5).axes
    same(above.lines[0], frame, "time [s]", "displacement of counterweight 4 - crankshaft [m]", 1e3)
    same(below.lines[0], frame, "frequency [Hz]", "amplitude of counterweight 4 - crankshaft [m]", 1e3)
    marks = [line.get_xdata()[0] for line in below.lines if len(line.get_xdata()) == 2]
    strings, tooth = frame["frequency of the moving string [Hz]"].dropna(), frame["tooth frequency [Hz]"].dropna()
    np.testing.assert_allclose(sorted(marks), sorted([*strings, *tooth]))
    assert tooth.iloc[0] == pytest.approx(120.0)


def test_tension_around(run):
    frame = data_tension_around(run, time=1.2)
    drawing, along = plot_tension_around(run, time=1.2).axes[:2]
    (bars,) = (c for c in drawing.collections if isinstance(c, LineCollection) and c.get_array() is not None)
    np.testing.assert_allclose(bars.get_array(), frame["tension [N]"] / 1e3)
    ends = frame[["x [m]", "y [m]", "x of its end [m]", "y of its end [m]"]].to_numpy().reshape(-1, 2, 2)
    np.testing.assert_allclose(np.array(bars.get_segments()), ends)
    ordered = frame.sort_values("position along the loop [pitches]")
    same(along.lines[0], ordered, "position along the loop [pitches]", "tension [N]", 1e-3)
    names = [*(wheel.name for wheel in run.drive.wheels), ""]
    body = run["contact_surface"].isel(time=round(1.2 * RATE)).values.astype(int)
    assert list(frame["on"]) == [names[b] for b in body]
    assert frame.attrs["time [s]"] == pytest.approx(1.2)


def test_overview(run):
    frame = data_overview(run, span=3, roller=5)
    figure = plot_overview(run, span=3, roller=5)
    panels = {axes.get_title(loc="left").split(",")[0]: axes for axes in figure.axes}
    lines = panels["Span tensions"].lines
    assert [line.get_label() for line in lines] == list(run.drive.span_names)
    for line in lines:
        same(line, frame, "time [s]", f"mean tension of {line.get_label()} [N]", 1e-3)
    same(
        panels["Middle of span 3"].lines[0],
        frame,
        "time [s] (2)",
        "displacement of counterweight 4 - crankshaft [m]",
        1e3,
    )
    same(panels["Contact force of roller 5"].lines[0], frame, "time [s] (3)", "contact force of roller 5 [N]", 1e-3)
    links = frame["tension [N]"].dropna()
    np.testing.assert_allclose(links, run["link_tension"].isel(time=-1))
    assert list(frame["link"].dropna()) == list(range(len(links)))


def test_energy(run):
    frame = data_energy(run)
    assert frame["time [s]"].tolist() == TIME.tolist()
    prefixes = {"work": "work", "Losses": "lost in", "change": "stored as"}
    drawn = 0
    for axes in plot_energy(run).axes[:3]:
        title = axes.get_title(loc="left")
        for line in axes.lines:
            label = line.get_label()
            head = prefixes["Losses"] if title == "Losses" else prefixes[axes.get_ylabel().split(" [")[0]]
            name = f"{head} {label} energy [J]" if head == "stored as" else f"{head} {label} [J]"
            factor = {"J": 1.0, "kJ": 1e-3, "mJ": 1e3}[axes.get_ylabel().split("[")[1].rstrip("]")]
            same(line, frame, "time [s]", name, factor)
            drawn += 1
    assert drawn == len(frame.columns) - 2  # all but time and the residual
    np.testing.assert_allclose(frame["residual [J]"], run["energy_residual"])


@pytest.mark.parametrize("make", [marine, every_part])
def test_drive(make):
    drive = make()
    frame, axes = data_drive(drive), plot_drive(drive).axes[0]

    def points(part):
        return frame[frame["part"] == part]

    (rollers,) = (c for c in axes.collections if isinstance(c, EllipseCollection))
    np.testing.assert_allclose(rollers.get_offsets(), points("roller")[["x [m]", "y [m]"]])
    assert set(points("roller")["radius [m]"]) == {0.5 * drive.chain.roller_diameter}
    outlines = next(c for c in axes.collections if isinstance(c, PolyCollection)).get_paths()
    teeth = points("tooth outline")
    for w, wheel in enumerate(drive.wheels):
        np.testing.assert_allclose(outlines[w].vertices[:-1], teeth[teeth["number"] == w][["x [m]", "y [m]"]])
        assert set(teeth[teeth["number"] == w]["name"]) == {wheel.name}
    assert list(points("guide")["name"].unique()) == [guide.name for guide in drive.guides]
    assert set(points("body")["name"]) <= {body.name for body in drive.bodies}
    assert list(points("tensioner")["name"].unique()) == [t.name for t in drive.tensioners]
    way = scene_of(drive).route
    np.testing.assert_allclose(points("span")[["x [m]", "y [m]"]].iloc[0], way.span_start[0])


def test_stability():
    point = operating_point(cd.example("6s90mc-c"), np.full(4, 80.08e3))
    first = span_frequencies(point)[0]
    coarse = span_stability(point, 0, first * np.linspace(1.6, 4.4, 29), np.linspace(0.0, 30e3, 4), damping_ratio=0.01)
    frame = data_stability(point, 0, 0.01, coarse)
    assert len(frame) == 29 * 4
    grown = frame.pivot(index="amplitude [N]", columns="frequency [Hz]", values="growth [1/s]")
    np.testing.assert_allclose(grown.to_numpy(), coarse.growth)
    np.testing.assert_allclose(grown.columns, coarse.frequency)
    tongue = next(line for line in plot_stability(point, 0, 0.01, coarse).axes[0].lines if line.get_label()[0] == "o")
    edges = frame.groupby("amplitude [N]")["lower edge of one mode [Hz]"].first().dropna()
    np.testing.assert_allclose(tongue.get_xdata(), edges)
    np.testing.assert_allclose(tongue.get_ydata(), edges.index / 1e3)
    upper = frame["upper edge of one mode [Hz]"].dropna()
    assert (upper > frame["lower edge of one mode [Hz]"].dropna()).all()


def test_study():
    fields = {
        "name": "loads",
        "drive": "industrial-08b",
        "parameters": [{"name": "load", "unit": "N*m", "values": [20, 30], "set": "wheels.1.load.torque"}],
        "figures_of_merit": [{"name": "largest", "channel": "link_tension", "reduce": "max"}],
    }
    study = Study.from_dict(fields)
    curve = study.curves[0].name
    rows = [
        Row(1, curve, (30.0,), (900.0,), "REACHED_END", "", 1.0, 1.0, 9),
        Row(0, curve, (20.0,), (800.0,), "REACHED_END", "", 1.0, 1.0, 9),
    ]
    found = StudyTable(study, ["N"], rows, 2)
    frame = data_study(found)
    (line,) = plot_study(found).axes[0].lines
    same(line, frame, "load [N*m]", "largest [N]")
    assert list(frame["line"]) == [line.get_label()] * 2
    assert frame["largest [N]"].tolist() == [800.0, 900.0]


def test_tables_side_by_side():
    left = table({"time [s]": [0.0, 1.0, 2.0], "on": ["a", "b", ""]})
    right = table({"time [s]": np.float32([0.5]), "link": [3]}, remark="r")
    both = side_by_side(first=left, the_second=right)
    assert list(both.columns) == ["time [s]", "on", "time [s] (2)", "link"]
    assert both["link"].dropna().tolist() == [3]
    assert both["time [s] (2)"].tolist()[0] == 0.5
    assert np.isnan(both["time [s] (2)"].iloc[2])
    assert both.attrs["remark"] == "r"
    assert right["time [s]"].dtype == np.float64


def test_tables_come_apart_again():
    left = table({"time [s]": [0.0, 1.0, 2.0], "on": ["a", "b", ""]}, step=2)
    right = table({"time [s]": [0.5], "link": [3]}, remark="r")
    apart = tables_of(side_by_side(first=left, the_second=right))
    assert list(apart) == ["first", "the-second"]
    assert apart["first"].to_dict("list") == left.to_dict("list")
    assert apart["the-second"].to_dict("list") == right.to_dict("list")
    assert (apart["first"].attrs, apart["the-second"].attrs) == ({"step": 2}, {"remark": "r"})
    assert list(tables_of(left)) == [""]
    assert tables_of(left)[""] is left

"""The Python interface: files and units in simulate, progress, plots and peaks of a result, errors that help."""

import contextlib
import copy
import inspect
import io
import math
import pickle

import numpy as np
import pytest
from PIL import Image

import chaindrive as cd
from chaindrive import notebook
from chaindrive.analyses.analytical.operating import operating_point
from chaindrive.analyses.results.extremes import extremes
from chaindrive.analyses.results.loop import link_load, tension_envelope
from chaindrive.analyses.results.losses import losses
from chaindrive.analyses.signals.waterfall import waterfall
from chaindrive.errors import InputError
from chaindrive.export.dxf import write_dxf
from chaindrive.export.film import write_film
from chaindrive.export.matlab import write_matlab
from chaindrive.export.svg import write_svg
from chaindrive.export.tables import write_table
from chaindrive.model import example_names, example_path
from chaindrive.model.files.drives import drive_of
from chaindrive.plots import PLOTS, data_span
from chaindrive.simulation import progress
from chaindrive.simulation import simulate as simulation
from support.moving_run import moving_run

BLOCK = {"formulation": "block", "progress": False}


@pytest.fixture(scope="module")
def solution():
    return moving_run()


@pytest.mark.parametrize("given", ["industrial-08b", "path", "drive"])
def test_a_drive_may_be_a_file_or_the_name_of_an_example(given):
    known = {"path": example_path("industrial-08b"), "drive": cd.example("industrial-08b")}
    solution = cd.simulate(known.get(given, given), until="10 ms", **BLOCK)
    assert solution.time[-1] == pytest.approx(0.01)
    assert solution.name == cd.example("industrial-08b").name


def test_a_name_that_is_nothing_is_answered_with_the_examples():
    with pytest.raises(InputError, match="neither a file nor an example") as error:
        cd.simulate("nosuch", **BLOCK)
    assert all(name in str(error.value) for name in example_names())
    with pytest.raises(InputError, match="did you mean 'timing-06b'") as error:
        cd.simulate("timing-06c", **BLOCK)
    assert "6l60mc" not in str(error.value)
    with pytest.raises(InputError, match="must be a Drive, the path of a drive file, or the name of an example"):
        cd.simulate(3, **BLOCK)


@pytest.mark.parametrize("until", ["soon", "2 kg", "-1 s", 0, math.inf, True])
def test_an_end_that_is_none(until):
    with pytest.raises(InputError, match=r"until: must be a finite time above zero, such as 2 \(in seconds\)"):
        cd.simulate("industrial-08b", until=until, **BLOCK)


def test_misspelt_arguments_are_answered_with_the_nearest(solution):
    with pytest.raises(InputError, match="untill: is not an argument of simulate; did you mean 'until'"):
        cd.simulate("industrial-08b", untill=2.0)
    with pytest.raises(InputError, match="zzz: is not an argument of simulate; available: drive, until"):
        cd.simulate("industrial-08b", zzz=2.0)
    with pytest.raises(InputError, match="lnk: is not an argument of link_tension; did you mean 'link'"):
        solution.plot.link_tension(lnk=3)


def test_progress_shows_itself_where_asked_for_only(capsys, monkeypatch):
    monkeypatch.setattr(progress, "REPORT_INTERVAL", 0.0)
    cd.simulate("industrial-08b", until="10 ms", formulation="block")  # nobody looks on
    cd.simulate("industrial-08b", until="10 ms", formulation="block", progress=False)
    assert capsys.readouterr().err == ""
    cd.simulate("industrial-08b", until="10 ms", formulation="block", progress=True)
    assert "t = 0.010 of 0.01 s (100 %)" in capsys.readouterr().err


def test_the_forecast_leaves_out_the_first_batch():
    forecast = simulation._Forecast(until=10.0)
    assert forecast.of(60.0, 1.0, 100)[0] == math.inf  # a minute of compiling says nothing
    left, rate = forecast.of(61.0, 2.0, 300)
    assert (left, rate) == (pytest.approx(8.0), pytest.approx(200.0))
    assert progress.forecast(progress.Progress(2.0, 10.0, 300, 61.0, left, rate)) == "200 steps/s, 8.0 s left"
    assert simulation._Forecast(10.0).of(5.0, 10.0, 50)[0] == 0.0


def test_items_of_a_channel_by_name_and_number(solution):
    name = solution.items("wheel_speed")[1]
    assert (solution["wheel_speed", name] == solution["wheel_speed"][:, 1]).all()
    assert (solution["link_tension", -1] == solution["link_tension"][:, -1]).all()
    with pytest.raises(InputError, match=f"has no item with this name; did you mean '{name}'"):
        solution["wheel_speed", name[:-1]]
    with pytest.raises(InputError, match="has no item with this name; available:"):
        solution["wheel_speed", "xyz"]
    with pytest.raises(InputError, match="has the items 0 to"):
        solution["link_tension", 10_000]
    with pytest.raises(InputError, match="has one value per instant"):
        solution["energy_residual", 0]


def test_numbers_of_numpy_are_numbers(solution):
    assert (solution["link_tension", np.int64(3)] == solution["link_tension"][:, 3]).all()
    short = cd.simulate("industrial-08b", np.float32(0.001), **BLOCK)
    assert short.time[-1] == pytest.approx(1e-3)
    for wrong in (True, 3.0, None):
        with pytest.raises(InputError, match="has no item with this name"):
            solution["link_tension", wrong]
    with pytest.raises(InputError, match="must be a whole number from 2"):
        cd.repeat(short, np.int64(1))


def test_values_of_an_item_by_name_and_number(solution):
    name = solution.items("wheel_speed")[1]
    second = solution.values("wheel_speed")[:, 1]
    for item in (name, 1, np.int64(1), 1 - len(solution.items("wheel_speed"))):
        assert (solution.values("wheel_speed", item=item) == second).all()
    for wrong in (name[:-1], 10_000, 1.5):
        with pytest.raises(InputError, match=r"has no item|has the items"):
            solution.values("wheel_speed", item=wrong)


STUDY = {
    "name": "loads",
    "drive": "6l60mc",
    "figures_of_merit": [{"name": "largest", "channel": "span_tension", "reduce": "max"}],
}
SWEPT = STUDY | {"parameters": [{"name": "load", "values": [10, 20], "set": "wheels.1.load_torque"}]}
SEARCHED = STUDY | {
    "minimise": "largest",
    "variables": [{"name": "load", "least": 10, "most": 20, "set": "wheels.1.load_torque"}],
}


def test_a_study_of_a_drive_given_by_name():
    short = {"run.formulation.kind": "block", "run.until": 0.002}
    table = cd.run_study(cd.Study(**SWEPT, set=short), drive="industrial-08b", workers=1)
    assert [row.failed for row in table.rows] == [False, False]


@pytest.mark.parametrize(
    ("call", "place"),
    [
        (lambda: cd.run_study({}), "study"),
        (lambda: cd.optimise({}), "study"),
        (lambda: cd.run_study(cd.Optimisation(**SEARCHED)), "minimise"),
        (lambda: cd.optimise(cd.Study(**SWEPT)), "minimise"),
        (lambda: cd.run_study(cd.Study(**SWEPT), drive=3), "drive"),
        (lambda: cd.optimise(cd.Optimisation(**SEARCHED), drive={}), "drive"),
        (lambda: cd.compare(3), "drive"),
        (lambda: cd.load(cd.example("industrial-08b")), "path"),
        (lambda: cd.open(3), "path"),
        (lambda: cd.repeat("run.nc"), "solution"),
        (lambda: cd.simulate("industrial-08b", machines=["engine"], **BLOCK), "machines"),
        (lambda: cd.simulate("industrial-08b", allow_machines=5, **BLOCK), "allow_machines"),
        (lambda: cd.simulate("industrial-08b", observe=5, **BLOCK), "observe"),
        (lambda: cd.simulate("industrial-08b", forecast="f", **BLOCK), "forecast"),
        (lambda: cd.simulate("industrial-08b", until=np.ones(2), **BLOCK), "until"),
        (lambda: cd.simulate("industrial-08b", output=5, **BLOCK), "output"),
        (lambda: cd.simulate("industrial-08b", allow_machines=[5], **BLOCK), "allow_machines"),
        (lambda: cd.write_fmu("industrial-08b", None), "output"),
        (lambda: cd.write_fmu("industrial-08b", "x.fmu", inputs=5), "inputs"),
        (lambda: cd.write_fmu("industrial-08b", "x.fmu", inputs="wheel.torque"), "--input"),
        (lambda: cd.run_study(cd.Study(**SWEPT), output=5), "output"),
        (lambda: cd.optimise(cd.Optimisation(**SEARCHED), output=b"out"), "output"),
        (lambda: cd.run_study(cd.Study(**SWEPT), workers=0), "workers"),
        (lambda: cd.run_study(cd.Study(**SWEPT), workers="2"), "workers"),
        (lambda: cd.optimise(cd.Optimisation(**SEARCHED), workers=1.5), "workers"),
        (lambda: cd.run_study(cd.Study(**SWEPT), cluster=5), "cluster"),
        (lambda: cd.compare("industrial-08b", 5), "formulations"),
        (lambda: cd.compare("industrial-08b", outputs={"link": "run.nc"}), "outputs"),
        (lambda: cd.compare("industrial-08b", outputs=5), "outputs"),
        (lambda: write_dxf(cd.example("industrial-08b"), 5), "path"),
        (lambda: write_svg(cd.example("industrial-08b"), None), "path"),
        (lambda: operating_point(cd.example("industrial-08b"), [1.0, 2.0, 3.0]), "tension"),
        (lambda: operating_point(cd.example("industrial-08b"), ["5 N", "3 N"]), "tension"),
    ],
)
def test_arguments_of_another_kind_are_told_by_name(call, place):
    with pytest.raises(InputError) as error:
        call()
    assert [problem.place for problem in error.value.problems] == [place]


@pytest.mark.parametrize(
    ("call", "place"),
    [
        (lambda run: run.save(5), "path"),
        (lambda run: cd.write_report(run, None), "path"),
        (lambda run: cd.write_report(5, "run.html"), "results[0]"),
        (lambda run: cd.write_report(run, "run.html", start="soon"), "start"),
        (lambda run: write_table(run, 5), "path"),
        (lambda run: write_table(run, "run.csv", channels=5), "channels"),
        (lambda run: write_table(run, "run.csv", channels=[5]), "channels"),
        (lambda run: write_table(run, "run.csv", every=1.5), "every"),
        (lambda run: write_matlab(run, "run.mat", stop="2 kg"), "stop"),
        (lambda run: write_film(run, 5), "path"),
        (lambda run: run[()], "channel"),
        (lambda run: run.values("wheel_speed", "crankshaft"), "rows"),
        (lambda run: run.values("wheel_speed", 1.5), "rows"),
        (lambda run: link_load(run, "3"), "link"),
        (lambda run: losses(run, stop="2 kg"), "stop"),
        (lambda run: run.plot.transmission_error(window="foo"), "window"),
    ],
)
def test_arguments_of_another_kind_for_a_result_are_told_by_name(call, place, solution):
    with pytest.raises(InputError) as error:
        call(solution)
    assert [problem.place for problem in error.value.problems] == [place]


def test_analyses_exports_and_reports_take_times_with_units(solution, tmp_path):
    begin, end = float(solution.time[4]), float(solution.time[-4])
    texts = {"start": f"{1e3 * begin} ms", "stop": f"{end} s"}
    for analysis in (extremes, losses, tension_envelope):
        assert repr(analysis(solution, **texts)) == repr(analysis(solution, begin, end))
    instant = solution["wheel_speed"].time[4]  # without dimensions, as numpy and xarray give it
    assert repr(losses(solution, instant, np.array(end))) == repr(losses(solution, begin, end))
    assert solution.plot.losses(start=instant)
    wanted = waterfall(solution, "wheel_speed", columns=2, duration=0.5 * (end - begin))
    found = waterfall(solution, "wheel_speed", columns=2, duration=f"{500.0 * (end - begin)} ms")
    assert (found.amplitude == wanted.amplitude).all()
    names = "wheel_speed, span_tension"
    assert write_table(solution, tmp_path / "run.csv", names, **texts) == solution.time.size - 7
    assert write_matlab(solution, tmp_path / "run.mat", names.split(", "), start=begin) == solution.time.size - 4
    assert cd.write_report(solution, tmp_path / "run.html", **texts).path.is_file()


def test_a_solution_is_a_mapping_of_its_channels(solution):
    assert list(solution) == list(solution.channels)
    with pytest.raises(InputError, match="must be the name of a channel"):
        solution[0]
    with pytest.raises(InputError, match="must be the name of a channel"):
        solution.values(0)


def test_a_solution_in_a_file_is_pickled_as_its_path(solution, tmp_path):
    solution.save(tmp_path / "run.nc")
    with cd.open(tmp_path / "run.nc") as stored:
        assert stored["time"].size == solution.time.size  # so that the file is open in xarray, too
        for copied in (pickle.loads(pickle.dumps(stored)), copy.deepcopy(stored)):
            assert (copied.values("link_tension") == stored.values("link_tension")).all()
            copied.close()


@pytest.mark.parametrize("wrong", ["run.nc", ["run.nc"], [None]])
def test_a_report_takes_results_only(wrong, tmp_path):
    with pytest.raises(InputError, match=r"results\[0\]: must be a Solution"):
        cd.write_report(wrong, tmp_path / "x.html")


def test_a_notebook_completes_names_of_channels(solution):
    assert {"link_tension", "wheel_speed", "time"} <= set(solution._ipython_key_completions_())


def test_every_plot_is_a_method_of_a_result(solution):
    assert "tension_along_loop" in dir(solution.plot)
    assert "link" in inspect.signature(solution.plot.link_tension).parameters
    assert "solution" not in inspect.signature(solution.plot.link_tension).parameters
    picture = Image.open(io.BytesIO(solution.plot.link_tension(link=1)._repr_png_()))  # what a notebook shows
    assert picture.width > 500
    assert type(solution.plot("link-tension")) is type(solution.plot.tension_along_loop())
    with pytest.raises(AttributeError, match="did you mean 'energy'"):
        solution.plot.energi()
    with pytest.raises(InputError, match="did you mean 'energy'"):
        solution.plot("energi")


def test_peaks_are_a_table(solution):
    found = solution.peaks()
    largest = found[found["quantity"] == "largest link tension"]["value [in its unit]"].max()
    assert largest == pytest.approx(float(solution["link_tension"].max()))


WRONG = ("nosuch", -1, 2.5, [1], 10_000)


@pytest.mark.parametrize("values", [2, pytest.param(len(WRONG), marks=pytest.mark.long)])
@pytest.mark.parametrize("name", sorted(PLOTS))
def test_no_argument_of_a_plot_ends_in_a_traceback(solution, name, values):
    """Every argument gives a picture, or is refused with an InputError."""
    plot = getattr(solution.plot, name.replace("-", "_"))
    for number, argument in enumerate(inspect.signature(plot).parameters):
        for k in range(values):
            with contextlib.suppress(InputError):
                plot(**{argument: WRONG[(number + 2 * k) % len(WRONG)]})


def test_all_wrong_arguments_are_told_at_once(solution):
    with pytest.raises(InputError, match="3 problems") as error:
        solution.plot.span(span="nosuch", start="soon", stop="2 kg")
    assert [each.place for each in error.value.problems] == ["span", "start", "stop"]
    with pytest.raises(InputError, match="2 problems"):
        solution.peaks("soon", "later")


def test_times_have_units_and_spans_their_names(solution):
    name = solution.drive.span_names[1]
    asked = data_span(solution, span=name, start="10 ms", stop=0.02)
    assert asked.equals(data_span(solution, span=1, start=0.01, stop=0.02))
    assert solution.peaks("10 ms").equals(solution.peaks(0.01))
    assert solution.verdict_of("10 ms", "20 ms").part == solution.verdict_of(0.01, 0.02).part


def test_unknown_labels_are_answered_with_the_nearest(solution):
    speeds, name = solution["wheel_speed"], solution.items("wheel_speed")[1]
    assert speeds.sel(wheel=name).equals(speeds[:, 1])
    assert (speeds.mean("time") * 2.0).sel(wheel=[name]).size == 1
    for ask in (lambda wrong: speeds.sel(wheel=wrong), lambda wrong: speeds.loc[{"wheel": wrong}]):
        with pytest.raises(InputError, match=f"wheel: there is no such wheel; did you mean '{name}'"):
            ask(name[:-1])
        with pytest.raises(KeyError, match="there is no such wheel; available:"):
            ask(["xyz"])
    with pytest.raises(KeyError):
        speeds.sel(time=0.123456789)


def test_the_repr_of_a_drive_is_short():
    assert repr(cd.example("industrial-08b")) == "<Drive industrial 08B: 108 links 08B-1; motor (17), conveyor (38)>"
    assert repr(cd.example("hanging-chain")) == "<Drive hanging chain: 30 links 08B-1>"
    assert "122 links 88.9 mm;" in repr(cd.example("6l60mc"))


def test_the_repr_of_what_a_run_leaves_is_short():
    drive = cd.example("industrial-08b")
    assert repr(cd.simulate(drive, 0.001, **BLOCK).end).startswith("<EndState at 0.001 s: block, ")
    table = cd.compare(drive, ("block", "roller", "cvt"), 0.001, frequencies=False)
    assert repr(table) == "<FormulationComparison: block, roller compared; cvt refused>"


def test_a_drive_is_changed_by_paths():
    drive = cd.example("industrial-08b")
    assert drive.replace("contact.friction", 0.1).contact.friction == 0.1
    both = drive.replace({"contact.friction": 0.2, "wheels.motor.motion.speed": "-60 rpm"})
    assert (both.contact.friction, both.wheels[0].motion.speed) == (0.2, pytest.approx(-2.0 * math.pi))
    with pytest.raises(InputError, match="did you mean 'friction'"):
        drive.replace("contact.frictin", 0.1)


def test_a_report_is_shown_in_a_notebook_and_in_a_browser(solution, monkeypatch):
    opened = []
    monkeypatch.setattr(notebook.webbrowser, "open", opened.append)
    assert solution.show() is None
    assert opened[0].startswith("file:")
    monkeypatch.setattr(progress, "in_notebook", lambda: True)
    page = solution.show()
    assert page._repr_html_().startswith("<iframe ")
    assert 'srcdoc="&lt;!DOCTYPE html&gt;' in page._repr_html_()
    assert len(repr(page)) < 60


@pytest.mark.parametrize(
    ("changes", "place"),
    [({"teeth": 38.5}, "teeth"), ({"inertia": -0.1}, "inertia"), ({"load_torqe": 1.0}, "load_torqe")],
)
def test_a_drive_changed_without_validation_is_checked(changes, place):
    drive = cd.example("industrial-08b")
    wrong = drive.model_copy(update={"wheels": (drive.wheels[0], drive.wheels[1].model_copy(update=changes))})
    with pytest.raises(InputError) as error:
        cd.simulate(wrong, "1 ms", **BLOCK)
    assert [problem.place for problem in error.value.problems] == [f"wheels[1].{place}"]


def test_values_put_into_a_drive_without_validation_are_read():
    drive = cd.example("industrial-08b")
    given = drive.model_copy(
        update={"wheels": (drive.wheels[0], drive.wheels[1].model_copy(update={"load_torque": "50 N*m"}))}
    )
    assert drive_of(given) == drive.replace("wheels.1.load_torque", 50.0)


@pytest.mark.parametrize("name", example_names())
def test_a_valid_drive_stays_the_same_object(name):
    drive = cd.example(name)
    assert drive_of(drive) is drive


@pytest.mark.parametrize(
    ("kind", "channel", "who"),
    [
        ("roller", "load_torque", "this drive has no load_torque"),
        ("roller", "tensioner_force", "this drive has no tensioner_force"),
        ("roller", "sheave_thrust", "the formulation 'roller' has no sheave_thrust"),
        ("block", "load_torque", "this drive has no load_torque"),
        ("block", "roller_position", "the formulation 'block' has no roller_position"),
    ],
)
def test_a_missing_channel_is_one_of_the_formulation_or_of_the_drive(kind, channel, who):
    found = cd.simulate("industrial-08b", 0.001, formulation=kind, progress=False)
    for asked in (found.__getitem__, found.values):
        with pytest.raises(InputError, match=who):
            asked(channel)

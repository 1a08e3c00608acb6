"""Solution, opening of files, choice of channels and the energy audit."""

import os

import numpy as np
import pytest

from chaindrive import results
from chaindrive.contract.channels import Channel
from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.formulations.planar.endings import CHAIN_JUMPED_TOOTH
from chaindrive.results.audit import audit, doubtful_losses, doubts

CHANNELS = (
    Channel("time", (), "s", "", 0, ()),
    Channel("link_tension", ("link",), "N", "Tension of every link.", 1, (4,), precision="single"),
    Channel("roller_velocity", ("roller", "axis"), "m/s", "", 5, (4, 2), precision="single", kept="on request"),
    Channel("contact_penetration", ("roller",), "m", "", 13, (4,), precision="single", kept="on request"),
    Channel("wheel_speed", ("wheel",), "rad/s", "", 17, (2,)),
    Channel("work_input", (), "J", "", 19, (), kept="always"),
    Channel("work_friction", (), "J", "", 20, (), kept="always"),
    Channel("energy_kinetic", (), "J", "", 21, (), kept="always"),
    Channel("energy_residual", (), "J", "", 22, (), kept="always"),
)
LABELS = {"wheel": ("driver", "driven"), "axis": ("x", "y")}
WORK = ("work_input", "work_friction", "energy_kinetic", "energy_residual")


def make_solution(path=None, status=Status.REACHED_END, rows_total=11):
    """Input of 5 W for 1 s, 3 W lost, 2 W stored as kinetic energy, without residual."""
    kept = results.select(CHANNELS, "standard")
    attributes = results.describe("name = 'd'\n", {"solver": {"method": "verlet"}}, name="d", solver="verlet")
    writer = results.ResultsWriter(path, kept, LABELS, attributes, rows_total)
    times = np.linspace(0.0, 1.0, 11)
    rows = np.zeros((11, 23))
    rows[:, 1:5] = 1000.0 + np.arange(4.0)
    rows[:, 17:19] = [12.0, 6.0]
    rows[:, 19], rows[:, 20], rows[:, 21] = 5.0 * times, 3.0 * times, 7.0 + 2.0 * times
    writer.append(times, rows)
    return writer.finish(status, {"steps": np.int64(11)}, warnings=("w",), notes={"preload": np.array([1.0, np.nan])})


# ---------------------------------------------------------------------------------------------------- channels


def test_select():
    def names(wanted):
        return [channel.name for channel in results.select(CHANNELS, wanted)]

    assert names("standard") == ["link_tension", "wheel_speed", *WORK]
    assert names("all") == ["link_tension", "roller_velocity", "contact_penetration", "wheel_speed", *WORK]
    assert names(("roller_velocity", "time")) == ["roller_velocity", *WORK]
    assert names("wheel_speed") == ["wheel_speed", *WORK]
    assert [channel.offset for channel in results.select(CHANNELS, ("wheel_speed",))] == [17, 19, 20, 21, 22]


def test_select_tells_all_unknown_names_with_the_nearest():
    with pytest.raises(InputError) as caught:
        results.select(CHANNELS, ("link_tensions", "wheel_speed", "wheelspeed"))
    first, second = caught.value.problems
    assert (first.value, second.value) == ("'link_tensions'", "'wheelspeed'")
    assert "the nearest are link_tension," in first.message
    assert "the nearest are wheel_speed," in second.message


# ---------------------------------------------------------------------------------------------------- solution


@pytest.mark.parametrize("on_disk", [False, True])
def test_everything_of_a_run_is_in_its_solution(tmp_path, on_disk):
    with make_solution(tmp_path / "run.nc" if on_disk else None) as solution:
        tension = solution["link_tension"]
        assert tension.dims == ("time", "link")
        assert tension.attrs["units"] == "N"
        assert tension.attrs["description"] == "Tension of every link."
        np.testing.assert_array_equal(tension.sel(link=2), 1002.0)
        np.testing.assert_array_equal(solution["wheel_speed"].sel(wheel="driven"), 6.0)
        np.testing.assert_allclose(solution["work_input"].sel(time=0.5, method="nearest"), 2.5)
        np.testing.assert_array_equal(solution["time"], np.linspace(0.0, 1.0, 11))
        assert "link_tension" in solution
        assert "roller_velocity" not in solution
        assert list(solution.channels) == ["link_tension", "wheel_speed", *WORK]
        assert solution.channels["link_tension"].dims == ("link",)
        assert solution.channels["link_tension"].shape == (4,)
        assert solution.labels["wheel"] == ("driver", "driven")
        assert solution.status == Status.REACHED_END
        assert solution.statistics == {"steps": 11}
        assert solution.warnings == ("w",)
        assert solution.notes == {"preload": [1.0, "nan"]}
        assert solution.options == {"solver": {"method": "verlet"}}
        assert set(solution.versions) == {"chaindrive", "numpy", "numba", "python", "kernels"}
        assert solution.drive_text == "name = 'd'\n"
        assert solution.name == "d"
        text = solution.summary()
        for words in (
            "REACHED_END",
            "0 to 1 s in 11 instants",
            "link_tension",
            "4 link",
            "lost in friction",
            "warning: w",
        ):
            assert words in text


@pytest.mark.parametrize("on_disk", [False, True])
def test_an_unknown_channel_names_the_nearest(tmp_path, on_disk):
    with make_solution(tmp_path / "run.nc" if on_disk else None) as solution:
        for error in (InputError, KeyError):
            with pytest.raises(error) as caught:
                solution["link_tenson"]
        assert "the nearest that it holds are link_tension, " in str(caught.value)
        assert "'link_tenson'" in str(caught.value)
        with pytest.raises(results.UnknownChannelError):
            solution.values("link_tenson")


def test_a_closed_file_says_so(tmp_path):
    solution = make_solution(tmp_path / "run.nc")
    solution.close()
    with pytest.raises(InputError, match="closed"):
        solution.values("work_input")
    with pytest.raises(InputError, match="closed"):
        _ = solution.time


def test_who_changes_the_time_that_was_read_changes_a_copy(tmp_path):
    with make_solution(tmp_path / "run.nc") as solution:
        time = solution.time
        time *= 1e3
        assert solution.time[-1] == 1.0


def test_a_failed_status_survives_saving(tmp_path):
    solution = make_solution(status=CHAIN_JUMPED_TOOTH)
    solution.save(tmp_path / "saved.nc")
    with results.open(tmp_path / "saved.nc") as opened:
        assert opened.status == CHAIN_JUMPED_TOOTH
        assert opened.status.advice in opened.summary()
        assert opened.attrs == solution.attrs
        opened.save(tmp_path / "again.nc")
        opened.save(tmp_path / "saved.nc")  # over the file it reads from
    with results.open(tmp_path / "saved.nc") as first, results.open(tmp_path / "again.nc") as second:
        assert first.dataset.load().identical(second.dataset.load())
        assert first.dataset.load().identical(solution.dataset)
    with pytest.raises(InputError, match="exists already"):
        solution.save(tmp_path / "saved.nc", overwrite=False)


def test_a_run_that_goes_on_can_be_looked_at(tmp_path):
    path = tmp_path / "run.nc"
    kept = results.select(CHANNELS, ("wheel_speed",))
    writer = results.ResultsWriter(path, kept, LABELS, results.describe("", {}, warnings=("early",)), 100)
    for first in (0, 10):
        writer.append(np.arange(first, first + 10.0), np.full((10, 23), 1.0))
        with results.open(path) as solution:
            assert solution.time.size == first + 10
            assert solution["wheel_speed"].shape == (first + 10, 2)
            assert bool((solution["wheel_speed"] == 1.0).all())
            assert solution.status == Status.INTERRUPTED
            assert solution.warnings == ("early",)
    writer.abandon()


# ---------------------------------------------------------------------------------------------------- opening


def test_files_that_are_no_results(tmp_path, monkeypatch):
    import h5py

    make_solution(tmp_path / "run.nc").close()
    whole = (tmp_path / "run.nc").read_bytes()
    contents = {
        "empty.nc": (b"", "empty"),
        "text.nc": (b"name = 'a drive'", "not a results file"),
        "netcdf3.nc": (b"CDF\x01" + bytes(100), "netCDF-3"),
        "header.nc": (whole[:8], "damaged"),
        "half.nc": (whole[: len(whole) // 2], "damaged"),
        "zeros.nc": (whole[:8] + bytes(5000), "damaged"),
    }
    for name, (content, words) in contents.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=words) as caught:
            results.open(tmp_path / name)
        assert name in str(caught.value)
    with h5py.File(tmp_path / "foreign.nc", "w") as file:
        file["time"] = np.arange(3.0)
    with h5py.File(tmp_path / "newer.nc", "w") as file:
        file["time"] = np.arange(3.0)
        file.attrs["chaindrive_format"] = "999"
    for name, words in {
        "foreign.nc": "not a results file of chaindrive",
        "newer.nc": "newer version",
        "missing.nc": "no such file",
        ".": "directory",
        "run.nc/x": "cannot be read",
    }.items():
        with pytest.raises(InputError, match=words):
            results.open(tmp_path / name)

    def refuse(*_, **__):
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr("pathlib.Path.open", refuse)
    with pytest.raises(InputError, match="no permission"):
        results.open(tmp_path / "run.nc")


def test_a_file_cut_off_anywhere_is_refused(tmp_path):
    make_solution(tmp_path / "run.nc").close()
    whole = (tmp_path / "run.nc").read_bytes()
    for size in range(1, len(whole), len(whole) // 60):
        (tmp_path / "cut.nc").write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"damaged|not a results file"):
            results.open(tmp_path / "cut.nc")


def test_a_damaged_time_is_refused_when_the_file_is_opened(tmp_path):
    """Zeros over the compressed time: zlib refuses the chunk when the file is opened, as time is checked."""
    import h5py

    path = tmp_path / "run.nc"
    make_solution(path).close()
    with h5py.File(path) as file:
        chunk = file["time"].id.get_chunk_info(0)
    content = bytearray(path.read_bytes())
    content[chunk.byte_offset : chunk.byte_offset + chunk.size] = bytes(chunk.size)
    path.write_bytes(content)
    with pytest.raises(InputError, match="time cannot be read"), results.open(path) as solution:
        solution.summary()


# ---------------------------------------------------------------------------------------------------- audit


def test_audit_of_a_balanced_run():
    """5 J in = 3 J lost + 2 J stored. Total variations 5 + 3 + 2 = 10 J, so 5 J were exchanged."""
    found = make_solution().audit
    assert found.duration == 1.0
    assert found.input == pytest.approx(5.0, rel=1e-15)
    assert found.output == 0.0
    assert found.losses == {"friction": pytest.approx(3.0, rel=1e-15)}
    assert found.stored == {"kinetic": pytest.approx(2.0, rel=1e-15)}
    assert found.energy_exchanged == pytest.approx(5.0, rel=1e-14)
    assert abs(found.residual) <= 4e-15  # a few roundings of numbers up to 9
    assert found.relative_residual <= 1e-15
    assert "5" in found.table()


def test_audit_of_an_oscillator():
    """Kinetic and elastic energy E cos^2, E sin^2 exchange E four times per turn: 40 E in 10 turns."""
    phase = np.linspace(0.0, 20.0 * np.pi, 4001)  # extremes fall on samples: 200 per half period of the energies
    accounts = {"energy_kinetic": 3.0 * np.cos(phase) ** 2, "energy_elastic": 3.0 * np.sin(phase) ** 2}
    found = audit(phase, accounts)
    assert found.energy_exchanged == pytest.approx(40 * 3.0, rel=1e-12)
    assert found.largest_residual <= 1e-14
    assert found.losses == {}


def test_audit_finds_a_leak_that_has_closed_by_the_end():
    """0.5 J vanish meanwhile and come back: nothing at the end, but the largest residual shows it."""
    found = audit(
        np.arange(3.0), {"work_input": np.array([0.0, 1.0, 2.0]), "energy_kinetic": np.array([0.0, 0.5, 2.0])}
    )
    assert found.residual == 0.0
    assert found.largest_residual == 0.5
    assert found.energy_exchanged == 2.0
    assert found.relative_residual == 0.25


def test_audit_of_nothing():
    found = audit(np.empty(0), {"work_input": np.empty(0)})
    assert found.energy_exchanged == 0.0
    assert found.relative_residual == 0.0
    assert "work input" in found.table()


# ---------------------------------------------------------------------------------------------------- doubts


def balanced(missing: float, friction: float = 3.0):
    """Input of 5 J, ``friction`` lost, the rest stored as kinetic energy except for ``missing``."""
    time = np.linspace(0.0, 1.0, 11)
    accounts = {"work_input": 5.0 * time, "work_friction": friction * time}
    return audit(time, accounts | {"energy_kinetic": (5.0 - friction - missing) * time})


def test_a_balance_that_holds_is_not_doubted():
    assert doubts(balanced(0.0), "verlet") == ()
    assert doubts(audit(np.zeros(1), {"work_input": np.zeros(1)}), "verlet") == ()


def test_a_missed_balance_is_told_with_what_to_do():
    # 5 J of 10 J of variation are exchanged: 5 mJ is the limit.
    assert balanced(4.9e-3).relative_residual < 1e-3 < balanced(5.2e-3).relative_residual
    (text,) = doubts(balanced(5.2e-3), "verlet", forms=lambda: {"circular", "asa-ii"})
    for part in ("5.2 mJ", "0.1 %", "dormand-prince", "(circular)", "iso-606"):
        assert part in text
    (text,) = doubts(balanced(5.2e-3), "dormand-prince")
    assert "atol_speed" in text
    assert "iso-606" not in text  # there is no open tooth form


def test_a_loss_that_the_residual_could_be_a_hundredth_of_is_named():
    fine, bad = balanced(0.9e-3, friction=0.1), balanced(1.1e-3, friction=0.1)
    assert bad.relative_residual < 1e-3
    assert doubtful_losses(fine, "verlet") == ()
    assert doubtful_losses(bad, "verlet") == ("friction",)
    (text,) = doubts(bad, "verlet")
    assert "friction on teeth 100 mJ" in text
    assert "1.1 mJ" in text


@pytest.mark.parametrize("in_file", [False, True])
def test_the_solution_warns_of_its_balance(tmp_path, in_file):
    layout = results.select(CHANNELS, "standard")
    attributes = results.describe("name = 'd'\n", {}, name="d", solver="verlet")
    writer = results.ResultsWriter(tmp_path / "a.nc" if in_file else None, layout, LABELS, attributes, 11)
    times = np.linspace(0.0, 1.0, 11)
    rows = np.zeros((11, 23))
    rows[:, 19], rows[:, 20], rows[:, 21] = 5.0 * times, 3.0 * times, 1.9 * times
    writer.append(times, rows)
    with writer.finish(Status.REACHED_END, {}, warnings=("w",)) as solution:
        first, second = solution.warnings
        assert first == "w"
        assert second == doubts(solution.audit, "verlet")[0]

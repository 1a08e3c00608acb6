"""Forces of single plates in a run of a variator: balance with the run, places, peaks, table and picture."""

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.plate_forces import plate_forces, plate_peaks, plate_system
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.model import override
from chaindrive.plots import data_plate_forces, plot_plate_forces, tables_of


@pytest.fixture(scope="module")
def run(shared_runs):
    return shared_runs.run("cvt-63", 0.15)


@pytest.fixture(scope="module")
def plates(run):
    return plate_forces(run)


def test_the_default_window_is_the_last_loop(run, plates):
    loop = 63.0 * 9.85e-3 / (200.0 * 49.5e-3)
    assert plates.time[-1] == run.time[-1]
    assert plates.time[-1] - plates.time[0] == pytest.approx(loop, rel=0.01)  # but for slip
    part = plate_forces(run, 0.1, 0.102)
    assert (part.time[0], part.time[-1]) == pytest.approx((0.1, 0.102))


def test_the_plates_of_a_link_carry_its_tension(run, plates):
    rows = slice(-plates.time.size, None)
    tension = run.values("link_tension", rows)
    for link in range(63):
        np.testing.assert_allclose(plates.force[:, plates.link == link].sum(axis=1), tension[:, link], rtol=1e-6)
    np.testing.assert_allclose(plates.mean[:, 4], tension[:, 4] / 8, rtol=1e-6)


def test_friction_on_the_ends_is_the_change_of_tension(run, plates):
    """T_i - T_i-1 + 2 F_i is the inertia of a pin, which is small compared with friction: signs and numbering agree."""
    rows = slice(-plates.time.size, None)
    tension = np.asarray(run.values("link_tension", rows), dtype=float)
    friction = np.asarray(run.values("pin_circumferential_friction", rows), dtype=float)
    held = run.values("pin_axial_force", rows) > 0.0
    change = tension - np.roll(tension, 1, axis=1)
    assert np.std((change + 2.0 * friction)[held]) < 0.1 * np.std((change - 2.0 * friction)[held])


def test_where_every_link_is(run, plates):
    assert plates.names == ("on primary", "on secondary", *(f"in span {name}" for name in run.drive.span_names))
    # The driver pulls the strand that runs onto it: from the secondary to the primary.
    tight, slack = (plates.mean[plates.where == 2 + span].mean() for span in (1, 0))
    assert tight > 1.5 * slack
    span = np.asarray(run.values("span_tension", slice(-plates.time.size, None))).mean(axis=0)
    for k in (0, 1):
        held = np.bincount(plates.link)
        mean = (plates.mean * held)[plates.where == 2 + k].mean()
        assert mean == pytest.approx(span[k], rel=0.02)
    parts = np.bincount(plates.where.ravel(), minlength=4) / plates.where.size * 63
    np.testing.assert_allclose(parts, [17.5, 17.5, 14.0, 14.0], atol=0.5)  # 16.5 pins in each groove hold 17.5 links


def test_peaks_and_the_clasp_plate(plates):
    largest, clasp, smallest = plate_peaks(plates)
    assert largest.value == plates.force.max() >= clasp.value
    assert smallest.value == plates.force.min() > 0.0
    assert clasp.row in (0, 24)
    assert clasp.link % 3 == 0
    assert clasp.value == plates.force[:, np.isin(plates.row, (0, 24))].max()
    assert clasp.value > 1.15 * clasp.mean  # friction on the ends of the pins adds to it
    assert clasp.where == "on secondary"


def test_a_thrust_out_of_the_middle_changes_the_clasp_plate():
    drive = override(cd.example("cvt-63"), {"chain.plates.eccentricity": "0.2 mm"})
    short = cd.simulate(drive, until=0.005)
    tension, friction, axial = (
        np.asarray(short.values(name), dtype=float)
        for name in ("link_tension", "pin_circumferential_friction", "pin_axial_force")
    )
    found, system = plate_forces(short, 0.0), plate_system(drive)
    np.testing.assert_allclose(found.force, system.forces(tension, friction, 2e-4 * axial), rtol=1e-9)
    apart = found.force - system.forces(tension, friction, 0.0 * axial)
    assert abs(apart[:, found.clasp]).max() > 30.0


class Diverged:
    """A run whose tensions become not-a-number from an instant on."""

    def __init__(self, run, since):
        self.run, self.since = run, since

    def __getattr__(self, name):
        return getattr(self.run, name)

    def values(self, name, rows=slice(None), *item):
        found = np.array(self.run.values(name, rows, *item))
        if name == "link_tension":
            found[self.run.time[rows] >= self.since] = np.nan
        return found


def test_a_run_that_diverged(run):
    """Instants with not-a-number are left out; if there are no others, a message says so."""
    found = plate_forces(Diverged(run, 0.145), 0.14)
    assert found.time[-1] == pytest.approx(0.145, abs=6e-5)
    assert found.time[-1] < 0.145
    assert np.isfinite(found.force).all()
    with pytest.raises(InputError, match="not finite"):
        plate_forces(Diverged(run, 0.1), 0.14)


def test_the_picture_draws_what_the_table_holds(run):
    figure, frame = plot_plate_forces(run, link=3), data_plate_forces(run, link=3)
    forces = tables_of(frame)["forces"]
    above, below = figure.axes
    lines = {line.get_label(): line for line in above.lines}
    np.testing.assert_allclose(lines["clasp plate"].get_ydata(), forces["row 0 [N]"])
    np.testing.assert_allclose(lines["mean of the plates"].get_ydata(), forces["mean of the plates [N]"])
    rows = tables_of(frame)["rows"]
    bars = [line.get_ydata() for line in below.lines[::2]]
    np.testing.assert_allclose(bars, rows[["smallest force [N]", "largest force [N]"]])
    assert {"row 24 [N]", "where"} <= set(forces.columns)
    assert set(forces["where"]) <= set(plate_forces(run).names)


def test_a_chain_without_plates_says_so(run):
    bare = override(cd.example("cvt-63"), {"chain.plates": None})
    short = cd.simulate(bare, until=0.002)
    for drawn in (plot_plate_forces, data_plate_forces):
        with pytest.raises(InputError, match=r"chain\.plates"):
            drawn(short)
    with pytest.raises(InputError, match="links 0 to 62"):
        plot_plate_forces(run, link=63)


def test_info_and_plot_on_the_command_line(shared_runs, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")  # no cell is broken
    file = str(shared_runs.file("cvt-63", 0.15))
    with pytest.raises(SystemExit, match="0"):
        main(["info", file])
    said = " ".join(capsys.readouterr().out.split())
    assert "Forces of plates" in said
    assert "largest force of a clasp plate" in said
    with pytest.raises(SystemExit, match="0"):
        main(["plot", file, "plate-forces", "--link", "3", "-o", "plates.png", "--data", "plates.csv"])
    assert (tmp_path / "plates.png").is_file()
    assert (tmp_path / "plates-rows.csv").is_file()

"""A run that continues while its chain jumps teeth: counts, energy, reports."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.results.jumps import tooth_jumps
from chaindrive.contract.status import Status
from chaindrive.formulations.planar.endings import CHAIN_JUMPED_TOOTH
from chaindrive.formulations.planar.jumps import follow_mesh
from chaindrive.formulations.roller.chain import positions_of
from chaindrive.kernels import kernel
from chaindrive.simulation.start import prepare
from chaindrive.solvers import Integrator, SolverSettings
from support.small_drives import compiled, two_wheels

GOING_ON = cd.RollerOptions(on_jump="continue")
ROWS = cd.SaveOptions(rate=2000.0)


def slipping(teeth: tuple[int, int] = (11, 11), links: int = 36, form: str = "iso-606") -> cd.Drive:
    """A slack chain over small sprockets, and a driven wheel that cannot follow: 1 kg m^2 and 20 N m s/rad.

    At 10 rad/s the brake would need 200 N m, 9 kN of tension on a chain of 1 MN/m a link: it climbs out long before.
    """
    return two_wheels(
        teeth,
        tooth={"form": form},
        links=links,
        contact={"stiffness": 1e9, "restitution": 0.3},
        second={"load_viscous": 20.0, "inertia": 1.0},
        link_stiffness=1e6,
        link_damping=20.0,
        joint_damping=1e-3,
    )


@pytest.fixture(scope="module")
def jumped() -> cd.Solution:
    return cd.simulate(slipping(), 0.5, formulation=GOING_ON, save=ROWS, start="at_rest")


def test_by_default_the_run_ends() -> None:
    solution = cd.simulate(slipping(), 0.5, save=ROWS, start="at_rest")
    assert solution.status == CHAIN_JUMPED_TOOTH
    assert solution.time[-1] < 0.2
    assert 'on_jump = "continue"' in solution.status.advice


@pytest.mark.parametrize(
    ("teeth", "links", "form"), [((11, 11), 36, "iso-606"), ((11, 11), 37, "asa-ii"), ((15, 9), 38, "iso-606")]
)
def test_every_jump_is_counted_once(teeth: tuple[int, int], links: int, form: str) -> None:
    """The difference between the rotations of driver and driven wheel equals the jumps on both."""
    solution = cd.simulate(slipping(teeth, links, form), 0.5, formulation=GOING_ON, save=ROWS, start="at_rest")
    assert solution.status == Status.REACHED_END
    turned = (solution.values("wheel_angle")[-1] - solution.values("wheel_angle")[0]) * np.array(teeth) / (2.0 * np.pi)
    counted = solution.values("tooth_jumps")[-1].sum()
    assert counted >= 5
    # A jump under way is not counted yet, and within its play the chain may lie most of a tooth off.
    assert counted == pytest.approx(turned[0] - turned[1], abs=1.5)


@pytest.mark.parametrize(("tolerance", "bound"), [(1.0, 1e-4), (0.01, 1e-5)])
def test_no_energy_comes_out_of_a_jump(tolerance: float, bound: float) -> None:
    """A gap that changes under a pressed roller would lose or add elastic energy, whatever the tolerance."""
    solver = cd.SolverOptions(
        atol_length=1e-8 * tolerance,
        atol_angle=1e-8 * tolerance,
        atol_speed=1e-4 * tolerance,
        atol_angular_speed=1e-4 * tolerance,
    )
    solution = cd.simulate(slipping(), 0.4, formulation=GOING_ON, save=ROWS, start="at_rest", solver=solver)
    assert solution.values("tooth_jumps")[-1].sum() >= 4
    assert solution.audit.relative_residual < bound


def test_what_the_result_tells(jumped: cd.Solution) -> None:
    counted, time = jumped.values("tooth_jumps"), jumped.time
    assert (np.diff(counted, axis=0) >= 0).all()
    found = tooth_jumps(jumped)
    for w, wheel in enumerate(jumped.drive.wheels):
        teeth = int(counted[-1, w])
        assert sum(jump.teeth for jump in found if jump.wheel == w) == teeth
        if not teeth:
            continue
        first = next(jump.time for jump in found if jump.wheel == w)
        noted = jumped.notes["tooth_jumps"][wheel.name]
        assert noted["teeth"] == teeth
        assert first - 1.0 / 2000.0 < noted["first"] <= first
        text = f"the chain jumped {teeth} {'tooth' if teeth == 1 else 'teeth'} on {wheel.name!r}, first at"
        assert any(text in warning for warning in jumped.warnings)
    assert [jump.time for jump in found] == sorted(jump.time for jump in found)
    assert time[0] < found[0].time < time[-1]


def test_every_output_shows_the_jumps(jumped: cd.Solution, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from chaindrive.cli.info import info
    from chaindrive.plots import plot_link_tension
    from chaindrive.report import write_report

    path = tmp_path / "jumped.nc"
    jumped.save(path)
    info(str(path))
    assert "teeth jumped" in " ".join(capsys.readouterr().out.split())
    with cd.open(path) as stored:
        write_report(stored, tmp_path / "jumped.html")
        page = (tmp_path / "jumped.html").read_text(encoding="utf-8")
        figure = plot_link_tension(stored, 0)
        start, stop = figure.axes[0].get_xlim()
        marks = [line for line in figure.axes[0].lines if line.get_linestyle() == ":"]
        assert len(marks) == sum(start <= jump.time <= stop for jump in tooth_jumps(stored)) > 0
    assert "Jumps of the chain, at the first stored instant after each" in page
    assert "Tooth jumps of the chain" in page


def test_counts_go_on_bit_for_bit() -> None:
    """The run is interrupted during the jumps and continued in a fresh system."""

    def integrator() -> Integrator:
        return Integrator(prepare(slipping(), GOING_ON, "at_rest").system, SolverSettings(), 5e-4, chunk_rows=1000)

    whole, before, after = integrator(), integrator(), integrator()
    while whole.advance(0.35) == Status.RUNNING:
        pass
    while before.time < 0.22:
        before.advance(0.35, 500)
    after.restore(before.snapshot())
    while after.advance(0.35) == Status.RUNNING:
        pass
    times, rows = whole.take_rows()
    again, same = after.take_rows()
    np.testing.assert_array_equal(again, times)
    np.testing.assert_array_equal(same, rows)
    np.testing.assert_array_equal(after.state, whole.state)


def test_a_chain_that_runs_round_counts_nothing() -> None:
    """Two loops: every roller runs onto both wheels, including the last and first in succession."""
    drive = two_wheels((11, 11), links=35, speed=400.0, tooth={"form": "iso-606"})
    solution = cd.simulate(drive, 2.1 * 35 / 11 * 2.0 * np.pi / 400.0, formulation=GOING_ON, save=ROWS)
    assert solution.status == Status.REACHED_END
    assert solution.notes["loops"] == pytest.approx(2.1, abs=0.02)
    assert not solution.values("tooth_jumps").any()
    assert "tooth_jumps" not in solution.notes


@kernel
def followed(t, y, p):
    """Calls ``follow_mesh``, which otherwise only kernels call."""
    return follow_mesh(t, positions_of(y, p), p.planar)


def seated(system) -> np.ndarray:
    """Rollers between the teeth of wheel 0 in the order of the chain."""
    p, y = system.parameters, system.state
    inside = np.flatnonzero(np.hypot(y[: p.links], y[p.links : 2 * p.links]) < p.planar.wheel.tip[0])
    gap_after = np.flatnonzero(np.diff(inside) > 1)
    return np.roll(inside, -(gap_after[0] + 1)) if gap_after.size else inside


def test_a_jump_counts_when_the_last_roller_has_followed() -> None:
    system = compiled(two_wheels())
    p, y, teeth = system.parameters, system.state, 16
    rollers = seated(system)
    mesh = p.planar.mesh
    # A fault that enters, and goes out where it came in.
    p.planar.gap[0, rollers[:4]] = (p.planar.gap[0, rollers[:4]] + 1) % teeth
    assert followed(0.1, y, p) == 0.0
    p.planar.gap[0, rollers[:4]] = (p.planar.gap[0, rollers[:4]] - 1) % teeth
    assert followed(0.2, y, p) == 0.0
    # One that passes through: counted once, at its end.
    for k, roller in enumerate(rollers):
        p.planar.gap[0, roller] = (p.planar.gap[0, roller] + 1) % teeth
        assert followed(0.3 + k, y, p) == (1.0 if k == len(rollers) - 1 else 0.0)
    assert (mesh.lies[0], mesh.jumps[0]) == (1.0, 1.0)
    assert followed(90.0, y, p) == 0.0
    # And back, through the other end: the chain lies as it did, and has jumped twice.
    for roller in rollers[::-1]:
        p.planar.gap[0, roller] = (p.planar.gap[0, roller] - 1) % teeth
        followed(99.0, y, p)
    assert (mesh.lies[0], mesh.jumps[0]) == (0.0, 2.0)

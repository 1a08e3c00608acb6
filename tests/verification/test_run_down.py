"""Run-down of a whole drive, to a lower speed and to standstill: its motion, direction and energy."""

from __future__ import annotations

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import RunUp
from support.small_drives import two_wheels

SPEED, START, DURATION = 30.0, 0.01, 0.03


def run_down(final: float, sign: float = 1.0, kind: str = "run_down") -> RunUp:
    return RunUp(kind=kind, initial_speed=sign * SPEED, final_speed=sign * final, start=START, duration=DURATION)


def drive(motion: RunUp, **second) -> cd.Drive:
    """Two equal wheels, the driven one with a little inertia; the chain damps its own oscillations."""
    contact = {"stiffness": 1e9, "restitution": 0.5, "friction": 0.1}
    return two_wheels(first={"motion": motion}, second={"inertia": 1e-4} | second, link_damping=30.0, contact=contact)


@pytest.mark.parametrize("kind", ["run_down", "run_up"])
@pytest.mark.parametrize("final", [0.0, 12.0])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_which_way_it_runs(kind, final, sign):
    """The faster of both speeds determines the direction, also if the run ends at standstill; 'run_up' may also
    decelerate.
    """
    made = drive(run_down(final, sign, kind))
    assert drive_facts(made).direction == sign
    assert drive_facts(made).slack_span == (0 if sign > 0 else 1)
    assert drive_facts(drive(RunUp(initial_speed=0.0, final_speed=sign * 9.0, duration=1.0))).direction == sign


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("final", [0.0, 12.0])
def test_run_down(final, sign):
    """Eq. 4.3: w = w0 + (w1 - w0)(3 s^2 - 2 s^3); the angle run through is w0 t1 + (w0 + w1)/2 tc + w1 (t - t1 - tc).

    The driver takes up energy while the drive slows down, and the audit closes: the energy stored at the start is lost,
    given to the load, or returned. The load opposes the running sense in either direction.
    """
    until = 0.06
    solver = cd.SolverOptions(atol_length=1e-9, atol_angle=1e-9, atol_speed=1e-6, atol_angular_speed=1e-6)
    save = cd.SaveOptions(rate=2000.0, channels="all")
    done = cd.simulate(drive(run_down(final, sign), load_torque=0.2), until, solver=solver, save=save)
    assert done.status == Status.REACHED_END
    t = done.time
    s = np.clip((t - START) / DURATION, 0.0, 1.0)
    speed = sign * (SPEED + (final - SPEED) * (3.0 * s**2 - 2.0 * s**3))
    # Polynomials of degree 3 and 4, which the method integrates without error but for rounding.
    np.testing.assert_allclose(done.values("wheel_speed")[:, 0], speed, rtol=0.0, atol=1e-11 * SPEED)
    angle = done.values("wheel_angle")[:, 0]
    run_through = SPEED * START + 0.5 * (SPEED + final) * DURATION + final * (until - START - DURATION)
    assert angle[-1] - angle[0] == pytest.approx(sign * run_through, abs=1e-11)
    # The driven wheel follows on an equal wheel, but for the play of rollers in their gaps: 2 x 0.06 mm / 33 mm.
    after = t > START + DURATION
    turned = done.values("wheel_angle")[:, 1]
    assert turned[-1] - turned[0] == pytest.approx(sign * run_through, abs=0.01)
    # Work of the load: torque times the angle that the driven wheel has turned, exactly.
    output = done.values("work_output")
    np.testing.assert_allclose(output, sign * 0.2 * (turned - turned[0]), rtol=0.0, atol=1e-7 * abs(output).max())
    # A residual of the order of the tolerances: 1e-6 m/s and 1e-6 rad/s of some 0.5 m/s and 30 rad/s.
    assert done.audit.relative_residual < 1e-5
    if final == 0.0:
        assert abs(done.values("wheel_speed")[after, 0]).max() < 1e-11 * SPEED
        assert np.ptp(done.values("work_input")[after]) < 1e-9

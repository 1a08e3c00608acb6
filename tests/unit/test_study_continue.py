"""Runs that begin where another one ended: a run in two pieces, moved wheels, motions that continue."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.end_state import EndState
from chaindrive.errors import InputError
from chaindrive.mechanism.motion import motion_acceleration
from chaindrive.model import SaveOptions, override
from chaindrive.results.end_states import load_end_state, save_end_state
from chaindrive.simulation.start import prepare

SPLIT, UNTIL = 0.04, 0.08
CHANNELS = ("link_tension", "roller_position", "roller_velocity", "wheel_speed", "wheel_angle", "link_path_position")
ORDERS = {"kind": "orders", "speed": "-500 rpm", "orders": [{"order": 3, "amplitude": "300 rad/s^2"}]}


@pytest.fixture(scope="module")
def drive() -> cd.Drive:
    """Verlet takes the same steps in one piece and in two; without impact memory there is nothing else to continue."""
    changes = {"run.solver.method": "verlet", "run.solver.step": "2 us", "run.formulation.impact_memory": "reference"}
    return override(cd.example("industrial-08b"), {**changes, "run.save.channels": list(CHANNELS)})


@pytest.fixture(scope="module")
def first(drive: cd.Drive) -> cd.Solution:
    return cd.simulate(drive, SPLIT)


def test_a_run_in_two_pieces_is_the_run_in_one(drive: cd.Drive, first: cd.Solution) -> None:
    """Both take the same steps from the same state; rounding of time may let a contact begin a step earlier or later.

    A step is 2 us of the 1 ms between two rows: 2e-3 of the largest change from one row to the next.
    """
    whole, rest = cd.simulate(drive, UNTIL), cd.simulate(drive, UNTIL - SPLIT, initial=first)
    rows = len(first.time) - 1
    for name in CHANNELS:
        one, two = whole.values(name)[rows:].astype(float), rest.values(name).astype(float)
        assert one.shape == two.shape
        np.testing.assert_array_equal(one[0], two[0])
        assert np.abs(one - two).max() <= 2e-3 * np.abs(np.diff(one, axis=0)).max(), name
    assert np.abs(whole.values("link_tension")).max() > 100.0
    assert rest.notes["start_state_moved"] == 0.0
    works = [rest.values(name)[0] for name in rest.channels if name.startswith("work_")]
    assert works
    assert not np.any(works)
    assert rest.audit.relative_residual < 1e-3


def test_mechanisms_and_pressures_go_on() -> None:
    """Joints, their speeds and the pressure of a hydraulic tensioner are part of the state; guides stay where they are.

    As above: a step of 2 us is 1 % of the 200 us between two rows.
    """
    names = ("link_tension", "joint_position", "joint_speed", "tensioner_pressure", "tensioner_force", "guide_force")
    changes = {"run.solver.method": "verlet", "run.solver.step": "2 us", "run.formulation.impact_memory": "reference"}
    drive = override(cd.example("timing-06b"), {**changes, "run.save.rate": 5000, "run.save.channels": list(names)})
    first, whole = cd.simulate(drive, 0.004), cd.simulate(drive, 0.008)
    rest = cd.simulate(drive, 0.004, initial=first)
    for name in names:
        one, two = whole.values(name)[len(first.time) - 1 :].astype(float), rest.values(name).astype(float)
        # Anchors of friction were set with the speeds that Verlet predicts, and limits are those of the corrected ones.
        np.testing.assert_allclose(two[0], one[0], rtol=1e-4, atol=1e-3)
        assert np.abs(np.diff(one, axis=0)).max() > 0.0
        assert np.abs(one - two).max() <= 0.01 * np.abs(np.diff(one, axis=0)).max(), name


def test_stored_impact_speeds_begin_anew_without_a_jump(first: cd.Solution) -> None:
    """Contacts with stored impact speeds lose these; positions, velocities and tensions are the same."""
    drive = override(cd.example("industrial-08b"), {"run.save.channels": list(CHANNELS)})
    one = cd.simulate(drive, SPLIT)
    two = cd.simulate(drive, 0.001, initial=one)
    for name in ("roller_position", "roller_velocity", "wheel_speed", "link_tension"):
        before, after = one.values(name)[-1], two.values(name)[0]
        np.testing.assert_array_equal(before, after)


def test_the_state_survives_a_file(first: cd.Solution, drive: cd.Drive, tmp_path) -> None:
    assert first.end is not None
    path = tmp_path / "state.npz"
    save_end_state(path, first.end)
    loaded = load_end_state(path)
    assert loaded.digest() == first.end.digest()
    a, b = cd.simulate(drive, 0.002, initial=first.end), cd.simulate(drive, 0.002, initial=loaded)
    np.testing.assert_array_equal(a.values("roller_position"), b.values("roller_position"))
    path.write_bytes(b"PK nothing")
    with pytest.raises(InputError, match="not a readable end state"):
        load_end_state(path)
    with pytest.raises(InputError, match="does not exist"):
        load_end_state(tmp_path / "none.npz")


def test_resuming_a_run_from_another_start_is_refused(drive: cd.Drive, first: cd.Solution, tmp_path) -> None:
    path = tmp_path / "run.nc"
    cd.simulate(drive, 0.002, initial=first, output=path).close()
    with pytest.raises(InputError, match="other options"):
        cd.simulate(drive, 0.004, output=path, resume=True, overwrite=True)
    cd.simulate(drive, 0.004, initial=first, output=path, resume=True, overwrite=True).close()


def channel(system, name: str) -> np.ndarray:
    return system.channel(name).read(system.row(0.0, system.state))


@pytest.mark.parametrize(
    "shift",
    [
        (0.05e-3, 0.0),
        pytest.param((-1.0e-3, 0.0), marks=pytest.mark.long),
        pytest.param((0.0, 0.4e-3), marks=pytest.mark.long),
        (-5.0e-3, 2.0e-3),
    ],
)
def test_a_slack_chain_moves_along_with_a_wheel(
    drive: cd.Drive, first: cd.Solution, shift: tuple[float, float]
) -> None:
    """Rollers between the teeth keep their places there: forces on the teeth stay the same, whatever the shift.

    Positions of a metre are rounded at 1e-16 m; a force of 50 GN/m^1.5 d^1.5 at 10 N has d = 3.4e-7 m, so that its
    relative change is 1.5 x 1e-15/3.4e-7 = 5e-9 or less. Links keep their lengths to 1e-10 m, times 9e7 N/m 0.01 N;
    only the tight span has become longer by what turns the driven wheel, shared by its 38 links.
    """
    assert first.end is not None
    x, y = drive.wheels[1].position
    before = prepare(drive, initial=first.end).system
    system = prepare(override(drive, {"wheels.1.position": [x + shift[0], y + shift[1]]}), initial=first.end).system
    n = drive.chain.links
    body, force = channel(before, "contact_surface"), channel(before, "contact_force")
    assert (body == 0).sum() > 5
    assert (body == 1).sum() > 15
    np.testing.assert_allclose(channel(system, "contact_force")[body >= 0], force[body >= 0], rtol=1e-6, atol=1e-6)
    step = (system.state - before.state)[: 2 * n].reshape(2, n).T
    assert np.abs(step[body == 0]).max() == 0.0  # the driver keeps its place and its angle
    assert np.hypot(*step[body == 1].T).max() > 0.5 * math.hypot(*shift)
    tension = channel(before, "link_tension")
    stretched = channel(system, "link_tension") - tension
    seated = (body >= 0) & (np.roll(body, -1) == body)
    assert np.abs(stretched[seated]).max() < 1e-3
    assert channel(system, "link_tension").max() < 2.0 * tension.max()


def test_the_state_on_a_moved_wheel_runs_like_a_fresh_start(drive: cd.Drive, first: cd.Solution) -> None:
    """From the first instant on tensions stay within the usual range, and their mean converges to that of a fresh
    run.
    """
    x, y = drive.wheels[1].position
    moved = override(drive, {"wheels.1.position": [x - 1e-3, y]})
    continued, fresh = (cd.simulate(moved, 0.06, initial=start) for start in (first, None))
    assert continued.status == cd.Status.REACHED_END
    assert continued.values("link_tension").max() < 1.1 * fresh.values("link_tension").max()
    means = [run.values("link_tension")[-20:].mean() for run in (continued, fresh)]
    assert means[0] == pytest.approx(means[1], rel=0.1)


def test_a_taut_chain_shares_the_change_of_length() -> None:
    """The tightener of the 6S90MC-C is moved by half a degree, which changes the route by about 1.5 mm.

    Shared by all 144 links it changes the tension as that of the kinematic initial configuration; shared by those in
    the spans alone, 9.41 m / 114.3 mm = 82 of them (Pedersen 2004, Tables 5.5 and 5.8), 144/82 times as much. In a
    single span the change would be ten times as large.
    """
    drive = cd.example("6s90mc-c")
    save = drive.run.save.model_copy(update={"channels": ("link_tension",)})
    settled = cd.simulate(drive, 0.01, save=save)
    for change in (0.5, -0.5):
        angle = math.radians(156.5 + change)
        at = [0.490 + 0.17098 * math.cos(angle), 4.680 + 0.17098 * math.sin(angle)]
        run = cd.simulate(override(drive, {"wheels.tightener.position": at}), 0.001, save=save, initial=settled)
        rise = run.values("link_tension")[0].astype(float) - settled.values("link_tension")[-1]
        placed = run.notes["initial_tension"] - settled.notes["initial_tension"]
        assert placed * change < 0.0
        assert 0.9 < rise.mean() / placed < 144 / 82
        assert np.abs(rise).max() < 1.3 * 144 / 82 * abs(placed)


def acceleration(system, t: float, angle: float, kind: int) -> float:
    p = system.parameters
    return float(motion_acceleration(kind, t, angle, p.planar.motion, p.planar.motion_table, 0))


def test_a_constant_speed_goes_on_without_a_ramp(drive: cd.Drive, first: cd.Solution) -> None:
    assert first.end is not None
    system = prepare(drive, initial=first.end).system
    assert system.parameters.planar.motion.speed[0] == 0.0
    assert system.parameters.planar.motion.ramp[0] == 0.0
    quicker = override(drive, {"wheels.0.motion.speed": "-600 rpm", "wheels.0.motion.ramp": "0.5 s"})
    system = prepare(quicker, initial=first.end).system
    assert system.parameters.planar.motion.speed[0] == pytest.approx(-100.0 * math.pi / 30.0, rel=1e-9)
    assert system.parameters.planar.motion.ramp[0] == 0.5
    assert 0.5 in system.motion.stops
    with pytest.raises(InputError, match=r"wheels\[0\].motion.ramp"):
        prepare(override(quicker, {"wheels.0.motion.ramp": 0}), initial=first.end)


@pytest.mark.parametrize("over", ["angle", pytest.param("time", marks=pytest.mark.long)])
def test_an_oscillation_goes_on_in_phase(drive: cd.Drive, first: cd.Solution, over: str) -> None:
    """Acceleration before the cut and after it are one function of time and angle; another oscillation fades in."""
    oscillating = override(drive, {"wheels.0.motion": ORDERS | {"over": over, "fade_in": 0.03}})
    one = cd.simulate(oscillating, SPLIT, initial=first)
    assert one.end is not None
    angle = float(one.values("wheel_angle")[-1, 0])
    before = prepare(oscillating, initial=first.end).system
    after = prepare(oscillating, initial=one.end).system
    kind = int(before.parameters.planar.wheel.motion[0])
    for dt in (0.0, 1e-4, 3e-3, 0.2):
        expected = acceleration(before, SPLIT + dt, angle - 52.0 * dt, kind)
        assert acceleration(after, dt, angle - 52.0 * dt, kind) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert max(abs(acceleration(before, SPLIT + dt, angle - 52.0 * dt, kind)) for dt in (0.0, 0.01, 0.02)) > 30.0
    two = cd.simulate(oscillating, SPLIT, initial=one)  # and once more, from a run that went on itself
    last = prepare(oscillating, initial=two.end).system
    angle = float(two.values("wheel_angle")[-1, 0])
    for dt in (1e-4, 3e-3):
        expected = acceleration(before, 2 * SPLIT + dt, angle - 52.0 * dt, kind)
        assert acceleration(last, dt, angle - 52.0 * dt, kind) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    other = override(oscillating, {"wheels.0.motion.orders.0.amplitude": "100 rad/s^2"})
    row = prepare(other, initial=one.end).system.parameters.planar.motion
    assert row.start[0] == row.ramp[0]  # after the ramp, in which the old fluctuation dies out
    assert row.fade_in[0] == 0.03
    assert row.ramp[0] == other.wheels[0].motion.ramp
    speed = float(one.values("wheel_speed")[-1, 0])
    nominal = -500.0 * math.pi / 30.0
    assert row.speed[0] == pytest.approx(nominal - speed, rel=1e-6, abs=1e-6 * abs(nominal))


@pytest.mark.parametrize("over", [pytest.param("angle", marks=pytest.mark.long), "time"])
def test_an_oscillation_goes_on_about_another_mean(drive: cd.Drive, over: str) -> None:
    """The mean changes from 500 to 600 rpm while the speed fluctuates by some percent; afterwards a revolution takes
    0.1 s.

    It was off by the part of the fluctuation in which the first run happened to end.
    """
    strong = ORDERS | {"over": over, "orders": [{"order": 2, "amplitude": "900 rad/s^2"}]}
    one = cd.simulate(override(drive, {"wheels.0.motion": strong}), 0.037, start="at_speed")
    faster = override(drive, {"wheels.0.motion": strong | {"speed": "-600 rpm", "ramp": "0.04 s"}})
    two = cd.simulate(faster, 0.26, initial=one, save=SaveOptions(rate=5000))
    angle, time = -two.values("wheel_angle")[:, 0], two.time
    begun = float(np.interp(0.05, time, angle))
    turn = np.interp(begun + np.array([2.0, 4.0]) * math.pi, angle, time) - 0.05
    np.testing.assert_allclose(turn, [0.1, 0.2], rtol=2e-5)  # chords between rows: w' dt^2 / 8 / w = 1e-7 s
    speed = two.values("wheel_speed")[:, 0]
    assert np.abs(np.diff(speed)).max() < 2e-4 * (1.1 * 900.0 + 2.0 * 10.5 / 0.04)  # no jump


def test_an_oscillation_that_had_not_grown_up_begins_anew(drive: cd.Drive, first: cd.Solution) -> None:
    oscillating = override(drive, {"wheels.0.motion": ORDERS | {"fade_in": 2 * SPLIT}})
    one = cd.simulate(oscillating, SPLIT, initial=first)
    assert prepare(oscillating, initial=one.end).system.parameters.planar.motion.fade_in[0] == 2 * SPLIT


def test_where_links_are_along_the_loop_goes_on(drive: cd.Drive, first: cd.Solution) -> None:
    """Also on a moved wheel: positions along the loop jump only by the shift of the touch points, not by a turn."""
    x, y = drive.wheels[1].position
    moved = override(drive, {"wheels.1.position": [x - 0.5e-3, y + 1e-3]})
    after = cd.simulate(moved, 0.001, initial=first)
    n = drive.chain.links
    jump = after.values("link_path_position")[0] - first.values("link_path_position")[-1]
    assert np.abs((jump + n / 2) % n - n / 2).max() < 0.05


def test_states_that_do_not_fit(drive: cd.Drive, first: cd.Solution) -> None:
    other = override(drive, {"chain.links": 110, "wheels.1.name": "pump", "wheels.1.teeth": 36})
    with pytest.raises(InputError) as caught:
        cd.simulate(other, 0.001, initial=first)
    assert {problem.place for problem in caught.value.problems} >= {"chain.links", "wheels", "teeth of the wheels"}
    with pytest.raises(InputError, match="cannot have another start"):
        cd.simulate(drive, 0.001, initial=first, start="at_rest")
    broken = cd.simulate(
        override(drive, {"chain.link_stiffness": drive.chain.link_stiffness, "chain.breaking_load": "1 N"}), 0.001
    )
    assert broken.status.failed
    with pytest.raises(InputError, match="holds no end state"):
        cd.simulate(drive, 0.001, initial=broken)


def test_digests_tell_states_apart(first: cd.Solution) -> None:
    assert isinstance(first.end, EndState)
    other = dataclasses.replace(first.end, state=first.end.state + 1e-15)
    moved = dataclasses.replace(first.end, facts=first.end.facts | {"path_angle": np.array(1e-15)})
    assert len({each.digest() for each in (first.end, other, moved)}) == 3


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"formulation": "cvt"}, "belongs to a different formulation"),
        ({"facts": {}}, "damaged: wheel_position"),
        ({"facts": "settled"}, "damaged: settled"),
    ],
)
def test_end_states_of_another_kind_are_refused(drive: cd.Drive, first: cd.Solution, changes, words) -> None:
    assert first.end is not None
    if changes.get("facts"):
        changes = {"facts": first.end.facts | {"settled": np.zeros(7, dtype=np.bool_)}}
    with pytest.raises(InputError, match=words):
        cd.simulate(drive, 0.001, initial=dataclasses.replace(first.end, **changes))

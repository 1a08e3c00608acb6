"""Inputs in every formulation: where they act, their work, and their equality with the motions and torques that a drive
prescribes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba.core import config

import chaindrive as cd
from chaindrive.contract.inputs import Input
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.simulation.settings import settings_of
from chaindrive.simulation.start import as_laid
from chaindrive.solvers.integrator import Integrator
from support.input_drives import INPUT, drive, on_a_slide, wheels


def variator() -> cd.Drive:
    given = cd.example("cvt-63").to_dict()
    first, second = given["sheaves"]
    first = {name: value for name, value in first.items() if name != "motion"} | {"inertia": 0.1, "torque": INPUT}
    return cd.Drive(**given | {"sheaves": [first | {"initial_speed": 100.0}, second]})


def behind_a_shaft(kind: str) -> cd.Drive:
    """A rotor with an input, or a stage with one on its second wheel, behind an elastic shaft."""
    shaft = {"from_wheel": "load", "stiffness": 1e3}
    rotor = {"name": "flywheel", "inertia": 0.1, "torque": INPUT, "shaft": shaft}
    own = wheels({"name": "in"}, {"name": "out", "torque": INPUT})
    chain = {"standard": "08B-1", "links": 50}
    stage = {"name": "final", "shaft": shaft | {"to_wheel": "in"}, "chain": chain, "wheels": own}
    parts: dict[str, Any] = {"rotors": [rotor]} if kind == "rotor" else {"stages": [stage]}
    return drive({"kind": "block"}, wheels=wheels({"torque": 5.0}, {}), **parts)


DRIVES = {
    "block": (lambda: drive({"kind": "block"}), "wheels.motor"),
    "roller": (lambda: drive({"kind": "roller"}), "wheels.motor"),
    "link": (lambda: drive({"kind": "link"}), "wheels.motor"),
    "link along the path": (lambda: drive({"kind": "link", "coordinates": "path"}), "wheels.motor"),
    "spatial": (lambda: drive({"kind": "spatial"}), "wheels.motor"),
    "cvt": (variator, "wheels.primary"),
    "rotor": (lambda: behind_a_shaft("rotor"), "rotors.flywheel"),
    "stage": (lambda: behind_a_shaft("stage"), "stages.final.wheels.out"),
}


def rates(system: System, time: float = 0.0) -> np.ndarray:
    found = np.zeros_like(system.state)
    system.kernels.rhs(time, system.state, found, system.parameters)
    return found


@pytest.mark.parametrize("name", DRIVES)
def test_a_torque_that_is_written_acts_on_its_wheel_alone_and_in_the_balance(name: str) -> None:
    """Half a second after it was written it is c0 + c1/2 + c2/4 + c3/8, over the inertia an acceleration."""
    make, part = DRIVES[name]
    system = as_laid(make())
    (given,) = system.inputs
    assert (given.seat, given.unit) == (part, "N m")
    assert np.shares_memory(system.memory_arrays()["input0"], given.cell)
    before = rates(system)
    given.write(-0.5, np.array([4.0, 6.0, 8.0, 16.0]))
    change = rates(system) - before
    torque, speed = 4.0 + 3.0 + 2.0 + 2.0 - 3.0, given.speed
    assert change[speed] == pytest.approx(torque / system.masses[speed - system.positions], rel=1e-6)
    assert before[given.position] == system.state[speed]
    moved = np.flatnonzero(np.abs(change[: system.positions + system.velocities]) > 1e-9 * np.abs(change[speed]))
    assert moved.tolist() == [speed]
    power = torque * system.state[speed]
    works = change[system.positions + system.velocities :]
    assert np.abs(works).max() == pytest.approx(abs(power), rel=1e-6, abs=1e-9)


LED = {"kind": "input", "speed": 40.0, "ramp": 0.5}
PLANAR = [{"kind": "roller"}, {"kind": "link"}, {"kind": "link", "coordinates": "path"}, {"kind": "spatial"}]


def one_input(system: System) -> Input:
    (found,) = system.inputs
    assert np.shares_memory(system.memory_arrays()["input0"], found.cell)
    return found


def led_variator() -> cd.Drive:
    given = cd.example("cvt-63").to_dict()
    first, second = given["sheaves"]
    return cd.Drive(**given | {"sheaves": [first | {"motion": LED, "inertia": 0.1}, second]})


LED_DRIVES = {
    "block": lambda: drive({"kind": "block"}, wheels=wheels({"motion": LED}, {"load_viscous": 0.1})),
    "roller": lambda: drive({"kind": "roller"}, wheels=wheels({"motion": LED}, {"load_viscous": 0.1})),
    "spatial": lambda: drive({"kind": "spatial"}, wheels=wheels({"motion": LED}, {"load_viscous": 0.1})),
    "cvt": led_variator,
    "position, roller": lambda: on_a_slide(PLANAR[0], {"motion": {"kind": "input"}}),
    "position, link": lambda: on_a_slide(PLANAR[1], {"motion": {"kind": "input"}}),
    "position, along the path": lambda: on_a_slide(PLANAR[2], {"motion": {"kind": "input"}}),
    "position, spatial": lambda: on_a_slide(PLANAR[3], {"motion": {"kind": "input"}}),
}


@pytest.mark.parametrize("name", LED_DRIVES)
def test_a_motion_that_is_written_moves_its_part_and_what_it_takes_is_input(name: str) -> None:
    """Before that it rests, or turns at its speed; then its acceleration is the cubic, and its power T w is input."""
    system = as_laid(LED_DRIVES[name]())
    given, works = one_input(system), system.positions + system.velocities
    system.state[given.speed] += 0.25
    before = rates(system)
    assert before[given.speed] == 0.0
    given.write(-0.5, np.array([4.0, 6.0, 8.0, 16.0]))
    after = rates(system)
    assert after[given.speed] == 4.0 + 3.0 + 2.0 + 2.0
    channel = system.channel("motion_torque" if given.group == "wheels" else "motion_force")
    force = float(np.ravel(channel.read(system.row(0.0, system.state)))[0])
    assert force != 0.0
    supplied = (after - before)[works]
    given.write(-0.5, np.zeros(1))
    held = float(np.ravel(channel.read(system.row(0.0, system.state)))[0])
    assert supplied == pytest.approx((force - held) * system.state[given.speed], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("formulation", PLANAR, ids=lambda given: " ".join(given.values()))
def test_a_force_that_is_written_acts_on_its_body_and_its_power_is_input(formulation: dict[str, Any]) -> None:
    system = as_laid(on_a_slide(formulation, {"load": [50.0, {"kind": "input", "mean": 20.0}]}))
    given, works = one_input(system), system.positions + system.velocities
    assert (given.seat, given.unit) == ("bodies.slide", "N")
    system.state[given.speed] = 0.25
    before = rates(system)
    given.write(-0.5, np.array([4.0, 6.0, 8.0, 16.0]))
    change, force = rates(system) - before, 11.0 - 20.0
    assert change[given.speed] == pytest.approx(force / 1.5, rel=1e-9)  # slide and wheel
    assert change[works] == pytest.approx(force * 0.25, rel=1e-9)


@pytest.mark.parametrize("formulation", PLANAR, ids=lambda given: " ".join(given.values()))
def test_a_supply_pressure_that_is_written_fills_the_chamber_as_one_of_the_drive(formulation: dict[str, Any]) -> None:
    system = as_laid(on_a_slide(formulation, {}, {"kind": "input", "mean": 2e5}))
    given = one_input(system)
    assert (given.seat, given.unit) == ("tensioners.piston", "Pa")
    channel, plain = system.channel("tensioner_pressure"), as_laid(on_a_slide(formulation, {}))
    pressure = float(channel.read(system.row(0.0, system.state))[0])
    assert np.array_equal(system.state, plain.state)
    given.write(-0.5, np.array([1e5, 4e5]))
    other = as_laid(on_a_slide(formulation, {}, 3e5))
    other.state[:] = system.state
    assert np.array_equal(rates(system), rates(other))
    inflow = float(system.channel("tensioner_inflow").read(system.row(0.0, system.state))[0])
    drop = 3e5 - pressure  # fully open above 5 kPa: Q = C A sqrt(2 dp / density)
    assert inflow == pytest.approx(0.7 * np.pi * 0.0015**2 * np.sqrt(2.0 * drop / 850.0), rel=1e-9)


STEPS = 2e-3 * np.arange(1, 4)
"""Ends of the stretches over which inputs are written. [s]"""


def integrated(given: cd.Drive, course: Any = None) -> np.ndarray:
    """The state at the end; course(k): coefficients of the input in stretch k."""
    system = compile_system(given, given.run.formulation, True).as_integrated
    system.state[system.positions : system.positions + system.velocities] = system.motion.rolling
    integrator = Integrator(system, settings_of(given.run.solver, "dormand-prince"), float(STEPS[-1]))
    for k, end in enumerate(STEPS):
        if course is not None:
            inputs, since = one_input(system), integrator.time
            inputs.write(since, inputs.course(np.array(course(k)), float(end) - since, integrator.state))
            integrator.change_loads()
        while integrator.advance(float(end)).name == "RUNNING":
            integrator.take_rows()
    return integrator.state.copy()


TIMES, SIZES = (0.0, *STEPS), (0.0, 30.0, -20.0, 10.0)


def sloping(k: int) -> list[float]:
    """The table of TIMES and SIZES behind point k, as a polynomial."""
    return [SIZES[k], (SIZES[k + 1] - SIZES[k]) / (TIMES[k + 1] - TIMES[k])]


def run_up(k: int) -> list[float]:
    """40 + 5 (3 x^2 - 2 x^3) rad/s, x = t / T: a run-up, behind point k."""
    end, at = STEPS[-1], TIMES[k]
    whole = np.polynomial.Polynomial([40.0, 0.0, 15.0 / end**2, -10.0 / end**3])
    return [float(whole.deriv(n)(at)) / (1, 1, 2, 6)[n] if n else float(whole(at)) for n in range(4)]


SAME = {
    "speed": (
        lambda: drive({"kind": "block"}, wheels=wheels({"motion": LED}, {})),
        lambda: drive({"kind": "block"}, wheels=wheels({"motion": {
            "kind": "run_up", "initial_speed": 40.0, "final_speed": 45.0, "duration": float(STEPS[-1])}}, {})),
        run_up,
    ),
    "position": (
        lambda: on_a_slide(PLANAR[0], {"motion": {"kind": "input"}}),
        lambda: on_a_slide(PLANAR[0], {"motion": {"kind": "table", "times": TIMES[:2], "positions": (0.0, 1e-5)}}),
        lambda k: [1e-5],
    ),
    "force": (
        lambda: on_a_slide(PLANAR[0], {"load": {"kind": "input"}}),
        lambda: on_a_slide(PLANAR[0], {"load": {"times": TIMES, "forces": SIZES}}),
        sloping,
    ),
    "supply pressure": (
        lambda: on_a_slide(PLANAR[0], {}, {"kind": "input", "mean": 2e5}),
        lambda: on_a_slide(PLANAR[0], {}, {"times": TIMES, "pressures": [2e5 + 1e3 * size for size in SIZES]}),
        lambda k: [2e5 + 1e3 * sloping(k)[0], 1e3 * sloping(k)[1]],
    ),
}  # fmt: skip


ROLLERS_TAKE_LONG = pytest.mark.skipif(
    bool(config.DISABLE_JIT), reason="20 s each in plain Python; the block takes 1 s"
)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "speed" else ROLLERS_TAKE_LONG) for name in SAME]
)
def test_an_input_is_what_the_same_drive_prescribes(name: str) -> None:
    """A run-up is a cubic of the speed; from rest to rest, a table of two points is the way that a position goes."""
    made, same, course = SAME[name]
    found, expected, without = integrated(made(), course), integrated(same()), integrated(made())
    moved = np.abs(expected - without)
    assert np.abs(found - expected).max() < 1e-7 * np.abs(expected).max()
    assert np.all(np.abs(found - expected) <= 1e-6 * moved.max())
    assert moved.max() > 0.0


@pytest.mark.parametrize("name", ["block", "roller", "link", "spatial"])
@pytest.mark.parametrize("wheel", [0, 1])
def test_a_port_knows_angle_and_speed_of_its_wheel(name: str, wheel: int) -> None:
    """In space there are more positions than speeds: one does not follow from the other."""
    make, _ = DRIVES[name]
    system = as_laid(make())
    assert system.port is not None
    port, moved = system.port(wheel), system.state.copy()
    moved[port.angle] += 0.125
    moved[port.speed] += 7.0
    for channel, change in (("wheel_angle", 0.125), ("wheel_speed", 7.0)):
        before, after = (system.channel(channel).read(system.row(0.0, y)).ravel() for y in (system.state, moved))
        assert (after - before).tolist() == pytest.approx([change * (w == wheel) for w in range(2)], abs=1e-9)

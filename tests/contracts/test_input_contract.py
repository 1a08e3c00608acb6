"""Torques that are written between steps, in every formulation: where they act, and what their work is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.system import System
from chaindrive.simulation.start import as_laid

INPUT = {"kind": "input", "mean": 3.0, "largest": 20.0}


def wheels(*first: dict[str, Any]) -> list[dict[str, Any]]:
    given = [
        {"name": "motor", "teeth": 17, "position": (0, 0), "inertia": 0.02},
        {"name": "load", "teeth": 17, "position": (0.20955, 0), "inertia": 0.03},
    ]
    made = zip(given, first or ({"torque": INPUT}, {"load_viscous": 0.1}), strict=True)
    return [one | {"tooth": {"form": "iso-606"}} | other for one, other in made]


def drive(formulation: dict[str, Any], **changes: Any) -> cd.Drive:
    chain = {"standard": "08B-1", "links": 50}
    fields = {"name": "d", "chain": chain, "contact": {"stiffness": 1e9}, "wheels": wheels()}
    return cd.Drive(**fields | {"run": {"formulation": formulation}} | changes)


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
    "block": (lambda: drive({"kind": "block"}), "motor"),
    "roller": (lambda: drive({"kind": "roller"}), "motor"),
    "link": (lambda: drive({"kind": "link"}), "motor"),
    "link along the path": (lambda: drive({"kind": "link", "coordinates": "path"}), "motor"),
    "spatial": (lambda: drive({"kind": "spatial"}), "motor"),
    "cvt": (variator, "primary"),
    "rotor": (lambda: behind_a_shaft("rotor"), "flywheel"),
    "stage": (lambda: behind_a_shaft("stage"), "final.out"),
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
    assert (given.part, given.unit) == (part, "N m")
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

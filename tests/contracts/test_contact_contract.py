"""Every contact law in every formulation with teeth: its force, its energy, its slope, its limit of a step.

A law is given in several places: its force in the plane and in space, its energy, its slope for the static equilibrium
and for the limit of a step. Here they are compared with each other, and with a separate formula.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from chaindrive.analyses.results.comparison import comparison
from chaindrive.contract.bordered import bordered, dense
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.compile import softened_contacts
from chaindrive.formulations.planar.limits import REFERENCE_PENETRATION, tangents
from chaindrive.kernels.tables import copied
from chaindrive.model import Drive
from chaindrive.model.formulation import PlanarOptions
from chaindrive.physics.contact_laws import CONTACT_LAWS
from support import own_laws
from support.made_run import solution_of
from support.small_drives import two_wheels, wheels_in_space

FloatArray = NDArray[np.float64]


class Sample(NamedTuple):
    """A contact in a drive file, and the elastic force that it gives."""

    law: str
    contact: dict[str, Any]
    force: Callable[[FloatArray], FloatArray]
    """Force at a depth [m] above 0."""


def power(law: str, stiffness: float, exponent: float) -> Sample:
    contact = {"stiffness": stiffness, "exponent": exponent, "restitution": 1.0, "friction": 0.0}
    return Sample(law, contact, lambda depth: stiffness * depth**exponent)


SAMPLES = {
    "linear": power("hertz", 1e7, 1.0),
    "with the exponent 1.5": power("hertz", 1e9, 1.5),
    "with another exponent": power("hertz", 1e11, 2.0),
    "law of one's own": Sample(
        "hertz", {"law": own_laws.rubber}, lambda depth: 200.0 * (depth / 1e-4 + (depth / 1e-4) ** 3)
    ),
}
"""One law of every shape, without losses; a law of another shape needs a force of its own here."""
OF_A_POWER = {
    "hertz",
    "kelvin-voigt",
    "hunt-crossley",
    "lankarani-nikravesh",
    "flores",
    "herbert-mcwhannell",
    "lee-wang",
    "gonthier",
    "hu-guo",
}
"""Laws that differ in damping alone."""
KINDS = ("roller", "link", "spatial")
PRESSED = 1e-4
"""Enlargement of the surfaces by which rollers, placed 6e-5 from their seats, are pressed into them. [m]"""


def drive_of(sample: Sample, kind: str) -> Drive:
    given: dict[str, Any] = {"contact": sample.contact, "gravity": (0.0, 0.0)}
    if kind == "spatial":
        return wheels_in_space(options={"contact_law": sample.law}, **given)
    return two_wheels(run={"formulation": {"kind": kind, "contact_law": sample.law}}, **given)


def system_of(sample: Sample, kind: str) -> System:
    """A system placed and shaken by micrometres, so that rollers are pressed in by 2e-5 m to 6e-5 m."""
    drive = drive_of(sample, kind)
    system = compile_system(drive, drive.run.formulation, False)
    system.state[: 2 * drive.chain.links] += np.random.default_rng(4).uniform(-2e-5, 2e-5, 2 * drive.chain.links)
    return system


def pressed(system: System, depth: float) -> Any:
    """The parameters with larger surfaces: every roller is deeper in its tooth by this depth. [m]"""
    planar = system.parameters.planar
    surface = copied(planar.surface)
    surface.radius[:] += depth
    return system.parameters._replace(planar=planar._replace(surface=surface))


def recorded(system: System, parameters: Any) -> dict[str, FloatArray]:
    """A row recorded at rest."""
    row = np.full(system.row_size, np.nan)
    system.kernels.begin(0.0, system.state, parameters)
    system.kernels.record(0.0, system.state, parameters, row)
    return {channel.name: channel.read(row) for channel in system.channels}


@pytest.fixture(scope="module", params=[(name, kind) for name in SAMPLES for kind in KINDS], ids=" in ".join)
def case(request: pytest.FixtureRequest) -> tuple[Sample, System]:
    name, kind = request.param
    return SAMPLES[name], system_of(SAMPLES[name], kind)


def test_there_is_a_sample_of_every_law_and_of_every_shape() -> None:
    named = set(get_args(PlanarOptions.model_fields["contact_law"].annotation))
    assert named == set(CONTACT_LAWS) == OF_A_POWER | {sample.law for sample in SAMPLES.values()}
    shapes = {value for name, value in vars(P).items() if name.startswith("LAW_")}
    made = {int(law) for each in SAMPLES.values() for law in system_of(each, "roller").parameters.planar.surface.law}
    assert made == shapes


@pytest.mark.parametrize("law", sorted(OF_A_POWER))
def test_laws_that_differ_in_damping_alone_press_alike(law: str) -> None:
    sample = power(law, 1e7, 1.0)
    system = system_of(sample, "roller")
    row = recorded(system, pressed(system, PRESSED))
    on = row["contact_penetration"] > 0.0
    np.testing.assert_allclose(row["contact_force"][on], sample.force(row["contact_penetration"][on]), rtol=1e-9)


def test_the_force_is_that_of_the_formula(case: tuple[Sample, System]) -> None:
    sample, system = case
    row = recorded(system, pressed(system, PRESSED))
    depth, force = row["contact_penetration"], row["contact_force"]
    on = depth > 0.0
    assert on.sum() > 10
    np.testing.assert_allclose(force[on], sample.force(depth[on]), rtol=1e-9)


def test_the_energy_stored_is_the_integral_of_the_force(case: tuple[Sample, System]) -> None:
    """Surfaces that grow by h store h times the sum of all forces; central differences err by h^2 of the third rate."""
    _, system = case
    h = 1e-8
    stored = [recorded(system, pressed(system, PRESSED + each))["energy_elastic"] for each in (-h, h)]
    force = recorded(system, pressed(system, PRESSED))["contact_force"]
    assert float(stored[1] - stored[0]) / (2.0 * h) == pytest.approx(float(force.sum()), rel=1e-5)


def test_softer_contacts_are_softer_by_the_factor(case: tuple[Sample, System]) -> None:
    """These are the contacts with which the search for the static equilibrium begins."""
    _, system = case
    parameters = pressed(system, PRESSED)
    softer = parameters._replace(planar=softened_contacts(parameters.planar, 0.01))
    full, soft = (recorded(system, each)["contact_force"] for each in (parameters, softer))
    np.testing.assert_allclose(soft, 0.01 * full, rtol=1e-12)


def test_the_limit_before_a_run_is_no_softer_than_the_law(case: tuple[Sample, System]) -> None:
    sample, system = case
    planar = system.parameters.planar
    depth = REFERENCE_PENETRATION * planar.roller_radius * np.array([0.999, 1.001])
    low, high = sample.force(depth)
    slope = (high - low) / (depth[1] - depth[0])
    assert (tangents(planar)[: planar.wheels] >= slope * (1.0 - 1e-5)).all()


@pytest.mark.parametrize("name", SAMPLES)
def test_the_limit_in_a_run_is_no_softer_than_the_law(name: str) -> None:
    """Rollers yield as a mass: contacts add their slope over this mass to the square of the highest frequency."""
    sample = SAMPLES[name]
    system = system_of(sample, "roller")
    frequency = system.kernels.asked("frequency", "this test")
    squares = []
    for depth in (-1e-3, PRESSED):
        parameters = pressed(system, depth)
        row = recorded(system, parameters)
        squares.append(frequency(system.state, parameters) ** 2)
    depths = row["contact_penetration"][row["contact_penetration"] > 0.0]
    slopes = (sample.force(1.0001 * depths) - sample.force(0.9999 * depths)) / (2e-4 * depths)
    assert squares[1] - squares[0] >= slopes.max() / system.parameters.mass * (1.0 - 1e-5)


@pytest.mark.parametrize("name", SAMPLES)
def test_analytical_checks_know_the_law_or_leave_it_out(name: str) -> None:
    """The penetration that they compute from the forces of a made run is the one that produced these forces."""
    sample = SAMPLES[name]
    drive, time = drive_of(sample, "roller"), np.arange(0.0, 1.0, 2e-3)
    wheels, links, ones = len(drive.wheels), drive.chain.links, np.ones((time.size, 1))
    depth = np.linspace(2e-5, 6e-5, links) * ones
    speed = 10.0 * np.ones((time.size, wheels))
    table = {
        "contact_force": sample.force(depth),
        "contact_penetration": depth,
        "contact_surface": (np.arange(links) % wheels) * ones,
        "span_tension": ones * [100.0, 500.0],
        "bearing_force": np.ones((time.size, wheels, 2)),
        "wheel_torque": 0.0 * speed,
        "wheel_angle": speed * time[:, None],
        "wheel_speed": speed,
    }
    found = comparison(solution_of(drive, time, table))
    rows = [row for row in found.rows if row.quantity == "mean penetration"]
    left_out = [each for each in found.left_out if each.quantity == "mean penetration"]
    assert len(rows) + len(left_out) == wheels
    for row in rows:
        assert row.analytical == pytest.approx(row.simulated, rel=1e-9)


@pytest.mark.parametrize("kind", ["roller", "link"])
@pytest.mark.parametrize("name", SAMPLES)
def test_the_stiffness_at_rest_is_the_derivative_of_the_forces(name: str, kind: str) -> None:
    """For the first positions of the chain, which lies on the first wheel."""
    system = system_of(SAMPLES[name], kind)
    parameters = pressed(system, PRESSED)
    row = recorded(system, parameters)
    n, size = system.parameters.links, 2 if kind == "roller" else 3
    force_of, statics = system.kernels.asked("forces", "this test"), system.rest.statics
    assert statics is not None

    def forces(y: FloatArray) -> FloatArray:
        found = np.empty(system.positions)
        force_of(0.0, y, parameters, found)
        return found

    forces(system.state)
    matrix = bordered(n, size, system.positions - size * n)
    statics.stiffness(0.0, system.state, parameters, matrix, False)
    exact, shift = dense(matrix), 1e-9
    on = np.flatnonzero(row["contact_penetration"][:n] > 0.0)[:6]
    for column in (*on, *(n + on)):
        ahead, behind = system.state.copy(), system.state.copy()
        ahead[column] += shift
        behind[column] -= shift
        change = (forces(behind) - forces(ahead)) / (ahead[column] - behind[column])
        free = np.isfinite(system.masses)
        assert np.abs(exact[free, column] - change[free]).max() < 1e-5 * np.abs(exact[:, column]).max()

"""User-defined contact laws: refusals, agreement with the laws of the package, energy, names."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import chaindrive as cd
from chaindrive import law
from chaindrive.analyses.results.comparison import _unknown_law
from chaindrive.errors import InputError
from chaindrive.fmu.build import write_fmu
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar.compile import only_dragged
from chaindrive.formulations.planar.limits import REFERENCE_PENETRATION
from chaindrive.kernels import kernel
from chaindrive.model import Contact, loads
from chaindrive.model.contact import closest_power
from chaindrive.model.own_law import Law
from chaindrive.physics import own_contact
from chaindrive.physics.contact_laws import CONTACT_LAWS, own, speed_of_depth
from chaindrive.physics.contact_laws.kelvin_voigt import restitution_of
from chaindrive.report.description import _guide_text
from chaindrive.report.summary import _contacts
from support import own_laws
from support.small_drives import rail, running_links, two_wheels, wheels_in_space

KINDS = ("roller", "link", "spatial")
MASS = 0.0088
SPEEDS = {"reference_speed": 0.7}
"""Impact speed of closed contacts at the start of a run; not 1, as a missing factor 1 would not be noticed. [m/s]"""
LARGEST = own_laws.rubber.axes[0][-1]


def of_kind(kind: str, contact: dict[str, Any], **options: Any) -> cd.Drive:
    """Two wheels at speed with this contact."""
    if kind == "spatial":
        return wheels_in_space(options=SPEEDS | options, contact=contact)
    return two_wheels(run={"formulation": {"kind": kind} | SPEEDS | options}, contact=contact)


def evaluated(drive: cd.Drive) -> tuple[Any, np.ndarray, dict[str, float]]:
    """Compiled, its derivative and some scalars at a state in which contacts are pressed and move."""
    system = compile_system(drive, drive.run.formulation, True)
    rng = np.random.default_rng(1)
    system.state[: 2 * drive.chain.links] += rng.uniform(-1e-4, 1e-4, 2 * drive.chain.links)
    system.state[system.positions : system.positions + system.velocities] += 0.1 * rng.standard_normal(
        system.velocities
    )
    dy = np.zeros_like(system.state)
    system.kernels.begin(0.0, system.state, system.parameters)
    system.kernels.rhs(0.0, system.state, dy, system.parameters)
    limit = system.kernels.asked("frequency", "this test")(system.state, system.parameters)
    row = system.row(0.0, system.state)
    numbers = {"limit": float(limit), "before": system.motion.highest_frequency}
    return system, dy, numbers | {"elastic": float(system.channel("energy_elastic").read(row))}


# What is refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (own_laws.drives_contact, "supplies energy at depth = 0.0003, impact_speed = "),
        (own_laws.remembers_impacts, "depends on the impact speed at rate = 0"),
        (own_laws.jumps_when_touched, "at first contact"),
        (own_laws.in_millimetres, "depths are in m and forces in N"),
        (own_laws.one_argument, "must take 3 numbers: depth, rate, impact_speed"),
    ],
)
def test_what_is_no_law_of_a_contact(function: Any, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        law.contact(**own_laws.IMPACTS)(function)
    assert {problem.place for problem in caught.value.problems} == {f"law support.own_laws:{function.__name__}"}


def test_all_problems_of_a_law_are_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        law.contact(**own_laws.IMPACTS)(own_laws.pulls_when_deep)
    told = " ".join(problem.message for problem in caught.value.problems)
    assert all(each in told for each in ("does not push at depth = 0.0003", "falls from", "forces in N"))


@pytest.mark.parametrize(
    ("given", "place"),
    [
        ({"depths": (1e-5, 1e-4)}, "depths"),
        ({"depths": ("0 m", "0.3 m")}, "depths"),
        ({"rates": (1, 2)}, "rates"),
        ({"impact_speeds": (0, 1)}, "impact_speeds"),
        ({"impact_speeds": ("1 kg", "2 kg")}, "impact_speeds"),
    ],
)
def test_ranges_of_a_contact(given: dict[str, Any], place: str) -> None:
    with pytest.raises(InputError) as caught:
        law.contact(**(own_laws.IMPACTS | given))
    assert [problem.place for problem in caught.value.problems] == [place]


def test_where_a_contact_law_may_stand(tmp_path: Any) -> None:
    drive = running_links(guides=[rail(1, contact={"law": own_laws.rubber})], contact={"law": own_laws.elastic})
    assert loads(str(drive)) == drive
    with pytest.raises(InputError, match="is for elastic contacts") as caught:
        drive.replace({"run.formulation": {"kind": "roller", "contacts": "rigid"}, "run.solver": {}})
    assert {problem.place for problem in caught.value.problems} >= {"contact.law", "guides[0].contact.law"}
    with pytest.raises(InputError, match="a contact law is needed here"):
        Contact(law=own_laws.as_a_spring)
    with pytest.raises(InputError, match="which an FMU cannot contain") as caught:
        write_fmu(drive, tmp_path / "a.fmu")
    assert [problem.place for problem in caught.value.problems] == ["contact.law", "guides[0].contact.law"]


def test_a_law_takes_the_place_of_the_named_one_and_of_what_that_needs() -> None:
    """Kelvin and Voigt need the exponent 1, Flores a restitution: a contact with a user-defined law has neither."""
    for named in ("kelvin-voigt", "flores"):
        drive = of_kind("roller", {"law": own_laws.rubber}, contact_law=named)
        assert drive.contact.law == own_laws.rubber


# Scalars --------------------------------------------------------------------------------------------------------------


@kernel
def energy(address: int, depth: float, deepest: float, energies: np.ndarray) -> float:
    return own_contact.elastic_energy_own(address, depth, deepest, energies)


def integral_of_the_curve(depth: float) -> float:
    """Exact integral of the measured curve: it is linear between its points. [J]"""
    points = np.append(own_laws.DEPTHS[: np.searchsorted(own_laws.DEPTHS, depth)], depth)
    return float(np.trapezoid(np.interp(points, *own_laws.CURVE), points))


@pytest.mark.parametrize("depth", [1e-7, 5e-5, 8e-5, 1.7e-4, 2.9999e-4, 3e-4, 3.2e-4])
def test_the_energy_stored_is_the_integral_of_the_law(depth: float) -> None:
    """Exact for powers up to 3 in steps of 0.5; at the kinks of a curve the error is the square of a step."""
    x = depth / 1e-4
    exact = {
        own_laws.elastic: 1e9 * depth**2.5 / 2.5,
        own_laws.viscous: 0.5e7 * depth**2,
        own_laws.rubber: 200.0 * 1e-4 * (x**2 / 2.0 + x**4 / 4.0),
    }
    for each, integral in exact.items():
        energies = own.stored_energies(each, LARGEST)
        assert energy(each.address, depth, LARGEST, energies) == pytest.approx(integral, rel=1e-12)
    if depth <= LARGEST:  # constant beyond its points
        energies = own.stored_energies(own_laws.measured_curve, LARGEST)
        bent = integral_of_the_curve(depth)
        assert energy(own_laws.measured_curve.address, depth, LARGEST, energies) == pytest.approx(bent, rel=2e-7)


def test_a_pressed_contact_loses_no_energy_it_does_not_have() -> None:
    assert energy(own_laws.elastic.address, -1e-5, LARGEST, own.stored_energies(own_laws.elastic, LARGEST)) == 0.0


@pytest.mark.parametrize(("name", "restitution"), [("lankarani-nikravesh", 0.3), ("hertz", 1.0)])
def test_the_impact_that_reaches_a_depth_is_that_of_the_first_integral(name: str, restitution: float) -> None:
    named = CONTACT_LAWS[name](1e9, 1.5, restitution, MASS)

    def force(depth: float, rate: float, impact: float) -> float:
        return 1e9 * depth**1.5 * (1.0 + named.hysteresis * rate / impact)

    depth = 4e-5
    elastic = math.sqrt(2.0 * 1e9 * depth**2.5 / (2.5 * MASS))
    closed = speed_of_depth(named, MASS) * math.sqrt(1e9 * depth**2.5) if named.hysteresis else elastic
    assert own.impact_that_reaches(force, MASS, depth) == pytest.approx(closed, rel=1e-8)


def test_losses_that_no_impact_overcomes_are_told() -> None:
    with pytest.raises(ValueError, match="does not reach a depth of"):
        own.impact_that_reaches(lambda d, r, v: 1e7 * d * (1.0 + 1e9 * r), MASS, 4e-5)


def test_a_mass_bounces_as_the_closed_form_of_spring_and_damper_says() -> None:
    """Restitution of 1e7 N/m and 100 N s/m that do not pull (Schwager & Poeschel 2007), and the account of its
    energy.
    """
    address, speed = own_laws.viscous.address, 0.5

    def rates(_: float, state: np.ndarray) -> list[float]:
        force = normal(address, state[0], state[1], speed)
        return [state[1], -force / MASS, (force - normal(address, state[0], 0.0, speed)) * state[1]]

    def free(_: float, state: np.ndarray) -> float:
        return float(state[0] if state[1] < 0.0 else 1.0)

    free.terminal = True  # type: ignore[attr-defined]
    unit = math.sqrt(MASS / 1e7)
    run = solve_ivp(rates, (0.0, 20.0 * unit), (1e-15, speed, 0.0), events=free, rtol=1e-11, atol=1e-14, max_step=unit)
    left = -run.y[1, -1]
    zeta = 100.0 / (2.0 * math.sqrt(1e7 * MASS))
    assert left / speed == pytest.approx(restitution_of(zeta), rel=1e-6)
    assert run.y[2, -1] == pytest.approx(0.5 * MASS * (speed**2 - left**2), rel=1e-6)


@kernel
def normal(address: int, depth: float, rate: float, impact: float) -> float:
    return own_contact.normal_force_own(address, depth, rate, impact)


@kernel
def reached(address: int, depth: float, energy: float) -> tuple[float, float]:
    return own_contact.depth_reached(address, depth, energy)


@pytest.mark.parametrize("start", [0.0, 1e-6, 9e-5])
def test_the_depth_that_an_impact_reaches_is_that_of_its_energy(start: float) -> None:
    """For rubber, from its integral: the energy is tabulated in steps of a fifth of the depth, hence two percent."""

    def stored(depth: float) -> float:
        return 0.02 * (0.5 * (depth / 1e-4) ** 2 + 0.25 * (depth / 1e-4) ** 4)

    goal = 2.0e-4
    depth, steepest = reached(own_laws.rubber.address, start, stored(goal) - stored(start))
    assert depth == pytest.approx(goal, rel=0.02)
    assert steepest == pytest.approx(200.0 / 1e-4 * (1.0 + 3.0 * (depth / 1e-4) ** 2), rel=1e-6)


# What it does ---------------------------------------------------------------------------------------------------------

NAMED = {
    "hertz": ({"stiffness": 1e9, "restitution": 1.0}, own_laws.elastic),
    "lankarani-nikravesh": ({"stiffness": 1e9, "restitution": 0.3}, own_laws.hysteretic),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", NAMED)
def test_a_named_law_written_by_oneself_is_that_law(name: str, kind: str) -> None:
    """Forces and powers, energy, and the limit of a step: before a run by the slope at one depth, in it by differences.

    The bounded memory of impacts has the impact of this law, found by integration (to 1e-8 of its speed).
    """
    contact, written = NAMED[name]
    common = {"friction": 0.1} if kind == "spatial" else {"friction": 0.0}
    _, by_name, first = evaluated(of_kind(kind, contact | common, contact_law=name))
    _, by_law, second = evaluated(of_kind(kind, {"law": written} | common, contact_law="flores"))
    assert np.abs(by_law - by_name).max() < 1e-12 * np.abs(by_name).max()
    assert second["elastic"] == pytest.approx(first["elastic"], rel=1e-12)
    assert second["before"] == pytest.approx(first["before"], rel=1e-8)
    assert second["limit"] == pytest.approx(first["limit"], rel=1e-2)


def test_estimates_take_the_closest_power() -> None:
    assert closest_power(own_laws.elastic) == pytest.approx((1e9, 1.5), rel=1e-9)
    contact = Contact(law=own_laws.rubber)
    stiffness, exponent = closest_power(own_laws.rubber)
    assert (contact.stiffness, contact.exponent) == (stiffness, exponent)
    depths = np.array([1e-6, 3e-5, 2e-4])
    forces = [own_laws.rubber(depth, 0.0, 1.0) for depth in depths]
    np.testing.assert_allclose(contact.penetration(forces), depths, rtol=1e-8)
    assert np.isnan(contact.penetration(1e9))
    assert contact.penetration(0.0) == 0.0


def test_a_law_that_does_not_rise_where_the_step_is_estimated_is_told_with_its_place() -> None:
    flat = law.contact(**own_laws.IMPACTS)(own_laws.flat_between)
    with pytest.raises(InputError, match="must be positive and increase") as caught:
        compile_system(of_kind("roller", {"law": flat}), cd.RollerOptions(), True)
    assert caught.value.problems[0].place == "contact.law"


def test_without_losses_a_law_is_its_elastic_force() -> None:
    """This is the force used in the search for a rolling start."""
    system, _, _ = evaluated(of_kind("roller", {"law": own_laws.hysteretic}))
    p = system.parameters
    for planar, lossless in ((p.planar, False), (only_dragged(p.planar), True)):
        system.kernels.rhs(0.0, system.state, np.zeros_like(system.state), p._replace(planar=planar))
        contact = planar.contact
        on = contact.penetration > 0.0
        assert on.any()
        assert np.array_equal(contact.force[on], contact.elastic[on]) == lossless


# How it is named ------------------------------------------------------------------------------------------------------


def test_a_file_names_a_contact_law_and_never_gives_it(monkeypatch: pytest.MonkeyPatch) -> None:
    drive = two_wheels(contact={"law": own_laws.rubber})
    monkeypatch.delitem(Law.known, own_laws.rubber.text)
    read = loads(str(drive))
    assert read == drive
    assert read.contact.stiffness == closest_power(own_laws.rubber)[0]
    with pytest.raises(InputError, match=r"a file cannot contain: import 'support\.own_laws'") as caught:
        cd.simulate(read, until=0.01)
    assert caught.value.problems[0].place == "contact.law"


def test_reports_and_analytical_checks_name_the_law(monkeypatch: pytest.MonkeyPatch) -> None:
    drive = two_wheels(contact={"law": own_laws.rubber}, guides=[rail(1, contact={"law": own_laws.measured_curve})])
    options = {"formulation": {"contact_law": "flores"}}
    assert _contacts(options, drive) == f", contact by the law {own_laws.rubber}"
    assert "by the law support.own_laws:measured_curve" in _guide_text(drive.guides[0])
    assert _unknown_law(drive.contact, 1e-5) is None
    assert "outside the range" in str(_unknown_law(drive.contact, math.nan))
    monkeypatch.delitem(Law.known, own_laws.rubber.text)
    assert "has not been imported" in str(_unknown_law(loads(str(drive)).contact, 1e-5))


def test_the_reference_depth_is_within_the_range_of_the_samples() -> None:
    assert REFERENCE_PENETRATION * 0.5 * 0.00851 < LARGEST

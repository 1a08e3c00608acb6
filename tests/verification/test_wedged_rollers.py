"""Rollers too large for the gaps of a wheel: both flanks hold them, each with its own normal force and friction.

A chain 08B, rollers of 8.51 mm, on a wheel cut for those of 08A, 7.92 mm: both have a pitch of 12.7 mm.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from chaindrive.contract.bordered import bordered, dense
from chaindrive.contract.system import System
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar import parameters as P
from chaindrive.geometry.tooth_forms import TOOTH_FORMS, tooth_profile
from chaindrive.geometry.tooth_forms.wedge import wedge
from chaindrive.mechanism.layout import judge_layout
from chaindrive.mechanism.teeth import tooth_wedge
from chaindrive.model import LinkOptions, RollerOptions
from chaindrive.simulation.start import settle
from chaindrive.solvers import SolverSettings
from support.small_drives import PITCH, channel, compiled, rates, run, two_wheels

FloatArray = NDArray[np.float64]
ROLLER, CUT = 8.51e-3, 7.92e-3
OPTIONS = {"roller": RollerOptions(), "link": LinkOptions()}
TEETH = 16
RADIUS = PITCH / (2.0 * math.sin(math.pi / TEETH))
TOUCHING = RADIUS + 1e-3
"""Radial position well above the bottom of the gap. [m]"""
STIFFNESS = 1e10


class Gap(NamedTuple):
    """One roller in a gap of the driver of a drive whose chain exerts no weight or pull on it."""

    system: System
    roller: int

    def placed(self, xi: float, eta: float, velocity: tuple[float, float] = (0.0, 0.0)) -> FloatArray:
        """State with the roller at (xi, eta) in the frame of its gap [m], moving there with ``velocity`` [m/s]."""
        y, n, q = self.system.state.copy(), self.system.parameters.links, self.system.positions
        ux, uy = self.axis()
        at = [self.roller, n + self.roller]
        y[at] = eta * ux - xi * uy, eta * uy + xi * ux
        y[[q + k for k in at]] = velocity[1] * ux - velocity[0] * uy, velocity[1] * uy + velocity[0] * ux
        return y

    def axis(self) -> tuple[float, float]:
        """Direction of the centre line of the gap."""
        p = self.system.parameters.planar
        angle = self.system.state[p.layout.wheel_angle] + 2.0 * math.pi * p.gap[0, self.roller] / TEETH
        return math.cos(angle), math.sin(angle)

    def force(self, y: FloatArray) -> FloatArray:
        """Force of the teeth on the roller along xi and eta, (2,). [N]"""
        rates(self.system, y)
        p, total = self.system.parameters.planar, np.zeros(2)
        for s in range(p.used.segments[0]):
            first, end, slot = p.segment.first[s], p.segment.end[s], p.segment.slot[s]
            if p.segment.surface[s] == 0 and first <= self.roller < end:
                contact, k = p.contact, slot + self.roller - first
                nx, ny = contact.normal_x[k], contact.normal_y[k]
                normal, tangential = contact.force[k], contact.friction[k]
                total += normal * nx - tangential * ny, normal * ny + tangential * nx
        ux, uy = self.axis()
        return np.array([total[1] * ux - total[0] * uy, total[0] * ux + total[1] * uy])

    def flanks(self, y: FloatArray) -> FloatArray:
        """Normal forces of both flanks on the roller, that at negative xi first, (2,). [N]"""
        return channel(self.system, "flank_force", y)[self.roller]

    def v_shaped(self, angle: float) -> Gap:
        """Straight flanks at ``angle`` to the centre line; a roller at (0, TOUCHING) just touches both."""
        p = self.system.parameters.planar
        rows = p.profile[p.face.profile[0] :][: P.PROFILE_ROWS]
        rows[:] = 0.0
        normal = -math.cos(angle), math.sin(angle)
        rows[0, :5] = -0.5 * ROLLER * normal[0], TOUCHING - 0.5 * ROLLER * normal[1], *normal, 0.0
        return self


def gap(tooth: dict | None = None, contact: dict | None = None, cut: float = CUT) -> Gap:
    first = {"roller_diameter": cut, "tooth": tooth or {"form": "iso-606"}}
    drive = two_wheels((TEETH, TEETH), first=first, contact={"stiffness": STIFFNESS, "exponent": 1.5} | (contact or {}))
    system = compiled(drive, moving=False)
    rates(system, system.state)
    x = system.state[: 2 * drive.chain.links].reshape(2, -1).T
    return Gap(system, int(np.argmin(x[:, 0])))


@pytest.mark.parametrize("angle", [0.2, 0.6, 1.2])
@pytest.mark.parametrize("exponent", [1.0, 1.5, 1.3])
def test_roller_pressed_into_a_v(angle: float, exponent: float) -> None:
    """Sunk by z it presses N = K (z sin a)^n on each flank, F = 2 N sin a; transversely its stiffness is 2 n K d^(n-1)
    cos^2 a.
    """
    v = gap(contact={"exponent": exponent, "stiffness": 3e8}).v_shaped(angle)
    sunk = 2e-5
    y = v.placed(0.0, TOUCHING - sunk)
    depth = sunk * math.sin(angle)
    normal = 3e8 * depth**exponent
    np.testing.assert_allclose(v.flanks(y), [normal, normal], rtol=1e-9)
    across, outward = v.force(y)
    assert outward == pytest.approx(2.0 * normal * math.sin(angle), rel=1e-9)
    assert abs(across) < 1e-9 * normal
    shift = 1e-8
    here, there = (v.force(v.placed(xi, TOUCHING - sunk))[0] for xi in (-shift, shift))
    slope = (here - there) / (2.0 * shift)
    assert slope == pytest.approx(2.0 * exponent * 3e8 * depth ** (exponent - 1.0) * math.cos(angle) ** 2, rel=1e-5)


def test_friction_acts_on_both_flanks() -> None:
    """A roller pulled outwards slides on both flanks: N and mu N of each add to 2 N (sin a - mu cos a)."""
    v = gap(contact={"friction": 0.1}).v_shaped(0.5)
    y = v.placed(0.0, TOUCHING - 1e-5, (0.0, 2.0))
    (left, right), (across, outward) = v.flanks(y), v.force(y)
    assert left == pytest.approx(right, rel=1e-12)
    assert abs(across) < 1e-9 * left
    assert outward == pytest.approx(2.0 * left * (math.sin(0.5) - 0.1 * math.cos(0.5)), rel=1e-6)


FORMS = {
    "iso-606": {"form": "iso-606"},
    "wide": {"form": "iso-606", "gap": "maximum"},
    "asa-ii": {"form": "asa-ii"},
    "semi-real": {"form": "semi-real", "clearance": 2e-5, "height": 4e-4, "flank_angle": 0.4, "corner_radius": 5e-4},
}


@pytest.mark.parametrize("form", FORMS)
def test_force_has_a_potential_and_is_symmetric(form: str) -> None:
    """Random places in the gap, also across its centre line and pressed to the bottom: the work around a closed path is
    zero.
    """
    g = gap(FORMS[form])
    found = tooth_wedge(two_wheels((TEETH, TEETH), first={"roller_diameter": CUT, "tooth": FORMS[form]}), 0)
    height = found.flank.seat_radius
    random = np.random.default_rng(11)
    for _ in range(12):
        xi, eta = random.uniform(-2e-4, 2e-4), height + random.uniform(-7e-4, 2e-4)
        here, mirrored = g.force(g.placed(xi, eta)), g.force(g.placed(-xi, eta))
        np.testing.assert_allclose(mirrored, here * (-1.0, 1.0), atol=1e-6 * max(1.0, np.abs(here).max()))
        corners = [(xi, eta), (xi + 5e-5, eta), (xi + 5e-5, eta + 5e-5), (xi, eta + 5e-5), (xi, eta)]
        points, weights = np.polynomial.legendre.leggauss(40)
        work, scale = 0.0, 0.0
        for (a, b), (c, d) in pairwise(corners):
            for s, weight in zip(0.5 * (points + 1.0), 0.5 * weights, strict=True):
                part = weight * g.force(g.placed(a + s * (c - a), b + s * (d - b))) @ (c - a, d - b)
                work, scale = work + part, scale + abs(part)
        assert abs(work) <= 1e-4 * scale + 1e-12


@pytest.mark.parametrize("form", FORMS)
def test_a_roller_begins_to_touch_both_flanks_where_the_geometry_says(form: str) -> None:
    g = gap(FORMS[form])
    drive = two_wheels((TEETH, TEETH), first={"roller_diameter": CUT, "tooth": FORMS[form]})
    height = tooth_wedge(drive, 0).flank.seat_radius
    assert height > RADIUS + 0.5 * (ROLLER - CUT)  # more than the rise that the bottom of the seat alone would give
    assert not g.flanks(g.placed(0.0, height + 1e-9)).any()
    assert (g.flanks(g.placed(0.0, height - 1e-6)) > 0.0).all()
    assert np.count_nonzero(g.flanks(g.placed(2e-5, height + 1e-6))) == 1


def test_a_roller_that_grows_out_of_its_seat_is_held_by_flanks_and_bottom() -> None:
    """Sunk 30 um into a seat 0.1 um narrower than itself it is held as by one wider by this amount, and by both flanks
    in addition: 2 sin^2.5 b of that, at b = 90 - (140 - 90/z)/2 degrees to the centre line at their foot.
    """
    forces = []
    for narrower in (1e-7, -1e-7):
        g = gap({"form": "iso-606", "gap": "minimum"}, cut=(ROLLER - 2.0 * narrower) / 1.01)
        root = RADIUS - 0.5 * (ROLLER - 2.0 * narrower) / 1.01
        forces.append(g.force(g.placed(0.0, root + 0.5 * ROLLER - 3e-5))[1])
    b = math.radians(90.0 - 0.5 * (140.0 - 90.0 / TEETH))
    assert forces[0] / forces[1] == pytest.approx(1.0 + 2.0 * math.sin(b) ** 2.5, rel=2e-3)


@pytest.mark.parametrize("form", FORMS)
def test_energy_of_an_undamped_drive_is_kept(form: str) -> None:
    """Rollers bounce between both flanks, the chain without losses, the driver at rest; better with a smaller
    tolerance.
    """
    driver = {"roller_diameter": CUT, "tooth": FORMS[form]}
    drive = two_wheels((TEETH, TEETH), 11.9, speed=0.0, first=driver, contact={"stiffness": 1e9})
    system = settle(compiled(drive, moving=False))
    y, q, count = system.state.copy(), system.positions, 2 * drive.chain.links
    y[q : q + count] += np.random.default_rng(1).normal(0.0, 0.3, count)
    system = replace(system, state=y)
    missing = []
    for tolerance in (1.0, 0.1):
        system.kernels.begin(0.0, y, system.parameters)
        settings = SolverSettings(
            rtol=1e-6 * tolerance,
            atol_length=1e-12 * tolerance,
            atol_angle=1e-12 * tolerance,
            atol_speed=1e-8 * tolerance,
            atol_angular_speed=1e-8 * tolerance,
        )
        found = run(system, 0.01, 2e-4, settings).channels
        exchanged = np.ptp(found["energy_kinetic"])
        total = found["energy_kinetic"] + found["energy_elastic"] + found["energy_gravity"]
        missing.append(np.ptp(total) / exchanged)
    pressed = found["flank_force"] > 0.0
    assert pressed.all(axis=2).any()
    assert (pressed.any(axis=2) & ~pressed.all(axis=2)).any()
    assert missing[1] < 5e-5
    assert missing[1] < 0.5 * missing[0]


@pytest.mark.parametrize("kind", ["roller", "link"])
def test_a_drive_with_wedged_rollers_comes_to_rest(kind: str) -> None:
    """The search for equilibrium ends, and its stiffness is the derivative of the forces there."""
    drive = two_wheels((TEETH, TEETH), 11.9, speed=0.0, first={"roller_diameter": CUT}, second={"load_torque": 2.0})
    system = settle(compile_system(drive, OPTIONS[kind], False))
    assert system.story.notes["static_residual"] < 1e-3
    assert (channel(system, "flank_force").min(axis=1) > 0.0).any()
    count, y = drive.chain.links, system.state

    def forces(place: FloatArray) -> FloatArray:
        force = np.empty(system.positions)
        system.kernels.asked("forces", "this test")(0.0, place, system.parameters, force)
        return force

    forces(y)
    blocks = (system.positions - 2) // count
    matrix = bordered(count, blocks, 2)
    system.rest.statics.stiffness(0.0, y, system.parameters, matrix, False)
    exact, shift = dense(matrix), 1e-9
    free = np.flatnonzero(np.isfinite(system.masses))
    differences = np.empty((len(free), len(free)))
    for column, position in enumerate(free):
        ahead, behind = y.copy(), y.copy()
        ahead[position] += shift
        behind[position] -= shift
        differences[:, column] = (forces(behind) - forces(ahead))[free] / (2.0 * shift)
    assert np.abs(exact[np.ix_(free, free)] - differences).max() < 1e-5 * np.abs(exact).max()


def test_what_is_said_of_wedged_rollers() -> None:
    """`chaindrive check` warns of them; rollers that rest on the tips, as on walls without flanks, are refused."""
    (warning,) = judge_layout(two_wheels(first={"roller_diameter": CUT})).warnings
    assert "rollers of 8.51 mm are wedged between the flanks of 'driver', whose teeth are cut for 7.92 mm" in warning
    assert not judge_layout(two_wheels(first={"roller_diameter": 9e-3})).warnings
    with pytest.raises(InputError) as caught:
        judge_layout(two_wheels(first={"roller_diameter": CUT}, tooth={"form": "circular"}))
    (problem,) = caught.value.problems
    assert problem.place == "wheels[0].roller_diameter"
    assert "would rest on the tips" in problem.message


@pytest.mark.parametrize("form", sorted(set(TOOTH_FORMS) - {"six-point", "kinematic-seat", "profile"}))
def test_rollers_that_fit_are_not_wedged(form: str) -> None:
    options = {
        "rectangular": {"clearance": 2e-5, "height": 4e-4},
        "semi-real": {"clearance": 2e-5, "height": 4e-4, "flank_angle": 0.4, "corner_radius": 5e-4},
    }.get(form, {})
    gap_ = tooth_profile(form, TEETH, PITCH, ROLLER, **options)
    assert wedge(gap_, 0.5 * ROLLER) is None
    if form != "smooth":  # which has no flanks
        assert wedge(gap_, 0.55 * ROLLER) is not None

"""Statics of a wrap: decay of tooth loads, decay with friction, and the capstan.

Rollers 1 .. n of a wrap on the driver are free, roller 0 on the tight side and roller n + 1 on the slack side are held;
roller 0 is moved until the link between it and roller 1 carries the wanted tension. There is no gravity. Friction
without stiction acts on sliding surfaces only: the wheel gets a speed with which it slides under rollers at rest, and
the result is their equilibrium at this instant, under the forces of the right-hand side.
"""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq, root

from chaindrive.analyses.analytical.formulas import binder_ratio, capstan_ratio, pressure_angle
from chaindrive.formulations.planar.parameters import PROFILE_ROWS
from support.small_drives import PITCH, channel, compiled, rates, two_wheels, with_planar

ROLLER_RADIUS = 0.5 * 0.00851
TENSION = 10.0  # [N]; on links of 1e8 N/m and contacts of 1e11 N/m^1.5 it moves rollers by 2e-7 m
UNIT = 1e-6  # of the unknowns [m]


class Wrap(NamedTuple):
    """Equilibrium of a wrap, from the tight side to the slack side."""

    tension: NDArray[np.float64]
    """Tension of the links between rollers 0 and n + 1, (n + 1,). [N]"""
    direction: NDArray[np.float64]
    """Unit vectors of these links towards the tight side, (n + 1, 2)."""
    resultant: NDArray[np.float64]
    """Force of the wheel on rollers 1 .. n, (n, 2). [N]"""

    @property
    def ratio(self):
        """Tension of every link over that of the previous link."""
        return self.tension[1:] / self.tension[:-1]


class Bench:
    """A wheel of z teeth with a wrap of half a turn."""

    def __init__(self, z, tooth=None, friction=0.0):
        self.z, self.alpha, self.links = z, 2.0 * math.pi / z, 28 + z
        self.radius = PITCH / (2.0 * math.sin(math.pi / z))
        self.last = z // 2 - 1
        drive = two_wheels(
            (z, z), 14.0, links=self.links, tooth=tooth, gravity=(0.0, 0.0), link_stiffness=1e8,
            contact={"stiffness": 1e11, "friction": friction},
        )  # fmt: skip
        self.system = compiled(drive, contact_law="hertz", friction_law="smoothed", moving=False)

    def surface(self, point, normal, curvature):
        """Let the driver have this one surface in the half xi >= 0 of each gap: point [m], normal, curvature [1/m]."""
        p = self.system.parameters
        p.planar.profile[:PROFILE_ROWS] = 0.0
        p.planar.profile[0, :5] = *point, *normal, curvature
        return self

    def straight_flanks(self, angle):
        """V-shaped gaps: the normal is inclined by ``angle`` to the tangent of the pitch circle."""
        normal = (-math.cos(angle), math.sin(angle))
        point = (2e-6 - ROLLER_RADIUS * normal[0], self.radius - ROLLER_RADIUS * normal[1])
        return self.surface(point, normal, 0.0)

    def drum(self):
        """A smooth drum on which rollers lie with their centres on the pitch circle."""
        inner = self.radius - ROLLER_RADIUS
        return self.surface((0.0, inner), (0.0, 1.0), 1.0 / inner)

    def placed(self, offset, lift=0.0):
        """State with the rollers turned by ``offset`` [rad] in their gaps and lifted from the circle [m]."""
        n, y = self.links, self.system.state.copy()
        wrap = np.arange(self.last + 2)
        angle = y[2 * n] + self.alpha * wrap + offset
        y[wrap], y[n + wrap] = (self.radius + lift) * np.cos(angle), (self.radius + lift) * np.sin(angle)
        return y

    def touching(self, depth=1e-7):
        """The same, turned against the driver's rotation until all rollers are pressed in by ``depth`` [m]."""

        def excess(offset):
            return channel(self.system, "contact_penetration", self.placed(offset))[self.last // 2] - depth

        low = 0.0
        while excess(low) < 0.0:
            low -= 1e-3 * self.alpha
        return self.placed(brentq(excess, low, low + 1e-3 * self.alpha, xtol=1e-16))

    def balance(self, start, angular_velocity=0.0):
        """The wrap in equilibrium, the wheel turning with ``angular_velocity`` [rad/s]."""
        system, n, q = self.system, self.links, self.system.positions
        p = system.parameters
        y = start.copy()
        y[q + 2 * n] = angular_velocity
        system.kernels.begin(0.0, y, p)
        pull = np.array([y[0] - y[1], y[n] - y[n + 1]])
        pull /= np.linalg.norm(pull)
        free = np.arange(1, self.last + 1)

        def forces(unknown):
            moved = unknown * UNIT
            x_moved, y_moved = moved[:-1].reshape(2, -1)
            y[free], y[n + free] = start[free] + x_moved, start[n + free] + y_moved
            y[0], y[n] = start[0] + moved[-1] * pull[0], start[n] + moved[-1] * pull[1]
            dy = rates(system, y)
            force = np.concatenate([dy[q + free], dy[q + n + free]]) * p.mass
            return np.append(force, p.link.tension[0] - TENSION) / TENSION

        found = root(forces, np.zeros(2 * self.last + 1), method="hybr", options={"xtol": 1e-13, "maxfev": 20000})
        assert np.abs(forces(found.x)).max() < 1e-6, found.message
        resultant = np.zeros((self.last, 2))
        used, segment, contact = p.planar.used.segments[0], p.planar.segment, p.planar.contact
        rows = zip(segment.surface, segment.first, segment.end, segment.slot, strict=True)
        for wheel, begin, end, slot in list(rows)[:used]:
            for i in range(max(begin, 1), min(end, self.last + 1)):
                if wheel == 0:
                    k = slot + i - begin
                    nx, ny = contact.normal_x[k], contact.normal_y[k]
                    force, tangential = contact.force[k], contact.friction[k]
                    resultant[i - 1] = force * nx - tangential * ny, force * ny + tangential * nx
        link = np.arange(self.last + 1)
        towards = -np.column_stack([p.link.x[link], p.link.y[link]])
        return Wrap(p.link.tension[link].copy(), towards, resultant)


def decay(angle, alpha):
    """The ratio sin(phi)/sin(phi + alpha) from the force triangle of a roller between two links that differ by alpha in
    direction.
    """
    return math.sin(angle) / math.sin(angle + alpha)


@pytest.mark.parametrize(("z", "flank"), [(20, 30.0), (20, 45.0), (30, 35.0)])
def test_straight_flanks_of_constant_pressure_angle(z, flank):
    # Rollers on the pitch circle; links are inclined by pi/z to its tangent: phi = flank - pi/z. Then T_k falls
    # geometrically. Displacements of 2e-7 m turn links by 4e-5 rad, d ln(ratio) = 4e-5 (cot phi - cot(phi + alpha)).
    bench = Bench(z).straight_flanks(math.radians(flank))
    wrap = bench.balance(bench.touching())
    phi = math.radians(flank) - math.pi / z
    np.testing.assert_allclose(wrap.ratio, decay(phi, bench.alpha), rtol=1e-3)
    # First tooth load P_1 = T_0 sin(alpha)/sin(phi + alpha), and so on down the wrap.
    expected = wrap.tension[:-1] * math.sin(bench.alpha) / math.sin(phi + bench.alpha)
    np.testing.assert_allclose(np.linalg.norm(wrap.resultant, axis=1), expected, rtol=1e-3)
    assert wrap.tension[-1] < 0.1 * TENSION


def test_forces_on_every_roller_close():
    # T_(k-1) towards the tight side, T_k towards the slack side, and the resultant of the tooth.
    bench = Bench(20)
    wrap = bench.balance(bench.touching())
    links = wrap.tension[:, None] * wrap.direction
    np.testing.assert_allclose(links[:-1] - links[1:] + wrap.resultant, 0.0, atol=1e-5 * TENSION)


@pytest.mark.parametrize("z", [12, 20, 32])
@pytest.mark.parametrize("factor", [1.4, 1.24])
def test_tooth_of_type_ii_has_the_pressure_angle_of_a_new_chain(z, factor):
    # Binder (1956): phi = 35 - 120/z degrees for a new chain. A chain of just the pitch lies on the pitch circle,
    # pulled back to where the working curve begins. The clearance turns the normal a little: 10 % of the ratio.
    bench = Bench(z, {"form": "asa-ii", "flank_factor": factor})
    wrap = bench.balance(bench.touching())
    assert pressure_angle(z) == pytest.approx(math.radians(35.0 - 120.0 / z))
    np.testing.assert_allclose(wrap.ratio, binder_ratio(z), rtol=0.1)
    # ... and less than the angle of minimum 17 - 64/z would give.
    assert np.all(wrap.ratio > 1.1 * binder_ratio(z, math.radians(17.0 - 64.0 / z)))


def test_only_the_seat_of_type_ii_has_a_pressure_angle(monkeypatch):
    # A roller rests at the bottom of an ISO 606 seat and climbs its side under load, so that the first tooth of 19
    # takes from 0.33 to 0.58 of a tension of 10 N to 3 kN; on type II 0.44 to 0.45, Binder's value for its angle.
    def first(form, tension):
        monkeypatch.setattr(sys.modules[__name__], "TENSION", tension)
        bench = Bench(19, form)
        wrap = bench.balance(bench.touching(1e-7 * (tension / 10.0) ** (2 / 3)))
        return np.linalg.norm(wrap.resultant[0]) / tension

    found = {form: [first({"form": form} | keys, tension) for tension in (10.0, 3000.0)]
             for form, keys in (("asa-ii", {}), ("iso-606", {"gap": "minimum"}))}  # fmt: skip
    alpha = 2.0 * math.pi / 19
    np.testing.assert_allclose(found["asa-ii"], math.sin(alpha) / math.sin(pressure_angle(19) + alpha), rtol=0.03)
    np.testing.assert_allclose(found["iso-606"], [0.326, 0.578], rtol=0.02)


def test_values_for_twenty_teeth():
    # Published for z = 20, phi = 29 degrees: ratio 0.662894, P_1/T_0 = 0.42253; 0.0164 of T_0 is left after ten.
    bench = Bench(20)
    wrap = bench.balance(bench.touching())
    np.testing.assert_allclose(wrap.ratio, 0.662894, rtol=0.02)
    assert np.linalg.norm(wrap.resultant[0]) / TENSION == pytest.approx(0.42253, rel=0.02)
    assert wrap.tension[9] / TENSION == pytest.approx(0.0164 / 0.662894, rel=0.15)


@pytest.mark.parametrize("friction", [0.05, 0.15])
@pytest.mark.parametrize("angular_velocity", [10.0, -10.0])
def test_friction_turns_the_push_by_its_angle(friction, angular_velocity):
    # Naji & Marshek (1983): phi -/+ delta, delta = atan(mu). A wheel that runs on under its rollers draws them down
    # their flanks: phi - delta, loads fall faster; running back it lifts them: phi + delta. Slip 10 x 0.04 x sin 35 deg
    # = 0.23 m/s is above v* = 0.1 m/s, where friction is full.
    flank = math.radians(35.0)
    bench = Bench(20, friction=friction).straight_flanks(flank)
    wrap = bench.balance(bench.touching(), angular_velocity)
    phi = flank - math.pi / 20 - math.copysign(math.atan(friction), angular_velocity)
    np.testing.assert_allclose(wrap.ratio, decay(phi, bench.alpha), rtol=1e-3)


@pytest.mark.parametrize("friction", [0.1, 0.3])
@pytest.mark.parametrize("angular_velocity", [10.0, -10.0])
def test_capstan(friction, angular_velocity):
    # Rollers that lie on a smooth drum sliding under them: across, N = (T + T') sin(alpha/2); along, T - T' =
    # mu N/cos(alpha/2). So T'/T = (1 - mu tan(alpha/2))/(1 + mu tan(alpha/2)), or its inverse when the drum runs the
    # other way, which tends to exp(-/+ mu alpha) (Euler, Eytelwein) with an error of (mu alpha)(alpha^2/12).
    for z in (20, 40):
        bench = Bench(z, friction=friction).drum()
        wrap = bench.balance(bench.placed(0.0, lift=-2e-7), angular_velocity)
        step = math.copysign(friction, angular_velocity) * math.tan(0.5 * bench.alpha)
        # Rollers sink in by up to 3e-7 m each: 2e-5 rad of links against alpha/2 = 0.08 at the least.
        np.testing.assert_allclose(wrap.ratio, (1.0 - step) / (1.0 + step), rtol=2e-4)
        whole = capstan_ratio(friction, bench.last * bench.alpha)
        exponent = math.log(wrap.tension[0] / wrap.tension[-1]) / math.copysign(math.log(whole), angular_velocity)
        assert exponent - 1.0 == pytest.approx(bench.alpha**2 / 12.0, rel=0.25)


def test_without_friction_a_drum_holds_nothing():
    bench = Bench(20).drum()
    wrap = bench.balance(bench.placed(0.0, lift=-2e-7), 10.0)
    np.testing.assert_allclose(wrap.tension, TENSION, rtol=1e-5)
    np.testing.assert_allclose(
        np.linalg.norm(wrap.resultant, axis=1), 2.0 * TENSION * math.sin(math.pi / 20), rtol=1e-3
    )


def test_a_stretched_chain_climbs_its_flanks():
    # A chain worn by 1 % lies on a circle 1 % larger, up its flanks: at the distance s along the flank from the pitch
    # circle, (R + s cos f)^2 + (s sin f)^2 = R'^2, turned by beta with R' sin(beta) = s sin(f). phi = f - pi/z - beta.
    flank, worn = math.radians(35.0), 1.01
    bench = Bench(20).straight_flanks(flank)
    radius = bench.radius
    bench.radius *= worn
    bench.system = replace(bench.system, parameters=with_planar(bench.system.parameters, pitch=worn * PITCH))
    wrap = bench.balance(bench.touching())
    along = radius * (math.sqrt(worn**2 - math.sin(flank) ** 2) - math.cos(flank))
    turned = math.asin(along * math.sin(flank) / bench.radius)
    assert turned > 5e-3
    np.testing.assert_allclose(wrap.ratio, decay(flank - math.pi / 20 - turned, bench.alpha), rtol=1e-3)

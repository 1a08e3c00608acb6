"""The right-hand side against a second implementation, written from the text of Pedersen (2004), not from the package.

Plain vectors in plain numpy: links (Eqs. 3.4-3.7), joints (Eq. 3.14 corrected, 3.16, 3.17), the seven contact areas of
the tooth (section 3.5.6, appendix C), normal force (Eqs. 3.47, 3.48), friction (Eqs. 3.95, 3.98), moments (Eq. 3.68),
powers (Eqs. 4.8-4.12). Comments mark corrections of the printed equations.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pytest
from numba.core import config
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.contract.status import Accepted
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar.parameters import (
    WORKS,
)

FloatArray = NDArray[np.float64]

INCH = 0.0254
AREAS = range(1, 8)
FLOOR, SEATED = 0.05, 1.0
"""Impact speed [m/s] of a contact that is not stored yet (a documented option), and of one that a run starts with."""
SEEDS = range(2) if config.DISABLE_JIT else range(8)


def hat(a: FloatArray) -> FloatArray:
    """Rotated by a right angle, counter-clockwise."""
    return np.stack([-a[..., 1], a[..., 0]], axis=-1)


def unit(angle: float) -> FloatArray:
    return np.array([math.cos(angle), math.sin(angle)])


class Tooth:
    """Appendix C, in the frame (xi_t, eta_t) of a gap: origin on the pitch circle, eta_t outward, xi_t to the right."""

    def __init__(self, pitch: float, roller_diameter: float, teeth: int) -> None:
        d, n = roller_diameter, teeth
        self.a = math.radians(35 + 60 / n)
        self.b = math.radians(18 - 56 / n)  # printed 18 - 35/n, with which the arcs are not tangent
        c = math.radians(17 - 64 / n)
        self.pitch_radius = pitch / (2 * math.sin(math.pi / n))
        self.roller_radius = d / 2
        self.rt = (1.005 * d + 0.003 * INCH) / 2  # the constants are inches
        self.re = 1.3025 * d + 0.0015 * INCH
        self.rf = d * (0.8 * math.cos(self.b) + 1.24 * math.cos(c) - 1.3025) - 0.0015 * INCH
        w1, w2 = 0.8 * d * math.cos(self.a), 0.8 * d * math.sin(self.a)
        w3, w4 = 1.24 * d * math.cos(math.pi / n), 1.24 * d * math.sin(math.pi / n)
        h = math.sqrt(self.rf**2 - (1.24 * d - pitch / 2) ** 2)  # printed R_F F^2
        half = math.pi / n
        self.f = np.array(  # Eq. C.6
            [
                -pitch / 2 * math.cos(half) - h * math.sin(half),
                -pitch / 2 * math.sin(half) + h * math.cos(half),
            ]
        )
        self.centre_b = np.array([-w3, -w4])  # printed +W4; then f lies off the topping arc
        self.centre_c = np.array([w1, w2])
        to_f = self.f - self.centre_b
        self.topping = self.a - self.b, math.atan2(to_f[1], to_f[0])  # psi_1b*, psi_2b*
        self.working = math.pi + self.a - self.b, math.pi + self.a  # psi_1c*, psi_2c*
        self.point_e = self.centre_c + self.re * unit(self.working[0])
        self.point_d = self.centre_b + self.rf * unit(self.topping[0])

    def contact(self, local: FloatArray) -> tuple[int, float, FloatArray]:
        """Area, penetration [m] and normal (out of the tooth) of a roller at ``local``; area 0 when there is none."""
        distance = float(np.hypot(*local))
        seat = distance - (self.rt - self.roller_radius)  # Eq. 3.72
        if seat > 0.0 and math.acos(local @ [0.0, -1.0] / distance) <= math.pi / 2 - self.a:  # Eqs. 3.73, 3.74
            return 4, seat, -local / distance
        side = -1.0 if local[0] < 0.0 else 1.0  # Eq. 3.69: left, right. The right half is the mirror image.
        left = local * [-side, 1.0]
        area, penetration, normal = self.left_half(left)
        return (area if side < 0.0 or area == 0 else 8 - area), penetration, normal * [-side, 1.0]

    def left_half(self, r: FloatArray) -> tuple[int, float, FloatArray]:
        """Areas 1, 2, 3 for a roller left of the centre line."""
        d1 = r - self.centre_b
        far = float(np.hypot(*d1))
        topping = self.rf + self.roller_radius - far  # Eq. 3.76
        if topping > 0.0 and self.within(d1 / far, self.topping):
            return 1, topping, d1 / far
        d3 = r - self.centre_c
        far = float(np.hypot(*d3))
        working = far + self.roller_radius - self.re  # Eq. 3.80
        if working > 0.0 and self.within(d3 / far, self.working):
            return 3, working, -d3 / far
        along = self.point_e - self.point_d
        length = float(np.hypot(*along))
        t2 = along / length
        n2 = hat(t2)  # Eq. 3.83 prints the opposite, which points into the tooth
        d2 = r - self.point_d
        straight = self.roller_radius - float(d2 @ n2)  # Eq. 3.84 prints the opposite sign
        if straight > 0.0 and 0.0 < d2 @ t2 < length:
            return 2, straight, n2
        return 0, 0.0, np.zeros(2)

    @staticmethod
    def within(direction: FloatArray, sector: tuple[float, float]) -> bool:
        """Eqs. 3.77, 3.78 and 3.81, 3.82: not farther from the middle of the sector than half its width."""
        middle = unit(0.5 * (sector[0] + sector[1]))
        return math.acos(min(1.0, float(direction @ middle))) <= 0.5 * (sector[1] - sector[0])

    def pressed_at(self, area: int, part: float, depth: float) -> FloatArray:
        """Position of a roller pressed into an area (1, 2, 3: left half, 4) at a part 0..1 of its extent."""
        r = self.roller_radius
        if area == 4:
            return (self.rt - r + depth) * unit(-math.pi / 2 - (math.pi / 2 - self.a) * part)
        if area == 3:
            angle = self.working[0] + part * (self.working[1] - self.working[0])
            return self.centre_c + (self.re - r + depth) * unit(angle)
        if area == 2:
            along = self.point_e - self.point_d
            return self.point_d + part * along + (r - depth) * hat(along / np.hypot(*along))
        angle = self.topping[0] + part * (self.topping[1] - self.topping[0])
        return self.centre_b + (self.rf + r - depth) * unit(angle)


class Touch(NamedTuple):
    """One roller pressed on one wheel."""

    wheel: int
    roller: int
    area: int
    penetration: float
    normal: FloatArray
    approach: float
    slip: float


class Reference:
    """Forces and powers of a drive at a state, after Pedersen (2004)."""

    def __init__(self, drive: cd.Drive) -> None:
        self.drive = drive
        chain = drive.chain
        self.teeth = [Tooth(chain.pitch, chain.roller_diameter, wheel.teeth) for wheel in drive.wheels]
        self.centres = np.array([wheel.position for wheel in drive.wheels])

    def split(self, y: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Positions (N, 2) and velocities (N, 2) of the rollers, angles and speeds of the wheels."""
        n, w = self.drive.chain.links, len(self.drive.wheels)
        v = y[2 * n + w :]
        return y[: 2 * n].reshape(2, n).T, v[: 2 * n].reshape(2, n).T, y[2 * n : 2 * n + w], v[2 * n : 2 * n + w]

    def touches(self, y: FloatArray) -> list[Touch]:
        """Every roller against every wheel; of all its gaps the one whose centre line is nearest in direction."""
        r, v, angle, angular_velocity = self.split(y)
        found = []
        for w, (wheel, tooth) in enumerate(zip(self.drive.wheels, self.teeth, strict=True)):
            gaps = angle[w] + 2.0 * np.pi * np.arange(wheel.teeth) / wheel.teeth
            outward = np.stack([np.cos(gaps), np.sin(gaps)], axis=1)
            for i in range(len(r)):
                arm = r[i] - self.centres[w]
                ur = outward[int(np.argmax(outward @ arm))]
                right = -hat(ur)  # xi_t: the frame of the gap is turned by theta - pi/2 (text below Eq. C.4)
                d = arm - tooth.pitch_radius * ur  # Eqs. 3.70, C.8
                area, penetration, local = tooth.contact(np.array([d @ right, d @ ur]))
                if area == 0:
                    continue
                n = local[0] * right + local[1] * ur
                relative = v[i] - angular_velocity[w] * hat(
                    arm
                )  # Eqs. 3.63-3.65: both points at the centre of the roller
                found.append(Touch(w, i, area, penetration, n, float(-relative @ n), float(relative @ hat(n))))
        return found

    def rates(self, y: FloatArray, impact_speed: dict[tuple[int, int], float]) -> tuple[FloatArray, dict[str, float]]:
        """Accelerations (2 N + W,) and powers by the name of the work; impact speed [m/s] by wheel and roller."""
        chain, options = self.drive.chain, self.drive.run.formulation
        n, w = chain.links, len(self.drive.wheels)
        r, v, _, angular_velocity = self.split(y)
        force = np.zeros((n, 2))
        moment = np.zeros(w)
        power = dict.fromkeys(WORKS, 0.0)
        link, dl = np.roll(r, -1, axis=0) - r, np.roll(v, -1, axis=0) - v  # link i: roller i to i + 1
        length = np.hypot(link[:, 0], link[:, 1])
        rate = (link * dl).sum(axis=1) / length  # Eq. 3.6
        for i in range(n):
            f = (chain.link_stiffness * (length[i] - chain.pitch) + chain.link_damping * rate[i]) * link[i] / length[i]
            force[i] += f  # Eq. 3.7
            force[(i + 1) % n] -= f
            power["link_damping"] += chain.link_damping * rate[i] ** 2  # Eq. 4.9
        for i in range(n):  # joint of roller i, between link i - 1 ("l_i") and link i ("l_i+1")
            h = i - 1
            sine = -(hat(link[h]) @ link[i]) / (length[h] * length[i])  # Eq. 3.12, positive clockwise
            stretch = rate[h] * length[i] + length[h] * rate[i]
            # Eq. 3.14, printed with "- (l' l + l l') sin phi"
            bend = -(link[i] @ hat(dl[h]) + hat(link[h]) @ dl[i] + stretch * sine) / (link[h] @ link[i])
            before = chain.joint_damping * bend / length[h] ** 2 * hat(link[h])  # Eq. 3.17
            after = chain.joint_damping * bend / length[i] ** 2 * hat(link[i])
            force[h] += before
            force[i] -= before + after
            force[(i + 1) % n] += after
            power["articulation"] += chain.joint_damping * bend**2  # Eq. 4.10
        contact = self.drive.contact
        hysteresis = 0.75 * (1.0 - contact.restitution**2)
        turned = hysteresis**2 / (hysteresis - math.log1p(hysteresis))  # first integral of an impact, to its turn
        for touch in self.touches(y):
            speed = max(impact_speed.get((touch.wheel, touch.roller), 0.0), FLOOR)
            elastic = contact.stiffness * touch.penetration**contact.exponent
            stored = elastic * touch.penetration / (contact.exponent + 1.0)
            if options.impact_memory == "bounded":
                speed = max(speed, math.sqrt(turned * stored / chain.link_mass))
            ratio = min(1.0, max(-1.0, touch.approach / speed))
            normal = elastic * (1.0 + hysteresis * ratio)  # Eq. 3.47, |v| not above the impact speed
            x = abs(touch.slip)
            smooth = options.friction_speed * options.friction_sharpness
            correction = math.tanh(x / smooth) if x < options.friction_speed else 1.0  # Eq. 3.98
            tangential = -contact.friction * correction * normal * math.copysign(1.0, touch.slip)  # Eqs. 3.95, 3.96
            f = normal * touch.normal + tangential * hat(touch.normal)
            force[touch.roller] += f
            moment[touch.wheel] -= hat(r[touch.roller] - self.centres[touch.wheel]) @ f  # Eq. 3.68
            power["contact"] += elastic * hysteresis * ratio * touch.approach  # Eq. 4.11 with 3.46
            power["friction"] += contact.friction * correction * normal * x  # Eq. 4.12
        acceleration = np.zeros(2 * n + w)
        acceleration[: 2 * n] = (force / chain.link_mass + self.drive.gravity).T.ravel()
        for k, wheel in enumerate(self.drive.wheels):
            if wheel.motion is None:
                acceleration[2 * n + k] = moment[k] / wheel.inertia
            else:  # constant speed, from the start
                power["input"] -= moment[k] * angular_velocity[k]  # Eq. 4.8
        return acceleration, power


@pytest.fixture(scope="module")
def drive() -> cd.Drive:
    return cd.example("6s90mc-c")


@pytest.fixture(scope="module")
def system(drive: cd.Drive) -> System:
    return compile_system(drive, drive.run.formulation, True)


def start(system: System) -> tuple[FloatArray, FloatArray]:
    """The placed chain running at full speed, memory set for it; a copy, and an array for dy."""
    y = system.state.copy()
    y[system.positions : 2 * system.positions] = system.motion.rolling
    assert system.kernels.begin(0.0, y, system.parameters) == Accepted.UNCHANGED
    return y, np.zeros_like(y)


def agree(system: System, reference: Reference, y: FloatArray, dy: FloatArray, memory: dict) -> None:
    """Assert agreement up to rounding: both sum the same terms in a different order. A link length of 0.1 m is rounded
    to 1e-17 m, which at 2e9 N/m is 1e-7 N in forces from 1e5 N; powers to the same part of the largest force times the
    largest speed."""
    acceleration, power = reference.rates(y, memory)
    n_q = system.positions
    np.testing.assert_array_equal(dy[:n_q], y[n_q : 2 * n_q])
    finite = np.isfinite(system.masses)
    mass = np.where(finite, system.masses, 0.0)
    force = mass * acceleration
    largest = np.abs(force).max()
    np.testing.assert_allclose(mass * dy[n_q : 2 * n_q], force, rtol=0.0, atol=1e-9 * largest)
    np.testing.assert_array_equal(dy[n_q : 2 * n_q][~finite], 0.0)
    works, shafts = dy[2 * n_q : 2 * n_q + len(WORKS)], dy[2 * n_q + len(WORKS) :]
    assert shafts.size == system.parameters.planar.wheels
    computed = dict(zip(WORKS, works, strict=True))
    net = power["input"] - power["output"]
    assert shafts.sum() == pytest.approx(net, rel=1e-9, abs=1e-12 * largest)
    for name, value in power.items():
        assert computed[name] == pytest.approx(value, rel=1e-9, abs=1e-12 * largest), name


def test_the_seven_areas_join(drive: cd.Drive) -> None:
    """A check of the reference: areas are tangent, and f lies on the topping arc (both fail with the printed
    equations).
    """
    for wheel in drive.wheels:
        tooth = Tooth(drive.chain.pitch, drive.chain.roller_diameter, wheel.teeth)
        rounding = 1e-15
        assert np.hypot(*(tooth.f - tooth.centre_b)) == pytest.approx(tooth.rf, abs=rounding)
        seat_end = tooth.rt * unit(math.pi + tooth.a)
        assert tooth.centre_c + tooth.re * unit(tooth.working[1]) == pytest.approx(seat_end, abs=rounding)
        along = tooth.point_e - tooth.point_d
        assert hat(along / np.hypot(*along)) == pytest.approx(-unit(tooth.working[0]), abs=1e-13)
        assert tooth.topping[1] > tooth.topping[0]


@pytest.mark.parametrize("speed", [1.0, 1e-3])
@pytest.mark.parametrize("seed", SEEDS)
def test_perturbed_states(system: System, drive: cd.Drive, seed: int, speed: float) -> None:
    """speed: of the perturbation [m/s]; with 1e-3 the friction is on the slope of its change of sign."""
    rng = np.random.default_rng(seed)
    reference = Reference(drive)
    y, dy = start(system)
    n, n_q = drive.chain.links, system.positions
    seated = {(t.wheel, t.roller): SEATED for t in reference.touches(y)}
    y[: 2 * n] += rng.uniform(-3e-4, 3e-4, 2 * n)
    y[2 * n : n_q] += rng.uniform(-1e-4, 1e-4, len(drive.wheels))
    y[n_q : n_q + 2 * n] += speed * rng.normal(size=2 * n)
    y[n_q + 2 * n : 2 * n_q] += 0.1 * speed * rng.normal(size=len(drive.wheels))

    system.kernels.rhs(0.0, y, dy, system.parameters)
    agree(system, reference, y, dy, seated)

    assert system.kernels.accept(0.0, y, system.parameters) in (Accepted.LIMIT_CHANGED, Accepted.RHS_CHANGED)
    system.kernels.rhs(0.0, y, dy, system.parameters)
    touches = reference.touches(y)
    assert len(touches) > 10
    stored = {(t.wheel, t.roller): max(t.approach, FLOOR) for t in touches}
    stored |= {key: SEATED for key in seated if key in stored}
    agree(system, reference, y, dy, stored)
    expected = np.zeros_like(system.parameters.planar.impact_speed)
    for key, value in stored.items():
        expected[key] = value
    # An approach speed is a difference of speeds up to 10 m/s along a normal of relative rounding 1e-13
    np.testing.assert_allclose(system.parameters.planar.impact_speed, expected, rtol=0.0, atol=1e-11)


def test_every_area_of_the_tooth(system: System, drive: cd.Drive) -> None:
    """Rollers on the wheels moved onto all seven areas, one kind after another, pressed in by up to 0.1 mm."""
    rng = np.random.default_rng(90)
    reference = Reference(drive)
    y, dy = start(system)
    n, n_q = drive.chain.links, system.positions
    r, _, angle, _ = reference.split(y)
    moved: dict[tuple[int, int], int] = {}
    for w, (wheel, tooth) in enumerate(zip(drive.wheels, reference.teeth, strict=True)):
        distance = np.hypot(*(r - reference.centres[w]).T)
        for i in np.flatnonzero(np.abs(distance - tooth.pitch_radius) < 1e-9):
            arm = r[i] - reference.centres[w]
            gap = round((math.atan2(arm[1], arm[0]) - angle[w]) * wheel.teeth / (2.0 * math.pi))
            ur = unit(angle[w] + 2.0 * math.pi * gap / wheel.teeth)
            area = 1 + len(moved) % 7
            # The topping arc ends earlier here, in the broken edge at the tip circle: stay in its lower half.
            part = rng.uniform(0.0, 0.5) if area in (1, 7) else rng.uniform(0.0, 1.0)
            local = tooth.pressed_at(min(area, 8 - area), part, rng.uniform(2e-5, 1e-4))
            right = -local[0] if area > 4 else local[0]
            place = reference.centres[w] + (tooth.pitch_radius + local[1]) * ur - right * hat(ur)
            y[i], y[n + i] = place
            moved[w, int(i)] = area
    y[n_q : n_q + 2 * n] += 0.3 * rng.normal(size=2 * n)
    found = {(t.wheel, t.roller): t.area for t in reference.touches(y)}
    assert found == found | moved
    assert all(list(moved.values()).count(area) > 5 for area in AREAS)
    system.kernels.rhs(0.0, y, dy, system.parameters)
    agree(system, reference, y, dy, {})

"""The right-hand side against a plain transcription of the thesis, at random states.

Pedersen (2004): link force Eq. 3.7, joint couples Eq. 3.17, circular tooth Eqs. 3.54-3.61, velocities 3.63-3.67,
contact force 3.47, moment 3.68, real tooth section 3.5.6 with appendix C, friction Eqs. 3.95-3.98. Corrections:
B = 18 - 56/z degrees (printed 35), centre of the topping arcs at (W3, -W4) (printed +W4), inch constants,
delta_2 = Rr - d2.n2 (printed with the other sign), joint rate from the angular velocities of the links.
Only numpy here, one roller after the other.
"""

from __future__ import annotations

import numpy as np
import pytest
from small_drives import compiled, rates, two_wheels

INCH = 0.0254
K, RESTITUTION, FRICTION, SPEED, SHARPNESS = 1e9, 0.3, 0.15, 0.1, 0.3
LINK = {"link_stiffness": 1e6, "link_damping": 30.0, "joint_damping": 1e-3}


def hat(v):
    """The vector turned by 90 degrees counter-clockwise."""
    return np.array([-v[1], v[0]])


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def chain_forces(r, v, pitch):
    """Forces on all rollers from links (Eq. 3.7) and joints (Eq. 3.17), (N, 2)."""
    n = len(r)
    force = np.zeros((n, 2))
    link = [r[(i + 1) % n] - r[i] for i in range(n)]
    link_rate = [v[(i + 1) % n] - v[i] for i in range(n)]
    for i in range(n):
        length = np.linalg.norm(link[i])
        u = link[i] / length
        f = LINK["link_stiffness"] * (length - pitch) + LINK["link_damping"] * (u @ link_rate[i])
        force[i] += f * u
        force[(i + 1) % n] -= f * u
    for i in range(n):  # joint at roller i between link i - 1 and link i
        before, after = link[i - 1], link[i]
        spin = cross(after, link_rate[i]) / (after @ after) - cross(before, link_rate[i - 1]) / (before @ before)
        moment = LINK["joint_damping"] * spin  # on the link before, the opposite one on the link after
        couple = moment * hat(before) / (before @ before)
        force[i] += couple
        force[i - 1] -= couple
        couple = -moment * hat(after) / (after @ after)
        force[(i + 1) % n] += couple
        force[i] -= couple
    return force


def circular_contact(d, gap_direction, z, pitch, rr):
    """Penetration and normal of Eqs. 3.54-3.60; d from the wheel centre to the roller."""
    clearance = 0.0025 * 2.0 * rr + 0.0015 * INCH
    ur = gap_direction
    radius = pitch / (2.0 * np.sin(np.pi / z))
    away = d - (radius + clearance) * ur
    if away @ ur > 0.0:  # the lower half of the circle only
        return -1.0, ur
    return np.linalg.norm(away) - clearance, -away / np.linalg.norm(away)


def real_contact(d, gap_direction, z, pitch, rr):
    """Penetration and normal of section 3.5.6, local frame of Fig. C.3: x across the gap, y outward."""
    dr, deg = 2.0 * rr, np.pi / 180.0
    a, b, c = (35.0 + 60.0 / z) * deg, (18.0 - 56.0 / z) * deg, (17.0 - 64.0 / z) * deg
    half = np.pi / z
    rt = (1.005 * dr + 0.003 * INCH) / 2.0
    w1, w2 = 0.8 * dr * np.cos(a), 0.8 * dr * np.sin(a)
    w3, w4 = 1.24 * dr * np.cos(half), 1.24 * dr * np.sin(half)
    re = 1.3025 * dr + 0.0015 * INCH
    rf = dr * (0.8 * np.cos(b) + 1.24 * np.cos(c) - 1.3025) - 0.0015 * INCH
    ur = gap_direction
    ut = np.array([ur[1], -ur[0]])  # x axis of the gap, clockwise seen from the centre
    local = d - pitch / (2.0 * np.sin(half)) * ur
    x, y = local @ ut, local @ ur
    side = 1.0 if x >= 0.0 else -1.0
    p = np.array([abs(x), y])  # right half
    seat_angle = np.arctan2(p[0], -p[1])  # from the bottom
    found = (-1.0, np.array([0.0, 1.0]))
    candidates = []
    if 0.0 <= seat_angle <= np.pi / 2.0 - a:  # area 4
        candidates.append((np.linalg.norm(p) - (rt - rr), -p / np.linalg.norm(p)))
    d5 = p - [-w1, w2]  # working curve, area 5, directions -A .. -A + B
    if -a <= np.arctan2(d5[1], d5[0]) <= -a + b:
        candidates.append((np.linalg.norm(d5) + rr - re, -d5 / np.linalg.norm(d5)))
    start = np.array([-w1, w2]) + re * np.array([np.cos(a - b), -np.sin(a - b)])
    end = np.array([w3, -w4]) + rf * np.array([-np.cos(a - b), np.sin(a - b)])
    t = (end - start) / np.linalg.norm(end - start)
    normal = hat(t)  # area 6: the roller lies left of the way outward
    if 0.0 < (p - start) @ t < np.linalg.norm(end - start):
        candidates.append((rr - (p - start) @ normal, normal))
    d7 = p - [w3, -w4]  # topping curve, area 7, directions pi - (A - B) down to pi/2
    if np.pi / 2.0 - half <= np.arctan2(d7[1], d7[0]) <= np.pi - (a - b):
        candidates.append((rf + rr - np.linalg.norm(d7), d7 / np.linalg.norm(d7)))
    for delta, n in candidates:
        if delta > found[0]:
            found = (delta, n)
    delta, n = found
    return delta, n[0] * side * ut + n[1] * ur


CONTACT = {"circular": circular_contact, "asa-ii": real_contact}


def accelerations(system, drive, y, impact_speed):
    """Accelerations of rollers (N, 2) and wheels (W,), and how many contacts there are; impact_speed (W, N) [m/s]."""
    n, w = drive.chain.links, len(drive.wheels)
    q, rate = y[: system.positions], y[system.positions : 2 * system.positions]
    r, v = q[: 2 * n].reshape(2, n).T, rate[: 2 * n].reshape(2, n).T
    pitch, rr, mass = drive.chain.pitch, drive.chain.roller_diameter / 2.0, drive.chain.link_mass
    force = chain_forces(r, v, pitch) + mass * np.array(drive.gravity)
    moments, contacts = np.zeros(w), 0
    for s, wheel in enumerate(drive.wheels):
        z, centre = wheel.teeth, np.array(wheel.position)
        theta, omega = q[2 * n + s], rate[2 * n + s]
        for i in range(n):
            d = r[i] - centre
            if np.linalg.norm(d) > pitch / (2.0 * np.sin(np.pi / z)) + pitch:
                continue
            gap = np.round((np.arctan2(d[1], d[0]) - theta) * z / (2.0 * np.pi))
            direction = theta + 2.0 * np.pi * gap / z
            delta, normal = CONTACT[wheel.tooth.form](d, np.array([np.cos(direction), np.sin(direction)]), z, pitch, rr)
            if delta <= 0.0:
                continue
            contacts += 1
            relative = v[i] - omega * hat(d)  # Eqs. 3.63, 3.64
            vn, vt = relative @ -normal, relative @ hat(normal)  # Eqs. 3.66, 3.67
            ratio = np.clip(vn / impact_speed[s, i], -1.0, 1.0)
            elastic = K * delta**1.5
            f = elastic * (1.0 + 0.75 * (1.0 - RESTITUTION**2) * ratio)  # Eq. 3.47
            smooth = np.sign(vt) if abs(vt) >= SPEED else np.tanh(vt / (SPEED * SHARPNESS))  # Eq. 3.98
            fc = f * normal - FRICTION * smooth * f * hat(normal)
            force[i] += fc
            moments[s] -= hat(d) @ fc  # Eq. 3.68
        moments[s] -= wheel.bearing_damping * omega + wheel.bearing_friction * np.tanh(omega / 1e-2)
        moments[s] -= np.sign(drive.wheels[0].motion.speed) * wheel.load_torque
    alpha = np.array([0.0 if x.motion else m / x.inertia for x, m in zip(drive.wheels, moments, strict=True)])
    return force / mass, alpha, contacts


@pytest.mark.parametrize("form", CONTACT)
@pytest.mark.parametrize("memory", ["stored", "reference"])
def test_right_hand_side_at_random_states(form, memory):
    tooth = {"form": form} | ({"flank_factor": 1.24} if form == "asa-ii" else {})
    drive = two_wheels(
        (17, 13), 9.4, speed=20.0, tooth=tooth, gravity=(0.6, -9.0),
        contact={"stiffness": K, "restitution": RESTITUTION, "friction": FRICTION},
        second={"load_torque": 1.0, "bearing_damping": 0.01, "bearing_friction": 0.2}, **LINK,
    )  # fmt: skip
    options = {"friction_speed": SPEED, "friction_sharpness": SHARPNESS, "reference_speed": 0.7}
    system = compiled(drive, impact_memory=memory, **options)
    n = drive.chain.links
    rng = np.random.default_rng(7)
    contacts = 0
    for _ in range(40):
        y = system.state.copy()
        y[: 2 * n] += rng.uniform(-2.5e-4, 2.5e-4, 2 * n)
        y[2 * n : system.positions] += rng.uniform(-0.02, 0.02, 2)
        y[system.positions : 2 * system.positions] += rng.normal(scale=0.3, size=system.positions)
        system.kernels.begin(0.0, y, system.parameters)
        speed = np.full((2, n), 0.7)
        if memory == "stored":  # any memory will do: the right-hand side must use just this one
            p = system.parameters
            for slots in (p.segment[s] for s in range(p.segments_used[0])):
                w, first, end, slot = slots[:4]
                chosen = rng.uniform(0.06, 2.0, end - first)
                p.candidate[2, slot : slot + end - first] = chosen
                speed[w, first:end] = chosen
        dy = rates(system, y, 1.0)
        expected, alpha, found = accelerations(system, drive, y, speed)
        contacts += found
        given = dy[system.positions : system.positions + 2 * n].reshape(2, n).T
        # Forces are up to 1e4 N: relative to the largest acceleration. tanh is exact to 1e-13; K d^1.5 loses digits
        # where the penetration is a small difference, 1e-16 m/1e-6 m x 1.5.
        np.testing.assert_allclose(given, expected, rtol=0.0, atol=1e-10 * np.abs(expected).max())
        np.testing.assert_allclose(dy[system.positions + 2 * n : 2 * system.positions], alpha, rtol=1e-10)
        np.testing.assert_array_equal(dy[: system.positions], y[system.positions : 2 * system.positions])
    assert contacts > 40 * 5  # of all kinds: the rollers lie in their gaps to 0.25 mm, with a clearance of 0.06 mm


def test_powers_at_random_states():
    # Works integrate the powers of the forces that act: sum F.v over everything is what is turned into heat.
    drive = two_wheels(
        (17, 13), 9.4, speed=20.0, contact={"stiffness": K, "restitution": RESTITUTION, "friction": FRICTION},
        second={"load_torque": 1.0, "bearing_damping": 0.01}, **LINK,
    )  # fmt: skip
    system = compiled(drive)
    rng = np.random.default_rng(11)
    n, q = drive.chain.links, system.positions
    p = system.parameters
    for _ in range(20):
        y = system.state.copy()
        y[: 2 * n] += rng.uniform(-2e-4, 2e-4, 2 * n)
        y[q : 2 * q] += rng.normal(scale=0.3, size=q)
        system.kernels.begin(0.0, y, p)
        dy = rates(system, y)
        work = dict(
            zip(("input", "output", "link", "joint", "contact", "friction", "bearing"), dy[2 * q :], strict=True)
        )
        masses = np.where(np.isfinite(system.masses), system.masses, p.wheel[0, 2])
        kinetic_rate = (masses * y[q : 2 * q]) @ dy[q : 2 * q]

        def stored(step, y=y):
            there = y.copy()
            there[:q] += step * y[q : 2 * q]
            row = np.zeros(system.row_size)
            system.kernels.record(0.0, there, p, row)
            energy = {c.name: row[c.offset] for c in system.channels if c.name.startswith("energy")}
            return energy["energy_elastic"] + energy["energy_gravity"]

        # Central difference over h: rounding 1e-16 E/h and truncation (contacts: K d^-0.5 v^3 h^2) balance near 1e-7 s.
        h = 1e-7
        stored_rate = (stored(h) - stored(-h)) / (2.0 * h)
        heat = work["link"] + work["joint"] + work["contact"] + work["friction"] + work["bearing"]
        balance = kinetic_rate + stored_rate - work["input"] + work["output"] + heat
        assert abs(balance) < 1e-5 * (abs(kinetic_rate) + abs(stored_rate) + heat)
        assert min(work["link"], work["joint"], work["contact"], work["friction"], work["bearing"]) >= 0.0
        assert work["output"] == pytest.approx(np.sign(20.0) * 1.0 * y[q + 2 * n + 1])

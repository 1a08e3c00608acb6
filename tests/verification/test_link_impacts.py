"""Impacts of rigid links on the teeth of a wheel: Newton's law for one link, and the speed at which a chain meets its
seats.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from chaindrive.formulations import compile_system
from chaindrive.model import LinkOptions
from chaindrive.physics.contact_laws import CONTACT_LAWS, achieved_restitution
from support.link_chains import OPEN
from support.small_drives import PITCH, channel, rolling, run, settle, two_wheels

SPEED, AWAY = 0.2, 2e-6
"""Speed of the link towards its seat, and distance to it. [m/s, m]"""


def lone_link(law: str, restitution: float, stiffness: float, **chain):
    """A link that moves straight towards its seat on a heavy wheel, with open joints; system, number, normal."""
    drive = two_wheels(
        (17, 19), 14.0, ramp=1.0, gravity=(0.0, 0.0), second={"inertia": 1e3}, **chain,
        contact={"stiffness": stiffness, "exponent": 1.5, "restitution": restitution, "friction": 0.0},
    )  # fmt: skip
    system = compile_system(drive, LinkOptions(contact_law=law), False)
    p = system.parameters
    joint = p.joint._replace(clearance=np.full_like(p.joint.clearance, OPEN))
    system = replace(system, parameters=p._replace(joint=joint))
    centre = np.array(drive.wheels[1].position)
    arm = channel(system, "roller_position") - centre
    link = int(np.argmax(arm[:, 0]))  # in the middle of its wrap
    normal = arm[link] / np.hypot(*arm[link])
    state, n, first = system.state.copy(), p.links, system.positions
    state[[link, n + link]] += (AWAY + channel(system, "contact_penetration")[link]) * normal
    state[[first + link, first + n + link]] = -SPEED * normal
    system.kernels.begin(0.0, state, system.parameters)
    return replace(system, state=state), link, normal


def after_newton(system, link: int, normal, restitution: float):
    """Velocity of the centre of mass and angular velocity after an impact by Newton's law, (3,).

    The bush is at r from the centre of mass, where the link resists like 1/(1/m + (r x n)^2/I) along the normal n; the
    impulse is this times (1 + e) v (Pfeiffer, Fritz & Srnik 1997, Eq. 12, with E + e).
    """
    n = system.parameters.links
    arm = channel(system, "roller_position")[link] - system.state[[link, n + link]]
    turning = arm[0] * normal[1] - arm[1] * normal[0]
    mass, inertia = system.masses[link], system.masses[2 * n + link]
    impulse = (1.0 + restitution) * SPEED / (1.0 / mass + turning**2 / inertia)
    return np.array([*(-SPEED * normal + impulse / mass * normal), impulse * turning / inertia])


@pytest.mark.parametrize(
    ("law", "asked"), [("hertz", 0.0), ("hunt-crossley", 0.3), ("lankarani-nikravesh", 0.0), ("flores", 0.3)]
)
@pytest.mark.parametrize("centre", [(0.5, 0.0), (0.2, 0.05)])
def test_a_link_that_hits_its_seat(law: str, asked: float, centre: tuple[float, float]) -> None:
    """Newton's impact law in the limit of a stiff contact.

    The restitution is that of the law, whatever the mass. During the impact the bush slides along the seat by about the
    penetration, 0.1 um, and the normal turns by this over the difference of radii, 60 um.
    """
    place = tuple(PITCH * np.array(centre))
    system, link, normal = lone_link(
        law, asked, 1e14, inner_link={"centre_of_mass": place}, outer_link={"centre_of_mass": place}
    )
    n, first = system.parameters.links, system.positions
    restitution = achieved_restitution(CONTACT_LAWS[law](1e14, 1.5, asked, 1.0).hysteresis)
    found = run(system, 4.0 * AWAY / SPEED, AWAY / SPEED)
    assert found.status.name == "REACHED_END"
    moving = found.state[first + link + n * np.arange(3)]
    expected = after_newton(system, link, normal, restitution)
    scale = np.array([SPEED, SPEED, abs(expected[2])])
    np.testing.assert_allclose(moving / scale, expected / scale, atol=5e-3)
    still = np.delete(np.arange(n), link)
    np.testing.assert_allclose(found.state[first + still], 0.0, atol=1e-9)


def test_a_chain_meets_its_seats_with_w_p() -> None:
    """A bush comes onto the driver with (w - w_link) P, about w P, across its link: relative to the wheel it turns
    about the bush that is seated before it, a pitch away.

    Into the tooth it moves with the sine of 2 pi/z and the pressure angle of that, 35 - 120/z degrees for a new chain
    on ASA teeth (Binder 1956). A span that vibrates across makes w_link up to a fifth of w here.
    """
    rate, teeth = 60.0, 17
    drive = two_wheels(
        (teeth, 19), 14.0, speed=rate, gravity=(0.0, 0.0), link_damping=20.0,
        second={"load_torque": 3.0, "inertia": 0.1},
        contact={"stiffness": 1e9, "exponent": 1.5, "restitution": 0.3, "friction": 0.1},
    )  # fmt: skip
    system = rolling(settle(compile_system(drive, LinkOptions(), True)))
    interval = 1e-5
    found = run(system, 5.5 * 2.0 * math.pi / teeth / rate, interval).channels
    touching = found["contact_surface"] == 0
    came = [
        (int(np.flatnonzero(touching[:, j])[0]), j)
        for j in range(drive.chain.links)
        if touching[:, j].any() and not touching[:50, j].any()
    ]
    assert len(came) == 5
    into, shares = math.sin(2.0 * math.pi / teeth + math.radians(35.0 - 120.0 / teeth)), []
    for row, j in came:
        before = row - 1
        place, velocity = found["roller_position"][before], found["roller_velocity"][before]
        arm = place[j] - found["wheel_position"][before, 0]
        relative = velocity[j] - rate * np.array([-arm[1], arm[0]])
        speed = np.hypot(*relative)
        turning, direction = (found[name][before, j] for name in ("link_angular_velocity", "link_angle"))
        assert speed == pytest.approx(abs(rate - turning) * PITCH, rel=0.02)
        along = relative @ [math.cos(direction), math.sin(direction)]
        assert abs(along) < 0.03 * speed
        depth = found["contact_penetration"][before - 1 : row, j]
        inwards = (depth[1] - depth[0]) / interval
        assert inwards / speed == pytest.approx(into, rel=0.03)
        shares.append(speed / (rate * PITCH))
    assert np.mean(shares) == pytest.approx(1.0, abs=0.1)

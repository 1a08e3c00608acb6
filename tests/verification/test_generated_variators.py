"""Variators with any ratio, angle, friction, stiffness, load and clamping: they run and balance, or end with a
reason.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.geometry.variator import second_radius
from chaindrive.mechanism.variator import clampings
from chaindrive.model import Drive, override

DISTANCE, PITCH, LINKS = 0.155, 9.85e-3, 63
SOME = {"points": (2, 3, 5), "rigid": (1, 4)}
"""Cases run by default: rigid and tilting sheaves, loads of 0.2, 0.5 and 1.25 times the slip limit."""


def generated(number: int, links: str) -> tuple[Drive, float]:
    """A variator, and its load over the slip limit."""
    draw = np.random.default_rng(number)
    first = draw.uniform(0.032, 0.066)
    angle, friction = math.radians(draw.uniform(8.0, 14.0)), draw.uniform(0.05, 0.13)
    force, part = 10.0 ** draw.uniform(3.7, 4.6), draw.choice([0.2, 0.5, 0.8, 1.25])
    changes = {
        "sheaves.primary.running_radius": first,
        "sheaves.primary.motion.speed": draw.choice([-1.0, 1.0]) * draw.uniform(50.0, 350.0),
        "sheaves.primary.tilt_stiffness": None if draw.random() < 0.3 else 10.0 ** draw.uniform(5.7, 6.7),
        "sheaves.secondary.clamping_force": force,
        "sheaves.secondary.inertia": 10.0 ** draw.uniform(-2.3, -1.0),
        "sheaves.secondary.position": [DISTANCE * math.cos(number), DISTANCE * math.sin(number)],
        "chain.pins.half_angle": angle,
        "chain.pins.friction": friction,
        "chain.pins.stiffness": 10.0 ** draw.uniform(7.5, 8.4),
        "chain.link_stiffness": 10.0 ** draw.uniform(7.6, 8.5),
    }
    pitches = np.full(LINKS, PITCH)
    if draw.random() < 0.3:
        pitches *= 1.0 + 0.05 * (draw.permutation(LINKS) % 2 - 31 / 63)
        changes |= {"chain.pitch": None, "chain.pitches": pitches.tolist()}
    second = second_radius(first, DISTANCE, pitches, LINKS)
    changes["sheaves.secondary.load_torque"] = part * 2.0 * friction * force * second / math.cos(angle)
    changes["run.formulation"] = {"kind": "cvt", "links": links}
    return override(cd.example("cvt-63"), changes), float(part)


@pytest.mark.parametrize(
    ("links", "number"),
    [
        pytest.param(links, number, marks=() if number in some else pytest.mark.long)
        for links, some in SOME.items()
        for number in range(60)
    ],
)
def test_it_runs_and_balances_or_says_why_not(links, number):
    drive, part = generated(number, links)
    assert clampings(drive)[1].torque == pytest.approx(part * clampings(drive)[1].largest_torque, rel=1e-6)
    run = cd.simulate(drive, until=0.12, progress=False)
    if part > 1.0:
        assert run.status.name == "CHAIN_SLIPS"
        assert any("below the slip limit" in warning for warning in run.warnings)
        return
    assert run.status.name == "REACHED_END", run.status
    assert abs(run.values("energy_residual")[-1]) < 1e-3 * run.audit.energy_exchanged
    later = slice(len(run.values("wheel_speed")) // 2, None)
    thrust, tension = run.values("sheave_thrust")[later], run.values("span_tension")[later]
    speed, torque = run.values("wheel_speed")[later].mean(axis=0), run.values("wheel_torque")[later].mean(axis=0)
    force = drive.sheaves[1].clamping_force
    assert thrust[:, 1].mean() == pytest.approx(force, rel=0.05)
    # What the driven pair lacks of a steady speed, its inertia gives: J w' is the rest of the torque of its strands.
    radius = run.values("running_radius")[later].mean(axis=0)
    sense = math.copysign(1.0, speed[0])
    pull = sense * (tension[:, 0] - tension[:, 1]).mean() * -radius[1]
    gained = drive.sheaves[1].inertia * np.ptp(run.values("wheel_speed")[later][[0, -1], 1]) / 0.06
    assert pull == pytest.approx(abs(torque[1]), abs=gained + 0.03 * abs(torque[1]) + 2.0)
    assert 0.9 < speed[1] / speed[0] * radius[1] / radius[0] < 1.01

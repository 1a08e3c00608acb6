"""Rows of the page about chains with rigid contacts: closed-form solutions compared with a chain of rollers.

Tests assert every row within its tolerance.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from _nonsmooth_rows import G, Row

import chaindrive as cd
from chaindrive.analyses.analytical.formulas import binder_ratio
from chaindrive.model import override

__all__ = ["METHODS", "ROWS", "drag_conveyor", "on_flanks", "seats", "stick_slip", "straight_flanks", "tooth_loads"]

METHODS = ("moreau-jean", "nonsmooth-alpha")
PITCH, RADIUS = 0.0127, 0.5 * 0.00851
"""Pitch of an 08B chain, and radius of its rollers. [m]"""
SLIDING, STATIC, CARRIED, PULL = 0.2, 0.3, 200.0, 0.01
"""Coefficients of friction of a conveyor on its rail, the mass that it carries [kg], and its speed [m/s]."""
TEETH, FLANK = 20, math.radians(39.0)
PLAY = 2e-6
"""Play of a roller at the bottom of a gap. [m]"""


def run(until: float, start: str, rate: float, step: float) -> dict[str, Any]:
    """Options of a run with rigid contacts: end [s], rows per second [Hz], step [s]."""
    return {
        "until": until,
        "start": start,
        "formulation": {"kind": "roller", "contacts": "rigid", "on_jump": "continue"},
        "solver": {"step": step},
        "save": {"rate": rate},
    }


def drag_conveyor(links: int = 40, until: float = 0.3) -> cd.Drive:
    """A carriage on a rail, pulled by a chain that also lies on the rail."""
    times = np.linspace(0.02, 2.0 * until, 20)
    motion = {"kind": "table", "times": [0.0, *times], "positions": [0.0, *(PULL * times)]}
    rail = {"kind": "straight", "start": (0.005, -RADIUS), "end": (links * PITCH + 0.05, -RADIUS), "side": "right"}
    contact = {"stiffness": 1e9, "friction": SLIDING, "static_friction": STATIC}
    joint = {"kind": "prismatic", "direction": "180 deg", "motion": motion}
    return cd.Drive(
        name="drag conveyor",
        gravity=(0.0, -G),
        chain={
            "standard": "08B-1",
            "links": links,
            "ends": [
                {"kind": "body", "body": "drive", "position": (0.0, 0.0)},
                {"kind": "free", "mass": CARRIED, "direction": "0 deg"},
            ],
        },
        contact={"stiffness": 1e9},
        bodies=[{"name": "drive", "mass": 1.0, "inertia": 1.0, "centre_of_mass": (0.0, 0.0), "joint": joint}],
        guides=[{"name": "rail", "shape": rail, "contact": contact}],
        run=run(until, "as_placed", 1e4, 5e-5),
    )


def stick_slip(method: str) -> list[Row]:
    """A conveyor that sticks and slips: a friction oscillator whose spring, the chain, is pulled at constant speed v.

    With the weight N and Delta = (mu0 - mu) N / k, it sticks for 2 Delta/v, slips for (2 pi - 2 atan(w Delta/v))/w, and
    the tension oscillates about mu N with the amplitude k sqrt(Delta^2 + (v/w)^2). A third of the mass of the chain,
    which is 0.2 % of the total, moves with the conveyor.
    """
    drive = override(drag_conveyor(), {"run.solver.method": method})
    chain = drive.chain
    own = chain.links * chain.link_mass
    k = chain.link_stiffness / (chain.links + 1)  # a fitting as stiff as a link
    weight, w = (CARRIED + own) * G, math.sqrt(k / (CARRIED + own / 3.0))
    held = (STATIC - SLIDING) * weight / k
    period = 2.0 * held / PULL + (2.0 * math.pi - 2.0 * math.atan(w * held / PULL)) / w
    swing = k * math.hypot(held, PULL / w)
    solution = cd.simulate(drive, progress=False)
    tension = solution.values("link_tension")[:, 0]
    later = np.flatnonzero(solution.time > 0.15)  # after the first pull
    above = tension[later] > SLIDING * weight
    rises = later[1:][above[1:] & ~above[:-1]]
    part = (SLIDING * weight - tension[rises - 1]) / (tension[rises] - tension[rises - 1])
    at = solution.time[rises - 1] + part * (solution.time[rises] - solution.time[rises - 1])
    name = "conveyor that sticks and slips"
    return [
        Row(name, "period", "s", method, period, float(np.diff(at).mean()), 2e-3 * period),
        Row(name, "largest tension", "N", method, SLIDING * weight + swing, tension[later].max(), 3e-3 * swing),
        Row(name, "smallest tension", "N", method, SLIDING * weight - swing, tension[later].min(), 5e-3 * swing),
    ]


def straight_flanks(straight: float = 2.2e-3) -> dict[str, Any]:
    """Teeth with straight flanks, whose normals are inclined by FLANK to the pitch circle.

    Half a gap consists of an arc at the bottom, a flank of the given length [m], and an arc that ends at the middle of
    the tooth.
    """
    half, beta, seat = math.pi / TEETH, 0.5 * math.pi - FLANK, RADIUS + PLAY
    radius = PITCH / (2.0 * math.sin(half))
    x = seat * math.sin(beta) + straight * math.cos(beta)
    y = radius - seat * math.cos(beta) + straight * math.sin(beta)
    across, beyond = math.sin(beta) + math.sin(half), math.cos(half) - math.cos(beta)
    tip = (y * math.sin(half) - x * math.cos(half)) / (across * math.cos(half) - beyond * math.sin(half))
    return {
        "form": "profile",
        "bottom": radius - seat,
        "pieces": [
            {"length": seat * beta, "radius": seat, "bend": "left"},
            {"length": straight},
            {"length": 1.000001 * tip * (beta + half), "radius": tip, "bend": "right"},
        ],
    }


def on_flanks(pull: float, slack: float, until: float = 0.05, **changes: Any) -> cd.Drive:
    """An open chain over half of a wheel that is held; one end is pulled with a force that increases from 0.6 of this
    pull to the pull [N].
    """
    radius = PITCH / (2.0 * math.sin(math.pi / TEETH))
    pulling = {"times": [0.0, 0.01, 0.02], "forces": [0.6 * pull, 0.6 * pull, pull]}
    ends = [
        {"position": (-radius, -6.0 * PITCH), "force": {"direction": "-90 deg", "size": pulling}},
        {"force": {"direction": "-90 deg", "size": slack}},
    ]
    held = {"kind": "constant_speed", "speed": 0.0}
    wheel = {"name": "wheel", "teeth": TEETH, "position": (0.0, 0.0), "inertia": 0.01, "motion": held}
    given: dict[str, Any] = {
        "name": "wrap on straight flanks",
        "gravity": (0.0, 0.0),
        "loop": "clockwise",
        "chain": {
            "standard": "08B-1",
            "links": TEETH // 2 + 12,
            "ends": [{"kind": "free", "mass": 0.05, "direction": "-90 deg"} | end for end in ends],
        },
        "contact": {"stiffness": 1e10},
        "wheels": [wheel | {"tooth": straight_flanks()}],
        "run": run(until, "at_rest", 1e3, 2e-5),
    }
    return cd.Drive(**(given | changes))


def tooth_loads(method: str) -> list[Row]:
    """Tensions on a wheel with rigid teeth, without friction: T_(i+1)/T_i = sin(phi)/sin(phi + 2 pi/z) (Binder 1956).

    phi is the angle between the normal of the flank and the link that pulls.
    """
    solution = cd.simulate(override(on_flanks(100.0, 3.0), {"run.solver.method": method}), progress=False)
    tension = solution.values("link_tension")[-1]
    ratios = tension[7:12] / tension[6:11]
    wanted = float(binder_ratio(TEETH, FLANK - math.pi / TEETH))
    return [
        Row("wrap on straight flanks", f"ratio of tensions, {what}", "-", method, wanted, float(found), 1e-3 * wanted)
        for what, found in (("smallest", ratios.min()), ("largest", ratios.max()))
    ]


def seats(method: str) -> list[Row]:
    """Rollers on kinematic seats (Pedersen 2004, section 3.4): an increase of the pull affects only two of them.

    The span leaves along the tangent at the first seat, at an angle of pi/z to the normal of its wall, which is at 2
    pi/z to the link behind: a fraction sin(pi/z)/sin(2 pi/z) is passed on. The next roller lies between two sides of
    the polygon and carries all of this.
    """
    changes = {"wheels.0.tooth": {"form": "kinematic-seat"}, "run.solver.method": method}
    drive = override(on_flanks(100.0, 3.0), changes)
    solution = cd.simulate(drive, progress=False)
    tension = solution.values("link_tension")
    first = int(np.flatnonzero(solution.values("contact_force")[-1])[0])
    before, behind, farther = (float(tension[-1, first + k] - tension[0, first + k]) for k in (-1, 0, 1))
    half, name = math.pi / TEETH, "wrap on kinematic seats, 40 N more"
    triangle = math.sin(half) / math.sin(2.0 * half)
    return [
        Row(
            name,
            "fraction that remains after the first roller",
            "-",
            method,
            triangle,
            behind / before,
            5e-3 * triangle,
        ),
        Row(name, "fraction that remains after the second roller", "-", method, 0.0, farther / before, 0.01),
    ]


ROWS = {"stick-slip": stick_slip, "tooth-loads": tooth_loads, "seats": seats}
"""The functions, by the names of their tests."""

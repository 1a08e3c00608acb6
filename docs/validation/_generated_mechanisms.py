"""Rails, tightener arms and tension guides of generated drives."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from _generated_layout import FloatArray, Place, RailPlace
from _generated_parts import Sizes, between, rail_contact, rounded
from numpy.random import Generator


class Mechanism(NamedTuple):
    """A body and its tensioner, as tables of a drive."""

    bodies: tuple[dict[str, Any], ...]
    tensioners: tuple[dict[str, Any], ...]
    words: str


def rail(rng: Generator, size: Sizes, place: RailPlace, number: int, body: str = "ground") -> dict[str, Any]:
    """The guide at a position of a rail."""
    made: dict[str, Any] = {"name": f"rail {number}", "body": body, "contact": rail_contact(rng, size)}
    reach = 0.5 * size.roller
    if rng.random() < 0.3:
        made["contact_radius"] = reach = rounded(0.5 * size.plate, 4)
    if not place.plan.curved:
        end = rounded(rng.uniform(0.5, 1.5) * size.pitch)
        made["shape"] = {
            "kind": "on_span", "span": place.plan.span, "side": place.plan.side, "length": rounded(place.length, 4),
            "end_radius": rounded(end * rng.uniform(2.0, 8.0)), "end_length": end,
            "indentation": rounded(place.plan.bend * size.pitch),
        }  # fmt: skip
        return made
    radius, half = place.radius - reach, 1.2 * place.plan.bend + 0.01
    start = place.centre + radius * (math.cos(half) * place.normal - math.sin(half) * place.along)
    heading = math.sin(half) * place.normal + math.cos(half) * place.along
    made["shape"] = {
        "kind": "path", "start": _point(start), "direction": math.atan2(heading[1], heading[0]),
        "side": place.plan.side, "end_radius": rounded(4.0 * size.pitch), "end_length": rounded(0.5 * size.pitch),
        "pieces": ({"length": 2.0 * half * radius, "radius": radius, "bend": place.plan.side},),
    }  # fmt: skip
    return made


def arm(
    rng: Generator, size: Sizes, place: Place, wheel: int, mass: float, tension: float, gravity: FloatArray
) -> Mechanism | None:
    """An arm that carries a wheel of this mass [kg], with its spring or weight for this tension of the chain [N]; None
    if this is impossible.
    """
    way, weight = place.route, math.hypot(*gravity)
    pull = tension * (way.span_direction[wheel] - way.span_direction[wheel - 1])
    towards = pull / math.hypot(*pull)
    centre = place.centres[wheel]
    turn = rng.uniform(-0.5, 0.5) + 0.5 * math.pi * rng.choice([-1.0, 1.0])
    along = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]) @ towards
    length = float(way.radii[wheel]) + rng.uniform(2.0, 6.0) * size.pitch
    pivot = np.round(centre + length * along, 6)
    body: dict[str, Any] = {"name": "arm", "mass": rounded(rng.uniform(0.3, 1.2) * mass)}
    middle = np.round(0.5 * (pivot + centre), 6)
    moment = _cross(centre - pivot, pull + mass * gravity)
    kinds = ["spring", "spring", "torsion", *(["weight"] if weight > 0.0 else [])]
    kind = str(rng.choice(kinds))
    joint: dict[str, Any] = {"kind": "revolute", "position": _point(pivot)}
    if kind == "weight":
        reach = length * rng.uniform(0.5, 1.5)
        across = np.array([-gravity[1], gravity[0]]) / weight
        side = -math.copysign(1.0, moment * _cross(across, gravity))
        body |= {
            "mass": rounded(abs(moment) / (reach * weight)),
            "centre_of_mass": _point(pivot + side * reach * across),
        }
        body["inertia"] = rounded(body["mass"] * (0.2 * reach) ** 2)
        joint["damping"] = rounded(0.05 * math.sqrt(abs(moment) * body["mass"] * reach**2))
        return Mechanism((body | {"joint": joint},), (), "arm with a weight")
    body |= {"centre_of_mass": _point(middle), "inertia": rounded(body["mass"] * length**2 / 12.0)}
    moment += _cross(middle - pivot, body["mass"] * gravity)
    inertia = mass * length**2
    if kind == "torsion":
        angle = rng.uniform(0.2, 0.8)
        joint |= {"stiffness": rounded(abs(moment) / angle, 4), "neutral": rounded(math.copysign(angle, -moment), 4)}
        joint["damping"] = rounded(rng.uniform(0.05, 0.4) * 2.0 * math.sqrt(joint["stiffness"] * inertia))
        return Mechanism((body | {"joint": joint},), (), "arm with a torsion spring")
    hook = np.round(pivot + rng.uniform(0.6, 1.2) * (centre - pivot), 6)
    lever = _cross(hook - pivot, -towards)
    force = -moment / lever
    if force <= 0.0:
        return None
    pushes = rng.random() < 0.4
    anchor = hook + (1.0 if pushes else -1.0) * towards * rng.uniform(4.0, 10.0) * size.pitch
    ends = {"from_position": _point(anchor), "to_body": "arm", "to_position": _point(hook)}
    spring = _spring(rng, size, force, inertia / lever**2) | ends | {"name": "spring"}
    spring["preload"] = spring["preload"] if pushes else -spring["preload"]
    return Mechanism((body | {"joint": joint},), (spring,), "arm with a spring")


def tension_guide(
    rng: Generator, size: Sizes, rail: RailPlace, tension: float, gravity: FloatArray
) -> Mechanism | None:
    """The body of a curved rail, pivoted beyond one of its ends, and the tensioner that pushes it; None if this is
    impossible.
    """
    middle = rail.centre + rail.radius * rail.normal
    end = float(rng.choice([-1.0, 1.0]))
    pivot = np.round(middle + end * (0.65 * rail.length) * rail.along - 1.5 * size.pitch * rail.normal, 6)
    mass = rounded(rng.uniform(0.5, 1.2) * size.link_mass / size.pitch * rail.length)
    centre = np.round(middle - size.pitch * rail.normal, 6)
    push = -2.0 * tension * math.sin(rail.plan.bend) * rail.normal
    moment = _cross(middle - pivot, push) + _cross(centre - pivot, mass * gravity)
    hook = np.round(middle - end * rng.uniform(0.1, 0.4) * rail.length * rail.along - size.pitch * rail.normal, 6)
    lever = _cross(hook - pivot, rail.normal)
    force = -moment / lever
    if force <= 0.0:
        return None
    inertia = rounded(mass * rail.length**2 / 12.0)
    joint: dict[str, Any] = {"kind": "revolute", "position": _point(pivot)}
    body = {"name": "tension guide", "mass": mass, "inertia": inertia, "centre_of_mass": _point(centre), "joint": joint}
    anchor = hook - rail.normal * rng.uniform(4.0, 7.0) * size.pitch
    ends = {"from_position": _point(anchor), "to_body": "tension guide", "to_position": _point(hook)}
    moved = mass * (math.dist(centre, pivot) / lever) ** 2
    if rng.random() < 0.5:
        spring = _spring(rng, size, force, moved)
        return Mechanism((body,), (spring | ends | {"name": "spring"},), "tension guide with a spring")
    piston = _hydraulic(rng, size, force)
    return Mechanism((body,), (piston | ends | {"name": "piston"},), "tension guide with a hydraulic piston")


def _spring(rng: Generator, size: Sizes, force: float, mass: float) -> dict[str, Any]:
    """A spring that pushes with a force [N], which decreases to zero over some pitches, with a damper; one in six has a
    ratchet.
    """
    stiffness = rounded(force / (between(rng, 1.0, 8.0) * size.pitch))
    made: dict[str, Any] = {"kind": "spring_damper", "stiffness": stiffness, "preload": rounded(force, 4)}
    made["damping"] = rounded(between(rng, 0.05, 1.0) * 2.0 * math.sqrt(stiffness * mass))
    if rng.random() < 0.15:
        made["ratchet"] = {
            "stiffness": rounded(30.0 * force / (0.01 * size.pitch)),
            "backlash": rounded(0.1 * size.pitch),
        }
    return made


def _hydraulic(rng: Generator, size: Sizes, force: float) -> dict[str, Any]:
    """A piston that is pushed by oil at 1 to 5 bar and by a spring, together with this force [N]."""
    share, pressure = rng.uniform(0.2, 0.6), rounded(1e5 * rng.uniform(1.0, 5.0), 2)
    bore = rounded(math.sqrt(4.0 * share * force / (math.pi * pressure)))
    spring = force - 0.25 * math.pi * bore**2 * pressure
    return {
        "kind": "hydraulic", "piston_diameter": bore, "chamber_length": rounded(rng.uniform(1.5, 3.0) * size.pitch),
        "supply_pressure": pressure, "stiffness": rounded(spring / (between(rng, 2.0, 8.0) * size.pitch)),
        "preload": rounded(spring, 4), "leakage": {"gap": rounded(3e-3 * bore), "length": rounded(1.2 * bore)},
        "check_valve": {"diameter": rounded(0.25 * bore), "opening_pressure": 1e4},
        "oil": {"viscosity": 0.015, "bulk_modulus": 1.5e9, "air_content": float(rng.choice([0.0, 0.02]))},
    }  # fmt: skip


def _cross(a: FloatArray, b: FloatArray) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _point(place: FloatArray) -> tuple[float, float]:
    return round(float(place[0]), 6), round(float(place[1]), 6)

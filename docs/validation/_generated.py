"""A random generator of plausible chain drives: ``generate(seed, index)`` always returns the same drive. Twenty
consecutive drives contain each class according to its share (``CLASSES``). Eighty-four consecutive drives each have a
different chain of the catalogue. All else is random within what is usual for such drives, and is generated again until
the drive can be built (``_generated_checks``).
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from _generated_checks import LEAST_TEETH_WRAPPED, LEAST_WRAP, problems
from _generated_layout import FloatArray, Place, drawn, fitted, plan
from _generated_mechanisms import arm, rail, tension_guide
from _generated_parts import (
    Drag,
    Sizes,
    between,
    chain,
    contact,
    disc,
    formulation,
    load,
    motion,
    rounded,
    sizes,
    tooth,
)
from numpy.random import Generator

from chaindrive.errors import InputError
from chaindrive.model import Drive, standard_chain, standard_names

__all__ = ["CLASSES", "class_of", "generate"]

CLASSES = {
    "taut": 4, "slightly slack": 3, "slack": 4, "preload": 2, "simplified teeth": 2, "rails": 2, "arm": 2,
    "tension guide": 1,
}  # fmt: skip
"""Number of drives of each class in twenty."""
MOST_ATTEMPTS = 4000
LATER = ("48A-2", "240-2")
"""Chains that were added to the catalogue after the drives on the page were measured; they are omitted so that the
drives stay the same.
"""
ATTEMPTS_EACH = 40
"""Number of arrangements tried for a given chain, chain length and number of wheels."""
LONGEST_RUN = 0.2
"""Longest simulated time. [s]"""
PITCHES_RUN = 30.0
"""Travel of the chain in the simulation, if this takes less than the longest time. [pitches]"""


class Brief(NamedTuple):
    """Requirements on a drive."""

    kind: str
    standard: str
    links: int
    wheels: int
    slack: float
    """Number of links in excess of the route around wheels and rails."""
    gravity: FloatArray
    clockwise: bool
    at_speed: bool


class Roles(NamedTuple):
    """The functions of the wheels of a drive."""

    driver: int
    direction: int
    """+1 when the chain runs in the order of the wheels, -1 against it."""
    loaded: tuple[int, ...]
    supported: int | None
    """The wheel on the arm."""


def class_of(seed: int, index: int) -> str:
    """The class of the drive with this index."""
    shares = [kind for kind, share in CLASSES.items() for _ in range(share)]
    return shares[_shuffled(seed, 1, index // len(shares), len(shares))[index % len(shares)]]


def generate(seed: int, index: int) -> Drive:
    """A drive, always the same for the same seed and index, which are at least 0. Its source states its main data."""
    kind = class_of(seed, index)
    for attempt in range(MOST_ATTEMPTS):
        brief = _brief(np.random.default_rng([seed, index, 1, attempt // ATTEMPTS_EACH]), seed, index, kind)
        made = _made(np.random.default_rng([seed, index, 2, attempt]), brief)
        if made is None:
            continue
        try:
            drive = Drive(name=f"{kind} {index}", notes=(f"seed {seed}, attempt {attempt}",), **made)
        except InputError:  # such as a tooth form that leaves no tooth
            continue
        if not problems(drive):
            return drive
    raise RuntimeError(f"no drive was found for seed {seed}, index {index} within {MOST_ATTEMPTS} attempts")


@cache
def _shuffled(seed: int, purpose: int, block: int, size: int) -> tuple[int, ...]:
    return tuple(int(k) for k in np.random.default_rng([seed, purpose, block]).permutation(size))


def _brief(rng: Generator, seed: int, index: int, kind: str) -> Brief:
    names = [name for name in standard_names() if not name.endswith("-3") and name not in LATER]
    standard = names[_shuffled(seed, 3, index // len(names), len(names))[index % len(names)]]
    links = round(between(rng, 40.0, 400.0))
    links += links % 2 if rng.random() < 0.85 else 0
    most = 3 if links < 54 else 4 if links < 76 else 6
    wheels = min(most, int(rng.choice([2, 3, 4, 5, 6], p=[0.34, 0.26, 0.18, 0.12, 0.1])))
    if kind == "arm":
        wheels, links = max(3, wheels), max(48, links)
    down = 9.81 * np.array([0.0, -1.0])
    place = rng.random()
    if place < 0.1 and kind != "slack":
        down = np.zeros(2)
    elif place < 0.22:
        turn = rng.uniform(0.0, 2.0 * math.pi)
        down = np.round(9.81 * rng.choice([1.0, 0.5]) * np.array([math.cos(turn), math.sin(turn)]), 3)
    return Brief(
        kind=kind,
        standard=standard,
        links=links,
        wheels=wheels,
        slack=_slack(rng, kind, links),
        gravity=down,
        clockwise=bool(rng.random() < 0.5),
        at_speed=bool(rng.random() < 0.7),
    )


def _slack(rng: Generator, kind: str, links: int) -> float:
    """Number of links in excess of the route around wheels and rails; negative if the chain is too short."""
    tight, little = float(rng.choice([0.0, -0.01, -0.02])), float(rng.uniform(0.0, 0.003)) * links
    if kind == "slack":
        return float(rng.uniform(0.003, 0.02)) * links
    if kind in ("slightly slack", "preload"):
        return little if kind == "slightly slack" else 0.1 * little
    if kind in ("simplified teeth", "rails"):
        return tight if rng.random() < 0.5 else little
    return tight if kind == "taut" else 0.0


def _made(rng: Generator, brief: Brief) -> dict[str, Any] | None:
    """The fields of a drive except its name; None if these wheels cannot be arranged or used in this way."""
    standard = standard_chain(brief.standard)
    rails = {"rails": int(rng.integers(1, 3)), "tension guide": 1}.get(brief.kind, 0)
    layout = fitted(
        plan(rng, brief.links, brief.wheels, rails, True if brief.kind == "tension guide" else None),
        brief.links - brief.slack,
    )
    if layout is None:
        return None
    place = drawn(layout, standard.pitch, brief.clockwise, int(rng.integers(brief.wheels)))
    roles = _roles(rng, brief.kind, place)
    if roles is None:
        return None
    size = sizes(rng, standard, min(place.teeth))
    radius = float(place.route.radii.min())
    of_chain = chain(rng, size, brief.standard, brief.links, radius)
    words = [
        f"{brief.links} links {brief.standard}", f"{brief.wheels} wheels", f"{brief.slack:+.3g} pitches of slack",
        f"{size.speed:.2g} m/s",
    ]  # fmt: skip
    made: dict[str, Any] = {
        "gravity": tuple(float(g) for g in brief.gravity),
        "loop": place.loop,
        "chain": of_chain,
        "contact": contact(rng, size),
        "run": _run(rng, brief, size, radius, "joint_friction" in of_chain),
    }
    with_mechanism = _mechanism(rng, brief, size, place, roles)
    if with_mechanism is None:
        return None
    made |= with_mechanism.fields
    made["wheels"] = _wheels(rng, brief, size, place, roles)
    words += with_mechanism.words
    if brief.kind == "preload":
        made["preload"], text = _preload(rng, brief, size, place, roles)
        words.append(text)
    words.append(made["wheels"][0]["tooth"]["form"])
    return made | {"source": "generated: " + ", ".join(words)}


def _roles(rng: Generator, kind: str, place: Place) -> Roles | None:
    """Choose the driver, the direction and the loaded wheels; an arm or a tension guide acts on the span into which the
    driver feeds the chain.
    """
    count, wrap = len(place.teeth), place.route.wrap
    able = [
        w for w in range(count)
        if wrap[w] >= LEAST_WRAP and wrap[w] * place.teeth[w] / (2.0 * math.pi) >= LEAST_TEETH_WRAPPED["loaded"]
    ]  # fmt: skip
    direction = int(rng.choice([-1, 1]))
    drivers = [w for w in able if place.sides[w] == "front"]
    supported = None
    if kind == "arm":
        idlers = [w for w in range(count) if (w - direction) % count in drivers]
        if not idlers:
            return None
        supported = int(rng.choice(idlers))
        drivers = [(supported - direction) % count]
    if kind == "tension guide":
        span = place.rails[0].plan.span
        drivers = [w for w in drivers if w == (span if direction > 0 else (span + 1) % count)]
    if not drivers:
        return None
    driver = int(rng.choice(drivers))
    loadable = [w for w in able if w not in (driver, supported)]
    if not loadable:
        return None
    loaded = rng.choice(loadable, min(len(loadable), int(rng.integers(1, 4))), replace=False)
    return Roles(driver, direction, tuple(int(w) for w in loaded), supported)


def _run(rng: Generator, brief: Brief, size: Sizes, radius: float, joint_friction: bool) -> dict[str, Any]:
    until = min(LONGEST_RUN, PITCHES_RUN * size.pitch / size.speed)
    return {
        "until": rounded(until, 2),
        "start": "at_speed" if brief.at_speed else "at_rest",
        "formulation": formulation(rng, size, radius, joint_friction),
        "save": {"rate": rounded(200.0 / until, 2)},
    }


def _wheels(rng: Generator, brief: Brief, size: Sizes, place: Place, roles: Roles) -> tuple[dict[str, Any], ...]:
    """The wheels; the total pull of the loads is 0.3 to 6 % of the breaking load."""
    form = tooth(rng, size, brief.kind == "simplified teeth")
    pull = between(rng, 0.003, 0.06) * size.breaking
    shares = rng.uniform(0.2, 1.0, len(roles.loaded))
    pulls = dict(zip(roles.loaded, pull * shares / shares.sum(), strict=True))
    signs = place.route.signs
    made, moved = [], brief.links * size.link_mass
    for w, radius in enumerate(place.route.radii):
        mass, inertia = disc(size, float(radius))
        if w in pulls:
            inertia *= between(rng, 1.0, 20.0)
        moved += 0.0 if w == roles.driver else inertia / radius**2
        wheel: dict[str, Any] = {
            "name": f"{_role(w, roles)} {w}", "teeth": place.teeth[w], "side": place.sides[w], "tooth": form,
            "position": tuple(float(x) for x in place.centres[w]), "mass": rounded(mass), "inertia": rounded(inertia),
        }  # fmt: skip
        if w in pulls:
            wheel |= load(rng, pulls[w] * radius, size.speed / radius)
        if w != roles.driver and rng.random() < 0.4:
            idling = 0.001 * size.breaking * radius
            wheel["bearing_damping"] = rounded(rng.uniform(0.1, 1.0) * idling * radius / size.speed)
        if w != roles.driver and rng.random() < 0.25:
            wheel["bearing_friction"] = rounded(rng.uniform(0.002, 0.02) * pull * radius, 2)
        made.append(wheel)
    if roles.supported is not None:
        made[roles.supported]["body"] = "arm"
    radius = float(place.route.radii[roles.driver])
    speed = rounded(roles.direction * signs[roles.driver] * size.speed / radius, 4)
    drag = Drag(moved, 0.03 * size.breaking)
    made[roles.driver]["motion"] = motion(rng, speed, radius, drag, brief.at_speed)
    return tuple(made)


def _role(w: int, roles: Roles) -> str:
    if w == roles.driver:
        return "driver"
    return "tightener" if w == roles.supported else "driven" if w in roles.loaded else "idler"


class _Mechanism(NamedTuple):
    fields: dict[str, Any]
    words: list[str]


def _mechanism(rng: Generator, brief: Brief, size: Sizes, place: Place, roles: Roles) -> _Mechanism | None:
    """The rails, bodies and tensioners; None if a tensioner would have to pull on the wrong side."""
    if brief.kind == "rails":
        rails = tuple(rail(rng, size, each, number) for number, each in enumerate(place.rails))
        return _Mechanism({"guides": rails}, [f"{each['shape']['kind']} rail" for each in rails])
    tension = _tension(rng, brief, size, place)
    if brief.kind == "arm":
        assert roles.supported is not None
        mass = rounded(disc(size, float(place.route.radii[roles.supported]))[0])
        mechanism = arm(rng, size, place, roles.supported, mass, tension, brief.gravity)
    elif brief.kind == "tension guide":
        mechanism = tension_guide(rng, size, place.rails[0], tension, brief.gravity)
    else:
        return _Mechanism({}, [])
    if mechanism is None:
        return None
    fields: dict[str, Any] = {"bodies": mechanism.bodies, "tensioners": mechanism.tensioners}
    if brief.kind == "tension guide":
        fields["guides"] = (rail(rng, size, place.rails[0], 0, "tension guide"),)
    return _Mechanism(fields, [f"{mechanism.words} for {tension:.3g} N"])


def _tension(rng: Generator, brief: Brief, size: Sizes, place: Place) -> float:
    """Tension that a tightener or a preload gives the chain: some thousandths of the breaking load, or more for a heavy
    chain. [N]

    The sag of a span is its weight times its length divided by eight times its tension; at the smallest of these
    tensions it is 4 % of the length.
    """
    weight = size.link_mass / size.pitch * math.hypot(*brief.gravity) * float(place.route.span_length.max())
    return rounded(max(between(rng, 0.003, 0.015) * size.breaking, rng.uniform(3.0, 8.0) * weight))


def _preload(rng: Generator, brief: Brief, size: Sizes, place: Place, roles: Roles) -> tuple[dict[str, Any], str]:
    """A required tension or sag of the span into which the driver feeds, achieved by moving a wheel or by adjusting the
    pitch.
    """
    count = len(place.teeth)
    span = roles.driver if roles.direction > 0 else (roles.driver - 1) % count
    made: dict[str, Any] = {"span": span, "by": str(rng.choice(["wheel", "pitch"]))}
    if made["by"] == "wheel":
        wraps = np.where(np.array(place.sides) == "front", place.route.wrap, 0.0)
        made["wheel"] = int(np.argmax(wraps)) if rng.random() < 0.7 else int(rng.choice(np.flatnonzero(wraps > 1.5)))
    u, long = place.route.span_direction[span], float(place.route.span_length[span])
    across = abs(float(u[0] * brief.gravity[1] - u[1] * brief.gravity[0]))
    if across > 5.0 and rng.random() < 0.5:
        made["sag"] = rounded(rng.uniform(0.004, 0.02) * long, 2)
        return made, f"wanted sag {made['sag']:g} m by the {made['by']}"
    made["tension"] = rounded(_tension(rng, brief, size, place), 2)
    return made, f"wanted tension {made['tension']:g} N by the {made['by']}"

"""The runs of chapter 5. They have the defaults of the examples, unless a key states otherwise."""

from __future__ import annotations

from typing import Any

from _cases import AUDIT, CIRCULAR, L60, S90, SPANS, Case

CONTACTS = (*SPANS, "link_tension", "contact_force", "contact_surface", "friction_force", "wheel_speed", *AUDIT)
JOINTS = ("roller_position", "roller_velocity")
DEFAULT = "dormand-prince"


def _case(key: str, drive: str, changes: dict[str, Any], begin: float, until: float, words: str, **more: Any) -> Case:
    return Case(key, drive, changes, begin, until, words, **({"method": DEFAULT} | more))


def teeth_cases() -> list[Case]:
    """Section 5.2: 6L60MC with both tooth forms; it is undamped, so that the effect of the start takes 20 s to
    decay.
    """
    return [
        _case(f"l60-{name}", L60, changes, 20.0, 60.0, f"6L60MC, {name} tooth", keep=CONTACTS)
        for name, changes in (("real", {}), ("circular", CIRCULAR))
    ]


def friction_cases() -> list[Case]:
    """Sections 5.3 and 5.6: 6S90MC-C with and without friction and joint damping."""
    cases = []
    for key, friction, joint, words in (
        ("bare", 0.0, 0.0, "neither friction nor joint damping"),
        ("friction", 0.1, 0.0, "friction 0.1, no joint damping"),
        ("joint-0.5", 0.1, 0.5, "friction 0.1, joint damping 0.5 N m s/rad"),
        ("joint-5", 0.1, 5.0, "friction 0.1, joint damping 5 N m s/rad"),
    ):
        changes = {"contact.friction": friction, "chain.joint_damping": joint}
        keep = CONTACTS + (JOINTS if joint else ())
        cases.append(_case(f"s90-{key}", S90, changes, 12.0, 32.0, words, keep=keep))
        if joint == 0.0:  # again, at a rate that resolves the way of a roller in its gap
            keep = (*CONTACTS, *JOINTS, "wheel_angle", "contact_penetration")
            cases.append(_case(f"s90-path-{key}", S90, changes, 3.0, 7.0, words, keep=keep, rate=5000.0))
    return cases


RESTITUTIONS = (1.0, 0.9, 0.8, 0.0)


def restitution_cases() -> list[Case]:
    """Section 5.4: four coefficients of restitution, with so many rows per second that bounces are resolved."""
    channels = (*SPANS, "contact_force", "contact_penetration", "contact_surface", *AUDIT)
    return [
        _case(f"s90-restitution-{e:g}", S90, {"contact.restitution": e, "chain.joint_damping": 0.0}, 6.0, 8.0,
              f"restitution {e:g}", keep=channels, rate=5000.0)
        for e in RESTITUTIONS
    ]  # fmt: skip


NO_GUIDES, NO_GUIDES_OSCILLATING = "s90-joint-0.5", "s90-oscillating"
GUIDES, GUIDES_OSCILLATING = "s90-guides", "s90-guides-oscillating"
TIGHTENER, TIGHTENER_OSCILLATING = "s90-tightener", "s90-tightener-oscillating"
FREE_STRANDS = "s90-tightener-no-guides"
AMPLITUDES = (5.0, 7.0)
"""Amplitudes of the sixth order; the examples have 6 rad/s^2. [rad/s^2]"""


def engine_cases() -> list[Case]:
    """Sections 5.7 and 5.8: guides, tightener, constant and oscillating speed; the time window begins at 5 s as in the
    thesis.
    """
    arm = ("wheel_position", "body_position", "tensioner_force")
    cases = [
        _case(NO_GUIDES_OSCILLATING, f"{S90}-oscillating", {}, 5.0, 25.0, "oscillating", keep=CONTACTS),
        _case(GUIDES, f"{S90}-guides", {}, 5.0, 15.0, "guides", keep=CONTACTS),
        _case(GUIDES_OSCILLATING, f"{S90}-guides-oscillating", {}, 5.0, 25.0, "guides, oscillating", keep=CONTACTS),
        _case(TIGHTENER, f"{S90}-tightener", {}, 5.0, 15.0, "guides and tightener", keep=CONTACTS + arm),
        _case(TIGHTENER_OSCILLATING, f"{S90}-tightener-oscillating", {}, 5.0, 25.0,
              "guides and tightener, oscillating", keep=CONTACTS + arm),
        _case(FREE_STRANDS, f"{S90}-tightener", {"guides": []}, 5.0, 15.0, "tightener without guides",
              keep=CONTACTS + arm),
    ]  # fmt: skip
    for amplitude in AMPLITUDES:
        share = amplitude / 6.0
        changes = {f"wheels.0.motion.orders.{k}.amplitude": share * value for k, value in enumerate((6.0, 1.5, 0.5))}
        for name in ("oscillating", "guides-oscillating", "tightener-oscillating"):
            cases.append(_case(f"s90-{name}-{amplitude:g}", f"{S90}-{name}", changes, 5.0, 15.0,
                               f"{name.replace('-', ', ')}, sixth order {amplitude:g} rad/s²",
                               keep=("link_tension", "contact_force", "contact_surface", *SPANS, *AUDIT)))  # fmt: skip
    # What the choice of the orders 12 and 18 does.
    alone = {"wheels.0.motion.orders": [{"order": 6, "amplitude": 6.0, "phase": "90 deg"}]}
    cases.append(_case("s90-oscillating-alone", f"{S90}-oscillating", alone, 5.0, 25.0,
                       "oscillating, sixth order alone", keep=CONTACTS))  # fmt: skip
    return cases

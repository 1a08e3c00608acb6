"""Additional data of a drive with rigid contacts: the step and the laws of its contacts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from chaindrive.contract.rigid import RigidContacts
from chaindrive.contract.system import System
from chaindrive.contract.unilateral import ContactLaws
from chaindrive.formulations.planar.parameters import FloatArray, PlanarParameters
from chaindrive.model import Chain, Drive, Guide, Wheel

__all__ = ["resolved_chain", "rigid_step", "with_rigid_contacts"]

METHOD = "moreau-jean"
"""The default method for rigid contacts, followed by all permitted names."""
OF_RIGID = ("auto", METHOD, "nonsmooth-alpha", "generalized-alpha")
SLOWEST_STEP = 1e-3
"""Largest step of time stepping for a drive at rest or without tension. [s]"""
RESOLVED = 1.5
"""Largest product of the step and the highest frequency of the explicit part. [-]"""
STEP_TIMES_FREQUENCY = 0.1
"""Product of the step and the frequency sqrt(T/(m P)) at which a tight link swings sideways. It gives 30 steps per
period of the fastest vibration of the rollers. With 6 steps, landing rollers bounce off deep in the teeth of slow
drives. [-]"""
FEWEST, MOST = 80, 150
"""Smallest and largest number of steps while the chain advances by one link."""
ALLOWED = 2e-3
"""Depth, as a fraction of the pitch, to which positions of rigid contacts are projected for automatically chosen steps,
if they are projected. [-]"""
STRAIN = 0.25
"""Depth to which a roller may penetrate before it is detected, as a fraction of the elongation of a link under its
tension. [-]"""


def rigid_step(drive: Drive, speeds: FloatArray, tension: float) -> float:
    """Return the step of time stepping: the given step, or one that suits arriving rollers and the vibration of a tight
    chain. [s]

    A roller is detected at most half a step after it touches. It arrives at the speed w P, the angular velocity of the
    wheel times the pitch. speeds: highest speed of each wheel, (W,) [rad/s]; tension: tension of the tightest links
    [N].
    """
    chain, given = drive.chain, drive.run.solver.step
    if isinstance(given, float):
        return given
    vibrating = (
        STEP_TIMES_FREQUENCY * math.sqrt(chain.link_mass * chain.pitch / tension) if tension > 0.0 else SLOWEST_STEP
    )
    fastest = float(speeds.max(initial=0.0))
    if not fastest > 0.0:
        return min(vibrating, SLOWEST_STEP)
    passage = 2.0 * math.pi / max(speeds * [wheel.teeth for wheel in drive.wheels])
    stretched = 2.0 * STRAIN * tension / chain.link_stiffness / (fastest * chain.pitch)
    return float(min(vibrating, passage / FEWEST, max(stretched, passage / MOST)))


def with_rigid_contacts(
    system: System,
    drive: Drive,
    p: PlanarParameters,
    step: float,
    *,
    explicit: Mapping[str, float] | None = None,
    closing: float = 0.0,
    scratch: Any = None,
) -> System:
    """Return the system with the laws of its contacts, and with the step [s] instead of the limit of an explicit step.

    explicit: frequencies, by name, of joints that are integrated explicitly and limit a step that is not given [rad/s].
    closing, scratch: see contract/rigid.py. Friction and restitution are those given in the file.
    """
    parts: tuple[Wheel | Guide, ...] = (*drive.wheels, *drive.guides)
    of_surface = [part.contact or drive.contact for part in parts]
    values = np.array([(each.friction, each.sticking_friction, each.restitution) for each in of_surface])
    values = values.reshape(-1, 3)
    values[p.surface.sprung > 0, 2] = 0.0  # springs have their own losses
    laws = ContactLaws(*np.repeat(values[p.face.surface].T, p.rollers, axis=1))
    springs = np.repeat(p.surface.sprung[p.face.surface], p.rollers)
    allowed = ALLOWED * p.pitch if p.projects else math.inf
    contacts = RigidContacts(laws, p.meeting.roller.size // 2, springs, closing, scratch, allowed)
    left_out = [*system.story.notes.get("left_out", ())]
    if not p.surface.sprung.all():
        left_out.append(f"compliance of the {'other ' * p.sprung_contacts}contacts")
    reason = "given" if isinstance(drive.run.solver.step, float) else "rigid contacts"
    for name, limit in (explicit or {}).items():
        if reason != "given" and limit * step > RESOLVED:
            reason, step = name, RESOLVED / limit
    noted = {"left_out": left_out, "step_limits": {reason: 1.0 / step}}
    system = replace(system, rigid=contacts).with_motion(highest_frequency=1.0 / step, frequency_at=None).noted(noted)
    if (method := drive.run.solver.method) in OF_RIGID:
        return system
    warning = (
        f"contacts are rigid, but {method!r} (run.solver.method) needs springs in them: {METHOD!r} is used instead"
    )
    return system.with_story(warnings=(*system.story.warnings, warning))


def resolved_chain(chain: Chain, step: float) -> Chain:
    """Return the chain with the stiffness of its links limited to what a step resolves explicitly.

    Links are integrated implicitly. However, joints and bearings, which stick by springs as stiff as the links, are
    integrated explicitly.
    """
    return chain.model_copy(
        update={"link_stiffness": min(chain.link_stiffness, 0.25 * chain.link_mass * (RESOLVED / step) ** 2)}
    )

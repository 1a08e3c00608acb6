"""Additional data of a drive with rigid contacts: the step and the laws of its contacts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.rigid import RigidContacts
from chaindrive.contract.system import System
from chaindrive.contract.unilateral import ContactLaws
from chaindrive.formulations.planar.parameters import FloatArray, PlanarParameters
from chaindrive.model import Chain, Drive, Guide, Wheel

__all__ = ["Fitting", "resolved_chain", "rigid_step", "step_for", "with_rigid_contacts"]

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

    Before the run, it is made for the expected tension; at its start, for that of the state (``Motion.fitted``), which
    also includes tensioners, rails and goods.

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
    fitting: Fitting,
    *,
    closing: float = 0.0,
    scratch: Any = None,
) -> System:
    """Return the system with the laws of its contacts, and with the step of time stepping instead of the limit of an
    explicit step.

    fitting: how the step follows from the tension; closing, scratch: see contract/rigid.py. Friction and restitution
    are those given in the file.
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
    system = _stepping(replace(system, rigid=contacts), *fitting.step_at(fitting.expected)).noted(
        {"left_out": left_out}
    )
    given = isinstance(drive.run.solver.step, float)
    system = system.with_motion(frequency_at=None, fitted=None if given else partial(_fitted, fitting))
    if (method := drive.run.solver.method) in OF_RIGID:
        return system
    warning = (
        f"contacts are rigid, but {method!r} (run.solver.method) needs springs in them: {METHOD!r} is used instead"
    )
    return system.with_story(warnings=(*system.story.warnings, warning))


class Fitting(NamedTuple):
    """How the step of time stepping follows from the tension of the chain."""

    step_at: Callable[[float], tuple[str, float]]
    """``step_for`` of the drive: a function of the tension of the tightest links alone."""
    expected: float
    """Expected tension of the tightest links. [N]"""
    tightest: Callable[[FloatArray], float]
    """Function that returns the tension of the tightest links at a state. [N]"""
    resolve: Callable[[Any, float], Any]
    """Function that returns parameters with the springs that a step resolves explicitly; its arguments are the
    parameters and the step [s]."""


def _stepping(system: System, reason: str, step: float) -> System:
    """Return the system with a step [s] and the reason for it."""
    return system.with_motion(highest_frequency=1.0 / step).noted({"step_limits": {reason: 1.0 / step}})


def _fitted(fitting: Fitting, system: System) -> System:
    """Return the system with the step that suits the tensions of its state, if they exceed the expected tension.

    See ``Motion.fitted``. Tensioners, friction on rails, goods and weight make a chain tighter than expected.
    """
    tension = fitting.tightest(system.state)
    if not tension > fitting.expected:
        return system
    reason, step = fitting.step_at(tension)
    if not step * system.motion.highest_frequency < 1.0:
        return system
    return _stepping(replace(system, parameters=fitting.resolve(system.parameters, step)), reason, step)


def step_for(
    drive: Drive, speeds: FloatArray, explicit: Callable[[float], Mapping[str, float]], tension: float
) -> tuple[str, float]:
    """Return the reason for the step of time stepping at a tension of the tightest links [N], and the step [s].

    speeds: see ``rigid_step``; explicit(tension): returns the frequencies, by name, of joints that are integrated
    explicitly and limit a step that is not given [rad/s].
    """
    step = rigid_step(drive, speeds, tension)
    if isinstance(drive.run.solver.step, float):
        return "given", step
    reason = "rigid contacts"
    for name, limit in explicit(tension).items():
        if limit * step > RESOLVED:
            reason, step = name, RESOLVED / limit
    return reason, step


def resolved_chain(chain: Chain, step: float) -> Chain:
    """Return the chain with the stiffness of its links limited to what a step resolves explicitly.

    Links are integrated implicitly. However, joints and bearings, which stick by springs as stiff as the links, are
    integrated explicitly.
    """
    return chain.model_copy(
        update={"link_stiffness": min(chain.link_stiffness, 0.25 * chain.link_mass * (RESOLVED / step) ** 2)}
    )

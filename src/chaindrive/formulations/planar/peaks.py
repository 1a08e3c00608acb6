"""Extremes of forces over all steps since the last row, so that the results include peaks between two rows.

An impact of a roller on a tooth lasts only a few steps, so the largest force may occur within a step. The depth of a
roller and the rate of change of this depth are known at both ends of a step. They define a cubic polynomial of the
depth, from which the contact law gives the force over the step and its maximum. The maximum of an impact depends on
velocities, which are more accurate in a state than between two states, so the solver evaluates the state at the
maximum.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from chaindrive.formulations.declare import SINCE_THE_ROW_BEFORE, Shown, one, several
from chaindrive.formulations.planar.channels import Counts, Group
from chaindrive.formulations.planar.contact import elastic_force_at
from chaindrive.formulations.planar.record import bearing_force_in_plane
from chaindrive.kernels import Kernel, copy_into, fill, index, kernel, largest_of
from chaindrive.kernels.tables import Reals
from chaindrive.physics.contact import impact_speed, normal_force

__all__ = [
    "Approaches",
    "Course",
    "Peaks",
    "forget_course",
    "forget_peaks",
    "gathering",
    "no_peaks",
    "peaks_group",
    "turning",
]

DOUBT = 0.01
"""Fraction of the stored extreme by which a force may be below it and still be examined, because forces at the ends of
the steps of an impact may be based on a predicted velocity."""
FAST = 0.2
"""Rate of change of the depth, relative to the speed of the impact, above which damping counts."""
SLOW = 0.05
"""Rate of change of the depth, relative to the speed of the impact, below which a force proportional to the depth to
the power n rises by no more than n/2 times the square of this ratio."""
LEAST = 0.75
"""Fraction of the stored extreme. Forces below it at both ends of a step exclude a force within the step that is larger
than the extreme."""
INSIDE = 4
"""Number of parts into which a step is divided; at their ends the force is computed by the contact law."""


class Peaks(NamedTuple):
    """The extremes since the last row, as memory and, in the order of a row, as channels."""

    largest_tension: Shown
    smallest_tension: Shown
    tooth: Shown
    bearing: Shown
    guide: Shown
    largest_push: Shown
    smallest_push: Shown


class Approaches(NamedTuple):
    """State of rollers on faces at the end of the last step, first all rollers of face 0, (F N,) each."""

    earlier: Reals
    depth: Reals
    """penetration one step earlier, and at the end of the last step [m]"""
    rate: Reals
    """rate at which the penetration grows [m/s]"""
    force: Reals
    """normal force [N]"""


class Course(NamedTuple):
    """Forces of teeth at the end of the last step."""

    time: Reals
    """time of the previous step and of the last step, (2,) [s]"""
    tooth: Reals
    """largest force of a tooth of every wheel, (W,) [N]"""
    roller: Approaches


def no_peaks(links: int, wheels: int, guides: int, tensioners: int) -> Peaks:
    """Return an empty memory of extremes, for these counts."""
    return Peaks(
        largest_tension=np.full(links, -np.inf),
        smallest_tension=np.full(links, np.inf),
        tooth=np.zeros(wheels),
        bearing=np.zeros(wheels),
        guide=np.zeros(guides),
        largest_push=np.full(tensioners, -np.inf),
        smallest_push=np.full(tensioners, np.inf),
    )


def _channels(counts: Counts) -> Peaks:
    links, wheels, since = (counts.links,), (counts.wheels,), SINCE_THE_ROW_BEFORE
    tooth, bearing = f"largest normal force of a tooth of the wheel {since}", f"largest bearing force {since}"
    guide = f"largest guide force {since}"
    pushed, yielding = f"largest force of the tensioner {since}", f"smallest force of the tensioner {since}"
    tight, slack = f"largest tension of the link {since}", f"smallest tension of the link {since}"
    t = (counts.tensioners,)
    return Peaks(
        largest_tension=several("link_tension_max", ("link",), "N", tight, links, holds="largest"),
        smallest_tension=several("link_tension_min", ("link",), "N", slack, links, holds="smallest"),
        tooth=one("tooth_force_max", ("wheel",), "N", tooth, wheels, holds="largest"),
        bearing=one("bearing_force_max", ("wheel",), "N", bearing, wheels, holds="largest"),
        guide=one("guide_force_max", ("guide",), "N", guide, (counts.guides,), holds="largest")
        if counts.guides
        else (),
        largest_push=one("tensioner_force_max", ("tensioner",), "N", pushed, t, holds="largest") if t[0] else (),
        smallest_push=one("tensioner_force_min", ("tensioner",), "N", yielding, t, holds="smallest") if t[0] else (),
    )


@cache
def _including(centre_acceleration: Kernel, tensions_of: Kernel) -> Kernel:
    """Return the kernel (dy, p, peaks) that updates the extremes with the forces of the last evaluation, with rates in
    dy.

    There is one such kernel for each chain on each support; memory and rows share it.
    """

    @kernel(inner=True)
    def include(dy, p, peaks):
        planar, tension = p.planar, tensions_of(p)
        for i in range(peaks.largest_tension.size):
            now, most, least = tension[i], peaks.largest_tension[i], peaks.smallest_tension[i]
            peaks.largest_tension[i] = now if now > most else most
            peaks.smallest_tension[i] = now if now < least else least
        fill(planar.tooth_force, 0.0)
        for s in range(planar.used.segments[0]):
            w, slot = planar.segment.surface[s], planar.segment.slot[s]
            if w < planar.wheels:
                end = slot + planar.segment.end[s] - planar.segment.first[s]
                planar.tooth_force[w] = largest_of(planar.contact.force, slot, end, planar.tooth_force[w])
        for w in range(planar.wheels):
            peaks.tooth[w] = max(peaks.tooth[w], planar.tooth_force[w])
            ax, ay = centre_acceleration(planar, w)
            fx, fy = bearing_force_in_plane(dy, planar, w, ax, ay)
            peaks.bearing[w] = max(peaks.bearing[w], math.sqrt(fx * fx + fy * fy))
        for g in range(peaks.guide.size):
            fx, fy = planar.resultant.x[planar.wheels + g], planar.resultant.y[planar.wheels + g]
            peaks.guide[g] = max(peaks.guide[g], math.sqrt(fx * fx + fy * fy))
        for k in range(peaks.largest_push.size):
            push = planar.elements.state.force[k]
            peaks.largest_push[k] = max(peaks.largest_push[k], push)
            peaks.smallest_push[k] = min(peaks.smallest_push[k], push)

    return include


@kernel(inner=True)
def forget_peaks(peaks):
    """Reset the extremes."""
    fill(peaks.largest_tension, -math.inf)
    fill(peaks.smallest_tension, math.inf)
    fill(peaks.tooth, 0.0)
    fill(peaks.bearing, 0.0)
    fill(peaks.guide, 0.0)
    fill(peaks.largest_push, -math.inf)
    fill(peaks.smallest_push, math.inf)


@kernel(inner=True)
def forget_course(t, course):
    """Begin a new course of forces at a time, before any step."""
    fill(course.time, t)
    fill(course.tooth, 0.0)
    fill(course.roller.earlier, 0.0)
    fill(course.roller.depth, 0.0)
    fill(course.roller.rate, 0.0)
    fill(course.roller.force, 0.0)


@kernel
def turning(t, p):
    """Advance the record of forces by one step, to the end of the step at t [s]; return where an impact peaks within
    the step.

    The kernel is called after an evaluation at t, whose largest forces are already stored. It also stores the peaks of
    forces that are not due to an impact. It returns the fraction of the step up to the peak that exceeds the stored
    values most, or 0 if no peak exceeds them.
    """
    course, part, highest = p.course, 0.0, 1.0 - DOUBT
    step = t - course.time[1]
    for s in range(p.used.segments[0]):
        w = p.segment.surface[s]
        if w >= p.wheels:
            continue
        reached = max(p.peaks.tooth[w], course.tooth[w])
        if _turned(p, s, LEAST * reached) > 0:
            first, slot = p.segment.first[s], p.segment.slot[s]
            before = p.segment.face[s] * p.rollers - slot + first
            for k in range(slot, slot + p.segment.end[s] - first):
                if _turns(p.contact, p.candidate, course.roller, k, before + k, LEAST * reached):
                    where, force, fast = _top(p, w, k, before + k, step)
                    if where > 0.0 and not fast:
                        p.peaks.tooth[w] = max(p.peaks.tooth[w], force)
                    elif where > 0.0 and force > highest * reached:
                        part, highest = where, force / reached
        _pass_on(p, s, course.roller.earlier, course.roller.depth, course.roller.rate, course.roller.force)
    copy_into(course.tooth, p.tooth_force)
    course.time[0], course.time[1] = course.time[1], t
    return part


@kernel(inner=True)
def _turned(p, s, least):
    """Return the number of rollers of a run that may have had a larger force within the step."""
    before, slot = index(p.segment.face[s]) * index(p.rollers) + index(p.segment.first[s]), index(p.segment.slot[s])
    count = 0
    for i in range(index(p.segment.end[s]) - index(p.segment.first[s])):
        count += _turns(p.contact, p.candidate, p.course.roller, slot + i, before + i, least)
    return count


@kernel(inline=True)
def _turns(contact, candidate, before, k, r, least):
    """Return whether the approach of a roller slowed down within the step while its force exceeded ``least`` [N] at one
    end.
    """
    pressed = (contact.force[k] > least) | (before.force[r] > least)
    return pressed & (before.rate[r] > SLOW * candidate.speed[k]) & (contact.rate[k] < before.rate[r])


@kernel(inner=True)
def _top(p, w, k, r, step):
    """Return the position of the peak of the force on a roller, as a fraction of the step, the force [N], and whether
    it is an impact.

    The position is 0 if the force is largest at an end of the step. For an impact that peaks at the beginning of the
    step, it is the middle of the first part of the step.
    """
    candidate, depth = p.candidate, p.course.roller.depth[r]
    rise, begins, ends = p.contact.penetration[k] - depth, _begins(p, k, r, step), step * p.contact.rate[k]
    stored = max(candidate.speed[k], p.speed_floor)
    where, top, last, now, fast = 0.0, 0.0, math.inf, math.inf, False
    for part in range(INSIDE + 1):
        # The forces after, in and before the middle, of which the middle one is the largest so far.
        x = part / INSIDE
        deep = depth + x * (rise + (x - 1.0) * ((1.0 - 2.0 * x) * rise + (x - 1.0) * begins + x * ends))
        rate = 6.0 * x * (1.0 - x) * rise + (1.0 - x) * (1.0 - 3.0 * x) * begins + x * (3.0 * x - 2.0) * ends
        elastic = elastic_force_at(p, w, deep)
        speed = impact_speed(stored, elastic, deep, candidate.speed_of_depth[k])
        after = normal_force(elastic, rate / step, speed, candidate.hysteresis[k], candidate.viscous[k], deep)
        if part == 0:
            fast = begins > FAST * speed * step
            top = after
        elif part == 1 and fast and now >= after:
            where = 0.5 / INSIDE
        elif part > 1 and now >= last and now >= after and now > top:
            bend = 2.0 * now - last - after
            aside = 0.5 * (after - last) / bend if bend > 0.0 else 0.0
            where, top = (part - 1 + aside) / INSIDE, now + 0.25 * (after - last) * aside
        last, now = now, after
    return where, top, fast


@kernel(inner=True)
def _begins(p, k, r, step):
    """Return the growth of the depth of a roller over a step at the rate at its beginning. [m]

    It is computed from the depths at three successive ends of steps, because the velocities evaluated there may be
    predicted values.
    """
    course = p.course
    before = course.time[1] - course.time[0]
    if not before > 0.0:
        return step * course.roller.rate[r]
    depth, ratio = course.roller.depth[r], step / before
    behind, ahead = depth - course.roller.earlier[r], p.contact.penetration[k] - depth
    return (ahead + ratio * ratio * behind) / (1.0 + ratio)


@kernel(inner=True, distinct=True)
def _pass_on(p, s, earlier, depth, rate, force):
    """Copy values at the end of this step to those at the beginning of the next step, for a run of rollers."""
    contact, first, slot = p.contact, index(p.segment.first[s]), index(p.segment.slot[s])
    before = index(p.segment.face[s]) * index(p.rollers) + first
    for i in range(index(p.segment.end[s]) - first):
        earlier[before + i], depth[before + i] = depth[before + i], contact.penetration[slot + i]
        rate[before + i], force[before + i] = contact.rate[slot + i], contact.force[slot + i]


def gathering(centre_acceleration: Kernel, tensions_of: Kernel) -> Kernel:
    """Return the kernel ``gather`` of a planar formulation.

    centre_acceleration: kernel of ``support.Support``; tensions_of: kernel of ``ChainKernels``.
    """
    include = _including(centre_acceleration, tensions_of)

    @kernel(apart=True)
    def gather(t, y, dy, p, anew):
        """See contract/kernels.py."""
        if anew:
            forget_peaks(p.planar.peaks)
        planar = p.planar
        include(dy, p, planar.peaks)
        if t <= planar.course.time[1] or planar.rigid_contacts:
            return 0.0
        return turning(t, planar)

    return gather


def peaks_group(centre_acceleration: Kernel, tensions_of: Kernel) -> Group:
    """Return the channels of the extremes since the previous row, up to and including this row.

    centre_acceleration, tensions_of: see ``gathering``.
    """
    include = _including(centre_acceleration, tensions_of)

    @kernel(inner=True)
    def write(y, dy, p):
        own, peaks = p.row.views.peaks, p.planar.peaks
        copy_into(own.largest_tension, peaks.largest_tension)
        copy_into(own.smallest_tension, peaks.smallest_tension)
        copy_into(own.tooth, peaks.tooth)
        copy_into(own.bearing, peaks.bearing)
        copy_into(own.guide, peaks.guide)
        copy_into(own.largest_push, peaks.largest_push)
        copy_into(own.smallest_push, peaks.smallest_push)
        include(dy, p, own)

    return Group("peaks", _channels, write)

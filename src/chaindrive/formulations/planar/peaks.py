"""Extremes of forces over all steps since the last row: what falls between two rows is in the results, too.

An impact of a roller on a tooth rises and falls within few steps, so the largest force may lie inside one. Where it
seems to, by what it was at the ends of the last steps, the solver is asked to look there.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from chaindrive.formulations.declare import SINCE_THE_ROW_BEFORE, Shown, one, several
from chaindrive.formulations.planar.channels import Counts, Group
from chaindrive.formulations.planar.record import bearing_force_in_plane
from chaindrive.formulations.planar.support import sum_contact_forces_on_ground
from chaindrive.kernels import Kernel, copy_into, fill, kernel, largest_of
from chaindrive.kernels.tables import Reals

__all__ = [
    "RISE",
    "Course",
    "Peaks",
    "forget_course",
    "forget_peaks",
    "gathering",
    "no_peaks",
    "peaks_group",
    "turning",
]

RISE = 0.01
"""A force inside a step is looked for when it seems to exceed what is gathered by more than this part of it."""


class Peaks(NamedTuple):
    """The channels in the order of a row; in memory, the extremes since the last row."""

    largest_tension: Shown
    smallest_tension: Shown
    tooth: Shown
    bearing: Shown
    guide: Shown
    largest_push: Shown
    smallest_push: Shown


class Course(NamedTuple):
    """The largest force of a tooth of every wheel at the ends of the last steps, and their instants."""

    time: Reals
    """(2,) the older one first [s]"""
    tooth: Reals
    """(W,) [N]"""
    tooth_before: Reals
    """(W,) a step earlier [N]"""


def no_peaks(links: int, wheels: int, guides: int, tensioners: int) -> Peaks:
    """Memory of nothing yet, for so many of everything."""
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
    """The kernel (dy, p, peaks): takes the forces of the last evaluation, rates in dy, into extremes.

    One for each chain on each support: memory and rows share it.
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
    """Begin anew."""
    fill(peaks.largest_tension, -math.inf)
    fill(peaks.smallest_tension, math.inf)
    fill(peaks.tooth, 0.0)
    fill(peaks.bearing, 0.0)
    fill(peaks.guide, 0.0)
    fill(peaks.largest_push, -math.inf)
    fill(peaks.smallest_push, math.inf)


@kernel(inner=True)
def forget_course(t, course):
    """Begin anew at an instant: no step has been taken."""
    fill(course.time, t)
    fill(course.tooth, 0.0)
    fill(course.tooth_before, 0.0)


@kernel
def turning(t, course, peaks, tooth):
    """Take one step further in the course of forces; where in it the force of a tooth seems to turn.

    tooth: forces at its end t, (W,). The parabola through the forces at both ends, with the slope over the step
    before, has its top inside the step; answered is the part of the step up to the top that exceeds the gathered
    peak most, or 0 where none does by RISE.
    """
    part, highest = 0.0, 1.0 + RISE
    before, step = course.time[1] - course.time[0], t - course.time[1]
    for w in range(tooth.size):
        slope = (course.tooth[w] - course.tooth_before[w]) * step / before if before > 0.0 else 0.0
        bend = slope - (tooth[w] - course.tooth[w])
        if slope > 0.0 and 2.0 * bend > slope:
            top = course.tooth[w] + 0.25 * slope * slope / bend
            above = top / max(peaks.tooth[w], course.tooth[w])
            if above > highest:
                part, highest = 0.5 * slope / bend, above
        course.tooth_before[w], course.tooth[w] = course.tooth[w], tooth[w]
    course.time[0], course.time[1] = course.time[1], t
    return part


def gathering(centre_acceleration: Kernel, tensions_of: Kernel) -> Kernel:
    """The kernel ``gather`` of a planar formulation.

    centre_acceleration: of ``support.Support``; tensions_of: of ``ChainKernels``.
    """
    include = _including(centre_acceleration, tensions_of)

    @kernel
    def gather(t, y, dy, p, anew):
        """See contract/kernels.py."""
        sum_contact_forces_on_ground(p.planar)
        if anew:
            forget_peaks(p.planar.peaks)
        planar = p.planar
        include(dy, p, planar.peaks)
        if t <= planar.course.time[1]:
            return 0.0
        return turning(t, planar.course, planar.peaks, planar.tooth_force)

    return gather


def peaks_group(centre_acceleration: Kernel, tensions_of: Kernel) -> Group:
    """Channels of the extremes since the row before, the instant of the row among them; kernels as above."""
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

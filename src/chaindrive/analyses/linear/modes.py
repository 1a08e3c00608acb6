"""Longitudinal eigenfrequencies and mode shapes of the drive: the wheels turn and the rollers move along the chain.

S. L. Pedersen, *Simulation and Analysis of Roller Chain Drive Systems* (PhD thesis, DTU, 2004), sections 4.4.7 and
4.4.8. Only longitudinal motion is included: rollers move along the straight spans, wrapped rollers move with their
wheel, and the centres of the wheels are fixed, even on moving bodies. For the complete motion see
:mod:`chaindrive.analyses.linear.linearised`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.analyses.carried import mass_per_length, span_mass_per_length
from chaindrive.errors import InputError, Problem
from chaindrive.geometry.route import pitch_radius
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import initial_configuration
from chaindrive.model import Drive

__all__ = ["DriveModes", "LongitudinalModel", "drive_model", "full_modes", "wheel_modes"]

FloatArray = NDArray[np.float64]


class LongitudinalModel(NamedTuple):
    """Springs, masses and inertias around a closed chain with W wheels. Span k runs from wheel k to k + 1 (mod W)."""

    free_rollers: tuple[int, ...]
    """Number of free rollers in each span (not on a wheel), shape (W,): n free rollers are joined by n + 1 links."""
    link_stiffness: float
    """Link stiffness. [N/m]"""
    roller_mass: float | FloatArray
    """Mass of a roller with its share of attachments and goods, in all spans or in each span, shape (W,). [kg]"""
    radius: FloatArray
    """Pitch radii, shape (W,). [m]"""
    inertia: FloatArray
    """Inertias of the wheels, with or without the chain on them, shape (W,). [kg m^2]"""
    fixed: tuple[int, ...]
    """Wheels with prescribed motion, which do not move in any mode."""
    slack: tuple[int, ...] = ()
    """Slack spans, which transmit no fluctuating tension; their rollers are omitted."""


class DriveModes(NamedTuple):
    """M modes of a drive, in the order of their frequencies, scaled so that the largest R theta or displacement is
    1.
    """

    frequency: FloatArray
    """Frequencies, shape (M,). [Hz]"""
    wheel_angle: FloatArray
    """Angle turned in the direction of rotation, shape (M, W). [rad per m of the largest displacement]"""
    roller_displacement: FloatArray
    """Displacement along the chain in its running direction, rollers in route order, shape (M, sum of the free
    rollers). [m per m]"""
    roller_span: NDArray[np.int64]
    """Span of each of these rollers, shape (sum of the free rollers,)."""


def drive_model(drive: Drive, chain_on_wheels: bool = True, slack: Collection[int] | None = None) -> LongitudinalModel:
    """Return the longitudinal model of a drive.

    chain_on_wheels: add the rollers on a wheel, with their attachments, to its inertia, J* = J + m_i R^2 (Eq. 4.55),
    with the mean number of rollers on the wheel, wrap z / (2 pi). The number of free rollers changes by one as the
    chain moves. Here it is n = round(L / P) - 1, from the mean length of a span in whole links. slack: slack spans; by
    default the span that hangs if the chain is longer than its route. Raises InputError if the chain does not fit or
    runs over two wheels of one shaft, or if a wheel without prescribed motion has no inertia.
    """
    teeth = np.array([wheel.teeth for wheel in drive.wheels])
    chain = drive.chain
    if chain.ends is not None:
        raise InputError(Problem("chain.ends", "the longitudinal model is for closed chains only"))
    if not drive_facts(drive).one_speed:
        raise InputError(Problem("wheels", "in the longitudinal model every wheel is on its own shaft"))
    configuration = initial_configuration(drive)
    fixed = tuple(w for w, wheel in enumerate(drive.wheels) if wheel.motion is not None)
    problems = [
        Problem(f"wheels[{w}].inertia", "is needed for the eigenfrequencies, because no motion is prescribed")
        for w, wheel in enumerate(drive.wheels)
        if wheel.turned_inertia is None and w not in fixed
    ]
    if problems:
        raise InputError(problems)
    radius = pitch_radius(chain.pitch, teeth)
    inertia = np.array([wheel.turned_inertia or 0.0 for wheel in drive.wheels])
    if chain_on_wheels:
        wrapped = configuration.route.wrap * teeth / (2.0 * np.pi)  # rollers on each wheel
        inertia = inertia + wrapped * mass_per_length(drive) * chain.pitch * radius**2
    if slack is None:
        slack = (configuration.slack_span,) if configuration.slack_span >= 0 else ()
    return LongitudinalModel(
        free_rollers=tuple(
            max(round(float(length) / chain.pitch) - 1, 0) for length in configuration.route.span_length
        ),
        link_stiffness=chain.link_stiffness,
        roller_mass=span_mass_per_length(drive) * chain.pitch,
        radius=radius,
        inertia=inertia,
        fixed=fixed,
        slack=tuple(slack),
    )


def full_modes(model: LongitudinalModel, count: int | None = None) -> DriveModes:
    """Return the modes of wheels and free rollers together, (K - w^2 M) x = 0 (Eqs. 4.43 to 4.53).

    Eq. 4.53 is printed with K R^2 on the diagonal of a wheel; two links end there, so it is 2 K R^2, as in Eq. 4.47.
    Without a prescribed wheel, the first mode is the rigid-body rotation of the drive at 0 Hz. count: number of modes,
    lowest first.
    """
    wheels = len(model.radius)
    along: list[float] = []  # displacement along the chain per coordinate: R for a wheel, 1 for a roller
    mass: list[float] = []
    spans: list[int] = []  # span of a roller, -1 for a wheel
    roller_mass = np.broadcast_to(model.roller_mass, wheels)
    springs: list[tuple[int, int]] = []
    for wheel in range(wheels):
        here = len(along)
        along.append(float(model.radius[wheel]))
        mass.append(float(model.inertia[wheel]))
        spans.append(-1)
        if wheel in model.slack:
            continue
        free = model.free_rollers[wheel]
        along += [1.0] * free
        mass += [float(roller_mass[wheel])] * free
        spans += [wheel] * free
        springs += [(here + i, here + i + 1) for i in range(free + 1)]
    springs = [(a, b % len(along)) for a, b in springs]
    span = np.array(spans, dtype=np.int64)
    at_wheel = np.flatnonzero(span < 0)
    stiffness = _stiffness(np.array(along), springs, [model.link_stiffness] * len(springs))
    frequency, shape = _solve(stiffness, np.array(mass), at_wheel[list(model.fixed)], np.array(along), count)
    return DriveModes(frequency, shape[:, at_wheel], shape[:, span >= 0], span[span >= 0])


def wheel_modes(model: LongitudinalModel, count: int | None = None) -> DriveModes:
    """Return the modes of the wheels alone, connected by massless spans of stiffness K / (n + 1) (Eqs. 4.54 to 4.57).

    The thesis uses the inertias with the wrapped chain (J*) here. count: number of modes, lowest first.
    """
    wheels = len(model.radius)
    taut = [k for k in range(wheels) if k not in model.slack]
    springs = [(k, (k + 1) % wheels) for k in taut]
    rates = [model.link_stiffness / (model.free_rollers[k] + 1) for k in taut]
    stiffness = _stiffness(model.radius, springs, rates)
    frequency, shape = _solve(stiffness, model.inertia, np.array(model.fixed, dtype=np.int64), model.radius, count)
    return DriveModes(frequency, shape, np.empty((len(frequency), 0)), np.empty(0, dtype=np.int64))


def _stiffness(along: FloatArray, springs: Sequence[tuple[int, int]], rates: Sequence[float]) -> FloatArray:
    """Return the matrix of the quadratic form, the sum of k (r_b q_b - r_a q_a)^2 over all springs: each is stretched
    by the difference of the displacements along the chain at its ends.
    """
    matrix = np.zeros((along.size, along.size))
    for (a, b), rate in zip(springs, rates, strict=True):
        matrix[a, a] += rate * along[a] ** 2
        matrix[b, b] += rate * along[b] ** 2
        matrix[a, b] -= rate * along[a] * along[b]
        matrix[b, a] -= rate * along[a] * along[b]
    return matrix


def _solve(
    stiffness: FloatArray, mass: FloatArray, fixed: NDArray[np.int64], along: FloatArray, count: int | None
) -> tuple[FloatArray, FloatArray]:
    """Return the frequencies [Hz], shape (M,), and the scaled mode shapes, (M, coordinates), solved without the fixed
    coordinates.
    """
    from scipy.linalg import eigh

    free = np.setdiff1d(np.arange(mass.size), fixed)
    if free.size == 0:
        return np.empty(0), np.empty((0, mass.size))
    root = np.sqrt(mass[free])
    square, vectors = eigh(stiffness[np.ix_(free, free)] / np.outer(root, root))
    kept = slice(0, count)
    rounding = free.size * np.finfo(float).eps * float(square.max(initial=0.0))
    frequency = np.sqrt(np.where(square > rounding, square, 0.0))[kept] / (2.0 * np.pi)
    shape = np.zeros((frequency.size, mass.size))
    shape[:, free] = (vectors / root[:, None]).T[kept]
    moved = shape * along
    largest = moved[np.arange(frequency.size), np.abs(moved).argmax(axis=1)]
    return frequency, shape / largest[:, None]

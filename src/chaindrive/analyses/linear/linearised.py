"""Eigenfrequencies and mode shapes of everything at once: the equations of motion linearised where a system rests.

Unlike the longitudinal model (:mod:`chaindrive.analyses.linear.modes`) this has the transverse vibration of the spans,
the stiffness of teeth and seats, slack, gravity, and wheels on bodies that move, for it differentiates the forces of
the formulation itself. What it cannot have is the motion of the chain: transport along the spans (the frequencies of a
running span are lower, see :func:`chaindrive.analyses.analytical.formulas.moving_string_frequency`), gyroscopic terms,
centrifugal tension, the change of meshing rollers. Damping is left out, and pressures of hydraulic tensioners are held.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.geometry.route import Route
from chaindrive.mechanism.layout import drive_route
from chaindrive.model import Drive
from chaindrive.solvers.jacobian import acceleration_jacobian, forces_at_rest
from chaindrive.system import Kind, System

__all__ = ["ModeShares", "SystemModes", "frequencies_by_part", "mode_shares", "system_modes"]

FloatArray = NDArray[np.float64]

DIFFERENCE = 5e-8
"""Shift of a position for differences, as a part of the size of the system: between the rounding of stiff links and the
curvature of contacts, which are pressed in by micrometres."""
DENSE = 600
"""Positions up to which all eigenvalues are computed at once."""
ROUNDING = 1e-8
"""Squares of angular frequencies are right to this part of the largest; what is below zero by less counts as zero."""


class SystemModes(NamedTuple):
    """M modes of a system with n_q positions about its state of rest, in the order of their frequencies."""

    frequency: FloatArray
    """Shape (M,); not-a-number where the rest is not stable. [Hz]"""
    shape: FloatArray
    """Displacement of every position, zero where the motion is prescribed, shape (M, n_q). [m, rad]

    Scaled so that the squares weighted with ``System.masses`` sum to 1 in every mode."""
    residual: float
    """Largest force left in the state, which should be one of rest. [N, N m]"""


class ModeShares(NamedTuple):
    """Which part of a drive takes how much of the kinetic energy of M modes."""

    part: tuple[str, ...]
    """Names: "crankshaft - tightener along", "... across", wheels (with their rollers), bodies with moving joints."""
    share: FloatArray
    """Shape (M, parts), every row sums to 1."""

    kind: tuple[str, ...]
    """What each part is: "span", "wheel" or "joint"."""

    def largest(self, mode: int) -> tuple[str, float]:
        """Name and share of the part that moves most."""
        best = int(np.argmax(self.share[mode]))
        return self.part[best], float(self.share[mode, best])


def system_modes(system: System, count: int | None = None, t: float = 0.0) -> SystemModes:
    """Undamped modes about the positions of ``system.state``, which should be a static equilibrium.

    Solves (A + w^2) x = 0 with A the derivative of the accelerations at rest with respect to the positions, by central
    differences of the formulation. count: how many, lowest first; None: all. t: instant of prescribed motions, which
    are held there [s]. Where contacts change within the differences (a roller that just touches) a mode is that of the
    mean stiffness.
    """
    n = system.velocities
    free = np.flatnonzero(np.isfinite(system.masses))
    residual = float(np.abs(forces_at_rest(system, t, system.state)).max(initial=0.0))
    wanted = free.size if count is None else min(count, free.size)
    if wanted == 0:
        return SystemModes(np.empty(0), np.empty((0, n)), residual)
    forces = acceleration_jacobian(system, t, system.state, _steps(system))[free][:, free]
    mass = system.masses[free]
    acceleration = (forces.T / mass).T.tocsc()
    largest = float(abs(acceleration).sum(axis=1).max())
    square, vectors = _lowest(acceleration, wanted, largest)
    square = np.where(np.abs(square) > ROUNDING * largest, square, np.maximum(square, 0.0))
    with np.errstate(invalid="ignore"):
        frequency = np.sqrt(square) / (2.0 * np.pi)
    shape = np.zeros((wanted, n))
    shape[:, free] = (vectors / np.sqrt(mass @ vectors**2)).T
    return SystemModes(frequency, shape, residual)


def _steps(system: System) -> FloatArray:
    """Shift of every position for differences [m, rad]; an angle moves points at most half the size away."""
    n = system.positions
    places = system.state[:n][system.kinds[:n] == Kind.LENGTH]
    size = (float(np.ptp(places)) if places.size else 0.0) or 1.0
    return np.where(system.kinds[n : n + system.velocities] == Kind.SPEED, DIFFERENCE * size, 2.0 * DIFFERENCE)


def _lowest(acceleration: Any, wanted: int, largest: float) -> tuple[FloatArray, FloatArray]:
    """The smallest w^2 with their vectors in columns. All are real: the matrix is a symmetric one times a mass matrix.

    Where differences have made a pair of nearly equal ones complex, real and imaginary part of its vector are taken.
    """
    if acceleration.shape[0] <= DENSE or wanted > acceleration.shape[0] // 3:
        values, vectors = np.linalg.eig(acceleration.toarray())
    else:
        from scipy.sparse.linalg import eigs

        start = np.ones(acceleration.shape[0])  # a random one would give other last digits every time
        values, vectors = eigs(acceleration, wanted, sigma=ROUNDING * largest, v0=start)
    order = np.argsort(-values.real, kind="stable")[:wanted]
    values, vectors = values[order], vectors[:, order]
    return -values.real, np.where(values.imag < 0.0, vectors.imag, vectors.real)


def mode_shares(drive: Drive, system: System, modes: SystemModes) -> ModeShares:
    """Kinetic energy of the modes of a drive by its parts: spans along and across, wheels, bodies.

    system: in the roller formulation, whose positions are x and y of the rollers, the angles of the wheels, and the
    coordinates of the joints. Rollers count where they are nearest to the route in the drawing position.
    """
    links, wheels = drive.chain.links, len(drive.wheels)
    x, y = system.state[:links], system.state[links : 2 * links]
    path = drive_route(drive)
    place = _nearest(path, np.column_stack([x, y]))
    energy = np.where(np.isfinite(system.masses), system.masses, 0.0) * modes.shape**2
    moved = np.stack([modes.shape[:, :links], modes.shape[:, links : 2 * links]], axis=-1)
    names: list[str] = []
    kinds: list[str] = []
    shares: list[FloatArray] = []
    for k in range(wheels):
        here = moved[:, place == k]
        along = here @ path.span_direction[k]
        across = here @ np.array([-path.span_direction[k, 1], path.span_direction[k, 0]])
        names += [f"{drive.span_names[k]} along", f"{drive.span_names[k]} across"]
        kinds += ["span", "span"]
        weight = system.masses[:links][place == k]
        shares += [along**2 @ weight, across**2 @ weight]
    on_wheel = energy[:, :links] + energy[:, links : 2 * links]
    for w, wheel in enumerate(drive.wheels):
        names.append(wheel.name)
        kinds.append("wheel")
        shares.append(on_wheel[:, place == wheels + w].sum(axis=1) + energy[:, 2 * links + w])
    joints = energy[:, 2 * links + wheels :]
    moving = [body.name for body in drive.bodies if body.joint.kind != "fixed"]
    names += moving
    kinds += ["joint"] * len(moving)
    shares += list(joints.T)
    share = np.stack(shares, axis=1)
    return ModeShares(tuple(names), share / share.sum(axis=1, keepdims=True), tuple(kinds))


def frequencies_by_part(modes: SystemModes, shares: ModeShares) -> dict[str, FloatArray]:
    """Frequencies of the modes in which each part moves most, lowest first [Hz]. All wheels are one part, "wheels".

    In the order of the parts; those that move most in none of the modes are left out.
    """
    groups: dict[str, list[int]] = {}
    for index, (name, kind) in enumerate(zip(shares.part, shares.kind, strict=True)):
        groups.setdefault("wheels" if kind == "wheel" else name, []).append(index)
    together = np.stack([shares.share[:, members].sum(axis=1) for members in groups.values()], axis=1)
    winner = together.argmax(axis=1) if together.size else np.empty(0, dtype=np.int64)
    found = {name: modes.frequency[winner == g] for g, name in enumerate(groups)}
    return {name: frequency for name, frequency in found.items() if frequency.size}


def _nearest(path: Route, points: FloatArray) -> NDArray[np.int64]:
    """Span k, or W + wheel, whose line is nearest to every point, shape (points,)."""
    distances = []
    for start, direction, length in zip(path.span_start, path.span_direction, path.span_length, strict=True):
        along = (points - start) @ direction
        foot = start + np.clip(along, 0.0, length)[:, None] * direction
        distances.append(np.hypot(*(points - foot).T))
    for w, (centre, radius) in enumerate(zip(path.centres, path.radii, strict=True)):
        seen = np.arctan2(*(points - centre).T[::-1])
        turned = np.mod(path.signs[w] * (seen - path.arrival_angle[w]), 2.0 * np.pi)
        off = np.abs(np.hypot(*(points - centre).T) - radius)
        distances.append(np.where(turned <= path.wrap[w], off, np.inf))
    return np.argmin(np.stack(distances), axis=0)

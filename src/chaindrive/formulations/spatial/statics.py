"""Forces and stiffness of a chain in space, for the search for the state at rest.

The stiffness is computed in compiled code by central differences of the forces; all links of one colour are displaced
together (colouring.py). This takes some forty evaluations, whatever the number of links. Links are rotated about their
own axes.
"""

from __future__ import annotations

import math

import numpy as np

from chaindrive.contract.rest import Statics
from chaindrive.formulations.planar.statics import clear, mechanism_forces, statics_of, symmetrise
from chaindrive.formulations.spatial import parameters as S
from chaindrive.formulations.spatial.chain import ONE, SPEEDS
from chaindrive.formulations.spatial.support import Mounting
from chaindrive.kernels import Kernel, kernel
from chaindrive.mechanism.tree_kernels import PRISMATIC

__all__ = ["forces_of", "statics"]

SHIFT = 2e-8
"""Displacement to either side, relative to the pitch, or rotation in radians; far smaller than the depth of a light
contact. [-]
"""
ROLLING = 2.0
"""Largest ratio of the sum of the tooth forces on both rollers of a link to their resultant, for forces at most 120
degrees apart. [-]
"""


def forces_of(rhs: Kernel, mounting: Mounting) -> Kernel:
    """Return the kernel of the generalised forces, compiled for this right-hand side and mounting of the wheels."""
    moments = mounting.moments

    @kernel
    def forces(t, y, p, force):
        """Compute the generalised forces at the state y, shape (n_v,), zero where a motion is prescribed. [N, N m]"""
        planar, n = p.planar, p.links
        dy, first = planar.derivative, planar.layout.positions
        rhs(t, y, dy, p)
        for i in range(n):
            b = i // S.LANES
            k = np.uintp(i - b * S.LANES) + ONE
            body = p.body[b]
            for c in range(3):
                force[c * n + i] = body[S.MASS + k] * dy[first + c * n + i]
            force[3 * n + i] = body[S.I1 + k] * dy[first + 3 * n + i]
            force[4 * n + i] = body[S.I2 + k] * dy[first + 4 * n + i]
            force[5 * n + i] = body[S.I3 + k] * dy[first + 5 * n + i]
        moments(t, y, dy, p)
        mechanism_forces(dy, planar, force)

    return forces


@kernel(inner=True)
def _shift(p, y, i, c, by):
    """Shift or rotate link i in ``p.moved`` from its position in y along or about an axis. [m, rad]"""
    n = p.links
    if c < 3:
        p.moved[c * n + i] = y[c * n + i] + by
        return
    w, a, b, d = y[3 * n + i], y[4 * n + i], y[5 * n + i], y[6 * n + i]
    half, axis = 0.5 * by, c - 3
    x, u, v = (half, 0.0, 0.0) if axis == 0 else ((0.0, half, 0.0) if axis == 1 else (0.0, 0.0, half))
    p.moved[3 * n + i] = w - a * x - b * u - d * v
    p.moved[4 * n + i] = a + w * x + b * v - d * u
    p.moved[5 * n + i] = b + w * u + d * x - a * v
    p.moved[6 * n + i] = d + w * v + a * u - b * x


@kernel(inner=True)
def _restore(p, y, i):
    for c in range(7):
        p.moved[c * p.links + i] = y[c * p.links + i]


def statics(forces: Kernel) -> Statics:
    """Return the kernels of the statics, compiled for these generalised forces."""

    @kernel
    def stiffness(t, y, p, matrix, convex):
        """Write minus the derivative of ``forces`` with respect to the displacements into ``matrix``.

        convex: add more stiffness than links under compression take away, see ``_hold_upright``.
        """
        n = p.links
        clear(matrix)
        for k in range(y.size):
            p.moved[k] = y[k]
        for colour in range(p.colours):
            for c in range(SPEEDS):
                by = SHIFT * p.planar.pitch if c < 3 else SHIFT
                for side in range(2):
                    for i in range(n):
                        if p.colour[i] == colour:
                            _shift(p, y, i, c, by if side == 0 else -by)
                    forces(t, p.moved, p, p.pressed[side])
                for i in range(n):
                    if p.colour[i] != colour:
                        continue
                    _restore(p, y, i)
                    before = i - 1 if i > 0 else n - 1
                    for r in range(SPEEDS):
                        own, other = r * n + i, r * n + before
                        matrix.diagonal[i, r, c] = (p.pressed[1, own] - p.pressed[0, own]) / (2.0 * by)
                        matrix.upper[before, r, c] = (p.pressed[1, other] - p.pressed[0, other]) / (2.0 * by)
        for b in range(p.planar.layout.positions - p.planar.layout.wheel_angle):
            at, by = p.planar.layout.wheel_angle + b, _border_shift(p, b)
            for side in range(2):
                p.moved[at] = y[at] + (by if side == 0 else -by)
                forces(t, p.moved, p, p.pressed[side])
            p.moved[at] = y[at]
            _border(p, matrix, b, by)
        forces(t, y, p, p.pressed[0])
        if convex:
            _hold_upright(p, matrix)
        symmetrise(matrix)

    return statics_of(stiffness)


@kernel(inner=True)
def _border_shift(p, border):
    """Return the displacement of a wheel or joint for the differences. [rad, m]"""
    tree, joint = p.planar.tree, border - p.planar.wheels
    for b in range(tree.bodies):
        if tree.body.coordinate[b] == joint and tree.body.joint[b] == PRISMATIC:
            return SHIFT * p.planar.pitch
    return SHIFT


@kernel(inner=True)
def _border(p, matrix, b, by):
    """Compute column b of the border from the forces in ``p.pressed``."""
    n = p.links
    for i in range(n):
        for r in range(SPEEDS):
            matrix.border[i, r, b] = (p.pressed[1, r * n + i] - p.pressed[0, r * n + i]) / (2.0 * by)
    for other in range(matrix.corner.shape[0]):
        change = p.pressed[1, SPEEDS * n + other] - p.pressed[0, SPEEDS * n + other]
        matrix.corner[other, b] = change / (2.0 * by)


@kernel(inner=True)
def _hold_upright(p, matrix):
    """Add more stiffness to links than compression takes from them.

    A joint under the compression f has, to second order, the energy -f (P th^2/2 + th dz), where th are the rotations
    of both links and dz is their relative lateral displacement. With play along the pins, nothing else resists dz,
    whatever its sign. Wheels that push links inwards reduce their rotational stiffness by F.a. The force F of a tooth
    acts at the middle of the tooth. On a link that is offset by z and rolls by th it has the energy F z th, of either
    sign, and nothing else resists the roll.

    Only compression needs more stiffness in all directions. The play along the pins and the roll need it along the pins
    and in rotations other than about them. In the plane of the chain, a taut span would otherwise be held up to four
    times as firmly as its own tension holds each of its links, and straightening N links would take some N^2 steps.
    """
    n, pitch = p.links, p.planar.pitch
    for i in range(n):
        b = i // S.LANES
        k = np.uintp(i - b * S.LANES) + ONE
        s = p.link[b]
        x, y, z = s[S.BX + k] - s[S.X + k], s[S.BY + k] - s[S.Y + k], s[S.BZ + k] - s[S.Z + k]
        cx, cy, cz = s[S.CFX + k], s[S.CFY + k], s[S.CFZ + k]
        wheels = max(-(cx * x + cy * y + cz * z), 0.0)
        rolls = ROLLING * math.sqrt(cx * cx + cy * cy + cz * cz)
        behind = i - 1 if i > 0 else n - 1
        one, other = p.tension[i], p.tension[behind]
        pushed = max(-one, 0.0) + max(-other, 0.0)
        aside = (abs(one) + abs(other) if p.pin_play > 0.0 else pushed) - pushed
        pin = s[S.R13 + k], s[S.R23 + k], s[S.R33 + k]
        for r in range(3):
            matrix.diagonal[i, r, r] += 2.0 * pushed / pitch
            for c in range(3):
                matrix.diagonal[i, r, c] += (2.0 * aside + rolls) / pitch * pin[r] * pin[c]
            matrix.diagonal[i, 3 + r, 3 + r] += wheels + pushed * pitch
        for r in range(2):
            matrix.diagonal[i, 3 + r, 3 + r] += (aside + rolls) * pitch

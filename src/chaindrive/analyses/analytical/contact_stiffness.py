"""Contact stiffness of a roller on a tooth or guide, from material and geometry. Pure functions, SI units.

Point contacts follow F = K d^1.5 (Hertz 1882). Line contacts have no such law: the mutual approach of two cylinders
depends on the bodies around the contact, d = F h / L (ln(A / F) + c), where h is the compliance of both materials and L
the length of the line. Different authors give different A and c. Equations 3.28 to 3.32 refer to S. L. Pedersen (PhD
thesis, DTU, 2004).

A radius is negative for a hollow cylinder (the seat of a tooth around its roller) and ``inf`` for a plane.
"""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from chaindrive.errors import InputError, Problem

__all__ = [
    "STEEL",
    "LineContact",
    "LineLaw",
    "Material",
    "compliance",
    "hertz_half_width",
    "hertz_pressure",
    "line_contact",
    "sphere_plane_stiffness",
    "sphere_stiffness",
]

Real: TypeAlias = Any
"""A float or an array of floats."""

LineLaw: TypeAlias = Literal["johnson", "esdu-78035", "dubowsky-freudenstein", "radzimovsky"]


class Material(NamedTuple):
    """An elastic material."""

    youngs_modulus: float
    """Young's modulus. [Pa]"""
    poisson_ratio: float


STEEL = Material(206e9, 0.3)


def compliance(first: Material, second: Material) -> float:
    """Compliance of two materials in contact, h_i + h_j with h = (1 - nu^2) / (pi E) (Eq. 3.29) [1/Pa].

    It is 1 / (pi E*) with Hertz's modulus E*.
    """
    return sum((1.0 - m.poisson_ratio**2) / (math.pi * m.youngs_modulus) for m in (first, second))


def sphere_stiffness(radius_i: Real, radius_j: Real, materials: float) -> Real:
    """Stiffness K of F = K d^1.5 for two spheres, 4 / (3 pi h) sqrt(r_i r_j / (r_i + r_j)) (Eq. 3.28) [N/m^1.5].

    radii [m]; materials h: see :func:`compliance`.
    """
    return 4.0 / (3.0 * math.pi * materials) * np.sqrt(_relative_radius(radius_i, radius_j))


def sphere_plane_stiffness(radius: Real, materials: float) -> Real:
    """Stiffness K of F = K d^1.5 for a sphere on a plane, 4 / (3 pi h) sqrt(r) (Eq. 3.30) [N/m^1.5]."""
    return 4.0 / (3.0 * math.pi * materials) * np.sqrt(radius)


def hertz_half_width(force: Real, radius_i: Real, radius_j: Real, length: Real, materials: float) -> Real:
    """Half-width of the contact of two cylinders, sqrt(4 F R h / L) (Hertz 1882; Johnson 1985, Eq. 4.43) [m].

    1 / R = 1 / r_i + 1 / r_j. Handbooks quote 1.60 sqrt(F R h pi / L) for the *full* width, with R computed from
    diameters.
    """
    return np.sqrt(4.0 * force * _relative_radius(radius_i, radius_j) * materials / length)


def hertz_pressure(force: Real, radius_i: Real, radius_j: Real, length: Real, materials: float) -> Real:
    """Largest pressure between two cylinders, 2 F / (pi b L) with b the half-width (Johnson 1985, Eq. 4.45) [Pa]."""
    return 2.0 * force / (math.pi * hertz_half_width(force, radius_i, radius_j, length, materials) * length)


class LineContact(NamedTuple):
    """A line contact that follows d = F s (ln(A / F) + c), with A and c as given by one of several authors."""

    slope: float
    """s = h / L. [m/N]"""
    scale: float
    """Constant A. [N]"""
    offset: float
    """Constant c. [-]"""

    @property
    def largest_force(self) -> float:
        """Force at which the indentation given by the law is largest, A exp(c - 1); beyond this force, results are nan.
        [N]
        """
        return self.scale * math.exp(self.offset - 1.0)

    def indentation(self, force: Real) -> Real:
        """Return the mutual approach of the two bodies under a force > 0 [m]."""
        return self._valid(force) * self.slope * (np.log(self.scale / np.asarray(force)) + self.offset)

    def secant_stiffness(self, force: Real) -> Real:
        """Return F / d, called the average slope in the thesis: the stiffness of a linear contact with the same
        indentation under this force [N/m].
        """
        return force / self.indentation(force)

    def tangent_stiffness(self, force: Real) -> Real:
        """Return the slope of force versus indentation at a force > 0: the stiffness for small vibrations about this
        force [N/m].
        """
        rate = self.slope * (np.log(self.scale / np.asarray(force)) + self.offset - 1.0)
        with np.errstate(divide="ignore"):
            return self._valid(force) / force / rate

    def force(self, indentation: Real) -> Real:
        """Return the force at an indentation >= 0; nan if it would exceed :attr:`largest_force` [N].

        With F = A e^c y the law is -y ln(y) = d / (s A e^c) = x, so that ln(y) = W_-1(-x) (Lambert's function).
        """
        from scipy.special import lambertw

        reference = self.scale * math.exp(self.offset)
        x = np.asarray(indentation, dtype=float) / (self.slope * reference)
        solved = reference * np.exp(lambertw(-np.where(x > 0.0, x, 0.1), -1).real)
        return np.where(x > math.exp(-1.0), np.nan, np.where(x > 0.0, solved, 0.0))[()]

    def _valid(self, force: Real) -> Real:
        values = np.asarray(force, dtype=float)
        return np.where((values > 0.0) & (values <= self.largest_force), values, np.nan)[()]


def line_contact(law: LineLaw, radius_i: float, radius_j: float, length: float, materials: float) -> LineContact:
    """Return the law for the mutual approach of two parallel cylinders under a load, from one of four sources.

    radii r_i > 0 and r_j [m], with r_j negative for a hollow and inf for a plane; length L [m]; materials h: see
    :func:`compliance`. With S = r_i + r_j (for a hollow, its absolute value: the difference of the radii):

    - "johnson" (Johnson 1985): A = 4 L S / h, c = -1; a cylinder in a hollow, or two solid cylinders.
    - "esdu-78035" (ESDU 1978): the same with c = 1.
    - "dubowsky-freudenstein" (1971), Eqs. 3.31 and 3.32: A = L^m (r_i + r_j) / (h r_i r_j), c = 1, m = 3. With m = 1
      (Goldsmith 1960) the units are inconsistent, so it is not offered.
    - "radzimovsky" (1953; Roark): F h / L (2/3 + ln(4 r_i / b) + ln(4 r_j / b)), b the full width of the contact:
      A = L (r_i + r_j) / h, c = 2/3; two solid cylinders only.

    Raises InputError if the law does not apply: only "dubowsky-freudenstein" applies to a plane.
    """
    problems = []
    if law not in get_args(LineLaw):
        problems.append(Problem("law", f"must be one of {', '.join(get_args(LineLaw))}", repr(law)))
    if not (radius_i > 0.0 and math.isfinite(radius_i)):
        problems.append(Problem("radius_i", "must be positive and finite", f"{radius_i:g}"))
    elif not (radius_j > 0.0 or radius_j < -radius_i):
        problems.append(
            Problem(
                "radius_j", "the radius of a hollow must be larger than that of the body inside it", f"{radius_j:g}"
            )
        )
    elif math.isinf(radius_j) and law != "dubowsky-freudenstein":
        problems.append(Problem("radius_j", f"the {law} law does not apply to a plane; dubowsky-freudenstein does"))
    elif radius_j < 0.0 and law == "radzimovsky":
        problems.append(Problem("radius_j", "the radzimovsky law applies only to two solid cylinders", f"{radius_j:g}"))
    for name, value in (("length", length), ("materials", materials)):
        if not value > 0.0:
            problems.append(Problem(name, "must be positive", f"{value:g}"))
    if problems:
        raise InputError(problems)
    both = abs(radius_i + radius_j)
    if law == "dubowsky-freudenstein":
        scale, offset = length**3 / (materials * float(_relative_radius(radius_i, radius_j))), 1.0
    elif law == "radzimovsky":
        scale, offset = length * both / materials, 2.0 / 3.0
    else:
        scale, offset = 4.0 * length * both / materials, -1.0 if law == "johnson" else 1.0
    return LineContact(materials / length, scale, offset)


def _relative_radius(radius_i: Real, radius_j: Real) -> Real:
    """Return the relative radius R, where 1 / R = 1 / r_i + 1 / r_j [m]."""
    return 1.0 / (1.0 / np.asarray(radius_i) + 1.0 / np.asarray(radius_j))

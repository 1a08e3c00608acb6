"""Coulomb friction with a smooth sign of the sliding speed (Pedersen 2004, section 3.9, appendix G).

Force f = -mu mu_c(v) f_n. Seven odd functions mu_c in [-1, 1] approximate sgn(v). Each has a ``speed`` v* [m/s], and
some have a ``sharpness`` eps [-]:

    linear          x                                  |x| < 1, else sgn x          x = v/v*
    polynomial      x |x| (3 - 2 |x|)                  |x| < 1, else sgn x          Eqs. 3.97, G.9
    super-elliptic  (1 - (1 - |x|)^eps)^(1/eps) sgn x  |x| < 1, else sgn x          Eq. G.6, eps >= 1 is its exponent
    bezier          cubic with slope 1/eps at x = 0    |x| < 1, else sgn x          Eqs. G.7, G.8, eps <= 1
    tanh            tanh(x/eps)                        |x| < 1, else sgn x          Eq. 3.98 (H1)
    arctan          (2/pi) arctan(x/eps)               everywhere                   Eq. G.4 (H2)
    logistic        2/(1 + exp(-x/eps)) - 1            everywhere                   Eq. G.4 (H3)

G.6, whose exponents are illegible in print, is read as the super ellipse (1-x)^eps + mu_c^eps = 1, which has the slopes
stated in the text: vertical at 0, horizontal at v*. G.7 and G.8 hold for x* = 1, so speeds are taken relative to v*;
eps_2 = 0 is the slope at v*, eps_1 = 1/eps the slope at 0, which is that of tanh.
These laws do not model stiction: at rest the friction force is zero.
"""

from __future__ import annotations

import math
from enum import IntEnum

from chaindrive.kernels import kernel

__all__ = [
    "SUPER_ELLIPTIC_EXPONENT",
    "Regularisation",
    "arctan_sign",
    "bezier_sign",
    "friction_force",
    "kernel_sharpness",
    "linear_sign",
    "logistic_sign",
    "polynomial_sign",
    "regularised_sign",
    "regularised_signs",
    "regularised_slope",
    "super_elliptic_sign",
    "tanh_sign",
    "vector_arctan",
    "vector_tanh",
]


class Regularisation(IntEnum):
    """The seven forms; ``Regularisation.named("super-elliptic")`` finds a form by the name used in files."""

    LINEAR = 0
    POLYNOMIAL = 1
    SUPER_ELLIPTIC = 2
    BEZIER = 3
    TANH = 4
    ARCTAN = 5
    LOGISTIC = 6

    @classmethod
    def named(cls, name: str) -> Regularisation:
        """The form of this name. Raises ValueError with a message for the user if there is none."""
        names = {form.name.lower().replace("_", "-"): form for form in cls}
        if name not in names:
            raise ValueError(f"There is no friction regularisation {name!r}. Available: {', '.join(names)}.")
        return names[name]


LINEAR, POLYNOMIAL, SUPER_ELLIPTIC, BEZIER, TANH, ARCTAN, LOGISTIC = map(int, Regularisation)
"""Numbers by which the kernels distinguish the forms. This line fails on import if a form is added, as a new form needs
its own branch in both kernels below."""

SUPER_ELLIPTIC_EXPONENT = 5.0
"""Exponent of the super-elliptic form in Pedersen (2004), figure G.4(b) [-]."""


def kernel_sharpness(kind: Regularisation, sharpness: float) -> float:
    """The ``sharpness`` that the kernels use for a form, computed from that of the Heaviside forms [-].

    ``sharpness`` sets the slope at zero, 1/(v* eps). The super-elliptic form has a vertical slope at zero and uses the
    exponent given in the source instead. Raises ValueError for an unknown ``kind``, and if the sharpness is not
    positive or exceeds 1 for the Bézier form, whose curve would not be single-valued then.
    """
    kind = Regularisation(kind)
    if not sharpness > 0.0:
        raise ValueError(f"The sharpness of the friction regularisation must be positive, not {sharpness:g}.")
    if kind == Regularisation.BEZIER and sharpness > 1.0:
        raise ValueError(f"The sharpness of the Bézier regularisation must not exceed 1; it is {sharpness:g}.")
    return SUPER_ELLIPTIC_EXPONENT if kind == Regularisation.SUPER_ELLIPTIC else sharpness


@kernel(inline=True)
def vector_tanh(x):
    """Hyperbolic tangent computed with arithmetic alone, so that loops over it vectorise; absolute error below 1e-13
    [-].

    tanh |x| = -m/(2 + m) with m = exp(-2|x|) - 1, computed as the Taylor polynomial of degree 7 of exp(z) - 1 at
    z = -2|x|/64, followed six times by m <- m (2 + m), which squares 1 + m without cancellation. The largest error is
    that of the polynomial near 2|x| = 8: (8/64)^8/8! 64 exp(-8) = 3e-14. Beyond |x| = 20 tanh is 1 to 1e-17.
    """
    size = abs(x)
    size = 20.0 if size > 20.0 else size
    z = size * (-1.0 / 32.0)
    m = 1.0 / 720.0 + z * (1.0 / 5040.0)
    m = 1.0 / 120.0 + z * m
    m = 1.0 / 24.0 + z * m
    m = 1.0 / 6.0 + z * m
    m = 0.5 + z * m
    m = z * (1.0 + z * m)
    m = m * (2.0 + m)
    m = m * (2.0 + m)
    m = m * (2.0 + m)
    m = m * (2.0 + m)
    m = m * (2.0 + m)
    m = m * (2.0 + m)
    size = -m / (2.0 + m)
    size = 1.0 if size > 1.0 else size  # by a rounding
    return -size if x < 0.0 else size


@kernel(inline=True)
def vector_arctan(x):
    """Arc tangent computed with arithmetic and square roots alone, so that loops over it vectorise; error below 1e-14
    [rad].

    The angle is halved three times, tan(a/2) = tan(a)/(1 + sqrt(1 + tan(a)^2)), to at most pi/16, and the series a = t
    - t^3/3 + ... is summed up to t^19; the next term is tan(pi/16)^21/21 = 9e-17.
    """
    size = abs(x)
    t = 1e100 if size > 1e100 else size  # the square must not overflow
    t = t / (1.0 + math.sqrt(1.0 + t * t))
    t = t / (1.0 + math.sqrt(1.0 + t * t))
    t = t / (1.0 + math.sqrt(1.0 + t * t))
    s = t * t
    a = 1.0 / 17.0 - s * (1.0 / 19.0)
    a = 1.0 / 15.0 - s * a
    a = 1.0 / 13.0 - s * a
    a = 1.0 / 11.0 - s * a
    a = 1.0 / 9.0 - s * a
    a = 1.0 / 7.0 - s * a
    a = 1.0 / 5.0 - s * a
    a = 1.0 / 3.0 - s * a
    a = 8.0 * t * (1.0 - s * a)
    return -a if x < 0.0 else a


@kernel(inline=True)
def linear_sign(v, speed):
    """Linear form, Ambrosio (2003): v/v*, +-1 beyond v* [-].

    v, speed v* [m/s].
    """
    x = v / speed
    x = 1.0 if x > 1.0 else x
    return -1.0 if x < -1.0 else x


@kernel(inline=True)
def polynomial_sign(v, speed):
    """Polynomial form, Pedersen (2004), Eqs. 3.97 and G.9; slope 0 at zero and at v* [-].

    v, speed v* [m/s].
    Near zero the force is of second order in v, which lets a loaded contact creep.
    """
    x = linear_sign(v, speed)
    return x * abs(x) * (3.0 - 2.0 * abs(x))


@kernel(inline=True)
def super_elliptic_sign(v, speed, exponent):
    """Super-elliptic form, Pedersen (2004), Eq. G.6; vertical at zero, horizontal at v* [-].

    v, speed v* [m/s]; exponent eps >= 1 [-] (figure G.4: 5). It calls pow, so that it does not vectorise.
    """
    x = abs(linear_sign(v, speed))
    size = (1.0 - (1.0 - x) ** exponent) ** (1.0 / exponent)
    return -size if v < 0.0 else size


@kernel(inline=True)
def bezier_sign(v, speed, sharpness):
    """Bézier form, Pedersen (2004), Eqs. G.7 and G.8 with eps_1 = 1/eps and eps_2 = 0 [-].

    v, speed v* [m/s]; sharpness eps in (0, 1] [-] (figure G.4: 10^(-15/4)).
    The curve x = 3 eps (t - t^2) + t^3, mu_c = 3 (t - t^2) + t^3. With t = eps + u the cubic for t is
    u^3 + 3 p u = q, p = eps - eps^2, which has one real root: u = q/(C^2 + p + p^2/C^2),
    C^3 = |q|/2 + sqrt(q^2/4 + p^3). One Newton step then removes the cancellation of eps + u near zero.
    It calls pow, so that it does not vectorise.
    """
    x = abs(linear_sign(v, speed))
    p = sharpness - sharpness * sharpness
    q = x + (2.0 * sharpness - 3.0) * sharpness * sharpness
    square = (0.5 * abs(q) + math.sqrt(0.25 * q * q + p * p * p)) ** (2.0 / 3.0) + 1e-300
    t = sharpness + q / (square + p + p * p / square)
    slope = 3.0 * (t * t - 2.0 * sharpness * t + sharpness) + 1e-300
    t = t - (t * (t * t - 3.0 * sharpness * t + 3.0 * sharpness) - x) / slope
    size = t * (3.0 - 3.0 * t + t * t)
    size = 1.0 if size > 1.0 else size
    return -size if v < 0.0 else size


@kernel(inline=True)
def tanh_sign(v, speed, sharpness):
    """Heaviside form H1, Pedersen (2004), Eq. 3.98: tanh(v/(v* eps)), +-1 beyond v* [-].

    v, speed v* [m/s]; sharpness eps [-]. It jumps by 1 - tanh(1/eps) at v*: by 4e-2 for eps = 0.5, by
    4e-9 for 0.1, not at all below 0.05.
    """
    size = vector_tanh(v / (speed * sharpness))
    size = 1.0 if v >= speed else size
    return -1.0 if v <= -speed else size


@kernel(inline=True)
def arctan_sign(v, speed, sharpness):
    """Heaviside form H2, Pedersen (2004), Eq. G.4: (2/pi) arctan(v/(v* eps)) [-].

    v, speed v* [m/s]; sharpness [-].
    It approaches 1 slowly: 0.994 at v* for eps = 0.01.
    """
    x = vector_arctan(v / (speed * sharpness)) * (2.0 / math.pi)
    x = 1.0 if x > 1.0 else x  # by a rounding
    return -1.0 if x < -1.0 else x


@kernel(inline=True)
def logistic_sign(v, speed, sharpness):
    """Heaviside form H3, Pedersen (2004), Eq. G.4: 2/(1 + exp(-v/(v* eps))) - 1 [-].

    v, speed v* [m/s]; sharpness [-].
    It is computed as tanh(v/(2 v* eps)), which is the same.
    """
    return vector_tanh(0.5 * v / (speed * sharpness))


@kernel
def regularised_sign(kind, v, speed, sharpness):
    """Smooth sign mu_c of a sliding speed, in [-1, 1] [-].

    kind: value of :class:`Regularisation`, any other gives nan; v [m/s]; speed v* > 0 [m/s];
    sharpness from :func:`kernel_sharpness` [-].
    """
    if kind == LINEAR:
        return linear_sign(v, speed)
    if kind == POLYNOMIAL:
        return polynomial_sign(v, speed)
    if kind == SUPER_ELLIPTIC:
        return super_elliptic_sign(v, speed, sharpness)
    if kind == BEZIER:
        return bezier_sign(v, speed, sharpness)
    if kind == TANH:
        return tanh_sign(v, speed, sharpness)
    if kind == ARCTAN:
        return arctan_sign(v, speed, sharpness)
    if kind == LOGISTIC:
        return logistic_sign(v, speed, sharpness)
    return math.nan


@kernel
def regularised_slope(kind, v, speed, sharpness):
    """Derivative of :func:`regularised_sign`, with the same arguments, with respect to the sliding speed [s/m].

    The derivative of the super-elliptic form is infinite at rest, so that it is evaluated at a millionth of v* instead.
    """
    x = abs(linear_sign(v, speed))
    if kind <= TANH and x == 1.0:
        return 0.0
    if kind == LINEAR:
        return 1.0 / speed
    if kind == POLYNOMIAL:
        return 6.0 * x * (1.0 - x) / speed
    if kind == SUPER_ELLIPTIC:
        x = max(x, 1e-6)
        size = (1.0 - (1.0 - x) ** sharpness) ** (1.0 / sharpness)
        return ((1.0 - x) / size) ** (sharpness - 1.0) / speed
    if kind == BEZIER:  # dsize/dt over dx/dt, with t from size = 3 (t - t^2) + t^3 = 1 - (1 - t)^3
        t = 1.0 - (1.0 - abs(bezier_sign(v, speed, sharpness))) ** (1.0 / 3.0)
        return (1.0 - t) * (1.0 - t) / (sharpness * (1.0 - 2.0 * t) + t * t) / speed
    if kind == TANH:
        sign = vector_tanh(x / sharpness)
        return (1.0 - sign * sign) / (speed * sharpness)
    if kind == ARCTAN:
        x = v / (speed * sharpness)
        return 2.0 / math.pi / (1.0 + x * x) / (speed * sharpness)
    if kind == LOGISTIC:
        sign = logistic_sign(v, speed, sharpness)
        return 0.5 * (1.0 - sign * sign) / (speed * sharpness)
    return math.nan


@kernel
def regularised_signs(kind, v, speed, sharpness, out, n):
    """Write the smooth sign mu_c of the first n sliding speeds, in [-1, 1], to out[:n] [-]. There is one loop for each
    form.

    kind: value of :class:`Regularisation`, any other gives nan; v [m/s] and out [-], shape (>= n,);
    speed v* > 0 [m/s]; sharpness from :func:`kernel_sharpness` [-].
    """
    if kind == LINEAR:
        for i in range(n):
            out[i] = linear_sign(v[i], speed)
    elif kind == POLYNOMIAL:
        for i in range(n):
            out[i] = polynomial_sign(v[i], speed)
    elif kind == SUPER_ELLIPTIC:
        for i in range(n):
            out[i] = super_elliptic_sign(v[i], speed, sharpness)
    elif kind == BEZIER:
        for i in range(n):
            out[i] = bezier_sign(v[i], speed, sharpness)
    elif kind == TANH:
        for i in range(n):
            out[i] = tanh_sign(v[i], speed, sharpness)
    elif kind == ARCTAN:
        for i in range(n):
            out[i] = arctan_sign(v[i], speed, sharpness)
    elif kind == LOGISTIC:
        for i in range(n):
            out[i] = logistic_sign(v[i], speed, sharpness)
    else:
        for i in range(n):
            out[i] = math.nan


@kernel(inline=True)
def friction_force(sign, normal, coefficient):
    """Friction force on the roller along the tangent in whose direction v is measured: -mu mu_c f_n [N].

    Pedersen (2004), Eqs. 3.95 and 3.96. sign mu_c(v) [-]; normal force f_n >= 0 [N]; coefficient of friction mu [-].
    The wheel gets the opposite force; the heat is mu mu_c v f_n >= 0 [W], as mu_c has the sign of v.
    """
    return -coefficient * sign * normal

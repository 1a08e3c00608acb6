"""Common properties of all seven regularisations of the sign of the sliding speed, and of the kernels."""

import math
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from chaindrive.kernels import kernel
from chaindrive.model import RollerOptions
from chaindrive.physics import friction
from chaindrive.physics.friction import (
    SUPER_ELLIPTIC_EXPONENT,
    Regularisation,
    arctan_sign,
    bezier_sign,
    friction_force,
    kernel_sharpness,
    linear_sign,
    logistic_sign,
    polynomial_sign,
    regularised_sign,
    regularised_signs,
    super_elliptic_sign,
    tanh_sign,
    vector_arctan,
    vector_tanh,
)

SPEED = 0.1
FORMS = list(Regularisation)
EXACT_BEYOND = [form for form in FORMS if form not in (Regularisation.ARCTAN, Regularisation.LOGISTIC)]


OWN = {
    Regularisation.LINEAR: lambda v, sharpness: linear_sign(v, SPEED),
    Regularisation.POLYNOMIAL: lambda v, sharpness: polynomial_sign(v, SPEED),
    Regularisation.SUPER_ELLIPTIC: lambda v, sharpness: super_elliptic_sign(v, SPEED, sharpness),
    Regularisation.BEZIER: lambda v, sharpness: bezier_sign(v, SPEED, sharpness),
    Regularisation.TANH: lambda v, sharpness: tanh_sign(v, SPEED, sharpness),
    Regularisation.ARCTAN: lambda v, sharpness: arctan_sign(v, SPEED, sharpness),
    Regularisation.LOGISTIC: lambda v, sharpness: logistic_sign(v, SPEED, sharpness),
}
"""Reference formula of every form."""
NO_FORM = max(Regularisation) + 1


def signs(form, v, sharpness):
    v = np.asarray(v, dtype=float)
    out = np.full(v.shape, np.nan)
    regularised_signs(int(form), v, SPEED, kernel_sharpness(form, sharpness), out, len(v))
    return out


@pytest.mark.parametrize("sharpness", [1.0, 0.1, 0.01, 10 ** (-15 / 4)])
@pytest.mark.parametrize("form", FORMS)
def test_odd_bounded_and_rising(form, sharpness):
    # Equal to the bit for the opposite speed; rising up to the rounding of a few operations on numbers up to 1.
    v = np.concatenate([np.geomspace(1e-9, 0.2, 801), [1.0, 30.0, 1e6, 1e30]])
    mu = signs(form, v, sharpness)
    np.testing.assert_array_equal(signs(form, -v, sharpness), -mu)
    assert np.all(mu > 0.0)
    assert np.all(mu <= 1.0)
    assert np.all(np.diff(mu) > -4e-14)
    assert signs(form, [0.0], sharpness)[0] == 0.0


@pytest.mark.parametrize("sharpness", [1.0, 0.1, 0.01])
@pytest.mark.parametrize("form", FORMS)
def test_limit_of_fast_sliding(form, sharpness):
    # Pedersen (2004), Eqs. G.5 and 3.98: exactly 1 from v* on; the arc tangent comes in like (2/pi) eps v*/v.
    if form in EXACT_BEYOND:
        np.testing.assert_array_equal(signs(form, [SPEED, 0.11, 5.0, 1e9], sharpness), 1.0)
    else:
        assert signs(form, [1e6], sharpness)[0] == pytest.approx(1.0, abs=1e-6)


def test_every_form_has_a_law_and_a_name_in_files():
    assert list(OWN) == FORMS
    given = get_args(RollerOptions.model_fields["friction_regularisation"].annotation)
    assert [Regularisation.named(name) for name in given] == FORMS


@pytest.mark.parametrize("form", FORMS)
def test_a_form_runs_as_itself(form):
    """Both kernels compute each form, at speeds where no two forms agree."""
    v = np.array([-0.07, -1.3e-3, 4e-4, 0.02])
    sharpness = kernel_sharpness(form, 0.05)
    expected = {each: [law(x, kernel_sharpness(each, 0.05)) for x in v] for each, law in OWN.items()}
    assert all(np.abs(np.subtract(expected[form], expected[other])).max() > 1e-3 for other in FORMS if other != form)
    np.testing.assert_allclose(signs(form, v, 0.05), expected[form], rtol=0.0, atol=4e-14)
    np.testing.assert_allclose(
        [regularised_sign(int(form), x, SPEED, sharpness) for x in v], expected[form], rtol=0.0, atol=4e-14
    )


def test_a_form_that_is_none_does_not_run_as_another():
    out = np.zeros(3)
    regularised_signs(NO_FORM, np.array([0.01, -0.02, 1.0]), SPEED, 0.01, out, 3)
    assert np.isnan(out).all()
    assert math.isnan(regularised_sign(NO_FORM, 0.01, SPEED, 0.01))
    with pytest.raises(ValueError, match=f"{NO_FORM} is not a valid Regularisation"):
        kernel_sharpness(NO_FORM, 0.01)


def test_a_form_without_a_branch_in_the_kernels_cannot_be_imported():
    source = Path(friction.__file__).read_text(encoding="utf-8")
    assert "    LOGISTIC = 6\n" in source
    more = source.replace("    LOGISTIC = 6\n", "    LOGISTIC = 6\n    STRIBECK = 7\n")
    with pytest.raises(ValueError, match="too many values to unpack"):
        exec(compile(more, "friction.py", "exec"), {"__name__": "forgotten"})


@pytest.mark.parametrize("form", FORMS)
def test_scalar_and_array_agree(form):
    v = np.linspace(-0.15, 0.15, 61)
    sharpness = kernel_sharpness(form, 0.05)
    one_by_one = [regularised_sign(int(form), x, SPEED, sharpness) for x in v]
    np.testing.assert_allclose(signs(form, v, 0.05), one_by_one, rtol=0.0, atol=4e-14)


@pytest.mark.parametrize("form", FORMS)
def test_only_the_first_n_are_written(form):
    out = np.full(5, 7.0)
    regularised_signs(int(form), np.ones(5), SPEED, kernel_sharpness(form, 0.01), out, 3)
    np.testing.assert_allclose(out, [1.0, 1.0, 1.0, 7.0, 7.0], atol=1e-3)
    assert out[3] == 7.0


@pytest.mark.parametrize("form", FORMS)
def test_friction_takes_power_and_stays_below_coulomb(form):
    normal, coefficient = 25e3, 0.1
    v = np.linspace(-0.3, 0.3, 601)
    force = np.array([friction_force(mu, normal, coefficient) for mu in signs(form, v, 0.02)])
    assert np.all(force * v <= 0.0)
    assert np.all(np.abs(force) <= coefficient * normal)
    assert np.abs(force).max() == pytest.approx(coefficient * normal, rel=5e-3)  # arctan: 1 - (2/pi) 0.02/3


@pytest.mark.parametrize("form", FORMS)
def test_not_a_number_stays_visible(form):
    assert math.isnan(regularised_sign(int(form), float("nan"), SPEED, kernel_sharpness(form, 0.01)))


def test_names():
    names = ("linear", "polynomial", "super-elliptic", "bezier", "tanh", "arctan", "logistic")
    assert [Regularisation.named(name) for name in names] == FORMS
    for name in ("signum", "super_elliptic", "TANH"):
        with pytest.raises(
            ValueError, match=f"no friction regularisation {name!r}. Available: linear, poly.* logistic"
        ):
            Regularisation.named(name)


def test_sharpness_is_checked():
    assert kernel_sharpness(Regularisation.TANH, 0.01) == 0.01
    assert kernel_sharpness(Regularisation.SUPER_ELLIPTIC, 0.01) == SUPER_ELLIPTIC_EXPONENT
    for form in FORMS:
        with pytest.raises(ValueError, match="must be positive, not 0"):
            kernel_sharpness(form, 0.0)
    with pytest.raises(ValueError, match="must not exceed 1; it is 2"):
        kernel_sharpness(Regularisation.BEZIER, 2.0)


@kernel
def hyperbolic_tangents(x, out):
    for i in range(x.shape[0]):
        out[i] = vector_tanh(x[i])


@kernel
def arc_tangents(x, out):
    for i in range(x.shape[0]):
        out[i] = vector_arctan(x[i])


POINTS = np.concatenate([np.linspace(-25.0, 25.0, 2001), np.geomspace(1e-300, 1e300, 601), [0.0, math.inf, -math.inf]])


def test_hyperbolic_tangent():
    # Bound of the docstring: the Taylor remainder 3e-14 and about 64 ulp(1)/2 * 2 of rounding through six squarings.
    out = np.empty_like(POINTS)
    hyperbolic_tangents(POINTS, out)
    assert np.max(np.abs(out - np.array([math.tanh(x) for x in POINTS]))) < 1e-13


def test_arc_tangent():
    out = np.empty_like(POINTS)
    arc_tangents(POINTS, out)
    assert np.max(np.abs(out - np.array([math.atan(x) for x in POINTS]))) < 1e-14

"""The closed-form solutions satisfy the standard problems."""

import numpy as np
import pytest

from support.solver_problems import kepler, kepler_exact, oscillator, oscillator_exact, rhs


@pytest.mark.parametrize(
    ("make", "exact", "times"),
    [(oscillator, oscillator_exact, (0.3, 1.0, 4.0)), (kepler, kepler_exact, (0.1, 1.0, 3.0, 5.0))],
)
def test_closed_forms_solve_the_problems(make, exact, times):
    # d(exact)/dt = rhs(exact). Central differences with h = 1e-5: error h^2/6 |y'''| < 1e-10/6 * 100 plus rounding
    # eps |y| / h = 2e-11 |y|; |y'''| of this orbit is at most 24 at the near point (velocity) and below 100 elsewhere.
    s = make()
    h = 1e-5
    for t in times:
        y = exact(t)[: s.state.size].copy()
        dy = np.zeros_like(y)
        rhs(t, y, dy, s.parameters)
        slope = (exact(t + h) - exact(t - h))[: s.state.size] / (2.0 * h)
        np.testing.assert_allclose(slope, dy, atol=5e-9)
    np.testing.assert_allclose(exact(0.0)[: s.state.size], s.state, atol=1e-15)

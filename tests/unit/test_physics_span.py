"""The law of a span: a spring that can only pull, and a damper that may push or not."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive.kernels import kernel
from chaindrive.physics.bearing import BEARING_SPEED, bearing_moment
from chaindrive.physics.span import span_energy, span_force, span_spring
from chaindrive.physics.unbalance import mass_moment

STIFFNESS, DAMPING = 1e5, 40.0


@kernel
def force(elongation, rate, stiffness, damping, damping_in_slack):
    return span_force(elongation, rate, stiffness, damping, damping_in_slack)


def test_the_spring_pulls_and_never_pushes() -> None:
    assert span_spring(1e-3, STIFFNESS) == 100.0
    assert span_spring(0.0, STIFFNESS) == span_spring(-1e-3, STIFFNESS) == 0.0


def test_its_energy_is_the_work_of_the_spring() -> None:
    elongation = np.linspace(-1e-3, 2e-3, 3001)
    pulls = [span_spring(float(e), STIFFNESS) for e in elongation]
    assert span_energy(2e-3, STIFFNESS) == pytest.approx(np.trapezoid(pulls, elongation), rel=1e-6)
    assert span_energy(-1e-3, STIFFNESS) == 0.0


@pytest.mark.parametrize("rate", [-3.0, 0.0, 3.0])
def test_the_damper_acts_throughout_where_it_acts_in_slack(rate: float) -> None:
    assert force(-1e-3, rate, STIFFNESS, DAMPING, True) == DAMPING * rate
    assert force(1e-3, rate, STIFFNESS, DAMPING, True) == 100.0 + DAMPING * rate


@pytest.mark.parametrize(("elongation", "rate", "wanted"), [
    (-1e-3, 3.0, 0.0),
    (0.0, 3.0, 0.0),
    (1e-3, 1.0, 140.0),
    (1e-3, -1.0, 60.0),
    (1e-3, -3.0, 0.0),  # the spring has 100 N, of which the damper cannot take 120
])  # fmt: skip
def test_a_chain_never_pushes_where_it_does_not(elongation: float, rate: float, wanted: float) -> None:
    assert force(elongation, rate, STIFFNESS, DAMPING, False) == wanted


def test_the_damper_never_gives_energy() -> None:
    rng = np.random.default_rng(4)
    for elongation, rate in zip(rng.uniform(-1e-3, 1e-3, 200), rng.uniform(-5.0, 5.0, 200), strict=True):
        for in_slack in (True, False):
            damper = force(elongation, rate, STIFFNESS, DAMPING, in_slack) - span_spring(elongation, STIFFNESS)
            assert damper * rate >= 0.0


def test_a_bearing_resists_by_its_viscous_and_its_dry_part() -> None:
    assert bearing_moment(20.0, 0.1, 0.0) == pytest.approx(2.0)
    assert bearing_moment(-20.0, 0.1, 0.5) == pytest.approx(-2.5)
    assert bearing_moment(BEARING_SPEED, 0.0, 1.0) == pytest.approx(np.tanh(1.0))


def test_an_eccentric_mass_turns_with_its_wheel() -> None:
    assert mass_moment(0.5 * np.pi, 2.0, 1.0) == pytest.approx((-1.0, 2.0))

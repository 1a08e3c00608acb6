"""Rules of the energy balance: which residual counts, what counts as input, which losses are doubted."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive.results.audit import EnergyAudit, audit, by_sign, doubtful_losses


def test_a_residual_that_comes_and_goes_is_seen() -> None:
    """A residual of 0.7 J in the middle of the run is zero again at its end."""
    time = np.array([0.0, 1.0, 2.0])
    found = audit(time, {"work_input": np.array([0.0, 5.0, 10.0]), "energy_kinetic": np.array([3.0, 7.3, 13.0])})
    assert found.residual == pytest.approx(0.0, abs=1e-12)
    assert found.largest_residual == pytest.approx(0.7, rel=1e-12)


@pytest.mark.parametrize(
    ("put_in", "taken_out", "shafts", "expected"),
    [
        (10.0, 4.0, [10.0, -4.0], (10.0, 4.0)),
        (
            10.0,
            4.0,
            [13.0, -7.0],
            (13.0, 7.0),
        ),  # one that drives and one that brakes stand side by side
        (10.0, 4.0, [10.0, -6.0], (12.0, 6.0)),  # what the shafts leave over, 2 J, moving joints have put in
        (-2.0, -5.0, [-2.0, 5.0], (5.0, 2.0)),  # the motor brakes, the load drives
        (10.0, 4.0, None, (10.0, 4.0)),
        (-3.0, -4.0, None, (4.0, 3.0)),
    ],
)
def test_work_is_counted_shaft_by_shaft(put_in, taken_out, shafts, expected) -> None:
    assert by_sign(put_in, taken_out, shafts) == pytest.approx(expected, rel=1e-12)


def balance(**losses: float) -> EnergyAudit:
    return EnergyAudit(1.0, 0.0, 0.0, losses, {}, residual=0.05, largest_residual=0.05, energy_exchanged=1e4)


def test_a_loss_is_doubted_when_the_residual_is_more_than_a_hundredth_of_it() -> None:
    assert doubtful_losses(balance(contact=4.0, friction=6.0), "verlet") == ("contact",)
    assert doubtful_losses(balance(contact=6.0, friction=6.0), "verlet") == ()
    assert doubtful_losses(balance(contact=4.0, friction=26.0), "verlet", "all-losses") == ()
    assert doubtful_losses(balance(contact=4.0, friction=26.0), "verlet-beeman", "each-loss") == ("contact",)


def test_a_loss_that_hardly_counts_is_not_doubted() -> None:
    """A loss of a millionth of all losses would always have an error above 1 %."""
    assert doubtful_losses(balance(contact=100.0, joint=1e-4), "dormand-prince") == ()

"""The balance of a run in progress equals that of all its rows at once; requirements on a fixed step."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest

from chaindrive.contract.channels import Channel
from chaindrive.contract.status import Status
from chaindrive.results.audit import EnergyAudit, audit, doubtful_losses
from chaindrive.results.balance import EXACTNESS, Balance, Exactness, allowed, exactness_of
from chaindrive.simulation.stretches import Stretches
from chaindrive.solvers import METHODS, Integrator, SolverSettings
from support import solver_problems as problems
from support.sections import set_sections

NAMES = ("work_input", "work_output", "work_contact", "work_friction", "energy_kinetic", "energy_elastic")
CHANNELS = (
    Channel("wheel_speed", ("wheel",), "rad/s", "", 0, (2,)),
    *(Channel(name, (), "J", "", 2 + k, ()) for k, name in enumerate(NAMES)),
    Channel("energy_residual", (), "J", "", 2 + len(NAMES), ()),
)


def rows(count: int) -> tuple[np.ndarray, np.ndarray]:
    time = np.linspace(0.0, 1.0, count)
    found = np.cumsum(np.random.default_rng(3).normal(size=(count, 3 + len(NAMES))), axis=0)
    return time, found


@pytest.mark.parametrize("pieces", [1, 3, 50])
def test_pieces_add_up_to_the_audit_of_the_whole(pieces):
    time, found = rows(50)
    balance = Balance(CHANNELS)
    for part in np.array_split(np.arange(50), pieces):
        balance.add(time[part], found[part])
    whole = audit(time, {name: found[:, 2 + k] for k, name in enumerate(NAMES)})
    assert balance.residual == pytest.approx(whole.residual, rel=1e-12)
    assert balance.energy_exchanged == pytest.approx(whole.energy_exchanged, rel=1e-12)
    np.testing.assert_allclose(balance.losses, np.abs(list(whole.losses.values())), rtol=1e-12)


def test_a_copy_and_a_checkpoint_go_on_alike():
    time, found = rows(50)
    balance, other = Balance(CHANNELS), Balance(CHANNELS)
    balance.add(time[:20], found[:20])
    other.restore(balance.state())
    apart = copy.deepcopy(balance)
    for each in (balance, other, apart):
        each.add(time[20:], found[20:])
    assert balance.residual == other.residual == apart.residual
    assert balance.energy_exchanged == other.energy_exchanged == apart.energy_exchanged


def test_rounding_in_a_drive_that_stands_still_asks_for_no_shorter_step():
    balance = Balance(CHANNELS)
    found = np.zeros((2, 3 + len(NAMES)))
    found[:, 2 + NAMES.index("energy_elastic")] = 0.38
    balance.add(np.array([0.0, 1.0]), found)
    assert balance.rounding(1e-12) == pytest.approx(3.8e-9)
    assert balance.rounding(1.0) == pytest.approx(3.8e-11)


def test_what_a_fixed_step_may_miss():
    # A hundredth of the smallest loss that counts; 0.1 J of 150 J does not count, 0.2 J does
    assert allowed(9e7, np.array([99.9, 50.0, 0.1])) == pytest.approx(0.999)  # the others are negligible
    assert allowed(1e8, np.array([99.9, 50.0, 0.1])) == pytest.approx(100.0)  # all are: 1e-6 of the energy exchanged
    assert allowed(1e5, np.array([99.9, 50.0, 0.1])) == pytest.approx(0.5)
    assert allowed(1e5, np.array([99.8, 50.0, 0.2])) == pytest.approx(2e-3)
    assert allowed(100.0, np.array([99.9, 50.0])) == pytest.approx(0.1)  # never more than 1e-3 of it
    assert allowed(100.0, np.zeros(2)) == pytest.approx(1e-4)  # without losses
    assert allowed(0.0, np.zeros(2)) == 0.0


def test_what_a_step_of_another_exactness_may_miss():
    losses = np.array([90.0, 9.0, 1.0])
    assert allowed(1e5, losses, Exactness(small=0.02)) == pytest.approx(0.09)  # a hundredth of 9 J
    assert allowed(1e5, losses, Exactness(of_all=2e-3)) == pytest.approx(0.2)  # of all, however small one of them is
    assert allowed(1e5, losses, Exactness(of_all=2e-3, finest=1e-5)) == pytest.approx(1.0)
    assert allowed(100.0, losses, Exactness(of_all=2e-3, finest=1e-5)) == pytest.approx(0.1)
    assert set(EXACTNESS) <= set(METHODS)


def test_what_the_balance_asks_can_be_said():
    """In a second of the 6S90MC-C, damping of the links, a thousandth of all losses, reduced the step of Verlet from 25
    to 13 us.
    """
    exchanged, losses = 3.0e4, np.array([4.6, 1782.0, 1536.0, 869.0])

    def permitted(method: str, balance: str = "auto") -> float:
        return allowed(exchanged, losses, exactness_of(method, balance))

    assert permitted("verlet", "all-losses") == permitted("verlet-beeman") == pytest.approx(2e-3 * losses.sum())
    assert permitted("verlet") == permitted("verlet-beeman", "each-loss") == pytest.approx(1e-2 * losses.min())
    assert exactness_of("verlet-beeman", "each-loss").gentlest == exactness_of("verlet-beeman").gentlest


@pytest.mark.parametrize("method", ["verlet-beeman", "splitting", "modular"])
def test_a_step_that_meets_its_balance_gives_no_warning(method):
    """The step of every fourth drive of high efficiency was short enough, and yet a warning doubted its losses."""
    exchanged = 200.0
    for total in (2.0, 0.5, 0.05):
        losses = np.array([0.6, 0.25, 0.15]) * total
        left = allowed(exchanged, losses, exactness_of(method))
        whole = EnergyAudit(1.0, 100.0, 100.0 - total, dict(zip("abc", losses, strict=True)), {}, left, left, exchanged)
        assert doubtful_losses(whole, method) == ()


@pytest.mark.parametrize("method", ["moreau-jean", "nonsmooth-alpha"])
def test_a_small_loss_does_not_make_steps_over_rigid_contacts_tiny(method):
    """Residuals fall with the step: for 1 % of the impacts of a slack drive, 0.6 % of its losses, the step was 0.5 us
    instead of 120.
    """
    joints, impacts, exchanged = 3.29, 0.02, 442.0
    permitted = allowed(exchanged, np.array([joints, impacts]), EXACTNESS[method])
    assert permitted == pytest.approx(2e-3 * (joints + impacts))
    assert permitted > 30.0 * allowed(exchanged, np.array([joints, impacts]))


@pytest.mark.parametrize(("permitted", "first"), [(0.9, 0.75), (0.5, math.sqrt(0.4)), (0.01, 0.5)])
@pytest.mark.parametrize(("method", "always"), [("verlet-beeman", False), ("verlet", True)])
def test_a_section_is_repeated_with_the_step_that_its_residual_asks_for(monkeypatch, method, always, permitted, first):
    """The first reduction assumes a residual that falls with the square of the step; further ones halve it. Other
    methods always halve it.
    """
    set_sections(monkeypatch, 50)
    s = problems.oscillator()
    run = Integrator(s, SolverSettings(method=method, step=0.01), 1.0)
    sections = Stretches(s, run, None, True, method)
    monkeypatch.setattr(sections, "_missed", lambda status, ends: (1.0, permitted))
    for trial in range(2):
        status = run.advance(10.0, sections.budget(1000))
        assert sections.judge(status) == Status.RUNNING
        assert run.time == 0.0
        assert run.step == pytest.approx(0.01 * (0.5 if always else first) * 0.5**trial)

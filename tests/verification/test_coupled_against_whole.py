"""Co-simulation compared with the whole system: orders of the schemes, energy that a coupling creates, coupled
machines.
"""

from __future__ import annotations

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.cosimulation.master import Connection, Coupling, Master, PowerBond
from chaindrive.cosimulation.signals import Signals
from support import coupled_pump
from support.two_masses import FirstMass, Masses, exact, simulated

UNTIL = 0.4
ORDERS = {"constant": 1, "linear": 2, "quadratic": 3}


@pytest.mark.parametrize("extrapolation", ORDERS)
@pytest.mark.parametrize("scheme", ["jacobi", "gauss-seidel", "iterated"])
def test_the_error_falls_with_the_order_of_the_polynomials(scheme, extrapolation) -> None:
    """A polynomial of degree k through points H apart is wrong by H^(k+1) (Busch 2016)."""
    masses, order = Masses(), ORDERS[extrapolation]
    whole = exact(masses, UNTIL)
    errors = [
        np.abs(simulated(masses, Coupling(h, scheme, extrapolation), UNTIL)[0] - whole).max() for h in (0.01, 0.005)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.25)
    assert errors[1] < 0.1


class Lag:
    """A damper whose force follows the speed with a delay, t f' = -c v - f: its output does not depend on its input at
    the same instant. It integrates the work that it supplied, with the speed that it received."""

    inputs = ("velocity",)
    outputs = ("force",)

    def __init__(self) -> None:
        self.y = np.zeros(2)

    def rates(self, y, speed):
        return np.array([(-3.0 * speed - y[0]) / 0.05, y[0] * speed])

    def step(self, time: float, step: float, inputs: Signals) -> None:
        h = step / 4
        for k in range(4):
            at, y = time + k * h, self.y
            first, middle, last = (inputs.at(at + x * h)[0] for x in (0.0, 0.5, 1.0))
            a = self.rates(y, first)
            b = self.rates(y + 0.5 * h * a, middle)
            c = self.rates(y + 0.5 * h * b, middle)
            self.y = y + h / 6.0 * (a + 2.0 * b + 2.0 * c + self.rates(y + h * c, last))

    def read(self, time, inputs):
        return self.y[:1].copy()


@pytest.mark.parametrize("scheme", ["jacobi", "gauss-seidel"])
@pytest.mark.parametrize("extrapolation", ORDERS)
def test_the_account_of_a_bond_is_the_difference_of_both_works(scheme, extrapolation) -> None:
    """The work that one side received less that supplied by the other, both integrated by the parts themselves."""
    mass, lag = FirstMass(Masses(), (1.0, 0.0)), Lag()
    connections = [Connection("lag", "force", "first", "force"), Connection("first", "velocity", "lag", "velocity")]
    bond = PowerBond("damper", "lag", "force", "first", "velocity")
    master = Master({"lag": lag, "first": mass}, connections, Coupling(0.004, scheme, extrapolation), [bond])
    master.begin()
    while master.time < 0.6:
        master.advance(0.6)
    account, made = master.accounts["damper"], mass.y[2] - lag.y[1]
    assert account.transferred == pytest.approx(mass.y[2], rel=1e-4)
    cancelled = (scheme, extrapolation) == ("jacobi", "linear")  # errors of second order of both sides
    assert account.made == pytest.approx(made, rel=0.3 if cancelled else 0.03)
    assert abs(made) < 0.1 * abs(account.transferred)


def test_the_step_control_holds_the_power_that_a_bond_makes() -> None:
    masses, steps = Masses(), []
    for tolerance in (1e-2, 1e-3):
        _, master = simulated(masses, Coupling(0.05, "gauss-seidel", "linear", tolerance), 1.0)
        account = master.accounts["spring"]
        steps.append(master.steps)
        assert master.steps > 1.5 / 0.05
        assert abs(account.made) < tolerance * account.largest_power * 1.0
    assert steps[1] / steps[0] == pytest.approx(10.0**0.5, rel=0.2)  # the error falls with the square of the step
    assert np.abs(simulated(masses, Coupling(0.05, tolerance=1e-4), 1.0)[0] - exact(masses, 1.0)).max() < 2e-3


def test_a_motor_beside_the_drive_is_the_one_within_it_to_second_order() -> None:
    until = 0.05
    whole = cd.simulate(coupled_pump.monolithic(), until, progress=False)
    errors = []
    for step in (1e-3, 5e-4):
        drive = coupled_pump.coupled(step=step)
        found = cd.simulate(drive, until, machines={"supply": coupled_pump.Motor()}, progress=False)
        assert not found.status.failed
        errors.append(float(np.abs(found["motor.speed"] - whole["motor.speed"]).max()))
        # The torque is a load like any other: its work closes the balance of the rotor, and that of the bond is it.
        audit = found.rotor_audit("motor")
        account = found.notes["coupling"]["bonds"]["machine 'supply' at 'motor'"]
        assert audit.relative_residual < 1e-9
        own_work = found["motor.own_work"].values
        assert account["transferred"] == pytest.approx(own_work[-1] - own_work[0], rel=1e-4)
        assert not found.warnings
    assert errors[1] < 1e-4 * float(whole["motor.speed"].max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)


def test_a_coupling_that_makes_energy_says_so() -> None:
    drive = coupled_pump.coupled(step="10 ms", scheme="jacobi", extrapolation="constant")
    found = cd.simulate(drive, 0.1, machines={"supply": coupled_pump.Motor()}, progress=False)
    account = found.notes["coupling"]["bonds"]["machine 'supply' at 'motor'"]
    assert abs(account["made"]) > 0.01 * account["exchanged"]
    assert any("the coupling of machine 'supply' at 'motor'" in text for text in found.warnings)

"""The energy balance as channels: powers and works, stored energy, and residual. The balance is the same in every
formulation, but each formulation has its own works.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from chaindrive.formulations.declare import RESIDUAL, SHAFT_WORK, Shown, account, one
from chaindrive.kernels import kernel

__all__ = ["Balance", "balance_channels", "write_balance"]

INPUT, OUTPUT = 0, 1
"""Indices of the first works, input and output; all works after them are losses."""


class Balance(NamedTuple):
    """The channels of the balance, in the order of a row."""

    power: Shown
    work: Shown
    kinetic: Shown
    elastic: Shown
    gravity: Shown
    residual: Shown
    shaft_work: Shown


def balance_channels(
    works: Mapping[str, str],
    kinetic: str,
    elastic: str,
    gravity: str,
    wheels: int,
    between: Mapping[str, str] | None = None,
) -> Balance:
    """Return the channels of the balance of a drive with this many wheels.

    works: descriptions of the works by name: "input", "output", then the losses; kinetic, elastic and gravity:
    descriptions of the parts that have such energy; between: descriptions of losses that occur between steps, which
    have no power.
    """
    integrated = [account(f"work_{name}", f"{text}, integrated with the motion") for name, text in works.items()]
    return Balance(
        power=tuple(one(f"power_{name}", (), "W", text, ()) for name, text in works.items()),
        work=(*integrated, *(account(f"work_{name}", text) for name, text in (between or {}).items())),
        kinetic=account("energy_kinetic", kinetic),
        elastic=account("energy_elastic", elastic),
        gravity=account("energy_gravity", gravity),
        residual=account("energy_residual", RESIDUAL),
        shaft_work=one("shaft_work", ("wheel",), "J", SHAFT_WORK, (wheels,), kept="always"),
    )


@kernel(inner=True)
def write_balance(own, y, dy, works, shaft_works, stored, start):
    """Write the channels of a state y with rates dy.

    works, shaft_works: indices in the state at which the works of the balance and the works of the shafts of the wheels
    begin; stored: kinetic, elastic and gravity energy; start: the sum of these energies at the start [J].
    """
    for k in range(own.power.size):
        own.power[k] = dy[works + k]
    for k in range(own.work.size):
        own.work[k] = y[works + k]
    kinetic, elastic, gravity = stored
    own.kinetic[0], own.elastic[0], own.gravity[0] = kinetic, elastic, gravity
    residual = kinetic + elastic + gravity - start
    residual = residual - own.work[INPUT] + own.work[OUTPUT]
    for k in range(OUTPUT + 1, own.work.size):
        residual += own.work[k]
    own.residual[0] = residual
    for w in range(own.shaft_work.size):
        own.shaft_work[w] = y[shaft_works + w]

"""Where the energy went: the balance of a run from its work integrals and stored energies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["EnergyAudit", "audit", "is_audit_channel"]

WORK = "work_"
ENERGY = "energy_"
RESIDUAL = "energy_residual"


class EnergyAudit(NamedTuple):
    """Energy balance between the first and the last stored instant. All in J unless said otherwise.

    input - output - (sum of losses) = (sum of changes of stored energy) + residual
    """

    duration: float
    """From the first to the last stored instant. [s]"""
    input: float
    """Work done on the drive by its motors and prescribed motions."""
    output: float
    """Work taken from the drive by its load torques."""
    losses: Mapping[str, float]
    """Work lost, positive, by name: link_damping, joint, contact, friction ..."""
    stored: Mapping[str, float]
    """Change of stored energy by name: kinetic, elastic, gravity."""
    residual: float
    """What the balance cannot account for, at the end."""
    largest_residual: float
    """The largest magnitude of the residual at any stored instant."""
    turned_over: float
    """Energy that changed its account: half of the sum, over all works and stored energies, of their total variation
    (the sum of all rises and falls from row to row). Every joule that moves leaves one account and enters another,
    hence the half. Movements back and forth between two rows are not seen, so this is a lower bound."""

    @property
    def relative_residual(self) -> float:
        """The ratio largest_residual / turned_over, 0 when nothing moved."""
        return self.largest_residual / self.turned_over if self.turned_over > 0.0 else 0.0

    def table(self) -> str:
        """The balance as aligned text, in J and as mean power in W: put in = taken out + lost + stored + residual."""
        lines = [("work put in", self.input), ("work taken out", self.output)]
        lines += [(f"lost in {name.replace('_', ' ')}", loss) for name, loss in self.losses.items()]
        lines += [(f"stored as {name.replace('_', ' ')} energy", change) for name, change in self.stored.items()]
        lines.append(("not accounted for", self.residual))
        width = max(len(name) for name, _ in lines)
        rows = [f"{'':{width}}  {'energy [J]':>14}  {'mean power [W]':>14}"]
        for name, energy in lines:
            power = f"{energy / self.duration:14.6g}" if self.duration > 0.0 else f"{'-':>14}"
            rows.append(f"{name:{width}}  {energy:14.6g}  {power}")
        rows.append(f"{'energy turned over':{width}}  {self.turned_over:14.6g}")
        rows.append(f"{'largest residual / turned over':{width}}  {self.relative_residual:.2e}")
        return "\n".join(rows)


def is_audit_channel(name: str) -> bool:
    """True for the work integrals and stored energies that the balance is made of."""
    return name.startswith((WORK, ENERGY)) and name != RESIDUAL


def audit(time: NDArray[np.float64], accounts: Mapping[str, NDArray[np.float64]]) -> EnergyAudit:
    """Balance the accounts.

    time: (rows,) [s]. accounts: by channel name, each (rows,) [J]: ``work_input``, ``work_output``, any other
    ``work_*`` (a loss, positive when energy is lost) and ``energy_*`` (stored). Missing ones count as zero.
    """
    zero = np.zeros(time.size)
    moved = {name: values - values[0] for name, values in accounts.items() if is_audit_channel(name) and values.size}
    works = {name.removeprefix(WORK): values for name, values in moved.items() if name.startswith(WORK)}
    energies = {name.removeprefix(ENERGY): values for name, values in moved.items() if name.startswith(ENERGY)}
    put_in, taken_out = works.pop("input", zero), works.pop("output", zero)
    residual = put_in - taken_out - sum(works.values(), zero) - sum(energies.values(), zero)
    variation = sum(float(np.abs(np.diff(values)).sum()) for values in moved.values())

    def at_end(values: NDArray[np.float64]) -> float:
        return float(values[-1]) if values.size else 0.0

    return EnergyAudit(
        duration=float(time[-1] - time[0]) if time.size else 0.0,
        input=at_end(put_in),
        output=at_end(taken_out),
        losses={name: at_end(values) for name, values in works.items()},
        stored={name: at_end(values) for name, values in energies.items()},
        residual=at_end(residual),
        largest_residual=float(np.abs(residual).max()) if residual.size else 0.0,
        turned_over=0.5 * variation,
    )

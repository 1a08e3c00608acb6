"""The energy balance of a run, from its work integrals and stored energies."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.numbers import quantity

__all__ = [
    "LOSS_NAMES",
    "NOT_ACCOUNTED_FOR",
    "OF_SHEAVES",
    "OUT_OF_BALANCE",
    "OWN_WORK",
    "PUT_IN",
    "SHAFTS",
    "TAKEN_OUT",
    "EnergyAudit",
    "audit",
    "by_sign",
    "doubtful_losses",
    "doubts",
    "is_audit_channel",
    "loss_names",
    "lost_in",
    "stored_as",
]

WORK = "work_"
ENERGY = "energy_"
RESIDUAL = "energy_residual"
SHAFTS = "shaft_work"
OWN_WORK = "own_work"
"""Name of the work of motors and loads on a rotor, in addition to that of the shaft."""

LOSS_NAMES = {
    "link_damping": "damping of the links",
    "articulation": "joints of the chain",
    "contact": "impact and damping on teeth",
    "friction": "friction on teeth",
    "bearing": "bearings and joints of bodies",
    "guide": "guides",
    "tensioner": "tensioners",
    "oil_film": "oil films",
    "friction_radial": "friction of pins along the cones",
    "friction_circumferential": "circumferential friction of pins",
    "pin_damping": "damping of the pins",
    "sheave_damping": "axial motion of sheaves",
    "tilt": "tilt of sheaves",
    "side_plates": "sides of teeth",
    "projection": "projection of positions",
}
"""Texts for the causes of losses in tables and legends, by the names of their channels (work_*, power_*)."""
OF_SHEAVES = ("friction_radial", "friction_circumferential", "pin_damping", "sheave_damping", "tilt")
"""Causes of losses that occur only in a rocker-pin chain."""
OWN_LOSS_NAMES = {
    "link": {"link_damping": "contacts of pins in bushes", "articulation": "rotation of pins in bushes"},
}
"""Texts for the causes of losses in formulations in which a channel of the same name has a different cause."""

PUT_IN, TAKEN_OUT, NOT_ACCOUNTED_FOR = "input", "output", "energy residual"
"""Names in the balance for input, output and residual."""

OUT_OF_BALANCE = 1e-3
"""Fraction of the energy exchanged that may be missing before a warning about the complete result is given. [-]"""
LOSS_ACCURACY = 0.01
"""Relative accuracy that a printed loss must have; otherwise a warning names the loss. [-]"""
LOSS_SHARE = {
    "adams": 1e-3,
    "dormand-prince": 1e-3,
    "dormand-prince-853": 1e-3,
    "leapfrog": 0.1,
    "modular": 0.2,
    "splitting": 2e-2,
    "verlet-beeman": 0.2,
}
OTHER_LOSS_SHARE = 1e-4
"""Fraction of the total loss below which no warning names a loss: by method, and for all other methods. Methods whose
step is controlled by the work integrals ensure accuracy in a different way; for 'leapfrog', 'modular', 'splitting' and
'verlet-beeman' see balance.py. [-]"""
SHARE_OF_BALANCE = {"each-loss": OTHER_LOSS_SHARE, "all-losses": 0.2}
"""Fraction of the total loss below which no warning names a loss, by the value of the solver option ``balance``; it
replaces the fraction of the method. [-]"""

ROUNDING = 1e-15
"""A loss of at most this fraction of the energy exchanged counts as zero. [-]"""
NEGLIGIBLE_RESIDUAL = 1e-8
"""A balance is correct if its residual is at most this fraction of the stored energy: in a drive that hangs at rest
almost no energy is exchanged, and the rounding errors of many steps are of the same order. [-]"""
NEGLIGIBLE_LOSS = 1e-6
"""Fraction of the energy exchanged below which a loss is also negligible, so that no warning names it. [-]"""


class EnergyAudit(NamedTuple):
    """Energy balance between the first and the last stored row. All values in J unless stated otherwise.

    input - output - (sum of losses) = (sum of changes of stored energy) + residual
    """

    duration: float
    """Duration from the first to the last stored row. [s]"""
    input: float
    """Work done on the drive by the shafts (motor and load of a wheel) and joint motions whose net work is positive."""
    output: float
    """Work taken from the drive by shafts and motions with negative net work, such as loads or a braking motor."""
    losses: Mapping[str, float]
    """Work lost, positive, by name, such as link_damping, articulation, contact or friction."""
    stored: Mapping[str, float]
    """Change of each stored energy, by name: kinetic, elastic, gravity."""
    residual: float
    """Energy unaccounted for at the end: input - output - losses - stored. (The channel energy_residual of the
    formulation has the opposite sign.)"""
    largest_residual: float
    """The largest magnitude of the residual in any stored row."""
    energy_exchanged: float
    """Energy exchanged: half of the sum, over all works and stored energies, of their total variation (the sum of all
    rises and falls from row to row). Every joule exchanged leaves one account and enters another, hence the factor of
    one half. Energy that flows back and forth between two rows is not included, so that this is a lower bound."""
    names: Mapping[str, str] = LOSS_NAMES
    """Names of the losses for tables (``loss_names``)."""
    level: float = 0.0
    """The largest magnitude of any stored energy, relative to which all stored energies are rounded."""

    @property
    def relative_residual(self) -> float:
        """The ratio largest_residual / energy_exchanged; 0 if nothing moved."""
        return self.largest_residual / self.energy_exchanged if self.energy_exchanged > 0.0 else 0.0

    @property
    def is_closed_to_rounding(self) -> bool:
        """Whether the residual is no larger than the rounding errors of the stored energies, as in a drive at rest."""
        return self.largest_residual <= NEGLIGIBLE_RESIDUAL * self.level

    @property
    def hardly_exchanges(self) -> bool:
        """Whether so little energy is exchanged that even rounding errors of the stored energies exceed the limit of
        the relative residual.
        """
        return self.relative_residual > OUT_OF_BALANCE and self.is_closed_to_rounding

    @property
    def judged(self) -> tuple[float, str]:
        """The relative residual by which the balance is judged, and text that says what it is relative to: the energy
        exchanged, or the energy stored if hardly any is exchanged.
        """
        if self.hardly_exchanges:
            stored = quantity(self.level, "J", 4)
            return (
                self.largest_residual / self.level,
                f"of the {stored} stored, which is rounding: hardly any energy is exchanged",
            )
        return self.relative_residual, f"of the {quantity(self.energy_exchanged, 'J', 4)} exchanged"

    @property
    def rows(self) -> dict[str, float]:
        """The rows of the balance by name, as in every table: input = output + losses + stored + unaccounted. [J]

        Losses that are only rounding errors have no row.
        """
        rounding = ROUNDING * self.energy_exchanged
        return {
            f"work {PUT_IN}": self.input,
            f"work {TAKEN_OUT}": self.output,
            **{self._lost_in(name): loss for name, loss in self.losses.items() if abs(loss) > rounding},
            **{stored_as(name): change for name, change in self.stored.items()},
            NOT_ACCOUNTED_FOR: self.residual,
        }

    def _lost_in(self, name: str) -> str:
        return lost_in(self.names.get(name, name.replace("_", " ")))

    def table(self) -> str:
        """The balance as aligned text, in J and as mean power in W.

        The largest residual indicates the accuracy of every loss.
        """
        width = max(len(name) for name in self.rows)
        lines = [f"{'':{width}}  {'energy [J]':>14}  {'mean power [W]':>14}"]
        for name, energy in self.rows.items():
            power = f"{energy / self.duration:14.6g}" if self.duration > 0.0 else f"{'-':>14}"
            lines.append(f"{name:{width}}  {energy:14.6g}  {power}")
        lines.append(f"{'energy exchanged':{width}}  {self.energy_exchanged:14.6g}")
        lines.append(f"{'largest residual':{width}}  {self.largest_residual:14.6g}")
        lines.append(f"{'largest residual / exchanged':{width}}  {self.relative_residual:.2e}")
        return "\n".join(lines)


def loss_names(formulation: str) -> Mapping[str, str]:
    """Return texts for the causes of losses in a formulation, by the names of the channels (work_NAME)."""
    return LOSS_NAMES | OWN_LOSS_NAMES.get(formulation, {})


def lost_in(cause: str) -> str:
    """Return the name of a loss in the balance, from the text for its cause."""
    return f"lost in {cause}"


def stored_as(name: str) -> str:
    """Return the name of the change of a stored energy in the balance; name: NAME of the channel energy_NAME."""
    return f"stored as {name.replace('_', ' ')} energy"


def is_audit_channel(name: str) -> bool:
    """Return whether a channel is a work integral or a stored energy of the balance."""
    return name.startswith((WORK, ENERGY)) and name != RESIDUAL


def by_sign(put_in: float, taken_out: float, shafts: Sequence[float] | None) -> tuple[float, float]:
    """Return input and output of a drive, both positive, in J or W. Each shaft contributes to one of them, according to
    the sign of its work.

    put_in: work of prescribed motions, as in ``work_input``; taken_out: work of loads, as in ``work_output``; shafts:
    total work of motion and load on every wheel, positive into the drive, or None if it was not stored. The remainder
    is the work of moving joints.
    """
    if shafts is None:
        parts = [put_in, -taken_out]
    else:
        total = put_in - taken_out
        joints = total - sum(shafts)
        rounding = 1e-9 * (abs(put_in) + abs(taken_out) + sum(abs(part) for part in shafts))
        parts = [*shafts, joints] if abs(joints) > rounding else [*shafts]
    return sum(part for part in parts if part > 0.0), -sum(part for part in parts if part < 0.0)


def audit(
    time: NDArray[np.float64],
    accounts: Mapping[str, NDArray[np.float64]],
    shafts: NDArray[np.float64] | None = None,
    names: Mapping[str, str] = LOSS_NAMES,
) -> EnergyAudit:
    """Compute the energy balance.

    time: (rows,) [s]. accounts: works and energies by channel name, each (rows,) [J]: ``work_input``, ``work_output``,
    any other ``work_*`` (a loss, positive when energy is lost) and ``energy_*`` (stored). Missing channels count as
    zero. shafts: the channel ``shaft_work``, (rows, W) [J]; without it all motors count as one motor, and all loads as
    one load. names: names of the losses for tables.
    """
    zero = np.zeros(time.size)
    moved = {name: values - values[0] for name, values in accounts.items() if is_audit_channel(name) and values.size}
    works = {name.removeprefix(WORK): values for name, values in moved.items() if name.startswith(WORK)}
    energies = {name.removeprefix(ENERGY): values for name, values in moved.items() if name.startswith(ENERGY)}
    put_in, taken_out = works.pop("input", zero), works.pop("output", zero)
    residual = put_in - taken_out - sum(works.values(), zero) - sum(energies.values(), zero)
    stored = {f"{ENERGY}{name}" for name in energies}
    variation = sum(float(np.abs(np.diff(values)).sum()) for values in moved.values())

    def at_end(values: NDArray[np.float64]) -> float:
        return float(values[-1]) if values.size else 0.0

    each = [float(x) for x in shafts[-1] - shafts[0]] if shafts is not None and len(shafts) else None
    given, out = by_sign(at_end(put_in), at_end(taken_out), each)
    return EnergyAudit(
        duration=float(time[-1] - time[0]) if time.size else 0.0,
        input=given,
        output=out,
        losses={name: at_end(values) for name, values in works.items()},
        stored={name: at_end(values) for name, values in energies.items()},
        residual=at_end(residual),
        largest_residual=float(np.abs(residual).max()) if residual.size else 0.0,
        energy_exchanged=0.5 * variation,
        names=names,
        level=max((float(np.abs(v).max()) for k, v in accounts.items() if k in stored and v.size), default=0.0),
    )


def doubtful_losses(audit: EnergyAudit, method: str, balance: str = "auto") -> tuple[str, ...]:
    """Return the names of the losses that may be wrong by more than LOSS_ACCURACY, as each of them may contain the
    residual. method, balance: options of the integration (``SolverOptions``).

    Energy that a method creates with too long a step or too large a tolerance appears as heat in some loss, but not as
    input; the largest residual therefore bounds the error of a loss.
    """
    share = SHARE_OF_BALANCE.get(balance, LOSS_SHARE.get(method, OTHER_LOSS_SHARE))
    total = sum(abs(loss) for loss in audit.losses.values())
    least = max(share * total, NEGLIGIBLE_LOSS * audit.energy_exchanged)
    return tuple(
        name
        for name, loss in audit.losses.items()
        if abs(loss) > least and audit.largest_residual > LOSS_ACCURACY * abs(loss)
    )


OPEN_FORMS = frozenset({"single-point", "rectangular", "circular"})
"""Forms of teeth without a surface above the half circle or the wall: their force has no potential."""


def doubts(
    audit: EnergyAudit, method: str, balance: str = "auto", forms: Callable[[], Collection[str]] = tuple
) -> tuple[str, ...]:
    """Return warnings, with advice, for a result that violates its energy balance; empty if the balance closes.

    method, balance: options of the integration (``SolverOptions``); forms: returns the forms of the teeth, if
    they are needed. ``Solution.warnings`` contains these warnings for every kind of output.
    """
    if not audit.energy_exchanged > 0.0 or audit.is_closed_to_rounding:
        return ()
    missing = quantity(audit.largest_residual, "J", 3)
    advice = _ADVICE.get(method, _ADVICE[""])
    if audit.relative_residual > OUT_OF_BALANCE:
        return (
            f"the energy residual is {missing}, {100.0 * audit.relative_residual:.2g} % of the "
            f"{quantity(audit.energy_exchanged, 'J', 3)} exchanged (0.1 % is the limit): forces, tensions and losses "
            f"may be wrong. {advice}{_advice_on(forms())}",
        )
    names = doubtful_losses(audit, method, balance)
    if not names:
        return ()
    listed = ", ".join(f"{audit.names.get(name, name)} {quantity(audit.losses[name], 'J', 3)}" for name in names)
    return (
        f"losses that may be wrong by more than 1 %: {listed}; the energy residual is {missing}. {advice.rstrip('.')}",
    )


def _advice_on(forms: Collection[str]) -> str:
    """Return advice on tooth forms that can violate the balance, after a space; empty if there are none."""
    named = sorted(OPEN_FORMS.intersection(forms))
    if not named:
        return ""
    return f" Open tooth forms ({', '.join(named)}) can violate the balance at any step: use asa-ii or iso-606"


_SHORTER = "Use a shorter step (run.solver.step), or the method dormand-prince."
_MORE_EXACT = (
    "Use smaller tolerances (a tenth of run.solver.atol_speed and atol_length; for wheels of atol_angular_speed and "
    "atol_angle)."
)
_ADVICE = {
    "leapfrog": "Use a shorter step (run.solver.step).",
    "modular": "Use shorter macro steps (run.solver.macro_step).",
    "moreau-jean": "Use a shorter step (run.solver.step).",
    "nonsmooth-alpha": "Use a shorter step (run.solver.step).",
    "splitting": _SHORTER,
    "verlet": _SHORTER,
    "verlet-beeman": _SHORTER,
    "adams": _MORE_EXACT,
    "dormand-prince": _MORE_EXACT,
    "dormand-prince-853": _MORE_EXACT,
    "generalized-alpha": _MORE_EXACT,
    "": "Use a shorter step or smaller tolerances.",
}

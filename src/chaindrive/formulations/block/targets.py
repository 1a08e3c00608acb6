"""Initial values of a run that meet targets.

Targets of high priority are met exactly, and targets of low priority as closely as is then possible.

The equations are linear. The angles and speeds of the wheels are the unknowns, except for prescribed speeds;
elongations, and tensions of taut spans, follow from them. Targets are met by least squares, one priority after the
other, within the freedom left by the targets of higher priority (weighted least squares in the limit of infinite
weights, see Bjorck, Numerical Methods for Least Squares Problems, 1996, 5.1). The remaining freedom is used to stay as
close as possible to the start without targets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from chaindrive.errors import InputError, Problem
from chaindrive.formulations.block.parameters import (
    FloatArray,
    Parameters,
)
from chaindrive.model import AngleTarget, Drive, ElongationTarget, SpeedTarget, Target, TensionTarget
from chaindrive.numbers import quantity

__all__ = ["Targets"]

DEPENDENT = 1e-9
"""Remainder of an equation, relative to its size, below which it counts as a combination of other equations. [-]"""
UNITS = {"speed": "rad/s", "angle": "rad", "elongation": "m", "tension": "N"}


class _Equation(NamedTuple):
    """The equation row @ unknowns = value, with a row of unit length. The 2 W unknowns are R theta [m], then R theta'
    [m/s].
    """

    row: FloatArray
    value: float
    name: str
    """Name of the variable, such as "speed of wheel 'motor'"."""
    unit: str
    scale: float
    shift: float
    """The variable is value times ``scale`` plus ``shift``, in its unit."""

    def text_of(self, value: float) -> str:
        """Return the variable with its unit as text, for row @ unknowns = ``value``."""
        return quantity(value * self.scale + self.shift, self.unit, 6)


class Targets:
    """The targets of one drive. Raises InputError if too many targets have high priority, or if these targets
    contradict each other.

    prescribed: speeds at the start of wheels with a motion [rad/s], with the number of the wheel as key.
    """

    def __init__(self, drive: Drive, targets: Sequence[Target], p: Parameters, prescribed: Mapping[int, float]) -> None:
        self._drive, self._targets, self._p = drive, targets, p
        self._radius = p.wheel.radius
        self._equations = [self._equation(target) for target in targets]
        motions = [SpeedTarget(wheel=int(w), value=float(speed)) for w, speed in prescribed.items()]
        self._given = [self._equation(target) for target in motions]
        self._refuse()

    def meet(self, state: FloatArray) -> tuple[FloatArray, tuple[str, ...]]:
        """Return the start state (n,), changed to meet the targets, and a description of how well it meets them
        (Rest.targeted).

        Raises InputError if a span whose tension is a target of high priority would be slack.
        """
        n = self._p.wheels
        unknown = np.concatenate([self._radius * state[:n], self._radius * state[n : 2 * n]])
        free = np.eye(2 * n)
        for level in (self._given + self._of("high"), self._of("low")):
            unknown, free = _nearest(level, unknown, free)
        self._refuse_slack(unknown)
        met = state.copy()
        met[: 2 * n] = unknown / np.tile(self._radius, 2)
        pairs = zip(self._targets, self._equations, strict=True)
        return met, tuple(_outcome(target, each, float(each.row @ unknown)) for target, each in pairs)

    def _of(self, priority: str) -> list[_Equation]:
        return [e for t, e in zip(self._targets, self._equations, strict=True) if t.priority == priority]

    def _equation(self, target: Target) -> _Equation:
        n = self._p.wheels
        row, shift = np.zeros(2 * n), 0.0
        if isinstance(target, SpeedTarget | AngleTarget):
            name = f"{target.variable} of wheel {self._drive.wheels[target.wheel].name!r}"
            row[target.wheel + (n if isinstance(target, SpeedTarget) else 0)] = 1.0 / self._radius[target.wheel]
        else:
            k, after = target.span, (target.span + 1) % n
            name = f"{target.variable} of span {k} ({self._drive.span_names[k]})"
            span = self._p.span
            stiffness, damping, offset = span.stiffness[k], span.damping[k], span.offset[k]
            if isinstance(target, ElongationTarget):
                stiffness, damping = 1.0, 0.0
            row[[after, k]], row[[n + after, n + k]] = (stiffness, -stiffness), (damping, -damping)
            shift = float(stiffness * offset)
        size = float(np.linalg.norm(row))
        return _Equation(row / size, (target.value - shift) / size, name, UNITS[target.variable], size, shift)

    def _refuse(self) -> None:
        """Refuse all targets of high priority that follow from other targets or contradict them."""
        accepted = list(self._given)
        words = [f"the prescribed {each.name} ({each.text_of(each.value)})" for each in accepted]
        problems = []
        for index, (target, each) in enumerate(zip(self._targets, self._equations, strict=True)):
            if target.priority != "high":
                continue
            parts = _parts_of(each, accepted)
            if parts is None:
                accepted.append(each)
                words.append(f"{each.name} = {each.text_of(each.value)}")
                continue
            others = [(part, other) for part, other in zip(parts, accepted, strict=True) if abs(part) > DEPENDENT]
            value = sum(part * other.value for part, other in others)
            size = abs(each.value) + sum(abs(part * other.value) for part, other in others)
            because = [word for part, word in zip(parts, words, strict=True) if abs(part) > DEPENDENT]
            reason = " and ".join(because) or "the slack of the chain"
            if abs(value - each.value) > DEPENDENT * size:
                message = f"contradicts {reason}, from which {each.text_of(value)} follows"
            else:
                message = f"is redundant as a target of high priority because it follows from {reason}"
            message += "; give one of these targets the priority 'low', or remove it"
            place = f"run.formulation.targets[{index}]"
            problems.append(Problem(place, f"{each.name} {message}", each.text_of(each.value)))
        if problems:
            raise InputError(problems)

    def _refuse_slack(self, unknown: FloatArray) -> None:
        """Refuse tensions at which a spring would have to push."""
        n, problems = self._p.wheels, []
        for index, (target, each) in enumerate(zip(self._targets, self._equations, strict=True)):
            if not isinstance(target, TensionTarget) or target.priority != "high":
                continue
            k = target.span
            elongation = unknown[(k + 1) % n] - unknown[k] + self._p.span.offset[k]
            if elongation <= 0.0:
                message = f"{each.name} cannot be met: with the other targets the span is slack by {-elongation:.4g} m"
                problems.append(Problem(f"run.formulation.targets[{index}]", message, each.text_of(each.value)))
        if problems:
            raise InputError(problems)


def _parts_of(each: _Equation, others: Sequence[_Equation]) -> FloatArray | None:
    """Return the coefficients (others,) that express an equation as a linear combination of the others; None if it is
    independent of them.
    """
    if not others:
        return None
    rows = np.array([other.row for other in others])
    parts = np.linalg.lstsq(rows.T, each.row, rcond=None)[0]
    return None if np.linalg.norm(parts @ rows - each.row) > DEPENDENT else parts


def _nearest(level: Sequence[_Equation], unknown: FloatArray, free: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Meet equations as closely as the columns of ``free`` (2 W, f) allow; return the unknowns and the remaining
    freedom (2 W, fewer).

    Of all solutions that meet them equally closely, the one that changes ``unknown`` (2 W,) least is taken.
    """
    if not level or not free.size:
        return unknown, free
    rows = np.array([each.row for each in level])
    missing = np.array([each.value for each in level]) - rows @ unknown
    left, sizes, right = np.linalg.svd(rows @ free)
    rank = int((sizes > DEPENDENT).sum())
    step = right[:rank].T @ ((left[:, :rank].T @ missing) / sizes[:rank])
    return unknown + free @ step, free @ right[rank:].T


def _outcome(target: Target, each: _Equation, value: float) -> str:
    """Return the outcome for a target as text."""
    return f"{each.name}: {each.text_of(value)}, requested {each.text_of(each.value)} (priority {target.priority})"

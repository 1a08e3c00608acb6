"""The master of a co-simulation: parts advance from one communication point to the next, where they exchange signals.

Between communication points the inputs of a part are polynomials in time: extrapolated through the last values or,
after the part that supplies them has taken the step, interpolated with the value at the end of the step. Schemes
(Kuebler and Schiehlen 2000; Arnold and Guenther 2001; Busch 2016):

- ``jacobi``: all parts take the step with extrapolated inputs.
- ``gauss-seidel``: one after the other; later parts use the outputs of earlier ones at the end of the step.
- ``iterated``: as ``gauss-seidel``, repeated with interpolated inputs until the signals at the end no longer change;
  every part must be able to go back.

A power bond consists of two signals whose product is a power. Both sides should exchange the same energy, but each uses
its own signal and a polynomial for the other signal. The difference between the energies is created by the coupling
(Sadjina, Kyllingstad, Skjong and Pedersen 2017); it is recorded in an account, and may determine the length of the next
step.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from chaindrive.contract.states import FloatArray
from chaindrive.cosimulation.signals import Signals, through
from chaindrive.cosimulation.subsystem import Subsystem, SubsystemError, can_restore, feeds_through
from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import shown

__all__ = ["EXTRAPOLATIONS", "Account", "Connection", "Coupling", "FailedPartError", "Master", "PowerBond"]

Scheme = Literal["jacobi", "gauss-seidel", "iterated"]
EXTRAPOLATIONS = {"constant": 0, "linear": 1, "quadratic": 2}
"""Degree of the polynomials, by name of the extrapolation."""
SAFETY, SHRINK, GROW = 0.9, 0.3, 1.5
"""Factors of the step control: safety factor on the step that would just meet the tolerance, and limits of the change
from one step to the next. [-]
"""
FIRST = 1.0 / 64.0
"""First macro step if a tolerance is given, relative to the longest; the energy that a step creates is not yet known.
[-]"""
SHORTEST = 2.0**-12
"""Shortest macro step, relative to the longest. [-]"""
SIMPSON = ((0.0, 1.0 / 6.0), (0.5, 4.0 / 6.0), (1.0, 1.0 / 6.0))
"""Points within a step and their weights in Simpson's rule."""


class Connection(NamedTuple):
    """An output of a part that is an input of another part."""

    source: str
    output: str
    target: str
    input: str
    factor: float = 1.0
    """Factor from the output to the input, such as the ratio of a gearbox."""


class PowerBond(NamedTuple):
    """Two outputs whose product is the power that one part (``source``) supplies to another (``target``)."""

    name: str
    source: str
    effort: str
    """Output of the source: a torque or force."""
    target: str
    flow: str
    """Output of the target: a speed."""
    factor: float = 1.0
    """Factor of both connections: the power is factor x effort x flow."""


@dataclass(frozen=True)
class Coupling:
    """How parts exchange their signals."""

    step: float
    """The macro step; with a tolerance, the longest one. [s]"""
    scheme: Scheme = "gauss-seidel"
    extrapolation: str = "linear"
    """A name in EXTRAPOLATIONS."""
    tolerance: float | None = None
    """Power that the coupling may create at a bond, relative to the largest power at this bond; None: all steps are
    equal. [-]"""
    iterations: int = 20
    """Largest number of iterations of a step in the iterated scheme."""
    change: float = 1e-9
    """The iteration ends when no signal changes by more than this from one iteration to the next, relative to its size.
    [-]"""


@dataclass
class Account:
    """Energy that has been exchanged over a power bond. [J]"""

    transferred: float = 0.0
    """Work that the source has done on the target."""
    exchanged: float = 0.0
    """Sum of the magnitudes of this work, step by step."""
    made: float = 0.0
    """Energy that the target received in excess of what the source supplied, created by the coupling; negative if
    energy was lost."""
    largest_power: float = 0.0
    """[W]"""


class FailedPartError(Exception):
    """A part could not take a step, or no suitable step was found; ``part`` is the name of the part."""

    def __init__(self, part: str, reason: str) -> None:
        super().__init__(reason)
        self.part, self.reason = part, reason


@dataclass
class _Points:
    """The last communication points, the latest at the end: their times [s], and the outputs of all parts at these
    times.
    """

    times: list[float] = field(default_factory=list)
    values: list[FloatArray] = field(default_factory=list)

    def add(self, time: float, values: FloatArray) -> None:
        self.times, self.values = [*self.times[-2:], time], [*self.values[-2:], values]


class Master:
    """Parts by name, in the order in which they take a step, and their connections.

    Raises InputError with all errors: unknown names, inputs with no signal or with several, outputs that depend on each
    other at the same instant, parts that cannot repeat a step in an iterated scheme.
    """

    def __init__(
        self,
        parts: Mapping[str, Subsystem],
        connections: Sequence[Connection],
        coupling: Coupling,
        bonds: Sequence[PowerBond] = (),
        time: float = 0.0,
    ) -> None:
        _check(parts, connections, coupling, bonds)
        self.parts: dict[str, Any] = dict(parts)
        self.coupling, self.bonds, self.time = coupling, tuple(bonds), time
        names = [(name, output) for name, part in parts.items() for output in part.outputs]
        self._own = {name: [k for k, (whose, _) in enumerate(names) if whose == name] for name in parts}
        given = {(c.target, c.input): names.index((c.source, c.output)) for c in connections}
        factors = {(c.target, c.input): c.factor for c in connections}
        self._wired = {name: [given[name, x] for x in part.inputs] for name, part in parts.items()}
        self._factors = {name: np.array([factors[name, x] for x in part.inputs]) for name, part in parts.items()}
        self._effort = [names.index((b.source, b.effort)) for b in bonds]
        self._flow = [names.index((b.target, b.flow)) for b in bonds]
        self.accounts = {bond.name: Account() for bond in bonds}
        self.next_step = coupling.step if coupling.tolerance is None else FIRST * coupling.step
        self.steps = self.sweeps = 0
        self._degree = EXTRAPOLATIONS[coupling.extrapolation]
        self._restorable = all(can_restore(part) for part in parts.values())
        self._points = _Points()

    @property
    def ready(self) -> bool:
        """Return whether the signals at the start are known."""
        return bool(self._points.times)

    @property
    def outputs(self) -> FloatArray:
        """Outputs of all parts at the last communication point, in the order of the parts."""
        return self._points.values[-1]

    def begin(self) -> None:
        """Read the outputs of all parts at their start. Raises FailedPartError."""
        self._points = _Points()
        nothing = np.zeros(sum(map(len, self._own.values())))
        self._points.add(self.time, self._read(self._read(nothing, self.time), self.time))

    def advance(self, until: float) -> None:
        """Take one macro step, at most to ``until`` [s]; the last step ends exactly there. Raises FailedPartError."""
        start = self.time
        left = until - start
        step = min(self.next_step, left)
        if left - step < 1e-6 * step:
            step = left
        elif left < 1.5 * step:  # no crumb is left
            step = 0.5 * left
        end = until if step == left else start + step
        values, seen = self._steps(start, end)
        self.time = end
        error = self._book(start, end, values, seen)
        self._points.add(end, values)
        self.steps += 1
        if self.coupling.tolerance is not None:
            factor = SAFETY * max(error, 1e-12) ** (-1.0 / (self._degree + 1))
            wanted = step * min(max(factor, SHRINK), GROW)
            self.next_step = min(max(wanted, SHORTEST * self.coupling.step), self.coupling.step)

    def _steps(self, start: float, end: float) -> tuple[FloatArray, dict[str, Signals]]:
        """Advance all parts from start to end [s]; return all outputs at the end and the signals as used."""
        iterated = self.coupling.scheme == "iterated"
        # Where there is but one point to extrapolate from, each repetition wins an order instead.
        raised = self._degree if len(self._points.times) == 1 and self._restorable else 0
        sweeps = self.coupling.iterations if iterated else 1 + raised
        ahead = self._polynomial(None, end)
        guess = before = ahead.at(end)
        scale = np.abs(self.outputs)
        saved = {name: self._asked(name, part.save) for name, part in self.parts.items()} if sweeps > 1 else {}
        for k in range(sweeps):
            self.sweeps += 1
            if k:
                for name, part in self.parts.items():
                    self._asked(name, part.restore, saved[name])
            values, seen = self._sweep(start, end, ahead, guess, self.coupling.scheme != "jacobi")
            scale = np.maximum(scale, np.abs(values))
            if np.all(np.abs(values - guess) <= self.coupling.change * scale) or (not iterated and k == sweeps - 1):
                return values, seen
            ahead, before, guess = self._polynomial(values, end), guess, values
        worst = int(np.argmax(np.abs(values - before) / np.maximum(scale, 1e-300)))
        name = next(name for name, own in self._own.items() if worst in own)
        reason = (
            f"its signals still changed after {self.coupling.iterations} iterations of a step of {end - start:.3g} s"
        )
        raise FailedPartError(name, reason)

    def _sweep(
        self, start: float, end: float, ahead: Signals, guess: FloatArray, known: bool
    ) -> tuple[FloatArray, dict[str, Signals]]:
        """Advance every part once, and return all outputs and the signals that each part used; if ``known``, parts use
        the outputs of earlier parts at the end of the step.
        """
        values, coefficients, seen = guess.copy(), ahead.coefficients.copy(), {}
        for name, part in self.parts.items():
            wired, own = self._wired[name], self._own[name]
            seen[name] = Signals(start, coefficients.copy())
            inputs = Signals(start, self._factors[name] * coefficients[:, wired])
            self._asked(name, part.step, start, end - start, inputs)
            if known:
                values[own] = self._outputs_of(name, end, self._factors[name] * values[wired])
                coefficients[:, own] = self._polynomial(values, end).coefficients[:, own]
        return self._read(values, end), seen

    def _polynomial(self, values: FloatArray | None, end: float) -> Signals:
        """Return all signals over a step as polynomials through their last values, and through the values at the end if
        these are known.
        """
        times, points = self._points.times, self._points.values
        since = times[-1]
        if values is None:
            count = min(self._degree + 1, len(times))
            found = through(times[-count:], np.array(points[-count:]), since)
        elif self._degree == 0:
            found = Signals(since, values[None].copy())
        else:
            count = min(self._degree, len(times))
            found = through([*times[-count:], end], np.array([*points[-count:], values]), since)
        padded = np.zeros((self._degree + 1, found.coefficients.shape[1]))
        padded[: len(found.coefficients)] = found.coefficients
        return Signals(since, padded)

    def _read(self, values: FloatArray, time: float) -> FloatArray:
        """Return the outputs of all parts at a time [s]; outputs that depend on inputs at the same instant are read
        last.
        """
        found = values.copy()
        for name in sorted(self.parts, key=lambda each: feeds_through(self.parts[each])):
            inputs = self._factors[name] * found[self._wired[name]]
            found[self._own[name]] = self._outputs_of(name, time, inputs)
        return found

    def _outputs_of(self, name: str, time: float, inputs: FloatArray) -> FloatArray:
        """Return the outputs of a part, (outputs,), at a time [s]. Raises FailedPartError if its answer is not a finite
        number for each.
        """
        part = self.parts[name]
        answer = self._asked(name, part.read, time, inputs)
        outputs = f"its outputs are {', '.join(part.outputs)}" if part.outputs else "it has no outputs"
        try:
            values = np.asarray(answer, dtype=np.float64).reshape(-1)
        except Exception as error:  # of a stranger
            raise FailedPartError(name, f"read returned {shown(answer)}, {outputs}") from error
        if answer is None or len(values) != len(part.outputs):
            returned = "None" if answer is None else f"{len(values)} value{'s' * (len(values) != 1)}"
            raise FailedPartError(name, f"read returned {returned}, {outputs}")
        if not np.isfinite(values).all():
            raise FailedPartError(name, "an output is not a finite number")
        return values

    def _asked(self, name: str, method: Any, *arguments: Any) -> Any:
        """Return the result of calling a method of a part. Raises FailedPartError with its name for any error."""
        try:
            return method(*arguments)
        except FailedPartError:
            raise
        except SubsystemError as error:
            raise FailedPartError(name, str(error)) from error
        except Exception as error:  # of a stranger
            raise FailedPartError(name, f"{type(error).__name__}: {error}") from error

    def _book(self, start: float, end: float, values: FloatArray, seen: Mapping[str, Signals]) -> float:
        """Enter a step into the accounts, and return the largest ratio of created to allowed power. seen: the signals
        that each part used.

        The true course of a signal is approximated by its last values and the value at the end, one point more than any
        of the polynomials used.
        """
        step, worst = end - start, 0.0
        real = through([*self._points.times, end], np.array([*self._points.values, values]), start)
        at = [(weight, start + x * step, real.at(start + x * step)) for x, weight in SIMPSON]
        for bond, effort, flow in zip(self.bonds, self._effort, self._flow, strict=True):
            account, scaled = self.accounts[bond.name], step * bond.factor
            given = scaled * sum(weight * own[effort] * seen[bond.source].at(t)[flow] for weight, t, own in at)
            got = scaled * sum(weight * seen[bond.target].at(t)[effort] * own[flow] for weight, t, own in at)
            account.transferred += got
            account.exchanged += abs(got)
            account.made += got - given
            account.largest_power = max(
                account.largest_power, *(abs(bond.factor * own[effort] * own[flow]) for _, _, own in at)
            )
            if account.largest_power > 0.0 and self.coupling.tolerance is not None:
                allowed = self.coupling.tolerance * account.largest_power * step
                worst = max(worst, abs(got - given) / allowed)
        return worst

    def state(self) -> dict[str, FloatArray]:
        """Return the arrays from which the master can continue; they do not include the states of the parts."""
        numbers = [self.time, self.next_step, self.steps, self.sweeps]
        accounts = [[a.transferred, a.exchanged, a.made, a.largest_power] for a in self.accounts.values()]
        return {
            "numbers": np.array(numbers, dtype=np.float64),
            "times": np.array(self._points.times),
            "values": np.array(self._points.values),
            "accounts": np.array(accounts).reshape(-1, 4),
        }

    def restore(self, arrays: Mapping[str, FloatArray]) -> None:
        """Continue from ``state``. Raises ValueError if it does not fit."""
        if arrays["accounts"].shape != (len(self.bonds), 4) or arrays["values"].shape[1:] != (
            sum(map(len, self._own.values())),
        ):
            raise ValueError("the coupled machines have different signals")
        self.time, self.next_step = (float(x) for x in arrays["numbers"][:2])
        self.steps, self.sweeps = (int(x) for x in arrays["numbers"][2:])
        self._points = _Points([float(x) for x in arrays["times"]], [row.copy() for row in arrays["values"]])
        for account, row in zip(self.accounts.values(), arrays["accounts"].tolist(), strict=True):
            account.transferred, account.exchanged, account.made, account.largest_power = row


def _check(
    parts: Mapping[str, Subsystem], connections: Sequence[Connection], coupling: Coupling, bonds: Sequence[PowerBond]
) -> None:
    """Raise InputError with everything that is wrong with a co-simulation."""
    problems: list[Problem] = []
    places = [(c.source, c.output, "outputs", f"connections[{k}]") for k, c in enumerate(connections)]
    places += [(c.target, c.input, "inputs", f"connections[{k}]") for k, c in enumerate(connections)]
    places += [(b.source, b.effort, "outputs", f"bonds[{k}]") for k, b in enumerate(bonds)]
    places += [(b.target, b.flow, "outputs", f"bonds[{k}]") for k, b in enumerate(bonds)]
    for name, signal, which, place in places:
        if name not in parts:
            problems.append(Problem(place, f"there is no such part; available: {', '.join(parts)}", repr(name)))
        elif signal not in getattr(parts[name], which):
            known = ", ".join(getattr(parts[name], which)) or "none"
            problems.append(Problem(place, f"part {name!r} has the {which} {known}", repr(signal)))
    targets = [(c.target, c.input) for c in connections]
    for name, part in parts.items():
        for each in part.inputs:
            if (times := targets.count((name, each))) != 1:
                problems.append(Problem(f"{name}.{each}", f"an input needs one signal; this one has {times}"))
        if coupling.scheme == "iterated" and not can_restore(part):
            message = (
                "cannot go back to repeat a step, as the scheme 'iterated' requires; use 'gauss-seidel' or 'jacobi'"
            )
            problems.append(Problem(name, message))
        if coupling.tolerance is not None and getattr(part, "equal_steps", False):
            message = "needs equal macro steps: give run.coupling.step, and no tolerance"
            problems.append(Problem(name, message))
    for c in connections:
        if all(name in parts and feeds_through(parts[name]) for name in (c.source, c.target)):
            message = f"the outputs of {c.source!r} and {c.target!r} would depend on each other at the same instant"
            problems.append(Problem(f"{c.target}.{c.input}", message))
    if not 0.0 < coupling.step < math.inf:
        problems.append(Problem("step", "the macro step must be finite and above 0, in seconds", repr(coupling.step)))
    if coupling.scheme not in ("jacobi", "gauss-seidel", "iterated"):
        problems.append(Problem("scheme", "must be 'jacobi', 'gauss-seidel' or 'iterated'", repr(coupling.scheme)))
    if coupling.extrapolation not in EXTRAPOLATIONS:
        message = f"must be one of {', '.join(EXTRAPOLATIONS)}"
        problems.append(Problem("extrapolation", message, repr(coupling.extrapolation)))
    if problems:
        raise InputError(problems)

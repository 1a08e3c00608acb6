"""A run with a fixed step, divided into sections: a section that violates the energy balance is repeated with a shorter
step, and the step grows again when a shorter step is no longer required. Sections are short where the step is in
question, so that little is repeated and the step soon grows again.

The step is halved, or shortened less if the residual is known to fall with the square of the step
(``balance.Exactness``), and halved again if that is not enough. State, contact memory and rows of a rejected section
are discarded, so that the section leaves no trace in the run. A step that was shortened, for the balance or for
contacts, grows between two sections, as far as the residual and the frequencies of the section before permit, but never
beyond the first step of the run. Decisions depend only on steps and rows, never on the clock, so an interrupted run
continues bit for bit.

If several sections in succession require steps so short that another method takes less time, the sections end, and the
run continues with that method (``Stretches.left``).
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.numbers import quantity
from chaindrive.results.balance import Balance, allowed, exactness_of
from chaindrive.simulation.steady import SteadyWatch
from chaindrive.solvers.integrator import METHODS, Integrator

__all__ = ["Instead", "Stretches"]

SHORTEST_SECTION, LONGEST_SHORTENED, LONGEST_SECTION = 1024, 4096, 32_768
"""Number of steps in the section after a change of the step; largest number of steps in a section while the step is
shortened, and otherwise, at the start as well. Sections double in length as long as the step does not change."""
MOST_CUTS = 10
"""Largest number of times the balance may shorten the step of a run before it grows again."""
AIM = 0.8
"""Residual that another step is expected to give, relative to the permitted residual. [-]"""
ROOM = 0.9
ROOM_OF = {"verlet-beeman": 0.8}
"""Largest product of step and frequency after the step has grown, relative to the product above which it is shortened
[-], and for methods in which damping limits the step more than it contributes to this frequency."""
WORTHWHILE, MOST_GROWTH = 1.1, 2.0
"""Smallest and largest factor by which the step grows at a time. [-]"""
MEMORY = 32.0
"""Number of accepted sections after which a step that was too long may be tried again."""
COSTLY_STEPS = 3 * LONGEST_SECTION
"""Number of steps in successive sections with a step that is too short to be worthwhile, after which the method is
left."""
TRIALS = 3
"""Number of repetitions of one section after which the residual must have fallen; otherwise the run continues with the
previous step."""
BROUGHT = 0.5
"""The residual of the section per unit of time must fall below this fraction of its value with every repetition. [-]"""
MOST_SET_ASIDE = 3 * LONGEST_SECTION
"""The balance is ignored after sections with this number of steps in total that no shorter step has improved: some
forces, such as those of open tooth forms, have no potential energy."""
UNSTABLE = 2.0
"""Product of step and frequency above which velocity Verlet is unstable. [-]"""
ADVICE = "use a shorter one (run.solver.step), or the method dormand-prince"

FloatArray = NDArray[np.float64]


@dataclass
class _StepFacts:
    """Record of the changes of the step in a run so far."""

    first_step: float
    """Step at the start of the run. [s]"""
    steps_taken_back: float = 0.0
    cuts: float = 0.0
    set_aside: float = 0.0
    """Number of steps in sections that no shorter step has improved."""
    first_time: float = math.inf
    """Time at which the step was first cut. [s]"""
    last_time: float = 0.0
    """Time at which the step was last cut. [s]"""
    shortest: float = math.inf
    """Shortest step at the end of a section. [s]"""
    lengthened: float = 0.0
    """Number of times that the step has grown."""
    cuts_before: float = 0.0
    """Number of cuts before the step last grew."""
    grown_from: float = 0.0
    grown_to: float = 0.0
    """Steps before and after it last grew; 0 once a section with the longer step has been accepted. [s]"""
    too_long: float = math.inf
    """Step to which it grew without success; infinite if there is none, or not for a long time. [s]"""
    since: float = 0.0
    """Number of sections accepted since then."""
    costly: float = 0.0
    """Number of steps in sections accepted in succession whose step was too short to be worthwhile."""
    left: float = math.inf
    """Time at which the method was left; infinite if it was not. [s]"""
    section: float = LONGEST_SECTION
    """Number of steps in the next section."""
    shortest_section: float = SHORTEST_SECTION
    """Number of steps in a section after a change of the step. It doubles if a section is too short for its balance to
    show whether a shorter step is better."""


class Instead(NamedTuple):
    """The method that takes less time if steps are too short to be worthwhile."""

    method: str
    least_step: float
    """Shortest step that is worthwhile. [s]"""


class _Beginning(NamedTuple):
    """State at the beginning of a section."""

    time: float
    """Time. [s]"""
    integrator: dict[str, NDArray[Any]]
    watch: dict[str, NDArray[Any]] | None
    balance: Balance
    facts: _StepFacts
    step: float
    """Step. [s]"""
    steps: int
    end: int
    """Number of steps of the run at the beginning and at the end of the section."""


class Stretches:
    """Mediator between an integrator and the results: rows pass through it, and it can hold them back.

    active: if False, every row is passed on immediately and the step never changes, but the balance is still computed.
    method, balance: these solver options. instead: the method that may be used instead, or None. ``pack`` converts
    rows, (n, row_size), which the integrator will overwrite, into the part that is passed on; its second argument is
    the number of rows that are already waiting to be passed on.
    """

    def __init__(
        self,
        system: System,
        integrator: Integrator,
        watch: SteadyWatch | None,
        active: bool,
        method: str,
        balance: str = "auto",
        instead: Instead | None = None,
    ) -> None:
        self.pack: Callable[[FloatArray, int], Any] = lambda rows, waiting: rows.copy()
        self._exactness = exactness_of(method, balance)
        self._largest_product = ROOM_OF.get(method, ROOM) * METHODS[method].largest_step_times_frequency
        self._system, self._watch = system, watch
        self.integrator = integrator
        """The integrator of the run; whoever replaces it lets it take over from this one."""
        self.balance = Balance(system.channels)
        self._active, self.instead = active, instead
        self._held: list[tuple[FloatArray, Any]] = []
        self._begun: _Beginning | None = None
        self._first_pace = 0.0
        self._shorter = 1.0
        self._trials = 0
        self._set_aside = False
        self._facts = _StepFacts(integrator.step, section=LONGEST_SECTION, shortest_section=SHORTEST_SECTION)

    @property
    def over(self) -> bool:
        """Whether the current section is complete."""
        return self._begun is not None and self.integrator.statistics.steps >= self._begun.end

    def budget(self, steps: int) -> int:
        """Return the given number of steps, or the number until the balance is next looked at if that is smaller; a
        section is begun if there is none.
        """
        if not self._active or self.left:
            return steps
        if self._begun is None:
            self.integrator.begin_section()
            self._begun = self._now()
        taken = self.integrator.statistics.steps - self._begun.steps
        return min(steps, max(1, min(_next_look(taken), self._begun.end - self._begun.steps) - taken))

    @property
    def _at_look(self) -> bool:
        """Whether the balance is looked at now, before the end of a section (``_next_look``)."""
        assert self._begun is not None
        taken = self.integrator.statistics.steps - self._begun.steps
        return taken == _next_look(taken - 1)

    def judge(self, status: Status) -> Status:
        """Accept the rows of the integrator; at the end of a section, accept or reject it. A section is also rejected
        before its end if it can no longer meet its limit, and ends early if contacts have shortened its step, so that
        the step can grow again.

        Returns the status, which is RUNNING if the section is to be run again.
        """
        times, rows = self.integrator.take_rows(copied=False)
        if times.size:
            self.balance.add(times, rows)
            self._held.append((times, self.pack(rows, sum(held.size for held, _ in self._held))))
        if self._begun is None:
            return status
        ends = status != Status.RUNNING or self.over
        if not ends and (self._set_aside or not self._at_look):
            return status
        balance, facts = self.balance, self._facts
        if not ends:
            self.balance = balance.copy()
        self._add_present()
        missed, permitted = self._missed(status, ends)
        if missed > 0.0 and facts.cuts - facts.cuts_before < MOST_CUTS and facts.set_aside < MOST_SET_ASIDE:
            pace = missed / max(self.integrator.time - self._begun.time, self.integrator.step)
            if self._trials == 0:
                self._first_pace = pace
                self._shorter = float(np.clip(math.sqrt(AIM * permitted), 0.5, self._exactness.gentlest))
                self._note_failure()
            if not self._set_aside:
                self._take_back(pace)
                return Status.RUNNING
        shortened = self.integrator.step < self._begun.step
        if not ends and not (shortened and self._missed(status, True)[0] == 0.0):
            self.balance = balance
            return status
        if status == Status.RUNNING:
            self._count_costly()
            if not self._set_aside and not self.left:
                self._lengthen()
            self._choose_section(self._begun.step)
        self._trials, self._set_aside, self._begun = 0, False, None
        return status

    def _note_failure(self) -> None:
        """Take note that a section must be repeated. If the step has just grown, it will be as it was before."""
        facts = self._facts
        if facts.grown_from > 0.0:
            facts.too_long, facts.since = facts.grown_to, 0.0
            self._shorter = max(self._shorter, facts.grown_from / facts.grown_to)

    def _count_costly(self) -> None:
        """Take note of the step of an accepted section, and leave the method after too many costly sections."""
        facts, integrator = self._facts, self.integrator
        facts.shortest = min(facts.shortest, integrator.step)
        costly = self.instead is not None and integrator.step < self.instead.least_step
        facts.costly = facts.costly + facts.section if costly else 0.0
        if facts.costly >= COSTLY_STEPS and integrator.settled:
            facts.left = integrator.time

    def _choose_section(self, before: float) -> None:
        """Choose the length of the next section; before: step at the beginning of the section just accepted [s]."""
        facts, step = self._facts, self.integrator.step
        if self._set_aside:
            facts.shortest_section = min(2.0 * facts.section, LONGEST_SECTION)
        longest = LONGEST_SECTION if step == facts.first_step else max(LONGEST_SHORTENED, facts.shortest_section)
        facts.section = min(2.0 * facts.section, longest) if step == before else facts.shortest_section

    def _lengthen(self) -> None:
        """Let the step grow after an accepted section, if it was shortened and the section permits this."""
        facts, integrator = self._facts, self.integrator
        missed, permitted = self._of_section()
        step, cuts = integrator.step, integrator.cuts
        facts.grown_from = facts.grown_to = 0.0
        facts.since += 1.0
        if facts.since >= MEMORY or step >= facts.too_long:
            facts.too_long = math.inf
        longest = min(facts.first_step, MOST_GROWTH * step, math.sqrt(step * facts.too_long))
        if cuts.highest_asked > 0.0:
            longest = min(longest, self._largest_product / cuts.highest_asked)
        if missed > 0.0:
            longest = min(longest, math.sqrt(AIM * permitted / missed) * step)
        if longest < min(WORTHWHILE * step, facts.first_step) or longest == step or cuts.largest_asked > UNSTABLE:
            return
        integrator.lengthen(longest)
        facts.lengthened += 1.0
        facts.cuts_before = facts.cuts
        facts.grown_from, facts.grown_to = step, longest

    @property
    def left(self) -> bool:
        """Whether the run has left the method of the sections; another integrator must then replace the present one."""
        return self._facts.left < math.inf

    @property
    def _last_step(self) -> float:
        """Last step of the method of the sections. [s]"""
        return self._facts.shortest if self.left else self.integrator.step

    @property
    def within(self) -> bool:
        """Whether a section is in progress and its rows are held back."""
        return self._begun is not None

    def take(self) -> list[tuple[FloatArray, Any]]:
        """Return the rows that have passed since the last call: their times [s], and the results of ``pack`` for
        them.
        """
        if self._begun is not None:
            return []
        found, self._held = self._held, []
        return found

    def stop(self) -> list[tuple[FloatArray, Any]]:
        """End the run within a section, and return the rows of the section, which have not been checked.

        The checkpoint must be saved before this call; a run resumed from it begins the section again.
        """
        self._begun = None
        return self.take()

    @property
    def since(self) -> float:
        """Time to which :meth:`checkpoint` refers. [s]"""
        return self.integrator.time if self._begun is None else self._begun.time

    def checkpoint(self) -> dict[str, NDArray[Any]]:
        """Return the data needed to continue from the end of the last section: arrays of the integrator, the watch and
        the balance, by name.
        """
        begun = self._begun or self._now()
        arrays = {f"solve{k}": v for k, v in begun.integrator.items()}
        arrays |= {f"watch{k}": v for k, v in (begun.watch or {}).items()}
        arrays |= {f"balance_{k}": v for k, v in begun.balance.state().items()}
        return arrays | {"step_facts": np.array(list(vars(begun.facts).values()))}

    @staticmethod
    def left_in(arrays: Mapping[str, NDArray[Any]]) -> bool:
        """Return whether a run had left the method of its sections when this checkpoint was made."""
        return _facts_in(arrays).left < math.inf

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Restore the data of ``checkpoint``, to continue from there."""
        self._begun, self._held, self._trials, self._set_aside = None, [], 0, False
        self.integrator.restore({k[5:]: v for k, v in arrays.items() if k.startswith("solve")})
        if self._watch is not None:
            self._watch.restore({k[5:]: v for k, v in arrays.items() if k.startswith("watch")})
        self.balance.restore({k[8:]: v for k, v in arrays.items() if k.startswith("balance_")})
        self._facts = _facts_in(arrays)

    def _now(self) -> _Beginning:
        watch = None if self._watch is None else {k: v.copy() for k, v in self._watch.state().items()}
        integrator, balance, facts = self.integrator, self.balance.copy(), copy.copy(self._facts)
        steps = integrator.statistics.steps
        end = steps + int(facts.section)
        return _Beginning(integrator.time, integrator.snapshot(), watch, balance, facts, integrator.step, steps, end)

    def _add_present(self) -> None:
        """Add the present state to the balance, unless a row has already done so."""
        time = self.integrator.time
        if self.balance.begun and time > self.balance.last_time[0]:
            self.balance.add(np.array([time]), self._system.row(time, self.integrator.state)[None])

    def _missed(self, status: Status, ends: bool) -> tuple[float, float]:
        """Return the residual of the balance in the section [J]: 0 if the section or the run so far is acceptable,
        infinite if the state is not a number. Also return the fraction of this residual, or of the residual of the run
        so far, that would be acceptable (the larger of the two) [-].

        ends: whether the section ends here; if not, the limits are those expected at its end, in proportion to the
        number of steps.
        """
        if status == Status.NOT_A_NUMBER:
            return math.inf, 0.0
        now, begun, steps = self.balance, self._begun, self.integrator.statistics.steps
        assert begun is not None
        missed, permitted = self._of_section()
        permitted_so_far = max(
            allowed(now.energy_exchanged, now.losses, self._exactness), now.rounding(now.energy_exchanged)
        )
        if not ends:
            permitted *= (begun.end - begun.steps) / (steps - begun.steps)
            permitted_so_far *= begun.end / steps
        if missed <= permitted or abs(now.residual) <= permitted_so_far:
            return 0.0, 1.0
        return missed, max(permitted / missed, permitted_so_far / abs(now.residual))

    def _of_section(self) -> tuple[float, float]:
        """Return the residual of the section, and the residual that would be acceptable. [J]"""
        assert self._begun is not None
        now, before = self.balance, self._begun.balance
        turned, lost = now.energy_exchanged - before.energy_exchanged, np.abs(now.losses - before.losses)
        return abs(now.residual - before.residual), max(allowed(turned, lost, self._exactness), now.rounding(turned))

    def _take_back(self, pace: float) -> None:
        """Return to the beginning of the section, to repeat it with a shorter step, or with the previous step if
        shorter steps did not help.

        pace: residual of the section per unit of time [W].
        """
        begun, facts = self._begun, self._facts
        assert begun is not None
        facts.steps_taken_back += self.integrator.statistics.steps - begun.steps
        self._go_back(begun)
        if self._trials >= TRIALS and math.isfinite(pace) and not pace < BROUGHT**self._trials * self._first_pace:
            facts.cuts -= self._trials
            facts.set_aside += facts.section
            self._set_aside = True
            return
        self._trials += 1
        facts.cuts += 1
        facts.first_time, facts.last_time = min(facts.first_time, self.integrator.time), self.integrator.time
        self.integrator.shorten(self._shorter * 0.5 ** (self._trials - 1))

    def statistics(self) -> dict[str, Any]:
        """Return facts about the step for the statistics of the solution; empty if the step was not changed."""
        facts, cuts = self._facts, self.integrator.cuts
        if not (facts.cuts or cuts.number or facts.steps_taken_back):
            return {}
        why = []
        if cuts.number:
            why.append(f"for contacts {_when(cuts.first, cuts.last)}")
        if facts.cuts:
            why.append(f"for the energy balance {_when(facts.first_time, facts.last_time)}")
        notes: dict[str, Any] = {}
        if why:
            steps = facts.first_step, min(facts.shortest, self._last_step), self._last_step
            before, shortest, last = (quantity(step, "s", 3) for step in steps)
            again = f"; lengthened again, to {last} at the end" if facts.lengthened else ""
            if self.left and self.instead is not None:
                again = f"; from t = {facts.left:.4g} s by {self.instead.method}, which takes less time than such steps"
            notes["shortened"] = f"from {before} to {shortest}, {' and '.join(why)}{again}"
        return notes | ({"steps_taken_back": int(facts.steps_taken_back)} if facts.steps_taken_back else {})

    def notes(self) -> dict[str, Any]:
        """Return the step at the start and at the end of the run, if it was shortened."""
        notes = self.statistics()
        if "shortened" not in notes:
            return {}
        return {"step_first": float(self._facts.first_step), "step_last": float(self._last_step)}

    def warnings(self) -> tuple[str, ...]:
        """Return warnings about a step that is too long for the contacts of the run."""
        asked, step = self.integrator.cuts.largest_asked, self._last_step
        if not asked > UNSTABLE:
            return ()
        limit = quantity(UNSTABLE * step / asked, "s", 2)
        return (
            f"the step of {quantity(step, 's', 3)} is too long for the stiffest contact of this run ({limit}): "
            f"{ADVICE}",
        )

    def _go_back(self, begun: _Beginning) -> None:
        self.integrator.restore(begun.integrator)
        if self._watch is not None and begun.watch is not None:
            self._watch.restore(begun.watch)
        self.balance = begun.balance.copy()
        self._held = []


def _next_look(taken: int) -> int:
    """Return the number of steps of a section, above ``taken``, at which the balance is next looked at: that of the
    shortest section, and again whenever it has doubled.
    """
    look = SHORTEST_SECTION
    while look <= taken:
        look *= 2
    return look


def _facts_in(arrays: Mapping[str, NDArray[Any]]) -> _StepFacts:
    """Return the record of changes of the step in a checkpoint."""
    return _StepFacts(*arrays["step_facts"].tolist())


def _when(first: float, last: float) -> str:
    """Return a text with one time, or with the first and the last of several times."""
    if first == last:
        return f"at t = {first:.4g} s"
    return f"between t = {first:.4g} and {last:.4g} s"

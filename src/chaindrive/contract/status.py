"""Status of an integration: the codes that ``accept`` returns, and the reason why a run ended, with advice.

Kernels return these codes, so this module imports nothing from the package.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import ClassVar

__all__ = ["FIRST_FAILURE", "FORMULATION_ENDINGS", "Accepted", "Status"]


class Accepted(IntEnum):
    """Codes that ``accept`` returns if the run continues."""

    UNCHANGED = 0
    LIMIT_CHANGED = 1
    REARRANGED = 2
    RHS_CHANGED = 3


@dataclass(frozen=True)
class Status:
    """Status of an integration, or the reason why it stopped. ``advice`` states what to do.

    General statuses are attributes of this class (``Status.REACHED_END``); endings due to the physics of a formulation
    are data of that formulation (``Story.endings``), with codes from FORMULATION_ENDINGS on. Two statuses are equal if
    their names are equal.
    """

    name: str
    code: int = field(compare=False)
    """Code that kernels return; codes from FIRST_FAILURE on end the run."""
    meaning: str = field(compare=False)
    """One sentence that states what happened."""
    advice: str = field(default="", compare=False)
    """What to try; empty if nothing is wrong."""
    where: str = field(default="", compare=False)
    """Where it happened: a wheel, roller, link ..., such as "roller 12 on wheel 'driver'"; empty if it did not happen
    at a particular place.
    """

    RUNNING: ClassVar[Status]
    REACHED_END: ClassVar[Status]
    INTERRUPTED: ClassVar[Status]
    NOT_A_NUMBER: ClassVar[Status]
    STEP_TOO_SMALL: ClassVar[Status]
    TOO_MANY_STEPS: ClassVar[Status]
    CONTACTS_NOT_SOLVED: ClassVar[Status]
    TOO_MANY_CONTACTS: ClassVar[Status]
    MACHINE_FAILED: ClassVar[Status]
    GENERAL: ClassVar[tuple[Status, ...]]
    """Statuses that apply to every formulation."""

    @property
    def description(self) -> str:
        """What happened, and where."""
        return f"{self.meaning} It happened at {self.where}." if self.where else self.meaning

    @property
    def failed(self) -> bool:
        """Whether the run ended before the requested end for a numerical or physical reason."""
        return self.code >= FIRST_FAILURE


FIRST_FAILURE, FORMULATION_ENDINGS = 10, 20
Status.GENERAL = (
    Status("RUNNING", 0, "The run is in progress."),
    Status("REACHED_END", 1, "The run reached its end."),
    Status("INTERRUPTED", 2, "The run was interrupted.", "chaindrive run --resume continues from the last checkpoint."),
    Status(
        "NOT_A_NUMBER",
        10,
        "A state became NaN or infinite.",
        "With Verlet, use a smaller step; otherwise look for a stiffness or mass that is wrong by a power of ten.",
    ),
    Status(
        "STEP_TOO_SMALL",
        11,
        "The step required by the tolerance became smaller than the rounding of time.",
        "Increase the absolute tolerances, or look for a part that is far stiffer than the others.",
    ),
    Status(
        "TOO_MANY_STEPS",
        12,
        "The largest number of steps was reached.",
        "Raise run.solver.max_steps, or find out why the steps are so small (chaindrive info prints their statistics).",
    ),
    Status(
        "CONTACTS_NOT_SOLVED",
        13,
        "The complementarity problem of the rigid contacts was not solved.",
        "Look for masses that differ by many orders of magnitude, or use run.formulation.contacts = 'compliant'.",
    ),
    Status(
        "TOO_MANY_CONTACTS",
        14,
        "More rigid contacts were closed at the same time than one step can handle.",
        "Use run.formulation.contacts = 'compliant': rigid contacts are for chains with up to a few hundred rollers "
        "in contact.",
    ),
    Status(
        "MACHINE_FAILED",
        15,
        "A machine coupled to the drive failed.",
        "Results up to that time are kept. Look for the cause in the machine, or try a shorter run.coupling.step.",
    ),
)
for _status in Status.GENERAL:
    setattr(Status, _status.name, _status)

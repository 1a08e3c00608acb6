"""The part that is moved until a chain with a given number of links closes: a wheel, or a body with everything that it
carries.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from pydantic import Field

from chaindrive.errors import Problem
from chaindrive.model.base import Model, Name, Quantity

__all__ = ["AUTO", "STAND_IN", "Closing", "Fitted"]

AUTO = "auto"
"""Value of the key ``links`` if the number of links follows from the route."""


class Closing(Model):
    """Moves one wheel, or one body in its joint, from its drawn position until the chain closes.

    The solution nearest to the drawing is used. Exactly one of ``wheel`` and ``body`` is given, and at most one of
    ``slack`` and ``sag``; with neither of these, the chain is just taut.
    """

    wheel: Name | None = Field(None, description="Name of the wheel that is moved, such as one on a sliding motor.")
    direction: Annotated[float, Quantity("rad", least=-10, most=10)] | None = Field(
        None,
        description="Direction along which the wheel is moved, counter-clockwise from the x axis; default: the "
        "direction that tightens the chain most.",
    )
    body: Name | None = Field(
        None,
        description="Name of a body that is turned about its revolute joint or shifted along its prismatic joint, "
        "together with its wheels, guides, tensioner ends and the bodies on it. The drive is then drawn in the "
        "resulting position.",
    )
    slack: Annotated[float, Quantity("m", least=0, most=10)] | None = Field(
        None,
        description="Required slack: chain length minus the length of its path around wheels and rails, in the plane.",
    )
    sag: Annotated[float, Quantity("m", least=0, most=10)] | None = Field(
        None,
        description="Instead of slack: sag of the longest span if all the slack is in this span, whose shape is taken "
        "as a parabola: slack = 8/3 sag^2 / span.",
    )


STAND_IN = 100
"""Number of links assumed while the actual number is unknown. [-]"""


class Fitted(NamedTuple):
    """The fields of a drive with the values determined for its chains; each chain is identified by its path, "" or
    "stages[0].".
    """

    fields: dict[str, Any]
    follows: frozenset[str]
    """The chains whose number of links follows from the route."""
    unknown: frozenset[str]
    """The chains whose number of links follows from the route, but was not found."""
    problems: tuple[Problem, ...]
    complete: bool
    """Whether the values could be determined for all chains, because no part had a problem."""

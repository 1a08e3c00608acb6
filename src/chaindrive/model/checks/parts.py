"""The input of the cross-checks: the valid parts of a drive, even if other parts are invalid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chaindrive.model.body import Body
from chaindrive.model.chain import Chain
from chaindrive.model.contact import Contact
from chaindrive.model.guide import Guide
from chaindrive.model.payload import Payload
from chaindrive.model.preload import Preload
from chaindrive.model.run import Run
from chaindrive.model.tensioner import Tensioner
from chaindrive.model.wheel import Wheel

__all__ = ["Parts"]


class Parts(NamedTuple):
    """The parts of a drive; None if missing or invalid."""

    chain: Chain | None
    wheels: Sequence[Wheel | None]
    contact: Contact | None
    preload: Preload | None
    run: Run | None
    bodies: Sequence[Body | None] = ()
    guides: Sequence[Guide | None] = ()
    tensioners: Sequence[Tensioner | None] = ()
    wrong_bodies: frozenset[str] | None = frozenset()
    """Names of the invalid bodies; None if some of them also lack a name."""
    payloads: Sequence[Payload | None] = ()
    driven_behind: bool = False
    """Whether a rotor, or a wheel of a stage, drives the chain."""
    joined: bool = False
    """Whether there are stages or rotors."""

    def present_wheels(self) -> Iterator[tuple[int, Wheel]]:
        """Return the valid wheels, each with its index."""
        return ((index, wheel) for index, wheel in enumerate(self.wheels) if wheel is not None)

    def present_bodies(self) -> Iterator[tuple[int, Body]]:
        """Return the valid bodies, each with its index."""
        return ((index, body) for index, body in enumerate(self.bodies) if body is not None)

    def present_guides(self) -> Iterator[tuple[int, Guide]]:
        """Return the valid guides, each with its index."""
        return ((index, guide) for index, guide in enumerate(self.guides) if guide is not None)

    def present_tensioners(self) -> Iterator[tuple[int, Tensioner]]:
        """Return the valid tensioners, each with its index."""
        return ((index, tensioner) for index, tensioner in enumerate(self.tensioners) if tensioner is not None)

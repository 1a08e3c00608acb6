"""What modular integration requires of a system: its mechanism as a separate module under given chain forces.

The state y is defined in ``states.py``. Chain and mechanism exchange generalised forces, each with the speed along
which it does work: the forces on every surface that the chain touches, and on every anchor of its ends.

    mechanism(t, y, dy, force, p)   writes the rates of the mechanism's states (``Modules.places``) under these forces
                             (f,); reads only these states, and may leave anything in the scratch arrays of p
    forces(p, force)         writes the forces of the last evaluation into force (f,); changes nothing else
    power(y, force, p) -> float   power of given forces on the mechanism, with the motion of the last evaluation, which
                             was at exactly this y [W]; changes nothing
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from chaindrive.contract.states import IntArray

if TYPE_CHECKING:
    from chaindrive.contract.system import System

__all__ = ["ModularKernels", "Modules"]


class ModularKernels(NamedTuple):
    """The compiled functions; the docstring of the module describes them."""

    mechanism: Callable[..., None]
    forces: Callable[..., None]
    power: Callable[..., float]


class Modules(NamedTuple):
    """The division of a system into its chain and its mechanism."""

    places: IntArray
    """Indices of the states of the mechanism, without work states, (m,); all other positions and velocities belong to
    the chain."""
    forces: int
    """Number f of forces that are exchanged."""
    chain_alone: Callable[[System], System]
    """The same system with the step limits of only the chain, for a mechanism whose motion is given."""

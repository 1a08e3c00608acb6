"""Requirements of modular integration: the mechanism of a system as a separate module, under given chain forces.

The state y is that of ``states.py``. Chain and mechanism exchange generalised forces, each with the speed along which
it does work: those on every surface that the chain touches, and on every anchor of its ends.

    mechanism(t, y, dy, force, p)   writes the rates of the mechanism's states (``Modules.places``) under these forces
                             (f,); reads only those states, and may leave anything in the scratch arrays of p
    forces(p, force)         writes these forces as they were in the last evaluation into force (f,); changes nothing
    power(y, force, p) -> float   power of such forces on the mechanism, with the motion of the last evaluation, which
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
    """The compiled functions, see the module."""

    mechanism: Callable[..., None]
    forces: Callable[..., None]
    power: Callable[..., float]


class Modules(NamedTuple):
    """Division of a system into its chain and its mechanism."""

    places: IntArray
    """States of the mechanism, works excepted; all other positions and velocities are the chain's, (m,)."""
    forces: int
    """Number f of forces that are exchanged."""
    chain_alone: Callable[[System], System]
    """The same system with the step limits of the chain alone, for a mechanism whose motion is given."""

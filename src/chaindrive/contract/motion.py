"""Data of a system for an integrator, in addition to its kernels and its state, and the start of a motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chaindrive.contract.states import TOLERANCES, FloatArray, IntArray, Kind

if TYPE_CHECKING:
    from chaindrive.contract.system import System

__all__ = ["ChainPlaces", "Motion"]


class ChainPlaces(NamedTuple):
    """Indices of the velocities of a chain whose links act on their neighbours, and on wheels and mechanism."""

    velocities: IntArray
    """(links, coordinates of a link), neighbours one after another."""
    reach: int = 1
    """Number of links on each side that a link acts on, in an evaluation in motion: 2 where the joints of links without
    inertia resist turning."""


@dataclass(frozen=True)
class Motion:
    """Start of the motion of a system, and the limits of its steps. Only ``rolling`` is required."""

    rolling: FloatArray
    """Velocities of a drive that rolls kinematically at its start speed, shape (n_v,); zero for a start at rest."""
    rolling_past: Callable[[FloatArray], FloatArray] | None = None
    """Function from the state at rest, if that is not the placed one, to its ``rolling`` velocities; None:
    unchanged.
    """
    highest_frequency: float = 0.0
    """Frequency that limits an explicit step: c + sqrt(c^2 + w^2), with w the highest undamped angular frequency and c
    the highest damping rate (damping over mass) of the linear parts. Velocity Verlet is stable up to 2 divided by it. 0
    if unknown: a method with a fixed step then requires the step to be given. [rad/s]"""
    linearised_frequency: float = 0.0
    """Highest frequency of the equations linearised at the start, to one per cent, if the value above is a bound; 0 if
    it is unknown. [rad/s]"""
    settling_rate: float = 0.0
    """The highest rate of states that decay by themselves, such as oil pressures, where it is known; twice this rate
    also limits a step. [1/s]
    """
    undamped_frequency: float = 0.0
    """The w in ``highest_frequency``; 0 if it is not known separately from damping. [rad/s]"""
    damping_rate: float = 0.0
    """The c in ``highest_frequency``, where w is known. [1/s]"""
    coupling_frequency: float = 0.0
    """The highest frequency of the mechanism on its contacts with a chain at rest; 0 if there is none, or if it is
    unknown. Macro steps of modular integration are no longer than its reciprocal. [rad/s]"""
    chatter_rate: float = 0.0
    """For friction on teeth that is smoothed over the speed: the acceleration with which it holds a roller in its seat,
    divided by the speed of the chain; infinite if the chain is stationary, 0 without such friction. Multiplied by a
    step that does not resolve the slope of this friction, it is the speed with which a roller in its seat swings back
    and forth, divided by that of the chain. [1/s]"""
    frequency_at: Callable[[FloatArray], float] | None = None
    """``highest_frequency`` with the tensions of a state, if they exceed the expected ones."""
    stops: FloatArray = field(default_factory=lambda: np.zeros(0))
    """Times at which the right-hand side has a kink (end of a ramp): a step ends there. [s]"""
    chains: tuple[ChainPlaces, ...] = ()
    """Indices of the velocities of chains. Nothing is assumed about all others, or in a system without chains: implicit
    steps then solve for them with a dense matrix."""
    tolerances: Mapping[Kind, float] = field(default_factory=lambda: TOLERANCES)
    """Absolute tolerance of every kind of state, if the solver settings omit it."""
    integrated: Callable[[System], System] | None = None
    """Function from the system at its start to the same system in its coordinates of integration; None: unchanged."""

    @property
    def frequency_and_damping(self) -> tuple[float, float]:
        """An undamped frequency w and a damping rate c whose c + sqrt(c^2 + w^2) is ``highest_frequency`` or more; both
        0 where they are not known separately. [rad/s, 1/s]
        """
        highest, w = self.highest_frequency, min(self.undamped_frequency, self.highest_frequency)
        return (w, max(self.damping_rate, 0.5 * (highest - w * w / highest))) if w > 0.0 else (0.0, 0.0)

    def limited_by(self, highest_frequency: float) -> Motion:
        """The motion with another ``highest_frequency`` [rad/s], whose parts by frequency and damping are not known."""
        return replace(self, highest_frequency=highest_frequency, undamped_frequency=0.0, damping_rate=0.0)

"""Data that a system provides for an integrator in addition to its kernels and its state, and the start of a motion."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chaindrive.contract.states import TOLERANCES, FloatArray, IntArray, Kind

if TYPE_CHECKING:
    from chaindrive.contract.system import System

__all__ = ["ChainPlaces", "Motion"]


class ChainPlaces(NamedTuple):
    """Indices of the velocities of a chain whose links act on their neighbours and on wheels and mechanism."""

    velocities: IntArray
    """(links, coordinates of a link); neighbouring links follow each other."""
    reach: int = 1
    """Number of links on each side on which a link acts when the chain moves; 2 if joints of links without inertia
    resist bending."""


@dataclass(frozen=True)
class Motion:
    """The start of the motion of a system, and the limits of its steps. Only ``rolling`` is required."""

    rolling: FloatArray
    """Velocities of a drive that rolls kinematically at its start speed, shape (n_v,); zero for a start at rest."""
    rolling_past: Callable[[FloatArray], FloatArray] | None = None
    """Function that returns the ``rolling`` velocities for a state at rest that differs from the state as placed; None:
    unchanged.
    """
    highest_frequency: float = 0.0
    """Frequency that limits an explicit step: c + sqrt(c^2 + w^2), with w the highest undamped angular frequency and c
    the highest damping rate (damping divided by mass) of the linear parts. Velocity Verlet is stable for steps up to 2
    divided by this frequency. 0 if unknown: a method with a fixed step then requires the step to be given. [rad/s]"""
    linearised_frequency: float = 0.0
    """Highest frequency of the equations linearised at the start, accurate to one per cent, if the value above is only
    a bound; 0 if unknown. [rad/s]"""
    settling_rate: float = 0.0
    """Highest rate of states that decay by themselves, such as oil pressures, if known; the reciprocal of twice this
    rate also limits a step. [1/s]
    """
    undamped_frequency: float = 0.0
    """The w in ``highest_frequency``; 0 if it is not known separately from damping. [rad/s]"""
    damping_rate: float = 0.0
    """The c in ``highest_frequency``, if w is known. [1/s]"""
    coupling_frequency: float = 0.0
    """Highest frequency of the mechanism on its contacts with a chain at rest; 0 if there is no mechanism or the
    frequency is unknown. Macro steps of modular integration are no longer than the reciprocal of this frequency.
    [rad/s]"""
    chatter_rate: float = 0.0
    """For friction on teeth that is smoothed at low speeds: the acceleration with which it holds a roller in its seat,
    divided by the speed of the chain; infinite if the chain is stationary, 0 without such friction. Multiplied by a
    step that does not resolve the slope of this friction, it gives the speed at which a roller oscillates in its seat,
    relative to the speed of the chain. [1/s]"""
    frequency_at: Callable[[FloatArray], float] | None = None
    """Function that returns ``highest_frequency`` for the tensions of a state, if they exceed the expected tensions."""
    fitted: Callable[[System], System] | None = None
    """Function that returns the system with the step, and the springs that it must resolve, for the tensions of its
    state; None: unchanged."""
    stops: FloatArray = field(default_factory=lambda: np.zeros(0))
    """Times at which the right-hand side has a kink (end of a ramp), so that a step must end there. [s]"""
    chains: tuple[ChainPlaces, ...] = ()
    """Indices of the velocities of chains. Nothing is assumed about other velocities: implicit steps solve for them
    with a dense matrix."""
    tolerances: Mapping[Kind, float] = field(default_factory=lambda: TOLERANCES)
    """Absolute tolerance of every kind of state, used if the solver settings omit it."""
    braked: Callable[[System, float], System] | None = None
    """Function that returns the system with bearings that exert a torque on the driver from the start [N m], as far as
    their friction allows; the driver stands still. None if friction of bearings does not stick."""
    integrated: Callable[[System], System] | None = None
    """Function that returns the system in its coordinates of integration from the system at its start; None:
    unchanged."""

    @property
    def frequency_and_damping(self) -> tuple[float, float]:
        """An undamped frequency w and a damping rate c for which c + sqrt(c^2 + w^2) is at least ``highest_frequency``;
        both are 0 if they are not known separately. [rad/s, 1/s]
        """
        highest, w = self.highest_frequency, min(self.undamped_frequency, self.highest_frequency)
        return (w, max(self.damping_rate, 0.5 * (highest - w * w / highest))) if w > 0.0 else (0.0, 0.0)

    def limited_by(self, highest_frequency: float) -> Motion:
        """Return the motion of a part of the system with its own ``highest_frequency`` W [rad/s].

        The damping rate c of the part is at most that of the whole. Of all frequencies and damping rates with
        c + sqrt(c^2 + w^2) = W, those with the highest possible c limit a step most (verlet_beeman.py).
        """
        w, c = self.undamped_frequency, self.damping_rate
        if w > 0.0 and highest_frequency < self.highest_frequency:
            c = min(c, 0.5 * highest_frequency)
            w = math.sqrt(highest_frequency * (highest_frequency - 2.0 * c))
        return replace(self, highest_frequency=highest_frequency, undamped_frequency=w, damping_rate=c)

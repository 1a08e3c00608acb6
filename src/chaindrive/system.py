"""The contract between a formulation (what moves) and a solver (when). Neither side knows more than this file.

A formulation compiles a drive into a :class:`System`; a solver advances its state. See
``docs/decisions/0001-the-contract-between-formulation-and-solver.md`` for how the five formulations meet it.

State ``y``, one flat array of float64 in three parts:

    y = [ q (positions, n_q) | v (velocities, n_v) | w (other first-order states, n_w: work integrals) ]

so that one array serves Runge-Kutta methods and geometric integrators alike. dq/dt = v, unless the formulation has the
kernel ``rates`` (quaternions with angular velocities): only then may n_q and n_v differ.

Kernels (compiled, see ``kernels.py``), with p the NamedTuple of parameters of the formulation:

    rhs(t, y, dy, p)         writes dy/dt; leaves its contact quantities in the scratch arrays of p
    accept(t, y, p) -> int   called once for every accepted step, directly after an rhs at just this (t, y), when the
                             rows that fall into the step have been recorded with the memory that held during it;
                             the only place where memory in p (impact speeds, tooth gaps, candidates) changes.
                             Returns Accepted.UNCHANGED, Accepted.RHS_CHANGED (dy must be evaluated again before it is
                             used) or the value of a Status (10 and above) that ends the run.
    record(t, y, p, row)     writes all channels at (t, y) into one row; may call rhs, changes no memory
    begin(t, y, p) -> int    sets all memory for a state from which a run or a search for rest starts; answers alike
    frequency(y, p) -> float what limits an explicit step now (as System.highest_frequency does), from what the last
                             evaluation, at just this y, left in the scratch arrays; changes nothing. May be left out.
    rates(q, v, dq, p)       writes dq/dt, linear in v; changes nothing. Left out where dq/dt = v; otherwise ``rhs``
                             writes the same into its first n_q places.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from operator import attrgetter
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Accepted",
    "Channel",
    "Holds",
    "Kept",
    "Kernels",
    "Kind",
    "Precision",
    "Statics",
    "Status",
    "System",
    "channel_named",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Kind(IntEnum):
    """What a state is, so that a solver can hold an absolute tolerance for each kind."""

    LENGTH = 0  # m
    ANGLE = 1  # rad
    SPEED = 2  # m/s
    ANGULAR_SPEED = 3  # rad/s
    WORK = 4  # J, integrated along; steers the step by its share of the work done so far, see solvers/runge_kutta.py
    PRESSURE = 5  # Pa


class Accepted(IntEnum):
    """What ``accept`` answers when the run goes on."""

    UNCHANGED = 0
    RHS_CHANGED = 1


class Status(IntEnum):
    """Every way in which an integration can stop. Values from 10 on end the run; ``advice`` says what to do."""

    RUNNING = 0
    REACHED_END = 1
    INTERRUPTED = 2
    NOT_A_NUMBER = 10
    STEP_TOO_SMALL = 11
    TOO_MANY_STEPS = 12
    CHAIN_JUMPED_TOOTH = 20
    CHAIN_LEFT_WHEEL = 21
    TENSION_ABOVE_BREAKING_LOAD = 22
    PENETRATION_TOO_DEEP = 23

    @property
    def meaning(self) -> str:
        """One sentence: what happened."""
        return _STATUS_TEXT[self][0]

    @property
    def advice(self) -> str:
        """One sentence: what to try; empty when nothing is wrong."""
        return _STATUS_TEXT[self][1]

    @property
    def failed(self) -> bool:
        """True when the run ended before the wanted end for a numerical or physical reason."""
        return self >= 10


_STATUS_TEXT: dict[Status, tuple[str, str]] = {
    Status.RUNNING: ("The run is going on.", ""),
    Status.REACHED_END: ("The run reached its end.", ""),
    Status.INTERRUPTED: ("The run was interrupted.", "chaindrive run --resume goes on from the last checkpoint."),
    Status.NOT_A_NUMBER: (
        "A state became not-a-number or infinite.",
        "With Verlet take a smaller step; otherwise look for a stiffness or mass that is off by a power of ten.",
    ),
    Status.STEP_TOO_SMALL: (
        "The step needed for the tolerance fell below the rounding of time.",
        "Loosen the absolute tolerances, or look for a contact far stiffer than the links.",
    ),
    Status.TOO_MANY_STEPS: (
        "The largest number of steps was reached.",
        "Raise solver.max_steps, or find out what makes the steps so small (chaindrive info prints their statistics).",
    ),
    Status.CHAIN_JUMPED_TOOTH: (
        "A roller moved from one tooth gap into another while pressed against the wheel: the chain jumped a tooth.",
        "Raise the preload, lower the load, or use a tooth form with flanks (asa-ii, iso-606). "
        'run.formulation.on_jump = "continue" goes on and counts.',
    ),
    Status.CHAIN_LEFT_WHEEL: (
        "A wheel has lost all its rollers: the chain left it.",
        "Check route, side and preload with chaindrive check; start with a slower ramp.",
    ),
    Status.TENSION_ABOVE_BREAKING_LOAD: (
        "A link tension exceeded the breaking load of the chain.",
        "The real chain would have broken here. Remove chain.breaking_load to simulate beyond it.",
    ),
    Status.PENETRATION_TOO_DEEP: (
        "A roller was pressed into a wheel by more than a quarter of its diameter, or into a guide beyond its deepest.",
        "The contact is too soft for the load, or the step too large: raise contact.stiffness or lower the step. "
        "A guide of rubber may yield more: raise its deepest.",
    ),
}


Kept = Literal["always", "standard", "on request"]
Holds = Literal["quantity", "count", "index"]
Precision = Literal["single", "double"]


class Channel(NamedTuple):
    """One named output of a formulation."""

    name: str
    dims: tuple[str, ...]
    """Dimensions after time, such as ("roller", "axis"); empty for one number per instant."""
    unit: str
    description: str
    offset: int
    """Where it starts in a row of ``record``."""
    shape: tuple[int, ...]
    kept: Kept = "standard"
    """When results hold it: whatever was selected, unless something else was selected, or only when it is asked for."""
    holds: Holds = "quantity"
    """A quantity; how many of something there are; or the number of a thing, -1 for none."""
    precision: Precision = "double"
    """With how many digits results hold it: 7 (single) or 16, unless the run asks for double throughout."""

    @property
    def size(self) -> int:
        """How many numbers of a row it takes."""
        return math.prod(self.shape)

    @property
    def whole(self) -> bool:
        """Whether its numbers are whole ones, of which no mean can be taken."""
        return self.holds != "quantity"

    def read(self, rows: FloatArray) -> FloatArray:
        """Its numbers in rows of ``record``, (..., row_size) -> (..., *shape). A view where numpy can give one."""
        return rows[..., self.offset : self.offset + self.size].reshape((*rows.shape[:-1], *self.shape))


def channel_named(channels: Iterable[Channel], name: str) -> Channel:
    """The channel of this name. Raises KeyError where the formulation has none."""
    for channel in channels:
        if channel.name == name:
            return channel
    raise KeyError(name)


class Kernels(NamedTuple):
    """The compiled functions of a formulation (see the module docstring)."""

    rhs: Callable[..., None]
    accept: Callable[..., int]
    record: Callable[..., None]
    begin: Callable[..., int]
    frequency: Callable[..., float] | None = None
    rates: Callable[..., None] | None = None


class Statics(NamedTuple):
    """The compiled functions that the search for rest uses where a formulation has them, see ``bordered.py``.

    Without them the stiffness is taken by differences of ``rhs``.
    """

    forces: Callable[..., None]
    """(t, y, p, force): generalised forces at y, (n_q,), zero where a motion is prescribed [N, N m]"""
    stiffness: Callable[..., None]
    """(t, y, p, matrix, convex): minus their derivative by the positions into a ``Bordered``; directly after ``forces``
    at this y. convex: leave out what can make it indefinite."""
    links: Callable[[Any], int]
    """(p): how many links the chain has; it need not be compiled"""
    leeway: Callable[..., None]
    """(p, free, near, limit): how far each link may go in one step, (links,): at most ``free``, and a part ``near`` of
    its distance from what it may touch; directly after ``forces`` [m]"""


@dataclass(frozen=True)
class System:
    """A drive compiled into one formulation: everything that a solver, the results and the statics need."""

    kernels: Kernels
    parameters: Any
    """NamedTuple of numbers and arrays that the kernels read."""
    memory: tuple[str, ...]
    """Fields of ``parameters`` that are changed by ``accept``; a checkpoint holds them. A dot leads into a NamedTuple
    within; the last names differ."""
    state: FloatArray
    """The start, at rest, shape (n_q + n_v + n_w,)."""
    rolling: FloatArray
    """Velocities of a drive that rolls kinematically at its start speed, shape (n_v,); zero for a start at rest."""
    positions: int
    """n_q."""
    kinds: IntArray
    """Kind of every state, shape (n_q + n_v + n_w,)."""
    channels: tuple[Channel, ...]
    labels: Mapping[str, tuple[str, ...]]
    """Names along dimensions that have them, such as {"wheel": ("crankshaft", "camshaft"), "axis": ("x", "y")}."""
    highest_frequency: float
    """What limits an explicit step: c + sqrt(c^2 + w^2), with w the highest undamped angular frequency and c the
    highest damping rate (damping over mass) of the linear parts. Velocity Verlet is stable up to 2 divided by it.
    [rad/s]"""
    stops: FloatArray
    """Instants at which a right-hand side has a kink (end of a ramp): a step ends there. [s]"""
    colours: IntArray
    """Colour of every velocity for coloured differences, shape (n_v,); displacements of one colour share no equation
    except in the dense border, colour -1 marks the border (wheels), whose columns are taken one by one."""
    masses: FloatArray
    """Mass or inertia of every velocity, shape (n_v,); infinite where the motion is prescribed. [kg, kg m^2]"""
    neighbours: IntArray = field(default_factory=lambda: np.empty((0, 0), np.int64))
    """Rows (equations) that every displacement enters, shape (n_v, k), padded with -1; the border is left out, for it
    couples to everything. No two displacements of one colour share a row. May be left out when all colours are -1.
    ``colouring.chain_colouring`` makes both for a closed chain."""
    statics: Statics | None = None
    """For a closed chain of three links or more. Positions are laid out in blocks: one coordinate of all links, the
    next of all links, ..., then the border, whose ``colours`` are -1."""
    force_scale: float = 1.0
    """The largest force of a link or contact to be expected at rest, to which forces that are left are compared. [N]"""
    searched: Any = None
    """Parameters with which a rest is searched, where those of the run refuse positions that may lie on the way there
    (a roller that slips over a tooth); None: those of the run. Shares memory and scratch."""
    softened: Callable[[float, float], Any] | None = None
    """Parameters with links and contacts softer by these factors, sharing memory and scratch with ``parameters``."""
    dragged: Any = None
    """Parameters in which only what rubs in one sense acts while the drive runs (guides, joints, bearings, loads), so
    that forces at rest can be balanced with it; None where nothing does. Shares memory and scratch."""
    name_of: Callable[[int], str] = "position {}".format
    """What a position is the position of, in words: "roller 12", "wheel 'driver'"."""
    intrusion: float = 0.0
    """How far obstacles reach into the placed chain, when that is too far to start a search for rest from. [m]"""
    hold_back: Callable[[float, float], None] | None = None
    """Make obstacles stand back from their places [m], and push out what lies behind their places by so much [m], too;
    twice 0 puts them where they belong."""
    frequency_at: Callable[[FloatArray], float] | None = None
    """``highest_frequency`` with the tensions that a state has, where they exceed those that were expected."""
    rolling_past: Callable[[FloatArray], FloatArray] | None = None
    """From the state at rest among the obstacles, what ``rolling`` is there."""
    findings: Callable[[FloatArray], tuple[dict[str, Any], tuple[str, ...]]] | None = None
    """From the state at the end of a run, and the memory as it is then: notes and warnings about what happened."""
    warnings: tuple[str, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    """Facts worth keeping with the results: placing, static equilibrium, tuned preload."""

    @property
    def velocities(self) -> int:
        """n_v."""
        return self.rolling.size

    @property
    def row_size(self) -> int:
        """Length of a row of ``record``."""
        last = self.channels[-1]
        return last.offset + last.size

    def channel(self, name: str) -> Channel:
        """The channel of this name. Raises KeyError where the formulation has none."""
        return channel_named(self.channels, name)

    def row(self, time: float, state: FloatArray) -> FloatArray:
        """All channels at a state (2 n_q + n_w,) and time [s], as ``record`` writes them; changes no memory."""
        row = np.zeros(self.row_size)
        self.kernels.record(time, state, self.parameters, row)
        return row

    def memory_arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays that ``accept`` changes, by name (views, not copies)."""
        return {name.rpartition(".")[2]: attrgetter(name)(self.parameters) for name in self.memory}

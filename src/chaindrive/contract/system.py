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
                             used) or the code of an ending of the formulation (``System.endings``).
    record(t, y, p, row)     writes all channels at (t, y) into one row; may call rhs, changes no memory
    begin(t, y, p) -> int    sets all memory for a state from which a run or a search for rest starts; answers alike
    frequency(y, p) -> float what limits an explicit step now (as System.highest_frequency does), from what the last
                             evaluation, at just this y, left in the scratch arrays; changes nothing. May be left out.
    rates(q, v, dq, p)       writes dq/dt, linear in v; changes nothing. Left out where dq/dt = v; otherwise ``rhs``
                             writes the same into its first n_q places.
    speeds(q, dq, v, p)      the other way: writes the v with which ``rates`` comes nearest to dq, by least squares. May
                             be left out; it spares the search for rest a dense system of linear equations.
    margin(p) -> float       directly after an rhs: how far off an ending is that is met to the instant (a limit of a
                             tension), as a part of the limit; not above 0 where it is reached. A step that leads there
                             is cut short at the instant, and ``accept`` then answers the ending. May be left out.
    forces(t, y, p, force)   generalised forces, (n_v,), zero where a motion is prescribed. May be left out where the
                             mass matrix is diagonal: only then is mass times acceleration a force.
    drift(y, h, p)           the free motion of a time h [s], by no forces, of positions and velocities in y, in place
    inertial(y, dy, factor, p)   adds to dv/dt in dy the accelerations, times a factor, that velocities have in free
                             motion; ``rhs`` has them once. Both are for the method "splitting", and left out where free
                             motion is q + h v.
    mass(t, y, p, matrix)    mass matrix of the border (the velocities of colour -1; those of the chain are not coupled
                             to it by mass), (b, b), which the modes ask for. May be left out where it is diagonal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from operator import attrgetter
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.errors import ComputationError
from chaindrive.kernels.tables import arrays_in

__all__ = [
    "FIRST_FAILURE",
    "FORMULATION_ENDINGS",
    "TOLERANCES",
    "Accepted",
    "Channel",
    "Holds",
    "Kept",
    "Kernels",
    "Kind",
    "ModeShares",
    "Port",
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
    MACHINE = 6  # state of a motor or governor over its reference value, without unit


TOLERANCES: Mapping[Kind, float] = {
    Kind.LENGTH: 1e-8,
    Kind.ANGLE: 1e-8,
    Kind.SPEED: 1e-4,
    Kind.ANGULAR_SPEED: 1e-4,
    Kind.PRESSURE: 10.0,
    Kind.MACHINE: 1e-6,
}
"""Absolute tolerance of every kind of state, in its unit; works are held relative to themselves."""


class Accepted(IntEnum):
    """What ``accept`` answers when the run goes on."""

    UNCHANGED = 0
    RHS_CHANGED = 1


@dataclass(frozen=True)
class Status:
    """How an integration stands, or why it stopped. ``advice`` says what to do.

    The general ones are attributes of this class (``Status.REACHED_END``); the endings that the physics of a
    formulation has are data of that formulation (``System.endings``), with codes from FORMULATION_ENDINGS on. Two are
    equal when their names are.
    """

    name: str
    code: int = field(compare=False)
    """What kernels answer; from FIRST_FAILURE on it ends the run."""
    meaning: str = field(compare=False)
    """One sentence: what happened."""
    advice: str = field(default="", compare=False)
    """What to try; empty when nothing is wrong."""
    where: str = field(default="", compare=False)
    """The wheel, roller, link ... that it happened at: "roller 12 on wheel 'driver'"; empty where nothing is told."""

    RUNNING: ClassVar[Status]
    REACHED_END: ClassVar[Status]
    INTERRUPTED: ClassVar[Status]
    NOT_A_NUMBER: ClassVar[Status]
    STEP_TOO_SMALL: ClassVar[Status]
    TOO_MANY_STEPS: ClassVar[Status]
    GENERAL: ClassVar[tuple[Status, ...]]
    """The general ones, whichever formulation runs."""

    @property
    def told(self) -> str:
        """What happened, and where."""
        return f"{self.meaning} It happened at {self.where}." if self.where else self.meaning

    @property
    def failed(self) -> bool:
        """True when the run ended before the wanted end for a numerical or physical reason."""
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
        "With Verlet use a smaller step; otherwise look for a stiffness or mass that is wrong by a power of ten.",
    ),
    Status(
        "STEP_TOO_SMALL",
        11,
        "The step required by the tolerance became smaller than the rounding of time.",
        "Increase the absolute tolerances, or look for a part far stiffer than the others.",
    ),
    Status(
        "TOO_MANY_STEPS",
        12,
        "The largest number of steps was reached.",
        "Raise solver.max_steps, or find out why the steps are so small (chaindrive info prints their statistics).",
    ),
)
for _status in Status.GENERAL:
    setattr(Status, _status.name, _status)


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


class ModeShares(NamedTuple):
    """Which part of a drive takes how much of the kinetic energy of M modes."""

    part: tuple[str, ...]
    """Names: "crankshaft - tightener along", "... across", wheels (with what lies on them), bodies that move."""
    share: FloatArray
    """Shape (M, parts), every row sums to 1."""
    kind: tuple[str, ...]
    """What each part is: "span", "wheel", "joint", or "part" where the formulation does not say."""

    def largest(self, mode: int) -> tuple[str, float]:
        """Name and share of the part that moves most."""
        best = int(np.argmax(self.share[mode]))
        return self.part[best], float(self.share[mode, best])


class Port(NamedTuple):
    """A wheel of a system that a shaft can be joined to, see ``joined.py``."""

    running: Any
    """``mechanism.torque_kernels.Running`` of the wheels, the table that the parameters of the system hold."""
    wheel: int
    """Its row there."""
    angle: int
    """Where its angle stands in the state; its speed stands n_q behind."""
    accounts: tuple[int, int, int]
    """Where the work put in, the work taken out, and that of its own shaft stand in w."""


class Kernels(NamedTuple):
    """The compiled functions of a formulation (see the module docstring). Those that may be left out are None then."""

    rhs: Callable[..., None]
    accept: Callable[..., int]
    record: Callable[..., None]
    begin: Callable[..., int]
    frequency: Callable[..., float] | None = None
    rates: Callable[..., None] | None = None
    margin: Callable[..., float] | None = None
    forces: Callable[..., None] | None = None
    mass: Callable[..., None] | None = None
    drift: Callable[..., None] | None = None
    inertial: Callable[..., None] | None = None
    speeds: Callable[..., None] | None = None

    def asked(self, name: str, purpose: str) -> Callable[..., Any]:
        """A kernel that may be left out, for one who cannot do without. Raises ComputationError, naming it."""
        found: Callable[..., Any] | None = getattr(self, name)
        if found is None:
            raise ComputationError(f"{purpose} needs the kernel '{name}', which this formulation does not have")
        return found


class Statics(NamedTuple):
    """The compiled functions that the search for rest uses where a formulation has them, see ``bordered.py``.

    Without them the stiffness is taken by differences of the forces.
    """

    stiffness: Callable[..., None]
    """(t, y, p, matrix, convex): minus the derivative of the kernel ``forces``, which belongs to it, by the positions
    into a ``Bordered``; directly after ``forces`` at this y. convex: leave out what can make it indefinite."""
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
    within."""
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
    """Mass or inertia of every velocity, shape (n_v,); infinite where the motion is prescribed; where the border is
    coupled the diagonal of the mass matrix. [kg, kg m^2]"""
    coupled: bool = False
    """Whether the masses of the border are coupled (joints of a tree): mass times acceleration is no force then, and
    those who ask for forces and modes need the kernels ``forces`` and ``mass``."""
    neighbours: IntArray = field(default_factory=lambda: np.empty((0, 0), np.int64))
    """Rows (equations) that every displacement enters, shape (n_v, k), padded with -1; the border is left out, for it
    couples to everything. No two displacements of one colour share a row. May be left out when all colours are -1.
    ``colouring.chain_colouring`` makes both for a closed chain."""
    statics: Statics | None = None
    """For a closed chain of three links or more. Positions are laid out in blocks: one coordinate of all links, the
    next of all links, ..., then the border, whose ``colours`` are -1."""
    force_scale: float = 1.0
    """The largest force of a link or contact to be expected at rest, to which forces that are left are compared. [N]"""
    least_size: float = 0.0
    """How large it is at least, where its positions do not tell: of a single body they are one point. [m]"""
    scratch: tuple[str, ...] = ()
    """Fields of ``parameters`` that evaluations leave something in, "tree.force" for a field of a field; what is
    neither memory nor scratch never changes."""
    endings: tuple[Status, ...] = ()
    """Endings that ``accept`` and ``begin`` can answer, with their advice; also general ones with advice of its own."""
    ended_at: Callable[[Status, float, FloatArray], str] | None = None
    """Where an ending happened, in words, from the time and the state at which a run ended, or begins, and the memory
    as it is then: "roller 12 on wheel 'driver'"; an empty text where that is not known."""
    tolerances: Mapping[Kind, float] = field(default_factory=lambda: TOLERANCES)
    """Absolute tolerance of every kind of state, where the settings of a solver leave it out."""
    static_tolerance: float = 1e-5
    """Largest force that may be left at rest, of ``force_scale``. [-]"""
    static_advice: str = ""
    """One sentence: what to try where no rest is found."""
    playing: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    """Velocities of what moves within plays at rest, where no force but friction holds it: it has no frequency of its
    own, and modes leave it where it is."""
    no_modes: str = ""
    """Why modes cannot be had of this system, and what to take instead; empty where they can."""
    mode_shares: Callable[[FloatArray, FloatArray, FloatArray], ModeShares] | None = None
    """From the state of rest, the shapes of M modes, and their kinetic energies by velocity, (M, n_v) each: the shares
    of the parts; None: every velocity is a part."""
    searched: Any = None
    """Parameters with which a rest is searched, where those of the run refuse positions that may lie on the way there
    (a roller that slips over a tooth); None: those of the run. Shares memory and scratch."""
    held: tuple[int, ...] = ()
    """Positions that are held where they are while a rest is searched, though they move freely in the run: the wheel
    whose torque drives, as by a brake that is released when the run starts."""
    softened: Callable[[float, float], Any] | None = None
    """Parameters with links and contacts softer by these factors, sharing memory and scratch with ``parameters``."""
    dragged: Any = None
    """Parameters in which only friction in one sense acts while the drive runs (guides, joints, bearings, loads), so
    that forces at rest can be balanced with it; None where nothing does. Shares memory and scratch."""
    port: Callable[[int], Port] | None = None
    """From the number of a wheel, what a shaft needs to be joined to it; None where none can be."""
    name_of: Callable[[int], str] = "position {}".format
    """What a position is the position of, in words: "roller 12", "wheel 'driver'"."""
    initial_penetration: float = 0.0
    """How far obstacles reach into the placed chain, when that is too far to start a search for rest from. [m]"""
    retract_guides: Callable[[float, float], None] | None = None
    """Make obstacles stand back from their places [m], and push out what lies behind their places by so much [m], too;
    twice 0 puts them where they belong."""
    frequency_at: Callable[[FloatArray], float] | None = None
    """``highest_frequency`` with the tensions that a state has, where they exceed those that were expected."""
    rolling_past: Callable[[FloatArray], FloatArray] | None = None
    """From the state at rest among the obstacles, what ``rolling`` is there."""
    integrated: Callable[[System], System] | None = None
    """From the system at its start, the same one in the coordinates in which a run integrates it; None: as it is."""
    targeted: Callable[[FloatArray], tuple[FloatArray, tuple[str, ...]]] | None = None
    """From the start that was found, the one with the initial values that were asked for, and in words how well each of
    them is met; None where none were. Raises InputError for what cannot be met."""
    findings: Callable[[FloatArray], tuple[dict[str, Any], tuple[str, ...]]] | None = None
    """From the state at the end of a run, and the memory as it is then: notes and warnings about what happened."""
    warnings: tuple[str, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    """Facts worth keeping with the results: configuration, static equilibrium, tuned preload. ``left_out``: what the
    formulation leaves out of the drive, in words that ``analyses.results.differences.EFFECTS`` knows."""

    @property
    def as_integrated(self) -> System:
        """The same system in the coordinates in which a run integrates it."""
        return self if self.integrated is None else self.integrated(self)

    @property
    def velocities(self) -> int:
        """n_v."""
        return self.rolling.size

    def status(self, code: int, time: float, state: FloatArray) -> Status:
        """What a code of ``accept``, ``begin`` or a solver stands for, with where it happened.

        time [s] and state (n,): those reached. Raises ValueError for a code that nobody has declared.
        """
        found = next((status for status in (*self.endings, *Status.GENERAL) if status.code == code), None)
        if found is None:
            raise ValueError(f"the formulation ended with the code {code}, which is none of its endings")
        if not found.failed or self.ended_at is None:
            return found
        return replace(found, where=self.ended_at(found, time, state))

    @property
    def masses_at_rest(self) -> FloatArray:
        """``masses`` as a search for rest takes them: infinite also where a position is held, (n_v,). [kg, kg m^2]"""
        masses = self.masses.copy()
        masses[list(self.held)] = math.inf
        return masses

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
        """The arrays that ``accept`` changes, by name (views, not copies), those of a table as "table.column".

        Where last names are alike by all of the path.
        """
        last = [name.rpartition(".")[2] for name in self.memory]
        names = last if len(set(last)) == len(last) else self.memory
        held = zip(names, self.memory, strict=True)
        return dict(part for name, path in held for part in arrays_in(attrgetter(path)(self.parameters), name))

"""The contract between a formulation (what moves) and a solver (when). Neither side depends on anything but this
package.

A formulation compiles a drive into a :class:`System`; a solver advances its state. To write a solver, read
``states.py``, ``kernels.py``, ``motion.py`` and ``status.py``; the search for equilibrium uses ``rest.py``, the modes
use ``modes.py``; ``story.py`` contains texts for users. A formulation may omit these last three parts. See
``docs/decisions/0001-the-contract-between-formulation-and-solver.md`` for how the five formulations meet it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.aside import with_copies
from chaindrive.contract.channels import Channel, channel_named
from chaindrive.contract.inputs import Input
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.modes import Modes, ModeShares
from chaindrive.contract.modular import Modules
from chaindrive.contract.motion import Motion
from chaindrive.contract.port import Port
from chaindrive.contract.rest import Rest
from chaindrive.contract.rigid import RigidContacts
from chaindrive.contract.states import FloatArray, IntArray, Kind
from chaindrive.contract.status import Status
from chaindrive.contract.story import Story
from chaindrive.kernels.tables import arrays_in

__all__ = ["System"]


@dataclass(frozen=True)
class System:
    """A drive compiled into one formulation: everything that a solver, the results and the statics need."""

    kernels: Kernels
    parameters: Any
    """NamedTuple with the numbers and arrays that the kernels read."""
    memory: tuple[str, ...]
    """Fields of ``parameters`` that ``accept`` changes; a checkpoint contains them. A dot separates the names of nested
    NamedTuples."""
    state: FloatArray
    """The start state, at rest, shape (n_q + n_v + n_w,)."""
    positions: int
    """Number of positions n_q."""
    kinds: IntArray
    """Kind of every state, shape (n_q + n_v + n_w,)."""
    masses: FloatArray
    """Mass or inertia of every velocity, shape (n_v,); infinite if the motion is prescribed. If the masses of the
    border are coupled, the diagonal of the mass matrix. [kg, kg m^2]"""
    channels: tuple[Channel, ...]
    labels: Mapping[str, tuple[str, ...]]
    """Names of the items along a dimension, such as {"wheel": ("crankshaft", "camshaft"), "axis": ("x", "y")}."""
    motion: Motion
    """Data for an integrator."""
    rest: Rest = field(default_factory=Rest)
    """Data for the search for equilibrium."""
    modes: Modes = field(default_factory=Modes)
    """Data for the modes."""
    story: Story = field(default_factory=Story)
    """Texts: endings, names, notes, warnings."""
    scratch: tuple[str, ...] = ()
    """Fields of ``parameters`` to which evaluations write, "tree.force" for a nested field; fields that are neither
    memory nor scratch never change."""
    coupled: bool = False
    """Whether the masses of the border are coupled (joints of a tree): mass times acceleration is then not a force, and
    forces and modes require the kernels ``forces`` and ``mass``."""
    force_scale: float = 1.0
    """The largest expected force of a link or contact at rest, with which residual forces and work are compared. [N]"""
    rigid: RigidContacts | None = None
    """The rigid contacts of the system, which need a time-stepping method; None without rigid contacts."""
    port: Callable[[int], Port] | None = None
    """Function that returns the data needed to join a shaft to a wheel, from the number of the wheel; None if this is
    not possible."""
    modules: Modules | None = None
    """Division into chain and mechanism, for modular integration; None if there is none."""
    inputs: tuple[Input, ...] = ()
    """Inputs that are written between steps; their values are part of the memory."""

    @property
    def as_integrated(self) -> System:
        """The system in its coordinates of integration."""
        return self if self.motion.integrated is None else self.motion.integrated(self)

    @property
    def aside(self) -> Any:
        """Parameters with their own scratch arrays, so that evaluations with them leave the original scratch arrays
        unchanged.

        Everything else is shared, in particular the memory.
        """
        return with_copies(self.parameters, self.scratch)

    @property
    def velocities(self) -> int:
        """Number of velocities n_v."""
        return self.masses.size

    @property
    def size(self) -> float:
        """Extent of the system in its state, along the axis along which it is largest; it does not depend on where the
        origin lies. 0 for a system without lengths. [m]

        For chains it is the extent of their links; without a chain, the range of all lengths among the positions.
        """
        lengths = self.kinds[: self.positions] == Kind.LENGTH
        columns = [column for chain in self.motion.chains for column in chain.velocities.T if lengths[column].all()]
        columns = columns or [np.flatnonzero(lengths)]
        return max(float(np.ptp(self.state[column])) if column.size else 0.0 for column in columns)

    @property
    def colours(self) -> IntArray:
        """Colour of every velocity (see ``Rest.colours``), (n_v,); all -1 if ``Rest.colours`` is None."""
        return np.full(self.velocities, -1) if self.rest.colours is None else self.rest.colours

    def with_motion(self, **changed: Any) -> System:
        """Return the system with different values in its ``motion``."""
        return replace(self, motion=replace(self.motion, **changed))

    def with_rest(self, **changed: Any) -> System:
        """Return the system with different values in its ``rest``."""
        return replace(self, rest=replace(self.rest, **changed))

    def with_story(self, **changed: Any) -> System:
        """Return the system with different values in its ``story``."""
        return replace(self, story=replace(self.story, **changed))

    def noted(self, facts: Mapping[str, Any]) -> System:
        """Return the system with these facts added to its notes."""
        return self.with_story(notes=dict(self.story.notes) | dict(facts))

    def status(self, code: int, time: float, state: FloatArray) -> Status:
        """Return the status for a code of ``accept``, ``begin`` or a solver, with the place where it happened.

        time [s] and state (n,): what the run has reached. Raises ValueError for an undeclared code.
        """
        found = next((status for status in (*self.story.endings, *Status.GENERAL) if status.code == code), None)
        if found is None:
            raise ValueError(f"the formulation ended with the code {code}, which is not one of its endings")
        if not found.failed or self.story.ended_at is None:
            return found
        return replace(found, where=self.story.ended_at(found, time, state))

    @property
    def masses_at_rest(self) -> FloatArray:
        """The ``masses`` for a search for equilibrium, which are also infinite where a position is held, (n_v,). [kg,
        kg m^2]
        """
        masses = self.masses.copy()
        masses[[*self.rest.held, *self.rest.standing]] = math.inf
        return masses

    def mode_shares(self, shape: FloatArray, energy: FloatArray) -> ModeShares:
        """Return the shares of the parts in M modes about the state of the system, from shapes and energies, each (M,
        n_v).

        If the system defines no parts, every velocity is a part.
        """
        if self.modes.shares is not None:
            return self.modes.shares(self.state, shape, energy)
        names = tuple(self.story.name_of(k) for k in range(self.velocities))
        return ModeShares(names, energy, ("part",) * len(names))

    @property
    def row_size(self) -> int:
        """Length of a row of ``record``."""
        last = self.channels[-1]
        return last.offset + last.size

    def channel(self, name: str) -> Channel:
        """Return the channel with this name. Raises KeyError if the formulation does not have it."""
        return channel_named(self.channels, name)

    def row(self, time: float, state: FloatArray) -> FloatArray:
        """Return all channels at a state (n_q + n_v + n_w,) and time [s], as written by ``record``; memory does not
        change.
        """
        row = np.zeros(self.row_size)
        self.kernels.record(time, state, self.parameters, row)
        return row

    def memory_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that ``accept`` changes, by name (views, not copies).

        The arrays of a table have names like "table.column"; if these last names are not unique, full paths are used.
        The values of inputs are named "input0", ...
        """
        last = [name.rpartition(".")[2] for name in self.memory]
        names = last if len(set(last)) == len(last) else self.memory
        held = zip(names, self.memory, strict=True)
        found = dict(part for name, path in held for part in arrays_in(attrgetter(path)(self.parameters), name))
        return found | {f"input{k}": each.cell for k, each in enumerate(self.inputs)}

"""The interface of a formulation to the rest of the package, and all formulations by kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from chaindrive.contract.end_state import EndState
from chaindrive.contract.states import FloatArray
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.formulations.block.compile import compile_block
from chaindrive.formulations.block.continued import continued as block_continued
from chaindrive.formulations.block.continued import end_state as block_end_state
from chaindrive.formulations.block.endings import ENDINGS as BLOCK_ENDINGS
from chaindrive.formulations.cvt.compile import compile_cvt
from chaindrive.formulations.cvt.continued import continued as cvt_continued
from chaindrive.formulations.cvt.continued import end_state as cvt_end_state
from chaindrive.formulations.cvt.endings import ENDINGS as CVT_ENDINGS
from chaindrive.formulations.link.compile import compile_link
from chaindrive.formulations.link.continued import continued as link_continued
from chaindrive.formulations.link.continued import end_state as link_end_state
from chaindrive.formulations.planar.endings import ENDINGS
from chaindrive.formulations.roller.compile import compile_roller
from chaindrive.formulations.roller.continued import continued, end_state
from chaindrive.formulations.spatial.compile import compile_spatial
from chaindrive.formulations.spatial.continued import continued as spatial_continued
from chaindrive.formulations.spatial.continued import end_state as spatial_end_state
from chaindrive.model import Drive

__all__ = ["FORMULATIONS", "Formulation"]


class Formulation(NamedTuple):
    """The functions of one formulation."""

    compiled: Callable[[Drive, Any, bool], System]
    """(drive, options, at_speed): returns the drive as a system at its start; at_speed: motions begin at their final
    speed instead of with a ramp. Raises InputError when the drive cannot be built in this formulation."""
    continued: Callable[[Drive, Any, EndState], System]
    """(drive, options, end): returns the drive as a system with the end of another run as its state. Raises InputError
    if that state does not fit."""
    end_state: Callable[[System, Drive, float, FloatArray], EndState]
    """(system, drive, time, state): returns the data that another run needs to begin at ``state`` (n,), reached at
    ``time`` [s]."""
    endings: tuple[Status, ...]
    """Endings of the runs of this formulation, besides the general endings (``Story.endings``)."""


FORMULATIONS: dict[str, Formulation] = {
    "block": Formulation(compile_block, block_continued, block_end_state, BLOCK_ENDINGS),
    "cvt": Formulation(compile_cvt, cvt_continued, cvt_end_state, CVT_ENDINGS),
    "link": Formulation(compile_link, link_continued, link_end_state, ENDINGS),
    "roller": Formulation(compile_roller, continued, end_state, ENDINGS),
    "spatial": Formulation(compile_spatial, spatial_continued, spatial_end_state, ENDINGS),
}
"""Every formulation, with the ``kind`` of its options as key. A new formulation needs one folder and one line here."""

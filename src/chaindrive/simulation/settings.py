"""Conversion of the solver options of a drive to the settings of an integrator."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from chaindrive.contract.system import System
from chaindrive.mechanism.save_rate import fastest_excitation
from chaindrive.model import Drive, Run, SolverOptions, carried_over
from chaindrive.numbers import count
from chaindrive.solvers.integrator import METHODS, SolverSettings, largest_step

__all__ = ["Chosen", "chosen_method", "chosen_step", "rubs", "run_with", "settings_of", "tolerance_warnings"]

EXPLICIT, IMPLICIT, RIGID = "dormand-prince", "generalized-alpha", "moreau-jean"
SECOND_ORDER = "nonsmooth-alpha"
"""Method of second order for rigid contacts; with these, 'generalized-alpha' also selects it."""
POINTWISE, IN_PLANE, SMOOTHED, IN_SPACE = "leapfrog", "verlet-beeman", "verlet", "splitting"
MOST_EXPLICIT_STEPS = 3e4
"""If more Dormand-Prince steps than this are needed for a period of the fastest excitation, or for a run shorter than
that, implicit steps take less time (docs/validation/implicit-steps.md)."""
MOST_CHATTER = 5e-3
"""Largest speed, relative to the speed of the chain [-], at which rollers may swing in their seats if friction is
smoothed and the step is that of SMOOTHED. Above it, the energy balance requires such short steps that EXPLICIT takes
less time (docs/validation/smoothed-method.md)."""
RIGID_SHAFTS = "implicit steps do not keep rigid shafts rigid; they can be used if every shaft has a stiffness"
"""Reason for explicit steps in a slow drive with stages or rotors."""
COST_OF_EXPLICIT = 5.0
"""Number of steps of IN_PLANE that take as much time as one step of EXPLICIT. [-]"""


class Chosen(NamedTuple):
    """A method, and the reason for its choice."""

    method: str
    reason: str
    """Why it was chosen; empty if it was specified."""
    instead: str = ""
    """The method that takes less time if the steps of this one become short; empty if there is none."""

    def of(self, options: SolverOptions) -> SolverOptions:
        """Return the options with this method.

        Unless Verlet was selected by name, its step must keep the balance of all losses together, as with the default
        method for other drives.
        """
        together = options.method == "auto" and options.balance == "auto" and self.method == SMOOTHED
        return options.model_copy(update={"method": self.method} | ({"balance": "all-losses"} if together else {}))


def chosen_method(run: Run, drive: Drive, system: System) -> Chosen:
    """Return the method of a run: the given one, or one chosen to suit the drive. With rigid contacts it is one of the
    methods made for them.

    run: the solver and the formulation of the run; system: system of the drive, in its coordinates of integration.
    """
    if system.rigid is not None:
        if run.solver.method in (IMPLICIT, SECOND_ORDER):
            return Chosen(SECOND_ORDER, "")
        return Chosen(RIGID, "contacts are rigid")
    if run.solver.method != "auto":
        return Chosen(run.solver.method, "")
    if system.kernels.pointwise is not None:
        return Chosen(POINTWISE, "")
    frequency, highest = fastest_excitation(drive), system.motion.highest_frequency
    in_space = system.kernels.drift is not None
    in_plane = bool(system.motion.chains) and system.kernels.rates is None
    if not (highest > 0.0 and (in_plane or in_space)):
        return Chosen(EXPLICIT, "")
    explicit = _explicit(run, drive, system)
    if in_space or not frequency > 0.0:
        return explicit
    duration = math.inf if run.until == "steady" else float(run.until)
    period = 1.0 / frequency
    steps = min(period, duration) * highest / METHODS[EXPLICIT].step_times_frequency
    hindrance = METHODS[IMPLICIT].hindrance
    if steps <= MOST_EXPLICIT_STEPS or (hindrance is not None and hindrance(system)):
        return explicit
    if has_rigid_shafts(drive):
        return explicit._replace(reason=f"{explicit.reason}; {RIGID_SHAFTS}".lstrip("; "))
    number = count(round(steps, -int(math.log10(steps)) + 1))
    during = "in a period of the fastest excitation" if period <= duration else "in the run"
    return Chosen(IMPLICIT, f"an explicit method would take {number} steps {during}")


def _explicit(run: Run, drive: Drive, system: System) -> Chosen:
    """Return the explicit method for a chain in the plane or in space.

    The slope of smoothed friction is not included in the highest frequency: in the seats of teeth no practical step
    resolves it. A roller then swings to and fro with the velocity change of one step, h mu F/m. With SMOOTHED it swings
    half as fast as with IN_PLANE, whose forces use a velocity extrapolated from two steps. The work of this motion is
    counted as friction but is not lost by the drive, so the balance has an error in proportion to the ratio of this
    speed to the sliding speed.
    """
    if _asks_for_control(run.solver):
        return Chosen(EXPLICIT, "tolerances or a step are given")
    elastic = getattr(run.formulation, "elastic_friction", None)
    if elastic is None:  # another formulation, with friction of its own
        return Chosen(EXPLICIT, "")
    in_space = system.kernels.drift is not None
    if not rubs(drive):
        return Chosen(IN_SPACE, "") if in_space else Chosen(IN_PLANE, "", instead=EXPLICIT)
    if elastic:
        return Chosen(IN_SPACE if in_space else IN_PLANE, "")
    if in_space:
        return Chosen(EXPLICIT, "friction is smoothed over the speed")
    step = largest_step(system, SolverSettings(method=SMOOTHED))
    if step * system.motion.chatter_rate <= MOST_CHATTER:
        return Chosen(SMOOTHED, "friction is smoothed over the speed")
    return Chosen(EXPLICIT, "friction is smoothed over the speed, and in longer steps rollers chatter in their seats")


def _asks_for_control(options: SolverOptions) -> bool:
    """Whether tolerances or a longest step are given, which only a method with step control can take into account."""
    return not chosen_step(options) or bool(_tolerances(options))


def _tolerances(options: SolverOptions) -> list[str]:
    """Return the names of the tolerances that differ from their defaults."""
    usual = SolverOptions()
    names = (name for name in SolverOptions.model_fields if name.startswith(("atol", "rtol")))
    return [name for name in names if getattr(options, name) != getattr(usual, name)]


def tolerance_warnings(options: SolverOptions, method: str) -> tuple[str, ...]:
    """Return a warning if tolerances are given for a method whose step does not follow from them."""
    names = _tolerances(options)
    if not names or not METHODS[method].fixed_step:
        return ()
    given = ", ".join(f"run.solver.{name}" for name in names)
    return (
        f"the step of the method {method!r} does not follow from tolerances ({given}): give a shorter "
        f"run.solver.step, or use a method that controls its step, such as {EXPLICIT}",
    )


def has_rigid_shafts(drive: Drive) -> bool:
    """Whether a shaft without a given stiffness joins a stage or a rotor to the drive.

    Explicit steps keep r phi - psi of such a shaft constant except for rounding. Implicit steps keep it constant except
    for the remaining error of their iteration, and because no force resists this error, it accumulates: in a slow drive
    the wheels on both sides of the shaft soon turn separately.
    """
    return any(shaft.stiffness is None for shaft in (part.shaft for part in drive.stages + drive.rotors))


def rubs(drive: Drive) -> bool:
    """Whether the chain has friction, in its joints or on the surfaces that it touches."""
    touched = [drive.contact, *(getattr(each, "contact", None) for each in (*drive.wheels, *drive.guides))]
    return drive.chain.joint_friction > 0.0 or any(each is not None and each.friction > 0.0 for each in touched)


def chosen_step(options: SolverOptions) -> bool:
    """Whether the step is to be chosen from the drive."""
    return options.step in (None, "auto")


def settings_of(options: SolverOptions, method: str) -> SolverSettings:
    """Return the settings for these options and this method; the step is None if it is to be chosen."""
    given = {name: getattr(options, name) for name in SolverSettings._fields} | {"method": method}
    chosen = ({"step": None} if chosen_step(options) else {}) | (
        {"macro_step": None} if options.macro_step == "auto" else {}
    )
    return SolverSettings(**(given | chosen))


def run_with(drive: Drive, given: dict[str, Any]) -> Run:
    """Return the run settings of the drive with the requested changes; a formulation or a solver may be given by name.

    The solver options of the drive then apply to the new method, and its formulation options to the new formulation
    where it has the same options. Raises InputError listing everything that the formulation does not support.
    """
    run, kind, method = drive.run, given.get("formulation"), given.get("solver")
    if isinstance(kind, str):
        own = run.formulation
        given["formulation"] = own if kind == own.kind else carried_over(own.model_dump(exclude_unset=True), kind)
    if isinstance(method, str):
        given["solver"] = run.solver.model_dump() | {"method": method}
    asked = Run(**({name: getattr(run, name) for name in Run.model_fields} | given))
    drive.check_run(asked)
    return asked

"""Small chains and drives that the verification tests share, and a run without results files."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar.surfaces import NO_SURFACES
from chaindrive.formulations.roller.compile import parameters_of, system_at_rest
from chaindrive.formulations.roller.limits import Expected
from chaindrive.geometry.route import length_in_pitches, pitch_radius, route
from chaindrive.mechanism.description import Mechanism
from chaindrive.mechanism.elements import build_elements
from chaindrive.mechanism.tree import build_tree
from chaindrive.model import (
    Body,
    Chain,
    Contact,
    Drive,
    Guide,
    HydraulicTensioner,
    RollerOptions,
    SpringDamperTensioner,
    Wheel,
)
from chaindrive.simulation.start import settle
from chaindrive.solvers import Integrator, SolverSettings
from chaindrive.solvers.equilibrium import equilibrium

FloatArray = NDArray[np.float64]

PITCH = 0.0127
TIGHT = SolverSettings(atol_length=1e-12, atol_angle=1e-12, atol_speed=1e-8, atol_angular_speed=1e-8)


class Run(NamedTuple):
    """A run to its end, with everything that was recorded."""

    status: Status
    times: FloatArray
    """(rows,) [s]"""
    channels: Mapping[str, FloatArray]
    """Every channel by name, (rows, ...)."""
    state: FloatArray
    """State at the end."""
    steps: int


def run(system: System, until: float, interval: float, settings: SolverSettings = TIGHT) -> Run:
    """Integrate from ``system.state`` to ``until`` [s], a row every ``interval`` [s]."""
    integrator = Integrator(system, settings, interval, chunk_rows=round(until / interval) + 2)
    while (status := integrator.advance(until)) == Status.RUNNING:
        pass
    times, rows = integrator.take_rows()
    found = {c.name: c.read(rows) for c in system.channels}
    return Run(status, times, found, integrator.state, integrator.statistics.steps)


def rates(system: System, y: FloatArray, t: float = 0.0) -> FloatArray:
    """dy/dt."""
    dy = np.zeros_like(y)
    system.kernels.rhs(t, y, dy, system.parameters)
    return dy


def channel(system: System, name: str, y: FloatArray | None = None, t: float = 0.0) -> FloatArray:
    """One channel at the start state, or at y."""
    return system.channel(name).read(system.row(t, system.state if y is None else y))


def chain(links: int, **changes) -> Chain:
    """An 08B-like chain without losses."""
    given = {
        "links": links,
        "pitch": PITCH,
        "link_mass": 0.0088,
        "link_stiffness": 1e7,
        "link_damping": 0.0,
        "roller_diameter": 0.00851,
    }
    return Chain(**(given | changes))


def free_chain(links: Chain, gravity: tuple[float, float], position: FloatArray) -> System:
    """A closed chain without wheels, its rollers at ``position``, (N, 2) [m]: for conservation laws and pendulums."""
    tree, none = build_tree([]), np.zeros(0)
    mechanism = Mechanism(tree, build_elements([], tree), {}, 0, (), none, none, none, none)
    parameters = parameters_of(links, gravity, RollerOptions(), NO_SURFACES, mechanism)
    return system_at_rest(parameters, position, none, mechanism, Expected(0.0, none))


def with_planar(parameters: Any, **changed: Any) -> Any:
    """The parameters of a planar formulation, with other values of the fields that all of these share."""
    return parameters._replace(planar=parameters.planar._replace(**changed))


def two_wheels(
    teeth: tuple[int, int] = (16, 16),
    span: float = 12.0,
    *,
    speed: float = 10.0,
    ramp: float = 0.0,
    tooth: Mapping | None = None,
    contact: Mapping | None = None,
    first: Mapping | None = None,
    second: Mapping | None = None,
    links: int | None = None,
    gravity: tuple[float, float] = (0.0, -9.81),
    bodies: Sequence[Body] = (),
    guides: Sequence[Guide] = (),
    tensioners: Sequence[SpringDamperTensioner | HydraulicTensioner] = (),
    run: Mapping | None = None,
    **of_chain,
) -> Drive:
    """A driver at the origin and a driven wheel to its right, ``span`` pitches of straight chain between the wheels.

    The driver turns counter-clockwise: span 0 is the lower one, slack, from the driver to the right.
    """
    radius = [PITCH / (2.0 * math.sin(math.pi / z)) for z in teeth]
    distance = math.hypot(span * PITCH, radius[1] - radius[0])
    form = tooth or {"form": "asa-ii"}
    common = {"tooth": form, "inertia": 1e-3}
    motion = {"kind": "constant_speed", "speed": speed, "ramp": ramp}
    wheels = (
        Wheel(
            **(common | {"name": "driver", "teeth": teeth[0], "position": (0.0, 0.0), "motion": motion} | (first or {}))
        ),
        Wheel(**(common | {"name": "driven", "teeth": teeth[1], "position": (distance, 0.0)} | (second or {}))),
    )
    if links is None:
        tilt = math.asin((radius[1] - radius[0]) / distance)
        wrap = [(math.pi - 2.0 * tilt), (math.pi + 2.0 * tilt)]
        links = round(2.0 * span + sum(w * z for w, z in zip(wrap, teeth, strict=True)) / (2.0 * math.pi))
    return Drive(
        name="small",
        gravity=gravity,
        chain=chain(links, **of_chain),
        wheels=wheels,
        contact=pressed(**(contact or {})),
        bodies=tuple(bodies),
        guides=tuple(guides),
        tensioners=tuple(tensioners),
        **({} if run is None else {"run": run}),
    )


SIDEWAYS = {"bend_play": 0.005, "twist_play": 0.01}


def wheels_in_space(
    offset: float = 0.0, tilt: tuple[float, float] = (0.0, 0.0), options: Mapping | None = None, **given: Any
) -> Drive:
    """Two wheels of twelve teeth and 34 links, for the formulation 'spatial', the driven one aside [m] and askew [rad].

    Its chain has losses of all kinds, and so have its teeth, unless something else is given.
    """
    losses = {"joint_damping": 1e-4, "joint_friction": 0.1, "pin_diameter": 0.00445, "link_damping": 5.0}
    contact = {"friction": 0.1, "restitution": 0.5}
    second = {"offset": offset, "tilt": tilt} | given.pop("second", {})
    formulation = {"kind": "spatial"} | dict(options or {})
    given = {"contact": contact, "links": 34, "sideways": SIDEWAYS} | losses | given
    run = {"formulation": formulation, "solver": {"method": "splitting"}}
    return two_wheels((12, 12), given.pop("span", 11.0), second=second, run=run, **given)


def in_space(**given: Any) -> System:
    """The same compiled, at speed."""
    drive = wheels_in_space(**given)
    return compile_system(drive, drive.run.formulation, True)


def mechanism() -> Drive:
    """A mechanism with every kind of part: two arms and a slide in a row, unbalanced wheels, guides on them and on the
    ground, a prescribed joint, a driver on a body, end stops, a ratchet, a spring between two bodies."""
    sliding = {"kind": "prismatic", "direction": 1.5, "stiffness": 3e4, "damping": 5.0, "lower": -1e-3, "upper": 2e-3}
    swinging = {"kind": "harmonic", "amplitude": 1e-3, "frequency": 15.0, "phase": 0.4}
    rocking = {"kind": "revolute", "position": (0.05, 0.05), "motion": swinging}
    bodies = [
        Body(name="slide", parent="arm", mass=0.1, joint=sliding | {"stop_stiffness": 1e6, "stop_damping": 10.0}),
        Body(name="rocker", parent="slide", mass=0.05, inertia=1e-5, joint=rocking),
        Body(name="bracket", parent="arm", joint={"kind": "fixed"}),
        Body(name="cradle", mass=0.2, joint={"kind": "prismatic", "direction": 2.0, "stiffness": 1e6, "damping": 20.0}),
    ]
    ratchet = {"pitch": 1e-3, "stiffness": 1e6, "damping": 10.0}
    hook = {"from_body": "bracket", "from_position": (0.1, 0.09), "to_body": "rocker", "to_position": (0.06, 0.07)}
    return tightened(
        bodies=bodies,
        guides=[
            rail(1, body="bracket", length=0.02),
            rail(2, "bar", "rocker", length=0.02),
            rail(0, "floor", contact={"friction": 0.2}, side="right"),
        ],
        tightener={"body": "slide", "bearing_friction": 0.01, "unbalance": {"mass_moment": 1e-3, "angle": 0.5}},
        driver={
            "body": "cradle",
            "mass": 0.3,
            "inertia": 1e-3,
            "unbalance": {"mass_moment": 2e-3, "angle": 2.0},
            "bearing_damping": 1e-3,
        },
        driven={"mass": 0.4, "load_torque": 0.5},
        joint={"damping": 0.1, "stiffness": 20.0, "upper": 0.1, "stop_stiffness": 1e4},
        tensioners=[
            pulling(ratchet=ratchet, longest=0.2, stop_stiffness=1e6),
            SpringDamperTensioner(name="inner", **hook, stiffness=1e3, damping=1.0, preload=2.0),
        ],
        contact={"friction": 0.1, "restitution": 0.5},
        joint_damping=1e-3,
    )


def pressed(**changes) -> Contact:
    """Contact without losses."""
    return Contact(**({"stiffness": 1e10, "exponent": 1.5, "restitution": 1.0, "friction": 0.0} | changes))


def rail(span: int = 0, name: str = "rail", body: str = "ground", contact: Mapping | None = None, **changes) -> Guide:
    """A flat guide with rounded ends, seven pitches long in the middle of a span, 2 mm into it from its left."""
    shape = {"kind": "on_span", "span": span, "side": "left", "length": 7.0 * PITCH, "indentation": 2e-3}
    ends = {"end_radius": 0.1, "end_length": 0.02}
    others = {"contact_radius": changes.pop("contact_radius")} if "contact_radius" in changes else {}
    of_rail = pressed(**({"stiffness": 1e9} | dict(contact or {})))
    return Guide(name=name, body=body, shape=shape | ends | changes, contact=of_rail, **others)


def running_links(**options) -> Drive:
    """Two wheels at speed with a rail that bends the chain, friction, and clearance in the joints."""
    guides = [rail(1, "rail", contact={"stiffness": 1e7, "exponent": 1.5, "restitution": 0.3, "friction": 0.2})]
    given = {
        "speed": 60.0, "guides": guides, "joint_friction": 0.1, "pin_diameter": 0.004, "joint_clearance": 2e-5,
        "link_damping": 20.0, "second": {"load_torque": 2.0, "inertia": 2e-3},
        "contact": {"stiffness": 1e8, "exponent": 1.5, "restitution": 0.3, "friction": 0.1},
    }  # fmt: skip
    return two_wheels((17, 19), 14.0, **(given | options))


def oil_tensioner(**changes) -> HydraulicTensioner:
    """A piston of 12 mm under 3 bar: 34 N at rest, less the losses at valve and gap."""
    given = {
        "name": "piston",
        "from_position": (0.02, -0.10),
        "to_body": "shoe",
        "to_position": (0.02, -0.045),
        "piston_diameter": 0.012,
        "chamber_length": 0.02,
        "supply_pressure": 3e5,
        "leakage": {"gap": 3e-5, "length": 0.02},
        "check_valve": {"diameter": 0.003, "opening_pressure": 1e4},
        "oil": {"viscosity": 0.02, "bulk_modulus": 1.5e9, "air_content": 0.01},
    }
    return HydraulicTensioner(**(given | changes))


def hydraulic(piston: HydraulicTensioner | None = None, joint: Mapping | None = None, **changes) -> Drive:
    """A shoe under the slack span, which turns about its right end and is pushed up by a piston at its left end."""
    turning = {"kind": "revolute", "position": (0.15, -0.045)} | dict(joint or {})
    shoe = Body(name="shoe", mass=0.1, inertia=1e-4, centre_of_mass=(0.08, -0.04), joint=turning)
    ends = {"length": 3.0 * PITCH, "end_radius": 0.04, "end_length": 0.025, "indentation": 2e-3}
    under = rail(0, "under", "shoe", {"friction": 0.1, "restitution": 0.5}, side="right", **ends)
    given = {"speed": 20.0, "second": {"load_torque": 2.0}, "link_damping": 20.0}
    return two_wheels(
        (16, 16), 11.98, **(given | changes), bodies=[shoe], guides=[under], tensioners=[piston or oil_tensioner()]
    )


TIGHTENED_LINKS = 43
TIGHTENED_TEETH = (11, 13, 11)
PIVOT = (0.14, 0.105)
HOOK = (0.01, 0.095)
ANCHOR = (0.01, 0.245)


def tightener_place() -> tuple[float, float]:
    """Centre of the tightener in the drawing, where the chain just fits. [m]"""
    from scipy.optimize import brentq

    def missing(y: float) -> float:
        way = route([(0.0, 0.0), (0.16, 0.0), (0.08, y)], pitch_radius(PITCH, TIGHTENED_TEETH), [1.0, 1.0, 1.0])
        return length_in_pitches(way, PITCH, TIGHTENED_TEETH) - TIGHTENED_LINKS

    return 0.08, float(brentq(missing, 0.06, 0.12, xtol=1e-15))


def pulling(**changes) -> SpringDamperTensioner:
    """A spring between ANCHOR on the ground and HOOK on the arm, which pulls with 60 N in the drawing."""
    given = {
        "name": "spring",
        "from_position": ANCHOR,
        "to_body": "arm",
        "to_position": HOOK,
        "stiffness": 2e4,
        "damping": 20.0,
        "preload": -60.0,
    }
    return SpringDamperTensioner(**(given | changes))


def tightened(
    *,
    arm: Mapping | None = None,
    joint: Mapping | None = None,
    spring: Mapping | None = None,
    driver: Mapping | None = None,
    driven: Mapping | None = None,
    tightener: Mapping | None = None,
    bodies: Sequence[Body] = (),
    guides: Sequence[Guide] = (),
    tensioners: Sequence[SpringDamperTensioner | HydraulicTensioner] = (),
    contact: Mapping | None = None,
    gravity: tuple[float, float] = (0.0, -9.81),
    **of_chain,
) -> Drive:
    """The tightener of the thesis in small: a wheel on a weight-arm, which a spring pulls up at its free end.

    Driver at the origin, driven wheel to its right, tightener above both, all on the front. The arm turns about PIVOT,
    the spring is that of ``pulling``.
    """
    form = {"form": "asa-ii"}
    given: list[dict[str, Any]] = [
        {"name": "driver", "position": (0.0, 0.0), "motion": {"kind": "constant_speed", "speed": 20.0, "ramp": 0.0}},
        {"name": "driven", "position": (0.16, 0.0), "inertia": 1e-3},
        {"name": "tightener", "position": tightener_place(), "inertia": 1e-4, "mass": 0.2, "body": "arm"},
    ]
    changes = (driver or {}, driven or {}, tightener or {})
    wheels = tuple(
        Wheel(**({"teeth": z, "tooth": form} | w | dict(c)))
        for z, w, c in zip(TIGHTENED_TEETH, given, changes, strict=True)
    )
    turning = {"kind": "revolute", "position": PIVOT} | dict(joint or {})
    of_arm = {"name": "arm", "mass": 0.3, "inertia": 1e-3, "centre_of_mass": (0.07, 0.11), "joint": turning}
    return Drive(
        name="tightened",
        gravity=gravity,
        chain=chain(TIGHTENED_LINKS, **({"link_stiffness": 1e6, "link_damping": 5.0} | of_chain)),
        wheels=wheels,
        contact=pressed(**(contact or {})),
        bodies=(Body(**(of_arm | dict(arm or {}))), *bodies),
        guides=tuple(guides),
        tensioners=tuple(tensioners) or (pulling(**(spring or {})),),
    )


def compiled(drive: Drive, at_speed: bool = True, moving: bool = True, **options) -> System:
    """The drive in the roller formulation, placed but not settled, rolling with its driver when ``moving``."""
    system = compile_system(drive, RollerOptions(**options), at_speed)
    if moving:
        state = system.state.copy()
        state[system.positions : 2 * system.positions] = system.motion.rolling
        system = replace(system, state=state)
        system.kernels.begin(0.0, state, system.parameters)
    return system


def resting(system: System) -> System:
    """The system in static equilibrium, as accurately as rounding allows."""
    found = equilibrium(settle(system))
    assert found.converged
    settled = replace(system, state=found.state)
    system.kernels.begin(0.0, settled.state, system.parameters)
    return settled


def rolling(system: System) -> System:
    """The system with velocities that roll with its driver, along the chain as placed."""
    state = system.state.copy()
    state[system.positions : 2 * system.positions] = system.motion.rolling_past(state)
    moving = replace(system, state=state)
    system.kernels.begin(0.0, state, system.parameters)
    return moving


def order_of(errors, refinement: float) -> FloatArray:
    """Observed order of convergence from errors at steps h, h/refinement, ..."""
    e = np.asarray(errors)
    return np.log(e[:-1] / e[1:]) / np.log(refinement)

"""From a drive to what all planar formulations share: numbers into arrays, wheels, guides and mechanism in place."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.states import Kind
from chaindrive.errors import InputError, Problem
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.anchors import hanging_weight, is_held, put_anchors
from chaindrive.formulations.planar.layout import state_layout
from chaindrive.formulations.planar.parameters import FloatArray, IntArray, PlanarParameters
from chaindrive.formulations.planar.payload import put_payloads
from chaindrive.formulations.planar.surfaces import Surfaces, surfaces_of
from chaindrive.geometry.initial_configuration import InitialConfiguration, span_places
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism import torque_kernels as torques
from chaindrive.mechanism.description import Mechanism, hub, joint_names, mechanism_of
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import placed_chain
from chaindrive.mechanism.torques import drag
from chaindrive.mechanism.tree import GROUND, REVOLUTE, joint_kinds, mass_matrix
from chaindrive.mechanism.tree_kernels import COORDINATE, MOTION
from chaindrive.mechanism.wheel_motions import wheel_motions
from chaindrive.mechanism.wheel_torques import expected_pull, torque_damping, wheel_torques
from chaindrive.model import Chain, Drive, FreeEnd, PlanarOptions
from chaindrive.physics.friction import Regularisation, kernel_sharpness

SEARCH_MARGIN = 0.25
"""How much farther than the reach of the teeth candidates are kept, in pitches."""


class Placed(NamedTuple):
    """A drive with its chain on the wheels, before anything is said about the coordinates of the chain. W wheels."""

    configuration: InitialConfiguration
    mechanism: Mechanism
    parameters: PlanarParameters
    wheel_speeds: FloatArray
    """Greatest speed of every wheel in the run, without sign, (W,) [rad/s]"""
    load_damping: FloatArray
    """How steeply load torques grow with speed, (W,) [N m s/rad]"""
    chain_speed: float
    """At which the drive starts to roll [m/s]"""
    rolling: FloatArray
    """Speeds of wheels and joints then, (W + J,) [rad/s, m/s]"""
    stops: FloatArray
    """Kinks of motions and loads [s]"""
    machines: FloatArray
    """Where the states of motors and governors begin, (M,)"""
    warnings: tuple[str, ...]


def placed_drive(
    drive: Drive, options: PlanarOptions, at_speed: bool, straight: bool, coordinates: int, works: int = P.N_WORKS
) -> Placed:
    """Place a drive, whose chain will have so many coordinates and works, with the slack chain hanging, or straight.

    at_speed: motions begin at their final speed instead of with their ramp.
    Raises InputError when the chain does not fit the route, parts are in each other's way, the contact law does not fit
    the contact, there is no such form of friction, or the mechanism cannot move as described.
    """
    chain, facts = drive.chain, drive_facts(drive)
    mechanism = mechanism_of(drive)
    configuration, doubts = placed_chain(drive, straight)
    moved = wheel_motions(drive, at_speed)
    kinds, motion, motion_table, stops = motions.pack([m for m, _ in moved], configuration.wheel_angle)
    surfaces = surfaces_of(drive, options, configuration, mechanism.bodies)
    surfaces.wheel_index[:, P.INDEX_MOTION] = kinds
    acting = wheel_torques(facts, configuration.wheel_angle, at_speed)
    first = facts.driver
    pace = configuration.wheel_rate[first] if first >= 0 else 1.0
    fastest = facts.highest_speed * np.abs(configuration.wheel_rate / pace)
    parameters = planar_parameters(
        chain, drive.gravity, options, surfaces, mechanism, coordinates, works, acting.states.size
    )._replace(
        motion=motion,
        motion_table=motion_table,
        spans=_spans(configuration, chain.mean_pitch),
        ways=_ways(drive, configuration),
        start_angle=configuration.wheel_angle.copy(),
        path_angle=float(configuration.wheel_angle[0]) if first >= 0 else 0.0,
        path_sign=float(facts.signs[0]) if first >= 0 else 1.0,
        running=acting.running,
        torque=acting.torque,
        torque_table=acting.torque_table,
    )
    parameters = put_payloads(parameters, drive, configuration.route, halved=options.kind == "roller")
    if chain.ends is not None:
        parameters = put_anchors(parameters, drive, mechanism, configuration.wheel_angle)
    _put_freewheels(parameters, drive, mechanism, configuration.wheel_angle, acting.running[:, torques.SENSE])
    leading = moved[first][0] if first >= 0 else None
    start = leading.initial_speed if leading else facts.driver_speed * at_speed
    speed = 0.0 if is_held(chain) else start / pace
    turning = speed * configuration.wheel_rate
    for w, (motion_of_wheel, _) in enumerate(moved):  # a second driver fluctuates in its own way
        turning[w] = motion_of_wheel.initial_speed if motion_of_wheel else turning[w]
    joints = mechanism.speeds.copy()
    behind = parameters.wheel_index[:, P.INDEX_HUB]
    joints[mechanism.tree.index[behind[behind >= 0], COORDINATE]] = turning[behind >= 0]  # hubs roll with their wheels
    return Placed(
        configuration=configuration,
        mechanism=mechanism,
        parameters=parameters,
        wheel_speeds=fastest,
        load_damping=torque_damping(facts, fastest),
        chain_speed=speed,
        rolling=np.concatenate([turning, joints]),
        stops=np.unique(np.concatenate([stops, mechanism.stops, acting.stops])),
        machines=acting.states,
        warnings=(*doubts, *(text for _, text in moved if text)),
    )


def planar_parameters(
    chain: Chain,
    gravity: tuple[float, float],
    options: PlanarOptions,
    surfaces: Surfaces,
    mechanism: Mechanism,
    coordinates: int,
    works: int = P.N_WORKS,
    machines: int = 0,
) -> PlanarParameters:
    """Parameters of a drive whose chain has so many coordinates, without those of motions, loads, spans and rows."""
    n, w, s, f = chain.joints, len(surfaces.wheel), len(surfaces.surface), len(surfaces.face)
    stored = options.impact_memory == "stored"
    smoothing, sharpness = _smoothing(options)
    layout = state_layout(coordinates, w, mechanism.tree.joints, works, len(mechanism.pressures), machines)
    return PlanarParameters(
        layout=layout,
        closed=chain.ends is None,
        touching_first=int(chain.ends is not None and not isinstance(chain.ends[0], FreeEnd)),
        touching_end=n - int(chain.ends is not None and not isinstance(chain.ends[1], FreeEnd)),
        rollers=n,
        wheels=w,
        surfaces=s,
        faces=f,
        pitch=chain.pitch,
        gravity_x=float(gravity[0]),
        gravity_y=float(gravity[1]),
        roller_radius=0.5 * chain.roller_diameter,
        has_friction=bool(surfaces.surface[:, P.SURFACE_FRICTION].any()),
        friction_kind=int(smoothing),
        friction_speed=options.friction_speed,
        friction_sharpness=sharpness,
        reference_speed=options.reference_speed,
        speed_floor=options.impact_speed_floor if stored else options.reference_speed,
        stored_memory=stored,
        search_margin=SEARCH_MARGIN * chain.pitch,
        stop_at_jump=options.on_jump == "stop",
        wheel=surfaces.wheel,
        wheel_index=surfaces.wheel_index,
        surface=surfaces.surface,
        surface_index=surfaces.surface_index,
        face=surfaces.face,
        profile=surfaces.profile,
        guide_profile=surfaces.guide_profile,
        direction=surfaces.direction,
        tilted=bool(surfaces.tilt.any()),
        tilt=surfaces.tilt,
        motion=np.zeros((w, motions.COLUMNS)),
        motion_table=np.zeros((1, motions.TABLE_COLUMNS)),
        running=np.zeros((w, torques.WHEEL_COLUMNS)),
        torque=np.zeros((0, torques.COLUMNS)),
        torque_table=np.zeros((1, torques.TABLE_COLUMNS)),
        freewheel=np.zeros((w, P.FREEWHEEL_COLUMNS)),
        spans=np.zeros((w, P.SPAN_COLUMNS)),
        ways=np.zeros((0, P.WAY_COLUMNS), dtype=np.int64),
        anchor_index=np.zeros((0, P.ANCHOR_INDEX_COLUMNS), dtype=np.int64),
        payload=np.zeros((0, P.PAYLOAD_COLUMNS)),
        payload_share=np.zeros((0, n)),
        start_angle=np.zeros(w),
        path_angle=0.0,
        path_sign=1.0,
        limit=np.zeros(P.LIMIT_ENTRIES),
        row_starts=np.zeros(1, dtype=np.int64),
        tree=mechanism.tree,
        named_bodies=mechanism.named_bodies,
        elements=mechanism.elements,
        gap=np.full((w, n), -1, dtype=np.int64),
        impact_speed=np.zeros((f, n)),
        segment=np.zeros((f * (n // 2 + 2), P.SEGMENT_COLUMNS), dtype=np.int64),
        segments_used=np.zeros(2, dtype=np.int64),
        candidate=np.zeros((P.CANDIDATE_ROWS, f * n)),
        search=np.zeros(P.SEARCH_ENTRIES),
        mesh=np.zeros((w, P.MESH_COLUMNS)),
        overrun=np.zeros(w),
        latch=mechanism.elements.latch,
        turning=np.zeros(0),
        twist=np.zeros(0),
        payload_now=np.zeros((0, P.PAYLOAD_NOW_COLUMNS)),
        carried=np.zeros(n),
        anchor=np.zeros((0, P.ANCHOR_COLUMNS)),
        frame=surfaces.frame,
        fold=np.zeros((w, P.FOLD_COLUMNS)),
        twisted=np.zeros((w, P.TWISTED_COLUMNS)),
        shaft=np.zeros((w, P.SHAFT_COLUMNS)),
        resultant=np.zeros((s, P.RESULTANT_COLUMNS)),
        contact=np.zeros((P.CONTACT_ROWS, f * n)),
        derivative=np.zeros(layout.size),
        joint_force=np.zeros((mechanism.tree.bodies, 2)),
        joint_moment=np.zeros(mechanism.tree.bodies),
    )


def _put_freewheels(
    p: PlanarParameters, drive: Drive, mechanism: Mechanism, angle: FloatArray, sense: FloatArray
) -> None:
    """Hubs of the wheels, their clutches untwisted with wheels at ``angle`` (W,) [rad]; sense (W,): the running one."""
    for w, wheel in enumerate(drive.wheels):
        p.wheel_index[w, P.INDEX_HUB], _ = mechanism.bodies.get(hub(w), (GROUND, None))
        if wheel.freewheel is not None:
            p.freewheel[w] = wheel.freewheel.stiffness, wheel.freewheel.damping, sense[w]
            p.overrun[w] = -sense[w] * angle[w]


def _smoothing(options: PlanarOptions) -> tuple[Regularisation, float]:
    """How Coulomb friction passes through zero speed, and its sharpness as the kernels take it."""
    try:
        form = Regularisation.named(options.friction_regularisation)
        return form, kernel_sharpness(form, options.friction_sharpness)
    except ValueError as error:
        given = f"{options.friction_regularisation!r}, {options.friction_sharpness:g}"
        raise InputError(Problem("run.formulation.friction_regularisation", str(error), given)) from error


def labels_of(drive: Drive) -> dict[str, tuple[str, ...]]:
    """Names along the dimensions that there are."""
    parts: dict[str, tuple[Any, ...]] = {
        "wheel": drive.wheels,
        "guide": drive.guides,
        "body": drive.bodies,
        "tensioner": drive.tensioners,
        "payload": drive.payloads,
    }
    named = {dim: tuple(part.name for part in found) for dim, found in parts.items() if found}
    return named | {"span": drive.span_names, "axis": ("x", "y")}


def kinds_of(chain: list[Kind], p: PlanarParameters, mechanism: Mechanism) -> IntArray:
    """Kind of every state; chain: those of the coordinates of the chain."""
    turns = [kind == REVOLUTE for kind in joint_kinds(mechanism.tree)]
    places = [*chain, *[Kind.ANGLE] * p.wheels, *(Kind.ANGLE if turn else Kind.LENGTH for turn in turns)]
    speeds = [Kind.SPEED if kind == Kind.LENGTH else Kind.ANGULAR_SPEED for kind in places]
    others = [Kind.WORK] * (p.layout.machine - p.layout.work)
    others += [Kind.MACHINE] * (p.layout.pressure - p.layout.machine) + [Kind.PRESSURE] * len(mechanism.pressures)
    return np.array(places + speeds + others, dtype=np.int64)


def border_masses(p: PlanarParameters, mechanism: Mechanism) -> FloatArray:
    """Inertia or mass of wheels and joints, infinite where the motion is prescribed, (W + J,)."""
    tree = mechanism.tree
    free = p.wheel_index[:, P.INDEX_MOTION] == motions.FREE
    wheels = np.where(free, p.wheel[:, P.WHEEL_INERTIA], math.inf)
    driven = tree.index[tree.index[:, COORDINATE] >= 0, MOTION] != motions.FREE
    joints = np.where(driven, math.inf, mass_matrix(tree, mechanism.point_masses).diagonal())
    return np.concatenate([wheels, joints])


def softened_contacts(p: PlanarParameters, factor: float) -> PlanarParameters:
    """The same with contacts softer by a factor."""
    surface = p.surface.copy()
    surface[:, P.SURFACE_STIFFNESS] *= factor
    return p._replace(surface=surface, stop_at_jump=False)


def drags(p: PlanarParameters) -> bool:
    """Whether guides, bearings or loads have losses in one sense while the drive runs."""
    guides = p.surface[p.wheels :, P.SURFACE_FRICTION].any()
    bearings = p.wheel[:, [P.WHEEL_BEARING_DAMPING, P.WHEEL_BEARING_FRICTION]].any()
    return bool(guides or bearings or drag(p.torque))


def only_dragged(p: PlanarParameters) -> PlanarParameters:
    """The same with no other losses in contacts than friction on guides."""
    surface = p.surface.copy()
    surface[:, [P.SURFACE_HYSTERESIS, P.SURFACE_VISCOUS]] = 0.0
    surface[: p.wheels, P.SURFACE_FRICTION] = 0.0
    return p._replace(surface=surface, stop_at_jump=False)


def expected_tension(drive: Drive, placed: Placed) -> float:
    """Tension to reckon with where friction grows with it: initial tension, and what the loads pull. [N]"""
    initial = drive.chain.link_stiffness * placed.configuration.strain * drive.chain.pitch
    initial += hanging_weight(drive)
    return float(initial + expected_pull(drive, placed.wheel_speeds, placed.configuration.route.radii))


def directions(places: FloatArray, closed: bool) -> FloatArray:
    """Unit vectors along a chain at its joints, which are at places (J, 2), (J, 2)."""
    if closed:
        ahead = np.roll(places, -1, axis=0) - np.roll(places, 1, axis=0)
    else:
        ahead = np.asarray(np.gradient(places, axis=0))
    unit: FloatArray = ahead / np.hypot(*ahead.T)[:, None]
    return unit


def border_name(drive: Drive, place: int) -> str:
    """What a position behind those of the chain belongs to, in words."""
    if place < len(drive.wheels):
        return f"wheel {drive.wheels[place].name!r}"
    return f"body {joint_names(drive)[place - len(drive.wheels)]!r}"


def _ways(drive: Drive, configuration: InitialConfiguration) -> IntArray:
    """Rows of PlanarParameters.ways; none of a closed chain."""
    count = 0 if drive.chain.ends is None else len(drive.span_names)
    return np.array([configuration.route.wheels_of(k) for k in range(count)], dtype=np.int64).reshape(
        count, P.WAY_COLUMNS
    )


def _spans(configuration: InitialConfiguration, pitch: float) -> FloatArray:
    """Columns of Parameters.spans: where each span lies along the loop, from roller 0 on; its middle and direction."""
    way = configuration.route
    spans = np.zeros((len(way.span_length), P.SPAN_COLUMNS))
    spans[:, [P.SPAN_START, P.SPAN_END]] = span_places(configuration, pitch)
    spans[:, [P.SPAN_X, P.SPAN_Y]] = 0.5 * (way.span_start + way.span_end)
    spans[:, [P.SPAN_UX, P.SPAN_UY]] = way.span_direction
    return spans

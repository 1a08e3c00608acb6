"""Conversion of a drive to the parameters that all planar formulations share.

The parameters are arrays of numbers for wheels, guides and a mechanism that are already in position.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from chaindrive.contract.states import Kind
from chaindrive.errors import InputError, Problem
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar import tables as T
from chaindrive.formulations.planar.anchors import is_held, put_anchors
from chaindrive.formulations.planar.bearings import set_bearing_stiffness
from chaindrive.formulations.planar.end_forces import end_force_stops, put_end_forces
from chaindrive.formulations.planar.layout import state_layout
from chaindrive.formulations.planar.parameters import FloatArray, IntArray, PlanarParameters
from chaindrive.formulations.planar.payload import put_payloads
from chaindrive.formulations.planar.peaks import Approaches, Course, no_peaks
from chaindrive.formulations.planar.surfaces import SurfaceData, surfaces_of
from chaindrive.geometry.initial_configuration import InitialConfiguration, span_places
from chaindrive.kernels.tables import blank, copied
from chaindrive.mechanism import motion as motions
from chaindrive.mechanism import torque_kernels as torques
from chaindrive.mechanism.description import Mechanism, hub, joint_names, mechanism_of
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import placed_chain
from chaindrive.mechanism.loads import pack_loads
from chaindrive.mechanism.torques import drag
from chaindrive.mechanism.tree import GROUND, REVOLUTE, joint_kinds, mass_matrix, sticking_joints
from chaindrive.mechanism.weights import end_loads
from chaindrive.mechanism.wheel_motions import wheel_motions
from chaindrive.mechanism.wheel_torques import expected_pull, torque_damping, wheel_torques
from chaindrive.mechanism.wheels import ShaftTorques
from chaindrive.model import Chain, Drive, FreeEnd, PlanarOptions, SpatialOptions
from chaindrive.physics.friction import Regularisation, kernel_sharpness

SEARCH_MARGIN = 0.25
"""Distance beyond the reach of the teeth up to which rollers are kept as candidates. [pitches]"""


class Placed(NamedTuple):
    """A drive with W wheels whose chain is on the wheels, before the coordinates of the chain are chosen."""

    configuration: InitialConfiguration
    mechanism: Mechanism
    parameters: PlanarParameters
    wheel_speeds: FloatArray
    """Largest magnitude of the speed of every wheel in the run, (W,) [rad/s]"""
    load_damping: FloatArray
    """Slope of load torques with respect to speed, (W,) [N m s/rad]"""
    chain_speed: float
    """Chain speed at which the drive starts [m/s]"""
    rolling: FloatArray
    """Speeds of the shafts of the wheels and of joints at the start of a rolling drive, (A + J,) [rad/s, m/s]"""
    stops: FloatArray
    """Times of kinks in motions and loads [s]"""
    machines: FloatArray
    """Initial values of the states of motors and governors, (M,)"""
    warnings: tuple[str, ...]


def placed_drive(
    drive: Drive, options: PlanarOptions, at_speed: bool, straight: bool, coordinates: int, works: int = P.N_WORKS
) -> Placed:
    """Place the chain of a drive with the slack hanging or straight, for these numbers of coordinates and works.

    at_speed: motions begin at their final speed instead of with a ramp, unless the speeds of the chain on the wheels
    differ. Raises InputError when the chain does not fit the route, parts collide, the contact law does not fit the
    contact, the regularisation of friction is unknown, or the mechanism cannot move as described.
    """
    chain, facts = drive.chain, drive_facts(drive)
    at_speed = at_speed and facts.one_speed
    mechanism = mechanism_of(drive)
    if options.elastic_friction:
        links = math.sqrt(4.0 * chain.link_stiffness / chain.link_mass)
        mechanism = mechanism._replace(tree=sticking_joints(mechanism.tree, mechanism.point_masses, links))
    configuration, doubts = placed_chain(drive, straight)
    moved = wheel_motions(drive, at_speed)
    kinds, motion, motion_table, stops = motions.pack([m for m, _ in moved], configuration.wheel_angle)
    surfaces = surfaces_of(drive, options, configuration, mechanism.bodies)
    surfaces.wheel.motion[:] = np.asarray(kinds)[facts.leaders]
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
    halved, elastic = options.kind == "roller", options.elastic_friction
    parameters = put_payloads(parameters, drive, configuration.route, halved, elastic)
    if chain.ends is not None:
        parameters = put_anchors(parameters, drive, mechanism, configuration.wheel_angle)
        parameters = put_end_forces(parameters, chain)
    _put_freewheels(parameters, drive, mechanism, configuration.wheel_angle, acting.running.sense)
    leading = moved[first][0] if first >= 0 else None
    start = leading.initial_speed if leading else facts.driver_speed * at_speed
    speed = 0.0 if is_held(chain) or not facts.one_speed else start / pace
    turning = speed * configuration.wheel_rate
    for w, (motion_of_wheel, _) in enumerate(moved):  # a second driver has its own fluctuation
        turning[w] = motion_of_wheel.initial_speed if motion_of_wheel else turning[w]
    joints = mechanism.speeds.copy()
    behind = parameters.wheel.hub
    joints[mechanism.tree.body.coordinate[behind[behind >= 0]]] = turning[behind >= 0]  # hubs roll with their wheels
    return Placed(
        configuration=configuration,
        mechanism=mechanism,
        parameters=parameters,
        wheel_speeds=fastest,
        load_damping=torque_damping(facts, fastest),
        chain_speed=speed,
        rolling=np.concatenate([turning[parameters.axle.wheel], joints]),
        stops=np.unique(np.concatenate([stops, mechanism.stops, acting.stops, end_force_stops(chain)])),
        machines=acting.states,
        warnings=(*doubts, *(text for _, text in moved if text)),
    )


def planar_parameters(
    chain: Chain,
    gravity: tuple[float, float],
    options: PlanarOptions,
    surfaces: SurfaceData,
    mechanism: Mechanism,
    coordinates: int,
    works: int = P.N_WORKS,
    machines: int = 0,
) -> PlanarParameters:
    """Return the parameters of a drive with this many coordinates of the chain, except motions, loads,
    spans and rows.
    """
    n = chain.joints
    w, s, f = (table[0].size for table in (surfaces.wheel, surfaces.surface, surfaces.face))
    stored = options.impact_memory != "reference"
    smoothing, sharpness = _smoothing(options)
    rubs = bool(surfaces.surface.friction.any() or surfaces.wheel.bearing_friction.any()) or chain.joint_friction > 0.0
    rubs = rubs or bool(isinstance(options, SpatialOptions) and options.side_friction)
    elastic = rubs and options.elastic_friction
    rigid = options.rigid_contacts
    set_bearing_stiffness(surfaces.wheel, chain)
    no_loads = pack_loads([])
    axle = axles_of(surfaces.wheel)
    axles = axle.wheel.size
    layout = state_layout(coordinates, w, mechanism.tree.joints, works, len(mechanism.pressures), machines, axles)
    return PlanarParameters(
        layout=layout,
        closed=chain.ends is None,
        touching_first=int(chain.ends is not None and not isinstance(chain.ends[0], FreeEnd)),
        touching_end=n - int(chain.ends is not None and not isinstance(chain.ends[1], FreeEnd)),
        rollers=n,
        wheels=w,
        axles=axles,
        surfaces=s,
        faces=f,
        pitch=chain.pitch,
        gravity_x=float(gravity[0]),
        gravity_y=float(gravity[1]),
        roller_radius=0.5 * chain.roller_diameter,
        has_friction=bool(surfaces.surface.friction.any()),
        own_laws=bool(surfaces.surface.contact_law.any() or surfaces.surface.coefficient_law.any()),
        elastic_friction=elastic,
        elastic_joints=elastic,
        anchors_kept=False,
        friction_kind=int(smoothing),
        friction_speed=options.friction_speed,
        friction_sharpness=sharpness,
        reference_speed=options.reference_speed,
        speed_floor=options.impact_speed_floor if stored else options.reference_speed,
        stored_memory=stored,
        search_margin=SEARCH_MARGIN * chain.pitch,
        rigid_contacts=rigid,
        projects=options.projects,
        sprung_contacts=bool(surfaces.surface.sprung.any()),
        stop_at_jump=options.on_jump == "stop",
        wheel=surfaces.wheel,
        axle=axle,
        surface=surfaces.surface,
        face=surfaces.face,
        profile=surfaces.profile,
        guide_profile=surfaces.guide_profile,
        direction=surfaces.direction,
        gap_shift=surfaces.gap_shift,
        cog=surfaces.cog,
        law_energy=surfaces.law_energy,
        tilted=bool(np.any(surfaces.tilt)),
        tilt=surfaces.tilt,
        motion=blank(motions.MotionRows, w),
        motion_table=np.zeros((1, motions.TABLE_COLUMNS)),
        running=blank(torques.Running, w),
        torque=blank(torques.TorqueRows, 0),
        torque_table=np.zeros((1, torques.TABLE_COLUMNS)),
        freewheel=blank(T.Freewheels, w),
        spans=blank(T.Spans, w),
        ways=blank(T.Ways, 0),
        end_load=no_loads.rows,
        end_load_table=no_loads.table,
        payload=blank(T.Payloads, 0),
        payload_share=np.zeros((0, n)),
        start_angle=np.zeros(w),
        path_angle=0.0,
        path_sign=1.0,
        limit=blank(T.Limits, 1),
        tree=mechanism.tree,
        named_bodies=mechanism.named_bodies,
        elements=mechanism.elements,
        gap=np.full((w, n), -1, dtype=np.int64),
        cog_gap=np.full((surfaces.cog.wheel.size, n), -1, dtype=np.int64),
        impact_speed=np.zeros((f, n)),
        segment=blank(T.Segments, f * (n // 2 + 2)),
        used=blank(T.Used, 1),
        candidate=blank(T.Candidates, f * n),
        search=blank(T.Search, 1),
        mesh=blank(T.Meshes, w),
        anchored=blank(T.Anchored, f * n if elastic else 0),
        rigid=blank(T.RigidForces, f * n if rigid else 0),
        hinge=blank(T.Hinges, n if elastic else 0),
        bearing=blank(T.Bearings, w),
        overrun=np.zeros(w),
        latch=mechanism.elements.latch,
        payload_anchor=np.zeros((0, n)),
        peaks=no_peaks(n if chain.ends is None else n - 1, w, s - w, mechanism.elements.count),
        course=Course(np.zeros(2), np.zeros(w), blank(Approaches, f * n)),
        height=np.zeros(n if surfaces.cog.wheel.size else 0),
        turning=np.zeros(0),
        heading_x=np.zeros(0),
        heading_y=np.zeros(0),
        twist=np.zeros(0),
        payload_now=blank(T.PayloadsNow, 0),
        payload_follow=np.zeros((0, n)),
        carried=np.zeros(n),
        anchor=blank(T.Anchors, 0),
        frame=surfaces.frame,
        fold=blank(T.Folds, w),
        twisted=blank(T.Twists, w),
        shaft=blank(ShaftTorques, w),
        resultant=blank(T.Resultants, s),
        contact=blank(T.Contacts, f * n),
        meeting=blank(T.Meetings, 2 * f * n if rigid else 0),
        mobility=np.zeros((3 * s, 3 * s) if rigid else (0, 0)),
        response=np.zeros((layout.positions - coordinates, 3 * s) if rigid else (0, 0)),
        moved=np.zeros(layout.size if rigid else 0),
        tooth_force=np.zeros(w),
        derivative=np.zeros(layout.size),
        joint_force=np.zeros((mechanism.tree.bodies, 2)),
        joint_moment=np.zeros(mechanism.tree.bodies),
    )


def axles_of(wheel: T.Wheels) -> T.Axles:
    """Return the shafts of the wheels."""
    _, first = np.unique(wheel.axle, return_index=True)
    inertia = np.zeros(first.size)
    np.add.at(inertia, wheel.axle, wheel.inertia)
    return T.Axles(first, inertia)


def _put_freewheels(
    p: PlanarParameters, drive: Drive, mechanism: Mechanism, angle: FloatArray, sense: FloatArray
) -> None:
    """Set up the hubs of the wheels, with untwisted clutches and the wheels at ``angle`` (W,) [rad].

    sense (W,): the direction of rotation.
    """
    for w, wheel in enumerate(drive.wheels):
        p.wheel.hub[w], _ = mechanism.bodies.get(hub(w), (GROUND, None))
        if wheel.freewheel is not None:
            p.freewheel.stiffness[w], p.freewheel.damping[w] = wheel.freewheel.stiffness, wheel.freewheel.damping
            p.freewheel.sense[w] = sense[w]
            p.overrun[w] = -sense[w] * angle[w]


def _smoothing(options: PlanarOptions) -> tuple[Regularisation, float]:
    """Return the form that smooths Coulomb friction at zero speed, and its sharpness as needed by the kernels."""
    try:
        form = Regularisation.named(options.friction_regularisation)
        return form, kernel_sharpness(form, options.friction_sharpness)
    except ValueError as error:
        given = f"{options.friction_regularisation!r}, {options.friction_sharpness:g}"
        raise InputError(Problem("run.formulation.friction_regularisation", str(error), given)) from error


def labels_of(drive: Drive) -> dict[str, tuple[str, ...]]:
    """Return the names along the dimensions of the channels."""
    named = {dim: names for dim, names in drive.part_names.items() if names or dim == "span"}
    return named | {"axis": ("x", "y")}


def kinds_of(chain: list[Kind], p: PlanarParameters, mechanism: Mechanism) -> IntArray:
    """Return the kind of every state; chain: kinds of the coordinates of the chain."""
    turns = [kind == REVOLUTE for kind in joint_kinds(mechanism.tree)]
    places = [*chain, *[Kind.ANGLE] * p.axles, *(Kind.ANGLE if turn else Kind.LENGTH for turn in turns)]
    speeds = [Kind.SPEED if kind == Kind.LENGTH else Kind.ANGULAR_SPEED for kind in places]
    others = [Kind.WORK] * (p.layout.machine - p.layout.work)
    others += [Kind.MACHINE] * (p.layout.pressure - p.layout.machine) + [Kind.PRESSURE] * len(mechanism.pressures)
    return np.array(places + speeds + others, dtype=np.int64)


def border_masses(p: PlanarParameters, mechanism: Mechanism) -> FloatArray:
    """Return the inertias of shafts with their wheels and the inertias or masses of joints, (A + J,).

    They are infinite where the motion is prescribed.
    """
    tree = mechanism.tree
    free = p.wheel.motion[p.axle.wheel] == motions.FREE
    wheels = np.where(free, p.axle.inertia, math.inf)
    driven = tree.body.motion[tree.body.coordinate >= 0] != motions.FREE
    joints = np.where(driven, math.inf, mass_matrix(tree, mechanism.point_masses).diagonal())
    return np.concatenate([wheels, joints])


def nothing_holds(p: PlanarParameters) -> PlanarParameters:
    """Return the parameters without sticking, springs in joints and rigid contacts; tooth jumps do not end the run."""
    payload = copied(p.payload)
    payload.sticking[:] = 0.0
    return p._replace(
        payload=payload,
        stop_at_jump=False,
        elastic_friction=False,
        elastic_joints=False,
        rigid_contacts=False,
        sprung_contacts=False,
        tree=p.tree._replace(elastic=False),
    )


def softened_contacts(p: PlanarParameters, factor: float) -> PlanarParameters:
    """Return the parameters with contacts softened by a factor and without sticking."""
    surface = copied(p.surface)
    surface.stiffness[:] *= factor
    surface.softness[:] *= factor
    return nothing_holds(p._replace(surface=surface))


def drags(p: PlanarParameters) -> bool:
    """Return whether guides, bearings or loads have losses whose direction is constant while the drive runs."""
    guides = p.surface.friction[p.wheels :].any()
    bearings = p.wheel.bearing_damping.any() or p.wheel.bearing_friction.any()
    return bool(guides or bearings or drag(p.torque))


def only_dragged(p: PlanarParameters) -> PlanarParameters:
    """Return the parameters without losses in contacts other than friction on guides."""
    surface = copied(p.surface)
    surface.hysteresis[:] = surface.viscous[:] = surface.losing[:] = 0.0
    surface.friction[: p.wheels] = 0.0
    return nothing_holds(p._replace(surface=surface))


def expected_tension(drive: Drive, placed: Placed) -> float:
    """Return the expected tension, for friction that depends on it: initial tension plus the pull due to
    the loads. [N]
    """
    initial = drive.chain.link_stiffness * placed.configuration.strain * drive.chain.pitch
    initial += end_loads(drive)
    return float(initial + expected_pull(drive, placed.wheel_speeds, placed.configuration.route.radii))


def directions(places: FloatArray, closed: bool) -> FloatArray:
    """Return unit vectors along a chain at its joints, (J, 2).

    places: positions of the joints, (J, 2).
    """
    if closed:
        ahead = np.roll(places, -1, axis=0) - np.roll(places, 1, axis=0)
    else:
        ahead = np.asarray(np.gradient(places, axis=0))
    unit: FloatArray = ahead / np.hypot(*ahead.T)[:, None]
    return unit


def border_name(drive: Drive, place: int) -> str:
    """Return the name of the wheels or the body to which a position belongs.

    place: index of the position, counted after those of the chain.
    """
    axles = drive_facts(drive).axles
    names = [repr(wheel.name) for wheel, axle in zip(drive.wheels, axles, strict=True) if axle == place]
    if names:
        return f"wheel {names[0]}" if len(names) == 1 else f"wheels {' and '.join(names)}"
    return f"body {joint_names(drive)[place - len(set(axles))]!r}"


def _ways(drive: Drive, configuration: InitialConfiguration) -> T.Ways:
    """Return the spans of an open chain, or none for a closed chain."""
    count = 0 if drive.chain.ends is None else len(drive.span_names)
    found = [configuration.route.wheels_of(k) for k in range(count)]
    return T.Ways(*np.array(found, dtype=np.int64).reshape(count, 2).T.copy())


def _spans(configuration: InitialConfiguration, pitch: float) -> T.Spans:
    """Return the position of each span along the loop, counted from roller 0, its middle and direction, and its
    distances to the right of the centres of the wheels at its ends.
    """
    way = configuration.route
    middle, direction = 0.5 * (way.span_start + way.span_end), way.span_direction
    beside = np.zeros((len(middle), 2))
    if way.closed:
        right = np.column_stack([direction[:, 1], -direction[:, 0]])
        ends = way.span_start - way.centres, way.span_end - np.roll(way.centres, -1, axis=0)
        beside = np.column_stack([(end * right).sum(axis=1) for end in ends])
    return T.Spans(*np.column_stack([span_places(configuration, pitch), middle, direction, beside]).T.copy())

"""The tables of ``PlanarParameters``, with the meaning of each column.

There are W wheels, S surfaces (the wheels, then the guides) with F faces, and B bodies of the mechanism.
"""

from __future__ import annotations

from typing import NamedTuple

from chaindrive.kernels.tables import Reals, Wholes


class Wheels(NamedTuple):
    """Wheels, (W,) each."""

    inertia: Reals
    """moment of inertia about its axis [kg m^2]; 0 for a prescribed motion without stated inertia"""
    bearing_damping: Reals
    """[N m s/rad]"""
    bearing_friction: Reals
    """Coulomb torque [N m]"""
    bearing_stiffness: Reals
    """stiffness of elastic friction while it sticks [N m/rad]"""
    tip: Reals
    """tip radius of the teeth [m]; for an oval wheel it is measured from the centre of the round wheel with the same
    gap"""
    mass: Reals
    """[kg]"""
    moment_x: Reals
    moment_y: Reals
    """mass times position of the centre of mass in the wheel's own frame [kg m]"""
    teeth: Wholes
    motion: Wholes
    """mechanism.motion.MotionKind; FREE without a prescribed motion"""
    gap: Wholes
    """row of PlanarParameters.direction for its gap 0"""
    order: Wholes
    """+1 if gap numbers increase along the chain, -1 if they decrease"""
    hub: Wholes
    """body of the mechanism that the wheel drives through its freewheel; GROUND if there is none"""
    smooth: Wholes
    """1 if there are no teeth, so that gaps have no meaning"""
    axle: Wholes
    """index of the shaft to which the wheel is fixed"""
    ahead: Reals
    """angle of the wheel minus that of the shaft [rad]"""
    first: Reals
    along: Reals
    """rollers that may touch the wheel: index of the first roller when the chain was placed, and number of links from
    there; infinite if the chain runs in one plane"""
    cogs: Wholes
    """number of additional cogs on the hub of the wheel"""
    height: Reals
    band: Reals
    """for a wheel with cogs: height of the middle plane of its own teeth above the drawing, and distance from this
    plane within which a roller can touch them [m]
    """


class Cogs(NamedTuple):
    """Additional cogs on the hubs of wheels, onto which the chain can be shifted, (C,) each; see cogs.py."""

    wheel: Wholes
    face: Wholes
    """face of the cog, after the faces of all surfaces"""
    teeth: Wholes
    gap: Wholes
    """row of PlanarParameters.direction for its gap 0, in the frame of its wheel"""
    tip: Reals
    """tip radius [m]"""
    reach: Reals
    """distance of rollers from the axis within which contact is possible [m]"""
    offset: Reals
    """distance of the middle plane of the cog from that of its wheel [m]"""
    height: Reals
    """height of the middle plane above the drawing [m]"""
    band: Reals
    """distance from the middle plane within which a roller can touch the teeth of the cog [m]"""


class Axles(NamedTuple):
    """Shafts with the wheels fixed to them, in the order of their first wheels, (A,) each."""

    wheel: Wholes
    """the first wheel on the shaft; the shaft has the angle and motion of this wheel"""
    inertia: Reals
    """total moment of inertia of the wheels on the shaft [kg m^2]"""


class Surfaces(NamedTuple):
    """Surfaces: the wheels, then the guides, (S,) each."""

    x: Reals
    y: Reals
    """origin of the frame of the surface in the frame of the body that supports it [m]"""
    radius: Reals
    """distance of a roller centre from the surface at which contact begins [m]"""
    stiffness: Reals
    exponent: Reals
    """contact law, F = K d^n (1 + D v/v0) + c v; for a user-defined law, the tangent power law and c at the depth
    limits.REFERENCE_PENETRATION"""
    hysteresis: Reals
    viscous: Reals
    speed_of_depth: Reals
    """v0 of a contact is at least this value times the root of K d^(n + 1) [1/sqrt(kg)]; 0: the depth gives no bound"""
    softness: Reals
    """factor on the forces of a user-defined law: 1, or less during the search for equilibrium at rest"""
    deepest: Reals
    """largest depth in the range of the user-defined law [m]"""
    losing: Reals
    """factor on the rates passed to a user-defined law: 1, or 0 for contacts without losses"""
    friction: Reals
    """friction coefficient of roller on surface; for a user-defined law its largest value"""
    friction_slope: Reals
    """largest slope of a user-defined friction coefficient with respect to sliding speed [s/m]"""
    reach: Reals
    """distance from the middle of a wheel, or beyond the sides of the box of a guide, within which
    contact is possible"""
    middle_x: Reals
    middle_y: Reals
    """middle of the box around a guide, in its frame [m]"""
    along_x: Reals
    along_y: Reals
    """unit vector along the box"""
    length: Reals
    width: Reals
    """half of the sides of the box, not including the reach [m]"""
    depth: Reals
    """depth below the surface of a guide beyond which a roller is behind the guide and touches nothing [m]"""
    max_penetration: Reals
    """penetration that ends the run [m]"""
    inverse_mass: Reals
    """mobility of the surface: speed of its points per unit impulse on it [1/kg]"""
    arm: Reals
    """radius at which a part of a link slides on the surface [m]; 0 if rollers, which turn freely, touch it"""
    tangential: Reals
    """stiffness of elastic friction on the surface, see sticking.py [N/m]"""
    law: Wholes
    """LAW_LINEAR, LAW_HERTZ, LAW_POWER, LAW_OWN"""
    sprung: Wholes
    """1 if contacts keep their springs although other contacts are rigid, see sprung.py"""
    contact_law: Wholes
    """address of the user-defined law of the normal force; 0: none"""
    coefficient_law: Wholes
    """address of the user-defined law of the friction coefficient; 0: none"""
    body: Wholes
    """body of the mechanism that supports the surface; GROUND if there is none"""
    profile: Wholes
    profile_end: Wholes
    """rows of PlanarParameters.profile (wheels) or PlanarParameters.guide_profile"""


class Faces(NamedTuple):
    """Faces, (F,) each: first one for each surface; then, for wheels in whose gaps rollers are wedged, the other flank
    and the bottom of the gap; then additional cogs of wheels.
    """

    surface: Wholes
    profile: Wholes
    """first row of PlanarParameters.profile; unused on guides"""
    side: Wholes
    """+1 or -1: only the flank at positive or negative xi; 0: the flank on the roller's side of the gap"""
    cog: Wholes
    """row of ``Cogs``; -1 for the teeth of the wheel itself, or for a guide"""


class Frames(NamedTuple):
    """Frames of the surfaces in the last evaluation, (S,) each."""

    x: Reals
    y: Reals
    vx: Reals
    vy: Reals
    """origin of the frame [m] and its velocity [m/s]"""
    cos: Reals
    sin: Reals
    angular_velocity: Reals
    """cosine and sine of the angle; angular velocity [rad/s]"""


class Resultants(NamedTuple):
    """Resultants of the contacts on every surface in the last evaluation, (S,) each."""

    x: Reals
    y: Reals
    moment: Reals
    """force [N]; moment about the origin of the frame of the surface [N m]"""
    tilting: Reals
    """moment that tilts the body that carries a wheel, in addition to the moment on the wheel [N m]"""


class Segments(NamedTuple):
    """Runs of consecutive rollers near one surface, (rows,) each. A run does not continue from the last roller to the
    first.
    """

    surface: Wholes
    first: Wholes
    end: Wholes
    slot: Wholes
    face: Wholes
    back: Wholes
    """number of slots back to the slots of the same rollers at the previous face of the same surface; 0 on the first
    face"""


class Candidates(NamedTuple):
    """Slots, each of which is a pair of face and roller that may touch, (slots,) each."""

    cos: Reals
    sin: Reals
    """direction of the centre line of the gap in the frame of the wheel; unused on guides"""
    speed: Reals
    """impact speed [m/s]; 0 while there is no contact"""
    element: Reals
    """row of guide_profile; for a wheel, x and y below are the shift of its gap"""
    x: Reals
    y: Reals
    nx: Reals
    ny: Reals
    curvature: Reals
    """columns of that row"""
    friction: Reals
    hysteresis: Reals
    viscous: Reals
    speed_of_depth: Reals
    """copies of the fields of ``Surfaces`` with the same names, for the surface of the slot"""


class Contacts(NamedTuple):
    """Contact in every slot in the last evaluation, (slots,) each."""

    penetration: Reals
    rate: Reals
    slip: Reals
    """penetration [m], approach speed [m/s] and slip [m/s]"""
    normal_x: Reals
    normal_y: Reals
    """normal in the global frame, pointing out of the surface"""
    elastic: Reals
    sign: Reals
    """elastic part of the normal force [N], regularised sign of the slip"""
    spring: Reals
    """force of the spring of elastic friction, before it is limited, in the direction of the slip [N]"""
    force: Reals
    friction: Reals
    """normal force [N]; friction force along the tangent [N]"""


class Anchored(NamedTuple):
    """Positions at which rollers stick to faces, first all rollers of face 0, (F N,) each, see sticking.py."""

    held: Reals
    """1 while the roller is in contact, otherwise 0"""
    x: Reals
    y: Reals
    """position in the frame of the surface [m]"""
    cos: Reals
    sin: Reals
    """direction of the link at this position, if a part of the link slides"""


class RigidForces(NamedTuple):
    """Rigid contacts, first all rollers of face 0, (F N,) each, see rigid.py."""

    normal: Reals
    friction: Reals
    """mean forces of the last step [N]"""
    elastic: Reals
    approach: Reals
    """for contacts that keep their springs: the elastic part of the normal force [N]; approach speed before the
    step in which the roller may land [m/s]"""
    slot: Wholes
    surface: Wholes
    """slots and surfaces of the contacts with a finite gap in the last evaluation"""


class Meetings(NamedTuple):
    """Directions in which active rigid contacts act, (2 F N,) each, see rigid.py."""

    roller: Wholes
    surface: Wholes
    x: Reals
    y: Reals
    """direction in the global frame in which the impulse acts on the roller"""
    lever: Reals
    """moment of a unit force in this direction on the surface, about the origin of the frame of the surface [m]"""
    twist: Reals
    """moment of such a force on the link, if a part of the link slides, about the middle of the roller [m]"""


class Hinges(NamedTuple):
    """Joints held by springs, (N,) each, see sticking.py."""

    cos: Reals
    sin: Reals
    """cosine and sine of the angle between both links at which the spring has no moment"""
    moment: Reals
    """moment at the last accepted state, if damping is in series with the spring [N m]"""


class Bearings(NamedTuple):
    """Bearings of the wheels, (W,) each, see bearings.py."""

    angle: Reals
    """angle of the wheel, relative to the part that carries it, at which elastic friction exerts no moment [rad]"""


class Tilts(NamedTuple):
    """Tilts of wheels, (W,) each."""

    x: Reals
    y: Reals
    """given tilt about the axes of the plane [rad]"""
    slope: Reals
    """slope at the end of the elastic shaft of the wheel per unit of deflection there [rad/m]; 0 without
    such a shaft"""
    length: Reals
    """length of this shaft, from its clamped end to the plane of the chain [m]"""


class Folds(NamedTuple):
    """Tilts of wheels in the last evaluation, (W,) each, see tilt.py."""

    alpha: Reals
    beta: Reals
    """tilt [rad]"""
    turn: Reals
    """derivative of the angle in the plane with respect to the angle of the wheel"""
    by_alpha: Reals
    by_beta: Reals
    """derivatives of this angle with respect to the angles of the tilt"""


class Meshes(NamedTuple):
    """Positions of the chain on the wheels, (W,) each, see jumps.py."""

    roller: Reals
    """roller by which the position of the chain on the wheel is tracked; -1 if there is none"""
    gap: Reals
    """gap of that roller"""
    slip: Reals
    """number of teeth by which that roller has moved on the wheel since the start"""
    lies: Reals
    """number of teeth by which the chain as a whole has moved"""
    jumps: Reals
    """total number of teeth jumped, in either direction"""
    first: Reals
    """time of the first jump [s]; -1 before it"""
    tilt: Reals
    """the largest tilt [rad]"""


class Freewheels(NamedTuple):
    """Freewheels of the wheels, (W,) each, see freewheel.py."""

    stiffness: Reals
    damping: Reals
    """[N m/rad, N m s/rad]"""
    sense: Reals
    """+1 if it drives counter-clockwise, -1 if it drives clockwise"""


class Twists(NamedTuple):
    """Twists of freewheels in the last evaluation, (W,) each."""

    angle: Reals
    torque: Reals
    """twist [rad], and torque of the clutch on the hub [N m]"""


class Spans(NamedTuple):
    """Geometry of the spans, (spans,) each."""

    start: Reals
    end: Reals
    """position along the loop, from the first seat on wheel 0 [pitches]"""
    x: Reals
    y: Reals
    ux: Reals
    uy: Reals
    """middle [m] and direction of travel of the straight tangent in the drawing"""
    leaving: Reals
    arriving: Reals
    """for a closed chain: how far the tangent lies to the right, in the direction of travel, of the centres of the
    wheel that it leaves and the wheel at which it arrives [m]"""


class Ways(NamedTuple):
    """Spans of an open chain, (spans,) each."""

    before: Wholes
    behind: Wholes
    """wheels from which and to which the span leads; -1 for an end of the chain"""


class Anchors(NamedTuple):
    """Anchored ends of an open chain, (anchored ends,) each."""

    own_x: Reals
    own_y: Reals
    """position in the frame of the body or wheel [m]"""
    stiffness: Reals
    damping: Reals
    """[N/m, N s/m]"""
    x: Reals
    y: Reals
    vx: Reals
    vy: Reals
    """position and velocity in the last evaluation [m, m/s]"""
    force_x: Reals
    force_y: Reals
    """force of the chain on the anchor in the last evaluation [N]"""
    moment: Reals
    """moment of the chain on the anchor about the position of the anchor in the last evaluation [N m]"""
    turning: Reals
    """angular velocity of the part that carries the anchor, in the last evaluation [rad/s]"""
    cos: Reals
    sin: Reals
    """cosine and sine of the angle of this part in the last evaluation"""
    xx: Reals
    xy: Reals
    yy: Reals
    """stiffness between the joint and the anchor, for the search for equilibrium [N/m]"""
    roller: Wholes
    """joint that is held"""
    body: Wholes
    """body of the mechanism that holds the joint; GROUND if there is none"""
    wheel: Wholes
    """wheel that holds the joint; -1 if there is none"""
    end: Wholes
    """end of the chain, 0 or 1"""


class Payloads(NamedTuple):
    """Payloads, (payloads,) each, see payload.py."""

    x: Reals
    y: Reals
    ux: Reals
    uy: Reals
    """beginning of the span [m], and direction of the span"""
    start: Reals
    end: Reals
    transition: Reals
    """distances of the ends of the goods from the beginning of the span, and length of the transition [m]"""
    beside: Reals
    """distance to the side of the span beyond which nothing is carried [m]"""
    gx: Reals
    gy: Reals
    """[m/s^2]"""
    feed: Reals
    """speed along the span with which goods arrive [m/s]"""
    resistance: Reals
    """friction coefficient of goods that are dragged [-]"""
    sticking: Reals
    """stiffness of elastic friction for each roller or link [N/m]; 0 if friction is smoothed"""


class PayloadsNow(NamedTuple):
    """Payloads in the last evaluation, (payloads,) each."""

    mass: Reals
    """mass on the chain [kg]"""
    given: Reals
    """power of departing goods minus that of arriving goods [W]"""
    lost: Reals
    """power lost in sliding [W]"""


class Search(NamedTuple):
    """State of the search for candidates, and memory of the run, (1,) each."""

    due: Reals
    """time at which the search for candidates must be repeated [s]"""
    horizon: Reals
    """time after the last search during which a roller cannot reach a surface that is not among its candidates [s]"""
    energy: Reals
    """stored energy at the start [J]"""
    accepted: Reals
    """time of the last accepted state, if friction is elastic or joints have springs [s]"""
    deepest: Reals
    """the largest penetration of rigid contacts [m]"""


class Limits(NamedTuple):
    """Limits of an explicit step, except those due to contacts and joint friction, (1,) each."""

    square: Reals
    """square of the highest undamped frequency of links [rad^2/s^2]"""
    mechanism: Reals
    """square of the highest frequency of the mechanism without the chain [rad^2/s^2]"""
    damping: Reals
    """highest damping rate of links, joints and mechanism [1/s]"""
    rate: Reals
    """highest rate of loads and of oil, each of which acts alone [1/s]"""


class Used(NamedTuple):
    """Number of segment rows and number of slots in use, (1,) each."""

    segments: Wholes
    slots: Wholes

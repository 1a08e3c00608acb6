"""Placing the rollers of a chain along its route: in the gaps of the wheels, at equal distances in the spans."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chaindrive.elementary import arctan2
from chaindrive.errors import InputError, Problem
from chaindrive.geometry.hanging import hang
from chaindrive.geometry.route import DOWN, Route, length_in_pitches, oval_route, pitch_radius, route
from chaindrive.geometry.walk import Walk, close, seat_points, shares_in_plane, walk

if TYPE_CHECKING:
    from chaindrive.geometry.pitch_line import OvalWheel

__all__ = [
    "SETTLED",
    "InitialConfiguration",
    "first_wheel",
    "fitting_distance",
    "fitting_links",
    "place_chain",
    "seated",
    "span_places",
]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

LARGEST_STRAIN = 0.008
"""Mean strain of the links above which a chain counts as too short; far beyond what any roller chain can bear. [-]"""

LARGEST_SPAN_STRETCH = 0.1
"""Strain of the links in the spans above which a chain counts as too short, if the links on the wheels are not
stretched. [-]
"""

LARGEST_SLACK = 0.6
"""Slack, as a fraction of the slack span, above which no initial configuration is attempted. [-]"""

LARGEST_DEPTH = 0.05
"""Largest depth, in pitches, by which a hanging roller may be inside the pitch circle of a wheel. [-]"""

SETTLED = 8
"""Number of iterations after which the number of links between offset wheels is kept fixed."""

ROUNDING = 1e-9
"""Fraction of the pitch by which links may be compressed in the spans of a chain that counts as taut. [-]"""

LARGEST_SAG = 0.5
"""Sag of the slack span, as a fraction of its length, above which a chain counts as too long. [-]"""


LEAST_HANGING = 3
"""Least number of links by which a hanging loop must exceed half the number of teeth of the wheels at its ends. [-]"""


class InitialConfiguration(NamedTuple):
    """Positions of all parts when the chain lies on its route. N rollers, W wheels."""

    route: Route
    """The route through the centres of the wrapped rollers."""
    roller_position: FloatArray
    """Shape (N, 2). [m]"""
    roller_tangent: FloatArray
    """Velocity of each roller when the chain speed (pitch times tooth frequency) is 1, shape (N, 2). [-]"""
    wheel_angle: FloatArray
    """Direction of gap 0 of each wheel, shape (W,), -pi..pi. [rad]"""
    wheel_rate: FloatArray
    """Angular velocity of each wheel when the chain speed is 1, shape (W,), positive counter-clockwise. [1/m]"""
    seat_wheel: IntArray
    """Wheel in a gap of which each roller lies, -1 for a roller in a span, shape (N,)."""
    seat_gap: IntArray
    """Number of this gap, counted counter-clockwise from gap 0, -1 for a roller in a span, shape (N,)."""
    roller_span: IntArray
    """Span in which each roller is, -1 for a roller on a wheel, shape (N,)."""
    span_of_link: IntArray
    """Span to which link i (from roller i to i + 1) belongs, -1 if both rollers lie on one wheel, shape (N,)."""
    spacing: float
    """Distance between neighbouring rollers in the spans: the stretched pitch, or the pitch if the chain is slack. [m]
    """
    even_spacing: float
    """Distance between neighbouring rollers if all links, including those on the wheels, shared the stretch. [m]"""
    strain: float
    """Strain even_spacing/pitch - 1, zero if the chain is slack. Multiplied by link stiffness and pitch, it gives the
    kinematic preload. [-]
    """
    slack_span: int
    """The span that hangs, -1 if the chain is taut."""
    sag: float
    """Largest distance of the hanging rollers from the straight line between the ends of their span, 0 if the chain is
    taut. [m]
    """


def place_chain(
    centres: ArrayLike,
    teeth: ArrayLike,
    signs: ArrayLike,
    pitch: float,
    links: int,
    gravity: tuple[float, float] = DOWN,
    slack_span: int | None = None,
    phase: float = 0.0,
    radii: ArrayLike | None = None,
    straight: bool = False,
    offsets: ArrayLike | None = None,
    oval: OvalWheel | None = None,
) -> InitialConfiguration:
    """Place a chain of this many links on its route.

    centres: wheel centres in route order, shape (W, 2) [m]; teeth: shape (W,); signs: +1 where the chain turns the
    wheel counter-clockwise, -1 clockwise, shape (W,); pitch [m]; gravity [m/s^2]: only its direction is used;
    slack_span: the span that hangs if the chain is longer than the route, by default the longest span; phase, 0..1:
    distance of the first roller on wheel 0 from the touch point, in teeth (for a slack chain, on the wheel after the
    slack span); radii: of the circles on which the wrapped rollers lie, shape (W,) [m], by default the pitch circles;
    straight: a slack chain does not hang; its links in the spans are compressed instead, as when rails carry it;
    offsets: of the wheels in front of the plane, shape (W,) [m], by default zero; the links in the spans of a taut
    chain share them evenly; oval: the oval sprocket at its present angle. The first roller on an oval sprocket is at
    the touch point of the span before it, whatever the phase, and a slack chain does not hang.

    A wrapped chain has exactly one roller per tooth. Rollers in the spans have equal distances d, such that the loop
    closes with the given number of links. A chain that would need d < pitch keeps d = pitch and hangs, as a chain on a
    single wheel always does. Roller 0 is the first roller on wheel 0. Raises InputError for a route that does not exist
    and for a chain that does not fit.
    """
    z = np.asarray(teeth, dtype=np.int64)
    circles = pitch_radius(pitch, z) if radii is None else np.asarray(radii, dtype=np.float64)
    path = route(centres, circles, signs, gravity)
    if path.hanging_loop:
        return _hung_in_a_loop(path, z, pitch, links, phase, gravity)
    if oval is not None:
        path, phase, straight = oval_route(path, oval), 0.0, True
    needed = length_in_pitches(path, pitch, z)
    if needed > links * (1.0 + LARGEST_STRAIN):
        raise InputError(_too_short(path, pitch, z, links, needed))
    hanging = int(np.argmax(path.span_length)) if slack_span is None else slack_span
    if (links - needed) * pitch > LARGEST_SLACK * path.span_length[hanging]:
        raise InputError(_too_long(path, pitch, z, links, needed))
    tooth = 2.0 * np.pi / z
    free = links - float(np.sum(path.wrap / tooth))
    guess = float(path.span_length.sum()) / free if free > 0.0 else np.inf
    if guess > (1.0 + LARGEST_SPAN_STRETCH) * pitch:
        raise InputError(_too_short(path, pitch, z, links, needed))
    first = first_wheel(path, tooth)
    start, shares = (2 * first, phase * tooth[first]), None
    spacing, lay = close(path, tooth, guess, links, *start)
    if offsets is not None and np.ptp(aside := np.asarray(offsets, dtype=np.float64)) > 0.0:
        for _ in range(SETTLED):  # how many links go over follows from where they lie, and that from how they go over
            before, shares = shares, shares_in_plane(lay, aside, spacing)
            if before is not None and np.allclose(shares, before, rtol=0.0, atol=1e-12):
                break
            spacing, lay = close(path, tooth, spacing, links, *start, shares)
    if spacing > pitch * (1.0 - ROUNDING):
        even, _ = close(path, None, pitch * max(needed / links, 1.0 - ROUNDING), links, *start, shares)
        return _assemble(path, z, pitch, lay, spacing, max(even, pitch), -1, 0.0)
    if straight:
        return _assemble(path, z, pitch, lay, spacing, pitch, hanging, 0.0)
    for direction in (gravity, (0.0, 0.0)):  # where gravity would lay the chain onto a wheel: a curve outward instead
        lay, sag = _hang(path, tooth, pitch, links, phase, hanging, direction)
        free_joints = lay.position[lay.element == 2 * hanging + 1]
        depth = max(_depth(path, w, free_joints) for w in range(len(z)))
        if sag <= LARGEST_SAG * path.span_length[hanging] and depth <= LARGEST_DEPTH * pitch:
            return _assemble(path, z, pitch, lay, pitch, pitch, hanging, sag)
    raise InputError(_too_long(path, pitch, z, links, needed))


def _hung_in_a_loop(
    path: Route, z: IntArray, pitch: float, links: int, phase: float, gravity: tuple[float, float]
) -> InitialConfiguration:
    """Place a chain of which one span hangs in a loop. Links of one pitch fill the route from the end of the loop
    around to its start, and the remaining links form the loop. Raises InputError if too few links remain.
    """
    ends = z[[path.loop, (path.loop + 1) % len(z)]]
    others = np.delete(path.span_length, path.loop)
    taut = float(others.sum()) / pitch + float(path.wrap @ z) / (2.0 * np.pi)
    least = int(np.ceil(taut + 0.25 * float(ends.sum()) - 1e-9)) + LEAST_HANGING
    if links < least:
        where = f"with a single wheel of {z[0]} teeth, from which" if len(z) == 1 else "on this route, on which"
        message = f"must be at least {least} {where} the chain hangs in a loop"
        raise InputError(Problem("chain.links", message, str(links)))
    lay, sag = _hang(path, 2.0 * np.pi / z, pitch, links, phase, path.loop, gravity)
    return _assemble(path, z, pitch, lay, pitch, pitch, path.loop, sag)


def span_places(configuration: InitialConfiguration, pitch: float) -> FloatArray:
    """Return where every span begins and ends along the loop, counted from roller 0, shape (W, 2) [pitches].

    For a span that runs past roller 0, the end exceeds the number of links.
    """
    way, n = configuration.route, len(configuration.roller_position)
    places = np.zeros((len(way.span_length), 2))
    for k, length in enumerate(way.span_length):
        along = (configuration.roller_position - way.span_start[k]) @ way.span_direction[k] / pitch
        links = np.flatnonzero(configuration.span_of_link == k)
        if not way.closed:
            places[k] = np.nan
            if links.size:
                beyond = max(0.0, along[links[-1] + 1] - length / pitch)
                places[k] = links[0] + max(0.0, -along[links[0]]), links[-1] + 1 - beyond
            continue
        first = next((i for i in links if configuration.span_of_link[i - 1] != k), 0)
        last = (first + len(links)) % n
        places[k, 0] = first + max(0.0, -along[first])
        places[k, 1] = first + len(links) - max(0.0, along[last] - length / pitch)
    return places


def first_wheel(path: Route, tooth: FloatArray) -> int:
    """Return the wheel from which the rollers of a taut chain are laid: the oval sprocket if there is one, else wheel
    0, or the wheel with the most rollers if none lies on wheel 0.
    """
    if path.oval is not None:
        return path.oval.wheel
    wrapped = path.wrap / tooth
    return 0 if wrapped[0] >= 1.0 else int(np.argmax(wrapped))


def fitting_links(needed: float) -> int:
    """Return the smallest even number of links that fits around a route of this length in pitches, with at most 0.1 %
    of stretch.
    """
    return 2 * ceil(0.5 * needed / 1.001)


def _hang(
    path: Route, tooth: FloatArray, pitch: float, links: int, phase: float, span: int, gravity: tuple[float, float]
) -> tuple[Walk, float]:
    """Lay the chain from the end of the slack span to its start and let the rest hang; also return the sag [m].

    The number of rollers on the two wheels beside the slack span is determined by seating rollers that would be inside
    a wheel and releasing those that the chain would lift out of their gap.
    """
    count = 2 * len(path.radii)
    ahead, behind = (span + 1) % len(path.radii), span
    whole = walk(path, tooth, pitch, links, 2 * ahead, phase * tooth[ahead])
    on_ahead = int(np.count_nonzero(whole.element == 2 * ahead))
    on_behind = np.flatnonzero(whole.element == 2 * ahead + count - 2)
    if len(on_behind) == 0:
        message = "has too little wrap next to the slack span: no roller lies on it; choose a different slack span"
        raise InputError(Problem(f"wheels[{behind}]", message))
    last = int(on_behind[-1])
    u = path.span_direction[span]
    side = -_loop_sense(path) * np.array([-u[1], u[0]])
    more = [0, 0]  # rollers added on the wheel ahead of, and behind, the touch points next to the slack span
    seen, result = set(), None
    while tuple(more) not in seen:
        seen.add(tuple(more))
        head = seat_points(path, ahead, whole.progress[0] + tooth[ahead] * np.arange(-more[0], 0))
        tail = seat_points(path, behind, whole.progress[last] + tooth[behind] * np.arange(1, more[1] + 1))
        body = slice(max(0, -more[0]), last + 1 + min(0, more[1]))
        position = np.concatenate([head, whole.position[body], tail])
        element = [2 * ahead] * len(head) + whole.element[body].tolist() + [2 * behind] * len(tail)
        curve = hang(position[-1], position[0], links - len(position) + 1, pitch, gravity, side)
        if curve is None:
            break
        result = position, element, curve
        inner = curve[1:-1]  # each wheel sees its half, for both may be the same
        change = _seat_or_lift(path, behind, position[-2:], curve[1], inner[: (len(inner) + 1) // 2], pitch)
        if change and len(on_behind) + more[1] + change > 0:
            more[1] += change
            continue
        change = _seat_or_lift(
            path, ahead, np.stack([curve[-2], position[0]]), position[1], inner[len(inner) // 2 :], pitch
        )
        if change and on_ahead + more[0] + change > 0:
            more[0] += change
    if result is None:
        raise InputError(Problem("chain.links", "the slack span cannot be placed; choose a different one", str(links)))
    position, element, curve = result
    line = (curve[-1] - curve[0]) / np.hypot(*(curve[-1] - curve[0]))
    sag = np.abs((curve[:, 0] - curve[0, 0]) * line[1] - (curve[:, 1] - curve[0, 1]) * line[0]).max()
    element += [2 * span + 1] * (len(curve) - 2)
    position = np.concatenate([position, curve[1:-1]])
    return Walk(np.array(element) % count, np.zeros(links), position), float(sag)


def _seat_or_lift(
    path: Route, wheel: int, before_and_at: FloatArray, after: FloatArray, free: FloatArray, pitch: float
) -> int:
    """Return +1 if free joints of the hanging curve are inside the wheel, -1 if the curve lifts the outermost seated
    roller, else 0.

    before_and_at: the joint before that roller and the roller itself, shape (2, 2); after: the joint after it. [m]
    """
    if _depth(path, wheel, free) > 1e-6 * pitch:
        return 1
    (ax, ay), (bx, by) = before_and_at[1] - before_and_at[0], after - before_and_at[1]
    return -1 if path.signs[wheel] * (ax * by - ay * bx) < 0.0 else 0


def _depth(path: Route, wheel: int, free: FloatArray) -> float:
    """Return how far free joints, shape (n, 2), reach into the circle of a wheel; negative outside. [m]"""
    arm = free - path.centres[wheel]
    return float(path.radii[wheel] - np.hypot(arm[:, 0], arm[:, 1]).min(initial=np.inf))


def _loop_sense(path: Route) -> float:
    """Return +1 if the route runs counter-clockwise around the area that it encloses, -1 if clockwise."""
    return float(np.sign(path.signs @ path.wrap))


def _assemble(
    path: Route, teeth: IntArray, pitch: float, lay: Walk, spacing: float, even: float, slack_span: int, sag: float
) -> InitialConfiguration:
    """Number the rollers from the first roller on wheel 0, and turn the wheels so that every wrapped roller lies in a
    gap.
    """
    element = lay.element % (2 * len(teeth))
    on_zero = np.flatnonzero((element == 0) & (np.roll(element, 1) != 0))
    shift = int(on_zero[0]) if len(on_zero) else int(np.argmin(element))
    element, position = np.roll(element, -shift), np.roll(lay.position, -shift, axis=0)
    ahead = np.roll(position, -1, axis=0) - np.roll(position, 1, axis=0)
    ahead /= np.hypot(ahead[:, 0], ahead[:, 1])[:, None]
    after = np.roll(element, -1)
    span_of_link = np.where((element % 2 == 0) & (after == element), -1, element // 2)
    return seated(path, teeth, pitch, element, position, ahead, span_of_link, spacing, even, slack_span, sag)


def seated(
    path: Route, teeth: IntArray, pitch: float, element: IntArray, position: FloatArray, ahead: FloatArray,
    span_of_link: IntArray, spacing: float, even: float, slack_span: int, sag: float,
) -> InitialConfiguration:  # fmt: skip
    """Return the configuration of a chain laid on its route, with its wheels turned so that every wrapped roller lies
    in a gap.

    element (N,): 2 w for a roller on wheel w, 2 w + 1 for a roller in the span after it; position (N, 2) [m]; ahead (N,
    2): unit vectors along the chain, for the span that hangs. For the other arguments see InitialConfiguration.
    """
    wheels = len(teeth)
    on_wheel = element % 2 == 0
    roller_span = np.where(on_wheel, -1, element // 2 + path.leading)
    seat_wheel = np.where(on_wheel, element // 2, -1)
    rate = path.signs * 2.0 * np.pi / (teeth * pitch)
    straight = path.span_direction[roller_span] * (spacing / pitch) if len(path.span_direction) else ahead
    tangent = np.where((roller_span == slack_span)[:, None], ahead, straight)
    seat_gap, wheel_angle = np.full(len(element), -1), np.empty(wheels)
    for w in range(wheels):
        seats = np.flatnonzero(seat_wheel == w)
        arm = position[seats] - path.centres[w]
        if len(seats):
            wheel_angle[w] = arctan2(arm[0, 1], arm[0, 0])
            seat_gap[seats] = (path.signs[w].astype(int) * np.arange(len(seats))) % teeth[w]
            if path.oval is not None and w == path.oval.wheel:
                wheel_angle[w], seat_gap[seats] = path.oval.angle, (seat_gap[seats] + path.oval_gaps[0]) % teeth[w]
            tangent[seats] = rate[w] * np.column_stack([-arm[:, 1], arm[:, 0]])
        else:  # the chain passes over it between two rollers: a gap meets the one before when it has rolled so far
            previous = int(np.flatnonzero(element < 2 * w)[-1]) if np.any(element < 2 * w) else -1
            span = path.span_before(w)
            way = float((path.span_end[span] - position[previous]) @ path.span_direction[span])
            wheel_angle[w] = path.arrival_angle[w] - path.signs[w] * way / path.radii[w]
    wheel_angle = np.pi - (np.pi - wheel_angle) % (2.0 * np.pi)
    return InitialConfiguration(
        route=path,
        roller_position=position,
        roller_tangent=tangent,
        wheel_angle=wheel_angle,
        wheel_rate=rate,
        seat_wheel=seat_wheel,
        seat_gap=seat_gap,
        roller_span=roller_span,
        span_of_link=span_of_link,
        spacing=spacing,
        even_spacing=even,
        strain=even / pitch - 1.0,
        slack_span=slack_span,
        sag=sag,
    )


def fitting_distance(path: Route, pitch: float, teeth: ArrayLike, links: int) -> float | None:
    """Return the centre distance at which this chain is taut on two wheels [m]; None for other drives, or if there is
    none.
    """
    if len(path.radii) != 2:
        return None
    from scipy.optimize import brentq

    line = path.centres[1] - path.centres[0]
    distance = float(np.hypot(*line))

    def excess(scale: float) -> float:
        moved = np.array([path.centres[0], path.centres[0] + scale * line])
        return length_in_pitches(route(moved, path.radii, path.signs), pitch, teeth) - links

    low = (abs(path.radii[0] * path.signs[0] - path.radii[1] * path.signs[1]) + 1e-6 * pitch) / distance
    high = 1.0 + links * pitch / distance
    return None if excess(low) > 0.0 else float(brentq(excess, low, high)) * distance


def _fitting_distance(path: Route, pitch: float, teeth: IntArray, links: int) -> str:
    """Return advice that names the centre distance that fits."""
    distance = fitting_distance(path, pitch, teeth, links)
    return "" if distance is None else f"; or set the centres {distance:.6g} m apart"


def _too_short(path: Route, pitch: float, teeth: IntArray, links: int, needed: float) -> Problem:
    message = (
        f"the route needs {needed:.2f} pitches; the chain has {links} links: at least {fitting_links(needed)} are"
        f" needed (an even number needs no cranked link){_fitting_distance(path, pitch, teeth, links)}"
    )
    return Problem("chain.links", message, str(links))


def _too_long(path: Route, pitch: float, teeth: IntArray, links: int, needed: float) -> Problem:
    fitting = fitting_links(needed)
    advice = f"{fitting} links fit" if fitting < links else "take up the slack, or move the wheel onto which it sags"
    message = (
        f"the route needs {needed:.2f} pitches; the chain has {links} links: it would sag by more than half the span "
        f"or onto a wheel; {advice}{_fitting_distance(path, pitch, teeth, links)}"
    )
    return Problem("chain.links", message, str(links))

"""Surfaces, routes, and where the rollers are placed."""

from mutations.mutation import Mutation

PROFILE = ("tests/unit/test_geometry_profile.py",)
GUIDE = ("tests/unit/test_geometry_guide.py",)
ROUTE = ("tests/unit/test_geometry_route.py",)
PLACING = ("tests/unit/test_geometry_initial_configuration.py",)
CLEARANCE = ("tests/unit/test_geometry_clearance.py",)
TRAJECTORY = ("tests/unit/test_geometry_trajectory.py",)
OVAL = ("tests/unit/test_pitch_line.py",)
CLOSING = ("tests/unit/test_geometry_closing.py",)
SPAN_PLACES = ("tests/unit/test_span_places.py",)

MUTATIONS = (
    Mutation(
        "conveyor-flank-against-the-gap", "profile", "opening = half + lean", "opening = lean",
        "Flanks of conveyor sprockets are inclined to the centre line of the gap instead of the tooth.", PROFILE,
    ),
    Mutation(
        "obstruction-to-the-middle-of-the-roller", "obstruction", "- pitch + roller_radius", "- pitch",
        "The clearance between teeth and rollers is reported too large by the radius of a roller.", PROFILE,
    ),
    Mutation(
        "taut-route-of-one-side", "taut_route", "sides[k] * math.remainder(", "math.remainder(",
        "A rail on the right of the chain is skipped where it presses on the chain, and kept where it does not "
        "touch it.", ROUTE,
    ),
    Mutation(
        "taut-route-of-points", "taut_route", "(s * r).tolist()", "(0.0 * s * r).tolist()",
        "Whether the chain touches a rail is judged as if wheels had no radius.", ROUTE,
    ),
    Mutation(
        "arc-distance", "distance", "2.0 * (ux * nx + uy * ny)", "(ux * nx + uy * ny)",
        "Distances from arcs and lines are too small.", PROFILE,
    ),
    Mutation(
        "arc-bend", "bend", "return curvature / s", "return curvature * s",
        "The curvature of a surface seen from a point is wrong.",
        ("tests/unit/test_roller_statics.py::test_stiffness_is_the_derivative_of_the_forces[industrial-08b]",),
    ),
    Mutation(
        "gap-not-folded", "gap_distance", "        gx = -gx", "        gx = gx",
        "The left flank of a gap pushes to the left.", PROFILE,
    ),
    Mutation(
        "rail-without-depth", "open_profile_field", "height >= -limit and ", "",
        "A rail acts on rollers that are far behind it.", GUIDE,
    ),
    Mutation(
        "lone-element-at-a-joint", "lone_element",
        "lone >= 0 or past_start < margin or past_end > -margin", "past_start < margin and past_end > -margin",
        "Where two elements of a rail meet, the wrong one acts on a roller.", GUIDE,
    ),
    Mutation(
        "rail-end-out-of-reach", "_may_meet", "< (reach + margin) * (reach + margin)", "< reach * reach",
        "A roller that reaches the end of a rail between two searches passes through the rail.", GUIDE,
    ),
    Mutation(
        "rail-edge-behind", "_edge", "height > 0.0", "height < 0.0",
        "The end of a rail acts on rollers behind it.", GUIDE,
    ),
    Mutation(
        "tangent-sides", "_apart", "reach = c[after] - c, s * r", "reach = c[after] - c, r",
        "Inner tangents are treated as outer tangents.", ROUTE,
    ),
    Mutation(
        "arrival-of-next-span", "route", "_left(towards)[before]", "_left(towards)[after]",
        "The chain arrives on a wheel in the direction of the span after it.", ROUTE,
    ),
    Mutation(
        "pitch-radius-of-arc", "pitch_radius", "2.0 * sin(np.pi / np.asarray(teeth, dtype=np.float64))",
        "2.0 * np.pi / np.asarray(teeth, dtype=np.float64)", "The pitch is measured along the arc of the pitch circle.",
        (*PLACING, *ROUTE),
    ),
    Mutation(
        "wrapped-by-arc", "length_in_pitches",
        "wrapped = float(route.wrap @ np.asarray(teeth, dtype=np.float64)) / (2.0 * np.pi)",
        "wrapped = float(route.wrap @ route.radii) / pitch",
        "The length of the wrapped chain is that of the arc of the circle.",
        ROUTE,
    ),
    Mutation(
        "fitting-links-odd", "fitting_links", "2 * ceil(0.5 * needed / 1.001)", "ceil(needed / 1.001)",
        "The recommended number of links may be odd.", (*PLACING, *ROUTE),
    ),
    Mutation(
        "span-begins-early", "span_places", "first + max(0.0, -along[first])", "first - max(0.0, -along[first])",
        "A span begins before the point at which the chain leaves the wheel.", SPAN_PLACES,
    ),
    Mutation(
        "initial-configuration-phase", "place_chain",
        "start, shares = (2 * first, phase * tooth[first]), None", "start, shares = (2 * first, 0.0), None",
        "The phase of a taut chain is ignored.", PLACING,
    ),
    Mutation(
        "links-not-across", "shares_in_plane", "1.0 - across**2", "1.0 - 0.0 * across**2",
        "Links that also run sideways between wheels out of line are longer than the pitch.", CLOSING,
    ),
    Mutation(
        "closing-from-the-wrong-side", "_rises", "(needed[:-1] < wanted) & (needed[1:] >= wanted)",
        "(needed[:-1] > wanted) & (needed[1:] <= wanted)",
        "A tensioner stops where its chain would become slack.", CLOSING,
    ),
    Mutation(
        "transition-not-smooth", "_curvature", "3.0 * g**2 * (1.0 - 2.0 * u)", "2.0 * g**2 * (1.0 - 2.0 * u)",
        "The curvature of the trajectory jumps within a transition.", TRAJECTORY,
    ),
    Mutation(
        "trajectory-beside-the-wheels", "_gaps", "+ normal / circles.curvature[:, None]",
        "+ 1.001 * normal / circles.curvature[:, None]", "The trajectory runs beside the pitch circles.", TRAJECTORY,
    ),
    Mutation(
        "trajectory-longest-arc-moves", "_gives_way", "joined[i] if i < stays", "joined[i] if i > stays",
        "If arcs meet, the longest one gives way.", TRAJECTORY,
    ),
    Mutation(
        "trajectory-curvature-slope", "trajectory_point", "6.0 * a3", "3.0 * a3",
        "The slope of the curvature is not its derivative.", TRAJECTORY,
    ),
    Mutation(
        "path-coriolis", "acceleration_to_path", "2.0 * curvature * y_rate", "curvature * y_rate",
        "Half of the Coriolis acceleration of a link off the trajectory is missing.", TRAJECTORY,
    ),
    Mutation(
        "oval-gaps-towards-the-axis", "pitch_polygon", "direction = arctan2(-across[:, 0], across[:, 1])",
        "direction = arctan2(corners[:, 1], corners[:, 0])",
        "Tooth gaps of an oval sprocket point towards its axis instead of being perpendicular to its pitch line.", OVAL,
    ),
    Mutation(
        "oval-corner-inside", "oval_route", "np.argmax(-sign", "np.argmin(-sign",
        "The chain leaves an oval sprocket on the far side.", OVAL,
    ),
    Mutation(
        "oval-first-gap", "seated", "(seat_gap[seats] + path.oval_gaps[0])", "seat_gap[seats]",
        "The first roller on an oval sprocket is reported to be in gap 0.", OVAL,
    ),
    Mutation(
        "path-leaves-out-what-fits", "_refusal", "np.argmin(size[arcs])", "np.argmax(size[arcs])",
        "If one arc of a guide does not fit with the others, an arc that fits is omitted instead.", TRAJECTORY,
    ),
)  # fmt: skip

"""Surfaces, routes, and where the rollers are placed."""

from mutations.mutation import Mutation

PROFILE = ("tests/unit/test_geometry_profile.py",)
GUIDE = ("tests/unit/test_geometry_guide.py",)
ROUTE = ("tests/unit/test_geometry_route.py",)
PLACING = ("tests/unit/test_geometry_initial_configuration.py",)
CLEARANCE = ("tests/unit/test_geometry_clearance.py",)

SPAN_PLACES = ("tests/unit/test_span_places.py",)

MUTATIONS = (
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
        "A rail holds rollers that are far behind it.", GUIDE,
    ),
    Mutation(
        "rail-edge-behind", "_edge", "height > 0.0", "height < 0.0",
        "The end of a rail is felt from behind.", GUIDE,
    ),
    Mutation(
        "tangent-sides", "_apart", "np.roll(s * r, -1) - s * r", "np.roll(r, -1) - r",
        "Inner tangents are taken as outer ones.", ROUTE,
    ),
    Mutation(
        "arrival-of-next-span", "route", "np.roll(normal, 1, axis=0)", "np.roll(normal, -1, axis=0)",
        "The chain arrives on a wheel in the direction of the span after it.", ROUTE,
    ),
    Mutation(
        "pitch-radius-of-arc", "pitch_radius", "2.0 * np.sin(np.pi / np.asarray(teeth, dtype=np.float64))",
        "2.0 * np.pi / np.asarray(teeth, dtype=np.float64)", "The pitch circle has the pitch as an arc.",
        (*PLACING, *ROUTE),
    ),
    Mutation(
        "wrapped-by-arc", "length_in_pitches",
        "wrapped = float(route.wrap @ np.asarray(teeth, dtype=np.float64)) / (2.0 * np.pi)",
        "wrapped = float(route.wrap @ route.radii) / pitch", "The wrapped chain is as long as the arc of the circle.",
        ROUTE,
    ),
    Mutation(
        "fitting-links-odd", "fitting_links", "2 * ceil(0.5 * needed / 1.001)", "ceil(needed / 1.001)",
        "A chain may get an odd number of links.", (*PLACING, *ROUTE),
    ),
    Mutation(
        "span-begins-early", "span_places", "first + max(0.0, -along[first])", "first - max(0.0, -along[first])",
        "A span begins before the place where the chain leaves the wheel.", SPAN_PLACES,
    ),
    Mutation(
        "initial-configuration-phase", "place_chain",
        "spacing, lay = close(path, tooth, guess, links, 2 * first, phase * tooth[first])",
        "spacing, lay = close(path, tooth, guess, links, 2 * first, 0.0)",
        "The phase of a taut chain is ignored.", PLACING,
    ),
)  # fmt: skip

"""Open chains: their anchors, loads on their ends, routes and spans, goods on them."""

from mutations.mutation import Mutation

PLACING = ("tests/unit/test_geometry_open_chain.py",)
ENDS = ("tests/unit/test_model_ends.py",)
DRUM = ("tests/verification/test_open_chains.py::test_a_drum_winds_its_chain_up[roller]",)
LIFT = (
    "tests/verification/test_open_chains.py::test_a_lift_with_two_falls_doubles_the_way_and_halves_the_force"
    "[roller-33-0.4-0.25]",
)
FITTINGS = ("tests/verification/test_open_chains.py::test_forces_of_soft_fittings_are_minus_the_slope_of_the_energy",)
ANCHORED = ("tests/verification/test_open_chains.py::test_an_anchor_on_a_drum_is_where_it_is_said_to_be[roller]",)
PENDULUMS = tuple(
    f"tests/verification/test_open_links.py::{name}"
    for name in (
        "test_links_with_their_mass_in_the_joints_have_the_roots_of_laguerre_polynomials",
        "test_two_uniform_rods_are_a_double_physical_pendulum",
    )
)
LOADED = tuple(
    f"tests/verification/test_open_links.py::{name}"
    for name in (
        "test_a_load_on_the_end_stands_on_its_roller",
        "test_two_loads_on_one_link_turn_about_each_other",
    )
)
PULLED = ("tests/verification/test_loads_over_time.py::test_tension_follows_a_slow_ramp_of_the_force[free end-roller]",)
GOODS = ("tests/verification/test_wear_and_payload.py",)

MUTATIONS = (
    Mutation(
        "anchor-damped-against-the-ground", "anchor_forces",
        "vx, vy = velocity[i] - p.anchor.vx[a], velocity[n + i] - p.anchor.vy[a]",
        "vx, vy = velocity[i], velocity[n + i]",
        "The damper of a fitting on a moving part acts relative to the ground.",
        (*DRUM, *LIFT), compiled=True,
    ),
    Mutation(
        "anchor-on-a-wheel-moves-backwards", "place_anchors_on_wheels", "p.frame.vy[w] + turning * rx",
        "p.frame.vy[w] - turning * rx", "The anchor on a drum moves down where it should move up.", DRUM, compiled=True,
    ),
    Mutation(
        "fitting-stores-along-x-only", "anchor_energy", "(dx * dx + dy * dy)", "(dx * dx)",
        "The elastic energy of a fitting ignores its extension in the y direction.", FITTINGS,
    ),
    Mutation(
        "anchor-elsewhere-on-its-wheel", "put_anchors", "end.angle - float(angle[w])", "end.angle",
        "The position of an anchor on its wheel ignores how far the wheel has turned.", ANCHORED,
    ),
    Mutation(
        "load-without-centripetal-force", "_pull", "turns * ay - square * ax", "turns * ay",
        "The reported force of a load swinging at the end of a chain lacks the centripetal part.",
        LOADED,
    ),
    Mutation(
        "load-turns-about-its-own-link", "_with_load", "mass * load / (mass + load) * float(off @ off)",
        "load * float(off @ off)",
        "The moment of inertia of a link with a heavy load on its end includes that of the load about the link.",
        PENDULUMS, compiled=True,
    ),
    Mutation(
        "open-arrival-of-next-span", "_around", "direction[w + leading - 1]", "direction[w + leading]",
        "An open chain arrives on a wheel in the direction of the span after it.", PLACING,
    ),
    Mutation(
        "turned-round-leads-alike", "turned_round", "leading=trailing", "leading=way.leading",
        "A route reversed from its other end begins with a span if and only if the original route does.", PLACING,
    ),
    Mutation(
        "free-span-a-link-too-long", "open_route", "(links - float(wrap @ z)", "(links + 1 - float(wrap @ z)",
        "The span to a free end has one link too many.", PLACING,
    ),
    Mutation(
        "hanging-span-lifts-the-wrong-joints", "change", "(ax * by - ay * bx) < 0.0", "(ax * by - ay * bx) > 0.0",
        "Beside a hanging span, joints that lie on a wheel are lifted off it.", PLACING,
    ),
    Mutation(
        "span-beyond-an-anchored-wheel", "span_count",
        "wheels + 1 - sum(isinstance(end, WheelEnd) for end in ends)", "wheels + 1",
        "An open chain has a span beyond the wheel to which it is anchored.", ENDS,
    ),
    Mutation(
        "sheave-moved-as-in-a-closed-chain", "_outward", "drive.chain.ends or ()", "()",
        "For a wheel to be moved outwards, no direction is found, because there is no other wheel.",
        ("tests/verification/test_open_preload.py::test_over_an_idle_sheave_both_spans_have_it",),
    ),
    Mutation(
        "end-force-does-no-work", "pull_ends", "power += pull * velocity[i]", "power -= pull * velocity[i]",
        "The work of a force on a free end has the wrong sign.", PULLED, compiled=True,
    ),
    Mutation(
        "end-force-in-another-direction", "_forces", "row.scaled(math.sin(direction))",
        "row.scaled(-math.sin(direction))", "A force on a free end that should pull upwards pulls downwards.",
        ("tests/verification/test_loads_over_time.py::test_a_force_upwards_carries_its_part_of_the_weight",),
    ),
    Mutation(
        "end-force-not-in-the-pull", "weight_pull", "(end.mass * gravity + _lasting(end))", "(end.mass * gravity)",
        "Forces on chain ends are omitted in the balance of torques and loads.",
        ("tests/unit/test_loads_and_tables.py",),
    ),
    Mutation(
        "goods-on-the-wrong-neighbour", "put_payloads", "np.roll(of_links, 1)) if halved",
        "np.roll(of_links, -1)) if halved", "Half of the goods on a link are carried by the wrong neighbour.",
        GOODS,
    ),
)  # fmt: skip

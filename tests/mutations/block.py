"""The chain drive block: tensions of its spans, slack, torques on its wheels, the maximum of the tension."""

from mutations.mutation import Mutation

BLOCK = tuple(
    f"tests/verification/test_block.py::{name}"
    for name in (
        "test_the_block_is_that_of_simscape_with_the_sign_corrected",
        "test_period_with_slack",
        "test_energy_of_a_rattling_chain",
        "test_steady_transmission",
        "test_back_driving",
        "test_any_number_of_wheels_balances_its_energy",
        "test_tight_spans_add_up_in_series",
        "test_stiffness_and_slack_come_from_the_chain",
        "test_the_maximum_tension_ends_a_run_to_the_instant",
        "test_either_span_ends_a_run_at_the_maximum_tension",
        "test_an_unbalanced_wheel_pulls_its_bearing_to_its_heavy_side",
        "test_a_wheel_on_the_back_of_the_chain_turns_the_other_way",
        "test_bearings_carry_the_weight_of_the_wheels",
    )
)

MAPPED = ("tests/unit/test_reducing.py::test_friction_by_a_map_takes_its_part_of_the_tension",)

RIPPLE = "tests/verification/test_block_ripple.py::"
SLOWLY = (f"{RIPPLE}test_slowly_the_load_divided_by_the_lever_arm",)
REDUCED = (
    "tests/unit/test_reducing.py::test_ripple_comes_back",
    "tests/unit/test_reducing.py::test_the_closed_form_of_polygonal_action",
)

MUTATIONS = (
    Mutation(
        "block-net-pulls-in-both", "_net_tension", "max(-force, 0.0)", "max(force, 0.0)",
        "The net force of the block pulls in both spans.", BLOCK,
    ),
    Mutation(
        "block-net-of-the-slacker", "_net_tension", "p.pull.elongation[1] > p.pull.elongation[0]",
        "p.pull.elongation[1] < p.pull.elongation[0]",
        "The net force of the block is assigned to the slacker span.", BLOCK,
    ),
    Mutation(
        "block-spring-heats", "_tensions", "(tension - span_spring(elongation, stiffness)) * rate", "tension * rate",
        "The work of the spring of a span counts as lost.", BLOCK,
    ),
    Mutation(
        "block-slack-stretches", "_spans", "-slack * compliance", "slack * compliance",
        "Slack counts as pretension.", BLOCK,
    ),
    Mutation(
        "block-slack-shared-evenly", "_spans", "-slack * compliance / compliance.sum()", "-slack / compliance.size",
        "Short spans get as much of the slack as long ones.", BLOCK,
    ),
    Mutation(
        "block-span-not-closed", "_elongations", "after = k + 1 if k + 1 < n else 0", "after = min(k + 1, n - 1)",
        "The last span leads from the last wheel to itself.", BLOCK,
    ),
    Mutation(
        "block-torque-as-printed", "_turn", "(p.pull.tension[w] - p.pull.tension[before])",
        "(p.pull.tension[before] - p.pull.tension[w])",
        "The chain drives a wheel further that is already ahead, as the page about Simscape states.", BLOCK,
    ),
    Mutation(
        "block-map-over-the-angular-speed", "chain_friction", "interpolate_map(abs(turning) * radius,",
        "interpolate_map(abs(turning),",
        "A friction map is read at the angular speed instead of the chain speed.", MAPPED,
    ),
    Mutation(
        "block-map-does-not-know-the-sense", "chain_friction", "interpolate_map(abs(turning) * radius,",
        "interpolate_map(turning * radius,",
        "A friction map is read at zero speed for one direction of rotation.", MAPPED,
    ),
    Mutation(
        "block-bearing-drives", "_turn", "shaft - bearing", "shaft + bearing",
        "Bearings drive their wheels.", BLOCK,
    ),
    Mutation(
        "block-unbalance-rises", "_turn", "+ ex * p.gravity_y - ey * p.gravity_x",
        "- ex * p.gravity_y + ey * p.gravity_x", "Gravity lifts the heavy side of a wheel.", BLOCK,
    ),
    Mutation(
        "block-bearing-gravity-up", "force_on_bearing", "alpha, p.gravity_x, p.gravity_y)",
        "alpha, -p.gravity_x, -p.gravity_y)", "The weight of a wheel lifts it off its bearing.", BLOCK,
    ),
    Mutation(
        "block-back-wheel-unturned", "_wheels", "sign * drive_facts(drive).levers[w]", "drive_facts(drive).levers[w]",
        "A wheel on the back of the chain turns as one inside the loop.", BLOCK,
    ),
    Mutation(
        "block-maximum-of-last-span", "margin", "tension = max(tension, p.pull.tension[k])",
        "tension = p.pull.tension[k]", "Only the tension of the last span can end a run.", BLOCK,
    ),
    Mutation(
        "block-maximum-twice", "margin", "tension / p.maximum_tension", "0.5 * tension / p.maximum_tension",
        "A run continues until the tension is twice its maximum.", BLOCK,
    ),
    Mutation(
        "block-ripple-leaves-the-levers", "_ripple", "ripple.amplitude[i] * ripple.order[i] * math.cos(angle)", "0.0",
        "Ripple of the elongation does no work at the wheels.", (*SLOWLY, f"{RIPPLE}test_it_makes_no_energy"), True,
    ),
    Mutation(
        "block-ripple-of-one-wave-a-turn", "_ripple", "ripple.order[i] * y[w] + ripple.phase[i]",
        "y[w] + ripple.phase[i]", "Polygonal action occurs once per revolution.", SLOWLY, True,
    ),
    Mutation(
        "block-ripple-drives", "_ripple_moments", "-= pull.tension", "+= pull.tension",
        "The tension turns a wheel in the direction in which the span gets longer.",
        (*SLOWLY, f"{RIPPLE}test_free_wheels_keep_their_energy"), True,
    ),
    Mutation(
        "block-ripple-in-the-shaft", "_shaft_torque", "chain += p.pull.ripple_moment[w]", "chain += 0.0",
        "The torque of a shaft includes that of the ripple of the chain.", SLOWLY, True,
    ),
    Mutation(
        "block-ripple-without-teeth", "_ripples", "drive.wheels[each.wheel].teeth if each.order is None",
        "1 if each.order is None",
        "Ripple without a given order is treated as runout.", SLOWLY, True,
    ),
    Mutation(
        "block-ripple-not-in-the-step", "_stretch", "np.copysign(_rises(p), levers)", "0.0 * levers",
        "The step limit ignores the lever arms of ripple.",
        (f"{RIPPLE}test_the_step_limit_knows_the_steepest_lever_arms",), True,
    ),
    Mutation(
        "ripple-levers-turned", "_equations", "= -pull * np.cos(angle), pull * np.sin(angle)",
        "= pull * np.cos(angle), -pull * np.sin(angle)",
        "Ripple is identified as if the measured torques acted on the chain.", REDUCED, True,
    ),
    Mutation(
        "ripple-undamped", "_equations", "np.gradient(course.tension[:, k], course.time) / drive.stiffness[k]", "0.0",
        "The effect of span dampers is mistaken for ripple.", REDUCED[1:],
    ),
    Mutation(
        "ripple-phase-of-the-detailed-drive", "waves_of", "phase + order * turned[w]", "phase",
        "Phases refer to the angles of the detailed drive instead of those of the block.", REDUCED[1:],
    ),
    Mutation(
        "polygonal-action-of-the-speed", "waves_of", "polygon_harmonic(drive.teeth[w], n)) / order",
        "polygon_harmonic(drive.teeth[w], n))", "The closed form is that for the speed instead of the elongation.",
        REDUCED[1:],
    ),
    Mutation(
        "reduced-backwards", "_run", "float(facts.senses[facts.driver]), 2.0", "1.0, 2.0",
        "Detailed runs always turn counter-clockwise, whatever the direction of the drive.", REDUCED[:1], True,
    ),
)  # fmt: skip

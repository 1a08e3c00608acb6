"""Several chains and rotors in one drive: shafts that join them, their start, endings, speeds and loads behind them."""

from mutations.mutation import Mutation

STAGES = tuple(
    f"tests/verification/test_stages.py::{name}"
    for name in (
        "test_torques_and_tensions_at_the_start_are_those_of_the_ratios",
        "test_a_gear_turns_the_other_way_and_takes_its_ratio",
        "test_the_eigenfrequencies_of_two_wheels_with_a_shaft_between_them",
        "test_a_drive_that_torques_turn_balances_with_its_stages",
        "test_backlash_carries_nothing_within_it",
        "test_the_damping_of_a_shaft_is_a_part_of_what_is_critical_for_the_inertias_on_both_sides",
        "test_a_stage_whose_chain_reaches_its_maximum_ends_the_run_to_the_instant",
        "test_steps_end_where_a_load_of_a_stage_has_a_kink",
        "test_several_stages_on_one_wheel_and_one_behind_the_other",
        "test_what_a_stage_wants_of_its_shaft",
    )
)
TWISTED = (
    "tests/verification/test_stages.py::test_a_shaft_twisted_the_other_way_has_the_opposite_torque_and_the_same_losses",
)
AXLES = ("tests/unit/test_planar_axles.py",)
ONE_SHAFT = ("tests/verification/test_wheels_on_one_shaft.py",)
ONE_SHAFT_ANALYSES = ("tests/unit/test_one_shaft_analyses.py",)
ONE_CENTRE = ("tests/unit/test_one_centre.py",)
MODES = ("tests/verification/test_modes_of_stages.py::test_two_wheels_on_their_chains_with_a_shaft_between_them",)
MODEL = ("tests/unit/test_stages_model.py::test_each_chain_alone_is_a_drive",)

FIRST_PULL = ("tests/verification/test_stages.py::test_the_first_chain_starts_with_the_pull_of_the_second_one",)
SLIPPED = ("tests/verification/test_stages.py::test_a_rigid_shaft_that_slips_is_reported",)
PARKED = ("tests/verification/test_sticking_bearings.py::test_a_parked_drive_of_the_block_does_not_move",)

MUTATIONS = (
    Mutation(
        "stage-starts-with-rollers-that-settle", "_torque_in_equilibrium", "if not system.motion.chains:", "if True:",
        "The pull of a stage at the start includes friction of rollers that are about to settle.", FIRST_PULL,
    ),
    Mutation(
        "slip-without-the-ratio", "findings", "s.ratio * moved[s.before.angle]", "moved[s.before.angle]",
        "The slip of a rigid gear is that of a shaft of ratio 1.", SLIPPED,
    ),
    Mutation(
        "parked-the-wrong-way", "hold_by_bearings", "anchor[w] += part", "anchor[w] -= part",
        "The bearing that parks a load pushes it.", PARKED,
    ),
    Mutation(
        "gear-of-an-elastic-shaft", "_joined", "p.running1.joined[p.wheel1] -= p.ratio * torque",
        "p.running1.joined[p.wheel1] -= torque", "An elastic gear does not multiply its torque.", STAGES,
    ),
    Mutation(
        "shaft-starts-untwisted", "_twisted", " + p.shaft_zero[0]", "",
        "A shaft starts without the twist that transmits its load.", STAGES,
    ),
    Mutation(
        "backlash-damped-backwards", "torsion_torque", "-twist - 0.5 * backlash, -rate,",
        "-twist - 0.5 * backlash, rate,", "The damper of a shaft drives on the reverse side of its backlash.",
        TWISTED,
    ),
    Mutation(
        "backward-twist-stores-nothing", "torsion_energy", "abs(twist)", "twist",
        "A shaft with backlash that is twisted backwards has no elastic energy.", STAGES,
    ),
    Mutation(
        "shaft-starts-within-its-backlash", "join", " + math.copysign(0.5 * p.backlash, torque)", "",
        "A shaft with backlash starts without torque.", STAGES,
    ),
    Mutation(
        "ratio-not-squared", "join", "shaft.ratio**2 / first", "abs(shaft.ratio) / first",
        "Damping and step of a gear use the ratio instead of its square for the inertia before it.",
        STAGES,
    ),
    Mutation(
        "ending-of-the-wrong-chain", "_answer", "return other + SECOND_ENDINGS", "return other",
        "The end of a run caused by a stage is attributed to the first chain.", STAGES,
    ),
    Mutation(
        "margin-of-the-safer-chain", "_least", "min(one(p.first), other(p.second))",
        "max(one(p.first), other(p.second))", "A run ends only when both of its chains break, instead of one.",
        STAGES,
    ),
    Mutation(
        "kinks-behind-a-shaft-stepped-over", "_motion", "stops=np.union1d(first.stops, second.stops)",
        "stops=first.stops", "Steps do not end where a load in a stage begins.", STAGES,
    ),
    Mutation(
        "ratio-of-teeth-inverted", "_ratios", "chain.wheels[reference].teeth / chain.wheels[turning].teeth",
        "chain.wheels[turning].teeth / chain.wheels[reference].teeth",
        "A stage behind a large wheel turns faster than the driver.", (*MODEL, *STAGES),
    ),
    Mutation(
        "only-the-last-shaft-pulls", "_pull", "pulled.get(turning, 0.0) - shaft.ratio * wanted",
        "-shaft.ratio * wanted", "At the start, only one of several shafts on a wheel loads it.", STAGES,
    ),
    Mutation(
        "loads-behind-shafts-unreduced", "_shafts_of_stages_and_rotors",
        "shaft.ratio * abs(ratios[stage.name])", "shaft.ratio",
        "The balance of a drive counts the loads of a stage as if it turned at the speed of the driver.", STAGES,
    ),
    Mutation(
        "motor-behind-a-shaft-as-a-load", "_load", "if motor and torque < 0.0", "if False",
        "A motor on a rotor is a negative load, which cancels the power of the other loads.",
        ("tests/unit/test_rotors_model.py::test_a_motor_on_a_rotor_is_no_load",),
    ),
    Mutation(
        "inertia-of-the-first-wheel-only", "axles_of",
        "np.add.at(inertia, wheel.axle, wheel.inertia)", "inertia[:] = wheel.inertia[first]",
        "A shaft with two wheels has the inertia of only one wheel.", ONE_SHAFT, compiled=True,
    ),
    Mutation(
        "second-wheel-at-the-angle-of-the-first", "wheel_angle", " + p.wheel.ahead[w]", "",
        "The teeth of the second wheel on a shaft are not where the chain was placed.", ONE_SHAFT, compiled=True,
    ),
    Mutation(
        "spans-as-if-at-one-speed", "_spans", "p.spans.end[k] + longer", "p.spans.end[k]",
        "A span next to wheels on one shaft keeps its number of links.", ONE_SHAFT, compiled=True,
    ),
    Mutation(
        "wheels-of-one-centre-in-one-plane", "in_its_plane", "return 0.0 <= along <= p.wheel.along[w]",
        "return True", "A strand touches the wheel in the other plane.", ONE_SHAFT, compiled=True,
    ),
    Mutation(
        "plane-does-not-follow-the-wheel", "in_its_plane", "i - p.wheel.first[w] + turned", "i - p.wheel.first[w]",
        "The rollers that may touch a wheel with a shared centre remain those of the start.", AXLES,
    ),
    Mutation(
        "loop-as-wide-as-one-wheel", "route", "r[k] + r[after[k]]", "2.0 * r[k]",
        "A loop between wheels with a common centre hangs from only one of them.", ONE_CENTRE,
    ),
    Mutation(
        "second-wheel-behind-a-shaft-by-its-teeth", "turned_parts",
        "1.0 if other.shaft_with == part.shaft.to_wheel else ", "",
        "Behind a shaft, wheels fixed to the same shaft turn at different speeds.", ONE_SHAFT_ANALYSES,
    ),
    Mutation(
        "teeth-of-one-wheel-at-all", "_marks_of_wheels", "wheel.teeth * float(turning[w])",
        "drive.wheels[driver].teeth * float(turning[w])", "All wheels are marked with the teeth of the driver.",
        ONE_SHAFT_ANALYSES,
    ),
    Mutation(
        "torque-of-the-first-wheel-drives", "shafts", "torque @ (facts.axles[:, None] == facts.axles)", "torque",
        "Torque that one wheel of a shaft passes to another wheel counts as driving torque.", ONE_SHAFT_ANALYSES,
    ),
    Mutation(
        "loop-moves-what-is-beside-it", "mode_shares", "if path.one_centre.any():", "if False:",
        "The modes of a loop are attributed to the pulley beside it.", ONE_SHAFT, compiled=True,
    ),
    Mutation(
        "loop-as-slack-of-bodies", "_warn_of_slack", "if drive_facts(drive).route.hanging_loop:", "if False:",
        "A loop that grows as the load rises is reported as slack left by bodies.", ONE_SHAFT, compiled=True,
    ),
    Mutation(
        "names-on-each-other", "_wheel_choices", "scene.route.one_centre[w, :w].any()", "False",
        "The names of two wheels with a common centre are drawn on top of each other.", ONE_SHAFT_ANALYSES,
    ),
    Mutation(
        "second-wheel-in-the-balance-by-its-teeth", "shafts", "1.0 if on_it else teeth / wheel.teeth",
        "teeth / wheel.teeth",
        "The balance of torques lets the wheels on one shaft turn at different speeds.", ONE_CENTRE,
    ),
    Mutation(
        "shaft-drives-its-modes", "_linearised", "forces -= sparse", "forces += sparse",
        "An elastic shaft between chains has a negative stiffness in the modes.", MODES,
    ),
    Mutation(
        "rigid-gear-of-one-to-one", "_coordinates", "shaft.ratio * ratio[shaft.before]", "ratio[shaft.before]",
        "In the modes, a rigid gear turns the wheel behind it at the speed of the wheel before it.", MODES,
    ),
)  # fmt: skip

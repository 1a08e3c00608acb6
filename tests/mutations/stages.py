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
MODES = ("tests/verification/test_modes_of_stages.py::test_two_wheels_on_their_chains_with_a_shaft_between_them",)
MODEL = ("tests/unit/test_stages_model.py::test_each_chain_alone_is_a_drive",)

MUTATIONS = (
    Mutation(
        "gear-of-an-elastic-shaft", "_joined", "p.running1.joined[p.wheel1] -= p.ratio * torque",
        "p.running1.joined[p.wheel1] -= torque", "An elastic gear does not multiply its torque.", STAGES,
    ),
    Mutation(
        "shaft-starts-untwisted", "_twisted", " + p.shaft_zero[0]", "",
        "A shaft starts without the twist that carries its load.", STAGES,
    ),
    Mutation(
        "backlash-damped-backwards", "torsion_torque", "-twist - 0.5 * backlash, -rate,",
        "-twist - 0.5 * backlash, rate,", "The damper of a shaft drives on the back side of its backlash.",
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
        "Damping and step of a gear know the inertia before it by the ratio instead of its square.",
        STAGES,
    ),
    Mutation(
        "ending-of-the-wrong-chain", "_answer", "return other + SECOND_ENDINGS", "return other",
        "What ends the run in a stage is said of the first chain.", STAGES,
    ),
    Mutation(
        "margin-of-the-safer-chain", "_least", "min(one(p.first), other(p.second))",
        "max(one(p.first), other(p.second))", "A run ends when both of its chains break, not one.",
        STAGES,
    ),
    Mutation(
        "kinks-behind-a-shaft-stepped-over", "_motion", "stops=np.union1d(first.stops, second.stops)",
        "stops=first.stops", "Steps do not end where a load of a stage begins.", STAGES,
    ),
    Mutation(
        "ratio-of-teeth-inverted", "_ratios", "chain.wheels[reference].teeth / chain.wheels[turning].teeth",
        "chain.wheels[turning].teeth / chain.wheels[reference].teeth",
        "A stage behind a large wheel turns faster than the driver.", (*MODEL, *STAGES),
    ),
    Mutation(
        "only-the-last-shaft-pulls", "_pull", "pulled.get(turning, 0.0) - shaft.ratio * wanted",
        "-shaft.ratio * wanted", "Of several shafts on one wheel only one loads it at the start.", STAGES,
    ),
    Mutation(
        "loads-behind-shafts-unreduced", "_shafts_behind", "shaft.ratio * abs(ratios[stage.name])", "shaft.ratio",
        "The balance of a drive counts the loads of a stage as if it turned with the driver.", STAGES,
    ),
    Mutation(
        "shaft-drives-its-modes", "_linearised", "forces -= sparse", "forces += sparse",
        "An elastic shaft between chains has a negative stiffness in the modes.", MODES,
    ),
    Mutation(
        "rigid-gear-of-one-to-one", "_coordinates", "shaft.ratio * ratio[shaft.before]", "ratio[shaft.before]",
        "In the modes a rigid gear turns the wheel behind it as fast as the one before.", MODES,
    ),
)  # fmt: skip

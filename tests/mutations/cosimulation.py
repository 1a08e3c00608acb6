"""Machines connected to a drive: polynomials, schemes, the energy residual, FMUs and refused ones."""

from mutations.mutation import Mutation

WHOLE = "tests/verification/test_coupled_against_whole.py::"
UNIT = "tests/unit/test_cosimulation.py::"
FMU = "tests/unit/test_fmu_machines.py::"
ORDERS = (f"{WHOLE}test_the_error_falls_with_the_order_of_the_polynomials",)
ACCOUNT = (f"{WHOLE}test_the_account_of_a_bond_is_the_difference_of_both_works",)
MOTOR = (f"{WHOLE}test_a_motor_beside_the_drive_is_the_one_within_it_to_second_order",)
COURSE = (f"{UNIT}test_a_course_leads_to_what_is_given",)
PRESCRIBED = "tests/contracts/test_input_contract.py::test_an_input_is_what_the_same_drive_prescribes"
POLYNOMIALS = (f"{UNIT}test_polynomials_pass_through_their_points",)

MUTATIONS = (
    Mutation(
        "divided-differences", "through", "x[k:] - x[: x.size - k]", "x[1:] - x[:-1]",
        "Second differences are divided by a single step.", POLYNOMIALS,
    ),
    Mutation(
        "rates-of-signals", "rates", "powers[:, None] * self.coefficients[1:]", "self.coefficients[1:]",
        "The derivative of a quadratic term is half of its value.", POLYNOMIALS,
    ),
    Mutation(
        "input-backwards", "write", "coefficients[::-1]", "coefficients",
        "Value and rate of a given torque are exchanged.",
        (f"{UNIT}test_an_input_is_a_cubic_in_time_since_it_was_written", *MOTOR),
    ),
    Mutation(
        "speed-course-ends-off", "course", "found[2] += 6.0 * off", "found[2] += 3.0 * off",
        "A wheel does not reach the prescribed speed.", COURSE,
    ),
    Mutation(
        "position-course-without-speed", "course", "(by_place * away + by_speed * apace)", "by_place * away",
        "A moving body is not at its prescribed position.", COURSE,
    ),
    Mutation(
        "gear-of-a-prescribed-speed", "signals", "1.0 / ratio if led else ratio, speed)", "ratio, speed)",
        "A machine that prescribes a speed through a gear prescribes a wrong speed.",
        (f"{UNIT}test_a_machine_prescribes_a_speed_and_gets_the_torque_that_this_takes",),
    ),
    Mutation(
        "supply-before-the-run", "forces", "load_at(t, elements.supply,", "load_at(0.0, elements.supply,",
        "A supply pressure keeps its initial value.", (PRESCRIBED,), compiled=True,
    ),
    Mutation(
        "force-of-a-motion-of-a-joint", "solve", "tree.motion_force[j] = supplied", "tree.motion_force[j] = -supplied",
        "The force for a prescribed joint motion is reported to the machine with the wrong sign.",
        ("tests/contracts/test_input_contract.py",),
    ),
    Mutation(
        "residual-of-own-signals", "_book", "seen[bond.target].at(t)[effort]", "own[effort]",
        "The energy residual ignores what the other part received.", ACCOUNT,
    ),
    Mutation(
        "scheme-without-end-values", "_sweep", "            if known:\n", "            if not known:\n",
        "Gauss-Seidel extrapolates, Jacobi does not.", (*ORDERS, *ACCOUNT),
    ),
    Mutation(
        "start-of-order-one", "_steps", "1 + raised", "1",
        "The first step is not repeated, so that quadratic polynomials lose an order.", ORDERS,
    ),
    Mutation(
        "step-control-backwards", "advance", "** (-1.0 / (self._degree + 1))", "** (1.0 / (self._degree + 1))",
        "Macro steps become longer when more energy is created.",
        (f"{WHOLE}test_the_step_control_holds_the_power_that_a_bond_makes",),
    ),
    Mutation(
        "reaction-of-a-shaft", "signals", "SIGN[self.acts_on] * (1.0 / ratio if led else ratio)",
        "(1.0 / ratio if led else ratio)", "A torque on the machine is taken as a torque on the drive.",
        ("tests/unit/test_cosimulation.py::test_a_torque_that_acts_on_the_machine_is_turned_round",),
    ),
    Mutation(
        "reaction-of-a-body", "signals", "sign = SIGN[self.acts_on]", "sign = 1.0",
        "A force on the machine is taken as a force on the body.",
        ("tests/unit/test_cosimulation.py::test_a_force_that_acts_on_the_machine_is_turned_round",),
    ),
    Mutation(
        "gear-of-a-machine", "couple", "DRIVE, name, signal.factor)", "DRIVE, name)",
        "A gear between machine and wheel does not multiply the torque.",
        (f"{FMU}test_a_gear_refers_torque_and_speed",),
    ),
    Mutation(
        "fmu-holds-the-first-value", "step", "time + 0.5 * step", "time",
        "An FMU holds the value of an input at the start of a step, which causes a first-order error.",
        (f"{FMU}test_the_motor_as_an_fmu_is_the_motor_in_python",),
    ),
    Mutation(
        "fmu-units", "_set", "values / self._units", "values * self._units",
        "Inputs of an FMU are converted in the wrong direction.", (f"{FMU}test_parameters_and_signals_have_units",),
    ),
    Mutation(
        "paths-that-lead-out", "_problems", '".." in way.parts', "False",
        "An archive may write outside its folder.", (f"{FMU}test_paths_that_lead_out_are_refused",),
    ),
)  # fmt: skip

"""The rocker-pin chain of a CVT, and friction solved at every contact by itself."""

from mutations.mutation import Mutation

SHEAVE = ("tests/unit/test_physics_sheave.py",)
VARIATOR = ("tests/unit/test_geometry_variator.py",)
LEAPFROG = ("tests/unit/test_solvers_leapfrog.py",)
CHAIN = "tests/verification/test_rocker_pin_chains.py"
LOST = (f"{CHAIN}::test_the_power_that_is_missing_is_lost_in_friction_and_dampers",)

MUTATIONS = (
    Mutation(
        "pin-closes-with-one-face",
        "closure",
        "return 2.0 * (reference - radius) * slope",
        "return (reference - radius) * slope",
        "A pin is pressed as if one sheave were flat.",
        SHEAVE,
    ),
    Mutation(
        "normal-force-without-friction",
        "normal_force",
        "(axial + along * sine)",
        "axial",
        "The normal force of a pin does not balance its friction along the cone.",
        SHEAVE,
    ),
    Mutation(
        "pin-friction-sticks-always",
        "coulomb",
        "return holding_g if sticks else slide_g, holding_t if sticks else slide_t",
        "return holding_g, holding_t",
        "Coulomb friction of a pin has no limit.",
        SHEAVE,
    ),
    Mutation(
        "newton-without-skew",
        "_newton",
        "bend = limit * skew * u_g * slower_g",
        "bend = 0.0",
        "Three iterations do not solve the friction of a pin.",
        SHEAVE,
    ),
    Mutation(
        "wraps-as-arcs",
        "_around",
        "wrap * pitch / (2.0 * math.asin(0.5 * pitch / radius))",
        "wrap * radius",
        "The wrapped chain is as long as its arc, not as its chords.",
        VARIATOR,
    ),
    Mutation(
        "leapfrog-without-second-drift",
        "step",
        "c.trial[j] = middle[j] + half * c.trial[n + j]",
        "c.trial[j] = middle[j] + half * c.state[n + j]",
        "Positions end with the velocities before the step.",
        LEAPFROG,
    ),
    Mutation(
        "directions-of-the-middle",
        "_free_speeds",
        "turned = 0.5 * h * y[at]",
        "turned = 0.0",
        "A pin that is carried round drifts outwards.",
        (f"{CHAIN}::test_a_prototype_of_another_hand",),
        compiled=True,
    ),
    Mutation(
        "friction-at-the-speed-before",
        "_apply",
        "vx = y[speeds + i] + half * dy[speeds + i]",
        "vx = y[speeds + i]",
        "Friction loses its impulse times the sliding speed before the step.",
        LOST,
        compiled=True,
    ),
    Mutation(
        "tilt-of-one-sheave",
        "_tilt",
        "2.0 * stiffness * time * (rate_a * rate_a",
        "stiffness * time * (rate_a * rate_a",
        "The loss of one of both tilted sheaves is missing.",
        LOST,
        compiled=True,
    ),
    Mutation(
        "thrust-of-both-sheaves",
        "_close",
        "- p.sum.thrust[w]) / p.sheave.mass[w]",
        "- 2.0 * p.sum.thrust[w]) / p.sheave.mass[w]",
        "The sheave that moves carries twice the thrust of the pins.",
        (f"{CHAIN}::test_the_thrusts_of_the_pins_add_up_to_the_force",),
        compiled=True,
    ),
    Mutation(
        "slip-limit-of-one-face",
        "clampings",
        "per_thrust = 2.0 * pins.friction",
        "per_thrust = pins.friction",
        "The slip limit counts one end of the pins.",
        ("tests/unit/test_model_sheaves.py::test_clamping_forces_and_the_slip_limit",),
    ),
    Mutation(
        "second-radius-upside-down",
        "running_radii",
        "return first.running_radius, second_radius(first.running_radius,",
        "return first.running_radius, second_radius(0.9 * first.running_radius,",
        "The driven radius does not close the chain.",
        ("tests/unit/test_model_sheaves.py::test_the_sheaves_are_the_wheels_of_the_drive",),
    ),
)

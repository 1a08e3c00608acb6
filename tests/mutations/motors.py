"""Motors, governors, pedals, freewheels and vehicles, and the speed at which all of them balance."""

from mutations.mutation import Mutation

TORQUES = ("tests/unit/test_torques.py",)
PEDALS = ("tests/verification/test_freewheels_and_pedals.py::test_torque_of_pedals",)
HUB = (
    "tests/verification/test_freewheels_and_pedals.py"
    "::test_a_clutch_takes_hold_at_once_of_a_hub_that_has_run_ahead_in_many_steps",
)
DROOP = ("tests/verification/test_motors_and_loads.py::test_a_governor_without_an_integral_part_droops",)
GOVERNORS = ("tests/verification/test_motors_and_loads.py::test_a_governor_settles_at_its_mean",)
VEHICLE = ("tests/verification/test_vehicle.py",)
BALANCE = ("tests/unit/test_torque_driven_model.py", *TORQUES)

MUTATIONS = (
    Mutation(
        "deep-bars-at-once", "kloss_torque", "(d - critical) / (synchronous - critical)", "d / synchronous",
        "The resistance of deep bars jumps at the pull-out slip of a motor.", TORQUES,
    ),
    Mutation(
        "field-of-a-motor-switched-off", "flux_of", "MOST_FLUX if voltage > 0.0 else 0.0", "MOST_FLUX",
        "A motor that is switched off brakes its wheel.", TORQUES,
    ),
    Mutation(
        "poles-of-the-next-pair", "_synchronous", "math.ceil(full / abs(speed)) - 1", "math.ceil(full / abs(speed))",
        "A motor has two poles more than its rated speed implies.", TORQUES,
    ),
    Mutation(
        "critical-slip-of-the-other-root", "critical_slip", "slip * (k + math", "slip * (k - math",
        "The pull-out slip of a motor is below its rated slip.", TORQUES,
    ),
    Mutation(
        "governor-of-a-clockwise-wheel", "_too_slow", "wanted - math.copysign(1.0, torque.a[k]) * speed",
        "wanted - speed", "A governor treats a wheel that turns clockwise as one that turns backwards.", TORQUES,
    ),
    Mutation(
        "governor-starts-the-other-way", "initial_state", "self._sense * needed if", "needed if",
        "A governor for a clockwise speed starts with its smallest torque.", (*TORQUES, *GOVERNORS),
    ),
    Mutation(
        "governor-keeps-a-part-it-has-not", "initial_state", " and self.integral > 0.0", "",
        "A governor without an integral part keeps the torque of the start for ever.", DROOP,
    ),
    Mutation(
        "one-pedal", "_value", "math.cos(2.0 * (turned - torque.b[k]))", "math.cos(turned - torque.b[k])",
        "The torque of the pedals is that of one leg.", PEDALS,
    ),
    Mutation(
        "hub-forgets-how-far-it-ran", "latch_freewheels", "p.overrun[w] -= p.twisted.angle[w]",
        "p.overrun[w] = -p.twisted.angle[w]", "A freewheel forgets at every step how far its hub has overrun.", HUB,
    ),
    Mutation(
        "air-drag-of-the-wrong-power", "drag", "self.drag_area * self.way**3", "self.drag_area * self.way**2",
        "The air drag of a vehicle is applied to its wheel as a force instead of a torque.", VEHICLE,
    ),
    Mutation(
        "orders-of-a-clockwise-load", "_value", "if sense_of == A.COUNTERCLOCKWISE and backwards else",
        "if backwards else", "The orders of a load on a clockwise wheel have the wrong sign.", TORQUES,
    ),
    Mutation(
        "reduced-speed-without-reduced-torque", "net_torque", "total -= shaft.ratio * resists", "total -= resists",
        "A load on a slow wheel acts on the driver with its full torque.", BALANCE,
    ),
    Mutation(
        "each-governor-gives-all", "governors_share", "-net_torque(others, speed) / governed",
        "-net_torque(others, speed)", "At the start, two governors together give twice the torque that the load needs.",
        BALANCE,
    ),
)  # fmt: skip

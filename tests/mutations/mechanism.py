"""Bodies, tensioning elements, motions and loads of the wheels."""

from mutations.mutation import Mutation

LOADS = ("tests/unit/test_mechanism_loads.py",)
ELEMENTS = ("tests/unit/test_mechanism_elements.py",)
TREE = ("tests/unit/test_mechanism_tree.py",)
FLUCTUATION = ("tests/unit/test_mechanism_fluctuation.py",)

TORQUES = ("tests/unit/test_torques.py",)
CONTRACT = ("tests/contracts/test_torque_contract.py",)
COURSES = ("tests/unit/test_course.py",)
ROTORS = ("tests/verification/test_rotors.py",)
OVER_TIME = tuple(
    f"tests/verification/test_loads_over_time.py::{name}"
    for name in (
        "test_a_free_mass_is_accelerated_by_the_impulse_of_its_load",
        "test_a_harmonic_torque_swings_a_spring_and_damper_as_its_transfer_function_says",
    )
)
OWN_LAWS = ("tests/unit/test_own_laws.py",)
IN_SPACE = ("tests/unit/test_own_laws.py::test_friction_in_space_is_the_coefficient_of_the_law_times_the_force",)
OWN_CONTACT = ("tests/unit/test_own_contact_laws.py",)
SHAPES = ("tests/contracts/test_contact_contract.py",)
JOINT_TABLES = ("tests/unit/test_loads_and_tables.py",)
JOINTS_BY_A_TABLE = ("tests/verification/test_loads_over_time.py::test_two_points_are_the_polynomial_of_degree_five",)

MUTATIONS = (
    Mutation(
        "joint-load-does-no-work", "solve", "power += tree.applied[j] * y[positions + at + j]", "power += 0.0",
        "The work of a time-dependent load is missing in the energy balance.", OVER_TIME,
    ),
    Mutation(
        "joint-load-over-time-missing", "joint_law", "body.load[b] + tree.applied[body.coordinate[b]]", "body.load[b]",
        "Time-dependent loads have no effect.", OVER_TIME,
    ),
    Mutation(
        "loads-do-not-add-up", "load_joints", "tree.applied[tree.load.coordinate[k]] += load_at(",
        "tree.applied[tree.load.coordinate[k]] = load_at(", "Only the last of the loads on one joint acts.",
        OVER_TIME,
    ),
    Mutation(
        "harmonic-load-from-the-start-of-the-run", "load_at", "math.sin(load.frequency[k] * s + load.phase[k])",
        "math.sin(load.frequency[k] * t + load.phase[k])", "The phase of a force refers to the start of the run.",
        ("tests/verification/test_loads_over_time.py::test_a_force_that_begins_at_once_is_there_at_its_start",),
    ),
    Mutation(
        "joint-table-too-steep", "_monotone", "most = STEEPEST * np", "most = 3.0 * np",
        "A body moves backwards between two points of an increasing table.", JOINT_TABLES,
    ),
    Mutation(
        "joint-table-moves-early", "position_table_acceleration", "if t > table[first, 0]", "if t > -1.0",
        "A joint is accelerated before its table begins.", JOINT_TABLES,
    ),
    Mutation(
        "joint-table-of-the-wrong-derivative", "position_table", ".derivative(2)", ".derivative(1)",
        "A joint is accelerated by its speed.", JOINTS_BY_A_TABLE,
    ),
    Mutation(
        "load-quadratic-drives", "torque_of", "p.torque.b[k] * abs(speed)", "p.torque.b[k] * speed",
        "A quadratic load drives a wheel that turns clockwise.", LOADS,
    ),
    Mutation(
        "load-phase-sign", "_value", "turned + torque.phase[k]", "turned - torque.phase[k]",
        "The table of a load begins at the wrong angle.", LOADS,
    ),
    Mutation(
        "load-sense", "torque_of", "-running * p.torque.value[k]", "running * p.torque.value[k]",
        "A load torque drives.", LOADS,
    ),
    Mutation(
        "load-damping-half", "", "self.viscous + 2.0 * self.quadratic", "self.viscous + self.quadratic",
        "The slope of a quadratic load is half of its value.", LOADS,
    ),
    Mutation(
        "torque-over-the-other", "_value", "return linear_value(t, table, first, end, 1)",
        "return linear_value(speed, table, first, end, 1)", "A time-dependent torque is read at the speed.", LOADS,
    ),
    Mutation(
        "torque-slope-sign", "linear_value", "+ table[row, column + 1] * (x - table[row, 0])",
        "- table[row, column + 1] * (x - table[row, 0])",
        "A tabulated torque decreases where its points increase.", LOADS,
    ),
    Mutation(
        "torque-goes-on-beyond", "linear_value", "return table[first, column]",
        "return table[first, column] + table[first, column + 1] * (x - table[first, 0])",
        "A tabulated torque is extrapolated before its first point.", LOADS,
    ),
    Mutation(
        "torque-with-the-running-sense", "torque_of", "return value\n    if sense_of == A.AGAINST_SENSE",
        "return running * value\n    if sense_of == A.AGAINST_SENSE",
        "A weight changes sides with the direction of rotation of the drive.", LOADS,
    ),
    Mutation(
        "torque-reads-the-first-table", "pack", "torque.rows_end[k] = used, used + len(table)",
        "torque.rows_end[k] = 0, len(table)", "All wheels have the torque of the first table.", LOADS,
    ),
    Mutation(
        "torque-kinks-stepped-over", "pack", "stops += [*made.times, *(", "stops += [*(",
        "Steps do not end at the kinks of a time-dependent torque.", LOADS,
    ),
    Mutation(
        "torque-of-speed-unlimited", "steepest", "facts.slope + inertia * facts.rate", "inertia * facts.rate",
        "A torque that decreases steeply with the speed does not shorten the step.", LOADS,
    ),
    Mutation(
        "torque-of-rising-slope", "TorqueOverSpeed", "float(abs(linear_rows(self.speeds, self.torques)[:, 2]).max())",
        "float(linear_rows(self.speeds, self.torques)[:, 2].max())",
        "Only a torque that increases with the speed shortens the step.", LOADS,
    ),
    Mutation(
        "steady-torque-at-first", "TorqueOverTime", "self.torques[-1] if time is None",
        "self.torques[0] if time is None", "The long-term torque is that at the start.", LOADS,
    ),
    Mutation(
        "mean-of-a-law-over-the-angle", "mean_of_cubics", "constant + width * (linear / 2.0",
        "constant + width * (linear / 3.0",
        "The mean of an angle-dependent torque is not that of its cubic pieces.", CONTRACT,
    ),
    Mutation(
        "motor-behind-a-shaft-unseen", "turned_parts", "yield Turned(wheel, part, ratio)",
        "yield Turned(wheel, part, 0.0 * ratio)", "A motor connected by a shaft is omitted in the comparison of a run.",
        ("tests/unit/test_analyses_comparison.py::test_a_motor_behind_a_shaft_is_seen",), compiled=True,
    ),
    Mutation(
        "driving-from-one-torque", "_mean_torques", "[sum(m.mean_torque(w, sense, t) for m in torques) for t, w in at]",
        "[0.0 for t, w in at]", "The torque of a motor is compared with zero.",
        (*CONTRACT, "tests/unit/test_analyses_comparison.py"),
    ),
    Mutation(
        "orders-phase-over-time", "speed_at", "nominal * (t - row.start[0])", "nominal * t",
        "A fluctuation that begins later has the wrong phase.", FLUCTUATION,
    ),
    Mutation(
        "fluctuation-turns-over", "speed_at", "math.sqrt(2.0 * energy)", "math.sqrt(energy)",
        "The speed of an angle-dependent fluctuation is too small by a factor of the square root of two.", FLUCTUATION,
    ),
    Mutation(
        "law-of-a-tensioner-does-no-work", "forces", "lost -= own * rate", "pass",
        "The work of a user-defined law is missing in the energy balance.", OWN_LAWS,
    ),
    Mutation(
        "law-of-a-tensioner-does-not-limit-steps", "element_limits", " + value.law_damping", "",
        "The damping of a user-defined law does not shorten the step.", OWN_LAWS,
    ),
    Mutation(
        "law-of-friction-of-the-signed-speed", "own_forces", "abs(contact.slip[k])", "contact.slip[k]",
        "A friction coefficient by a user-defined law is different for the opposite direction.", OWN_LAWS,
    ),
    Mutation(
        "law-of-friction-at-the-slip-alone", "own_coefficient", "(law, slip, force)", "(law, slip, 0.0)",
        "A friction coefficient by a user-defined law does not depend on the force.", OWN_LAWS,
    ),
    Mutation(
        "law-of-friction-does-not-limit-steps", "rates", "if given.friction_slope[surface] > 0.0:", "if False:",
        "A friction coefficient that increases with the speed does not shorten the step.", OWN_LAWS,
    ),
    Mutation(
        "law-of-a-contact-pulls", "normal_force_own", "0.0 if force < 0.0 else force", "force",
        "A user-defined contact law pulls if its damping exceeds its elastic force.", OWN_CONTACT,
    ),
    Mutation(
        "law-of-a-contact-stores-too-much", "_integral", "return width * total", "return 2.0 * width * total",
        "The energy that a user-defined contact law stores within a part of its range is counted twice.", OWN_CONTACT,
    ),
    Mutation(
        "law-of-a-contact-stores-nothing-before", "elastic_energy_own", "energies[part] + ", "",
        "The energy of a user-defined contact law starts from zero in every part of its range.", OWN_CONTACT,
    ),
    Mutation(
        "law-of-a-contact-slope", "elastic_slope_own", "(2.0 * shift)", "shift",
        "Contacts with a user-defined law are twice as stiff in the search for equilibrium.", SHAPES,
    ),
    Mutation(
        "law-of-a-contact-reaches-too-far", "depth_reached", "0.5 * (force + ahead) * width",
        "0.25 * (force + ahead) * width",
        "An impact on a user-defined law is expected to reach deeper than its energy allows.", OWN_CONTACT,
    ),
    Mutation(
        "law-of-a-contact-does-not-limit-steps", "own_slopes", "max(steepest, slope_own(law, depth, approach, speed))",
        "0.0",
        "A contact with a user-defined law does not shorten the step.", OWN_CONTACT,
    ),
    Mutation(
        "law-of-a-contact-damping-does-not-limit-steps", "own_slopes", "rate_slope_own(law, depth, approach, speed)",
        "0.0",
        "The damping of a user-defined contact law does not shorten the step.", OWN_CONTACT,
    ),
    Mutation(
        "law-of-a-contact-not-softened", "softened_contacts", "surface.softness[:] *= factor", "pass",
        "The search for equilibrium does not soften contacts with a user-defined law.", SHAPES,
    ),
    Mutation(
        "law-of-a-contact-loses-in-the-search", "only_dragged", "surface.viscous[:] = surface.losing[:] = 0.0",
        "surface.viscous[:] = 0.0",
        "A user-defined contact law keeps its losses in the search for a rolling start, which should omit them.",
        OWN_CONTACT,
    ),
    Mutation(
        "law-of-a-contact-at-any-impact", "own_force", "p.contact.penetration[k], rate, speed)",
        "p.contact.penetration[k], rate, 1.0)",
        "A user-defined contact law does not depend on the impact speed.", OWN_CONTACT,
    ),
    Mutation(
        "law-of-a-contact-in-space-at-any-impact", "_own_forces", "normal_force_own(law, depth, rate, speed)",
        "normal_force_own(law, depth, rate, 1.0)",
        "In space a user-defined contact law does not depend on the impact speed.", OWN_CONTACT,
    ),
    Mutation(
        "law-of-friction-in-space-without-it", "_own_coefficients", "n[S.NEAR_FRICTION + i] = coefficient",
        "n[S.NEAR_FRICTION + i] = friction",
        "In space the friction on teeth has the largest coefficient of a user-defined law.", IN_SPACE,
    ),
    Mutation(
        "law-of-friction-in-space-does-not-hold", "_hold", "limit *= n[S.NEAR_FRICTION + i]", "pass",
        "In space the limit of elastic friction by a user-defined law is the normal force itself.", IN_SPACE,
    ),
    Mutation(
        "impact-of-a-law-of-the-elastic-speed", "impact_that_reaches",
        "slowest * float(brentq(too_deep, low, high, xtol=1e-12))", "slowest",
        "Losses of a user-defined law are ignored in the impact speed that is needed to reach a depth.", OWN_CONTACT,
    ),
    Mutation(
        "element-pushes-one-end", "forces", "apply_force(tree, a, xa, ya, -force * ux, -force * uy, 0.0)", "pass",
        "A tensioner exerts a force at only one of its ends.", ELEMENTS,
    ),
    Mutation(
        "oil-work-kept", "forces", "lost -= oil_force * rate", "lost += oil_force * rate",
        "The work on the oil of a tensioner has the wrong sign.", ELEMENTS,
    ),
    Mutation(
        "long-stop-pushes", "_mechanical", "force + short - long + tooth", "force + short + long + tooth",
        "The outer stop pushes outwards.", ELEMENTS,
    ),
    Mutation(
        "ratchet-energy-forgotten", "energy", "total += stop_energy(depth, value.ratchet_stiffness[k])", "pass",
        "The elastic energy of a ratchet is not counted.", ELEMENTS,
    ),
    Mutation(
        "reaction-moment-arm", "reactions",
        "tree.frame.y[b] * joint_force[b, 0] - tree.frame.x[b] * joint_force[b, 1]",
        "tree.frame.x[b] * joint_force[b, 0] - tree.frame.y[b] * joint_force[b, 1]",
        "Moments of joints refer to the wrong point.", (*TREE, "tests/verification/test_mechanisms.py"),
    ),
    Mutation(
        "unbalanced-wheel-moment", "unbalanced_acceleration", "(moment - outer(tree, w))", "(moment + outer(tree, w))",
        "The acceleration of a body turns an unbalanced wheel the wrong way.",
        ("tests/verification/test_unbalanced_wheels.py",),
    ),
    Mutation(
        "settled-before-fade", "transients_ended", "time >= row.start[0] + row.rise[0]", "time >= row.start[0]",
        "A load that is still fading in is continued at its full value.",
        ("tests/unit/test_continued_state.py",),
    ),
    Mutation(
        "slack-after-driver", "slack_span", "self.driver if self.direction > 0 else",
        "self.driver if self.direction < 0 else", "Slack gathers in the tight span.",
        ("tests/unit/test_mechanism_motion.py",),
    ),
    Mutation(
        "kloss-without-two", "kloss_torque", "return 2.0 * flux", "return flux",
        "The pull-out torque of a motor is halved.", TORQUES,
    ),
    Mutation(
        "kloss-flux-once", "kloss_torque", "flux * flux * pull_out", "flux * pull_out",
        "The torque of a motor is proportional to its voltage instead of the square of the voltage.", TORQUES,
    ),
    Mutation(
        "flux-unlimited", "flux_of", "return 1.0 if size <= 1.0 else 1.0 / size", "return 1.0",
        "The field of a motor is not weakened above its rated frequency.", TORQUES,
    ),
    Mutation(
        "governor-winds-up", "controller_rate", " + integral / proportional * (limited - raw)", "",
        "The integral part of a governor continues to grow while its torque is at a limit.", TORQUES,
    ),
    Mutation(
        "dc-without-counter-voltage", "dc_current_rate", "voltage - speed / no_load_speed - current",
        "voltage - current",
        "The current of a motor does not decrease with its speed.", TORQUES,
    ),
    Mutation(
        "load-at-standstill", "torque_of", "* math.tanh(speed / p.torque.standstill[k])",
        "* math.copysign(1.0, speed)",
        "A load that opposes the motion acts at standstill.", TORQUES,
    ),
    Mutation(
        "load-with-the-motion", "torque_of", "return -value * math.tanh", "return value * math.tanh",
        "A load that should oppose the motion drives.", TORQUES,
    ),
    Mutation(
        "pulses-without-end", "course_weight", "min(math.floor(s / torque.every[k]), torque.pulses[k] - 1.0)",
        "math.floor(s / torque.every[k])", "Pulses continue after the last one.", TORQUES,
    ),
    Mutation(
        "gear-turns-nothing", "_value", "orders_value(torque.gear[k] * turned", "orders_value(turned",
        "Orders behind a gear refer to the angle of the wheel.", TORQUES,
    ),
    Mutation(
        "course-angle-half", "_with_angles", "linear / 2.0", "linear",
        "The angle of a speed table is not the integral of the speed.",
        COURSES,
    ),
    Mutation(
        "orders-of-an-even-speed", "course_acceleration", "2.0 * first_rate * speed + gain * rate", "gain * rate",
        "Orders on a varying speed are computed for a constant speed.", COURSES,
    ),
    Mutation(
        "rigid-shaft-without-account", "_hold", "dy[p.wheel.account[j]] += p.sign[j] * power", "pass",
        "The energy balance of a chain does not include the work of its rigid shafts.", ROTORS,
    ),
    Mutation(
        "rigid-shaft-without-ratio", "_hold", "-= p.ratio[k] * torque", "-= torque",
        "A rigid gear does not multiply its torque.", ROTORS,
    ),
    Mutation(
        "rotor-bearing-drives", "", "(moment - bearing) / p.inertia", "(moment + bearing) / p.inertia",
        "The bearing of a rotor drives it.", ROTORS,
    ),
    Mutation(
        "rotor-sense-of-ratio", "_ratios", "float(signs[turning] * signs[reference])", "1.0",
        "Parts behind a wheel on the back of the chain turn the wrong way.", ROTORS,
    ),
)  # fmt: skip

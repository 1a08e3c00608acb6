"""Bodies, tensioning elements, motions and loads of the wheels."""

from mutations.mutation import Mutation

LOADS = ("tests/unit/test_mechanism_loads.py",)
ELEMENTS = ("tests/unit/test_mechanism_elements.py",)
TREE = ("tests/unit/test_mechanism_tree.py",)
FLUCTUATION = ("tests/unit/test_mechanism_fluctuation.py",)

TERMS = ("tests/unit/test_terms.py",)
COURSES = ("tests/unit/test_course.py",)
ROTORS = ("tests/verification/test_rotors.py",)

MUTATIONS = (
    Mutation(
        "load-quadratic-drives", "load_torque", "load[w, QUADRATIC] * abs(speed)", "load[w, QUADRATIC] * speed",
        "A load over the square of the speed drives a wheel that turns clockwise.", LOADS,
    ),
    Mutation(
        "load-phase-sign", "load_torque", "turned + load[w, PHASE]", "turned - load[w, PHASE]",
        "The table of a load begins at the wrong angle.", LOADS,
    ),
    Mutation(
        "load-sense", "pack", "-sense[w] * load.constant", "sense[w] * load.constant", "A load torque drives.", LOADS,
    ),
    Mutation(
        "load-damping-half", "load_damping", "2.0 * loads.rows[:, QUADRATIC]", "loads.rows[:, QUADRATIC]",
        "The slope of a quadratic load is half of what it is.", LOADS,
    ),
    Mutation(
        "torque-over-the-other", "applied_torque", "t if over == OVER_TIME else speed",
        "speed if over == OVER_TIME else t", "A torque over the time is read at the speed, and the other way round.",
        LOADS,
    ),
    Mutation(
        "torque-slope-sign", "applied_torque", "+ table[row, 2] * (x - table[row, 0])",
        "- table[row, 2] * (x - table[row, 0])", "A tabulated torque falls where its points rise.", LOADS,
    ),
    Mutation(
        "torque-goes-on-beyond", "applied_torque", "return table[first, 1]",
        "return table[first, 1] + table[first, 2] * (x - table[first, 0])",
        "A tabulated torque goes on in a straight line before its first point.", LOADS,
    ),
    Mutation(
        "torque-with-the-running-sense", "pack", "[TORQUE, OVER, MOTOR]] = load.torque",
        "[TORQUE, OVER, MOTOR]] = sense[w] * load.torque", "A weight changes its side with the sense of the drive.",
        LOADS,
    ),
    Mutation(
        "torque-reads-the-first-table", "pack", "[TORQUE_ROWS, TORQUE_ROWS_END]] = used, used + len(tables[-1])",
        "[TORQUE_ROWS, TORQUE_ROWS_END]] = 0, len(tables[-1])", "All wheels have the torque of the first table.", LOADS,
    ),
    Mutation(
        "torque-kinks-stepped-over", "pack", "if load.torque_over == OVER_TIME:", "if load.torque_over == OVER_SPEED:",
        "Steps end at speeds, and not where a torque over the time bends.", LOADS,
    ),
    Mutation(
        "torque-of-speed-unlimited", "load_damping", "* speed + steepest", "* speed",
        "A torque that falls steeply with the speed does not shorten the step.", LOADS,
    ),
    Mutation(
        "torque-of-rising-slope", "load_damping", "np.abs(loads.table[first:end, 2]).max()",
        "loads.table[first:end, 2].max()", "Only a torque that rises with the speed shortens the step.", LOADS,
    ),
    Mutation(
        "steady-torque-at-first", "steady_torque", "float(y[-1] if", "float(y[0] if",
        "The torque of the long run is that of the start.", LOADS,
    ),
    Mutation(
        "orders-phase-over-time", "speed_at", "nominal * (t - row[START])", "nominal * t",
        "A fluctuation that begins later has the wrong phase.", FLUCTUATION,
    ),
    Mutation(
        "fluctuation-turns-over", "speed_at", "math.sqrt(2.0 * energy)", "math.sqrt(energy)",
        "The speed of a fluctuation over the angle is too small by the root of two.", FLUCTUATION,
    ),
    Mutation(
        "element-pushes-one-end", "forces", "apply_force(tree, a, xa, ya, -force * ux, -force * uy, 0.0)", "pass",
        "A tensioner pushes at one of its ends only.", ELEMENTS,
    ),
    Mutation(
        "oil-work-kept", "forces", "lost -= oil_force * rate", "lost += oil_force * rate",
        "Work on the oil of a tensioner has the wrong sign.", ELEMENTS,
    ),
    Mutation(
        "long-stop-pushes", "_mechanical", "force + short - long + tooth", "force + short + long + tooth",
        "The outer stop pushes outwards.", ELEMENTS,
    ),
    Mutation(
        "ratchet-energy-forgotten", "energy", "total += stop_energy(depth, value[k, RATCHET_STIFFNESS])", "pass",
        "The elastic energy of a ratchet is not counted.", ELEMENTS,
    ),
    Mutation(
        "reaction-moment-arm", "reactions",
        "tree.frame[b, K.Y] * joint_force[b, 0] - tree.frame[b, K.X] * joint_force[b, 1]",
        "tree.frame[b, K.X] * joint_force[b, 0] - tree.frame[b, K.Y] * joint_force[b, 1]",
        "Moments of joints are about the wrong point.", (*TREE, "tests/verification/test_mechanisms.py"),
    ),
    Mutation(
        "unbalanced-wheel-moment", "unbalanced_acceleration", "(moment - outer(tree, w))", "(moment + outer(tree, w))",
        "The acceleration of a body turns an unbalanced wheel the wrong way.",
        ("tests/verification/test_unbalanced_wheels.py",),
    ),
    Mutation(
        "settled-before-fade", "over", "time >= load[:, loads.START] + load[:, loads.FADE_IN]",
        "time >= load[:, loads.START]", "A load that is still fading in goes on in full.",
        ("tests/unit/test_continued_state.py",),
    ),
    Mutation(
        "slack-after-driver", "slack_span", "first if running_direction(drive) > 0 else (first - 1)",
        "first if running_direction(drive) < 0 else (first - 1)", "Slack gathers in the tight span.",
        ("tests/unit/test_mechanism_motion.py",),
    ),
    Mutation(
        "kloss-without-two", "kloss_torque", "return 2.0 * flux", "return flux",
        "A motor pulls out at half its torque.", TERMS,
    ),
    Mutation(
        "kloss-flux-once", "kloss_torque", "flux * flux * pull_out", "flux * pull_out",
        "The torque of a motor goes with its voltage instead of the square.", TERMS,
    ),
    Mutation(
        "flux-unlimited", "flux_of", "return 1.0 if size <= 1.0 else 1.0 / size", "return 1.0",
        "The field of a motor does not get weaker beyond its rated frequency.", TERMS,
    ),
    Mutation(
        "governor-winds-up", "governor_rate", " + integral / proportional * (limited - raw)", "",
        "The integral part of a governor goes on while its torque is at a limit.", TERMS,
    ),
    Mutation(
        "dc-without-counter-voltage", "dc_current_rate", "voltage - speed / no_load_speed - current",
        "voltage - current",
        "The current of a motor does not fall with its speed.", TERMS,
    ),
    Mutation(
        "load-at-standstill", "term_torque", "* math.tanh(speed / term[k, STANDSTILL])", "* math.copysign(1.0, speed)",
        "A load against the motion acts at standstill.", TERMS,
    ),
    Mutation(
        "load-with-the-motion", "term_torque", "return -weight * value * math.tanh",
        "return weight * value * math.tanh",
        "A load against the motion drives.", TERMS,
    ),
    Mutation(
        "pulses-without-end", "course_weight", "min(math.floor(s / term[k, EVERY]), term[k, PULSES] - 1.0)",
        "math.floor(s / term[k, EVERY])", "Pulses come again after the last one.", TERMS,
    ),
    Mutation(
        "gear-turns-nothing", "term_torque", "orders_value(term[k, GEAR] * turned", "orders_value(turned",
        "Orders behind a gear are those of the wheel.", TERMS,
    ),
    Mutation(
        "course-angle-half", "_with_angles", "linear / 2.0", "linear", "The angle of a table of speeds is no integral.",
        COURSES,
    ),
    Mutation(
        "orders-of-an-even-speed", "course_acceleration", "2.0 * first_rate * speed + gain * rate", "gain * rate",
        "Orders on a speed that changes are those of an even one.", COURSES,
    ),
    Mutation(
        "rigid-shaft-without-account", "_hold", "dy[p.wheel[j, ACCOUNT]] += p.sign[j] * power", "pass",
        "The balance of a chain does not count the work of its rigid shafts.", ROTORS,
    ),
    Mutation(
        "rigid-shaft-without-ratio", "_hold", "-= p.ratio[k] * torque", "-= torque",
        "A gear without torsion does not multiply its torque.", ROTORS,
    ),
    Mutation(
        "rotor-bearing-drives", "", "(load + applied - bearing) / p.inertia", "(load + applied + bearing) / p.inertia",
        "The bearing of a rotor drives it.", ROTORS,
    ),
    Mutation(
        "rotor-sense-of-ratio", "_ratios", "float(signs[turning] * signs[reference])", "1.0",
        "What is behind a wheel on the back of a chain turns the wrong way.", ROTORS,
    ),
)  # fmt: skip

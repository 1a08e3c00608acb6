"""Complementarity, impacts, and integrators of rigid contacts."""

from mutations.mutation import Mutation

PROBLEMS = ("tests/unit/test_complementarity.py",)
IMPACTS = ("tests/unit/test_impacts.py",)
MOTION = "tests/verification/test_rigid_contacts.py"
BELT = (f"{MOTION}::test_a_block_on_a_belt_slips_and_sticks_in_turn",)
REACTIONS = (f"{MOTION}::test_reactions_of_a_block_that_sticks_and_of_one_that_slips",)

CHAINS = "tests/verification/test_rigid_chains.py"
ELIMINATED = (f"{CHAINS}::test_links_are_eliminated_exactly",)
STRUCK = (f"{CHAINS}::test_impulses_change_the_speeds_of_contacts_by_the_inverse_inertia",)
CARRIED = (f"{CHAINS}::test_what_turns_with_its_wheel_has_no_speed_on_it",)
SWEPT = (f"{CHAINS}::test_sweeps_along_the_chain_solve_the_problem_of_the_matrix",)
STICKS_AND_SLIPS = (
    "tests/verification/test_rigid_chain_problems.py::test_numbers_of_the_page[stick-slip-moreau-jean]",
)
PRESSING = ("tests/unit/test_pressing.py",)
BALANCED = (f"{CHAINS}::test_energy_of_rigid_contacts",)
LINKS = "tests/verification/test_links_on_rigid_contacts.py"
JOINED = (f"{LINKS}::test_joints_are_eliminated_exactly",)
MEAN = ("tests/unit/test_physics_mean_contact.py",)
PRESSED = ("tests/contracts/test_rigid_contract.py::test_springs_press_less_the_faster_they_open",)
SPRUNG = "tests/verification/test_sprung_contacts.py"
SWINGS = (f"{SPRUNG}::test_a_chain_swings_on_its_rail_to_second_order",)
BOUNCES = (f"{SPRUNG}::test_a_landing_of_a_long_step_gains_and_loses_nothing_without_damping",)
STIFF = (f"{SPRUNG}::test_stiffness_without_bounds_leads_to_rigid_contacts",)
LANDS = (f"{SPRUNG}::test_a_chain_that_just_touches_its_rail_in_a_step_is_no_problem",)
FASTEST = ("tests/contracts/test_rigid_contract.py::test_no_contact_closes_faster_than_is_told",)
RENEWED = ("tests/contracts/test_rigid_contract.py::test_the_inverse_inertia_is_renewed_at_another_place",)
PROJECTED = "tests/verification/test_projection_of_positions.py"
LIFTED = (f"{PROJECTED}::test_a_chain_is_lifted_out_of_a_rail",)
SMALLEST = (f"{PROJECTED}::test_the_projection_is_the_smallest_in_the_inertia_of_the_step",)
ALPHA = "tests/verification/test_chains_by_nonsmooth_alpha.py"
ON_A_CURVE = (f"{ALPHA}::test_a_chain_that_slides_on_a_curve_is_a_pendulum",)
PENDULUM = (f"{LINKS}::test_a_pendulum_of_revolute_links_swings_as_lagrange_has_it",)


def page(*names: str) -> tuple[str, ...]:
    """Tests of some functions of the page."""
    return tuple(f"{MOTION}::test_numbers_of_the_page[{name}]" for name in names)


MUTATIONS = (
    Mutation(
        "pivot-of-another-sign", "pivot", "t[row, j] *= -inverse", "t[row, j] *= inverse",
        "The pivot row in Lemke's method has the wrong sign.", PROBLEMS,
    ),
    Mutation(
        "lemke-without-scale", "find_scale", "1.0 / math.sqrt(matrix[i, i]) if has_one", "1.0 if has_one",
        "Lemke's method treats the entries of light bodies as zeros.", PROBLEMS,
    ),
    Mutation(
        "exact-ray-is-a-failure", "lemke", "if residual <= EXACT:", "if residual < 0.0:",
        "A problem that is solved where a ray begins counts as unsolved.", PROBLEMS,
    ),
    Mutation(
        "friction-of-one-side", "compact_form", "a[limit, i - k] = 2.0 * friction[i - k]",
        "a[limit, i - k] = friction[i - k]", "Friction in the compact form acts in one direction only.", PROBLEMS,
    ),
    Mutation(
        "sliding-friction-pushes", "normal_column", "- matrix[row, k + j] * friction[j] * sliding[j]",
        "+ matrix[row, k + j] * friction[j] * sliding[j]",
        "In the equations of normal forces, sliding friction drives the motion.", PROBLEMS,
    ),
    Mutation(
        "expansion-without-friction", "copositive_form", "b[limit] = friction[i] * before[i]",
        "b[limit] = 0.0", "Normal impulses in Poisson's expansion phase cause no friction.", IMPACTS,
    ),
    Mutation(
        "limit-of-friction-without-force", "gauss_seidel", "t, limit = k + i, friction[i] * impulse[i]",
        "t, limit = k + i, friction[i]", "The friction limit does not depend on the normal impulse.", PROBLEMS,
    ),
    Mutation(
        "newton-takes-the-normal-impulse", "residual_at", "pushed, limit = p[t] - work.slip[t],",
        "pushed, limit = p[i] - work.slip[t],", "Newton's method checks the wrong impulse for sticking.", PROBLEMS,
    ),
    Mutation(
        "impact-as-printed", "_newton", "vector[:k] += eps", "vector[:k] -= eps",
        "Equation 12 of Pfeiffer, Fritz & Srnik (1997) is used as printed, with E - eps.", IMPACTS,
    ),
    Mutation(
        "expansion-of-all-of-the-compression", "_poisson", "given = eps * compression.force[:k]",
        "given = compression.force[:k]", "Every impact by Poisson's law is elastic.", IMPACTS,
    ),
    Mutation(
        "impacts-may-gain", "impact", "found.energy <= ROUNDING * exchanged", "True",
        "An impact may increase the energy.", IMPACTS,
    ),
    Mutation(
        "static-friction-while-sliding", "reactions",
        "np.where(direction == 0.0, laws.static_friction[closed], laws.friction[closed])",
        "laws.static_friction[closed]", "Contacts that begin to slide keep static friction.", REACTIONS,
    ),
    Mutation(
        "jam-of-the-other-direction", "pressed_inertia", "inertia[:, :k] - inertia[:, k:]",
        "inertia[:, :k] + inertia[:, k:]",
        "A rod that is pulled jams, and a rod that is pushed does not.", page("painleve"),
    ),
    Mutation(
        "slips-towards-friction", "_changed", "self._sliding[i] = -np.sign(", "self._sliding[i] = np.sign(",
        "A contact begins to slide in the direction of its friction.", BELT,
    ),
    Mutation(
        "bounces-for-ever", "_after_impact", "np.abs(speed[touching]) <= self._rest", "np.abs(speed[touching]) <= 0.0",
        "A bouncing contact never comes to rest.", page("bouncing"), compiled=True,
    ),
    Mutation(
        "moreau-without-midpoint", "moreau_jean", "w.middle[j] = q[j] + (1.0 - theta) * h * u[j]",
        "w.middle[j] = q[j]", "Moreau's step evaluates forces at the start.", page("orders"), compiled=True,
    ),
    Mutation(
        "sticking-contacts-slide-no-more", "change_states", "if w.sliding[i] == STICKS and slip != STICKS:",
        "if w.sliding[i] != STICKS and slip != STICKS:",
        "In the step in which sticking ends, static friction still holds.",
        page("incline"), compiled=True,
    ),
    Mutation(
        "steps-without-restitution", "state_problem", "laws.restitution[i] * approach", "0.0 * approach",
        "Contacts do not rebound in time stepping.", page("orders"), compiled=True,
    ),
    Mutation(
        "averages-of-the-wrong-sign", "averaged_value", "- g.alpha_m * averaged", "+ g.alpha_m * averaged",
        "Generalized alpha for rigid contacts averages accelerations wrongly.", page("orders"), compiled=True,
    ),
    Mutation(
        "forces-counted-twice", "find_jump", "w.impulse[r] = -h * (", "w.impulse[r] = 0.0 * (",
        "The smooth forces of contacts and the impulses of the whole step are added.", page("orders"), compiled=True,
    ),
    Mutation(
        "links-without-damping-in-a-step", "_prepare", " + 0.5 * h * p.damping", "",
        "With rigid contacts, dampers of links are not implicit.", ELIMINATED,
    ),
    Mutation(
        "chain-open-in-its-elimination", "_prepare", "row.border[0] = row.beside[last]", "row.border[0] = 0.0",
        "The last link is not coupled to the first in the equations of a step.", ELIMINATED,
    ),
    Mutation(
        "lever-of-a-contact-turned", "_point", "ry * dx - rx * dy", "rx * dy - ry * dx",
        "An impulse on a roller turns its wheel the wrong way.", STRUCK,
    ),
    Mutation(
        "bodies-as-if-fixed", "yield_on_bodies", "p.response[j, column] = moved[speeds + j] = change",
        "p.response[j, column] = moved[speeds + j] = 0.0", "Bodies do not yield to impulses.", STRUCK,
    ),
    Mutation(
        "normals-that-do-not-turn", "_speeds", "turned = frame.angular_velocity[s] * later", "turned = 0.0 * later",
        "A roller that a wheel carries along has a relative speed at the ends of a step.", CARRIED,
    ),
    Mutation(
        "works-at-the-speed-before", "step", "mean[n + j] = 0.5 * (c.state[n + j] + w.free[j])",
        "mean[n + j] = c.state[n + j]", "The work of impulses is computed with the speeds before them.", BALANCED,
        compiled=True,
    ),
    Mutation(
        "directions-that-do-not-turn", "_turn", "w.before[contact] - min(own.start[contact], 0.0)", "0.0",
        "Closed contacts constrain motion in the directions at the middle of a step.", ON_A_CURVE,
    ),
    Mutation(
        "contacts-that-never-stay-closed", "_remember", "min(closed[i] + 1, CLOSED)", "1",
        "Every contact counts as possibly landing in every step.", ON_A_CURVE,
    ),
    Mutation(
        "middle-at-the-start", "evaluate_middle", "0.5 * (c.state[n + j] + c.trial[n + j])", "c.state[n + j]",
        "Second-order steps evaluate forces at the velocity before the step.", ON_A_CURVE,
    ),
    Mutation(
        "corrections-without-inertia", "_correct", "v[2 * n + i] *= p.body.inertia[i] * row.inverse_inertia[i]",
        "v[2 * n + i] *= 1.0", "The remaining correction of a step turns links that are held by their tension.", JOINED,
    ),
    Mutation(
        "joints-that-turn-freely-in-a-step", "_weigh", "0.5 * h * _rotation_damping(j, p)",
        "0.0 * _rotation_damping(j, p)",
        "With rigid contacts, rotational damping of joints is not implicit.", JOINED,
    ),
    Mutation(
        "constraints-of-velocities-alone", "_soften", "(vx + CLOSING * x / h) / h", "vx / h",
        "Gaps of revolute joints grow in the x direction.", JOINED,
    ),
    Mutation(
        "arm-of-a-sliding-plate-left-out", "_meet_joints", " - ay * dx + meeting.twist[a]", " - ay * dx",
        "In the equations of impulses, friction on a plate does not turn its link.", STRUCK,
    ),
    Mutation(
        "last-joint-far-from-all", "mobility", "taken = _dot(near.far, a, near.through, b)", "taken = 0.0",
        "Impulses are not transmitted across the joint that closes the chain.", STRUCK,
    ),
    Mutation(
        "velocities-of-arms-that-do-not-turn", "_locate", "math.sin(rate * later)", "0.0 * later",
        "A link that a wheel carries along has a relative speed at the ends of a step.", CARRIED,
    ),
    Mutation(
        "constraints-that-forget", "_soften", "_add_reactions(p.reaction.x, p.reaction.y, p)",
        "_add_reactions(row.right, row.right, p)",
        "The force of a revolute joint is not the previous force plus the correction found.", PENDULUM,
    ),
    Mutation(
        "sweeps-past-the-links-between", "_describe_links", "leap *= -row.factor[i]", "leap *= row.factor[i]",
        "Impulses change sign from link to link on the way to the next roller in contact.", SWEPT,
    ),
    Mutation(
        "sweeps-without-the-last-link", "_describe_contacts",
        "met.border_before[r] * before + met.border_behind[r] * behind", "0.0",
        "Sweeps ignore that the chain is closed.", SWEPT,
    ),
    Mutation(
        "sweeps-along-one-link", "_describe_contacts", "-(first * along + second * back)", "-(first * along)",
        "An impulse along the chain does not pass a roller to the link behind it.", SWEPT,
    ),
    Mutation(
        "surfaces-that-stand-in-sweeps", "_project", "_push_surface(k, jx, jy, push, rub, w, p)", "pass",
        "Wheels do not move under the impulses of a sweep.", SWEPT,
    ),
    Mutation(
        "presses-between-instants-unseen", "sampled_depth",
        "(found[:-1] + found[1:] + gone)", "(found[:-1] + found[1:])",
        "Motions that press parts together between two sampled instants are not refused.", PRESSING,
    ),
    Mutation(
        "presses-later-than-it-does", "sampled_depth", "(unknown | deeper)", "deeper",
        "The instant at which parts are first pressed together is not located.", PRESSING,
    ),
    Mutation(
        "arms-without-length", "way", "radius + abs(centre - about), centre", "radius, centre",
        "The reach of a part on a turning body is taken as its own size, without its distance from the axis.", PRESSING,
    ),
    Mutation(
        "body-turns-about-the-origin", "places", "about + by * (shift - about)", "by * shift",
        "Parts on a turning body are searched for at wrong positions.", PRESSING,
    ),
    Mutation(
        "pressed-by-what-gives-way", "between", "None if free else joints", "joints",
        "Parts on bodies that can move freely are refused, too.", PRESSING,
    ),
    Mutation(
        "oscillation-without-its-growth", "coordinate", "grows.coordinate(t) * sin", "sin",
        "In the search for parts that are pressed together, an oscillation has its full amplitude from the start.",
        PRESSING,
    ),
    Mutation(
        "tight-links-unresolved", "rigid_step", "STEP_TIMES_FREQUENCY * math.sqrt(",
        "5.0 * STEP_TIMES_FREQUENCY * math.sqrt(",
        "In slow drives rollers penetrate the teeth by some per cent of the pitch.",
        ("tests/unit/test_step_limits.py::test_a_slow_drive_resolves_the_vibration_of_its_tight_links",),
    ),
    Mutation(
        "carried-for-ever", "accept", "if p.planar.rigid_contacts:\n                remember_carried(p.planar)", "pass",
        "With rigid contacts, rollers that have left their wheel count as pressed on it, and a jump is reported.",
        ("tests/verification/test_oval_sprockets.py::test_rigid_contacts_pull_as_springs_do",), compiled=True,
    ),
    Mutation(
        "carriage-held-by-sliding-friction", "state_problem",
        "laws.static_friction[i] if w.sliding[i] == STICKS else laws.friction[i]", "laws.friction[i]",
        "A sticking contact holds no more than a sliding one.", STICKS_AND_SLIPS, compiled=True,
    ),
    Mutation(
        "energy-of-a-spring-of-another-power", "stored_energy", "(exponent + 1.0)", "exponent",
        "The energy of a contact is computed as K d^(n+1) / n.", MEAN,
    ),
    Mutation(
        "mean-that-bends-twice", "mean_elastic_force", "/ 24.0 * ratio", "/ 12.0 * ratio",
        "The mean force over a small change of depth is that of a steeper law.", MEAN,
    ),
    Mutation(
        "spring-that-deepens-as-it-opens", "_mean_force", "depth - h * speed", "depth + h * speed",
        "A contact becomes deeper while it opens.", PRESSED,
    ),
    Mutation(
        "slope-over-the-speed-at-the-end", "press_contact", "0.5 * h * (more", "h * (more",
        "The slope of a spring with respect to the final speed is that with respect to the mean speed.", PRESSED,
    ),
    Mutation(
        "spring-linear-about-no-speed", "linearise", "impulse / slope + after", "impulse / slope",
        "The linearisation of a spring does not pass through the speed at which it is made.", SWINGS,
    ),
    Mutation(
        "sweeps-along-rigid-contacts-alone", "_project", " + touch.compliance[k] * touch.push[k]", "",
        "Sweeps ignore how far a spring has yielded.", SWEPT,
    ),
    Mutation(
        "parting-springs-keep-their-energy", "_find_within", "w.start[i] <= reach", "w.start[i] > 0.0",
        "A spring that opens within a step exerts no force.", BOUNCES,
    ),
    Mutation(
        "springs-take-part-once-pressed", "_find_within", "w.start[i] <= reach", "w.start[i] < 0.0",
        "A spring that is first pressed within a step stores energy that nothing supplied.", STIFF,
    ),
    Mutation(
        "contacts-that-close-faster-than-told", "gaps", "2.0 * fastest + SPEED_ALLOWANCE", "0.5 * fastest",
        "Contacts close faster than the largest speed reported for them.", FASTEST,
    ),
    Mutation(
        "springs-that-touch-never-settle", "linearise", "abs(w.after[w.active[c]])", "abs(w.vector[c])",
        "The tolerance for springs decreases with their remaining speeds.", LANDS,
    ),
    Mutation(
        "stored-by-the-mean-of-the-step", "_with_surfaces", "if p.surface.sprung[surface] > 0:",
        "if p.surface.sprung[surface] < 0:",
        "The stored energy of a spring is computed from the mean force of the last step.", SWINGS,
    ),
    Mutation(
        "projection-without-its-account", "project", "book(1.0, y, p)", "book(-1.0, y, p)",
        "The account of the position projection contains the stored energy instead of its change.",
        LIFTED, compiled=True,
    ),
    Mutation(
        "projected-to-the-surface", "_find_near", "w.state.gap[w.near[c]] + w.allowed", "w.state.gap[w.near[c]]",
        "The full depth is closed, which strains the chain more.", LIFTED, compiled=True,
    ),
    Mutation(
        "projected-in-the-inertia-before", "project", "renew(time, y, rates, h, p)", "pass",
        "Positions are projected with the positions and directions in the middle of the step.", SMALLEST, compiled=True,
    ),
    Mutation(
        "yielding-to-what-contacts-exert", "renew", "frames(y, p.planar)  # without contact forces", "pass",
        "The response of surfaces on bodies to unit forces lacks the forces of their contacts.", RENEWED,
    ),
)  # fmt: skip

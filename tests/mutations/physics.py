"""Laws of contact, friction, links, spans, joints, bearings and tensioners."""

from mutations.mutation import Mutation

CONTACT = ("tests/unit/test_physics_contact.py",)
FRICTION = ("tests/unit/test_physics_friction.py",)
ELASTIC = ("tests/unit/test_physics_elastic_friction.py",)
STICKING = ("tests/unit/test_sticking.py",)
SLIDE = (
    "tests/verification/test_sticking_joints.py::test_a_slide_that_goes_to_and_fro_loses_its_friction_times_the_way",
)
GOODS = ("tests/verification/test_sticking_joints.py::test_goods_on_a_parked_chain_hold_it_up_to_their_friction",)
PARKED = (
    "tests/verification/test_sticking_bearings.py::test_a_rotor_stays_parked_and_stops_where_its_energy_is_used_up",
)
JOINT = ("tests/unit/test_physics_joint.py",)
LINK = ("tests/unit/test_physics_link.py",)
SPAN = ("tests/unit/test_physics_span.py",)
TENSIONER = ("tests/unit/test_physics_tensioner.py",)
SLOPES = ("tests/unit/test_physics_slopes.py",)

MUTATIONS = (
    Mutation(
        "slope-of-a-link-that-does-not-turn", "link_force_slope", "across = damping * angular_velocity * follow",
        "across = 0.0 * angular_velocity",
        "The derivative of the damper of a turning link is that for a link that does not turn.",
        SLOPES,
    ),
    Mutation(
        "slope-of-turning-without-lengthening", "link_turn_slopes", "(lead - turned * length_rate)", "lead",
        "In the derivative, the angular velocity of a link does not decrease as the link gets longer.", SLOPES,
    ),
    Mutation(
        "slope-of-a-couple-along-the-link-alone", "couple_force_slopes", "(uy * uy - ux * ux) * size", "0.0 * size",
        "In the derivative, a couple keeps the direction of its forces while its link turns.", SLOPES,
    ),
    Mutation(
        "slope-of-joint-friction-in-one-sense", "joint_friction_slopes", "(1.0 if force >= 0.0 else -1.0)", "1.0",
        "In the derivative, friction of a joint in compression decreases as the force grows.", SLOPES,
    ),
    Mutation(
        "slope-of-an-impact-that-keeps-its-speed", "normal_force_slopes", " - damping * ratio * speed_slope", "",
        "In the derivative, the impact speed of a contact that is pressed deeper does not change.", SLOPES,
    ),
    Mutation(
        "slope-of-a-clipped-contact", "normal_force_slopes", "(1.0 if ratio > 0.0 else -1.0)", "1.0",
        "In the derivative, a contact that opens faster than its impact speed is as stiff as one that closes.", SLOPES,
    ),
    Mutation(
        "slope-of-what-slides", "held_slopes", "return 0.0, 1.0 if spring > 0.0 else -1.0", "return 0.0, 1.0",
        "In the derivative, friction of backward sliding decreases with the normal force.", SLOPES,
    ),
    Mutation(
        "slope-of-a-flow-with-its-limit", "damped_slopes", "- by_limit * gained", "",
        "In the derivative, flow beyond the limit ignores that the limit changes.", SLOPES,
    ),
    Mutation(
        "slope-of-super-elliptic-friction", "regularised_slope", "** (sharpness - 1.0)", "** sharpness",
        "The derivative of super-elliptic friction is wrong.", SLOPES,
    ),
    Mutation(
        "hertz-exponent", "elastic_force_hertz", "depth * math.sqrt(depth)", "depth * depth",
        "A Hertzian contact has the exponent 2.", CONTACT,
    ),
    Mutation(
        "contact-pulls", "elastic_force_linear", "0.0 if penetration <= 0.0 else penetration", "penetration",
        "A surface attracts a roller that does not touch it.", CONTACT,
    ),
    Mutation(
        "hysteresis-sign", "normal_force", "elastic + elastic * hysteresis", "elastic - elastic * hysteresis",
        "Hysteresis adds energy in an impact.", CONTACT,
    ),
    Mutation(
        "hysteresis-unclipped", "normal_force", "ratio = -1.0 if ratio < -1.0 else ratio", "ratio = ratio",
        "During fast separation the hysteresis is unbounded.", CONTACT,
    ),
    Mutation(
        "viscous-ignored", "normal_force", " + viscous * rate", "",
        "The viscous part of a contact has no effect.", CONTACT,
    ),
    Mutation(
        "contact-loss-of-all", "contact_dissipation", "(force - elastic) * rate", "force * rate",
        "Elastic work of a contact counts as lost.", CONTACT,
    ),
    Mutation(
        "friction-pushes", "friction_force", "return -", "return ",
        "Friction drives sliding parts.", FRICTION,
    ),
    Mutation(
        "couple-turned", "couple_force", "return -uy * per_length, ux * per_length",
        "return uy * per_length, -ux * per_length", "The couple of a joint moment has the wrong sign.", JOINT,
    ),
    Mutation(
        "elastic-friction-unlimited", "held_force", "force if force > -limit else -limit", "force",
        "Elastic friction has no limit in one direction.", ELASTIC,
    ),
    Mutation(
        "two-directions-unlimited", "held_share", "limit / spring if spring > limit else 1.0", "1.0",
        "Friction in two directions has no limit.", ELASTIC,
    ),
    Mutation(
        "overstress-that-stays", "damped_force", "left * kept + (beyond - left) * gained",
        "left + (beyond - left) * gained",
        "The force of a dashpot beyond the limit of its slider never relaxes.", ELASTIC,
    ),
    Mutation(
        "dashpot-that-pushes", "damped_force", "if left * beyond > 0.0 else 0.0", "",
        "A joint that reverses keeps the dashpot force of the previous direction.", ELASTIC,
    ),
    Mutation(
        "relaxation-of-the-end", "relaxation", "-math.expm1(-a) / a", "math.exp(-a)",
        "The force that a dashpot gains in a step relaxes as if all of it had been gained at the beginning.", ELASTIC,
    ),
    Mutation(
        "gentle-touch-forgotten", "impact_speed", "reached if reached > stored else stored", "stored",
        "A contact that began gently has many times the critical damping.", CONTACT,
    ),
    Mutation(
        "depth-of-an-undamped-impact", "speed_of_depth", "(damping - math.log1p(damping))", "damping * damping / 2.0",
        "The impact speed needed to reach a depth is computed without losses.", CONTACT,
    ),
    Mutation(
        "oil-that-settles-at-once", "settling_modulus", "modulus * slope > fastest * volume",
        "modulus * slope < fastest * volume", "A wide check valve limits the step.", TENSIONER,
    ),
    Mutation(
        "valve-slope-of-the-orifice", "valve_slope", "root / opening_range + 0.5 * lift / root", "0.5 * lift / root",
        "The slope of a check valve ignores that its opening grows.", TENSIONER,
    ),
    Mutation(
        "damper-left-in-the-spring", "spring_left", "force - damper", "force",
        "After a reversal, the spring of a bearing holds more than the limit allows.", ELASTIC,
    ),
    Mutation(
        "joint-that-holds-any-force", "joint_law", "held_force(spring, body.friction[b])", "spring",
        "Friction in the joint of a body has no limit.", SLIDE,
    ),
    Mutation(
        "joint-that-never-slides", "stick_bodies", "if anew or force != spring:", "if anew:",
        "A joint that has slid is pulled back to where it stuck.", SLIDE,
    ),
    Mutation(
        "bearing-that-winds-up", "bearing_turned", "turned if moment == spring and not anew else spring_left",
        "turned if not anew else spring_left", "A wheel that has run down is turned back by its bearing.", PARKED,
    ),
    Mutation(
        "goods-anchored-ahead", "_drag", "way - drag / stiffness", "way + drag / stiffness",
        "Sliding goods are pushed forward by their support.", GOODS, compiled=True,
    ),
    Mutation(
        "anchor-on-the-other-side", "anchor_turned", "sine * c - cosine * turn", "sine * c + cosine * turn",
        "The anchor of a sliding joint is ahead of the joint.", ELASTIC,
    ),
    Mutation(
        "roller-remembers-where-it-stuck", "_follow_run", "1.0 if penetration[k] > 0.0 else 0.0",
        "1.0 if penetration[k] > 0.0 else held[r]",
        "A roller that was lifted is pulled to where it stuck before.", STICKING,
    ),
    Mutation(
        "slider-that-turns-back", "_follow_run", "stretch = -held[r]", "stretch = held[r]",
        "The spring of a sliding roller changes its direction at every step.", STICKING,
    ),
    Mutation(
        "plates-that-turn-freely", "_turned", "spring[slot + i] -=", "spring[slot + i] += 0.0 *",
        "A link that sticks to a guide can turn there without friction.", STICKING,
    ),
    Mutation(
        "joint-friction-of-signed-force", "joint_friction_moment", "abs(force)", "force",
        "In a link in compression, the friction of the joint drives it.",
        ("tests/verification/test_joint_friction.py::test_moment_is_that_of_coulomb",), compiled=True,
    ),
    Mutation(
        "angular-velocity-without-length", "link_angular_velocity", " * inverse_length", "",
        "The angular velocity of a link is its transverse speed.", JOINT,
    ),
    Mutation(
        "link-damping-sign", "link_force", "+ damping * length_rate", "- damping * length_rate",
        "Damping of links adds energy.", LINK,
    ),
    Mutation(
        "link-energy-twice", "link_energy", "0.5 * stiffness", "stiffness",
        "The elastic energy of links is counted twice.", LINK,
    ),
    Mutation(
        "span-damper-pushes", "span_force", "max(force, 0.0) if elongation > 0.0 else 0.0",
        "force if elongation > 0.0 else 0.0",
        "The damper of a span pushes, although it should only reduce the spring force.",
        SPAN,
    ),
    Mutation(
        "span-damps-in-slack", "span_force", " if elongation > 0.0 else 0.0", "",
        "The damper of a span pulls although the span is slack.", SPAN,
    ),
    Mutation(
        "span-energy-of-slack", "span_energy", "max(elongation, 0.0)", "elongation",
        "A slack span holds elastic energy.", SPAN,
    ),
    Mutation(
        "bearing-friction-unsmoothed", "bearing_moment", "math.tanh(turning / BEARING_SPEED)",
        "math.copysign(1.0, turning)", "Coulomb friction of a bearing jumps at standstill.", SPAN,
    ),
    Mutation(
        "bearing-friction-drives", "bearing_moment", "moment += friction", "moment -= friction",
        "Coulomb friction of a bearing drives its wheel.", SPAN,
    ),
    Mutation(
        "spring-preload-sign", "spring_force", "preload + stiffness", "stiffness - preload + stiffness",
        "A preload pulls.", TENSIONER,
    ),
    Mutation(
        "damper-swapped", "damping_force", "if rate < 0.0", "if rate > 0.0",
        "Damping of extension acts in compression.", TENSIONER,
    ),
    Mutation(
        "bulk-atmosphere", "bulk_modulus", "absolute = pressure + ATMOSPHERE", "absolute = pressure",
        "Gauge pressure is taken as absolute pressure.", TENSIONER,
    ),
    Mutation(
        "gap-squared", "gap_conductance", "gap**3", "gap**2",
        "Leakage is proportional to the square of the gap.", TENSIONER,
    ),
    Mutation(
        "valve-leaks-back", "valve_flow", "if lift <= 0.0 or difference <= 0.0:", "if difference <= 0.0:",
        "Below its opening pressure the valve lets oil out.", TENSIONER,
    ),
    Mutation(
        "chamber-expansion-sign", "pressure_rate", "(inflow - expansion)", "(inflow + expansion)",
        "The pressure rises when the piston makes room.", TENSIONER,
    ),
)  # fmt: skip

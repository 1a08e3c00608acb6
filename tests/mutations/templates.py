"""Templates, and rails from drawings."""

from mutations.mutation import Mutation

TEMPLATES = ("tests/unit/test_templates.py",)
PRELOAD = ("tests/unit/test_templates.py::test_the_tensioner_holds_the_tension_that_its_comment_states",)
RAILS = ("tests/unit/test_model_rails.py",)

MUTATIONS = (
    Mutation(
        "any-chain-is-rated", "rated_chain", "if rating >= power:", "if rating > 0.0:",
        "The smallest chain is selected for any power.", TEMPLATES,
    ),
    Mutation(
        "torque-of-a-ratio", "two_wheels", "power / speed * driven / driver", "power / speed * driver / driven",
        "The torque on the driven sprocket of a template is that for the reciprocal ratio.", TEMPLATES,
    ),
    Mutation(
        "seat-softer-than-a-link", "contact", "WORKING * chain.breaking_load", "chain.breaking_load",
        "The estimated contact stiffness is for a different load than the text states.", TEMPLATES,
    ),
    Mutation(
        "disc-without-half", "disc", "0.5 * mass * r**2", "mass * r**2",
        "The inertia of sprockets is estimated as for rings.", TEMPLATES,
    ),
    Mutation(
        "clamping-of-one-side", "cvt", "(2.0 * FRICTION * secondary)", "(FRICTION * secondary)",
        "A variator is clamped as if its pins had only one end.", TEMPLATES,
    ),
    Mutation(
        "sprocket-of-its-circle", "turn_speed", "(teeth * chain.pitch)", "(teeth * chain.pitch * 1.02)",
        "A conveyor runs at a different speed from the one requested.", TEMPLATES,
    ),
    Mutation(
        "resonance-of-one-camshaft", "timing", "count * inertia / radius(chain, 2 * crank) ** 2",
        "inertia / radius(chain, 2 * crank) ** 2",
        "Two camshafts vibrate on the chain with the inertia of one.", TEMPLATES,
    ),
    Mutation(
        "preload-of-the-drawn-guide", "_preload", "around(0.0)[0] + longer", "around(0.0)[0]",
        "The tensioner has the preload for a guide that has not yet turned to take up the slack.", PRELOAD,
    ),
    Mutation(
        "resonance-without-its-root", "_resonance", "math.sqrt(link_stiffness(chain) * chain.pitch / length / mass)",
        "link_stiffness(chain) * chain.pitch / length / mass",
        "The square of a frequency is given as the frequency.", TEMPLATES,
    ),
    Mutation(
        "marine-chain-that-is-slack", "marine", "PRELOAD * peak", "0.05 * PRELOAD * peak",
        "The chain of a marine engine becomes slack at every firing.", TEMPLATES,
    ),
    Mutation(
        "arc-of-twice-the-turn", "arc_through", "tan(0.5 * half)", "tan(half)",
        "The arc through three points misses the second point.", RAILS,
    ),
    Mutation(
        "long-arc-of-an-svg", "_arc", "2.0 * math.pi - turn if numbers[3] else turn", "turn",
        "The long arc of an SVG is read as the short one.", RAILS,
    ),
    Mutation(
        "svg-not-mirrored", "_arc", "sense = matrix.sense * (", "sense = (",
        "Arcs of an SVG, whose y axis points down, bend the wrong way.", RAILS,
    ),
    Mutation(
        "smooth-curve-not-mirrored", "_controls", "2.0 * here[0] - hx", "here[0]",
        "A smooth curve of an SVG begins with a corner.", RAILS,
    ),
    Mutation(
        "quadratic-as-cubic", "_controls",
        "second = (end[0] + 2.0 / 3.0 *", "second = (end[0] + 1.0 / 3.0 *",
        "A quadratic curve of an SVG has a wrong shape.", RAILS,
    ),
    Mutation(
        "coarse-arcs-of-a-curve", "bezier_arcs",
        "_deviation(pair, middle) < DEVIATION", "_deviation(pair, middle) < 1.0",
        "Each curve of an SVG becomes two arcs.", RAILS,
    ),
)  # fmt: skip

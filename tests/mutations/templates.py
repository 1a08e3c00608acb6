"""Templates, and rails from drawings."""

from mutations.mutation import Mutation

TEMPLATES = ("tests/unit/test_templates.py",)
RAILS = ("tests/unit/test_model_rails.py",)

MUTATIONS = (
    Mutation(
        "any-chain-is-rated", "rated_chain", "if rating >= power:", "if rating > 0.0:",
        "The smallest chain is taken for any power.", TEMPLATES,
    ),
    Mutation(
        "torque-of-a-ratio", "two_wheels", "power / speed * driven / driver", "power / speed * driver / driven",
        "The driven sprocket of a template has the torque of the reciprocal ratio.", TEMPLATES,
    ),
    Mutation(
        "seat-softer-than-a-link", "contact", "WORKING * chain.breaking_load", "chain.breaking_load",
        "The estimated contact stiffness is that of another load than the text says.", TEMPLATES,
    ),
    Mutation(
        "disc-without-half", "disc", "0.5 * mass * r**2", "mass * r**2",
        "Sprockets are estimated as rings.", TEMPLATES,
    ),
    Mutation(
        "clamping-of-one-side", "cvt", "(2.0 * FRICTION * secondary)", "(FRICTION * secondary)",
        "A variator is clamped as if its pins had one end.", TEMPLATES,
    ),
    Mutation(
        "sprocket-of-its-circle", "turn_speed", "(teeth * chain.pitch)", "(teeth * chain.pitch * 1.02)",
        "A conveyor runs at another speed than asked for.", TEMPLATES,
    ),
    Mutation(
        "resonance-of-one-camshaft", "timing", "count * inertia / radius(chain, 2 * crank) ** 2",
        "inertia / radius(chain, 2 * crank) ** 2", "Two camshafts vibrate on the chain as one.", TEMPLATES,
    ),
    Mutation(
        "resonance-without-its-root", "_resonance", "math.sqrt(link_stiffness(chain) * chain.pitch / length / mass)",
        "link_stiffness(chain) * chain.pitch / length / mass", "A frequency is its square.", TEMPLATES,
    ),
    Mutation(
        "marine-chain-that-is-slack", "marine", "PRELOAD * peak", "0.05 * PRELOAD * peak",
        "The chain of a marine engine goes slack at every firing.", TEMPLATES,
    ),
    Mutation(
        "arc-of-twice-the-turn", "arc_through", "tan(0.5 * half)", "tan(half)",
        "Three points give an arc that misses the second.", RAILS,
    ),
    Mutation(
        "long-arc-of-an-svg", "_arc", "2.0 * math.pi - turn if numbers[3] else turn", "turn",
        "The long arc of an SVG is read as the short one.", RAILS,
    ),
    Mutation(
        "svg-not-mirrored", "_arc", "sense = matrix.sense * (", "sense = (",
        "Arcs of an SVG, whose y points down, bend to the other side.", RAILS,
    ),
    Mutation(
        "smooth-curve-not-mirrored", "_controls", "2.0 * here[0] - hx", "here[0]",
        "A smooth curve of an SVG begins with a corner.", RAILS,
    ),
    Mutation(
        "quadratic-as-cubic", "_controls",
        "second = (end[0] + 2.0 / 3.0 *", "second = (end[0] + 1.0 / 3.0 *",
        "A quadratic curve of an SVG is another one.", RAILS,
    ),
    Mutation(
        "coarse-arcs-of-a-curve", "bezier_arcs",
        "_deviation(pair, middle) < DEVIATION", "_deviation(pair, middle) < 1.0",
        "Curves of an SVG become two arcs.", RAILS,
    ),
)  # fmt: skip

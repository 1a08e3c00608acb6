"""Wear and life: links that become longer, worn teeth, damage of plates, impacts of rollers, wear of joints."""

from mutations.mutation import Mutation

WEAR = ("tests/unit/test_model_wear.py",)
FATIGUE = ("tests/unit/test_analyses_fatigue.py",)
STRENGTH = ("tests/unit/test_analyses_strength.py",)

MUTATIONS = (
    Mutation(
        "cranked-link-wears-as-an-inner-one", "link_elongations", "longer[-1] = wear", "longer[-1] = 0.0",
        "The cranked link of an odd chain does not wear.", WEAR,
    ),
    Mutation(
        "scatter-makes-the-chain-longer", "link_elongations", "one + more - mean", "one + more",
        "Random differences of the links change the length of the chain.", WEAR,
    ),
    Mutation(
        "worn-flanks-grow", "_parallel", "depth if element.curvature < 0.0 else -depth",
        "-depth if element.curvature < 0.0 else depth", "Wear adds to the arcs of a tooth.", WEAR,
    ),
    Mutation(
        "worn-seat-as-new", "worn", "gap.seat_radius - depth", "gap.seat_radius",
        "A roller sits in a worn gap as high as in a new one.", WEAR,
    ),
    Mutation(
        "life-on-the-wrong-side-of-the-knee", "range_of_life", "cycles <= line.knee", "cycles >= line.knee",
        "The range that is endured for a life has the exponent of the other side of the knee.", FATIGUE,
    ),
    Mutation(
        "rated-wear-on-the-small-wheel", "rated_wear_coefficient", "[pull, 0.0], [0.0, pull]",
        "[pull, 0.0], [pull, 0.0]",
        "The rated chain bends twice on its small wheel and never on the large one.", FATIGUE,
    ),
    Mutation(
        "elongation-of-the-smallest-wheel", "_elongation", "max((wheel.teeth", "min((wheel.teeth",
        "How long a chain may become is asked of the smallest wheel.", FATIGUE,
    ),
    Mutation(
        "rollers-by-mean-power", "_rollers", "np.mean(pull**2.5, axis=0) ** 0.4", "np.mean(pull, axis=0)",
        "Peaks of the tension do not strike rollers harder than its mean.", STRENGTH,
    ),
    Mutation(
        "centrifugal-tension-strikes-rollers", "_rollers", "tighter - centrifugal", "tighter",
        "The centrifugal tension presses rollers on teeth.", STRENGTH,
    ),
    Mutation(
        "bends-under-the-span-after-next", "_joints", "np.roll(mean, 1), mean, 1.0", "np.roll(mean, -1), mean, 1.0",
        "Joints bend on to a wheel under the tension of the span after next.", STRENGTH,
    ),
    Mutation(
        "damage-of-all-loops", "plate_life", "total / cycles.loops if", "total if",
        "The damage of one loop is that of the whole run.", STRENGTH,
    ),
    Mutation(
        "one-slope-for-all-ranges", "chain_limits", "2.0 * exponent - 1.0 if below is None",
        "exponent if below is None", "Small ranges do as much damage as the slope above the knee says.",
        (*FATIGUE, *STRENGTH),
    ),
)  # fmt: skip

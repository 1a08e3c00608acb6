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
        "Random variation of the links changes the length of the chain.", WEAR,
    ),
    Mutation(
        "worn-flanks-grow", "_parallel", "depth if element.curvature < 0.0 else -depth",
        "-depth if element.curvature < 0.0 else depth", "Wear adds material to the flanks of a tooth.", WEAR,
    ),
    Mutation(
        "worn-seat-as-new", "worn", "gap.seat_radius - depth", "gap.seat_radius",
        "A roller sits in a worn gap as high as in a new one.", WEAR,
    ),
    Mutation(
        "life-on-the-wrong-side-of-the-knee", "endurable_range", "cycles <= line.knee", "cycles >= line.knee",
        "The range for a required life is computed with the exponent of the wrong side of the knee.", FATIGUE,
    ),
    Mutation(
        "rated-wear-on-the-small-wheel", "rated_wear_coefficient", "[pull, 0.0], [0.0, pull]",
        "[pull, 0.0], [pull, 0.0]",
        "In the rating, the chain bends twice on the small wheel and never on the large one.", FATIGUE,
    ),
    Mutation(
        "elongation-of-the-smallest-wheel", "_elongation", "max((wheel.teeth", "min((wheel.teeth",
        "The permitted elongation of a chain is determined by the smallest wheel.", FATIGUE,
    ),
    Mutation(
        "rollers-by-mean-power", "_rollers", "np.mean(pull**2.5, axis=0) ** 0.4", "np.mean(pull, axis=0)",
        "Peaks of the tension damage rollers no more than the mean does.", STRENGTH,
    ),
    Mutation(
        "centrifugal-tension-strikes-rollers", "_rollers", "tighter - centrifugal", "tighter",
        "The centrifugal tension presses rollers onto teeth.", STRENGTH,
    ),
    Mutation(
        "bends-under-the-span-after-next", "_joints", "np.roll(mean, 1), mean, 1.0", "np.roll(mean, -1), mean, 1.0",
        "Joints bend onto a wheel under the tension of the wrong span.", STRENGTH,
    ),
    Mutation(
        "damage-of-all-loops", "plate_life", "total / cycles.loops if", "total if",
        "The damage per loop of the chain is that of the whole run.", STRENGTH,
    ),
    Mutation(
        "one-slope-for-all-ranges", "chain_limits", "2.0 * exponent - 1.0 if below is None",
        "exponent if below is None", "Small ranges cause as much damage as the slope above the knee implies.",
        (*FATIGUE, *STRENGTH),
    ),
)  # fmt: skip

"""Default storage of results, doubts, and the steadiness of runs."""

from mutations.mutation import Mutation

SAVE_RATE = ("tests/unit/test_save_rate.py",)
DOUBTS = ("tests/unit/test_layout_doubts.py",)
BENDS = (
    "tests/verification/test_car_timing_drives.py::test_a_bend_about_a_sharp_arc_of_the_rail_itself_is_not_doubted",
)
STEADY = ("tests/unit/test_analyses_steadiness.py", "tests/unit/test_verdict.py")
SCATTER = ("tests/unit/test_scatter.py::test_windows_have_the_extremes_of_their_rows",)
END = ("tests/unit/test_end_of_run.py",)
WEIGHT = ("tests/verification/test_hoists.py::test_weight_pulls_a_chain_by_its_loads_and_its_longer_strand",)

RESONANCE = ("tests/unit/test_verdict.py",)
PERIOD = ("tests/unit/test_steady.py::test_cycle_of_oscillations_over_time",)
GOODS = ("tests/unit/test_analyses_loads.py",)

MUTATIONS = (
    Mutation(
        "resonance-as-drawn", "longitudinal_frequencies", "drive_in_run(solution)", "solution.drive",
        "Resonances are those of the drive as drawn, before the preload moves a wheel.", RESONANCE,
    ),
    Mutation(
        "resonance-without-shafts", "longitudinal_frequencies", "if joined_by_shafts(solution):", "if False:",
        "Modes of a chain lack the inertias on its shafts.", RESONANCE,
    ),
    Mutation(
        "life-without-a-turn", "repeats", "not self.turns < ONCE", "True",
        "Fatigue and life are judged in a window in which the chain stands still.", RESONANCE,
    ),
    Mutation(
        "vibration-about-two-means", "vibration", "np.nanmax(moved)", "np.nanmax(_moved(values - values.mean(axis=0)))",
        "The vibration of the whole run is about another mean than that of its part.", RESONANCE,
    ),
    Mutation(
        "tight-span-of-driving-loads", "_mean_pull", "pull -= sense", "pull += sense",
        "A tensioner is doubted where the loads drive the chain.", DOUBTS,
    ),
    Mutation(
        "bends-of-a-sharp-rail", "_warn_of_bends", "max(SHARP, SHARPER * own)", "SHARP",
        "A chain that follows a sharp arc of its rail is said to bend about the end of the rail.", BENDS,
    ),
    Mutation(
        "period-of-slow-oscillations", "common_period", "np.maximum(np.round(cycles), 1.0)", "np.round(cycles)",
        "An oscillation repeats before it has completed a cycle.", PERIOD,
    ),
    Mutation(
        "goods-on-the-level", "_kept_level", "lift * speed < 0.5 * goods", "lift < 0.0",
        "The kinetic energy of goods on a level conveyor counts as an output.", GOODS,
    ),
    Mutation(
        "save-rate-of-slow-wheels", "_frequencies", "order * teeth / chain.wheels[wheel].teeth",
        "order * teeth / chain.wheels[facts.driver].teeth",
        "Orders of all wheels are computed with the teeth of the driver.", SAVE_RATE,
    ),
    Mutation(
        "save-rate-without-limit", "automatic_rate", "min(recommended_rate(drive), affordable)",
        "recommended_rate(drive)", "The size of the results of long runs is not limited.", SAVE_RATE,
    ),
    Mutation(
        "save-rate-of-a-resumed-run", "_with_rate", "if before is not None:", "if before is not None and not before:",
        "A resumed run has a different save rate than its beginning.", SAVE_RATE,
    ),
    Mutation(
        "save-rate-told", "rate_warnings", "rate >= LEAST_ROWS * fastest", "rate >= fastest",
        "There is no warning of rows that are too far apart to resolve the teeth.", SAVE_RATE,
    ),
    Mutation(
        "guide-on-the-other-side", "_idle", "outwards = left if guide.shape.side == \"left\" else -left",
        "outwards = left",
        "Guides on the right of the chain cause a warning although they are in the right place.", DOUBTS,
    ),
    Mutation(
        "guide-that-touches-nothing", "_idle", "if gap > least:", "if gap > 10.0 * least:",
        "A guide far from the chain is accepted without a warning.", DOUBTS,
    ),
    Mutation(
        "irregular-is-steady", "_judged", "(worst <= STEADY or changed <= DRIFT)", "worst <= STEADY",
        "A run whose spans vibrate irregularly is never steady.", STEADY, compiled=True,
    ),
    Mutation(
        "drift-is-steady", "_judged", "and not changed > DRIFT and not pace > PACE", "and not pace > PACE",
        "A run whose tensions still increase is steady.", STEADY, compiled=True,
    ),
    Mutation(
        "ramp-is-steady", "_judged", "steady and not lasting and", "steady and",
        "A run whose load rises slowly is steady.", STEADY, compiled=True,
    ),
    Mutation(
        "ramp-fades", "_continued", "abs(third) *", "0.0 * abs(third) *",
        "A slow trend ends with the run.", STEADY, compiled=True,
    ),
    Mutation(
        "rolling-vibrates", "_complete_frequencies", "& ~_rolls(system, modes, drive)", "",
        "A drive without prescribed motion vibrates between the seats of its teeth as a whole.",
        ("tests/verification/test_resonance_of_sprung_drives.py",), compiled=True,
    ),
    Mutation(
        "sprung-wheels-are-fixed", "drive_frequencies", "if _yields(solution.drive):", "if False:",
        "A wheel on a spring counts as fixed where the complete modes are not known.",
        ("tests/verification/test_resonance_of_sprung_drives.py",), compiled=True,
    ),
    Mutation(
        "scatter-of-windows", "spread_of_windows", "np.nanmax(each)", "np.nanmin(each)",
        "The scatter is that of the smallest forces.", SCATTER,
    ),
    Mutation(
        "end-of-run-not-stored", "_store_end", "> LEAST_INTERVAL * self.interval", "> 2.0 * self.interval",
        "What happens between the last row and the end of a run is missing from its results.", END, compiled=True,
    ),
    Mutation(
        "early-last-row-in-spectra", "even_rows", "< (1.0 - UNEVEN) * before", "< -before",
        "A run that ends between two rows has no spectra.", END, compiled=True,
    ),
    Mutation(
        "weight-of-the-chain", "weight_pull", "places[1] - places[0]", "places[0] - places[1]",
        "The shorter strand pulls the chain down on its side.", WEIGHT,
    ),
)  # fmt: skip

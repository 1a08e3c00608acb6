"""Closed-form solutions, linear models, signals, statistics of results."""

from mutations.mutation import Mutation

FORMULAS = ("tests/unit/test_analyses_formulas.py",)
MODES = ("tests/unit/test_analyses_modes.py",)
SPECTRA = ("tests/unit/test_analyses_spectra.py",)
STABILITY = ("tests/unit/test_analyses_stability.py",)
FORMULATIONS = ("tests/unit/test_formulations_side_by_side.py",)
LOOP = tuple(
    f"tests/unit/test_analyses_loop.py::{name}"
    for name in (
        "test_the_last_full_loop_is_the_window",
        "test_the_advance_counts_on_over_loops_and_agrees_with_the_positions",
        "test_the_advance_of_a_run_that_goes_on_begins_where_the_chain_lies",
        "test_a_chain_that_runs_the_other_way_goes_back",
    )
)
LOADS = ("tests/unit/test_analyses_loads.py",)
OPERATING = ("tests/unit/test_analyses_operating.py",)
RAINFLOW = ("tests/unit/test_analyses_rainflow.py",)
STIFFNESS = ("tests/unit/test_analyses_contact_stiffness.py",)
FATIGUE = ("tests/unit/test_analyses_fatigue.py",)
STRENGTH = ("tests/unit/test_analyses_strength.py",)
RATIO = ("tests/unit/test_analyses_ratio.py",)
COMPARISON = ("tests/unit/test_analyses_comparison.py",)
SPEED_MAP = ("tests/unit/test_analyses_speed_map.py",)

MUTATIONS = (
    Mutation(
        "shaken-joints-friction", "_span_joint_loss", "0.5 * chain.joint_friction", "chain.joint_friction",
        "The friction in vibrating joints is computed with the diameter of the pins instead of the radius.", COMPARISON,
    ),
    Mutation(
        "torque-of-the-run", "_torque_of_the_run",
        "float(work[0]) - float(work[-1])", "float(work[-1]) - float(work[0])",
        "Machinery behind a shaft counts as driving although it is a load.", COMPARISON,
    ),
    Mutation(
        "return-span-sag", "held_by_return", "(12.0 * holding**3)", "(12.0 * holding**2)",
        "A return span that sags counts as stiff.", COMPARISON,
    ),
    Mutation(
        "ratio-sense", "speed_ratio", "(senses[w] * np.asarray(", "(np.asarray(",
        "The ratio of a wheel on the back of the chain is negative.", RATIO,
    ),
    Mutation(
        "ratio-of-teeth", "speed_ratio", "expected = mean * other",
        "expected = drive.wheels[first].teeth / drive.wheels[chosen].teeth * other",
        "A chain that has jumped teeth counts as a lasting deviation of the speed ratio.", RATIO,
    ),
    Mutation(
        "crossing-share", "_zero_crossings", "here / (here - there)", "there / (there - here)",
        "A crossing between two runs is placed at the mirrored distance from them.", SPEED_MAP,
    ),
    Mutation(
        "crossing-distance", "crossings", "at / operating - 1.0", "1.0 - operating / at",
        "The distance of a crossing is relative to the speed of the crossing instead of the operating speed.",
        SPEED_MAP,
    ),
    Mutation(
        "map-runs", "map_of", "run=numbers[order]", "run=numbers",
        "A click in the map opens the report of the wrong run.", SPEED_MAP,
    ),
    Mutation(
        "map-highest-bin", "map_of", "np.maximum.at(", "np.minimum.at(",
        "Of the bins of a finer spectrum, the lowest is taken.", SPEED_MAP,
    ),
    Mutation(
        "goodman-sign", "pulsating_range", "left = breaking_load - low", "left = breaking_load + low",
        "A mean tension makes plates last longer.", FATIGUE,
    ),
    Mutation(
        "woehler-knee-side", "cycles_to_failure", "ratio >= 1.0", "ratio < 1.0",
        "The two slopes of the Woehler line are exchanged.", FATIGUE,
    ),
    Mutation(
        "wear-one-bend", "wear_per_loop", "np.clip(before, 0.0, None) + np.clip(behind, 0.0, None)",
        "np.clip(before, 0.0, None)", "Joints wear only where they run onto a wheel.", FATIGUE,
    ),
    Mutation(
        "roller-life-exponent", "roller_bush_life", "** 2.5", "** 2.0",
        "The predicted life of rollers and bushes under overload is too long.", FATIGUE,
    ),
    Mutation(
        "plate-life-least", "plate_life", "cycles.mean - 0.5 * cycles.range", "cycles.mean",
        "Goodman's line uses the mean as the smallest tension.", STRENGTH,
    ),
    Mutation(
        "passing-wrong-span", "passing_tension", "(zone.index - 1, zone.index)", "(zone.index, zone.index - 1)",
        "Along a wrap the tension changes from that of the span behind to that of the span before.", STRENGTH,
    ),
    Mutation(
        "binder-power", "binder_tooth_loads", "** (rollers - roller)", "** (rollers - roller + 1)",
        "Tooth loads decrease one tooth too early from the leaving side.", FORMULAS,
    ),
    Mutation(
        "capstan-groove", "capstan_ratio", "/ np.sin(groove_angle)", "* np.sin(groove_angle)",
        "A narrow groove grips less.", FORMULAS,
    ),
    Mutation(
        "hanging-chain", "hanging_chain_frequencies", "return 0.5 * np", "return np",
        "The natural frequencies of a hanging chain are doubled.", FORMULAS,
    ),
    Mutation(
        "sag-of-parabola", "parabola_sag", "(8.0 * ", "(4.0 * ", "The sag of a span is doubled.", FORMULAS,
    ),
    Mutation(
        "modes-single-spring", "_stiffness", "matrix[b, b] += rate * along[b] ** 2", "matrix[b, b] += 0.0",
        "Only one of its two spans holds a wheel.", MODES,
    ),
    Mutation(
        "modes-in-radians", "_solve", "[kept] / (2.0 * np.pi)", "[kept]", "Natural frequencies are in rad/s.", MODES,
    ),
    Mutation(
        "modes-closing-span", "wheel_modes", "(k + 1) % wheels", "min(k + 1, wheels - 1)",
        "The span from the last wheel to the first has no stiffness.", MODES,
    ),
    Mutation(
        "hill-damping", "mathieu_multiplier", "damping_ratio)", "0.0 * damping_ratio)",
        "Damping has no effect on parametric resonance.", STABILITY,
    ),
    Mutation(
        "spectrum-one-sided", "amplitude_spectrum", "2.0 * np.abs", "np.abs", "Spectral lines have half their height.",
        SPECTRA,
    ),
    Mutation(
        "spectrum-nyquist", "amplitude_spectrum", "if length % 2 == 0:", "if length % 2 == 1:",
        "The line at half the sampling rate has twice its height.", SPECTRA,
    ),
    Mutation(
        "spectrum-window-sum", "amplitude_spectrum", "/ weights.sum()", "/ count",
        "The window function lowers all lines.", SPECTRA,
    ),
    Mutation(
        "peak-shift", "_vertex", "shift = 0.5 * (left - right) / (left - 2.0 * centre + right)",
        "shift = 0.5 * (right - left) / (left - 2.0 * centre + right)",
        "The frequency of a wide peak is corrected in the wrong direction.", SPECTRA,
    ),
    Mutation(
        "line-shift", "_line", "return side * low,", "return -side * low,",
        "The frequency of a line is corrected in the wrong direction.", SPECTRA,
    ),
    Mutation(
        "trend-line", "_detrended", "along = np.arange(signal.size) - (signal.size - 1) / 2.0",
        "along = np.arange(signal.size) - signal.size / 2.0",
        "The straight line subtracted from a signal is slightly wrong.", SPECTRA,
    ),
    Mutation(
        "bearing-mean-of-magnitude", "bearing_loads", "np.arctan2(mean[:, 1], mean[:, 0])",
        "np.arctan2(mean[:, 0], mean[:, 1])", "The direction of a bearing force is mirrored.", LOADS,
    ),
    Mutation(
        "bearing-fluctuation", "bearing_loads", "(part - mean) ** 2", "part ** 2",
        "The fluctuation of a bearing force includes its mean.", LOADS,
    ),
    Mutation(
        "rainflow-plateau", "turning_points", "rising[1:] != rising[:-1]", "rising[1:] == rising[:-1]",
        "The points between turning points are taken for turning points.", RAINFLOW,
    ),
    Mutation(
        "rainflow-equal-ranges", "_closed_within", "size[:-2] > size[1:-1]", "size[:-2] >= size[1:-1]",
        "Of two equal ranges, both are removed as closed cycles.", RAINFLOW,
    ),
    Mutation(
        "rainflow-hysteresis", "_filtered", "elif (extreme - value) * up >= least:",
        "elif (extreme - value) * up > 0.0:",
        "After the first large cycle, the filter no longer removes small ones.", RAINFLOW,
    ),
    Mutation(
        "miner-exponent", "equivalent_range", "** (1.0 / exponent)", "** exponent",
        "The equivalent range is not converted back to a range.", RAINFLOW,
    ),
    Mutation(
        "advance-sense", "chain_advance", "offset = np.angle(np.exp(1j * turn * apart).mean()) / turn",
        "offset = np.angle(np.exp(-1j * turn * apart).mean()) / turn",
        "The initial position of the chain is mirrored.", LOOP,
    ),
    Mutation(
        "loop-window-first", "loop_window", "first += int(whole[-1]) if whole.size else 0",
        "first += int(whole[0]) if whole.size else 0",
        "The last loop of the chain is taken to be the whole run.", LOOP,
    ),
    Mutation(
        "loop-joints", "loop_envelope", '(0.5 if solution.channel(name).dims[0] == "link" else 0.0)', "0.5",
        "Joints are half a pitch too far along the loop.",
        ("tests/unit/test_analyses_loop.py::test_a_joint_is_along_the_loop_where_its_roller_is",),
    ),
    Mutation(
        "effect-side", "_effects", "known.raises if sign * apart > 0.0 else known.lowers",
        "known.raises if sign * apart < 0.0 else known.lowers",
        "An effect is said to explain a difference of the opposite sign.", FORMULATIONS,
    ),
    Mutation(
        "effect-both-leave-out", "_effects", "effect not in having.left_out and not", "not",
        "An effect that both formulations neglect is said to explain the difference between them.", FORMULATIONS,
    ),
    Mutation(
        "losses-that-explain", "_losses", "abs(apart - expected) > SHARE * abs(apart)", "abs(apart) <= 0.0",
        "Losses are said to explain a difference for which they do not account.", FORMULATIONS,
    ),
    Mutation(
        "attachments-weigh-nothing", "mass_per_length", "(chain.link_mass + sum(chain.attached_masses) / chain.links)",
        "chain.link_mass", "Spans with attachments have the frequency of the bare chain.", OPERATING,
    ),
    Mutation(
        "goods-weigh-nothing", "span_mass_per_length", "+= carried_mass(drive, payload) / length[payload.span]",
        "+= 0.0",
        "A span with goods has the frequency of the empty chain.", OPERATING,
    ),
    Mutation(
        "goods-need-no-power", "load_power", "sum(goods_pull(drive, speed)) + rails_pull", "rails_pull",
        "The efficiency of a conveyor that lifts goods counts its bearings only.", OPERATING,
    ),
    Mutation(
        "size-with-the-distance-from-the-origin", "size", "columns = columns or", "columns =",
        "Differences for the modes of a drive far from the origin are larger than its contacts are deep.",
        ("tests/verification/test_linearised_modes.py::test_the_origin_can_be_anywhere",),
    ),
    Mutation(
        "loads-as-at-rest", "_loaded_wheel", "shaft.ratio * (facts.nominal_speed or 0.0))", "0.0)",
        "The spans of a fan carry no load in the analytical checks.", OPERATING,
    ),
    Mutation(
        "efficiency-with-released-energy", "losses", "(put_in if missing else taken + total)", "put_in",
        "Energy that is released in the window makes an efficiency above 100 %.", LOADS,
    ),
    Mutation(
        "closed-in-the-plane", "pitches_aside", "np.hypot(length, np.roll(aside, -1) - aside) - length",
        "length - length",
        "A chain between sprockets out of line is closed as in the plane, and overstretched in space.",
        ("tests/unit/test_model_closing.py::test_offsets_between_sprockets_make_spans_longer_in_space",),
    ),
    Mutation(
        "windows-of-one-tooth", "equal_windows", "whole // 2 if period == 1 else whole", "whole",
        "Peaks of teeth are compared in windows that a peak may miss.", ("tests/unit/test_scatter.py",),
    ),
)  # fmt: skip

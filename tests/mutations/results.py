"""Content of results, and their energy balance."""

from mutations.mutation import Mutation

BALANCE = ("tests/unit/test_results_balance.py", "tests/unit/test_audit_rules.py")
CHOICE = ("tests/unit/test_chosen_method.py",)

MUTATIONS = (
    Mutation(
        "residual-without-losses", "audit", "- sum(works.values(), zero)", "",
        "Losses are missing in the energy balance.",
        BALANCE,
    ),
    Mutation(
        "memory-of-rows-kept", "pack", "self._spare.pop().blocks if self._spare else {}",
        "self._spare[-1].blocks if self._spare else {}",
        "Packed rows overwrite rows that are still waiting.", ("tests/unit/test_results_packing.py",),
    ),
    Mutation(
        "turned-over-twice", "audit", "energy_exchanged=0.5 * variation", "energy_exchanged=variation",
        "All energy exchanged is counted twice.", BALANCE,
    ),
    Mutation(
        "residual-at-end-only", "audit", "float(np.abs(residual).max())", "abs(float(residual[-1]))",
        "An energy balance that fails during the run but is met at the end is not noticed.", BALANCE,
    ),
    Mutation(
        "shafts-by-sum", "by_sign", "parts = [*shafts, joints] if abs(joints) > rounding else [*shafts]",
        "parts = [total]", "Two shafts whose work has opposite signs count as one.", BALANCE,
    ),
    Mutation(
        "doubt-of-small-losses", "doubtful_losses", "abs(loss) > least", "abs(loss) < least",
        "Small losses are reported as doubtful and large ones are not.", BALANCE,
    ),
    Mutation(
        "exact-to-all-that-is-exchanged", "allowed", "exactness.of_all * total",
        "exactness.of_all * energy_exchanged",
        "The residual that a step may have is relative to the energy exchanged instead of the energy lost.",
        BALANCE,
    ),
    Mutation(
        "balance-not-as-asked", "exactness_of", 'OF_ALL if balance == "all-losses" else USUAL', "usual",
        "The required accuracy of the energy balance is always that of the method, whatever the options say.", BALANCE,
    ),
    Mutation(
        "default-exact-in-each-loss", "of", ' and self.method == SMOOTHED', " and self.method == IMPLICIT",
        "With smoothed friction, the default steps are so short that a loss of a thousandth of the total is accurate.",
        CHOICE,
    ),
    Mutation(
        "smoothed-without-friction", "_explicit", "if not rubs(drive):", "if False:",
        "Drives without friction are run by the method for smoothed friction.", CHOICE,
    ),
    Mutation(
        "chatter-whatever-it-costs", "_explicit", "<= MOST_CHATTER", "<= math.inf",
        "Drives whose rollers chatter fast in their seats are run by Verlet.", CHOICE,
    ),
    Mutation(
        "chatter-of-heavy-links", "_chatter_rate", " / drive.chain.link_mass", "",
        "The chatter of rollers in their seats does not depend on the mass of the links.", CHOICE,
    ),
    Mutation(
        "window-excludes-its-end", "window_of", 'np.searchsorted(times, stop + margin, side="right")',
        'np.searchsorted(times, stop - margin, side="left")', "A time window excludes the instant at its end.",
        ("tests/unit/test_analyses_statistics.py",),
    ),
    Mutation(
        "steady-part-from-the-middle", "steady_start", "return 0.5 * (first + last)",
        "return 0.5 * last", "The steady part of a run that does not begin at zero begins too early.",
        ("tests/unit/test_analyses_statistics.py",),
    ),
    Mutation(
        "dimension-that-gave-way", "__delitem__", 'self._known.pop(name.lstrip("/"), None)', "pass",
        "A dimension is still written after it was replaced by its coordinates.", ("tests/unit/test_results_files.py",),
    ),
    Mutation(
        "signal-while-packing", "holding_interruptions", "signal.signal(number, on_signal)", "pass",
        "A signal is raised while HDF5 frees a dataset: its last values are lost, or the process crashes.",
        ("tests/unit/test_crash_safety.py::test_a_signal_at_any_write_of_the_packing_loses_nothing",),
    ),
    Mutation(
        "any-file-replaced", "_kind_problem", 'if found in (b"", signature)', "if True",
        "A run replaces its own drive file.",
        ("tests/unit/test_results_files.py::test_places_that_cannot_be_written",),
    ),
)  # fmt: skip

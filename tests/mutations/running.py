"""The search for rest and its matrix, units, and when a run is steady."""

from mutations.mutation import Mutation

STEADY = tuple(
    f"tests/unit/test_steady.py::{name}"
    for name in (
        "test_power_imbalance",
        "test_tension_change",
        "test_a_slack_span_does_not_hinder",
        "test_streak_is_broken_by_a_single_revolution",
        "test_row_lasts_two_loops",
        "test_steady_after_the_transient_and_one_loop_more",
    )
)
STATICS = ("tests/unit/test_roller_statics.py::test_stiffness_is_the_derivative_of_the_forces[industrial-08b]",)
TURNING = ("tests/unit/test_roller_statics.py::test_a_wheel_that_turns_takes_the_forces_of_its_contacts_along",)
BORDERED = ("tests/unit/test_bordered.py",)
UNITS = ("tests/unit/test_units.py",)

MUTATIONS = (
    Mutation(
        "imbalance-adds-losses", "power_imbalance", "given - out - loss", "given - out + loss",
        "A drive whose losses balance its power counts as unsteady.", STEADY,
    ),
    Mutation(
        "tension-of-slackest", "tension_change", ".max(axis=1)\n        moved", ".min(axis=1)\n        moved",
        "A change of tension is measured in the slackest span.", STEADY,
    ),
    Mutation(
        "streak-counts-the-miss", "streak_start", "int(missed[-1]) + 1", "int(missed[-1])",
        "The unsteady revolution counts as steady.", STEADY,
    ),
    Mutation(
        "stiffness-closing-link", "_links", "j = i + 1 if i + 1 < p.links else 0", "j = min(i + 1, p.links - 1)",
        "In the search for equilibrium the last link is connected to itself.", STATICS, compiled=True,
    ),
    Mutation(
        "stiffness-without-tension", "_links", "along = p.stiffness - across", "along = p.stiffness",
        "The tension term for turning links is also missing in the longitudinal stiffness.", STATICS,
    ),
    Mutation(
        "contact-slope-exponent", "_contacts",
        "slope = exponent * force / depth", "slope = force / depth",
        "Contacts are too soft in the search for equilibrium.", STATICS,
    ),
    Mutation(
        "border-sign", "_contacts", "sx - force * ny", "sx + force * ny",
        "The forces of its contacts turn a wheel the wrong way.", TURNING,
    ),
    Mutation(
        "ring-not-closed", "factorise", "reduced[0, r, m + c] += matrix.upper[last, c, r]", "pass",
        "The matrix of a closed chain is that of an open chain.", BORDERED,
    ),
    Mutation(
        "cholesky-pivot", "_cholesky", "pivot -= a[k, j] * a[k, j]", "pivot -= a[k, j]",
        "The border of the chain's matrix is factorised wrongly.", BORDERED,
    ),
    Mutation(
        "back-substitution", "solve", "solution[k * n + i + 1]", "solution[k * n + i]",
        "Links are solved without coupling to their neighbours.", BORDERED,
    ),
    Mutation(
        "unit-quotient", "times", "a + sign * b", "a + b", "N/m is read as N m.", UNITS,
    ),
    Mutation(
        "unit-left-to-right", "_product", "unit.times(factor, sign), 1, False", "unit.times(factor, sign), sign, False",
        "In 1/s rad all units after the slash count as divisors.", UNITS,
    ),
)  # fmt: skip

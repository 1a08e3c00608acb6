"""The report, tables for other tools, studies."""

from mutations.mutation import Mutation

PACK = ("tests/unit/test_report_pack.py",)
FRAMES = ("tests/unit/test_report_frames.py",)
DRAWN_LINKS = ("tests/unit/test_drawing_links.py",)
SPACE = ("tests/unit/test_report_space.py",)
STUDY = ("tests/unit/test_study_merit.py",)
PLAN = tuple(
    f"tests/unit/test_study_model.py::{name}"
    for name in ("test_runs_of_a_study", "test_what_a_curve_sets_overrides_the_study_and_parameters_override_both")
)
TABLES = ("tests/unit/test_export_tables.py",)

MUTATIONS = (
    Mutation(
        "cogs-mirrored", "_cogs", "np.asarray(drive_facts(drive).senses)", "-np.asarray(drive_facts(drive).senses)",
        "The report draws the cogs of a cassette rotated the wrong way relative to each other.", SPACE,
    ),
    Mutation(
        "levels-floor", "quantised", "np.rint((held - low) / scale)", "np.floor((held - low) / scale)",
        "Numbers of the report are rounded down.", PACK,
    ),
    Mutation(
        "levels-not-a-number", "quantised", "levels = np.full(given.shape, NOT_A_NUMBER",
        "levels = np.full(given.shape, 0",
        "Missing numbers are shown as the smallest value.", PACK,
    ),
    Mutation(
        "bytes-not-sorted", "_sorted_bytes", ".T.tobytes()", ".tobytes()",
        "The page combines low and high bytes of different numbers.", PACK,
    ),
    Mutation(
        "link-roll-sign", "link_roll", "atan2(2.0 * (w * x + y * z)", "atan2(2.0 * (w * x - y * z)",
        "Links that rise out of the plane are rotated the wrong way about their length.", SPACE,
    ),
    Mutation(
        "relief-of-all", "tip_relief", "SHARPEST * half_width", "half_width",
        "The tips of narrow teeth have no width.", SPACE,
    ),
    Mutation(
        "band-skips-rows", "tension_band", "np.append(rows[:1], rows[:-1] + 1)", "np.append(rows[:1], rows[1:])",
        "Peaks of tension between two frames are not shown.", FRAMES,
    ),
    Mutation(
        "band-swapped", "tension_band", "np.minimum.reduceat(upto, starts, axis=0), np.maximum",
        "np.maximum.reduceat(upto, starts, axis=0), np.maximum", "The smallest tension shown is the largest.", FRAMES,
    ),
    Mutation(
        "pin-of-the-next-joint", "LinkSizes", "np.roll(pins, 1, axis=-2)", "np.roll(pins, 0, axis=-2)",
        "A pin is drawn in the bush of its own link.", DRAWN_LINKS,
    ),
    Mutation(
        "plates-of-the-cranked-link", "link_sizes", "front[-1] = outer", "front[-1] = inner",
        "The last of an odd number of links is drawn as an inner one.", DRAWN_LINKS,
    ),
    Mutation(
        "pin-opposite", "_joints", 'angle) - table["roller_position"]', 'angle) + table["roller_position"]',
        "The report draws pins on the wrong side of their bushes.", FRAMES,
    ),
    Mutation(
        "merit-window", "evaluate", "(time >= start * (1.0 - 1e-9)) & ", "",
        "A figure of merit includes values from before its time window.", STUDY,
    ),
    Mutation(
        "merit-rms", "", "math.sqrt(np.mean(np.square(x)))", "math.sqrt(np.mean(x) ** 2)",
        "The rms of a figure of merit is its mean.", STUDY,
    ),
    Mutation(
        "merit-unit-without-quantity", "_factor", "factor_of(figure.unit, quantity)", "parse_unit(figure.unit).factor",
        "A figure of merit in 1/min or in-lb is wrong by a factor of 2 pi or 9.81.", STUDY,
    ),
    Mutation(
        "quasi-static-mass-of-goods", "take_out_scale", "/= factor * factor", "/= factor",
        "The mass of goods in a quasi-static run is too large by the factor.", ("tests/unit/test_quasi_static.py",),
    ),
    Mutation(
        "study-previous", "_start", "choice[0] - 1 if curve.order == \"forwards\" else choice[0] + 1", "choice[0] - 1",
        "A curve that runs backwards starts every run from the wrong previous run.", PLAN,
    ),
    Mutation(
        "study-curve-overrides", "_changes", "study.set | curve.set", "curve.set | study.set",
        "What a curve sets is overridden by the study.", PLAN,
    ),
    Mutation(
        "csv-last-column", "_lines", "np.column_stack([times, *columns])", "np.column_stack([times, *columns[::-1]])",
        "Columns of a table have each other's headings.", TABLES,
    ),
    Mutation(
        "parquet-single-time", "_write_parquet", '"f8": "float64"', '"f8": "float32"',
        "Double precision is written as single.", TABLES,
    ),
)  # fmt: skip

"""Forces of the single plates of a rocker-pin chain."""

from mutations.mutation import Mutation

PIN = ("tests/unit/test_physics_bending_pin.py",)
ROWS = ("tests/unit/test_analyses_plate_rows.py",)
RUN = "tests/unit/test_analyses_plate_forces.py"

MUTATIONS = (
    Mutation(
        "pin-bends-twice-as-far",
        "bent_by_force",
        "/ (12.0 * bending_stiffness)",
        "/ (6.0 * bending_stiffness)",
        "A pair of pins has half of its given stiffness.",
        PIN,
    ),
    Mutation(
        "moments-bend-pins-backwards",
        "bent_by_end_moments",
        "** 2 / (2.0 * bending_stiffness)",
        "** 2 / (-2.0 * bending_stiffness)",
        "A thrust ahead of the neutral axis bends the ends of a pin backwards.",
        PIN,
    ),
    Mutation(
        "rows-out-of-the-middle",
        "places",
        "0.5 * (rows - 1)",
        "0.5 * rows",
        "The rows of plates are half a spacing off the middle of the pins.",
        ROWS,
        compiled=True,
    ),
    Mutation(
        "pin-without-inertia-of-one-end",
        "_influences",
        "- pull - 2.0 * friction",
        "- pull - friction",
        "The inertia of a pin balances the friction on only one end, so that its forces are not in equilibrium.",
        ROWS,
        compiled=True,
    ),
    Mutation(
        "tension-of-the-other-link",
        "_influences",
        "np.roll(pull, 1, axis=1)",
        "np.roll(pull, -1, axis=1)",
        "A pin is pulled back by the link after the next one.",
        ROWS,
        compiled=True,
    ),
    Mutation(
        "plates-push",
        "forces",
        "found[m] += self._relieved(found[m], least[m])",
        "found[m] += 0.0",
        "Compressive plate forces are set to zero without redistributing them to the other plates.",
        ROWS,
        compiled=True,
    ),
    Mutation(
        "slack-plates-of-the-first-look",
        "_relieved",
        "if not more.size:",
        "if more.size >= 0:",
        "A plate that becomes slack only because others are slack is not found.",
        ROWS,
        compiled=True,
    ),
    Mutation(
        "response-of-the-first-period",
        "_response",
        "plate - plate % size",
        "0",
        "A slack plate changes the forces in the first links instead of its neighbours.",
        ROWS,
        compiled=True,
    ),
    Mutation(
        "thrust-in-the-middle",
        "plate_forces",
        "plates.eccentricity * axial",
        "0.0 * axial",
        "The eccentricity of the thrust is ignored.",
        (f"{RUN}::test_a_thrust_out_of_the_middle_changes_the_clasp_plate",),
        compiled=True,
    ),
    Mutation(
        "strands-exchanged",
        "_where",
        "centre[:, 1] - centre[:, 0]) < 0.0",
        "centre[:, 1] - centre[:, 0]) > 0.0",
        "Links of the tight span are reported in the slack span.",
        (f"{RUN}::test_where_every_link_is",),
        compiled=True,
    ),
)

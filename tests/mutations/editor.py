"""The editor: what it shows, and what it writes into a file."""

from mutations.mutation import Mutation

DOCUMENT = ("tests/unit/test_editor_document.py",)
BENEATH = ("tests/unit/test_editor_beneath.py",)
SERVER = ("tests/unit/test_editor_server.py",)

MUTATIONS = (
    Mutation(
        "editor-sag", "_numbers", "0.375 * max(slack, 0.0)", "0.75 * max(slack, 0.0)",
        "The sag beside the drawing is that of twice the slack.",
        SERVER,
    ),
    Mutation(
        "editor-unit-of-a-number", "in_unit_of", "digits = decimals + round", "digits = round",
        "A point given as numbers in m is rounded to millimetres when it is moved.",
        DOCUMENT,
    ),
    Mutation(
        "editor-saves-over", "save", "if self.changed_outside and not over:", "if over:",
        "A file that another program changed is overwritten.",
        DOCUMENT,
    ),
    Mutation(
        "editor-stale-page", "edit", "self._check_revision(given)", "pass",
        "A page that has not seen the last change of another one changes the wrong part.",
        SERVER,
    ),
    Mutation(
        "editor-circle-of-a-dxf", "_drawn_dxf", "(dxf.factor * entity.number(code)", "(entity.number(code)",
        "A circle beneath the drawing is as large in m as in the units of its file.",
        BENEATH,
    ),
    Mutation(
        "editor-circle-of-an-svg", "_closed", "math.hypot(matrix.a, matrix.b)", "math.hypot(matrix.a, matrix.d)",
        "A circle of a group that is turned has another radius.",
        BENEATH,
    ),
)  # fmt: skip

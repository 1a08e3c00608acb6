"""The editor: its displays, and the files that it writes."""

from mutations.mutation import Mutation

DOCUMENT = ("tests/unit/test_editor_document.py",)
BENEATH = ("tests/unit/test_editor_beneath.py",)
SERVER = ("tests/unit/test_editor_server.py",)

MUTATIONS = (
    Mutation(
        "editor-sag", "_numbers", "0.375 * max(slack, 0.0)", "0.75 * max(slack, 0.0)",
        "The sag shown beside the drawing is that for twice the slack.",
        SERVER,
    ),
    Mutation(
        "editor-unit-of-a-number", "in_unit_of", "digits = decimals + round", "digits = round",
        "A point given by plain numbers in m is rounded to millimetres when it is moved.",
        DOCUMENT,
    ),
    Mutation(
        "editor-oval-place", "_corners", "np.asarray(centre) + oval.corners", "oval.corners",
        "An oval sprocket is drawn about the origin, wherever its axis is.",
        SERVER,
    ),
    Mutation(
        "editor-oval-route", "_as_far_as_known", "way if oval is None else oval_route(way, oval)", "way",
        "In an incomplete drive, the chain is drawn on a circle around an oval sprocket.",
        SERVER,
    ),
    Mutation(
        "editor-drag-changes-the-file", "applied", "here[step] = copy.copy(here[step])", "pass",
        "A part that is still being dragged is already changed in the file for all later computations.",
        DOCUMENT,
    ),
    Mutation(
        "editor-saves-over", "save", "if self.changed_outside and not over:", "if over:",
        "A file that another program changed is overwritten.",
        DOCUMENT,
    ),
    Mutation(
        "editor-stale-page", "edit", "self._check_revision(given)", "pass",
        "A page that has not received the last change of another page changes the wrong part.",
        SERVER,
    ),
    Mutation(
        "editor-circle-of-a-dxf", "_drawn_dxf", "(dxf.factor * entity.number(code)", "(entity.number(code)",
        "The size of a circle behind the drawing is not converted to metres from the units of its file.",
        BENEATH,
    ),
    Mutation(
        "editor-circle-of-an-svg", "_closed", "math.hypot(matrix.a, matrix.b)", "math.hypot(matrix.a, matrix.d)",
        "A circle in a rotated group has a wrong radius.",
        BENEATH,
    ),
)  # fmt: skip

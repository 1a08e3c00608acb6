"""A drive in the form stored in an FMU: its image, its variables, and the header file that describes them to the C
shell.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from chaindrive.contract.status import Status
from chaindrive.fmu.image import Image

__all__ = ["Cells", "Course", "Effect", "Model", "Variable", "header"]

Causality = Literal["output", "input", "parameter"]
KINDS: dict[Causality, int] = {"output": 0, "input": 1, "parameter": 2}


class Effect(NamedTuple):
    """A number of the image that depends on a variable: base + slope x value ** power."""

    places: tuple[int, ...]
    """Offsets of all copies of the number in the image. [bytes]"""
    slope: float = 1.0
    base: float = 0.0
    power: float = 1.0

    def number(self, value: float) -> float:
        """Return the number in the image for a value of the variable."""
        return float(self.base + self.slope * value**self.power)


class Course(NamedTuple):
    """Offsets of the numbers in the image that make a part follow a given speed or position. [bytes]"""

    cell: int
    """offset of ``contract.inputs.Input.cell``, which holds the starting time and the coefficients of a cubic
    polynomial"""
    kind: int
    """SPEED or POSITION of ``contract.inputs``"""
    position: int
    """index in the state [rad or m]"""
    speed: int
    """index in the state [rad/s or m/s]"""


class Variable(NamedTuple):
    """A variable of the interface; its value reference is its index in the list of all variables."""

    name: str
    causality: Causality
    unit: str
    """Unit as channels spell it, "N m"; "1" for no unit."""
    description: str
    offset: int = 0
    """Offset of an output variable in the image. [bytes]"""
    initial: float = 0.0
    """Initial value of inputs and parameters."""
    least: float = -math.inf
    largest: float = math.inf
    effects: tuple[Effect, ...] = ()
    course: Course | None = None


class Cells(NamedTuple):
    """Offsets of those fields in the control of a run that the shell reads or writes. [bytes]"""

    time: int
    end: int
    interval: int
    next_row: int
    filled: int
    budget: int
    loads_changed: int


@dataclass(frozen=True)
class Model:
    """All parts of an FMU except its machine code and packaging."""

    name: str
    image: Image
    cells: Cells
    variables: tuple[Variable, ...]
    endings: tuple[Status, ...]
    facts: dict[str, str] = field(default_factory=dict)
    """Formulation, method and versions, for the description."""
    needs: str = ""
    """What the importing tool needs; empty if it needs nothing."""

    def __repr__(self) -> str:
        return f"<Model {self.name}: {self.contents}>"

    @property
    def contents(self) -> str:
        """Formulation, method and numbers of variables: "roller, verlet-beeman, 1 input, 12 outputs"."""
        kinds = [variable.causality for variable in self.variables]
        counted = (f"{kinds.count(kind)} {kind}{'s' * (kinds.count(kind) != 1)}" for kind in dict.fromkeys(kinds))
        made_with = (value for name, value in self.facts.items() if name in ("formulation", "method"))
        return ", ".join([*made_with, *counted])

    @property
    def identifier(self) -> str:
        """The name of the model as an identifier for files and C."""
        letters = "".join(c if c.isascii() and c.isalnum() else "_" for c in self.name)
        return letters if letters[:1].isalpha() else f"drive_{letters}"

    @property
    def digest(self) -> str:
        """Digest of everything that influences the results of the model. [32 hex digits]"""
        text = repr((self.name, self.cells, self.variables, self.facts, self.image.pointers.tolist()))
        return hashlib.sha256(text.encode() + self.image.content).hexdigest()[:32]

    @property
    def token(self) -> str:
        """GUID or instantiation token."""
        d = self.digest
        return f"{{{d[:8]}-{d[8:12]}-{d[12:16]}-{d[16:20]}-{d[20:]}}}"


def header(model: Model) -> str:
    """Return the text of ``model.h``, which the C sources in ``shell/`` include."""
    image, cells, variables = model.image, model.cells, model.variables
    followed = [(v, effect) for v, variable in enumerate(variables) for effect in variable.effects]
    effects = [(v, place, effect) for v, effect in followed for place in effect.places]
    courses = [(v, variable.course) for v, variable in enumerate(variables) if variable.course is not None]
    numbers = {
        "IMAGE_SIZE": len(image.content),
        "WORDS": image.words,
        "CONTROL": image.arguments[0],
        "PARAMETERS": image.arguments[1],
        "ASIDE": image.arguments[2],
        "POINTERS": image.pointers.size,
        **{name.upper(): offset for name, offset in cells._asdict().items()},
        "VARIABLES": len(variables),
        "EFFECTS": len(effects),
        "COURSES": len(courses),
        "ENDINGS": len(model.endings),
    }
    lines = ["/* Generated by chaindrive. */", "#include <math.h>", "#include <stdint.h>"]
    lines += [f'#define MODEL_TOKEN "{model.token}"', f"#define MODEL_DIGEST 0x{model.digest[:16]}ull"]
    lines += [f"#define MODEL_{name} ((int64_t){value})" for name, value in numbers.items()]
    lines += [
        "enum { OUTPUT, INPUT, PARAMETER };",
        "typedef struct { const char *name; int kind; int64_t offset; double initial, least, largest; } Variable;",
        "typedef struct { uint32_t variable; int64_t offset; double slope, base, power; } Effect;",
        "typedef struct { uint32_t variable; int64_t cell, kind, position, speed; } Course;",
        "typedef struct { int64_t code; const char *text; } Ending;",
        _table(
            "Variable model_variables",
            (
                f"{_text(each.name)}, {KINDS[each.causality]}, {each.offset}, {_real(each.initial)}, "
                f"{_real(each.least)}, {_real(each.largest)}"
                for each in variables
            ),
        ),
        _table(
            "Effect model_effects",
            (f"{v}, {place}, {_real(e.slope)}, {_real(e.base)}, {_real(e.power)}" for v, place, e in effects),
        ),
        _table("Course model_courses", (f"{v}, {', '.join(map(str, course))}" for v, course in courses)),
        _table("Ending model_endings", (f"{each.code}, {_text(_meaning_and_advice(each))}" for each in model.endings)),
        f"static const int64_t model_pointers[] = {{{_joined(map(str, image.pointers.tolist()))}}};",
        "extern const char model_image[];",
    ]
    return "\n".join(lines) + "\n"


def _meaning_and_advice(status: Status) -> str:
    return f"{status.meaning} {status.advice}".strip()


def _table(name: str, rows: Iterable[str]) -> str:
    """Return a constant array in C.

    C has no empty arrays, so an empty one contains a row that is never read.
    """
    body = "".join(f"    {{{row}}},\n" for row in rows) or "    {0},\n"
    return f"static const {name}[] = {{\n{body}}};"


def _joined(parts: Iterable[str]) -> str:
    """Return strings joined by commas, several on each line."""
    cells: Sequence[str] = list(parts)
    return ",\n".join(",".join(cells[k : k + 16]) for k in range(0, len(cells), 16))


def _real(value: float) -> str:
    if math.isinf(value):
        return "INFINITY" if value > 0.0 else "-INFINITY"
    return value.hex()


def _text(text: str) -> str:
    """Return a string literal in C."""
    escaped = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text.encode())
    return f'"{escaped}"'

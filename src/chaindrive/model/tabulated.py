"""Tables of points, given as lists or as a file with columns, whose content replaces the name of the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, NamedTuple, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from chaindrive.model.base import Model, Name, Quantity, Text
from chaindrive.model.files.columns import Column, Columns, read_columns, reader
from chaindrive.model.points import MOST_POINTS

__all__ = ["TIMES", "Source", "Tabulated", "Times", "skipped_rows", "sources_of"]

TIMES = "Increasing times since the start of the run."
Times = Annotated[
    tuple[Annotated[float, Quantity("s", least=0, most=1e6)], ...], Field(min_length=2, max_length=MOST_POINTS)
]
_SINGULAR = {"frequencies": "frequency"}


def _lists_or_file(schema: dict[str, Any], model: type[Tabulated]) -> None:
    required = schema.pop("required", ())
    lists = [name for name in (model.abscissae, *model.ordinates) if name in required]
    others = [name for name in required if name not in lists]
    schema["anyOf"] = [{"required": [*others, *lists]}, {"required": [*others, "file"]}]


class Tabulated(Model):
    """Values as a function of an increasing variable, which may come from a file."""

    model_config = ConfigDict(json_schema_extra=_lists_or_file)
    abscissae: ClassVar[str] = "times"
    """Name of the field with the increasing variable."""
    ordinates: ClassVar[tuple[str, ...]]
    """Names of the fields with the values."""
    from_the_first: ClassVar[bool] = False
    """Whether the first value of a file is subtracted from all values."""
    file: Name | None = Field(
        None,
        description="Instead of the lists: text file with columns, relative to the file of the drive, with a heading "
        "such as 'time [s]; lift [mm]'; its content becomes part of the drive.",
    )
    columns: dict[Name, Name] | None = Field(
        None,
        description="With file: the column of each list, such as { times = 't', angles = 'phi [deg]' }. Add a unit "
        "in brackets if the column has none. Without a heading, columns are named by their numbers, such as '1 "
        "[s]'. Default: the column with the name of the list ('angle' for angles), or else the first column for the "
        "variable and the only other column for the values.",
    )
    column: Name | None = Field(
        None, description="With file: name of the column with the values, if there are several."
    )
    source: Text | None = Field(
        None,
        description="Source of the values; for a file that was read: its name, columns, rows and the digest of its "
        "content.",
    )
    skipped: Text | None = Field(
        None, description="For a file that was read: which of its rows have no values, and the gap that they leave."
    )

    @model_validator(mode="before")
    @classmethod
    def _read(cls, given: Any) -> Any:
        """Replace the name of a file by its content and its digest."""
        if not isinstance(given, Mapping) or not isinstance(given.get("file"), str):
            return given
        lists = (cls.abscissae, *cls.ordinates)
        both = [name for name in lists if given.get(name) is not None]
        if both and given.get("source") is None:  # with a source they are those of a file read before
            raise ValueError(f"give either file, or {' and '.join(lists)}, not both: {', '.join(both)}")
        table = read_columns(given["file"])
        try:
            chosen = cls._chosen(table, given)
            read_by = [(*found, reader(found[1], cls._quantity(name))) for name, found in chosen.items()]
            values, skipped = table.numbers(read_by), table.skipped(read_by)
        except ValueError as error:
            raise ValueError(f"{table.path}: {error}") from None
        read = dict(zip(chosen, map(list, values), strict=True))
        if cls.from_the_first:
            read |= {name: [value - read[name][0] for value in read[name]] for name in cls.ordinates}
        gone = (*lists, "file", "column", "columns", "source", "skipped")
        rest = {name: value for name, value in given.items() if name not in gone}
        source = table.text([column for _, column in chosen.values()], len(values[0]))
        return {**rest, **read, "source": source} | ({"skipped": skipped} if skipped else {})

    @model_validator(mode="after")
    def _columns_of_a_file(self) -> Self:
        if self.file is None and (self.column is not None or self.columns is not None):
            raise ValueError("column and columns apply only with file: omit them")
        return self

    @classmethod
    def _chosen(cls, table: Columns, given: Mapping[str, Any]) -> dict[str, tuple[int, Column]]:
        """Return the index and heading of the column for each list, that of the variable first. Raises ValueError."""
        wanted = cls._wanted(given)
        first = _find(table, cls.abscissae, wanted)
        chosen = {cls.abscissae: first or (0, table.columns[0])}
        for name in cls.ordinates:
            if (found := _find(table, name, wanted)) is not None:
                chosen[name] = found
        left = [index for index in range(len(table.columns)) if index != chosen[cls.abscissae][0]]
        if not left:
            raise ValueError("has only one column: separate columns by commas, semicolons or tabs")
        names = ", ".join(table.columns[index].name for index in left)
        if len(chosen) == 1:
            if len(left) > 1:
                raise ValueError(f"has several columns of values: choose with the key column or columns from {names}")
            if len(cls.ordinates) > 1:
                called = " or ".join(map(_singular, cls.ordinates))
                raise ValueError(f"has no column called {called}; available: {names}")
            chosen[cls.ordinates[0]] = left[0], table.columns[left[0]]
        return chosen

    @classmethod
    def _quantity(cls, name: str) -> Quantity:
        """Return the quantity (unit and range) of a list."""
        return next(_quantities(cls.model_fields[name].annotation))

    @classmethod
    def _wanted(cls, given: Mapping[str, Any]) -> dict[str, str]:
        """Return the names of the columns given for the lists, by list. Raises ValueError."""
        columns, column = given.get("columns"), given.get("column")
        lists = (cls.abscissae, *cls.ordinates)
        names = {_singular(name): name for name in lists} | {name: name for name in lists}
        if columns is None:
            return {cls.ordinates[0]: column} if isinstance(column, str) and len(cls.ordinates) == 1 else {}
        if not isinstance(columns, Mapping) or not all(isinstance(each, str) for each in columns.values()):
            raise ValueError(f"columns must be a table of names, such as {{ {lists[0]} = 'a', {lists[1]} = 'b' }}")
        if unknown := [name for name in columns if name not in names]:
            raise ValueError(f"columns has no {unknown[0]!r}; its keys are {', '.join(lists)}")
        return {names[name]: each for name, each in columns.items()}


def _find(table: Columns, name: str, wanted: Mapping[str, str]) -> tuple[int, Column] | None:
    """Return the column for a list: the column given for it, or the one with the name of the list; None if there is
    none.
    """
    if name in wanted:
        return table.find_as(wanted[name])
    called = [k for k, each in enumerate(table.columns) if each.name.lower() in (name, _singular(name))]
    return (called[0], table.columns[called[0]]) if len(called) == 1 else None


def _singular(name: str) -> str:
    return _SINGULAR.get(name, name.removesuffix("s"))


def _quantities(annotation: Any) -> Iterator[Quantity]:
    """Yield the quantities in an annotation, at any depth."""
    if isinstance(annotation, Quantity):
        yield annotation
    for part in get_args(annotation):
        yield from _quantities(part)


class Source(NamedTuple):
    """The source of a table of a drive that was read from a file."""

    place: str
    text: str


def sources_of(part: Any) -> Iterator[Source]:
    """Yield the sources of the tables of a drive, or of a part of it, that were read from files, in the order of the
    drive.
    """
    for place, each in _parts(part):
        if isinstance(each, Tabulated) and each.source is not None:
            yield Source(place, each.source)


def skipped_rows(part: Any) -> tuple[str, ...]:
    """Return a warning for every table of a drive, or curve of a study, in whose file rows were skipped because they
    have no value.
    """
    return tuple(f"{place}: {each.skipped}" for place, each in _parts(part) if getattr(each, "skipped", None))


def _parts(part: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield all parts of a drive or study with their places, in the order of the file."""
    if isinstance(part, BaseModel):
        yield place, part
        for name in type(part).model_fields:
            yield from _parts(getattr(part, name), f"{place}.{name}" if place else name)
    elif isinstance(part, tuple):
        for index, each in enumerate(part):
            if isinstance(each, BaseModel):
                yield from _parts(each, f"{place}[{index}]")

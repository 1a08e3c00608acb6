"""Conversion of arguments of public functions, such as paths, times with units and spans by name. All errors are
reported at once.
"""

from __future__ import annotations

import functools
import inspect
import math
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from chaindrive.errors import InputError, Problem
from chaindrive.model.problems import nearest_of, shown
from chaindrive.units import to_si

__all__ = ["converting_arguments", "names_of", "path_of", "times"]

P = ParamSpec("P")
T = TypeVar("T")


def converting_arguments(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function whose first argument is a result, so that the others are converted to the types it expects.

    Arguments are recognised by their names: times (start, stop, time, duration) in seconds or as a string with a unit;
    numbers of links and rollers; spans and wheels by number or name; all others are numbers or strings. None means
    the default. Raises InputError listing every invalid argument.
    """
    signature = inspect.signature(function)
    subject = next(iter(signature.parameters))

    @functools.wraps(function)
    def asked(*arguments: P.args, **named: P.kwargs) -> T:
        bound = signature.bind(*arguments, **named)
        given = {name: value for name, value in bound.arguments.items() if name != subject}
        for name, value in _read(given, bound.arguments[subject]).items():
            default = signature.parameters[name].default
            bound.arguments[name] = default if value is None and default is not inspect.Parameter.empty else value
        return function(*bound.args, **bound.kwargs)

    return asked


def names_of(given: Collection[str] | str, place: str, wanted: str) -> list[str]:
    """Return names as a list; a string is one name. Raises InputError for anything else.

    place: name of the argument; wanted: what the list contains, such as "names of channels".
    """
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, Collection) or not all(isinstance(name, str) for name in names):
        raise InputError(Problem(place, f"must be a list of {wanted}", shown(given)))
    return list(names)


def path_of(given: str | os.PathLike[str], place: str, wanted: str) -> Path:
    """Return a path. Raises InputError for anything else, such as a number or bytes.

    place: name of the argument; wanted: what is expected at the path, such as "a results file such as run.nc".
    """
    if not isinstance(given, str | os.PathLike):
        raise InputError(Problem(place, f"must be the path of {wanted}", shown(given)))
    return Path(given)


def times(**named: float | str | None) -> tuple[float | None, ...]:
    """Return the times given as keyword arguments, in the same order [s]. Raises InputError listing all arguments that
    are not times.
    """
    return tuple(_read(named, None).values())


def _read(given: Mapping[str, Any], result: Any) -> dict[str, Any]:
    """Return the converted arguments by name; None stays None. Raises InputError listing all invalid arguments."""
    found, problems = dict(given), []
    for name, value in given.items():
        if value is None or name not in _READERS:
            continue
        try:
            found[name] = _READERS[name](value, result)
        except ValueError as error:
            problems.append(Problem(name, str(error), shown(value)))
    if problems:
        raise InputError(problems)
    return found


def _time(value: Any, _: Any) -> float:
    return to_si(value.item() if getattr(value, "ndim", None) == 0 else value, "s")  # of numpy and xarray


def _whole(value: Any, _: Any) -> int:
    text = value.strip() if isinstance(value, str) else ""
    if text.isdecimal():
        return int(text)
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ValueError("must be a whole number")
    return int(value)


def _count(value: Any, result: Any) -> int:
    if (number := _whole(value, result)) < 1:
        raise ValueError("must be a whole number above zero")
    return number


def _positive(value: Any, _: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real) or not 0.0 < float(value) < math.inf:
        raise ValueError("must be a number above zero")
    return float(value)


def _word(value: Any, _: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("must be a string")
    return value


def _number_or_name(value: Any, result: Any) -> int | str:
    return value if isinstance(value, str) else _whole(value, result)


def _span(value: Any, result: Any) -> int:
    names: Sequence[str] = getattr(getattr(result, "drive", result), "span_names", ())
    if isinstance(value, str) and value in names:
        return names.index(value)
    if isinstance(value, str) and not value.strip().isdecimal():
        raise ValueError(f"there is no span with this name{nearest_of(value, names)}")
    return _whole(value, result)


_READERS: dict[str, Callable[[Any, Any], Any]] = {
    **dict.fromkeys(("start", "stop", "time", "duration"), _time),
    **dict.fromkeys(("link", "roller"), _whole),
    **dict.fromkeys(("index", "wheel", "reference"), _number_or_name),
    **dict.fromkeys(("channel", "curve", "window", "axis", "scaling"), _word),
    "columns": _count,
    "highest": _positive,
    "span": _span,
}
"""Conversion functions, by the names of the arguments. Each takes the argument and the result."""

"""Quantities with units, which are converted to SI units once, when they enter the package.

A quantity is a number (in SI units already) or a string such as ``"88.9 mm"``, ``"815 MN/m"``, ``"120 rpm"`` or
``"1 GN/m^1.5"``. Text is parsed with a small grammar (a number, then unit names with powers, ``*``, ``/`` and
parentheses); it is never evaluated as code. Names of units come from a table; a name that is not in the table is
looked up in pint, one bare name at a time. Only then is pint imported.

Angles are a separate dimension, so that a frequency in Hz is not mistaken for an angular speed in rad/s.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import cache, lru_cache
from numbers import Real
from typing import Any, NamedTuple

__all__ = ["Unit", "check_unit", "factor_of", "in_unit", "kind_of", "parse_unit", "to_si"]

LONGEST_TEXT = 80
"""Largest number of characters of a quantity; longer text is rejected without being parsed."""
LARGEST_POWER = 9
DEEPEST_PARENTHESES = 8


class Dimension(NamedTuple):
    """Powers of length, mass, time and angle."""

    length: Fraction = Fraction(0)
    mass: Fraction = Fraction(0)
    time: Fraction = Fraction(0)
    angle: Fraction = Fraction(0)


class Unit(NamedTuple):
    """A unit: its factor to SI, and its dimension."""

    factor: float
    dimension: Dimension

    def times(self, other: Unit, sign: int = 1) -> Unit:
        """Product with ``other`` (sign = 1) or quotient (sign = -1)."""
        dimension = Dimension(*(a + sign * b for a, b in zip(self.dimension, other.dimension, strict=True)))
        factor = self.factor * other.factor if sign > 0 else self.factor / other.factor
        return Unit(factor, dimension)

    def power(self, exponent: Fraction) -> Unit:
        """The unit to a power."""
        dimension = Dimension(*(part * exponent for part in self.dimension))
        # A whole power of an exact factor such as 1000 stays exact.
        whole = exponent.denominator == 1
        return Unit(self.factor ** (int(exponent) if whole else float(exponent)), dimension)


ONE = Unit(1.0, Dimension())


def _unit(factor: float, length: int = 0, mass: int = 0, time: int = 0, angle: int = 0) -> Unit:
    return Unit(factor, Dimension(Fraction(length), Fraction(mass), Fraction(time), Fraction(angle)))


_INCH = 0.0254
_POUND = 0.45359237
_GRAVITY = 9.80665
_PREFIXED: dict[str, Unit] = {
    "m": _unit(1.0, length=1),
    "g": _unit(1e-3, mass=1),
    "s": _unit(1.0, time=1),
    "N": _unit(1.0, 1, 1, -2),
    "Nm": _unit(1.0, 2, 1, -2),
    "Pa": _unit(1.0, -1, 1, -2),
    "bar": _unit(1e5, -1, 1, -2),
    "Hz": _unit(1.0, time=-1),
    "J": _unit(1.0, 2, 1, -2),
    "W": _unit(1.0, 2, 1, -3),
    "rad": _unit(1.0, angle=1),
}
_PREFIXES = {"G": 1e9, "M": 1e6, "k": 1e3, "d": 1e-1, "c": 1e-2, "m": 1e-3, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "n": 1e-9}
_NAMED: dict[str, Unit] = {
    "kg": _unit(1.0, mass=1),
    "t": _unit(1e3, mass=1),
    "lb": _unit(_POUND, mass=1),
    "in": _unit(_INCH, length=1),
    "inch": _unit(_INCH, length=1),
    "ft": _unit(12 * _INCH, length=1),
    "lbf": _unit(_POUND * _GRAVITY, 1, 1, -2),
    '"': _unit(_INCH, length=1),
    "'": _unit(12 * _INCH, length=1),
    "kgf": _unit(_GRAVITY, 1, 1, -2),
    "kp": _unit(_GRAVITY, 1, 1, -2),
    "PS": _unit(75 * _GRAVITY, 2, 1, -3),
    "min": _unit(60.0, time=1),
    "h": _unit(3600.0, time=1),
    "deg": _unit(math.pi / 180, angle=1),
    "°": _unit(math.pi / 180, angle=1),
    "rev": _unit(2 * math.pi, angle=1),
    "turn": _unit(2 * math.pi, angle=1),
    "r": _unit(2 * math.pi, angle=1),
    "U": _unit(2 * math.pi, angle=1),
    "tr": _unit(2 * math.pi, angle=1),
    "rpm": _unit(2 * math.pi / 60, time=-1, angle=1),
    "Upm": _unit(2 * math.pi / 60, time=-1, angle=1),
    "Nms": _unit(1.0, 2, 1, -1),
    "%": _unit(0.01),
}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_TEXT = re.compile(r"\s*(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(?P<unit>.*?)\s*", re.DOTALL)
_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z°µμΩ_%]+|[\"'])|(?P<power>\*\*|\^)\s*(?P<exponent>[+-]?[\d.]+|\([+-]?[\d.]+\))"
    r"|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)|(?P<one>1)(?=\s*/)|(?P<sign>[*·⋅×/()]|(?<=[A-Za-z])[-.](?=[A-Za-z])))"
)
_PER_MINUTE = re.compile(
    r"\(?1?\s*/\s*min\)?|min\s*(\^|\*\*)?\s*(-1|\(-1\))|min⁻¹|rpm|r\.\s?p\.\s?m\.?|(rev|rot|rotations|revolutions)\.?\s*/\s*min\.?",
    re.IGNORECASE,
)
"""Units of rotational speed: revolutions per minute (ISO 80000-3, 3-17). A frequency in Hz or 1/s is not a rotational
speed."""
_FOOT_POUND = re.compile(r"\b(in|ft)-lbs?\b|\blbs?-(in|ft)\b")
"""Pattern of a torque unit such as ft-lb, in which the pound is a force."""
_POUND_FEET = re.compile(
    r"(in|inch|ft|foot|feet)[\s*·.-]?(?:lbs?|pounds?)|(?:lbs?|pounds?)[\s*·.-]?(in|inch|ft|foot|feet)"
)
"""Units of a torque in pounds times feet or inches; used only if a torque is required."""
_FEET_AND_INCHES = re.compile(
    r"""\s*(?P<sign>[+-]?)\s*
    (?:(?P<feet>\d+(?:\.\d*)?)\s*(?:'|ft\b|foot\b|feet\b)[\s,-]*)?
    (?:(?P<inches>\d+(?:\.\d*)?|\.\d+)|(?:(?P<whole>\d+)[\s-]+)?(?P<part>\d+)\s*/\s*(?P<of>[1-9]\d*))
    \s*(?:"|''|in\b|inch(?:es)?\b)\s*""",
    re.VERBOSE,
)
"""Pattern of a length in feet and inches, or with a fraction of an inch: 5 ft 3 in, 5' 3-1/2", 3/8 in."""


class _Kind(NamedTuple):
    name: str
    example: str


_KINDS: dict[str, _Kind] = {
    "": _Kind("a plain number", "0.1"),
    "m": _Kind("a length", "88.9 mm"),
    "m^2": _Kind("an area", "1 m^2"),
    "kg": _Kind("a mass", "3.01 kg"),
    "kg/m": _Kind("a mass per length", "0.69 kg/m"),
    "s": _Kind("a time", "2 s"),
    "Hz": _Kind("a frequency", "1 kHz"),
    "rad": _Kind("an angle", "30 deg"),
    "rad/s": _Kind("an angular speed", "120 rpm"),
    "rad/s^2": _Kind("an angular acceleration", "4 rad/s^2"),
    "m/s": _Kind("a speed", "0.1 m/s"),
    "m/s^2": _Kind("an acceleration", "9.81 m/s^2"),
    "N": _Kind("a force", "21 kN"),
    "N/m": _Kind("a stiffness", "815 MN/m"),
    "N/m^1.5": _Kind("a contact stiffness with exponent 1.5", "1 GN/m^1.5"),
    "N*s/m": _Kind("a damping coefficient", "20 kN*s/m"),
    "kg*m^2": _Kind("a moment of inertia", "435 kg*m^2"),
    "N*m": _Kind("a torque", "50 N*m"),
    "N*m*s/rad": _Kind("a rotational damping coefficient", "0.5 N*m*s/rad"),
    "N*m/rad": _Kind("a rotational stiffness", "100 N*m/rad"),
    "Pa": _Kind("a pressure", "206 GPa"),
    "W": _Kind("a power", "5 kW"),
}


def to_si(value: object, unit: str) -> float:
    """Convert a quantity to a number in ``unit``.

    value: a real number, which is taken as it is, or a string "<number> <unit>"; a string without a unit is treated as
    a number. unit: the required SI unit, such as "m", "N*m*s/rad" or "N/m^1.5".

    Returns a finite float. Raises ValueError with a message for the user if the unit is unknown, if the dimension is
    wrong, or if the value is not-a-number, infinite, true or false, or anything else that is not a quantity.
    """
    if isinstance(value, str):
        return _from_text(value, unit)
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"must be {_wanted(unit)}, not {_described(value)}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError("is too large") from None
    return _finite(number)


def factor_of(unit: str, quantity: str) -> float:
    """Return the factor from a unit, as users write it, to the SI unit of a quantity: 2 pi / 60 from "1/min" to
    "rad/s", but 1/60 to "Hz".

    Raises ValueError, with a message for the user, if the unit is unknown or of another kind.
    """
    return to_si(f"1 {unit}", quantity)


def in_unit(text: str, unit: str) -> float:
    """Return the number of a quantity given as text in a unit that the user chose: 300 for "300 rpm" in "1/min".

    Raises ValueError, with a message for the user, if the text is not a quantity of this kind.
    """
    for quantity in ("rad/s", "N*m"):
        try:
            return to_si(text, quantity) / factor_of(unit, quantity)
        except ValueError:
            continue
    return to_si(text, unit) / parse_unit(unit).factor


def check_unit(text: str) -> None:
    """Raise ValueError, with a message for the user, if the text is not a unit of any quantity."""
    if not (_PER_MINUTE.fullmatch(text) or _POUND_FEET.fullmatch(text)):
        parse_unit(text)


def kind_of(unit: str) -> str:
    """Return the name of the quantity with this unit, with an article: "a length" for "m"; "a quantity in ..." for a
    rare unit.
    """
    dimension = parse_unit(unit).dimension
    kind = _kinds().get(dimension)
    if kind is None and not dimension.angle:
        kind = _kinds().get(dimension._replace(angle=Fraction(-1)))
    return kind.name if kind else f"a quantity in {unit}"


@lru_cache(maxsize=1024)
def parse_unit(text: str, quantity: str = "") -> Unit:
    """Read a unit such as "MN/m" or "kg*m^2". Raises ValueError if it is unknown or malformed.

    quantity: SI unit of the quantity, on which the meaning of a unit that a user wrote may depend: "1/min" is a
    frequency, but revolutions per minute for "rad/s".
    """
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"is longer than the {LONGEST_TEXT} characters that a quantity may have")
    if not text.strip():
        return ONE
    text = _spelled(text, quantity) if quantity else text
    text = _FOOT_POUND.sub(lambda found: f"{found[1] or found[2]} lbf", text)
    tokens = _tokens(text)
    try:
        unit, rest = _product(tokens, 0, text, 0)
    except (OverflowError, ZeroDivisionError):
        raise ValueError(f"the unit {text!r} is out of range") from None
    if rest != len(tokens):
        raise ValueError(f"the unit {text!r} has an extra ')'")
    return unit


@lru_cache(maxsize=4096)  # an editor parses the same few hundred texts again for every position of a dragged part
def _from_text(text: str, unit: str) -> float:
    if len(text) > LONGEST_TEXT:
        raise ValueError(f"is longer than the {LONGEST_TEXT} characters that a quantity may have")
    if unit == "m" and (length := _feet_and_inches(text)) is not None:
        return length
    match = _TEXT.fullmatch(text)
    if match is None:
        if text.strip().lower().lstrip("+-") in {"nan", "inf", "infinity"}:
            raise ValueError("must be a finite number")
        raise ValueError(f"{text!r} is not a quantity: give a number, a space and a unit, {_such_as(unit)}")
    if not match["unit"]:
        return _finite(float(match["number"]))
    if match["unit"].startswith(","):
        raise ValueError(f"{text!r} has a comma: write decimals with a point, {_such_as(unit)}")
    given = parse_unit(match["unit"], unit)
    _check_dimension(text, given.dimension, unit)
    return _finite(_scaled(match["number"], given.factor))


def _spelled(given: str, wanted: str) -> str:
    """Rewrite a unit whose meaning depends on the required quantity in the spelling that the parser expects; return any
    other unit unchanged.
    """
    dimension = parse_unit(wanted).dimension
    if dimension == parse_unit("rad/s").dimension and _PER_MINUTE.fullmatch(given):
        return "rpm"
    if dimension == parse_unit("N*m").dimension and (torque := _POUND_FEET.fullmatch(given)):
        return f"lbf {torque[1] or torque[2]}"
    return given


def _feet_and_inches(text: str) -> float | None:
    """Return a length given in feet and inches, or with a fraction of an inch [m]; None for any other text."""
    found = _FEET_AND_INCHES.fullmatch(text)
    if found is None or not (found["feet"] or found["part"]):
        return None
    inches = 12 * Fraction(found["feet"] or 0) + Fraction(found["inches"] or found["whole"] or 0)
    if found["part"]:
        inches += Fraction(int(found["part"]), int(found["of"]))
    return float(inches * Fraction("0.0254")) * (-1.0 if found["sign"] == "-" else 1.0)


def _scaled(digits: str, factor: float) -> float:
    """Return the number times the factor. For a decimal fraction such as milli a decimal division is used, so that
    53.98 mm is 0.05398 m and not 0.053979999999999996.
    """
    if 0 < factor < 1:
        whole = round(1 / factor)
        if 1 / whole == factor:
            return float(Decimal(digits) / whole)
    return float(digits) * factor


def _check_dimension(text: str, given: Dimension, unit: str) -> None:
    wanted = parse_unit(unit).dimension
    # "N*m*s" for "N*m*s/rad" is common and unambiguous; "Hz" for "rad/s" is not: angles in the numerator must be named.
    if given == wanted or (wanted.angle < 0 and given._replace(angle=wanted.angle) == wanted and not given.angle):
        return
    found = _kinds().get(given) or _kinds().get(given._replace(angle=Fraction(-1)))
    what = f"is {found.name}" if found else "has another dimension"
    raise ValueError(f"{text!r} {what}; give {_wanted(unit)}")


def _product(tokens: list[re.Match[str]], start: int, text: str, depth: int) -> tuple[Unit, int]:
    """Read factors joined by '*', '/' or a space, from left to right, from ``start`` to a ')' or to the end."""
    if depth > DEEPEST_PARENTHESES:
        raise ValueError(f"the unit {text!r} has too many parentheses")
    unit, sign, expecting, index = ONE, 1, True, start
    while index < len(tokens):
        token = tokens[index]
        mark = token["sign"]
        if mark == ")" and depth:
            break
        if mark in {"*", "·", "⋅", "×", "-", ".", "/"}:
            if expecting:
                raise ValueError(f"the unit {text!r} has a {mark!r} in the wrong place")
            sign, expecting = (-1 if mark == "/" else 1), True
            index += 1
            continue
        if mark == "(":
            factor, index = _product(tokens, index + 1, text, depth + 1)
            if index == len(tokens):
                raise ValueError(f"the unit {text!r} has a '(' without ')'")
        elif token["name"]:
            factor = _named(token["name"])
        elif token["one"]:
            factor = ONE
        else:
            raise ValueError(f"the unit {text!r} cannot be read; write it like 'N*m*s/rad' or 'kg*m^2'")
        index += 1
        if index < len(tokens) and (tokens[index]["power"] or tokens[index]["raised"]):
            factor = factor.power(_exponent(tokens[index], text))
            index += 1
        unit, sign, expecting = unit.times(factor, sign), 1, False
    if expecting:
        raise ValueError(f"the unit {text!r} cannot be read; write it like 'N*m*s/rad' or 'kg*m^2'")
    return unit, index


def _exponent(token: re.Match[str], text: str) -> Fraction:
    digits = (token["raised"] or token["exponent"]).strip("()").translate(_SUPERSCRIPTS)
    try:
        exponent = Fraction(digits) if len(digits) <= 8 else Fraction(LARGEST_POWER + 1)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"the unit {text!r} has a power that is not a number") from None
    if abs(exponent) > LARGEST_POWER:
        raise ValueError(f"the unit {text!r} has a power beyond {LARGEST_POWER}")
    return exponent


def _tokens(text: str) -> list[re.Match[str]]:
    tokens, position = [], 0
    stripped = text.rstrip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            raise ValueError(f"the unit {text!r} cannot be read at {stripped[position:][:10]!r}")
        tokens.append(match)
        position = match.end()
    return tokens


@lru_cache(maxsize=1024)
def _named(name: str) -> Unit:
    """Return the unit with one bare name: from the table, otherwise with a metric prefix, otherwise from pint."""
    if name in _NAMED:
        return _NAMED[name]
    if name in _PREFIXED:
        return _PREFIXED[name]
    if name[0] in _PREFIXES and name[1:] in _PREFIXED:
        prefix, base = _PREFIXES[name[0]], _PREFIXED[name[1:]]
        return Unit(prefix * base.factor, base.dimension)
    return _from_pint(name)


def _from_pint(name: str) -> Unit:
    if len(name) > 30:
        raise ValueError(f"unknown unit {name[:30]!r}...")
    registry = _registry()
    try:
        factor, base = registry(name)
    except Exception:  # pint raises many kinds of errors for names that it cannot interpret
        known = [*_NAMED, *_PREFIXED, "mm", "kN", "MN", "ms", "kHz"]
        near = [other for other in known if other.lower() == name.lower()] or get_close_matches(name, known, 3, 0.4)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        raise ValueError(f"unknown unit {name!r}{hint}") from None
    places = {"meter": "length", "kilogram": "mass", "second": "time", "radian": "angle"}
    powers: dict[str, Fraction] = {}
    for part, power in base.items():
        if part not in places:
            raise ValueError(f"the unit {name!r} is a {part} unit, which no quantity of a drive has")
        powers[places[part]] = Fraction(power).limit_denominator(100)
    return Unit(float(factor), Dimension(**powers))


@cache
def _registry() -> Callable[[str], tuple[float, dict[str, float]]]:
    """Return the registry of pint as a function that returns the factor and the powers of base units for one name."""
    import pint

    registry: Any = pint.UnitRegistry()

    def look_up(name: str) -> tuple[float, dict[str, float]]:
        # get_base_units treats the name as a name only: nothing is parsed that could be an expression.
        factor, base = registry.get_base_units(name)
        return float(factor), {str(part): float(power) for part, power in base._units.items()}

    return look_up


@cache
def _kinds() -> dict[Dimension, _Kind]:
    return {parse_unit(unit).dimension: kind for unit, kind in _KINDS.items()}


def _wanted(unit: str) -> str:
    return f"{kind_of(unit)} {_such_as(unit)}"


def _such_as(unit: str) -> str:
    kind = _kinds().get(parse_unit(unit).dimension)
    example = kind.example if kind else f"1 {unit}"
    return f"such as {example!r}" if unit else f"such as {example}"


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise ValueError("must be a finite number")
    return number


def _described(value: object) -> str:
    if isinstance(value, bool):
        return "true or false"
    if value is None:
        return "nothing"
    names = {list: "a list", tuple: "a list", dict: "a table", complex: "a complex number"}
    return names.get(type(value), f"a {type(value).__name__}")

"""Arithmetic expressions with the columns of a study's table. They are parsed, never executed as code.

``"largest link force"`` is a column. In an expression, columns are written in quotes and combined with numbers, + - * /
**, min, max and abs: ``"'largest link force' + 0.2 * 'mean power'"``. A name of letters, digits and _ needs no quotes
there.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from chaindrive.model.problems import nearest

__all__ = ["Comparison", "Expression", "comparison", "expression"]

LONGEST = 1000
"""Largest number of characters of an expression."""
DEEPEST = 50
"""Greatest depth to which parentheses and operations may be nested."""

_BINARY: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: math.pow(a, b),
}
_FUNCTIONS: dict[str, Callable[..., float]] = {"min": min, "max": max, "abs": abs}
_ALLOWED = "names of columns in quotes, numbers, + - * / **, parentheses, min(), max() and abs()"


class Expression(NamedTuple):
    """An expression that consists only of numbers, columns and arithmetic."""

    text: str
    columns: tuple[str, ...]
    """Names of the columns in the expression, each once, in order of appearance."""
    tree: ast.expr

    def value(self, row: Mapping[str, float]) -> float:
        """Return the value of the expression for these values of the columns; nan if it has none, such as 1/0."""
        try:
            found = _value(self.tree, row)
        except (ZeroDivisionError, OverflowError, ValueError):
            return math.nan
        return found if math.isfinite(found) else math.nan


class Comparison(NamedTuple):
    """``expression <= number`` or ``expression >= number``."""

    text: str
    left: Expression
    sign: float
    """Sense of the comparison: +1 for <=, -1 for >=."""
    bound: float

    def excess(self, row: Mapping[str, float]) -> float:
        """Return the amount by which the bound is violated, 0 if it is met; nan if the expression has no value."""
        value = self.left.value(row)
        return math.nan if math.isnan(value) else max(self.sign * (value - self.bound), 0.0)


def expression(text: str, names: Collection[str]) -> Expression:
    """Parse an expression. names: the existing columns.

    Raises ValueError, with a message for the user, for an unknown column and for anything other than plain arithmetic.
    """
    wanted = text.strip()
    if wanted in names:
        return Expression(wanted, (wanted,), ast.Constant(wanted))
    tree = _parsed(wanted)
    return _checked(wanted, tree, names)


def comparison(text: str, names: Collection[str]) -> Comparison:
    """Read ``expression <= number`` or ``expression >= number``. Raises ValueError as :func:`expression` does."""
    wanted = text.strip()
    for sign, separator in ((1.0, "<="), (-1.0, ">=")):
        name, found, number = wanted.rpartition(separator)
        if found and name.strip() in names:  # a column without its quotes
            return Comparison(wanted, expression(name, names), sign, _number(_parsed(number.strip()), names))
    tree = _parsed(wanted)
    if not (isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], (ast.LtE, ast.GtE))):
        raise ValueError("must be like \"'lowest tension' >= 50\": a column or an expression, <= or >=, and a number")
    left = _checked("", tree.left, names)  # before it is written out: a deep tree cannot be
    left = left._replace(text=ast.unparse(tree.left))
    sign = 1.0 if isinstance(tree.ops[0], ast.LtE) else -1.0
    return Comparison(wanted, left, sign, _number(tree.comparators[0], names))


def _parsed(text: str) -> ast.expr:
    if len(text) > LONGEST:
        raise ValueError(f"has {len(text)} characters, but an expression may have at most {LONGEST}")
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"cannot be read as an expression, which may contain {_ALLOWED}") from None


def _number(tree: ast.expr, names: Collection[str]) -> float:
    """Return the value of a constant expression."""
    checked = _checked("", tree, names)
    if checked.columns:
        column = repr(checked.columns[0])
        raise ValueError(
            f"has the column {column} after <= or >=, where a number is required: subtract this column on the "
            "left-hand side"
        )
    found = checked.value({})
    if math.isnan(found):
        raise ValueError("the number after <= or >= has no value")
    return found


def _checked(text: str, tree: ast.expr, names: Collection[str]) -> Expression:
    found: list[str] = []
    _check(tree, names, found, 0)
    return Expression(text, tuple(dict.fromkeys(found)), tree)


def _check(node: ast.AST, names: Collection[str], found: list[str], depth: int) -> None:
    """Refuse anything other than plain arithmetic, and collect the names of columns."""
    if depth > DEEPEST:
        raise ValueError(f"has more than {DEEPEST} levels of nested operations")
    if isinstance(node, ast.Constant) and not isinstance(node.value, bool):
        if isinstance(node.value, str):
            _known(node.value, names, found)
            return
        if isinstance(node.value, (int, float)) and _fits(node.value):
            return
    elif isinstance(node, ast.Name):
        _known(node.id, names, found)
        return
    elif isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
        _check(node.left, names, found, depth + 1)
        _check(node.right, names, found, depth + 1)
        return
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        _check(node.operand, names, found, depth + 1)
        return
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FUNCTIONS:
        count = len(node.args)
        if node.keywords or not count or (node.func.id == "abs") != (count == 1):
            raise ValueError(f"{node.func.id}() takes {'one value' if node.func.id == 'abs' else 'two or more values'}")
        for argument in node.args:
            _check(argument, names, found, depth + 1)
        return
    raise ValueError(f"{_shown(node)} is not allowed here: an expression may contain {_ALLOWED}")


def _fits(number: float) -> bool:
    try:
        return math.isfinite(float(number))
    except OverflowError:
        return False


def _known(name: str, names: Collection[str], found: list[str]) -> None:
    if name not in names:
        there = ", ".join(repr(each) for each in names)
        hint = nearest(name, names) or "."
        raise ValueError(f"{name[:100]!r} is not a column of this study{hint} Available: {there or 'none'}")
    found.append(name)


def _shown(node: ast.AST) -> str:
    try:
        text = ast.unparse(node)
    except (ValueError, RecursionError):
        text = type(node).__name__
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _value(node: Any, row: Mapping[str, float]) -> float:
    """Return the value of a checked syntax tree. All numbers are floats, so that no integer can grow without bound."""
    if isinstance(node, ast.Constant):
        constant: Any = node.value
        return row[constant] if isinstance(constant, str) else float(constant)
    if isinstance(node, ast.Name):
        return row[node.id]
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)](_value(node.left, row), _value(node.right, row))
    if isinstance(node, ast.UnaryOp):
        value = _value(node.operand, row)
        return -value if isinstance(node.op, ast.USub) else value
    values = [_value(argument, row) for argument in node.args]
    if any(math.isnan(value) for value in values):  # which min and max would lose
        return math.nan
    return _FUNCTIONS[node.func.id](*values)

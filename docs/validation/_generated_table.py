"""Tables of measurements on generated drives, in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from _generated import CLASSES
from _generated_measure import AGREED

from chaindrive.results.audit import LOSS_ACCURACY

Row = dict[str, Any]
WORST = 10
QUICK = 10.0
"""CPU time within which an equilibrium should be found. [s]"""
BALANCED = 1e-4
"""Residual divided by the energy exchanged that is permitted without a warning. [-]"""
REPEATED = 2.0
"""Factor on the difference between two runs of one method; a difference between methods up to this is not significant.
[-]
"""
GOOD = {"rest": ("found",), "run": ("REACHED_END",), "methods": ("compared",)}


def line(row: Row) -> str:
    """A measurement as a line of text."""
    return f"{row['name']:22}  {row['outcome']:12} {_seconds(row):>7}  {reason(row)}"


def reason(row: Row) -> str:
    """A short description of what went wrong; empty if nothing did."""
    if row["outcome"] == "capped":
        return f"reached {1e3 * row['reached']:.3g} of {1e3 * row['until']:.3g} ms"
    if row["part"] == "methods" and row["outcome"] == "compared":
        name = worst(row)
        own = f", of one method by {_owns(row)}" if row["own"] else ""
        return f"{verdict(row)}: {name} differs by {_percent(row['differences'][name])}{own}"
    said = [row["error"]] if row.get("error") else list(row.get("warnings", ()))
    if row["outcome"] == "ended early":
        said = [f"{method}: {ending}" for method, ending in row["endings"].items()] + said
    elif row["part"] == "run" and row["outcome"] not in GOOD["run"] and "reached" in row:
        said = [f"after {1e3 * row['reached']:.3g} of {1e3 * row['until']:.3g} ms", *said]
    return " ".join("; ".join(said).split())[:240]


def verdict(row: Row) -> str:
    """Result of the comparison for a drive.

    It is "agree", "warned", "not repeatable" (there is no warning, but all quantities that differ by more than
    ``AGREED`` differ by at most ``REPEATED`` times the difference between two runs of one method, see ``_own``), or
    otherwise "silent".
    """
    if max(row["differences"].values()) <= AGREED:
        return "agree"
    if row["says_so"]:
        return "warned"
    return "silent" if _beyond(row) else "not repeatable"


def _beyond(row: Row) -> list[str]:
    """Quantities that differ by more than the limit and by more than repeated runs differ."""
    return [name for name, share in row["differences"].items() if share > max(AGREED, REPEATED * _own(row, name))]


def _own(row: Row, name: str) -> float:
    """Difference between two runs of one method, for the method with the larger difference; 0 for a repeatable drive.
    [-]

    A drive is repeatable if no two runs of Dormand-Prince differ by more than ``AGREED``. Only this method is used
    here, because its error is controlled: if results of Verlet depend on the step, the step is too long. All spans
    count together, because it is also random which of them is hit.
    """
    of_reference = row["own"].get("dormand-prince", {})
    if not max(of_reference.values(), default=0.0) > AGREED:
        return 0.0
    return max(_of_group(of_method, name) for of_method in row["own"].values())


def _of_group(differences: Mapping[str, float], name: str) -> float:
    """The largest difference of this quantity in all spans."""
    return max(float(share) for other, share in differences.items() if _group(other) == _group(name))


def _group(name: str) -> str:
    """The name of the quantity without its span."""
    return name.split(" of span")[0]


def worst(row: Row) -> str:
    """The quantity with the largest significant difference."""
    differences = row["differences"]
    return max(_beyond(row) or differences, key=lambda name: float(differences[name]))


def worst_difference(row: Row) -> float:
    """Largest relative difference between the two methods that is significant. [-]"""
    return float(row["differences"][worst(row)])


def of_part(part: str, rows: Sequence[Row]) -> str:
    """All tables of a part."""
    return _PARTS[part](rows)


def _by_class(head: Sequence[str], rows: Sequence[Row], numbers: Callable[[Sequence[Row]], list[str]]) -> str:
    """A table with a row for every class and one for all classes."""
    groups = {kind: [row for row in rows if row["kind"] == kind] for kind in CLASSES}
    lines = [[kind, str(len(group)), *numbers(group)] for kind, group in groups.items() if group]
    return table(["class", "drives", *head], [*lines, ["**all**", str(len(rows)), *numbers(rows)]])


# ---- the search for the start


def _rest(rows: Sequence[Row]) -> str:
    head = ["found", f"within {QUICK:g} s", "median CPU [s]", "90th [s]", "largest [s]"]
    worst = sorted(rows, key=lambda row: (row["outcome"] == "found", -_cpu(row)))[:WORST]
    lines = [
        [row["name"], row["features"], row["outcome"], _seconds(row), _number(row.get("residual")), _left(row),
         reason(row) or "–"] for row in worst
    ]  # fmt: skip
    columns = ["drive", "what it is", "outcome", "CPU [s]", "residual [N]", "of the tension", "reason"]
    return f"{_by_class(head, rows, _rest_numbers)}\n\nThe worst {len(lines)}:\n\n{table(columns, lines)}"


def _rest_numbers(rows: Sequence[Row]) -> list[str]:
    found = [row for row in rows if row["outcome"] == "found"]
    quick = sum(_cpu(row) <= QUICK for row in found)
    return [_share(len(found), rows), _share(quick, rows), *_times(rows)]


def _left(row: Row) -> str:
    """Largest residual force divided by the largest span tension, from an independent evaluation."""
    tensions = [abs(tension) for tension in row.get("tensions", ()) if tension is not None]
    if row.get("left") is None or not tensions or max(tensions) == 0.0:
        return "–"
    return f"{row['left'] / max(tensions):.1e}"


# ---- runs


def _run(rows: Sequence[Row]) -> str:
    head = [
        "reached the end", "other ending", "capped", "no run", f"balance below {BALANCED:g}", "above, with a warning",
        "above, without", "median balance", "largest", "median CPU [s]", "90th [s]", "largest [s]",
    ]  # fmt: skip
    worst = sorted(rows, key=lambda row: (-_silent(row), row["outcome"] in GOOD["run"], -_unaccounted(row)))[:WORST]
    lines = [
        [row["name"], row["features"], row["outcome"], _number(row.get("unaccounted")), _seconds(row),
         reason(row) or "–"] for row in worst
    ]  # fmt: skip
    columns = ["drive", "what it is", "outcome", "energy residual", "CPU [s]", "messages"]
    return f"{_by_class(head, rows, _run_numbers)}\n\nThe worst {len(lines)}:\n\n{table(columns, lines)}"


def _run_numbers(rows: Sequence[Row]) -> list[str]:
    balances = [row["unaccounted"] for row in rows if row.get("unaccounted") is not None]
    judged = [row for row in rows if "unaccounted" in row]
    counts = [sum(row["outcome"] == "REACHED_END" for row in rows)]
    counts += [sum(row["outcome"] not in ("REACHED_END", "capped") for row in judged)]
    counts += [sum(row["outcome"] == "capped" for row in rows), len(rows) - len(judged)]
    counts += [sum(_unaccounted(row) <= BALANCED for row in judged)]
    counts += [sum(_unaccounted(row) > BALANCED and row["says_so"] for row in judged)]
    counts += [sum(_silent(row) for row in judged)]
    spread = [_number(float(np.median(balances))), _number(max(balances))] if balances else ["–", "–"]
    return [*map(str, counts), *spread, *_times(rows)]


def _unaccounted(row: Row) -> float:
    """Residual of the energy balance divided by the energy exchanged; infinite if it is not a number. [-]"""
    found = row.get("unaccounted")
    return np.inf if found is None else float(found)


def _silent(row: Row) -> bool:
    """Whether the energy balance fails without a warning."""
    return "unaccounted" in row and _unaccounted(row) > BALANCED and not row["says_so"]


# ---- methods


VERDICTS = {"silent": 0, "warned": 1, "not repeatable": 2, "agree": 3}


def _methods(rows: Sequence[Row]) -> str:
    head = [
        "compared", f"within {100 * AGREED:g} %", "not repeatable", "beyond, with a warning", "beyond, without",
        "within, with a warning", "of these, unfounded", "median of repeatable drives", "largest",
    ]  # fmt: skip
    compared = [row for row in rows if row["outcome"] == "compared"]
    listed = sorted(compared, key=lambda row: (VERDICTS[verdict(row)], -worst_difference(row)))
    listed = listed[: max(WORST, sum(verdict(row) != "agree" for row in listed))]
    lines = [
        [row["name"], row["features"], verdict(row), worst(row), _percent(worst_difference(row)),
         _owns(row), _pair(row["unaccounted"]), "; ".join(row["warnings"])[:160] or "–"] for row in listed
    ]  # fmt: skip
    columns = ["drive", "what it is", "verdict", "what differs most", "by", "runs of one method", "energy residual",
               "warnings"]  # fmt: skip
    missing = [[row["name"], row["features"], row["outcome"], reason(row)] for row in rows if row not in compared]
    parts = [
        _by_class(head, rows, _method_numbers),
        f"The following are the worst {len(lines)} drives and all that exceed the limit:",
        table(columns, lines),
    ]
    if missing:
        parts += ["Not compared:", table(["drive", "what it is", "outcome", "reason"], missing)]
    repeatable = [row for row in compared if verdict(row) != "not repeatable"]
    return "\n\n".join(
        [*parts, "The table gives the differences by quantity, for all repeatable drives:", _by_quantity(repeatable)]
    )


def _owns(row: Row) -> str:
    """Text with the difference between the runs of each method in the quantity that differs most between the
    methods.
    """
    return ", ".join(f"{_percent(_of_group(own, worst(row)))} {method}" for method, own in row["own"].items()) or "–"


def founded(row: Row) -> bool:
    """Whether one of the losses that a method reports as inaccurate differs from that of the other method by more than
    the limit.
    """
    one, other = (row["losses"][method] for method in ("dormand-prince", "verlet"))
    doubted = {name for names in row["doubted"].values() for name in names}
    return any(abs(one[name] - other[name]) > LOSS_ACCURACY * max(abs(one[name]), abs(other[name])) for name in doubted)


def _method_numbers(rows: Sequence[Row]) -> list[str]:
    compared = [row for row in rows if row["outcome"] == "compared"]
    verdicts = [verdict(row) for row in compared]
    counts = [len(compared), *(verdicts.count(word) for word in ("agree", "not repeatable", "warned", "silent"))]
    within = [row for row in compared if row["says_so"] and verdict(row) == "agree"]
    counts += [len(within), sum(not founded(row) for row in within)]
    differences = [worst_difference(row) for row in compared if verdict(row) != "not repeatable"]
    spread = [_percent(float(np.median(differences))), _percent(max(differences))] if differences else ["–", "–"]
    return [*map(str, counts), *spread]


def _by_quantity(rows: Sequence[Row]) -> str:
    """Table of the differences in tensions, tooth forces and each loss, with the number of drives in which they exceed
    the limit.
    """
    found: dict[str, list[float]] = {}
    for row in rows:
        largest: dict[str, float] = {}
        for name, share in row["differences"].items():
            group = _group(name)
            largest[group] = max(largest.get(group, 0.0), share)
        for group, share in largest.items():
            found.setdefault(group, []).append(share)
    lines = [
        [name, str(len(shares)), str(sum(share > AGREED for share in shares)), _percent(float(np.median(shares))),
         _percent(max(shares))] for name, shares in found.items()
    ]  # fmt: skip
    return table(["quantity", "drives", f"beyond {100 * AGREED:g} %", "median", "largest"], lines)


def _pair(by_method: Mapping[str, float | None]) -> str:
    return ", ".join(f"{_number(value)} {method}" for method, value in by_method.items())


# ---- cells


def _cpu(row: Row) -> float:
    """CPU time of a drive, or the limit that it exceeded. [s]"""
    return float(row.get("cpu", row["limit"]))


def _times(rows: Sequence[Row]) -> list[str]:
    cpu = np.array([_cpu(row) for row in rows])
    return [f"{np.median(cpu):.2f}", f"{np.quantile(cpu, 0.9):.2f}", f"{cpu.max():.2f}"]


def _seconds(row: Row) -> str:
    return f"{row['cpu']:.2f}" if "cpu" in row else f"> {row['limit']:g}"


def _share(count: int, rows: Sequence[Row]) -> str:
    return f"{count} ({100.0 * count / len(rows):.1f} %)"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2g}"


def _percent(share: float) -> str:
    return f"{100.0 * share:.2g} %"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table with right-aligned numbers."""
    aligned = "|:--|" + "--:|" * (len(head) - 1)
    lines = ["| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |" for cells in (head, *rows)]
    return "\n".join([lines[0], aligned, *lines[1:]])


_PARTS: dict[str, Callable[[Sequence[Row]], str]] = {"rest": _rest, "run": _run, "methods": _methods}

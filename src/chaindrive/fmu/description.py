"""The file ``modelDescription.xml`` of FMI 2.0 and 3.0 for co-simulation."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from chaindrive.fmu.model import Model, Variable
from chaindrive.version import __version__

__all__ = ["description"]


class DisplayUnit(NamedTuple):
    """A unit in which a quantity can be displayed: value = factor x quantity in SI units."""

    name: str
    factor: float


BASE = {
    "N": {"kg": 1, "m": 1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    "Pa": {"kg": 1, "m": -1, "s": -2},
    "m": {"m": 1},
    "s": {"s": 1},
    "kg": {"kg": 1},
    "rad": {"rad": 1},
    "K": {"K": 1},
}
"""Powers of the base units of the interface in the units of channels and keys."""
SHOWN = {
    "m": (DisplayUnit("mm", 1e3),),
    "N": (DisplayUnit("kN", 1e-3),),
    "N.m": (DisplayUnit("kN.m", 1e-3),),
    "rad": (DisplayUnit("deg", 180.0 / math.pi),),
    "rad/s": (DisplayUnit("rpm", 30.0 / math.pi),),
    "Pa": (DisplayUnit("bar", 1e-5),),
    "W": (DisplayUnit("kW", 1e-3),),
    "J": (DisplayUnit("kJ", 1e-3),),
}
CATEGORIES = {
    "logStatusWarning": "warnings",
    "logStatusDiscard": "why a run ended early",
    "logStatusError": "calls that are not allowed, and failures",
}


def description(model: Model, version: str, step: float, stop: float) -> str:
    """Return the description of a model.

    version: "2.0" or "3.0"; step, stop: step and end of the default experiment [s].
    """
    return _two(model, step, stop) if version == "2.0" else _three(model, step, stop)


def _head(model: Model, version: str) -> dict[str, str]:
    structured = all(each.name.isascii() for each in model.variables)  # a structured name has no other characters
    facts = "; ".join(f"{name} {value}" for name, value in model.facts.items())
    needs = f" (needs {model.needs})" if model.needs else ""
    return {
        "fmiVersion": version,
        "modelName": model.name,
        "description": f"Chain drive simulated by chaindrive {__version__}{needs}: {facts}",
        "generationTool": f"chaindrive {__version__}{needs}",
        "variableNamingConvention": "structured" if structured else "flat",
    }


def _two(model: Model, step: float, stop: float) -> str:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<fmiModelDescription{_attributes(_head(model, '2.0') | {'guid': model.token})}>",
        "  <CoSimulation"
        + _attributes(
            {
                "modelIdentifier": model.identifier,
                "needsExecutionTool": "true" if model.needs else "",
                "canHandleVariableCommunicationStepSize": "true",
                "canNotUseMemoryManagementFunctions": "true",
                "canGetAndSetFMUstate": "true",
                "canSerializeFMUstate": "true",
            }
        )
        + "/>",
        *_units(model.variables),
        *_categories(),
        f"  <DefaultExperiment{_attributes({'startTime': '0', 'stopTime': _real(stop), 'stepSize': _real(step)})}/>",
        "  <ModelVariables>",
    ]
    for v, each in enumerate(model.variables):
        initial = {"parameter": "exact", "output": "calculated", "input": ""}[each.causality]
        lines += [
            f"    <ScalarVariable{_attributes(_named(each, v) | {'initial': initial})}>",
            f"      <Real{_attributes(_typed(each) | _start(each))}/>",
            "    </ScalarVariable>",
        ]
    lines += ["  </ModelVariables>", "  <ModelStructure>"]
    outputs = [
        f'      <Unknown index="{v + 1}"/>' for v, each in enumerate(model.variables) if each.causality == "output"
    ]
    for name in ("Outputs", "InitialUnknowns") if outputs else ():
        lines += [f"    <{name}>", *outputs, f"    </{name}>"]
    return "\n".join([*lines, "  </ModelStructure>", "</fmiModelDescription>", ""])


def _three(model: Model, step: float, stop: float) -> str:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<fmiModelDescription{_attributes(_head(model, '3.0') | {'instantiationToken': model.token})}>",
        "  <CoSimulation"
        + _attributes(
            {
                "modelIdentifier": model.identifier,
                "needsExecutionTool": "true" if model.needs else "",
                "canHandleVariableCommunicationStepSize": "true",
                "canGetAndSetFMUState": "true",
                "canSerializeFMUState": "true",
                "canReturnEarlyAfterIntermediateUpdate": "false",
            }
        )
        + "/>",
        *_units(model.variables),
        *_categories(),
        f"  <DefaultExperiment{_attributes({'startTime': '0', 'stopTime': _real(stop), 'stepSize': _real(step)})}/>",
        "  <ModelVariables>",
        f'    <Float64 name="time" valueReference="{len(model.variables)}" causality="independent" '
        'variability="continuous" unit="s" description="simulated time"/>',
    ]
    for v, each in enumerate(model.variables):
        initial = {"initial": "calculated"} if each.causality == "output" else {}
        lines.append(f"    <Float64{_attributes(_named(each, v) | initial | _typed(each) | _start(each))}/>")
    lines += ["  </ModelVariables>", "  <ModelStructure>"]
    outputs = [v for v, each in enumerate(model.variables) if each.causality == "output"]
    lines += [f'    <{name} valueReference="{v}"/>' for name in ("Output", "InitialUnknown") for v in outputs]
    return "\n".join([*lines, "  </ModelStructure>", "</fmiModelDescription>", ""])


def _named(variable: Variable, reference: int) -> dict[str, str]:
    varies = "fixed" if variable.causality == "parameter" else "continuous"
    return {
        "name": variable.name,
        "valueReference": str(reference),
        "description": variable.description,
        "causality": variable.causality,
        "variability": varies,
    }


def _start(variable: Variable) -> dict[str, str]:
    return {} if variable.causality == "output" else {"start": _real(variable.initial)}


def _typed(variable: Variable) -> dict[str, str]:
    """Return the unit, the display unit and the limits of a variable."""
    found = {} if variable.unit == "1" else {"unit": _spelled(variable.unit)}
    if shown := SHOWN.get(_spelled(variable.unit)):
        found["displayUnit"] = shown[0].name
    limits = {"min": variable.least, "max": variable.largest}
    return found | {name: _real(value) for name, value in limits.items() if math.isfinite(value)}


def _units(variables: Iterable[Variable]) -> list[str]:
    used = sorted({_spelled(each.unit) for each in variables} | {"s"})
    lines = ["  <UnitDefinitions>"]
    for unit in used:
        if unit == "1":
            continue
        lines.append(f"    <Unit{_attributes({'name': unit})}>")
        if (powers := _powers(unit)) is not None:
            lines.append(f"      <BaseUnit{_attributes({name: str(power) for name, power in powers.items()})}/>")
            lines += [
                f"      <DisplayUnit{_attributes({'name': each.name, 'factor': _real(each.factor)})}/>"
                for each in SHOWN.get(unit, ())
            ]
        lines.append("    </Unit>")
    return [*lines, "  </UnitDefinitions>"]


def _spelled(unit: str) -> str:
    """Return a unit in the spelling of the interface: "N.m.s/rad"."""
    return unit.replace(" ", ".").replace("*", ".")


def _powers(unit: str) -> dict[str, int] | None:
    """Return the powers of the base units in a unit in the spelling of the interface; None if the unit is not made of
    them or a power is not a whole number.
    """
    found: dict[str, int] = {}
    for sign, name, power in re.findall(r"([/.]?)([A-Za-z]+)(?:\^(-?\d+(?:\.\d+)?))?", unit):
        if name not in BASE or "." in power:
            return None
        for base, exponent in BASE[name].items():
            found[base] = found.get(base, 0) + exponent * int(power or 1) * (-1 if sign == "/" else 1)
    return {base: exponent for base, exponent in found.items() if exponent}


def _categories() -> list[str]:
    rows = [f"    <Category{_attributes({'name': name, 'description': text})}/>" for name, text in CATEGORIES.items()]
    return ["  <LogCategories>", *rows, "  </LogCategories>"]


def _real(value: float) -> str:
    return repr(float(value))


def _attributes(values: dict[str, str]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items() if value != "")

"""Cases of validation pages, in particular those of the page about the marine drives."""

from __future__ import annotations

from typing import Any, NamedTuple

from chaindrive.formulations.planar.parameters import (
    WORKS,
)
from chaindrive.model import Drive, example, override
from chaindrive.physics.contact_laws import CONTACT_LAWS

L60, S90 = "6l60mc", "6s90mc-c"
CIRCULAR = {f"wheels.{wheel}.tooth": {"form": "circular"} for wheel in range(4)}
NO_CLEARANCE = {f"wheels.{wheel}.tooth": {"form": "circular", "clearance": 0.0} for wheel in range(4)}
TIGHTENER = {L60: (0.3366, 3.0944), S90: (0.333199, 4.748179)}
DISSIPATIVE = tuple(law for law in CONTACT_LAWS if law not in ("hertz", "kelvin-voigt"))
"""Laws that can lose energy with an exponent of 1.5."""
ROUNDED_TIGHTENER = (0.333, 4.748)
"""Centre of the tightener in Table 5.5 of the thesis. [m]"""


SPANS = ("span_tension", "span_displacement")
"""Channels of the spans, of which a row has only a few numbers."""
AUDIT = (*(f"work_{name}" for name in WORKS), "energy_kinetic", "energy_elastic", "energy_gravity", "energy_residual")


class Case(NamedTuple):
    """One run."""

    key: str
    drive: str
    """Name of the example."""
    changes: dict[str, Any]
    """Differences from the example, in the form for ``chaindrive.model.override``."""
    begin: float
    """Start of the time window for statistics. [s]"""
    until: float
    """End of the run. [s]"""
    words: str = ""
    """Description of the case, for tables."""
    method: str = "verlet"
    start: str = "at_speed"
    rate: float = 1000.0
    keep: tuple[str, ...] = SPANS + AUDIT
    """Channels to keep."""
    tolerance: float = 1.0
    """Factor on the tolerances of the solver."""
    solver: tuple[tuple[str, Any], ...] = ()
    """Other options of the solver."""

    @property
    def model(self) -> Drive:
        """The drive of this case."""
        return override(example(self.drive), self.changes)


def _moved(drive: str, up: float) -> dict[str, Any]:
    x, y = TIGHTENER[drive]
    return {"wheels.2.position": [x, y + up]}


def _stiffness(value: float, exponent: float = 1.5) -> dict[str, Any]:
    return {"contact.stiffness": value, "contact.exponent": exponent}


def main_cases() -> list[Case]:
    """Cases of the drives of the thesis, with several kinds of start and with both integrators."""
    cases = []
    for name, changes in (("real", {}), ("circular", CIRCULAR)):
        words = f"6L60MC, {name} tooth"
        cases += [
            Case(f"l60-{name}", L60, changes, 20.0, 60.0, words),
            Case(f"l60-{name}-at-rest", L60, changes, 20.0, 60.0, f"{words}, start at rest", start="at_rest"),
            Case(f"l60-{name}-dormand-prince", L60, changes, 20.0, 40.0, f"{words}, Dormand-Prince",
                 method="dormand-prince"),
        ]  # fmt: skip
    for key, friction, joint, words in (
        ("gate", 0.1, 0.5, "friction 0.1, joint damping 0.5 N m s"),
        ("joint-5", 0.1, 5.0, "friction 0.1, joint damping 5 N m s"),
        ("friction", 0.1, 0.0, "friction 0.1 alone"),
        ("bare", 0.0, 0.0, "neither friction nor joint damping"),
        ("joint", 0.0, 0.5, "joint damping 0.5 N m s alone"),
    ):
        changes = {"contact.friction": friction, "chain.joint_damping": joint}
        cases.append(Case(f"s90-{key}", S90, changes, 12.0, 32.0, words))
    cases.append(Case("s90-gate-dormand-prince", S90, {}, 12.0, 32.0, "the same, Dormand-Prince",
                      method="dormand-prince"))  # fmt: skip
    cases.append(Case("s90-gate-long", S90, {}, 80.0, 100.0, "the same, long after the start"))
    cases.append(Case("s90-gate-at-rest", S90, {}, 12.0, 32.0, "the same, start at rest", start="at_rest"))
    return cases


def law_cases() -> list[Case]:
    """Cases with every contact law, with stored impact speeds and with a single reference speed, for both drives."""
    cases = []
    for law in CONTACT_LAWS:
        if law == "kelvin-voigt":
            continue  # a linear spring and damper: there is none with exponent 1.5
        for memory in ("stored", "reference"):
            if memory == "reference" and law == "hertz":
                continue  # has no impact speed
            changes = {
                "run.formulation.contact_law": law,
                "run.formulation.impact_memory": memory,
                "contact.restitution": 0.5,  # some laws have no meaning at 0
            }
            cases.append(Case(f"l60-{law}-{memory}", L60, changes, 20.0, 40.0, f"{law}, {memory}"))
            cases.append(Case(f"s90-{law}-{memory}", S90, changes, 8.0, 20.0, f"{law}, {memory}"))
    return cases


def open_cases() -> list[Case]:
    """Cases in which the parameters that the thesis leaves open are changed one at a time."""
    table: list[tuple[str, str, dict[str, Any]]] = []
    for drive in (L60, S90):
        key = "l60" if drive == L60 else "s90"
        for giga in (0.3, 1.75, 3.0, 10.0):
            table.append((f"{key}-stiffness-{giga:g}", f"contact stiffness {giga:g}e9 N/m^1.5", _stiffness(giga * 1e9)))
        table.append((f"{key}-exponent-10/9", "contact exponent 10/9, 1e9 N/m^(10/9)", _stiffness(1e9, 10.0 / 9.0)))
        table.append((f"{key}-exponent-1", "contact exponent 1, 1e9 N/m", _stiffness(1e9, 1.0)))
        linear = _stiffness(1e9, 1.0) | {"run.formulation.contact_law": "kelvin-voigt", "contact.restitution": 0.5}
        table.append((f"{key}-kelvin-voigt", "Kelvin-Voigt law, exponent 1, 1e9 N/m, restitution 0.5", linear))
        for restitution in (0.5, 0.8, 0.9):
            words = f"restitution {restitution:g}"
            table.append((f"{key}-restitution-{restitution:g}", words, {"contact.restitution": restitution}))
    for up in (-0.5e-3, 0.5e-3):
        table.append((f"l60-tightener{up * 1e3:+g}", f"tightener {up * 1e3:+g} mm upwards", _moved(L60, up)))
    for up in (-0.2e-3, 0.2e-3):
        table.append((f"s90-tightener{up * 1e3:+g}", f"tightener {up * 1e3:+g} mm upwards", _moved(S90, up)))
    rounded = {"wheels.2.position": list(ROUNDED_TIGHTENER)}
    table += [
        ("s90-rounded", "tightener rounded as in Table 5.5", rounded),
        ("s90-friction-speed", "friction smoothed over 10 mm/s instead of 1 mm/s",
         {"run.formulation.friction_sharpness": 0.1}),
        ("s90-link-damping", "link damping 10 times larger", {"chain.link_damping": 2e5}),
        ("l60-friction", "friction 0.1", {"contact.friction": 0.1}),
        ("l60-joint-0.5", "joint damping 0.5 N m s", {"chain.joint_damping": 0.5}),
        ("l60-joint-5", "joint damping 5 N m s", {"chain.joint_damping": 5.0}),
        ("l60-link-damping", "link damping 10 times larger", {"chain.link_damping": 2500.0}),
        ("l60-no-clearance", "circular tooth without clearance", NO_CLEARANCE),
    ]  # fmt: skip
    cases = []
    for key, words, changes in table:
        drive, begin, until = (L60, 20.0, 40.0) if key.startswith("l60") else (S90, 8.0, 20.0)
        # Verlet is not made for a link that is damped beyond its critical damping.
        method = "dormand-prince" if key == "s90-link-damping" else "verlet"
        cases.append(Case(key, drive, changes, begin, until, words, method=method))
    return cases

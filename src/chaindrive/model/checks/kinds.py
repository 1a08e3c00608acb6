"""Cross-checks of the kind of a chain and of the wheels on which it can run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from chaindrive.errors import Problem

if TYPE_CHECKING:
    from chaindrive.model.checks.parts import Parts

__all__ = ["on_teeth", "rocker_pins"]


def on_teeth(parts: Parts) -> Iterator[Problem]:
    """Refuse a leaf chain on sprockets in any formulation, as there is no room for teeth between its plates."""
    chain = parts.chain
    if chain is None or chain.kind != "leaf":
        return
    toothed = [repr(wheel.name) for _, wheel in parts.present_wheels() if wheel.tooth.form != "smooth"]
    if toothed:
        message = (
            "is a leaf chain, made of plates on pins, without rollers and without room for teeth. It runs over "
            f"smooth sheaves: give tooth = {{ form = 'smooth' }} for {', '.join(toothed)} (formulations roller and "
            "link); for sprockets use a roller or bush chain, such as '08B-1'"
        )
        yield Problem("chain.standard" if chain.standard else "chain.kind", message, repr(chain.standard or chain.kind))


def rocker_pins(parts: Parts) -> Iterator[Problem]:
    """Refuse the chain of a CVT, or its pins and plates, in a drive without sheaves."""
    chain = parts.chain
    if chain is None:
        return
    if chain.kind == "rocker-pin":
        message = "runs between conical sheaves, not on wheels: give two [[sheaves]], or use a different chain"
        yield Problem("chain.kind", message, "'rocker-pin'")
        return
    for name in ("pins", "plates"):
        if getattr(chain, name) is not None:
            yield Problem(f"chain.{name}", "are for kind = 'rocker-pin': omit them")
    if chain.pitches is not None:
        message = "are for kind = 'rocker-pin': omit them; for other chains, give elongation, one for each link"
        yield Problem("chain.pitches", message, f"{len(chain.pitches)} values")
    if chain.link_inertia is not None:
        message = "is for kind = 'rocker-pin': omit it; for others, give inner_link.inertia and outer_link.inertia"
        yield Problem("chain.link_inertia", message, f"{chain.link_inertia:g}")

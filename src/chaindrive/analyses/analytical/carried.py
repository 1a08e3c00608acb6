"""Masses that a chain carries: goods on a span, and attachments on its links."""

from __future__ import annotations

from chaindrive.formulations.planar.payload import MOST, PITCHES
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, Payload, payload_text

__all__ = ["carried_mass", "carried_text", "goods_text"]


def carried_mass(drive: Drive, payload: Payload) -> float:
    """Mass of the goods of a payload that its span carries on the mean. [kg]

    Goods come on and leave over the transition, in which half of them is on the chain.
    """
    pitch, length = drive.chain.pitch, float(drive_facts(drive).route.span_length[payload.span])
    loaded = (length if payload.end is None else payload.end) - payload.start
    transition = payload.transition or min(PITCHES * pitch, MOST * loaded)
    of_link = 0.0 if payload.mass is None else payload.mass / (payload.every * pitch)
    return (payload.mass_per_length or of_link) * (loaded - transition)


def goods_text(drive: Drive, payload: Payload) -> str:
    """The goods of a payload, their position and the mass that the span carries, in words."""
    return f"{payload_text(payload, drive.span_names[payload.span])}, {carried_mass(drive, payload):.4g} kg on the mean"


def carried_text(drive: Drive) -> str:
    """All that the chain carries beside its own mass, in words; empty for a chain that carries nothing."""
    chain = drive.chain
    goods = [f"{each.name} {carried_mass(drive, each):.4g} kg on the mean" for each in drive.payloads]
    attached = sum(chain.attached_masses)
    goods += [f"attachments {attached:.4g} kg"] if attached else []
    return f"{', '.join(goods)}; the chain itself {chain.links * chain.link_mass:.4g} kg" if goods else ""

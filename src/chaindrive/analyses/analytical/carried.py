"""Masses that a chain carries: goods on a span, and attachments on its links."""

from __future__ import annotations

import numpy as np

from chaindrive.formulations.planar.payload import MOST, PITCHES
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, Payload, payload_text

__all__ = ["carried_mass", "carried_text", "goods_between", "goods_per_length", "goods_text"]


def carried_mass(drive: Drive, payload: Payload) -> float:
    """Return the average mass of the goods of a payload on its span. [kg]

    Goods arrive on the chain and leave it gradually along a transition length, where on average half of them rest on
    the chain.
    """
    start, end, transition = _loaded(drive, payload)
    return goods_per_length(drive, payload) * (end - start - transition)


def goods_per_length(drive: Drive, payload: Payload) -> float:
    """Return the mean mass of goods per length of chain, outside the transitions at both ends. [kg/m]"""
    return payload.mass_per_length or (payload.mass or 0.0) / (payload.every * drive.chain.pitch)


def goods_between(drive: Drive, payload: Payload, begin: float, end: float) -> float:
    """Return the average mass of the goods between two distances from the start of the span [m]. [kg]"""
    start, stop, transition = _loaded(drive, payload)
    knots = np.array([start, start + transition, stop - transition, stop])
    edges = np.unique(np.clip([begin, end, *knots], begin, end))
    share = np.interp(edges, knots, [0.0, 1.0, 1.0, 0.0], left=0.0, right=0.0)  # linear: half of it on average
    return goods_per_length(drive, payload) * float(np.sum(0.5 * (share[1:] + share[:-1]) * np.diff(edges)))


def _loaded(drive: Drive, payload: Payload) -> tuple[float, float, float]:
    """Return the distances from the start of the span at which goods arrive and leave, and the length of the
    transition. [m]
    """
    length = float(drive_facts(drive).route.span_length[payload.span])
    end = length if payload.end is None else payload.end
    return payload.start, end, payload.transition or min(PITCHES * drive.chain.pitch, MOST * (end - payload.start))


def goods_text(drive: Drive, payload: Payload) -> str:
    """Return a description of the goods of a payload, with their position and the mass that the span carries."""
    return f"{payload_text(payload, drive.span_names[payload.span])}, {carried_mass(drive, payload):.4g} kg on average"


def carried_text(drive: Drive) -> str:
    """Return a description of the goods and attachments that the chain carries; empty if it carries nothing."""
    chain = drive.chain
    goods = [f"{each.name} {carried_mass(drive, each):.4g} kg on average" for each in drive.payloads]
    attached = sum(chain.attached_masses)
    goods += [f"attachments {attached:.4g} kg"] if attached else []
    return f"{', '.join(goods)}; the chain itself {chain.links * chain.link_mass:.4g} kg" if goods else ""

"""Masses that a chain carries, goods on a span and attachments on its links, and the pull that goods need."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.formulations.planar.payload import MOST, PITCHES
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import Drive, Payload, payload_text

__all__ = [
    "GoodsPull",
    "carried_mass",
    "carried_text",
    "goods_between",
    "goods_per_length",
    "goods_pull",
    "goods_text",
    "mass_per_length",
    "span_mass_per_length",
]

FloatArray = NDArray[np.float64]


class GoodsPull(NamedTuple):
    """Pull that all goods on a chain need, at a constant speed. [N]"""

    trough: float
    """Friction of goods that are dragged in a trough."""
    lift: float
    """Weight of the goods along the chain."""
    feed: float
    """Pull that gives arriving goods the speed of the chain."""


def mass_per_length(drive: Drive) -> float:
    """Return the mean mass of a chain per length, with its attachments and without goods. [kg/m]"""
    chain = drive.chain
    return (chain.link_mass + sum(chain.attached_masses) / chain.links) / chain.pitch


def span_mass_per_length(drive: Drive) -> FloatArray:
    """Return the mean mass per length of the chain in each span, with attachments and goods, (spans,). [kg/m]"""
    length = drive_facts(drive).route.span_length
    mass = np.full(len(length), mass_per_length(drive))
    for payload in drive.payloads:
        mass[payload.span] += carried_mass(drive, payload) / length[payload.span]
    return mass


def goods_pull(drive: Drive, speed: float) -> GoodsPull:
    """Return the pull that the goods of a drive need at a chain speed [m/s]; the feed is nan if the speed is nan.

    Source: mechanics (weight, Coulomb friction due to the weight, momentum of the goods that are fed).
    """
    facts = drive_facts(drive)
    trough = lift = feed = 0.0
    for payload in drive.payloads:
        mass = carried_mass(drive, payload)
        ux, uy = facts.direction * facts.route.span_direction[payload.span]
        gx, gy = drive.gravity if payload.gravity is None else payload.gravity
        lift -= mass * float(gx * ux + gy * uy)
        trough += payload.resistance * mass * float(abs(gx * uy - gy * ux))
        feed += goods_per_length(drive, payload) * speed * (speed - facts.direction * payload.feed_speed)
    return GoodsPull(trough, lift, feed)


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

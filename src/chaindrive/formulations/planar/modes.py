"""Participation of the parts of a drive in its modes: shares of spans, wheels and bodies in the kinetic energy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from chaindrive.contract.modes import ModeShares
from chaindrive.elementary import arctan2
from chaindrive.formulations.planar.parameters import FloatArray
from chaindrive.geometry.route import Route
from chaindrive.mechanism.description import joint_names
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import initial_configuration
from chaindrive.model import Drive

__all__ = ["mode_shares"]


def mode_shares(drive: Drive, links: int, state: FloatArray, shape: FloatArray, energy: FloatArray) -> ModeShares:
    """Return the shares of the parts in the modes about ``state`` (Modes.shares); shape and energy have shape (M, n_v).

    links: number of links or rollers, and so of their coordinates of one kind. They are assigned to the nearest part of
    the drawn route; with coaxial wheels, whose strands hang beside each other, to the part in which they were placed.
    In a span, motion along and transverse to the span counts separately, computed from the motion in x and y; in a
    hanging loop, motion perpendicular to gravity and along it.
    """
    facts, spans = drive_facts(drive), len(drive.span_names)
    moving, axles = list(joint_names(drive)), len(set(facts.axles))
    own = shape.shape[1] - axles - len(moving)
    path = facts.route
    place = _nearest(path, state[: 2 * links].reshape(2, links).T)
    if path.one_centre.any():
        placed = initial_configuration(drive)
        place = np.where(placed.seat_wheel < 0, placed.roller_span, spans + placed.seat_wheel)[:links]
    moved = np.moveaxis(shape[:, : 2 * links].reshape(-1, 2, links), 1, 2)
    on_links = energy[:, :own].reshape(-1, own // links, links).sum(axis=1)
    names: list[str] = []
    kinds: list[str] = []
    shares: list[FloatArray] = []
    for k in range(spans):
        here, whole = moved[:, place == k], on_links[:, place == k]
        along = (here @ path.span_direction[k]) ** 2
        across = (here @ np.array([-path.span_direction[k, 1], path.span_direction[k, 0]])) ** 2
        part = np.divide(along, along + across, out=np.zeros_like(along), where=along + across > 0.0)
        ways = ("perpendicular to gravity", "along gravity") if k == path.loop else ("longitudinal", "transverse")
        names += [f"{drive.span_names[k]} {way}" for way in ways]
        kinds += ["span", "span"]
        shares += [(part * whole).sum(axis=1), ((1.0 - part) * whole).sum(axis=1)]
    for w, wheel in enumerate(drive.wheels):
        names.append(wheel.name)
        kinds.append("wheel")
        turning = energy[:, own + facts.axles[w]] if facts.leaders[w] == w else 0.0  # of all wheels of a shaft
        shares.append(on_links[:, place == spans + w].sum(axis=1) + turning)
    names += moving
    kinds += ["joint"] * len(moving)
    shares += list(energy[:, own + axles :].T)
    share = np.stack(shares, axis=1)
    return ModeShares(tuple(names), share / share.sum(axis=1, keepdims=True), tuple(kinds))


def _nearest(path: Route, points: FloatArray) -> NDArray[np.int64]:
    """Return the part whose line is nearest to each point, (points,): span k, or the number of spans + wheel."""
    distances = []
    for start, direction, length in zip(path.span_start, path.span_direction, path.span_length, strict=True):
        along = (points - start) @ direction
        foot = start + np.clip(along, 0.0, length)[:, None] * direction
        distances.append(np.hypot(*(points - foot).T))
    for w, (centre, radius) in enumerate(zip(path.centres, path.radii, strict=True)):
        seen = arctan2(*(points - centre).T[::-1])
        turned = np.mod(path.signs[w] * (seen - path.arrival_angle[w]), 2.0 * np.pi)
        off = np.abs(np.hypot(*(points - centre).T) - radius)
        distances.append(np.where(turned <= path.wrap[w], off, np.inf))
    return np.argmin(np.stack(distances), axis=0)

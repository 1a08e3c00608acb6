"""Payload: goods carried by links while the links are between two points of a span.

A roller (or link) i at a distance s after the beginning of the span and n to its side carries m_i = share_i w(s) b(n).
Here w rises from 0 to 1 over the transition after the start and falls over the transition before the end, and b falls
where the chain is far to the side of the span. The roller is a body of variable mass (Meshchersky 1897; Irschik & Holl
2004, Eq. 5.17):

    (m + m_i) a = F + m_i g + dm_i/dt (u - v)    where goods arrive at the velocity u, dm_i/dt > 0,
    (m + m_i) a = F + m_i g                      where they leave at the velocity v of the link.

Arriving goods bring m' u^2/2 and lose m' (u - v)^2/2 in sliding until they move with the link. Leaving goods carry away
m' v^2/2 and their potential energy. All of this is included in the energy balance. Height is measured from the start of
the goods.

Goods that are dragged rub along the span with elastic friction (physics/elastic_friction.py). On arrival they slide;
from the first accepted state on they have an anchor.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from chaindrive.errors import InputError, Problem
from chaindrive.formulations.planar import parameters as P
from chaindrive.formulations.planar.parameters import PlanarParameters
from chaindrive.formulations.planar.tables import Payloads, PayloadsNow
from chaindrive.geometry.route import Route
from chaindrive.kernels import kernel
from chaindrive.kernels.tables import blank
from chaindrive.physics.elastic_friction import held_force
from chaindrive.physics.friction import regularised_sign

if TYPE_CHECKING:
    from chaindrive.model import Drive

__all__ = ["carry", "forget_goods", "payload_energies", "put_payloads", "stick_goods"]

PITCHES, MOST = 4.0, 0.2
"""Default transition in pitches, and its largest fraction of the loaded length."""
BESIDE = 3.0
"""Distance to the side of a span with only one wheel, or none, beyond which goods are lost, unless the radius of the
wheel is smaller. [pitches]"""
STICKING = 0.01
"""Stiffness of sticking goods for each roller or link, relative to that of a link; it does not shorten the step. [-]"""


def put_payloads(p: PlanarParameters, drive: Drive, way: Route, halved: bool, elastic: bool) -> PlanarParameters:
    """Return the parameters with the payloads of a drive.

    halved: masses are on rollers, each with half of both adjacent links; elastic: whether dragged goods stick before
    they slide. Raises InputError if a payload extends beyond its span, or if its transition is too long.
    """
    from chaindrive.model.wear import Attachment, attached_masses

    if not drive.payloads:
        return p
    chain, problems = drive.chain, []
    goods = blank(Payloads, len(drive.payloads))
    shares = np.zeros((len(drive.payloads), p.rollers))
    for k, payload in enumerate(drive.payloads):
        length = float(way.span_length[payload.span])
        end = length if payload.end is None else payload.end
        transition = payload.transition or min(PITCHES * chain.pitch, MOST * (end - payload.start))
        for name, value in (("start", payload.start), ("end", end)):
            if value > length * (1.0 + 1e-9):
                message = f"must be within the span, whose length is {length:.6g} m"
                problems.append(Problem(f"payloads[{k}].{name}", message, f"{value:g}"))
        if transition > 0.5 * (end - payload.start) * (1.0 + 1e-9):
            message = f"must be at most half of the distance between start and end, {end - payload.start:.6g} m"
            problems.append(Problem(f"payloads[{k}].transition", message, f"{transition:g}"))
        gravity = drive.gravity if payload.gravity is None else payload.gravity
        goods.x[k], goods.y[k] = way.span_start[payload.span]
        goods.ux[k], goods.uy[k] = way.span_direction[payload.span]
        goods.start[k], goods.end[k] = payload.start, end
        goods.transition[k], goods.beside[k] = max(transition, 1e-12), _beside(drive, way, payload.span)
        goods.gx[k], goods.gy[k] = gravity
        goods.feed[k], goods.resistance[k] = payload.feed_speed, payload.resistance
        goods.sticking[k] = STICKING * chain.link_stiffness if elastic and payload.resistance > 0.0 else 0.0
        if payload.mass_per_length is not None:
            shares[k] = payload.mass_per_length * chain.mean_pitch
        else:
            item = Attachment(mass=payload.mass, every=payload.every, first=payload.first)
            of_links = np.zeros(p.rollers)
            of_links[: chain.links] = attached_masses((item,), chain.links)
            shares[k] = 0.5 * (of_links + np.roll(of_links, 1)) if halved else of_links
    if problems:
        raise InputError(problems)
    return p._replace(
        payload=goods,
        payload_share=shares,
        payload_anchor=np.full(shares.shape, math.inf),
        payload_follow=np.full(shares.shape, math.inf),
        payload_now=blank(PayloadsNow, len(drive.payloads)),
    )


def _beside(drive: Drive, way: Route, span: int) -> float:
    """Return the distance to the side of a span beyond which the chain carries nothing. [m]

    The other strand is at a distance of twice the smaller radius.
    """
    radii = [float(way.radii[w]) for w in way.wheels_of(span) if w >= 0]
    return min([*radii, BESIDE * drive.chain.pitch]) if len(radii) < 2 else min(radii)


@kernel(inline=True)
def _rise(x):
    """Return a step from 0 to 1 for x from 0 to 1, and its slope.

    It is smooth up to the second derivative.
    """
    if x <= 0.0:
        return 0.0, 0.0
    if x >= 1.0:
        return 1.0, 0.0
    return x * x * x * (10.0 + x * (6.0 * x - 15.0)), 30.0 * x * x * (1.0 - x) * (1.0 - x)


@kernel(inner=True)
def _part(goods, k, x, y):
    """Return the fraction of its share that a roller at (x, y) carries, with its slopes along and normal to the span.
    [-, 1/m, 1/m]
    """
    dx, dy = x - goods.x[k], y - goods.y[k]
    ux, uy = goods.ux[k], goods.uy[k]
    along, beside = dx * ux + dy * uy, dy * ux - dx * uy
    if along <= goods.start[k] or along >= goods.end[k] or abs(beside) >= goods.beside[k]:
        return 0.0, 0.0, 0.0
    inverse, half = 1.0 / goods.transition[k], 0.5 * goods.beside[k]
    on, rising = _rise((along - goods.start[k]) * inverse)
    off, falling = _rise((goods.end[k] - along) * inverse)
    near, slope = _rise((goods.beside[k] - abs(beside)) / half)
    side = -slope / half if beside > 0.0 else slope / half
    return on * off * near, (rising * off - on * falling) * inverse * near, on * off * side


@kernel(inner=True)
def _height(goods, k, x, y):
    """Return the height of goods at (x, y) above their start, times gravity. [J/kg]"""
    ux, uy, start = goods.ux[k], goods.uy[k], goods.start[k]
    gx, gy = goods.gx[k], goods.gy[k]
    return -(gx * (x - goods.x[k] - start * ux) + gy * (y - goods.y[k] - start * uy))


@kernel(inner=True)
def _drag(p, k, i, x, y, speed, pressed):
    """Return the friction of the goods of roller i at (x, y) on the surface on which they slide. [N]

    speed: speed along the span [m/s]; pressed: normal force of the goods times the coefficient of friction [N]. The
    kernel also writes the anchor that will be used if this state is accepted.
    """
    goods, stiffness = p.payload, p.payload.sticking[k]
    if stiffness == 0.0 or p.payload_anchor[k, i] == math.inf:
        drag = pressed * regularised_sign(p.friction_kind, speed, p.friction_speed, p.friction_sharpness)
    if stiffness > 0.0:
        way = (x - goods.x[k]) * goods.ux[k] + (y - goods.y[k]) * goods.uy[k]
        if p.payload_anchor[k, i] != math.inf:
            drag = held_force(stiffness * (way - p.payload_anchor[k, i]), pressed)
        p.payload_follow[k, i] = way - drag / stiffness
    return drag


@kernel(inner=True)
def forget_goods(p):
    """Remove the anchors of goods, so that all goods slide until a state is accepted."""
    for k in range(p.payload.x.size):
        for i in range(p.payload_share.shape[1]):
            p.payload_anchor[k, i] = math.inf


@kernel(inner=True)
def stick_goods(p):
    """Adopt the friction anchors of dragged goods that the last evaluation found, once its state is accepted."""
    for k in range(p.payload.x.size):
        if p.payload.sticking[k] > 0.0:
            for i in range(p.payload_share.shape[1]):
                p.payload_anchor[k, i] = p.payload_follow[k, i]


@kernel(inner=True)
def carry(place, velocity, acceleration, mass, dy, p):
    """Convert the accelerations (2 N,) of a chain with masses (N,) [kg] to the accelerations with goods; add powers to
    dy.
    """
    n, work = mass.size, p.layout.work
    if p.payload.x.size == 0:
        return
    for k in range(p.payload.x.size):
        p.payload_now.mass[k] = p.payload_now.given[k] = p.payload_now.lost[k] = 0.0
    for i in range(n):
        vx, vy = velocity[i], velocity[n + i]
        total, fx, fy = 0.0, 0.0, 0.0
        for k in range(p.payload.x.size):
            share = p.payload_share[k, i]
            if share == 0.0:
                continue
            goods = p.payload
            part, along, beside = _part(goods, k, place[i], place[n + i])
            if part == 0.0:
                p.payload_follow[k, i] = math.inf
                continue
            ux, uy = goods.ux[k], goods.uy[k]
            gx, gy = goods.gx[k], goods.gy[k]
            carried, speed = share * part, vx * ux + vy * uy
            rate = share * (along * speed + beside * (vy * ux - vx * uy))
            height = _height(goods, k, place[i], place[n + i])
            given, lost = -rate * height, 0.0
            fx += carried * gx
            fy += carried * gy
            if rate > 0.0:
                sx, sy = goods.feed[k] * ux - vx, goods.feed[k] * uy - vy
                fx += rate * sx
                fy += rate * sy
                lost += 0.5 * rate * (sx * sx + sy * sy)
                given -= 0.5 * rate * goods.feed[k] * goods.feed[k]
            else:
                given -= 0.5 * rate * (vx * vx + vy * vy)
            if goods.resistance[k] > 0.0:
                pressed = goods.resistance[k] * carried * abs(gy * ux - gx * uy)
                drag = _drag(p, k, i, place[i], place[n + i], speed, pressed)
                fx -= drag * ux
                fy -= drag * uy
                lost += drag * speed
            total += carried
            p.payload_now.mass[k] += carried
            p.payload_now.given[k] += given
            p.payload_now.lost[k] += lost
            dy[work + P.WORK_OUTPUT] += given
            dy[work + P.WORK_FRICTION] += lost
        p.carried[i] = total
        if total > 0.0:
            inverse = 1.0 / (mass[i] + total)
            acceleration[i] = (acceleration[i] * mass[i] + fx) * inverse
            acceleration[n + i] = (acceleration[n + i] * mass[i] + fy) * inverse


@kernel(inner=True)
def payload_energies(place, velocity, p):
    """Return the kinetic and gravity energy of the goods on the chain. [J]"""
    n, kinetic, gravity = place.size // 2, 0.0, 0.0
    for k in range(p.payload.x.size):
        goods = p.payload
        for i in range(n):
            part, _, _ = _part(goods, k, place[i], place[n + i])
            carried = p.payload_share[k, i] * part
            kinetic += 0.5 * carried * (velocity[i] * velocity[i] + velocity[n + i] * velocity[n + i])
            gravity += carried * _height(goods, k, place[i], place[n + i])
    return kinetic, gravity

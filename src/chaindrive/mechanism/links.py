"""The links of a drive as arrays of numbers, one body per pitch, for formulations with rigid links."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaindrive.mechanism.link_bodies import LinkBody, inner_body, outer_body
from chaindrive.model import Chain, Drive, End, FreeEnd, Link
from chaindrive.model.links import link_dimensions

__all__ = ["LinkData", "link_data"]

FloatArray = NDArray[np.float64]


class LinkData(NamedTuple):
    """Links and joints of a chain of N links; arrays of float64.

    The frame of link i is at the centre of its bush, with x towards its pin; the pin is in the bush of link i + 1.
    Joint i is the pin of link i - 1 in the bush of link i. Links with even i are inner links, the others are outer
    links. There are J joints, one per link, and one more in an open chain: its first and last joints are those of its
    fittings, without stiffness, damping and clearance if the end is free.
    """

    mass: FloatArray
    """(N,) masses including attachments and loads on free ends [kg]; without these, the mean is the chain's
    link_mass.
    """
    inertia: FloatArray
    """(N,) moment of inertia about the centre of mass [kg m^2]."""
    centre: FloatArray
    """(N, 2) centre of mass in the frame of the link [m]."""
    length: FloatArray
    """(N,) distance from the centre of the bush to the centre of the pin of an unloaded link [m]."""
    clearance: FloatArray
    """(J,) distance by which the pin of joint i can move from the middle of its bush: half the difference between bore
    and pin diameter [m]."""
    stiffness: FloatArray
    """(J,) stiffness of joint i: the front half of link i - 1 and the rear half of link i in series, or a fitting
    [N/m].
    """
    damping: FloatArray
    """(J,) damping of joint i in tension [N s/m]."""
    plate_radius: FloatArray
    """(N,) radius of the round ends of the deeper plates at joint i [m]."""
    pin_radius: float
    """Radius of the pin. [m]"""
    estimates: Mapping[str, str]
    """Estimated values and their sources, by names such as "inner_link.mass"; with an odd number of links also "cranked
    link"."""

    def jointed(self, joint: str) -> LinkData:
        """Return the links with joints of this kind (``LinkOptions.joint``), which have clearance only for "clearance".

        The length of the taut chain does not change.
        """
        if joint == "clearance":
            return self
        count = len(self.length)
        behind = np.roll(self.clearance, -1)
        if len(self.clearance) > count:  # the fittings of an open chain share the clearance of the last link
            behind = np.append(self.clearance[1:-1], self.clearance[0] + self.clearance[-1])
        return self._replace(clearance=np.zeros_like(self.clearance), length=self.length + behind[:count])


def link_data(drive: Drive, ends: bool = True) -> LinkData:
    """Return the links and joints of a drive; without ``ends``, an open chain is treated as part of a longer chain.

    Length: the pitch is measured on a taut chain, in which the bush of link i + 1 pulls the pin of link i forwards. The
    pin touches the rear wall of the bush, and its centre is behind the centre of the bush by the radial clearance c.
    The distance from bush to bush is then length_i + c_(i+1), which is the pitch with the elongation of the link,
    measured in the same way: length_i = P (1 + e_i) - c_(i+1). Clearance alone does not make a taut chain longer.

    Stiffness: half a link is twice as stiff as the link, and each joint has half an inner and half an outer link in
    series. Together they have link_stiffness per pitch, so that a taut chain is as stiff as in the formulation with
    rollers on springs. The compliance of the contact between pin and bush is added in series by the formulation.

    Ends of an open chain: each fitting has half the clearance of a joint, so that N links between two fittings are as
    long as N links elsewhere. It also has half a link in series with its own stiffness: if this is the stiffness of a
    link, the chain is as stiff as in the formulation with rollers. A load on a free end is a point mass at its joint.

    In a closed chain with an odd number of links the last link is cranked: it is an inner link at its bush and an outer
    link at its pin, and has the mean mass of both.
    """
    chain = drive.chain
    count, cranked = chain.links, chain.ends is None and chain.links % 2 == 1
    dimensions = link_dimensions(chain)
    value = {name: dimension.value for name, dimension in dimensions.items()}
    estimates = {name: dimension.source for name, dimension in dimensions.items()} | dict(chain.sources)
    found = {
        name: source.removeprefix("estimated: ")
        for name, source in estimates.items()
        if source.startswith("estimated: ")
    }
    if cranked:
        found["cranked link"] = f"the last of {count} links is half an inner and half an outer link"

    clearance = 0.5 * _each(chain.joint_clearance, count)
    length = chain.pitch * (1.0 + np.array(chain.elongations)) - np.roll(clearance, -1)
    inner, outer = _bodies(chain, value)
    outer_share: FloatArray = np.arange(count, dtype=np.float64) % 2.0
    if cranked:
        outer_share[-1] = 0.5
    mass, inertia, centre = _mixed(chain, inner, outer, outer_share, length)
    inner_half, outer_half = (2.0 * stiffness for stiffness in _stiffnesses(chain))
    at_rear = np.where(outer_share == 1.0, outer_half, inner_half)
    at_front = np.where(outer_share == 0.0, inner_half, outer_half)
    before = np.roll(at_front, 1)
    deepest = max(value["inner_link.plate_depth"], value["outer_link.plate_depth"])
    data = LinkData(
        mass=mass + np.array(chain.attached_masses),
        inertia=inertia,
        centre=centre,
        length=length,
        clearance=clearance,
        stiffness=before * at_rear / (before + at_rear),
        damping=np.full(count, chain.link_damping),
        plate_radius=np.full(count, 0.5 * deepest),  # an inner and an outer plate are at every joint
        pin_radius=0.5 * value["pin_diameter"],
        estimates=MappingProxyType(found),
    )
    if chain.ends is None or not ends:
        return data
    return _with_ends(data, chain.ends, chain, (at_rear[0], at_front[-1]))


def _with_ends(data: LinkData, ends: tuple[End, End], chain: Chain, halves: tuple[float, float]) -> LinkData:
    """Return the links with the fittings of an open chain and the loads on its free ends.

    halves: stiffness of the rear half of the first link and of the front half of the last link [N/m].
    """
    links, joints = len(data.length), []
    bodies = np.column_stack([data.mass, data.inertia, data.centre])
    for end, half, link, place in zip(ends, halves, (0, links - 1), (0.0, data.length[-1]), strict=True):
        if isinstance(end, FreeEnd):
            joints.append((0.0, 0.0, 0.0))
            if end.mass > 0.0:
                bodies[link] = _with_load(bodies[link], end.mass, np.array([place, 0.0]))
            continue
        fitting = chain.link_stiffness if end.stiffness is None else end.stiffness
        damping = chain.link_damping if end.damping is None else end.damping
        both = half * fitting / (half + fitting)
        # a force on two springs in series makes each go its share of the way, and its damper with it
        lost = 2.0 * chain.link_damping * (both / half) ** 2 + damping * (both / fitting) ** 2
        joints.append((0.5 * float(data.clearance[0]), both, lost))
    within = np.stack([data.clearance, data.stiffness, data.damping])[:, 1:]
    clearance, stiffness, damped = np.column_stack([joints[0], within, joints[1]])
    return data._replace(
        mass=bodies[:, 0],
        inertia=bodies[:, 1],
        centre=bodies[:, 2:],
        clearance=clearance,
        stiffness=stiffness,
        damping=damped,
    )


def _with_load(body: FloatArray, load: float, place: FloatArray) -> FloatArray:
    """Return mass, inertia and centre of mass (4,) of a link with a point mass at a position (2,) in the frame of the
    link.
    """
    mass, inertia, centre = body[0], body[1], body[2:]
    off = place - centre
    inertia = inertia + mass * load / (mass + load) * float(off @ off)
    return np.array([mass + load, inertia, *(centre + load / (mass + load) * off)])


def _each(given: float | tuple[float, ...], count: int) -> FloatArray:
    """Return one value for each of ``count`` items, where a single value may be given for all."""
    return np.array(np.broadcast_to(np.asarray(given, dtype=np.float64), count))


def _bodies(chain: Chain, value: Mapping[str, float]) -> tuple[LinkBody, LinkBody]:
    """Return the inner and the outer link, with the given masses and moments of inertia."""
    inner = inner_body(
        chain.pitch,
        value["inner_link.plate_depth"],
        value["inner_link.plate_thickness"],
        value["inner_width"],
        value["pin_diameter"],
        value["bush_diameter"],
        chain.roller_diameter,
        chain.strands,
    )
    outer = outer_body(
        chain.pitch,
        value["outer_link.plate_depth"],
        value["outer_link.plate_thickness"],
        value["inner_width"],
        value["inner_link.plate_thickness"],
        value["pin_diameter"],
        chain.strands,
        value.get("transverse_pitch", 0.0),
        value.get("intermediate_plate_thickness", 0.0),
    )
    both, given = 2.0 * chain.link_mass, (chain.inner_link.mass, chain.outer_link.mass)
    if given[0] is not None:
        inner_mass = given[0]
    elif given[1] is not None:
        inner_mass = both - given[1]
    else:
        inner_mass = both * inner.mass / (inner.mass + outer.mass)
    outer_mass = both - inner_mass if given[1] is None else given[1]
    return _with(inner, inner_mass, chain.inner_link), _with(outer, outer_mass, chain.outer_link)


def _with(body: LinkBody, mass: float, link: Link) -> LinkBody:
    """Return the body scaled to a mass, with the moment of inertia that is given."""
    return LinkBody(mass, body.inertia * mass / body.mass if link.inertia is None else link.inertia)


def _mixed(
    chain: Chain, inner: LinkBody, outer: LinkBody, outer_share: FloatArray, length: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return mass (N,), moment of inertia (N,) and centre of mass (N, 2) of links, each a mixture of an inner and an
    outer link.
    """
    middle = np.stack([0.5 * length, np.zeros_like(length)], axis=1)
    centres = [
        middle if link.centre_of_mass is None else np.broadcast_to(link.centre_of_mass, middle.shape)
        for link in (chain.inner_link, chain.outer_link)
    ]
    parts = [(1.0 - outer_share) * inner.mass, outer_share * outer.mass]
    mass = parts[0] + parts[1]
    centre = (parts[0][:, None] * centres[0] + parts[1][:, None] * centres[1]) / mass[:, None]
    inertia = (1.0 - outer_share) * inner.inertia + outer_share * outer.inertia
    for part, own in zip(parts, centres, strict=True):
        inertia = inertia + part * ((own - centre) ** 2).sum(axis=1)
    return mass, inertia, centre


def _stiffnesses(chain: Chain) -> tuple[float, float]:
    """Return the stiffness of inner and outer links. A value that is not given is chosen so that both together have the
    chain's link_stiffness. [N/m]
    """
    inner, outer, both = chain.inner_link.stiffness, chain.outer_link.stiffness, chain.link_stiffness
    if inner is None and outer is None:
        return both, both
    if inner is None:
        assert outer is not None
        return both * outer / (2.0 * outer - both), outer
    return inner, both * inner / (2.0 * inner - both) if outer is None else outer

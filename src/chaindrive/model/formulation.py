"""Options of the formulations of a drive's physics, and what each requires of the parts of a drive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator

from chaindrive.errors import Problem
from chaindrive.model.base import Model, Quantities, Quantity
from chaindrive.model.body import moving_bodies
from chaindrive.model.calls import BlockOptionsCall, LinkOptionsCall, RollerOptionsCall, SpatialOptionsCall
from chaindrive.model.checks.kinds import on_teeth
from chaindrive.model.checks.rigid import constraint_misfits, rigid_misfits
from chaindrive.model.checks.tilt import out_of_the_plane
from chaindrive.model.checks.width import widths
from chaindrive.model.friction_map import FrictionMap
from chaindrive.model.ripple import Ripple, ripple_problems
from chaindrive.model.targets import AngleTarget, SpeedTarget, Target

if TYPE_CHECKING:
    from chaindrive.model.checks.parts import Parts

__all__ = [
    "BlockOptions",
    "CvtOptions",
    "FormulationOptions",
    "LinkOptions",
    "PlanarOptions",
    "RollerOptions",
    "carried_over",
]

_NEEDS_RESTITUTION = {"flores": "8 (1 - e) / (5 e)", "gonthier": "(1 - e^2) / e", "hu-guo": "3 (1 - e) / (2 e)"}
"""Laws whose damping grows without bound as the restitution approaches 0."""


class _Options(Model):
    """Options of a formulation. Each formulation has its own ``kind``."""

    kind: str

    @property
    def rigid_contacts(self) -> bool:
        """Whether contacts are rigid."""
        return False

    @property
    def rigid_links(self) -> bool:
        """Whether both links and joints are rigid."""
        return False

    @property
    def projects(self) -> bool:
        """Whether positions of rigid contacts are projected after each step."""
        return False

    def misfits(self, parts: Parts) -> Iterator[Problem]:
        """Yield problems of the parts of a drive that this formulation does not support with these options."""
        yield from ()


class PlanarOptions(_Options):
    """Options of all planar formulations: contact with teeth and guides, and elastic or smoothed Coulomb friction."""

    smoothing: ClassVar[tuple[str, ...]] = ("friction_regularisation", "friction_speed", "friction_sharpness")
    """Names of the options of smoothed friction."""

    contact_law: Literal[
        "hertz",
        "kelvin-voigt",
        "hunt-crossley",
        "lankarani-nikravesh",
        "flores",
        "herbert-mcwhannell",
        "lee-wang",
        "gonthier",
        "hu-guo",
    ] = Field("lankarani-nikravesh", description="Law of the normal contact force.")
    impact_memory: Literal["bounded", "stored", "reference"] = Field(
        "bounded",
        description="'stored': the impact speed is stored at each impact; 'bounded': the same, but the damping is "
        "at least that of an impact that would reach the same depth; 'reference': the same reference speed "
        "throughout (no memory).",
    )
    impact_speed_floor: Annotated[float, Quantity("m/s", above=0, most=100)] = Field(
        0.05, description="Lowest impact speed that is stored; not used with impact_memory = 'reference'."
    )
    reference_speed: Annotated[float, Quantity("m/s", above=0, most=1e3)] = Field(
        1.0,
        description="Impact speed assigned to rollers that are in contact at the start of the run, at least "
        "impact_speed_floor. With impact_memory = 'reference' it is the impact speed of every contact throughout "
        "the run.",
    )
    friction_law: Literal["elastic", "smoothed"] | None = Field(
        None,
        description="Coulomb friction of rollers, guides, joints and bearings of wheels. 'elastic': a spring that "
        "slides at mu N; it holds at rest, and the step does not depend on the speed. 'smoothed': a function of the "
        "sliding speed, as in Pedersen (2004), whose slope at zero speed limits the step; contacts at rest creep. "
        "Default: 'elastic'; 'smoothed' where friction_regularisation, friction_speed, friction_sharpness or "
        "joint_friction_rate (in the spatial formulation, presliding) has a value other than its default.",
    )
    friction_regularisation: Literal[
        "linear", "polynomial", "super-elliptic", "bezier", "tanh", "arctan", "logistic"
    ] = Field("tanh", description="Function that smooths Coulomb friction at zero speed.")
    friction_speed: Annotated[float, Quantity("m/s", above=0, most=100)] = Field(
        0.1, description="Speed v* of the regularisation."
    )
    friction_sharpness: Annotated[float, Quantity("", above=0, most=10)] = Field(
        0.01,
        description="Epsilon of tanh, arctan, logistic and bezier (there at most 1); v* times epsilon is their speed "
        "scale.",
    )
    on_jump: Literal["stop", "continue"] = Field(
        "stop",
        description="Whether a run stops when the chain jumps a tooth. If not, it continues and counts the jumps on "
        "every "
        "wheel.",
    )

    @field_validator("friction_sharpness")
    @classmethod
    def _rises_all_along(cls, sharpness: float, info: ValidationInfo) -> float:
        if sharpness > 1.0 and info.data.get("friction_regularisation") == "bezier":
            raise ValueError(
                "must be at most 1 with friction_regularisation = 'bezier', whose curve is not single-valued above 1"
            )
        return sharpness

    @property
    def elastic_friction(self) -> bool:
        """Whether friction acts like a spring before it slides."""
        return self.friction_law == "elastic" or (self.friction_law is None and not self._smoothing())

    def _smoothing(self) -> list[str]:
        """Return the names of the options of smoothed friction whose values differ from their defaults."""
        fields = type(self).model_fields
        return [name for name in self.smoothing if getattr(self, name) != fields[name].default]

    def misfits(self, parts: Parts) -> Iterator[Problem]:
        """Yield problems of contacts and options that the laws do not support, and of wheels out of the plane of the
        chain.
        """
        yield from on_teeth(parts)
        yield from self._contact_misfits(parts)
        yield from self._friction_misfits()
        yield from out_of_the_plane(parts)

    def _contact_misfits(self, parts: Parts) -> Iterator[Problem]:
        law = self.contact_law
        contacts = [("contact", parts.contact)]
        contacts += [(f"wheels[{index}].contact", wheel.contact) for index, wheel in parts.present_wheels()]
        contacts += [(f"guides[{index}].contact", guide.contact) for index, guide in parts.present_guides()]
        for place, contact in contacts:
            if contact is None:
                continue
            sprung = contact.compliant or not self.rigid_contacts
            if contact.law is not None:
                if self.rigid_contacts:
                    message = "is for elastic contacts: omit it with run.formulation.contacts = 'rigid'"
                    yield Problem(f"{place}.law", message, contact.law.name)
            elif sprung and law == "kelvin-voigt" and contact.exponent != 1:
                message = "must be 1 with contact_law = 'kelvin-voigt', a linear spring and damper; or use another law"
                yield Problem(f"{place}.exponent", message, f"{contact.exponent:g}")
            elif sprung and law in _NEEDS_RESTITUTION and contact.restitution == 0:
                message = f"must be above 0 with contact_law = {law!r}, whose damping is {_NEEDS_RESTITUTION[law]}"
                yield Problem(f"{place}.restitution", message, "0")
            if contact.coefficient_law is not None and self.rigid_contacts:
                message = "is for elastic contacts: give a number as friction with run.formulation.contacts = 'rigid'"
                yield Problem(f"{place}.coefficient_law", message, contact.coefficient_law.name)
            if contact.static_friction is not None and not self.rigid_contacts:
                message = (
                    "is for run.formulation.contacts = 'rigid', as compliant contacts hold and slide with friction: "
                    "omit it"
                )
                yield Problem(f"{place}.static_friction", message, f"{contact.static_friction:g}")

    def _friction_misfits(self) -> Iterator[Problem]:
        if self.friction_law == "elastic":
            for name in self._smoothing():
                message = "applies only with friction_law = 'smoothed': omit one of the two"
                yield Problem(f"run.formulation.{name}", message, f"{getattr(self, name)}")


class _InPlaneOptions(PlanarOptions):
    """Options of the formulations in which the chain stays in a plane."""

    smoothing: ClassVar = (*PlanarOptions.smoothing, "joint_friction_rate")

    joint_friction_rate: Annotated[float, Quantity("rad/s", above=0, most=1e6)] | None = Field(
        None,
        description="Angular velocity of a joint at which its smoothed Coulomb friction is 76 % of its full value. "
        "Default: 0.02 times the speed of the fastest wheel, which is the speed of joints as they run onto it, or 0.01 "
        "times this speed if there are guides.",
    )
    contacts: Literal["compliant", "rigid"] = Field(
        "compliant",
        description="Contacts of rollers and plates with teeth and guides. 'compliant': springs and dampers; "
        "'rigid': rigid contacts with stick-slip friction, whose impulses over a fixed step follow "
        "from complementarity; contacts with compliant = true keep their stiffness.",
    )
    position_projection: bool = Field(
        False,
        description="With contacts = 'rigid': whether rollers that penetrate rigid surfaces too far are pushed out "
        "after each step, at unchanged velocities. The energy balance lists the energy of these corrections "
        "separately.",
    )

    @property
    def rigid_contacts(self) -> bool:
        """Whether contacts are rigid."""
        return self.contacts == "rigid"

    @property
    def projects(self) -> bool:
        """Whether positions of rigid contacts are projected after each step."""
        return self.rigid_contacts and self.position_projection

    def misfits(self, parts: Parts) -> Iterator[Problem]:
        """Yield problems of all planar options, including those of rigid contacts."""
        yield from super().misfits(parts)
        yield from rigid_misfits(self, parts)


class RollerOptions(_InPlaneOptions, RollerOptionsCall):
    """Options of the planar formulation with rollers as lumped masses."""

    kind: Literal["roller"] = "roller"


class LinkOptions(_InPlaneOptions, LinkOptionsCall):
    """Options of the planar formulation with rigid links, which have three degrees of freedom each."""

    kind: Literal["link"] = "link"
    coordinates: Literal["cartesian", "path"] = Field(
        "cartesian",
        description="Coordinates in which links are integrated: 'cartesian', or 'path': along and normal to the path "
        "of the chain at the start. Results are the same.",
    )
    joint: Literal["clearance", "journal", "ideal", "revolute"] = Field(
        "clearance",
        description="'clearance': the pin makes and loses contact with its bush; 'ideal': no clearance, a joint as "
        "stiff as the links; 'journal': as 'ideal', with a journal bearing given by journal_stiffness and "
        "journal_damping; 'revolute': a rigid constraint without clearance, for contacts = 'rigid'.",
    )
    journal_stiffness: Annotated[float, Quantity("N/m", above=0, most=1e15)] | None = Field(
        None, description="Radial stiffness of a journal bearing, in series with that of the links; default: rigid."
    )
    journal_damping: Annotated[float, Quantity("N*s/m", least=0, most=1e9)] | None = Field(
        None, description="Radial damping of a journal bearing; default: that of the links."
    )
    oil_damping: Annotated[float, Quantity("N*s/m", least=0, most=1e9)] = Field(
        0.0,
        description="Squeeze-film damping of the oil between pin and bush where they touch; it acts while the "
        "gap closes.",
    )
    oil_film: Annotated[float, Quantity("m", above=0, most=1e-2)] = Field(
        1e-5,
        description="Gap between pin and bush above which the oil exerts no force; below it the force grows as "
        "the gap closes.",
    )
    roller_damping: Annotated[float, Quantity("N*m*s/rad", least=0, most=1e6)] = Field(
        0.0,
        description="Viscous friction between a bush and its roller, for rollers that are pressed against a wheel, "
        "move with it and turn on their bush.",
    )
    surface_oil_damping: Annotated[float, Quantity("N*s/m", least=0, most=1e9)] = Field(
        0.0, description="Squeeze-film damping of the oil on teeth and guides; it resists approach."
    )
    surface_oil_film: Annotated[float, Quantity("m", above=0, most=1e-2)] = Field(
        2e-5, description="Gap to a tooth or guide above which the oil exerts no force."
    )

    @property
    def rigid_links(self) -> bool:
        """Whether both links and joints are rigid."""
        return self.joint == "revolute"

    def misfits(self, parts: Parts) -> Iterator[Problem]:
        """Yield problems of parts that no planar formulation supports, of keys for journals that the joint does not
        use, and of constraints.
        """
        yield from super().misfits(parts)
        yield from constraint_misfits(self, parts)
        for name, joint in (("journal_stiffness", "journal"), ("journal_damping", "journal")):
            given = getattr(self, name)
            if given is not None and self.joint != joint:
                yield Problem(f"run.formulation.{name}", f"applies only with joint = {joint!r}: omit it", f"{given:g}")


class SpatialOptions(PlanarOptions, SpatialOptionsCall):
    """Options of the formulation with links that move in space and sprockets that are offset or tilted."""

    smoothing: ClassVar = (*PlanarOptions.smoothing, "presliding")

    kind: Literal["spatial"] = "spatial"
    friction_sharpness: Annotated[float, Quantity("", above=0, most=10)] = Field(
        0.1,
        description="Epsilon of tanh, arctan, logistic and bezier (there at most 1); v* times epsilon is their "
        "speed scale. The default and thus the step are ten times those of the planar formulations.",
    )
    presliding: Annotated[float, Quantity("rad", above=0, most=0.5)] = Field(
        0.0005,
        description="With friction_law = 'smoothed': angle by which a pin turns in its bush before it slides; up to "
        "this angle joint friction acts like a spring (Dahl 1968). Losses are underestimated by a fraction of about "
        "twice the ratio of this angle to 2 pi/teeth.",
    )
    side_stiffness: Annotated[float, Quantity("N/m", above=0, most=1e14)] | None = Field(
        None, description="Contact stiffness between a plate and the side of a tooth; default: 0.2 x link_stiffness."
    )
    side_damping: Annotated[float, Quantity("s/m", least=0, most=1e6)] = Field(
        1.0,
        description="Damping of the contact between a plate and the side of a tooth: relative increase of the "
        "contact force per unit of approach speed (Hunt & Crossley 1975).",
    )
    side_friction: Annotated[float, Quantity("", least=0, most=10)] | None = Field(
        None, description="Friction coefficient of plates on the sides of teeth; default: that of the table contact."
    )
    bushing: Literal["quaternion", "rotation-vector"] = Field(
        "quaternion",
        description="How joints resist twist and bending. 'quaternion': by the angles midway between the two links; "
        "the torque has a potential. 'rotation-vector': stiffness times rotation vector in the frame of the pin, as "
        "in Omar (2014), for comparison with his results; this torque is rotated by half the angle of the pin and "
        "has no potential.",
    )
    quaternion_feedback: Annotated[float, Quantity("1/s", least=0, most=1e9)] = Field(
        0.0,
        description="Rate at which the quaternions of links return to length 1 with a method that does not preserve "
        "it (Omar 2014): half the reciprocal of the time in which the error decays to 37 %. Not needed with "
        "'splitting'.",
    )

    def misfits(self, parts: Parts) -> Iterator[Problem]:
        """Yield problems of contacts that the laws do not support, several strands, and an odd number of links."""
        yield from on_teeth(parts)
        yield from self._contact_misfits(parts)
        yield from self._friction_misfits()
        if parts.chain is not None and parts.chain.links % 2:
            message = "must be even: inner and outer links alternate, and a cranked link is not symmetric in space"
            yield Problem("chain.links", message, str(parts.chain.links))
        if parts.chain is not None and parts.chain.strands > 1:
            message = (
                "must be 1: the spatial formulation does not model the plates between strands; use formulation = 'link'"
            )
            yield Problem("chain.strands", message, str(parts.chain.strands))
        yield from _no_payload(parts, "the spatial formulation does not support it yet")
        yield from widths(parts)


class BlockOptions(_Options, BlockOptionsCall):
    """Options of the chain drive block, in which each span is a massless spring and damper and each wheel an
    inertia.
    """

    kind: Literal["block"] = "block"
    compliance: Literal["spans", "block"] = Field(
        "spans",
        description="'spans': every span is a one-sided spring, for any number of wheels, with slack or pretension; "
        "'block': one spring with a dead zone between two wheels, as in the Simscape block.",
    )
    stiffness: Annotated[float | tuple[float, ...], Quantities("N/m", above=0, most=1e15)] | None = Field(
        None,
        description="Stiffness of a span, or a list with one for each; default: that of a link divided by the number "
        "of links in the span.",
    )
    slack: Annotated[float, Quantity("m", least=-10, most=100)] | None = Field(
        None,
        description="Length of the whole chain minus the length of its route; a negative value gives pretension. "
        "Default: from links, pitch and route.",
    )
    damping: Annotated[float, Quantity("N*s/m", least=0, most=1e12)] | None = Field(
        None, description="Damping of a span; default: that of a link divided by the number of links in the span."
    )
    tension_friction: Annotated[float, Quantity("", least=0, most=1)] = Field(
        0.0,
        description="Friction of the chain on every wheel: torque against the rotation of the wheel, divided by "
        "its radius and by the sum of the tensions of both adjacent spans. Losses therefore grow with the load.",
    )
    friction_map: FrictionMap | None = Field(
        None,
        description="Additional friction of the chain on every wheel: a force as a function of the speed of the "
        "chain and of the tensions of both adjacent spans.",
    )
    ripple: Annotated[tuple[Ripple, ...], Field(max_length=10_000)] = Field(
        (),
        description="Elongations of spans that vary periodically with the angles of the wheels at their ends, such "
        "as polygonal action and runout. They act on tensions and lever arms alike, so that they neither create nor "
        "dissipate energy.",
    )
    damping_in_slack: bool = Field(
        True,
        description="Whether the damper also acts in slack spans, where it can push, as in the Simscape block. If "
        "not, it acts only in taut spans and never pushes.",
    )
    maximum_tension: Annotated[float, Quantity("N", above=0, most=1e12)] | None = Field(
        None, description="Tension that ends the run; default: the breaking load of the chain, if known."
    )
    targets: Annotated[tuple[Target, ...], Field(max_length=1000)] = Field(
        (), description="Initial values of variables, which replace those that the start of the run would give."
    )

    def misfits(self, parts: Parts) -> Iterator[Problem]:
        """Yield problems of parts that the chain drive block does not support, and of targets for wheels that do not
        exist.
        """
        yield from on_teeth(parts)
        moving = moving_bodies(body for _, body in parts.present_bodies())
        for index, body in parts.present_bodies():
            if body.name in moving:
                yield Problem(f"bodies[{index}]", f"moves: {_FIXED} (formulation 'roller' supports it)", body.name)
        for index, wheel in parts.present_wheels():
            if wheel.shaft is not None:
                yield Problem(
                    f"wheels[{index}].shaft", f"deflects: {_FIXED} (formulation 'roller' supports it)", wheel.name
                )
        for name, found, reason in (
            ("guides", parts.guides, "its spans are springs without a position in the plane"),
            ("tensioners", parts.tensioners, "there is no moving part for it to push"),
        ):
            for index in range(len(found)):
                message = f"the chain drive block has no {name}: {reason}; omit it, or use formulation = 'roller'"
                yield Problem(f"{name}[{index}]", message)
        yield from out_of_the_plane(parts)
        yield from _one_like_another(parts, "the chain drive block")
        yield from self._preload(parts)
        for index, wheel in parts.present_wheels():
            if wheel.freewheel is not None:
                message = "the chain drive block does not support it: omit it, or use another formulation"
                yield Problem(f"wheels[{index}].freewheel", message, wheel.name)
        if isinstance(self.stiffness, tuple) and parts.wheels and len(self.stiffness) != len(parts.wheels):
            message = f"must be one value, or {len(parts.wheels)}, one for each span"
            yield Problem("run.formulation.stiffness", message, f"{len(self.stiffness)} values")
        yield from ripple_problems(self.ripple, parts.wheels, self.compliance, self.targets)
        if self.compliance == "block":
            if len(parts.wheels) > 2:
                message = "'block' is one spring between two wheels: use 'spans' for any number of wheels"
                yield Problem("run.formulation.compliance", message, f"{len(parts.wheels)} wheels")
            if self.slack is not None and self.slack < 0.0:
                message = "must be at least 0 with compliance = 'block', which has no pretension: use 'spans'"
                yield Problem("run.formulation.slack", message, f"{self.slack:g}")
        for index, target in enumerate(self.targets):
            item = target.wheel if isinstance(target, SpeedTarget | AngleTarget) else target.span
            name = "wheel" if isinstance(target, SpeedTarget | AngleTarget) else "span"
            if parts.wheels and item >= len(parts.wheels):
                message = f"must be from 0 to {len(parts.wheels) - 1}: the drive has {len(parts.wheels)} {name}s"
                yield Problem(f"run.formulation.targets[{index}].{name}", message, str(item))

    def _preload(self, parts: Parts) -> Iterator[Problem]:
        if parts.preload is None:
            return
        if parts.preload.sag is not None:
            message = "the chain drive block has no sag, as its spans are massless; give preload.tension"
            yield Problem("preload.sag", message, f"{parts.preload.sag:g}")
        if self.slack is not None:
            message = "contradicts preload, which sets the length of the chain: omit one of them"
            yield Problem("run.formulation.slack", message, f"{self.slack:g}")


class CvtOptions(_Options):
    """Options of the rocker-pin chain of a CVT between conical sheaves."""

    kind: Literal["cvt"] = "cvt"
    links: Literal["points", "rigid"] = Field(
        "points",
        description="'points': links are springs between point masses at the pins, with two degrees of freedom "
        "each; 'rigid': links are rigid bodies with three degrees of freedom each and the stiffness in bushings "
        "between them, as in Pfeiffer, Fritz & Srnik (1997). Thrusts and tensions of the example agree within 2 %.",
    )
    joint: Literal["bushing", "revolute"] = Field(
        "bushing",
        description="Joints of the chain with links = 'rigid'. 'bushing': as stiff as the links; 'revolute': "
        "rigid constraints, so that the chain does not stretch.",
    )
    friction_law: Literal["coulomb", "smoothed"] = Field(
        "coulomb",
        description="Friction of the pins on the sheaves, solved for every pin separately. 'coulomb': pins stick "
        "and slide; 'smoothed': friction is smoothed over the sliding speed friction_speed, for comparison; pins "
        "then never stick, and transmit less force.",
    )
    friction_speed: Annotated[float, Quantity("m/s", above=0, most=100)] = Field(
        1e-3, description="Sliding speed over which friction is smoothed with 'smoothed'."
    )
    largest_slip: Annotated[float, Quantity("", least=0.01, most=0.9)] = Field(
        0.2,
        description="Mean sliding speed of the pins in a pair of sheaves, relative to the highest speed of the chain, "
        "above which the chain counts as slipping, and the run ends. In a slow drive pins slide faster than this while "
        "the torque winds up the chain; that speed is then the limit.",
    )

    @field_validator("joint")
    @classmethod
    def _of_rigid_links(cls, joint: str, info: ValidationInfo) -> str:
        if joint == "revolute" and info.data.get("links", "rigid") != "rigid":
            raise ValueError("'revolute' needs links = 'rigid': point masses have springs between them and no joints")
        return joint

    def misfits(self, parts: Parts) -> Iterator[Problem]:
        """Yield a problem for every drive without sheaves; drives with sheaves are checked separately."""
        message = "'cvt' is for a rocker-pin chain between conical sheaves, and the drive has no [[sheaves]]"
        yield Problem("run.formulation.kind", message, "'cvt'")


def carried_over(given: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """Return options for a formulation of another kind: the given options that it also has, such as contact laws."""
    kinds: tuple[type[_Options], ...] = (RollerOptions, LinkOptions, SpatialOptions, BlockOptions, CvtOptions)
    known = next((of.model_fields for of in kinds if of.model_fields["kind"].default == kind), {})
    return {name: value for name, value in given.items() if name in known} | {"kind": kind}


def _one_like_another(parts: Parts, whose: str) -> Iterator[Problem]:
    """Yield problems of a chain with elongation, attachments or payload, where the chain is massless and links are
    equal.
    """
    chain = parts.chain
    if chain is not None:
        given = chain.elongation
        values = given if isinstance(given, tuple) else (given,)
        if any(values):
            message = f"{whose} has links as long as the pitch: omit it, or use formulation = 'roller' or 'link'"
            value = f"{values[0]:g}" if len(values) == 1 else f"{len(values)} values"
            yield Problem("chain.elongation", message, value)
        for name, there, value in (
            ("wear", chain.wear != 0.0, f"{chain.wear:g}"),
            ("scatter", chain.scatter is not None, f"{chain.scatter.deviation:g}" if chain.scatter else ""),
        ):
            if there:
                message = f"{whose} has links as long as the pitch: omit it, or use formulation = 'roller' or 'link'"
                yield Problem(f"chain.{name}", message, value)
        if chain.attachments:
            message = f"{whose} has a massless chain: omit them, or use formulation = 'roller' or 'link'"
            yield Problem("chain.attachments", message, str(len(chain.attachments)))
    yield from _no_payload(parts, f"{whose} has a massless chain")


def _no_payload(parts: Parts, reason: str) -> Iterator[Problem]:
    for index, payload in enumerate(parts.payloads):
        message = f"{reason}: omit the payload, or use formulation = 'roller' or 'link'"
        yield Problem(f"payloads[{index}]", message, "" if payload is None else payload.name)


_FIXED = "in the chain drive block all wheels turn on fixed bearings"

FormulationOptions = Annotated[
    RollerOptions | LinkOptions | SpatialOptions | BlockOptions | CvtOptions, Field(discriminator="kind")
]
"""Options of any formulation; ``kind`` selects it."""

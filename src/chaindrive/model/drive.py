"""The whole drive: chain, wheels in the order of the route, contact, and how it is run."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from chaindrive import plugs
from chaindrive.errors import InputError, Problem
from chaindrive.model.base import Model, Name, Text, Vector
from chaindrive.model.bicycle.description import Bicycle, Generated
from chaindrive.model.bicycle.fields import changes, expanded, in_its_terms, plain
from chaindrive.model.body import Body
from chaindrive.model.calls import DriveCall
from chaindrive.model.chain import Chain
from chaindrive.model.checks.drive import cross_check
from chaindrive.model.checks.open_chain import LEAST_WHEELS, span_names
from chaindrive.model.checks.parts import Parts
from chaindrive.model.checks.sheaves import NO_PLACE, running_radii, sheave_problems
from chaindrive.model.closing import AUTO, STAND_IN, Closing, Fitted
from chaindrive.model.contact import Contact
from chaindrive.model.guide import Guide
from chaindrive.model.inputs import ChainParts, InputPlace, input_places
from chaindrive.model.limits import Limits, limit_problems
from chaindrive.model.machine import Machine, Signal, machine_problems
from chaindrive.model.payload import Payload
from chaindrive.model.preload import Preload
from chaindrive.model.problems import problems_of
from chaindrive.model.rotor import Rotor, rotor_problems
from chaindrive.model.run import Run, given_formulation
from chaindrive.model.sheave import Sheave, wheel_of
from chaindrive.model.stage import Stage, stage_problems
from chaindrive.model.tensioner import Tensioner
from chaindrive.model.torques.torque import driving_torque
from chaindrive.model.wheel import MOST_WHEELS, Wheel
from chaindrive.numbers import quantity

__all__ = ["Drive"]

NO_WHEELS = f"needs at least {LEAST_WHEELS} with a closed chain; only an open chain (chain.ends) may have none"

MOST_BODIES, MOST_GUIDES, MOST_TENSIONERS = 200, 200, 200
MOST_SHEAVES = 2
MOST_STAGES, MOST_ROTORS, MOST_PAYLOADS, MOST_MACHINES = 8, 8, 50, 50


class Drive(DriveCall):
    """A chain drive: its physical data and default run options.

    Raises InputError with all problems of all parts if anything is wrong. ``str(drive)`` is the text of a file that
    defines the same drive.

    With a ``bicycle``, wheels and bodies are derived from it; values given for a wheel or body by name override the
    derived values.
    """

    __slots__ = ("_facts",)
    # Facts derived from this object (``mechanism.facts``). Copies, pickles and comparisons exclude a slot.

    name: Name = Field(description="Name of the drive.")
    source: Text = Field("", description="Where the data come from.")
    notes: Annotated[tuple[Text, ...], Field(max_length=1000)] = Field((), description="Remarks and uncertainties.")
    gravity: Annotated[tuple[float, float], Vector("m/s^2", most=1e4)] = Field(
        (0.0, -9.81), description="Acceleration of gravity [x, y]."
    )
    loop: Literal["counterclockwise", "clockwise"] = Field(
        "counterclockwise",
        description="Direction of rotation of wheels with side = 'front' when the chain runs in the order of the list.",
    )
    chain: Chain = Field(description="The chain.")
    contact: Contact = Field(
        description="Contact between rollers and teeth, for all wheels without a contact table of their own."
    )
    preload: Preload | None = Field(None, description="Required tension or sag of one span.")
    closing: Closing | None = Field(
        None,
        description="A wheel or body that is moved from its drawn position until the chain closes around its "
        "wheels and rails.",
    )
    bicycle: Bicycle | None = Field(
        None, description="A bicycle; wheels, bodies and, unless given, the number of links follow from it."
    )
    wheels: Annotated[tuple[Wheel, ...], Field(max_length=MOST_WHEELS)] = Field(
        (),
        validate_default=True,
        description="The wheels, in the order in which the chain meets them. A closed chain with a single wheel hangs "
        "from it in a loop; an open chain may have none.",
    )
    sheaves: Annotated[tuple[Sheave, ...], Field(max_length=MOST_SHEAVES)] = Field(
        (),
        description="Two pairs of conical sheaves of a variator, between which a rocker-pin chain runs; they replace "
        "wheels and contact.",
    )
    bodies: Annotated[tuple[Body, ...], Field(max_length=MOST_BODIES)] = Field(
        (), description="Bodies that move and support wheels or guides; in any order."
    )
    guides: Annotated[tuple[Guide, ...], Field(max_length=MOST_GUIDES)] = Field(
        (), description="Rails that the chain slides along."
    )
    tensioners: Annotated[tuple[Tensioner, ...], Field(max_length=MOST_TENSIONERS)] = Field(
        (), description="Springs, dampers, ratchets and hydraulic elements between two points."
    )
    payloads: Annotated[tuple[Payload, ...], Field(max_length=MOST_PAYLOADS)] = Field(
        (), description="Goods that the chain carries between two points of its route."
    )
    limits: Limits | None = Field(
        None, description="Load limits and required life of the chain, against which strength and life are judged."
    )
    stages: Annotated[tuple[Stage, ...], Field(max_length=MOST_STAGES)] = Field(
        (), description="Additional chains, each driven through a shaft by a wheel of an earlier chain."
    )
    rotors: Annotated[tuple[Rotor, ...], Field(max_length=MOST_ROTORS)] = Field(
        (), description="Rotating masses outside the chains, each connected by a shaft or gearing."
    )
    machines: Annotated[tuple[Machine, ...], Field(max_length=MOST_MACHINES)] = Field(
        (),
        description="Machines coupled to the drive, such as engines, vehicles or controllers, as FMUs or Python "
        "objects.",
    )
    run: Run = Field(
        default_factory=Run,
        description="Duration, options and stored results of a run; all can be overridden when the run is started.",
    )

    _made: Generated | None = PrivateAttr(None)
    """The layout derived from the bicycle."""

    @model_validator(mode="wrap")
    @classmethod
    def _with_what_follows(cls, given: Any, handler: ModelWrapValidatorHandler[Drive]) -> Drive:
        if isinstance(given, Mapping) and given.get("sheaves"):
            return cls._with_sheaves(given, handler)
        fit = plugs.fitted(given, _alone) if isinstance(given, Mapping) else None
        return cls._with_bicycle(given, handler) if fit is None else cls._with_fit(fit, handler)

    @classmethod
    def _with_fit(cls, fit: Fitted, handler: ModelWrapValidatorHandler[Drive]) -> Drive:
        try:
            drive = cls._with_bicycle(fit.fields, handler)
        except ValidationError as error:
            problems = (*problems_of(error, cls), *cls.further_problems(fit.fields))
        except InputError as error:
            problems = error.problems
        else:
            if not fit.problems and fit.complete:
                drive.chain._links_follow = "" in fit.follows
                for k, stage in enumerate(drive.stages):
                    stage.chain._links_follow = stage.chain.links_follow or f"stages[{k}]." in fit.follows
                return drive
            problems = ()
        stand_ins = {f"{place}chain.links" for place in fit.unknown}
        reported = [p for p in problems if not (p.place in stand_ins and p.value == str(STAND_IN))]
        raise InputError([*fit.problems, *reported])

    @classmethod
    def _with_bicycle(cls, given: Any, handler: ModelWrapValidatorHandler[Drive]) -> Drive:
        expansion = expanded(given) if isinstance(given, Mapping) else None
        if expansion is None:
            return handler(given)
        wrong = expansion.made is None or expansion.problems
        known = expansion.fields if not wrong else expansion.fields | {"wheels": (), "bodies": ()}
        try:
            drive = handler(expansion.fields)
        except ValidationError as error:
            problems = [*problems_of(error, cls), *cls.further_problems(known)]
            raise InputError([*expansion.problems, *in_its_terms(problems, expansion)]) from None
        problems = in_its_terms(cls.further_problems(known), expansion)
        if expansion.problems or problems:
            raise InputError([*expansion.problems, *problems])
        drive._made = expansion.made
        if expansion.links_follow:  # not "set", so that sources and to_toml recognise derived values
            drive.chain.__pydantic_fields_set__.discard("links")
        return drive

    @classmethod
    def _with_sheaves(cls, given: Mapping[str, Any], handler: ModelWrapValidatorHandler[Drive]) -> Drive:
        """Make a variator, whose sheaves count as wheels for speeds, motions, loads and names."""
        chain, sheaves = _alone(Chain, given.get("chain")), _listed(Sheave, given.get("sheaves"))
        problems = [*sheave_problems(given, chain, sheaves), *_formulation_of_sheaves(given.get("run"))]
        whole = {**given, "wheels": (), "contact": Contact(stiffness=1.0), "run": _run_of_sheaves(given.get("run"))}
        for name in NO_PLACE:
            if name not in ("wheels", "contact"):
                whole.pop(name, None)
        if not problems and chain is not None and None not in sheaves:
            radii = running_radii(chain, sheaves)
            pitches = (math.pi / math.asin(0.5 * chain.mean_pitch / radius) for radius in radii)
            whole["wheels"] = tuple(wheel_of(*each) for each in zip(sheaves, pitches, strict=True))
            pins = chain.pins
            whole["contact"] = Contact(exponent=1.0, stiffness=pins.stiffness, friction=pins.friction)
        try:
            drive = handler(whole)
        except ValidationError as error:
            problems += [each for each in problems_of(error, cls) if not each.place.startswith("wheels")]
        problems += limit_problems(_alone(Limits, given.get("limits")), chain)
        if problems:
            raise InputError(problems)
        return drive

    @field_validator("wheels")
    @classmethod
    def _go_round(cls, wheels: tuple[Wheel, ...], info: ValidationInfo) -> tuple[Wheel, ...]:
        chain = info.data.get("chain")
        if len(wheels) < LEAST_WHEELS and chain is not None and chain.ends is None and chain.kind != "rocker-pin":
            raise ValueError(NO_WHEELS)
        return wheels

    @model_validator(mode="after")
    def _cross_checked(self) -> Drive:
        self._check()
        return self

    def _check(self) -> None:
        """Raise InputError listing all contradictions between parts."""
        coupled = list(machine_problems(self.machines, self.chain_parts, self.rotors))
        if self.bicycle is not None or self.sheaves:  # the rest is checked with the names of their fields
            if coupled:
                raise InputError(coupled)
            return
        mechanism = self.bodies, self.guides, self.tensioners
        parts = Parts(
            self.chain,
            self.wheels,
            self.contact,
            self.preload,
            self.run,
            *mechanism,
            payloads=self.payloads,
            driven_behind=_stage_or_rotor_drives(self.stages, self.rotors),
            joined=bool(self.stages or self.rotors),
        )
        problems = [*cross_check(parts), *limit_problems(self.limits, self.chain)]
        problems += _problems_of_stages(self.stages, self.wheels, self.contact, self.run)
        problems += _problems_of_rotors(self.rotors, self.stages, self.wheels, self.run)
        problems += coupled
        if problems:
            raise InputError(problems)

    def check_run(self, run: Run) -> None:
        """Raise InputError listing everything that the formulation of a different ``run`` does not support."""
        self.model_copy(update={"run": run})._check()

    @classmethod
    def further_problems(cls, fields: Mapping[str, Any]) -> list[Problem]:
        """Return the problems of the cross-checks of all valid parts, so that all problems are reported at once."""
        run = _alone(Run, fields["run"]) if "run" in fields else Run()
        bodies = _listed(Body, fields.get("bodies"))
        wheels, contact = _listed(Wheel, fields.get("wheels")), _alone(Contact, fields.get("contact"))
        stages, rotors = _listed(Stage, fields.get("stages")), _listed(Rotor, fields.get("rotors"))
        parts = Parts(
            _alone(Chain, fields.get("chain")),
            wheels,
            contact,
            _alone(Preload, fields.get("preload")),
            run,
            bodies,
            _listed(Guide, fields.get("guides")),
            _listed(Tensioner, fields.get("tensioners")),
            _names_of_wrong(bodies, fields.get("bodies")),
            _listed(Payload, fields.get("payloads")),
            _stage_or_rotor_drives(stages, rotors),
            bool(stages or rotors),
        )
        return [
            *_without_wheels(fields, parts.chain),
            *cross_check(parts),
            *limit_problems(_alone(Limits, fields.get("limits")), parts.chain),
            *_problems_of_stages(stages, wheels, contact, run),
            *_problems_of_rotors(rotors, stages, wheels, run),
            *machine_problems(_listed(Machine, fields.get("machines")), _parts_of_all(parts, stages), rotors),
        ]

    @property
    def chain_parts(self) -> dict[str | None, ChainParts]:
        """Parts of every chain: the first chain under the key None, stages under their names."""
        return _parts_of_all(self, self.stages)

    @property
    def inputs(self) -> dict[str, InputPlace]:
        """Inputs and possible inputs by name, such as "wheels.crankshaft.torque" (``model.inputs``)."""
        return input_places(self.chain_parts, self.rotors, "sheaves" if self.sheaves else "wheels")

    def signals(self, machine: int) -> list[tuple[str, Signal]]:
        """Return the signals that a machine, given by its number, exchanges with the drive, with their paths, such as
        "machines[0].shafts[0].torque".
        """
        inputs = self.inputs
        return [
            (f"machines[{machine}].{where}.{signal.key}", signal)
            for where, coupled in self.machines[machine].couplings
            for signal in coupled.signals(inputs)
        ]

    @property
    def span_names(self) -> tuple[str, ...]:
        """Names of the spans.

        Span k runs from wheel k to the next wheel of the route and has a name such as "crankshaft - tightener". In an
        open chain, the first span runs from the first end, such as "ground - sheave", unless this end is anchored to a
        wheel. If two spans would have the same name, their numbers are appended.
        """
        return span_names([wheel.name for wheel in self.wheels], self.chain.ends)

    @property
    def part_names(self) -> dict[str, tuple[str, ...]]:
        """Names of the parts along each named dimension of channels, such as "wheel" or "span"."""
        parts: Mapping[str, Sequence[Any]] = {
            "wheel": self.wheels,
            "guide": self.guides,
            "body": self.bodies,
            "tensioner": self.tensioners,
            "payload": self.payloads,
        }
        return {dim: tuple(part.name for part in found) for dim, found in parts.items()} | {"span": self.span_names}

    def to_dict(self) -> dict[str, Any]:
        """Return the given values in SI units, as lists and tables, without values that are estimated or from a
        catalogue.

        With a bicycle, wheels and bodies are included by name with the values that differ from those of the bicycle.
        """
        fields = dict(_plain_fields(self)) | self.beside_bicycle()
        return {name: value for name, value in fields.items() if not (self.sheaves and name in ("wheels", "contact"))}

    def beside_bicycle(self) -> dict[str, Any]:
        """Return notes, wheels and bodies without the values derived from the bicycle, as tables and lists; empty
        without a bicycle.
        """
        made = self._made
        if made is None:
            return {}
        notes = [note for note in self.notes if note not in made.notes]
        return {
            "notes": notes,
            "wheels": changes(made.wheels, self.wheels),
            "bodies": changes(made.bodies, self.bodies),
        }

    def to_toml(self) -> str:
        """Return the drive as the text of a file, with every value in SI units; loading this file gives an equal
        drive.
        """
        from chaindrive.model.files.toml import written

        return written(self)

    def replace(self, path: str | Mapping[str, Any], value: Any = None) -> Drive:
        """Return the drive with one value changed, ``drive.replace("contact.friction", 0.1)``, or several, {path:
        value}.

        Paths and values are given as on the command line, such as "wheels.crankshaft.motion.speed" and "90 rpm"; None
        removes a value. Raises InputError for a path that does not exist, with the nearest name, and for values that
        are not allowed.
        """
        from chaindrive.model.files.override import override

        return override(self, path if isinstance(path, Mapping) else {path: value})

    def __repr__(self) -> str:
        chain = f"{self.chain.links} links {self.chain.standard or quantity(self.chain.pitch, 'm')}"
        wheels = ", ".join(f"{wheel.name} ({wheel.teeth:.4g})" for wheel in self.wheels)
        return f"<Drive {self.name or 'without name'}: {chain}{'; ' * bool(wheels)}{wheels}>"

    def __str__(self) -> str:
        return self.to_toml()

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook displays for the drive."""
        return plugs.drive_html(self)


def _run_of_sheaves(given: Any) -> Any:
    """Return the run of a variator, whose formulation is 'cvt' unless a different one is given."""
    if given is None:
        return {"formulation": {"kind": "cvt"}}
    if isinstance(given, Mapping) and isinstance(given.get("formulation", {}), Mapping):
        return {**given, "formulation": {"kind": "cvt", **given.get("formulation", {})}}
    return given


def _formulation_of_sheaves(given: Any) -> Iterator[Problem]:
    """Yield a problem if the formulation does not support sheaves."""
    if (kind := given_formulation(given)) in ("roller", "link", "spatial", "block"):
        message = "does not support conical sheaves: a rocker-pin chain needs 'cvt'"
        yield Problem("run.formulation.kind", message, repr(kind))


def _problems_of_stages(
    stages: Sequence[Stage | None], wheels: Sequence[Wheel | None], contact: Contact | None, run: Run | None
) -> list[Problem]:
    """Return the problems of every valid stage, checked as a drive whose first wheel turns, and of its connection."""
    problems = list(stage_problems(wheels, stages, "" if run is None else run.formulation.kind))
    places = {problem.place for problem in problems}
    for k, stage in enumerate(stages):
        if stage is None:
            continue
        mechanism = stage.bodies, stage.guides, stage.tensioners
        parts = Parts(
            stage.chain,
            stage.wheels_turned(1.0),
            stage.contact or contact,
            None,
            run,
            *mechanism,
            payloads=stage.payloads,
        )
        checked = [*cross_check(parts), *limit_problems(stage.limits, stage.chain)]
        found = (problem._replace(place=f"stages[{k}].{problem.place}") for problem in checked)
        problems += [p for p in found if p.place not in places and not p.place.startswith(f"stages[{k}].run")]
    return problems


def _problems_of_rotors(
    rotors: Sequence[Rotor | None], stages: Sequence[Stage | None], wheels: Sequence[Wheel | None], run: Run | None
) -> list[Problem]:
    """Return the problems of the connection of every valid rotor."""
    known = _wheels_of_all(wheels, stages)
    return list(rotor_problems(known, rotors, None not in stages, "" if run is None else run.formulation.kind))


def _wheels_of_all(
    wheels: Sequence[Wheel | None], stages: Sequence[Stage | None]
) -> dict[str | None, Sequence[Wheel | None]]:
    """Return the wheels of every chain: those of the first under the key None, those of valid stages under their
    names.
    """
    return {None: wheels} | {stage.name: stage.wheels for stage in stages if stage is not None}


def _parts_of_all(first: Drive | Parts, stages: Sequence[Stage | None]) -> dict[str | None, ChainParts]:
    """Return the parts of every chain: those of the first under the key None, those of valid stages under their
    names.
    """
    chains: list[tuple[str | None, Any]] = [(None, first), *((s.name, s) for s in stages if s is not None)]
    return {name: ChainParts(each.wheels, each.bodies, each.tensioners) for name, each in chains}


def _stage_or_rotor_drives(stages: Sequence[Stage | None], rotors: Sequence[Rotor | None]) -> bool:
    """Return whether a rotor or a wheel of a stage drives the chain, or may drive it because its definition is
    invalid.
    """
    torques = [rotor.torque for rotor in rotors if rotor is not None]
    torques += [wheel.torque for stage in stages if stage is not None for wheel in stage.wheels]
    return None in (*stages, *rotors) or any(driving_torque(torque) != 0.0 for torque in torques)


_adapter = cache(TypeAdapter)


def _alone(model: Any, fields: Any) -> Any:
    """Return one part, validated on its own, or None if it is missing or invalid; ``model``: a model or a union of
    models.
    """
    try:
        return _adapter(model).validate_python(fields)
    except (ValidationError, InputError):
        return None


def _listed(model: Any, given: Any) -> tuple[Any, ...]:
    """Return every part of a list, validated on its own; None for invalid parts."""
    listed = given if isinstance(given, Sequence) and not isinstance(given, (str, bytes)) else ()
    return tuple(_alone(model, fields) for fields in listed[:MOST_WHEELS])


def _without_wheels(fields: Mapping[str, Any], chain: Chain | None) -> Iterator[Problem]:
    """Yield the problem of a closed chain without wheels, even if the chain itself has errors."""
    given = fields.get("chain")
    is_open = isinstance(given, Mapping) and "ends" in given
    if chain is None and not is_open and not fields.get("wheels") and fields.get("bicycle") is None:
        yield Problem("wheels", NO_WHEELS)


def _names_of_wrong(bodies: Sequence[Body | None], given: Any) -> frozenset[str] | None:
    """Return the names of the invalid bodies; None if some of them have no name, or if there is no list."""
    if given is not None and len(bodies) != (len(given) if isinstance(given, Sequence) else -1):
        return None
    wrong = [fields for body, fields in zip(bodies, given or (), strict=True) if body is None]
    names = [fields.get("name") if isinstance(fields, Mapping) else None for fields in wrong]
    return None if any(not isinstance(name, str) for name in names) else frozenset(str(name) for name in names)


def _plain_fields(model: Model) -> Iterator[tuple[str, Any]]:
    for name, value in model:
        if value is not None and not (isinstance(model, Chain) and name not in model.model_fields_set):
            if name == "links" and isinstance(model, Chain) and model.links_follow:
                value = AUTO
            yield name, dict(_plain_fields(value)) if isinstance(value, Model) else plain(value)

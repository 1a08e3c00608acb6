"""From a drive to a system of the roller formulation: the coordinates of the chain, its links and joints."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from chaindrive.colouring import chain_colouring
from chaindrive.formulations.planar.channels import channels, counts_of, starts
from chaindrive.formulations.planar.compile import (
    border_masses,
    border_name,
    drags,
    expected_tension,
    kinds_of,
    labels_of,
    only_dragged,
    placed_drive,
    planar_parameters,
    softened_contacts,
)
from chaindrive.formulations.planar.endings import ENDINGS, NO_REST, ended_at
from chaindrive.formulations.planar.findings import findings
from chaindrive.formulations.planar.parameters import MEMORY, FloatArray, PlanarParameters
from chaindrive.formulations.planar.surfaces import Surfaces, initial_penetration, retract_guides
from chaindrive.formulations.roller.chain import coordinates_of
from chaindrive.formulations.roller.limits import Expected, frequency_at, highest_frequency, set_limits
from chaindrive.formulations.roller.modes import mode_shares
from chaindrive.formulations.roller.parameters import LINK_ROWS, LINK_TENSION, SCRATCH, Parameters
from chaindrive.formulations.roller.variants import GROUPS, kernels_for, statics_for
from chaindrive.geometry.initial_configuration import InitialConfiguration
from chaindrive.mechanism.description import Mechanism
from chaindrive.mechanism.running import driver, prescribed
from chaindrive.model import Chain, Drive, RollerOptions
from chaindrive.system import Kind, System

JOINT_FRICTION_SHARE = 0.02
"""Turning rate over which joint friction changes its sign, as a part of that of joints on the fastest wheel. [-]"""

JOINT_FRICTION_SHARE_ON_GUIDES = 0.01
"""The same for a drive with guides: on their long arcs joints turn slowly. With 0.03 the loss in the joints of the
example timing-06b is 2.2 % too small, with 0.01 0.7 %, against 1 rad/s, 0.003. [-]"""

JOINT_FRICTION_RATE_AT_REST = 1.0
"""The same where no wheel has a speed to turn at. [rad/s]"""


def compile_roller(drive: Drive, options: RollerOptions, at_speed: bool) -> System:
    """Compile a drive into the roller formulation (Pedersen 2004, chapter 3), with the chain placed on its wheels.

    The state holds the kinematic initial configuration with zero velocity; ``rolling`` the velocities at the start
    speed. Raises InputError when the chain does not fit the route, parts are in each other's way, the contact law does
    not fit the contact, there is no such form of friction, or the mechanism cannot move as described.
    """
    hanging = _compile(drive, options, at_speed, False)
    if hanging.initial_penetration == 0.0 or not hanging.notes["initial_sag"] > 0.0:
        return hanging
    straight = _compile(drive, options, at_speed, True)  # rails support the span that would hang
    return straight if straight.initial_penetration < hanging.initial_penetration else hanging


def _compile(drive: Drive, options: RollerOptions, at_speed: bool, straight: bool) -> System:
    """The same with the slack chain hanging, or straight."""
    chain = drive.chain
    placed = placed_drive(drive, options, at_speed, straight, coordinates_of(chain.links))
    configuration, mechanism = placed.configuration, placed.mechanism
    rate = options.joint_friction_rate or _joint_friction_rate(placed.wheel_speeds, bool(drive.guides))
    parameters = _parameters(chain, placed.parameters)._replace(joint_friction_rate=rate)
    expected = Expected(expected_tension(drive, placed), placed.load_damping)
    system = system_at_rest(parameters, configuration.roller_position, configuration.wheel_angle, mechanism, expected)
    rolling = np.concatenate([placed.chain_speed * configuration.roller_tangent.T.ravel(), placed.rolling])
    planar = parameters.planar
    return replace(
        system,
        rolling=rolling,
        labels=labels_of(drive),
        stops=placed.stops,
        initial_penetration=initial_penetration(planar, configuration),
        retract_guides=partial(retract_guides, planar),
        force_scale=_force_scale(drive, expected),
        mode_shares=partial(mode_shares, drive),
        ended_at=partial(ended_at, drive, planar, parameters.link[LINK_TENSION]),
        searched=parameters._replace(planar=planar._replace(stop_at_jump=False)),
        held=() if prescribed(drive) else (planar.layout.wheel_angle + driver(drive),),
        dragged=_dragged(parameters),
        name_of=partial(_name_of, drive),
        frequency_at=partial(frequency_at, parameters, mechanism, expected),
        findings=partial(findings, drive, planar),
        rolling_past=partial(_rolling_past, configuration, rolling),
        warnings=placed.warnings,
        notes={
            "initial_strain": float(configuration.strain),
            "initial_tension": float(chain.link_stiffness * configuration.strain * chain.pitch),
            "initial_sag": float(configuration.sag),
            "chain_speed": float(placed.chain_speed),
        }
        | ({"joint_friction_rate": rate} if parameters.joint_friction_radius else {})
        | ({"left_out": left_out} if (left_out := _left_out(chain)) else {}),
    )


def _left_out(chain: Chain) -> list[str]:
    """What the file says of the links that rollers on springs do not have."""
    links = chain.inner_link, chain.outer_link
    differ = any(value is not None for link in links for value in (link.mass, link.inertia, link.centre_of_mass))
    return ["difference of inner and outer links"] * differ + ["clearance of the joints"] * bool(
        np.any(chain.joint_clearance)
    )


def _joint_friction_rate(speeds: FloatArray, guided: bool) -> float:
    """The rate that smooths joint friction where none is given, from the speeds of the wheels (W,). [rad/s]

    A joint that comes onto a wheel turns as fast as the wheel. A small part of the largest such rate leaves friction
    its full value on wheels of ten times the size, and does not make an explicit step shorter than it must be: its
    limit is the slope of friction at rest, mu r F over this rate. The fastest speed of the run counts, also of one
    that starts at rest.
    """
    share = JOINT_FRICTION_SHARE_ON_GUIDES if guided else JOINT_FRICTION_SHARE
    return share * float(speeds.max(initial=0.0)) or JOINT_FRICTION_RATE_AT_REST


def _rolling_past(configuration: InitialConfiguration, rolling: FloatArray, state: FloatArray) -> FloatArray:
    """Rolling velocities of the initial configuration, with rollers in spans moving along the chain as it now lies."""
    own = coordinates_of(len(configuration.roller_position))
    position, velocity = state[:own].reshape(2, -1), rolling.copy()
    ahead = np.roll(position, -1, axis=1) - np.roll(position, 1, axis=1)
    ahead /= np.hypot(*ahead)
    free = configuration.seat_wheel < 0
    placed = rolling[:own].reshape(2, -1)
    speed = np.hypot(*placed) * np.sign((placed * ahead).sum(axis=0))
    velocity[:own] = np.where(free, speed * ahead, placed).ravel()
    return velocity


def parameters_of(
    chain: Chain, gravity: tuple[float, float], options: RollerOptions, surfaces: Surfaces, mechanism: Mechanism
) -> Parameters:
    """Parameters of a drive, without those of its motions and spans."""
    planar = planar_parameters(chain, gravity, options, surfaces, mechanism, coordinates_of(chain.links))
    return _parameters(chain, planar)._replace(
        joint_friction_rate=options.joint_friction_rate or JOINT_FRICTION_RATE_AT_REST
    )


def _parameters(chain: Chain, planar: PlanarParameters) -> Parameters:
    """Parameters of a chain; the rate of joint friction is that at rest."""
    return Parameters(
        planar=planar._replace(row_starts=starts(GROUPS, counts_of(planar))),
        links=chain.links,
        mass=chain.link_mass,
        stiffness=chain.link_stiffness,
        damping=chain.link_damping,
        joint_damping=chain.joint_damping,
        joint_friction_radius=0.5 * chain.joint_friction * (chain.pin_diameter or 0.0),
        joint_friction_rate=JOINT_FRICTION_RATE_AT_REST,
        breaking_load=chain.breaking_load if chain.breaking_load is not None else math.inf,
        link=np.zeros((LINK_ROWS, chain.links)),
    )


def system_at_rest(
    p: Parameters, position: FloatArray, angle: FloatArray, mechanism: Mechanism, expected: Expected
) -> System:
    """A system at rest, the rollers at ``position`` (N, 2), the wheels at ``angle`` (W,)."""
    planar, layout = p.planar, p.planar.layout
    set_limits(p, mechanism, expected)
    state = np.zeros(layout.size)
    state[: layout.wheel_angle] = position.T.ravel()
    state[layout.wheel_angle : layout.joint_position] = angle
    state[layout.joint_position : layout.positions] = mechanism.coordinates
    state[layout.pressure :] = mechanism.pressures
    colours, neighbours = chain_colouring(p.links, 2, layout.positions - layout.wheel_angle)
    system = System(
        kernels=kernels_for(p),
        parameters=p,
        memory=MEMORY,
        state=state,
        rolling=np.zeros(layout.positions),
        positions=layout.positions,
        kinds=kinds_of([Kind.LENGTH] * layout.wheel_angle, planar, mechanism),
        channels=channels(GROUPS, counts_of(planar)),
        labels={"axis": ("x", "y")},
        highest_frequency=highest_frequency(p, mechanism, expected),
        stops=np.zeros(0),
        colours=colours,
        neighbours=neighbours,
        masses=np.concatenate([np.full(layout.wheel_angle, p.mass), border_masses(planar, mechanism)]),
        coupled=mechanism.tree.joints > 0,
        statics=statics_for(p),
        scratch=SCRATCH,
        endings=ENDINGS,
        static_advice=NO_REST,
        softened=partial(_softened, p),
    )
    system.kernels.begin(0.0, system.state, p)
    return system


def _softened(p: Parameters, links: float, contacts: float) -> Parameters:
    """The same chain with links and contacts softer by these factors."""
    return p._replace(stiffness=links * p.stiffness, planar=softened_contacts(p.planar, contacts))


def _dragged(p: Parameters) -> Parameters | None:
    """The same chain with no other losses than those that have one sense while it runs; None where it has none."""
    if not (drags(p.planar) or p.joint_friction_radius > 0.0 or p.joint_damping > 0.0):
        return None
    return p._replace(planar=only_dragged(p.planar), damping=0.0)


def _name_of(drive: Drive, position: int) -> str:
    """What a position belongs to, in words."""
    links, own = drive.chain.links, coordinates_of(drive.chain.links)
    return f"roller {position % links}" if position < own else border_name(drive, position - own)


def _force_scale(drive: Drive, expected: Expected) -> float:
    """The expected tension, and the weight of the chain. [N]"""
    weight = drive.chain.links * drive.chain.link_mass * math.hypot(*drive.gravity)
    return expected.tension + weight or 1.0

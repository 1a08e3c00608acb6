"""A rotor as a system with one degree of freedom, connected by a shaft to a chain of its drive."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial

import numpy as np

from chaindrive.contract.modes import Modes, ModeShares
from chaindrive.contract.modular import Modules
from chaindrive.contract.motion import Motion
from chaindrive.contract.port import Port
from chaindrive.contract.rest import Rest
from chaindrive.contract.states import FloatArray, Kind
from chaindrive.contract.story import Story
from chaindrive.contract.system import System
from chaindrive.coupling.rotor_kernels import (
    KERNELS,
    MACHINES,
    MEMORY,
    SCRATCH,
    SHAFT_WORK,
    WORK_INPUT,
    WORK_OUTPUT,
    Parameters,
    RotorChannels,
)
from chaindrive.formulations.declare import RESIDUAL, account, blank_row, in_a_row, one
from chaindrive.formulations.declare import WORK_INPUT as PUT_IN
from chaindrive.formulations.declare import WORK_OUTPUT as TAKEN_OUT
from chaindrive.kernels.tables import blank
from chaindrive.mechanism.facts import slow_speed
from chaindrive.mechanism.inputs import torque_inputs
from chaindrive.mechanism.stages import RotorTurning
from chaindrive.mechanism.torques import initial_states, pack, steepest
from chaindrive.mechanism.wheels import ShaftTorques
from chaindrive.model import Rotor, torques_on
from chaindrive.physics.bearing import BEARING_YIELD

__all__ = ["CHANNELS", "compile_rotor"]

CHANNELS = RotorChannels(
    angle=one("angle", (), "rad", "angle turned by the rotor, counter-clockwise", ()),
    speed=one("speed", (), "rad/s", "angular velocity of the rotor", ()),
    motor=one(
        "motor_torque", (), "N m", "torque that drives the rotor (motor, weight), counter-clockwise positive", ()
    ),
    load=one("load_torque", (), "N m", "torque of the loads on the rotor, counter-clockwise positive", ()),
    work_input=account("work_input", PUT_IN),
    work_output=account("work_output", TAKEN_OUT),
    work_bearing=account("work_bearing", "lost in the bearings of the rotor, integrated with the motion"),
    kinetic=account("energy_kinetic", "of the rotor"),
    residual=account("energy_residual", RESIDUAL),
    own_work=one(
        "own_work", (), "J", "work input by the motors and loads of the rotor, integrated with the motion", (), "always"
    ),
    shaft_work=one("shaft_work", (), "J", "work input by the shaft, integrated with the motion", (), "always"),
)


def compile_rotor(rotor: Rotor, turning: RotorTurning, at_speed: bool) -> System:
    """Return the system of a rotor that starts at rest or at its speed; ``Motion.rolling`` is its start speed."""
    sense = math.copysign(1.0, turning.speed)
    given, slow = [torques_on(rotor)], slow_speed(abs(turning.speed))
    acting = pack(given, sense, 0.0, slow, turning.motor, at_speed)
    speed = turning.speed if at_speed else 0.0
    machines = initial_states(given, [speed], [turning.governed], at_speed)
    damping = float(steepest(given, turning.speed, rotor.inertia, slow)[0])
    stiffness = rotor.bearing_friction / BEARING_YIELD
    rate = (damping + rotor.bearing_damping) / rotor.turned_inertia
    root = math.sqrt(stiffness / rotor.turned_inertia)
    state = np.concatenate([[0.0, speed], np.zeros(MACHINES - 2), machines])
    p = Parameters(
        inertia=rotor.turned_inertia,
        bearing_damping=rotor.bearing_damping,
        bearing_friction=rotor.bearing_friction,
        bearing_stiffness=stiffness,
        sticks=True,
        rate=rate + 2.0 * root + math.hypot(rate + 2.0 * root, root),
        start_energy=np.zeros(1),
        bearing_angle=np.zeros(1),
        shaft=blank(ShaftTorques, 1),
        derivative=np.zeros_like(state),
        row=blank_row(CHANNELS),
        running=acting.running,
        torque=acting.torque,
        torque_table=acting.torque_table,
    )
    kinds = [Kind.ANGLE, Kind.ANGULAR_SPEED, *[Kind.WORK] * (MACHINES - 2), *[Kind.MACHINE] * machines.size]
    system = System(
        kernels=KERNELS,
        parameters=p,
        memory=MEMORY,
        scratch=SCRATCH,
        state=state,
        positions=1,
        kinds=np.array(kinds, dtype=np.int64),
        channels=in_a_row(CHANNELS),
        labels={},
        masses=np.array([rotor.turned_inertia]),
        force_scale=0.0,
        port=partial(_port, p),
        inputs=torque_inputs(p, [rotor.name], [0], [1], "rotors"),
        modules=Modules(np.array([0, 1, *range(MACHINES, state.size)]), 0, _without_step_limit),
        rest=Rest(searched=p._replace(sticks=False)),
        modes=Modes(shares=partial(_mode_shares, rotor.name)),
        motion=Motion(rolling=np.array([speed]), highest_frequency=p.rate, stops=acting.stops),
        story=Story(notes={"inertia": rotor.turned_inertia, "speed": turning.speed}),
    )
    system.kernels.begin(0.0, state, p)
    return system


def _without_step_limit(system: System) -> System:
    """Return the rotor unchanged except that it does not limit the step of a chain (Modules.chain_alone)."""
    return replace(system, parameters=system.parameters._replace(rate=0.0), motion=system.motion.limited_by(0.0))


def _mode_shares(name: str, _: FloatArray, __: FloatArray, energy: FloatArray) -> ModeShares:
    """Return the mode shares of a rotor, whose energy is all in its rotation, (M, 1) (Modes.shares)."""
    return ModeShares((name,), np.ones_like(energy), ("rotor",))


def _port(p: Parameters, _: int) -> Port:
    """Return the data needed to join a shaft to the rotor (System.port)."""
    return Port(p.running, 0, 0, 1, (WORK_INPUT - 2, WORK_OUTPUT - 2, SHAFT_WORK - 2))

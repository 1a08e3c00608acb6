"""Mechanisms for tests: one evaluation of the equations of motion with all possible forces and riding wheels, and
runs.
"""

from __future__ import annotations

import numpy as np

from chaindrive.contract.status import Status
from chaindrive.mechanism import tree
from chaindrive.mechanism.tree import FIXED, GROUND, PRISMATIC, REVOLUTE, BodyData
from chaindrive.solvers import Integrator, SolverSettings
from support.absolute_bodies import number

G = 9.81
DOWN = (0.0, -G)
TIGHT = SolverSettings(atol_length=1e-12, atol_angle=1e-12, atol_speed=1e-11, atol_angular_speed=1e-11)
"""Error of a step; a run of some thousand steps adds up to 1e-9 to 1e-8 at most."""


def run(system, until, save, settings=TIGHT):
    """Times and channels by name of a run to its end, and the integrator."""
    integrator = Integrator(system, settings, save, chunk_rows=int(until / save) + 3)
    assert integrator.advance(until, 10**7) == Status.REACHED_END
    times, rows = integrator.take_rows()
    shaped = {c.name: c.read(rows) for c in system.channels}
    return times, shaped, integrator


def evaluate(bodies, s, rate, gravity=DOWN, pushes=(), wheels=(), point_masses=(), t=0.0):
    """Accelerations, joint forces and moments, powers at one state.

    pushes: (body, own place, force, moment) with complex places and forces; wheels: Wheel; point_masses: (body, own,
    mass).
    """
    made = tree.build_tree(
        bodies, [tree.PointMass(b, _global(bodies, b, own), m) for b, own, m in point_masses], len(wheels)
    )
    n = made.joints
    y, dy = np.concatenate([s, rate]).astype(float), np.zeros(2 * n)
    tree.kinematics(y, 0, n, made)
    tree.clear(made, *gravity)
    for b, own, force, moment in pushes:
        px, py, _, _ = tree.place(made, b, own.real, own.imag)
        tree.apply_force(made, b, px, py, force.real, force.imag, moment)
    for b, own, mass in point_masses:
        ride(made, b, own, mass, gravity)
    for wheel in wheels:
        ride(made, wheel.body, wheel.own, wheel.mass, gravity)
        px, py, _, _ = tree.place(made, wheel.body, wheel.own.real, wheel.own.imag)
        pull = wheel.angular_velocity**2 * wheel.eccentric  # outwards
        tree.apply_force(made, wheel.body, px, py, pull.real, pull.imag, 0.0)
    lost = tree.assemble(y, 0, n, made)
    for w, wheel in enumerate(wheels):
        px, py, _, _ = tree.place(made, wheel.body, wheel.own.real, wheel.own.imag)
        c = 1j * wheel.eccentric
        if wheel.acceleration is None:
            ax, ay = tree.bias(made, wheel.body, px, py)
            moment = wheel.moment + c.real * (gravity[0] - ax) + c.imag * (gravity[1] - ay)
            tree.couple(made, w, wheel.body, px, py, c.real, c.imag, wheel.inertia, moment)
        else:
            tree.couple_prescribed(made, w, wheel.body, px, py, c.real, c.imag, wheel.acceleration)
    power = tree.solve(t, y, 0, n, made, dy)
    force, moment = np.zeros((len(bodies), 2)), np.zeros(len(bodies))
    tree.reactions(made, force, moment)
    return made, dy[n:], force @ [1, 1j], moment, lost, power


def ride(made, b, own, mass, gravity):
    px, py, _, _ = tree.place(made, b, own.real, own.imag)
    ax, ay = tree.bias(made, b, px, py)
    tree.apply_force(made, b, px, py, mass * (gravity[0] - ax), mass * (gravity[1] - ay), 0.0)
    tree.add_mass(made, b, px, py, mass)


def _global(bodies, b, own):
    at = number(bodies[b].position) + own if b >= 0 else own
    return at.real, at.imag


class Wheel:
    """A wheel whose centre rides on a body: eccentric mass moment (complex, at present), angle outside the tree."""

    def __init__(self, body, own, mass, inertia, eccentric, angular_velocity, moment=0.0, acceleration=None):
        self.body, self.own, self.mass, self.inertia = body, own, mass, inertia
        self.eccentric, self.angular_velocity, self.moment, self.acceleration = (
            eccentric,
            angular_velocity,
            moment,
            acceleration,
        )


def random_bodies(random, count, inner_joints=(FIXED, REVOLUTE, PRISMATIC)):
    bodies = []
    for b in range(count):
        joint = int(random.choice(inner_joints)) if b else REVOLUTE
        x = random.uniform(-2, 2, 6)
        bodies.append(
            BodyData(
                parent=int(random.integers(-1, b)) if b else GROUND,
                joint=joint,
                mass=random.uniform(0.5, 5),
                inertia=random.uniform(0.05, 1),
                centre=(x[0], x[1]),
                position=(x[2], x[3]),
                direction=(x[4], x[5]),
                stiffness=random.uniform(0, 100),
                damping=random.uniform(0, 5),
                neutral=random.uniform(-1, 1),
                load=random.uniform(-10, 10),
            )
        )
    return bodies


def random_state(random, bodies):
    count = sum(b.joint != FIXED for b in bodies)
    return random.uniform(-1, 1, count), random.uniform(-3, 3, count)


def random_pushes(random, bodies):
    """(body, own place, force, moment) on every body."""
    values = random.uniform(-1, 1, (len(bodies), 5))
    return [(b, complex(v[0], v[1]), complex(20 * v[2], 20 * v[3]), 5 * v[4]) for b, v in enumerate(values)]

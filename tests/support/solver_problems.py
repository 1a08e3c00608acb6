"""Standard problems of the solver tests: small systems with closed-form solutions.

All problems share one set of kernels, chosen by ``p.problem``, so that each method is compiled once for all tests.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from chaindrive.contract.channels import Channel
from chaindrive.contract.kernels import Kernels
from chaindrive.contract.motion import Motion
from chaindrive.contract.states import FloatArray, Kind
from chaindrive.contract.status import FORMULATION_ENDINGS, Accepted, Status
from chaindrive.contract.system import System
from chaindrive.kernels import kernel

OSCILLATOR, PENDULUM, KEPLER, VAN_DER_POL, BALL, RAMP, SINGULAR = range(7)

# Places in Parameters.number
(
    FREQUENCY, DAMPING, MU, STIFFNESS, RESTITUTION, SPEED, RAMP_TIME, NAN_TIME, FAIL_TIME, FAIL_STATUS, BEGIN_STATUS,
    WALL,
) = range(12)  # fmt: skip
WALL_STATUS = FORMULATION_ENDINGS + 7
RHS_CHANGED = int(Accepted.RHS_CHANGED)
GRAVITY = 9.81
LOG_SIZE = 100_000


class Parameters(NamedTuple):
    problem: int
    positions: int
    number: FloatArray
    touch: FloatArray
    """Memory of the ball: impact speed of the contact that lasts, 0 in flight; shape (1,)."""
    calls: FloatArray
    """Scratch: calls of rhs, record, begin; shape (3,)."""
    log: FloatArray
    """Scratch: instants for which accept was called, after their number; shape (LOG_SIZE,)."""
    scratch: FloatArray


@kernel
def ball_force(y, p):
    """Contact after Lankarani & Nikravesh (1990) with a stored impact speed; without one yet, elastic."""
    depth = -y[0]
    if depth <= 0.0:
        return 0.0
    factor = 1.0
    if p.touch[0] > 0.0:
        factor += 0.75 * (1.0 - p.number[RESTITUTION] ** 2) * -y[1] / p.touch[0]
    return p.number[STIFFNESS] * depth**1.5 * factor


@kernel
def acceleration(t, y, p, out):
    n = p.positions
    a = p.number
    if p.problem == OSCILLATOR:
        for j in range(n):
            out[n + j] = -(a[FREQUENCY] ** 2) * y[j] - 2.0 * a[DAMPING] * a[FREQUENCY] * y[n + j]
    elif p.problem == PENDULUM:
        out[1] = -(a[FREQUENCY] ** 2) * math.sin(y[0])
    elif p.problem == KEPLER:
        cube = (y[0] * y[0] + y[1] * y[1]) ** 1.5
        out[2] = -y[0] / cube
        out[3] = -y[1] / cube
    elif p.problem == VAN_DER_POL:
        out[1] = a[MU] * (1.0 - y[0] * y[0]) * y[1] - y[0]
    elif p.problem == BALL:
        out[1] = ball_force(y, p) - GRAVITY
    elif p.problem == RAMP:
        tc = a[RAMP_TIME]
        out[1] = 6.0 * a[SPEED] / tc**3 * t * (tc - t) if t < tc else 0.0
    else:
        out[1] = y[1] * y[1]


@kernel
def rhs(t, y, dy, p):
    n = p.positions
    p.calls[0] += 1.0
    acceleration(t, y, p, dy)
    for j in range(n):
        dy[j] = y[n + j]
    if y.size > 2 * n:  # loss of the oscillator per unit mass
        loss = 0.0
        for j in range(n):
            loss += 2.0 * p.number[DAMPING] * p.number[FREQUENCY] * y[n + j] * y[n + j]
        dy[2 * n] = loss
    if t > p.number[NAN_TIME]:
        dy[n] = np.nan
    p.scratch[0] = t
    p.scratch[1] = y[0]


@kernel
def room(p):
    """Distance of the first position from a wall below it; rhs leaves the position in the scratch array."""
    return p.scratch[1] - p.number[WALL]


@kernel
def accept(t, y, p):
    p.log[0] += 1.0
    p.log[int(p.log[0])] = t
    if p.scratch[0] != t or p.scratch[1] != y[0]:
        return 23  # not directly after an evaluation at this point: the contract is broken
    if t >= p.number[FAIL_TIME]:
        return int(p.number[FAIL_STATUS])
    if room(p) <= 0.0:
        return WALL_STATUS
    if p.problem == BALL:
        if y[0] < 0.0 and p.touch[0] == 0.0:
            p.touch[0] = max(-y[1], 0.05)
            return RHS_CHANGED
        if y[0] >= 0.0 and p.touch[0] > 0.0:
            p.touch[0] = 0.0
            return RHS_CHANGED
    return 0


@kernel
def record(t, y, p, row):
    """All states, then the memory. Spoils the scratch arrays, as a formulation may."""
    p.calls[1] += 1.0
    p.scratch[0] = np.nan
    row[0] = t
    for j in range(y.size):
        row[1 + j] = y[j]
    row[1 + y.size] = p.touch[0]


@kernel
def frequency(y, p):
    """c + sqrt(c^2 + w^2) of the oscillator and of the ball in contact, with w^2 the slope of its force; else 0."""
    if p.problem == OSCILLATOR:
        rate = 2.0 * p.number[DAMPING] * p.number[FREQUENCY]
        return rate + math.sqrt(rate * rate + p.number[FREQUENCY] ** 2)
    if p.problem == BALL and y[0] < 0.0:
        return math.sqrt(1.5 * p.number[STIFFNESS] * math.sqrt(-y[0]))
    return 0.0


@kernel
def begin(t, y, p):
    p.calls[2] += 1.0
    p.touch[0] = 0.0
    return int(p.number[BEGIN_STATUS])


def system(
    problem: int,
    positions: list[float],
    velocities: list[float],
    *,
    work: bool = False,
    stops: tuple[float, ...] = (),
    highest_frequency: float = 1.0,
    **numbers: float,
) -> System:
    """A system of one of the problems; ``numbers`` by their lower-case names, such as frequency=2.0."""
    number = np.zeros(12)
    number[[NAN_TIME, FAIL_TIME]] = np.inf
    number[WALL] = -np.inf
    for name, value in numbers.items():
        number[globals()[name.upper()]] = value
    n = len(positions)
    state = np.array([*positions, *velocities, *([0.0] if work else [])])
    parameters = Parameters(problem, n, number, np.zeros(1), np.zeros(3), np.zeros(LOG_SIZE), np.zeros(2))
    return System(
        kernels=Kernels(rhs, accept, record, begin, frequency, margin=room),
        parameters=parameters,
        memory=("touch",),
        state=state,
        positions=n,
        kinds=np.array([Kind.LENGTH] * n + [Kind.SPEED] * n + [Kind.WORK] * work, dtype=np.int64),
        channels=(Channel("everything", ("place",), "", "time, states, memory", 0, (state.size + 2,)),),
        labels={},
        masses=np.ones(n),
        motion=Motion(rolling=np.zeros(n), highest_frequency=highest_frequency, stops=np.array(stops)),
        scratch=("scratch",),
    )


def accepted_times(s: System) -> FloatArray:
    """Instants for which accept was called."""
    return s.parameters.log[1 : 1 + int(s.parameters.log[0])]


def oscillator(work: bool = False, **options: Any) -> System:
    return system(OSCILLATOR, [1.0], [0.0], work=work, frequency=2.0, damping=0.1, highest_frequency=2.0, **options)


def oscillator_exact(t: FloatArray | float) -> FloatArray:
    """An oscillator from rest at 1 with w = 2, D = 0.1: x, v and the loss x0^2 w^2/2 - (v^2 + w^2 x^2)/2;
    shape (..., 3)."""
    w, d = 2.0, 0.1
    t = np.asarray(t, dtype=float)
    wd = w * math.sqrt(1.0 - d * d)
    decay = np.exp(-d * w * t)
    x = decay * (np.cos(wd * t) + d * w / wd * np.sin(wd * t))
    v = -decay * w * w / wd * np.sin(wd * t)
    return np.stack([x, v, 0.5 * w * w - 0.5 * (v * v + w * w * x * x)], axis=-1)


def kepler(eccentricity: float = 0.5) -> System:
    """Orbit of semi-axis 1 and period 2 pi, started at the near point."""
    e = eccentricity
    return system(KEPLER, [1.0 - e, 0.0], [0.0, math.sqrt((1.0 + e) / (1.0 - e))], highest_frequency=(1.0 - e) ** -1.5)


def kepler_exact(t: FloatArray | float, eccentricity: float = 0.5) -> FloatArray:
    """Kepler's equation E - e sin E = t solved by Newton's method; x, y and their rates, shape (..., 4)."""
    e = eccentricity
    t = np.asarray(t, dtype=float)
    big_e = t + e * np.sin(t)
    for _ in range(50):
        big_e = big_e - (big_e - e * np.sin(big_e) - t) / (1.0 - e * np.cos(big_e))
    b = math.sqrt(1.0 - e * e)
    rate = 1.0 / (1.0 - e * np.cos(big_e))
    return np.stack([np.cos(big_e) - e, b * np.sin(big_e), -np.sin(big_e) * rate, b * np.cos(big_e) * rate], axis=-1)


def ball(**options: Any) -> System:
    """A ball dropped from 0.1 m: contact w = sqrt(K d^0.5) ~ 60 rad/s, about one bounce per 0.2 s."""
    given = {"highest_frequency": 100.0} | options
    return system(BALL, [0.1], [0.0], stiffness=2e4, restitution=0.7, **given)


def run(integrator: Any, until: float, budget: int = 10**9) -> tuple[Status, FloatArray, FloatArray]:
    """Times and rows of a run to its end or to its failure."""
    times, rows = [], []
    while True:
        status = integrator.advance(until, budget)
        t, r = integrator.take_rows()
        times.append(t)
        rows.append(r)
        if status != Status.RUNNING:
            return status, np.concatenate(times), np.concatenate(rows)

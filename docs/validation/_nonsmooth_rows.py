"""Rows of the page about rigid contacts: closed-form solutions and published values, compared with the results of each
method.

Tests assert every row within its tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from _nonsmooth_systems import WOODPECKER_START, block, body, bowl, cradle, rod, woodpecker

from chaindrive.solvers.complementarity import Outcome, solve_contacts
from chaindrive.solvers.nonsmooth import LAWS, TIME_STEPPING, EventDriven, TimeStepping, impact

__all__ = ["ROWS", "Row", "orders"]

EVENTS = "event-driven"
G = 9.81
"""Weight of a mass of 1 kg. [N]"""


class Row(NamedTuple):
    """A known value and the computed one."""

    problem: str
    quantity: str
    unit: str
    method: str
    wanted: float
    found: float
    tolerance: float
    """Tolerance for the difference, in the same unit."""

    @property
    def kept(self) -> bool:
        """Whether the difference is within the tolerance."""
        return abs(self.found - self.wanted) <= self.tolerance


def oscillator() -> list[Row]:
    """Mass on a spring with dry friction, m = k = mu N = 1, x0 = 12, v0 = 6.

    In the phase plane, the half periods are semicircles about -1 and 1 in turn: the first turning point is sqrt(205) -
    1 after atan(6/13), and each following one is nearer by 2, until the spring no longer overcomes friction.
    """
    turning, place = math.sqrt(205.0) - 1.0, math.sqrt(205.0) - 1.0 - 14.0
    stopped = math.atan(6.0 / 13.0) + 7.0 * math.pi
    system, rows = block(1.0, 1.0, 0.0, 1.0, friction=1.0), []
    for method, step in ((EVENTS, 0.0), *((name, 1e-3) for name in TIME_STEPPING)):
        if method == EVENTS:
            times = np.linspace(0.0, 24.0, 24_001)
            found = EventDriven(system).run((12.0, 0.0), (6.0, 0.0), times)
            x, end = found.position[:, 0], found.events[-1].time
        else:
            steps = TimeStepping(system, method, step=step).run((12.0, 0.0), (6.0, 0.0), 24.0)
            x, moves = steps.position[:, 0], np.abs(steps.velocity[:, 0]) > 1e-9
            end = float(steps.time[np.flatnonzero(moves)[-1]])
        # Of first order in the step after 8 changes of friction; between two rows a turning point is 14 h^2/8 higher.
        rows += [
            Row("Coulomb oscillator", "first turning point", "m", method, turning, float(x.max()), max(2e-6, step)),
            Row("Coulomb oscillator", "sticks at", "m", method, abs(place), float(x[-1]), max(1e-7, step)),
            Row("Coulomb oscillator", "sticks after", "s", method, stopped, end, max(1e-7, 5.0 * step)),
        ]
    return rows


def belt() -> list[Row]:
    """Stick-slip of a mass on a belt: the mass sticks until the spring force reaches static friction, then it slips.

    With Delta = (mu_s - mu_k) N/k, it sticks for the time 2 Delta/v0 and slips for (2 pi - 2 atan(w Delta/v0))/w, about
    mu_k N/k with the radius sqrt(Delta^2 + (v0/w)^2).
    """
    k, weight, static, sliding, speed = 100.0, 10.0, 0.5, 0.3, 0.1
    w, delta, centre = math.sqrt(k), (static - sliding) * weight / k, sliding * weight / k
    radius, period = (
        math.hypot(delta, speed / w),
        2.0 * delta / speed + 2.0 * (math.pi - math.atan(w * delta / speed)) / w,
    )
    system = block(1.0, k, 0.0, weight, belt=speed, friction=sliding, static_friction=static)
    start, rows = ((centre, 0.0), (speed, 0.0)), []
    for method, step in ((EVENTS, 0.0), *((name, 1e-3) for name in TIME_STEPPING)):
        times = np.linspace(0.0, 6.0, 6001)
        if method == EVENTS:
            found = EventDriven(system).run(*start, times)
            x, slips = found.position[:, 0], [event.time for event in found.events if event.kind == "slips"]
        else:
            steps = TimeStepping(system, method, step=step).run(*start, 6.0)
            x, sticks = steps.position[:, 0], np.abs(steps.velocity[:, 0] - speed) < 1e-9
            slips = list(steps.time[np.flatnonzero(sticks[:-1] & ~sticks[1:])])
        whole = (slips[-1] - slips[0]) / (len(slips) - 1)
        half = x.size // 2
        rows += [
            Row("stick-slip on a belt", "period", "s", method, period, whole, max(1e-7, 2.0 * step)),
            Row(
                "stick-slip on a belt",
                "farthest",
                "m",
                method,
                centre + radius,
                x[half:].max(),
                max(1e-7, speed * step),
            ),
            Row(
                "stick-slip on a belt", "nearest", "m", method, centre - radius, x[half:].min(), max(1e-7, speed * step)
            ),
        ]
    return rows


def incline() -> list[Row]:
    """A block on an incline, which slides with the acceleration g (sin a - mu cos a) if tan a is above the static
    coefficient.
    """
    rows = []
    for degrees, sliding, static in ((20.0, 0.4, 0.5), (30.0, 0.4, 0.5), (10.0, 0.0, 0.0)):
        a = math.radians(degrees)
        wanted = G * (math.sin(a) - sliding * math.cos(a)) if math.tan(a) > static else 0.0
        system = block(1.0, 0.0, G * math.sin(a), G * math.cos(a), friction=sliding, static_friction=static)
        for method in (EVENTS, *TIME_STEPPING):
            if method == EVENTS:
                speed = EventDriven(system).run((0.0, 0.0), (0.0, 0.0), (0.0, 1.0)).velocity[-1, 0]
            else:
                speed = TimeStepping(system, method, step=1e-3).run((0.0, 0.0), (0.0, 0.0), 1.0).velocity[-1, 0]
            quantity = f"acceleration at {degrees:g} degrees{'' if static else ', no friction'}"
            rows.append(Row("incline", quantity, "m/s^2", method, wanted, float(speed), 1e-9))
    return rows


def cradles() -> list[Row]:
    """Three balls, of which the first hits two that touch, and three balls with gaps between them."""
    touching = {1.0: (-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0), 0.5: (0.0, 0.5, 0.5), 0.0: (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0)}
    rows = []
    for law in LAWS:
        for restitution, wanted in touching.items():
            system = cradle(3, restitution=restitution)
            found = EventDriven(system, law=law).run((0.0, 0.1, 0.2), (1.0, 0.0, 0.0), (0.0, 0.1)).velocity[-1]
            rows += [
                Row("cradle", f"ball {i + 1}, restitution {restitution:g}", "m/s", law, wanted[i], found[i], 1e-12)
                for i in range(3)
            ]
    system = cradle(3, restitution=1.0)
    found = EventDriven(system).run((0.0, 0.1 + 1e-6, 0.2 + 2e-6), (1.0, 0.0, 0.0), (0.0, 0.1)).velocity[-1]
    rows += [
        Row("cradle with gaps", f"ball {i + 1}, restitution 1", "m/s", "newton", wanted, found[i], 1e-9)
        for i, wanted in enumerate((0.0, 0.0, 1.0))
    ]
    return rows


def on_its_left_corner(width: float, height: float, tilt: float) -> np.ndarray:
    """Position of a block of :func:`body` that is tilted (counter-clockwise) on its left corner, (3,)."""
    x = -0.5 * width * math.cos(tilt) + 0.5 * height * math.sin(tilt)
    y = -0.5 * width * math.sin(tilt) - 0.5 * height * math.cos(tilt)
    return np.array([-x, -y, tilt])


def rocking() -> list[Row]:
    """Housner's rocking block (1963): after each impact, a fraction 1 - 1.5 sin^2(alpha) of the angular speed remains.

    The motion about the corner follows phi'' = p^2 sin(alpha - phi) towards the upright position, with p^2 = 3g/(4R).
    For small angles a full period lasts 4/p acosh(1/(1 - phi0/alpha)); the row gives a quarter of it, from rest to the
    impact.
    """
    width, height = 0.02, 0.2
    alpha, radius = math.atan(width / height), 0.5 * math.hypot(width, height)
    p, tilt = math.sqrt(0.75 * G / radius), 0.3 * math.atan(width / height)
    system = body(width, height, friction=5.0)
    times = np.linspace(0.0, 0.5, 5001)
    found = EventDriven(system).run(on_its_left_corner(width, height, tilt), np.zeros(3), times)
    first = found.events[0].time
    i = int(np.searchsorted(times, first))
    before = -p * math.sqrt(2.0 * (math.cos(alpha - tilt) - math.cos(alpha)))
    after = found.velocity[i, 2] - p * p * math.sin(alpha) * (times[i] - first)
    quarter = math.acosh(1.0 / (1.0 - tilt / alpha)) / p
    # sin(alpha - phi) for alpha - phi: alpha^2/6 of the acceleration at the most, 0.17 %, half of it of the time.
    kept = 1.0 - 1.5 * math.sin(alpha) ** 2
    return [
        Row("rocking block", "rest to impact", "s", EVENTS, quarter, first, alpha**2 / 12.0 * quarter),
        Row("rocking block", "speed kept in an impact", "-", EVENTS, kept, float(after / before), 1e-6),
    ]


def bouncing() -> list[Row]:
    """A ball that falls from 1 m with restitution 1/2 comes to rest after infinitely many impacts, at the time
    sqrt(2/g) (1 + 2e/(1 - e)).
    """
    restitution = 0.5
    wanted = math.sqrt(2.0 / G) * (1.0 + 2.0 * restitution / (1.0 - restitution))
    system = block(1.0, 0.0, 0.0, G, restitution=restitution)
    found = EventDriven(system).run((0.0, 1.0), (0.0, 0.0), (0.0, 2.0), most_events=100)
    # The bounces that ``rest_speed`` leaves out last 2 v e/(1 - e)/g, v = 1e-5 m/s.
    tolerance = 2e-5 / G * restitution / (1.0 - restitution) * 2.0
    return [
        Row("bouncing ball", "comes to rest after", "s", EVENTS, wanted, found.events[-1].time, tolerance),
        Row("bouncing ball", "lies at", "m", EVENTS, 0.0, float(found.position[-1, 1]), 1e-9),
        Row("bouncing ball", "energy lost in impacts", "J", EVENTS, -G, sum(e.energy for e in found.events), 1e-8),
    ]


def painleve() -> list[Row]:
    """Angle at which a rod that slides on its lower end jams: 1 + 3 cos^2(phi) = 3 mu sin(phi) cos(phi) (Painleve
    1895).

    With mu = 2 this gives tan(phi) = 3 +- sqrt(5). The row gives the tilt at which the first jamming configuration is
    reported, found by bisection of the initial tilt.
    """
    friction = 2.0
    wanted = math.atan(3.0 - math.sqrt(5.0))
    solver = EventDriven(rod(1.0, friction=friction))

    def jams(tilt: float) -> bool:
        place = (math.cos(tilt), math.sin(tilt), tilt)
        found = solver.run(place, (-1.0, 0.0, 0.0), (0.0, 1e-6))
        return found.status.name == "PAINLEVE" and found.status.where == "contact 'tip of the rod'"

    low, high = 0.1, 1.0
    while high - low > 1e-7:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if jams(middle) else (middle, high)
    # The jam is named a little before, where the inverse inertia is 1e-9 of that without friction, or within 1e-6 s.
    return [Row("Painleve's rod", "tilt at which it jams, pushed", "rad", EVENTS, wanted, high, 2e-6)]


WOODPECKER = {
    "y": (0, 0, "m"),
    "phi_M": (0, 1, "rad"),
    "phi_S": (0, 2, "rad"),
    "y'": (1, 0, "m/s"),
    "phi_S'": (1, 2, "rad/s"),
}
"""Quantities of the reference: whether it is a position or a velocity, and its index."""
REFERENCE = (-0.0413482, -0.1034685, -0.3409340, -0.260137, -8.32756)
"""Woodpecker.ref of siconos-tutorials at t = 0.29998 s: Moreau-Jean with steps of 20 us."""
REFERENCE_TIME, REFERENCE_STEP = 0.29998, 2e-5
STEP_ERROR = (3e-5, 3e-5, 1.5e-3, 2e-3, 0.02)
"""Error of the reference due to its step: the method is of first order, with errors from impacts."""
SAME_STEP = (3e-6, 3e-5, 1.5e-4, 2e-4, 2e-3)
"""Difference between implementations of the same method with the same step, due to the position at which forces are
evaluated, and for a resting sleeve due to its penetration depth.
"""


def woodpeckers() -> list[Row]:
    """Glocker's woodpecker toy (Glocker & Studer 2005), compared with the reference of Siconos."""
    system, rows = woodpecker(), []
    for method in (*TIME_STEPPING, EVENTS):
        if method == EVENTS:
            found = EventDriven(system).run(*WOODPECKER_START, (0.0, REFERENCE_TIME))
            last = found.position[-1], found.velocity[-1]
        else:
            steps = TimeStepping(system, method, step=REFERENCE_STEP).run(*WOODPECKER_START, REFERENCE_TIME, every=100)
            last = steps.position[-1], steps.velocity[-1]
        tolerances = SAME_STEP if method == "moreau-jean" else STEP_ERROR
        for (name, (which, j, unit)), wanted, tolerance in zip(WOODPECKER.items(), REFERENCE, tolerances, strict=True):
            rows.append(Row("woodpecker", name, unit, method, wanted, float(last[which][j]), tolerance))
    return rows


def random_problems(count: int = 1000) -> list[Row]:
    """Random contact problems in which 2 of 6 contacts slide, in both forms of Eq. 8."""
    rng, worst, rays, pivots = np.random.default_rng(1997), 0.0, 0, np.zeros(2)
    for _ in range(count):
        mass = rng.normal(size=(14, 14))
        mass = mass @ mass.T + np.eye(14)
        w = rng.normal(size=(14, 12))
        inertia, free = w.T @ np.linalg.solve(mass, w), rng.normal(size=12)
        sliding = np.zeros(6)
        sliding[:2] = rng.choice((-1.0, 1.0), 2)
        friction = rng.uniform(0.0, 0.3, 6)
        compact, paper = (
            solve_contacts(inertia, free, friction, sliding=sliding, form=form) for form in ("compact", "paper")
        )
        rays += sum(found.outcome is not Outcome.SOLVED for found in (compact, paper))
        pivots += np.array([compact.iterations, paper.iterations])
        worst = max(worst, float(np.abs(compact.force - paper.force).max()))
    problem = f"{count} random contact problems"
    return [
        Row(problem, "largest difference between the two forms", "N", "Lemke", 0.0, worst, 1e-9),
        Row(problem, "not solved", "-", "Lemke", 0.0, float(rays), 0.0),
        # A prototype measured these means on 300 such problems.
        Row(problem, "pivots, compact form", "-", "Lemke", 8.3, pivots[0] / count, 0.5),
        Row(problem, "pivots, the paper's form", "-", "Lemke", 12.0, pivots[1] / count, 0.5),
    ]


def random_impacts(count: int = 500) -> list[Row]:
    """The largest gain of kinetic energy in random impacts of 1 to 6 contacts with friction, in systems with 2 to 14
    velocities.
    """
    rng, rows = np.random.default_rng(1956), []
    for law in LAWS:
        for same in (True, False):
            gain, failed = -math.inf, 0
            for _ in range(count):
                k, f = int(rng.integers(1, 7)), int(rng.integers(2, 15))
                mass = rng.normal(size=(f, f))
                mass = mass @ mass.T + 0.1 * np.eye(f)
                w, u = rng.normal(size=(f, 2 * k)), rng.normal(size=f)
                restitution = np.full(k, rng.uniform()) if same else rng.uniform(size=k)
                inertia = w.T @ np.linalg.solve(mass, w)
                found = impact(inertia, w.T @ u, rng.uniform(0.0, 1.0, k), restitution, law)
                failed += found.outcome is not Outcome.SOLVED
                after = u + np.linalg.solve(mass, w @ found.impulse)
                gain = max(gain, float(after @ mass @ after / (u @ mass @ u) - 1.0))
            which = "one restitution" if same else "several restitutions"
            problem = f"{count} random impacts, {which}"
            rows += [
                Row(problem, "energy gained, at most", "-", law, 0.0, max(gain, 0.0), 1e-12),
                Row(problem, "not solved", "-", law, 0.0, float(failed), 0.0),
            ]
    return rows


def _orders(errors: list[float]) -> float:
    """Order of convergence between the last two of several steps, each half of the one before."""
    return math.log2(errors[-2] / errors[-1])


def _order_after_impact(method: str) -> float:
    """Order of convergence for a ball after an impact, between steps of about 4 and 0.4 ms.

    The error depends on the instant of the impact within a step, which is arbitrary; therefore the RMS over several
    steps is used.
    """
    system, until = block(1.0, 0.0, 0.0, G, restitution=0.5), 0.8
    fall = math.sqrt(2.0 / G)
    height = 0.5 * G * fall * (until - fall) - 0.5 * G * (until - fall) ** 2
    sizes = []
    for step in (4e-3, 4e-4):
        errors = []
        for h in step * np.geomspace(0.7, 1.4, 16):
            solver = TimeStepping(system, method, step=until / round(until / h))
            errors.append(float(solver.run((0.0, 1.0), (0.0, 0.0), until, every=10_000).position[-1, 1]) - height)
        sizes.append(float(np.sqrt(np.mean(np.square(errors)))))
    return math.log10(sizes[0] / sizes[1])


def orders() -> list[Row]:
    """Order of convergence for a free oscillator, a particle that slides in a bowl with friction, and a bouncing
    ball.
    """
    rows = []
    free, slides = block(1.0, 100.0, 0.0, 0.0), bowl(1.0, friction=0.2)
    start = (math.sin(1.0), -math.cos(1.0)), (0.0, 0.0)
    tight = EventDriven(slides, rtol=1e-12, atol=1e-14).run(*start, (0.0, 0.5)).position[-1]
    for method, wanted in zip(TIME_STEPPING, ((2.0, 1.0), (2.0, 2.0)), strict=True):
        errors: dict[str, list[float]] = {"free": [], "sliding": []}
        for n in (50, 100, 200, 400):
            x = TimeStepping(free, method, step=1.0 / n).run((0.1, 1.0), (0.0, 0.0), 1.0).position[-1, 0]
            errors["free"].append(abs(float(x) - 0.1 * math.cos(10.0)))
            place = TimeStepping(slides, method, step=0.5 / n).run(*start, 0.5).position[-1]
            errors["sliding"].append(float(np.abs(place - tight).max()))
        rows += [
            Row("order of convergence", name, "-", method, number, _orders(errors[name]), 0.1)
            for name, number in zip(errors, wanted, strict=True)
        ]
        rows.append(Row("order of convergence", "after an impact", "-", method, 1.0, _order_after_impact(method), 0.15))
    place = EventDriven(slides, rtol=1e-9, atol=1e-11).run(*start, (0.0, 0.5)).position[-1]
    error = float(np.abs(place - tight).max())
    rows.append(Row("error at a tolerance of 1e-9", "sliding", "m", EVENTS, 0.0, error, 1e-8))
    return rows


ROWS: tuple[Callable[[], list[Row]], ...] = (
    oscillator,
    belt,
    incline,
    cradles,
    rocking,
    bouncing,
    painleve,
    woodpeckers,
    random_problems,
    random_impacts,
    orders,
)
"""Functions that make rows."""

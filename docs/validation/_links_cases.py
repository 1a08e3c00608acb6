"""The runs of the page about rigid links. Each is stored in its own file, so that a call continues where the last one
ended.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import chaindrive as cd
from chaindrive.mechanism.links import link_data
from chaindrive.model import Drive, LinkOptions, RollerOptions, SaveOptions, carried_over, override

V6, FOUR, CONVEYOR, MARINE = "v6-timing", "pfeiffer-roller", "industrial-08b", "6s90mc-c"
WORKS = ("work_input", "work_output", "work_articulation", "work_friction", "work_guide", "work_link_damping",
         "work_impact", "work_bearing", "work_tensioner")  # fmt: skip
SPANS = ("span_tension", "span_displacement", "wheel_angle", "wheel_speed")
CHAIN = (*SPANS, "link_tension", "contact_force", "contact_surface")
MOVING = ("tensioner_force", "tensioner_position", "joint_position")
LINKS = ("pin_force", "pin_gap")
REVOLUTION = {V6: 216 / 21 / 100.0, FOUR: 120 / 19 / 50.0}
"""One loop of the chain. [s]"""
CLEARANCE = {V6: 20e-6, FOUR: 20e-6, CONVEYOR: 50e-6, MARINE: 0.2e-3}
"""Bore of the bush less diameter of the pin: assumed values for new chains of this size. [m]"""
OIL = {"oil_damping": 20.0, "oil_film": 1e-5}


class Case(NamedTuple):
    """One run, which first settles; the part after that is examined."""

    key: str
    drive: Drive
    settles: float
    """Time in which the run settles [s]; 0 if it is examined from its start."""
    until: float
    """Length of the examined part. [s]"""
    rate: float
    """[Hz]"""
    channels: tuple[str, ...]
    formulation: RollerOptions | LinkOptions


class Kept(NamedTuple):
    """An available run."""

    case: Case
    solution: cd.Solution
    seconds: float
    """CPU time of the examined part. [s]"""


def kept(folder: Path, case: Case) -> Kept:
    """The run from its file; it is computed and written there if it is missing or different."""
    file, facts = folder / f"{case.key}.nc", folder / f"{case.key}.json"
    known = json.loads(facts.read_text()) if facts.exists() else {}
    if known.get("case") != digest(case):
        solution, seconds = _computed(case)
        solution.save(file, overwrite=True)
        known = {"seconds": seconds, "case": digest(case)}
        facts.write_text(json.dumps(known))
        print(f"{case.key}: {case.until:g} s in {seconds:.1f} s of CPU time", flush=True)
    return Kept(case, cd.open(file), float(known["seconds"]))


def digest(case: Case) -> str:
    """Digest of everything that determines a run."""
    told = case._replace(drive=case.drive.to_toml(), formulation=case.formulation.model_dump())
    return hashlib.sha256(repr(told).encode()).hexdigest()


def _computed(case: Case) -> tuple[cd.Solution, float]:
    begin, first = None, case.settles or 1e-5  # the first run of a kind compiles its kernels
    before = cd.simulate(
        case.drive, first, formulation=case.formulation, save=SaveOptions(rate=1e3, channels=("span_tension",))
    )
    if case.settles:
        begin = before
    # The works and energies are always kept.
    save = SaveOptions(rate=case.rate, channels=case.channels)
    since = time.process_time()
    found = cd.simulate(case.drive, case.until, formulation=case.formulation, save=save, initial=begin)
    if found.status != cd.Status.REACHED_END:
        raise SystemExit(f"{case.key}: {found.ending}")
    return found, time.process_time() - since


# Drives ---------------------------------------------------------------------------------------------------------------


def tight(name: str) -> Drive:
    """An example without clearance in its joints."""
    return with_clearance(cd.example(name), 0.0)


def rollers(drive: Drive) -> RollerOptions:
    """The drive with rollers and the contact and friction laws of the file."""
    return RollerOptions(**carried_over(drive.run.formulation.model_dump(), "roller"))


def links(drive: Drive, **options: Any) -> LinkOptions:
    """The drive with rigid links and the contact and friction laws of the file."""
    return LinkOptions(**(carried_over(drive.run.formulation.model_dump(), "link") | options))


def with_clearance(drive: Drive, clearance: float) -> Drive:
    """The drive with this clearance [m] in all joints."""
    return override(drive, {"chain.joint_clearance": clearance})


def with_inertia(drive: Drive, share: float) -> Drive:
    """The drive with links whose moment of inertia is this fraction of m P^2/4, that of two masses at their ends."""
    mass, pitch = link_data(drive).mass, drive.chain.pitch
    names = ("inner_link", "outer_link")
    given = {f"chain.{name}.mass": float(mass[i]) for i, name in enumerate(names)}
    given |= {f"chain.{name}.inertia": float(share * mass[i] * pitch**2 / 4.0) for i, name in enumerate(names)}
    return override(drive, given)


def own_share(drive: Drive) -> float:
    """Moment of inertia of the links, estimated from their plates, divided by m P^2/4."""
    data = link_data(drive)
    return float(data.inertia.mean() / (data.mass.mean() * drive.chain.pitch**2 / 4.0))


# The valve train of the V6, as the notes of its file describe it ------------------------------------------------------

LIFT, HALF_OPEN, VALVE, SPRING, RATE = 8e-3, math.radians(62.0), 0.08, 180.0, 25e3
LEAD = math.radians(110.0)


def camshaft_torque(rpm: float, angle: np.ndarray) -> np.ndarray:
    """Torque on the camshaft from three cylinders with two intake and two exhaust valves each, less its mean. [N m]

    The lift is s = LIFT (1 - x^2)^3 with x = angle/HALF_OPEN; a valve pushes with F = F0 + k s + m w^2 s'', and its
    torque is F s'.
    """
    speed = 0.5 * rpm * math.pi / 30.0
    total = np.zeros_like(angle)
    for cylinder in range(3):
        for lead in (0.0, LEAD):
            x = (angle + lead + cylinder * 2.0 * math.pi / 3.0 + math.pi) % (2.0 * math.pi) - math.pi
            u = np.clip(x / HALF_OPEN, -1.0, 1.0)
            lift = LIFT * (1.0 - u**2) ** 3
            slope = -6.0 * LIFT * u * (1.0 - u**2) ** 2 / HALF_OPEN
            bend = -6.0 * LIFT * ((1.0 - u**2) ** 2 - 4.0 * u**2 * (1.0 - u**2)) / HALF_OPEN**2
            total += 2.0 * (SPRING + RATE * lift + VALVE * speed**2 * bend) * slope
    return total


def orders_of_torque(rpm: float) -> dict[int, complex]:
    """Amplitude and phase of orders 3 and 6 of this torque as a function of the camshaft angle: amplitude cos(order
    angle + phase).
    """
    angle = np.linspace(0.0, 2.0 * math.pi, 7200, endpoint=False)
    spectrum = np.fft.rfft(camshaft_torque(rpm, angle)) / (0.5 * angle.size)
    return {order: complex(spectrum[order]) for order in (3, 6)}


def bank_torque(rpm: float) -> dict[str, list[float]]:
    """The load table of a bank of the V6 at a different speed, with the mean torque of the file. [rad], [N m]"""
    angle = np.radians(np.arange(0.0, 361.0, 10.0))
    terms = [abs(z) * np.cos(order * angle + np.angle(z)) for order, z in orders_of_torque(rpm).items()]
    torque = 6.0 + sum(terms)
    torque[-1] = torque[0]
    return {"angles": angle.tolist(), "torques": torque.tolist()}


# Cases ----------------------------------------------------------------------------------------------------------------

SHARES = (1.0, 0.5, 0.25, 1.0 / 16.0)
CLEARANCES = (50e-6, 20e-6, 5e-6, 1e-6, 0.2e-6, 0.0)
STIFFER = (4.0, 16.0)
"""Factors on the stiffness of the links."""
START = {CONVEYOR: 0.03, FOUR: 0.01}
"""Length of the first part of a run, in which convergence is examined. [s]"""
WINDOW = {V6: (0.1, 0.12), FOUR: (0.12, 0.16), CONVEYOR: (0.36, 0.36), MARINE: (1.6, 1.58)}
"""Time in which a drive settles, and duration of the whole working cycles or revolutions of the driver that follow.
[s]
"""
RATES = {V6: 50e3, FOUR: 50e3, CONVEYOR: 20e3, MARINE: 2e3}
VARIANTS = ("rollers", "points", "links", "clearance", "oil")
RUN_UP = (800.0, 6500.0)
"""[rpm]"""


def convergence_cases() -> list[Case]:
    """Cases of one file in both formulations from the same start, with several moments of inertia of the links and
    several clearances.
    """
    found = []
    channels = (*SPANS, "contact_force", "link_tension")
    for name in (CONVEYOR, FOUR):
        smooth = tight(name)
        rough = smooth
        if smooth.guides:
            smooth = override(smooth, {f"guides.{k}.contact.friction": 0.0 for k in range(len(smooth.guides))})
        ideal = links(smooth, joint="ideal")
        given = [("rollers", smooth, rollers(smooth))]
        given += [(f"inertia-{share:g}", with_inertia(smooth, share), ideal) for share in SHARES]
        given += [("own", smooth, ideal)]
        one = with_inertia(smooth, 1.0)
        given += [(f"clearance-{1e6 * c:g}", with_clearance(one, c), links(smooth)) for c in CLEARANCES]
        for factor in STIFFER:
            tighter = override(one, {"chain.link_stiffness": factor * one.chain.link_stiffness})
            given += [(f"stiff-{factor:g}-rollers", tighter, rollers(tighter)), (f"stiff-{factor:g}", tighter, ideal)]
        if rough.guides:
            given += [("friction-rollers", rough, rollers(rough)), ("friction", with_inertia(rough, 1.0), ideal)]
        found += [
            Case(f"start-{name}-{key}", drive, 0.0, START[name], 50e3, channels, chosen) for key, drive, chosen in given
        ]
    return found


def table_cases(name: str) -> list[Case]:
    """Cases of one drive with rollers, with links of the same moment of inertia, with links of their own moment of
    inertia, with clearance, and with oil in the clearance.
    """
    drive, (settles, until) = tight(name), WINDOW[name]
    loose, points = with_clearance(drive, CLEARANCE[name]), with_inertia(drive, 1.0)
    moving = MOVING if drive.tensioners else ()
    chosen = {
        "rollers": (drive, rollers(drive), ()),
        "points": (points, links(drive), LINKS),
        "links": (drive, links(drive), LINKS),
        "clearance": (loose, links(drive), LINKS),
        "oil": (loose, links(drive, **OIL), LINKS),
    }
    return [
        Case(f"{name}-{key}", one, settles, until, RATES[name], (*CHAIN, *moving, *more), formulation)
        for key, (one, formulation, more) in chosen.items()
    ]


def arrival_cases() -> list[Case]:
    """Cases of short runs in which velocities are stored."""
    keep = ("contact_surface", "contact_penetration", "roller_position", "roller_velocity", "link_angular_velocity",
            "wheel_position", "wheel_speed")  # fmt: skip
    found = []
    for name, until, rate in ((CONVEYOR, 0.08, 100e3), (V6, 0.01, 500e3)):
        drive = with_clearance(cd.example(name), CLEARANCE[name])
        found.append(Case(f"arrivals-{name}", drive, 0.05, until, rate, keep, links(drive)))
    return found


def slow_case() -> Case:
    """Case of the V6 at 2500 rpm, with the camshaft loads of that speed."""
    tables = {f"wheels.{bank}.load_table.{key}": values for bank in ("right bank", "left bank")
              for key, values in bank_torque(2500.0).items()}  # fmt: skip
    drive = override(cd.example(V6), {"wheels.0.motion.speed": "2500 rpm"} | tables)
    drive = with_clearance(drive, CLEARANCE[V6])
    return Case("v6-2500", drive, 0.144, 0.192, 20e3, (*SPANS, *MOVING), links(drive))


CRANK_INERTIA = 0.1
"""Estimated moment of inertia of crankshaft and flywheel. [kg m^2]"""


CRANK_FRICTION = 1.5
"""Mean torque of rails, joints and teeth during a run-up, from the speed that is missing at the end of a run-up with
0.5 N m. [N m]
"""


def run_up_case(duration: float) -> Case:
    """Case of the V6 from 800 to 6500 rpm in about this time [s], with its crankshaft driven by a torque and the gas
    forces.

    A run-up motion has no orders, and a motion with orders has one mean speed. Therefore the crankshaft turns freely,
    with a time-dependent torque for the acceleration and the mean loads and with an angle-dependent load for orders 3
    and 6.
    """
    given = cd.example(V6)
    angle = np.radians(np.arange(0.0, 361.0, 5.0))
    orders = [term for term in given.wheels[0].motion.orders if float(term.order).is_integer()]
    gas = sum(-CRANK_INERTIA * term.amplitude * np.sin(term.order * angle + term.phase) for term in orders)
    gas[-1] = gas[0]
    low, high = (rpm * math.pi / 30.0 for rpm in RUN_UP)
    loads = [6.0 + 0.002 * 0.5 * speed for speed in (low, high)]  # two banks at half the speed, seen at the crankshaft
    torques = [CRANK_INERTIA * (high - low) / duration + load + CRANK_FRICTION for load in loads]
    drive = override(
        given,
        {
            "wheels.0.motion": "none", "wheels.0.inertia": CRANK_INERTIA, "wheels.0.initial_speed": low,
            "wheels.0.torque": {"over": "time", "times": [0.0, duration], "torques": torques},
            "wheels.0.load_table": {"angles": angle.tolist(), "torques": gas.tolist()},
        },
    )  # fmt: skip
    drive = with_clearance(drive, CLEARANCE[V6])
    return Case(f"v6-run-up-{duration:g}", drive, 0.0, duration, 10e3, (*SPANS, *MOVING), links(drive))


def resonance_case() -> Case:
    """Case of the V6 with rollers and the motion of its file, at the speed at which the run-up resonates."""
    drive = override(tight(V6), {"wheels.0.motion.speed": "3500 rpm"})
    return Case("v6-3500-rollers", drive, 0.0, 0.15, 5e3, (*SPANS, *MOVING), rollers(drive))

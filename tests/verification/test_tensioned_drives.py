"""Tensioners in whole drives: their tension, the memory of ratchet and oil, files and continued runs."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import xarray
from scipy.optimize import brentq

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.contract.status import Status
from chaindrive.contract.system import System
from chaindrive.geometry.route import pitch_radius, route
from chaindrive.model import Body
from chaindrive.results import checkpoint
from support.small_drives import (
    ANCHOR,
    HOOK,
    PITCH,
    PIVOT,
    TIGHTENED_TEETH,
    SolverSettings,
    channel,
    compiled,
    hydraulic,
    mechanism,
    oil_tensioner,
    pulling,
    resting,
    rolling,
    run,
    tightened,
    tightener_place,
)

PISTON = 0.25 * math.pi * 0.012**2


def points(values) -> np.ndarray:
    """Vectors (..., 2) as complex numbers."""
    return np.asarray(values) @ [1.0, 1.0j]


def cross(a, b):
    """Moment of b at a."""
    return (np.conj(a) * b).imag


# ---- the spring


@pytest.mark.parametrize("preload", [-60.0, -240.0])
def test_tension_from_the_lever(preload):
    """T = F a/(b1 + b2): lever arms about the pivot, of the spring and of both spans at the tightener.

    Without gravity, friction and load the tension is the same everywhere. A soft spring keeps its preload. The arms are
    those of the reference configuration: the arm has turned by an angle, which changes them by this angle times the
    distances; and the chain leaves its wheels as a polygon, up to P^2/(8 R) off the tangent.
    """
    drive = tightened(spring={"stiffness": 100.0, "preload": preload}, gravity=(0.0, 0.0), link_stiffness=1e8)
    system = resting(compiled(drive, moving=False))
    pivot, wheel = complex(*PIVOT), complex(*tightener_place())
    way = route([w.position for w in drive.wheels], pitch_radius(PITCH, TIGHTENED_TEETH), [1.0, 1.0, 1.0])
    arriving, leaving = points(way.span_direction)[[1, 2]]
    ends = points(way.span_end)[1], points(way.span_start)[2]
    of_chain = cross(ends[1] - pivot, leaving) - cross(ends[0] - pivot, arriving)
    upwards = (complex(*ANCHOR) - complex(*HOOK)) / abs(complex(*ANCHOR) - complex(*HOOK))
    of_spring = cross(complex(*HOOK) - pivot, upwards)
    tension = channel(system, "link_tension")
    expected = preload * of_spring / of_chain
    turned = abs(channel(system, "joint_position")[0])
    radius = float(pitch_radius(PITCH, TIGHTENED_TEETH[2]))
    aside = turned * (abs(wheel - pivot) + radius) + PITCH**2 / (8.0 * radius)
    error = (
        2.0 * aside / abs(of_chain)
        + turned * abs(complex(*HOOK) - pivot) / abs(of_spring)
        + 100.0 * 1e-3 / abs(preload)
    )
    assert error < 0.15
    spans = channel(system, "span_tension")
    np.testing.assert_allclose(spans, expected, rtol=error)
    np.testing.assert_allclose(spans, spans[0], rtol=PITCH**2 / (8.0 * radius**2))  # a free polygon, too, is in balance
    assert tension.min() > 0.0


def test_the_step_of_verlet_reckons_with_the_tension_of_a_spring():
    """Friction in the joints of the chain damps in proportion to its tension: 740 N here, but 20 N at the kinematic
    start.
    """
    friction_given = {"joint_friction": 0.1, "pin_diameter": 0.0044}
    drive = tightened(spring={"preload": -600.0}, driven={"load_torque": 0.5}, link_stiffness=1e7, **friction_given)
    done = cd.simulate(drive, 0.01, solver=cd.SolverOptions(method="verlet"))
    assert done.status == Status.REACHED_END
    assert done.values("span_tension")[0].min() > 700.0
    assert done.audit.losses["articulation"] > 0.1 * done.audit.energy_exchanged
    assert done.audit.relative_residual < 1e-3


def bump(ratchet: dict | None, pitch: float = 0.0) -> System:
    """The driven wheel of a tightened drive moves 2 mm towards the driver and comes back."""
    carriages = [
        Body(name=name, parent=parent, joint={"kind": "prismatic", "direction": 0.0, "motion": motion})
        for name, parent, motion in (
            ("in", "ground", {"kind": "move", "by": -2e-3, "start": 0.01, "duration": 0.03}),
            ("out", "in", {"kind": "move", "by": 2e-3, "start": 0.05, "duration": 0.03}),
        )
    ]
    below = pulling(from_position=(0.01, -0.055), preload=60.0, stiffness=500.0, damping=200.0, ratchet=ratchet)
    drive = tightened(
        tensioners=[below], bodies=carriages, driven={"body": "out", "mass": 0.2, "bearing_damping": 0.2},
        driver={"motion": {"kind": "constant_speed", "speed": 0.0, "ramp": 0.0}}, joint_damping=0.01,
        tightener={"bearing_damping": 0.02}, contact={"restitution": 0.0}, gravity=(0.0, 0.0),
    )  # fmt: skip
    return resting(compiled(drive, moving=False))


@pytest.mark.parametrize("pitch", [None, 0.0, 0.5e-3])
def test_a_ratchet_keeps_the_chain_tight_after_a_bump(pitch):
    """Slack lets the arm rise; when the wheel comes back a pawl holds it and the chain must stretch."""
    stiffness = 1e6
    ratchet = None if pitch is None else {"stiffness": stiffness, "damping": 50.0, "pitch": pitch}
    system = bump(ratchet)
    done = run(system, 0.12, 1e-4, SolverSettings())
    assert done.status == Status.REACHED_END
    length, tension = done.channels["tensioner_position"][:, 0], done.channels["span_tension"].mean(axis=1)
    bumped = np.searchsorted(done.times, 0.05)
    assert length[bumped] - length[0] > 1.5e-3  # the arm has followed
    if ratchet is None:
        assert length[-1] == pytest.approx(length[0], abs=3e-4)  # rollers seat anywhere in their play
        assert tension[-1] == pytest.approx(tension[0], rel=0.05)
        return
    held = system.parameters.planar.latch[0]
    assert held == pytest.approx(length.max(), abs=1e-6 if pitch == 0.0 else pitch)
    if pitch:
        teeth = (held - math.dist((0.01, -0.055), HOOK)) / pitch
        assert teeth == pytest.approx(round(teeth), abs=1e-6)
        assert held <= length.max()
    assert tension[-1] > 1.5 * tension[0]
    # The element's force in excess of its spring is that of the pawl, by its stiffness.
    spring = 60.0 - 500.0 * (length[-1] - math.dist((0.01, -0.055), HOOK))
    pawl = done.channels["tensioner_force"][-1, 0] - spring
    assert pawl == pytest.approx(stiffness * (held - length[-1]), rel=0.05)
    assert pawl > 30.0
    # What the pawl's damper loses is accounted for, what it stores comes back.
    assert np.abs(done.channels["energy_residual"]).max() < 1e-5 * np.abs(done.channels["work_input"]).max()


# ---- oil


def rest_pressure() -> float:
    """Pressure at which the flow through the valve equals the leak: s C A sqrt(2 (p0 - p)/rho) = pi d h^3 p/(12 mu l),
    s = ((p0 - p) - po)/pr.
    """
    given = oil_tensioner()
    valve, gap = given.check_valve, given.leakage
    orifice = 0.25 * math.pi * valve.diameter**2 * valve.discharge_coefficient * math.sqrt(2.0 / given.oil.density)
    leak = math.pi * given.piston_diameter * gap.gap**3 / (12.0 * given.oil.viscosity * gap.length)

    def surplus(pressure: float) -> float:
        difference = given.supply_pressure - pressure
        lift = min(max((difference - valve.opening_pressure) / valve.opening_pressure, 0.0), 1.0)
        return lift * orifice * math.sqrt(difference) - leak * pressure

    return float(brentq(surplus, 0.0, given.supply_pressure, xtol=1e-9))


@cache
def oiled(**options) -> System:
    return resting(compiled(hydraulic(), moving=False, **options))


def test_pressure_at_rest():
    """Without motion the pressure stays where inflow and leak balance, and the piston pushes with A p."""
    still = resting(compiled(hydraulic(speed=0.0), moving=False))
    done = run(still, 0.02, 1e-3, SolverSettings())
    expected = rest_pressure()
    assert 0.9 * 3e5 < expected < 3e5 - 1e4
    pressure, force = done.channels["tensioner_pressure"][:, 0], done.channels["tensioner_force"][:, 0]
    np.testing.assert_allclose(pressure, expected, rtol=1e-6)
    np.testing.assert_allclose(force, PISTON * expected, rtol=1e-6)
    assert np.ptp(done.channels["tensioner_position"]) < 1e-8
    # The power that the pump puts in and the gap loses is no work on the chain.
    assert np.abs(done.channels["power_tensioner"]).max() < 1e-6


def test_oil_pressure_tightens_the_slack_span():
    """Moments about the pivot of the shoe, on average over a run: p A times its lever, weights, and the chain.

    The chain is cut on both sides of the shoe: links pull there, and rollers carry their momentum in and out. Means
    over twelve times two pitches; their spread shows how well the mean is known (three standard errors).
    """
    system = rolling(oiled())
    pitch, stretches, rows = 2.0 * math.pi / (20.0 * 16), 12, 2 * 160  # time in which the chain runs by a pitch
    done = run(system, 28 * pitch, 2 * pitch / rows, SolverSettings())
    assert done.status == Status.REACHED_END
    said = {name: values[-stretches * rows - 1 :] for name, values in done.channels.items()}
    pivot, hook, foot = 0.15 - 0.045j, 0.02 - 0.045j, 0.02 - 0.1j
    hook = pivot + np.exp(1j * said["body_angle"][:, 0]) * (hook - pivot)
    piston = cross(hook - pivot, PISTON * said["tensioner_pressure"][:, 0] * (hook - foot) / abs(hook - foot))
    own = cross(points(said["body_position"])[:, 0] - pivot, -9.81j * 0.1)
    place, tension, mass = points(said["roller_position"]), said["link_tension"], system.parameters.mass
    supported = mass * cross(place - pivot, points(said["roller_velocity"]))
    along = np.roll(place, -1, axis=1) - place
    pull = tension * along / abs(along)
    inside = (place.imag < 0.0) & (place.real > 0.02) & (place.real < 0.13)
    moment, slack = piston + own, []
    for row, within in enumerate(inside):
        (first,), (last,) = np.flatnonzero(within & ~np.roll(within, 1)), np.flatnonzero(within & ~np.roll(within, -1))
        moment[row] += (
            cross(place[row, last] - pivot, pull[row, last]) + cross(place[row, within] - pivot, -9.81j * mass).sum()
        )
        moment[row] -= cross(place[row, first] - pivot, pull[row, first - 1])
        slack.append(tension[row, [first - 1, last]].mean())
    moved = inside[1:].astype(float) - inside[:-1]  # +1 where a roller has come in, -1 where it has gone out
    moment = moment[1:] + (moved * supported[1:]).sum(axis=1) / (2 * pitch / rows)
    missing = np.array([part.mean() for part in np.split(moment, stretches)])
    tolerance = 3.0 * missing.std() / math.sqrt(stretches)
    assert missing.mean() == pytest.approx(0.0, abs=tolerance)
    assert tolerance < 0.02 * abs(piston.mean())
    assert np.mean(slack) > 20.0
    np.testing.assert_allclose(said["tensioner_force"], PISTON * said["tensioner_pressure"], rtol=1e-12)


def test_both_solvers_agree_on_oil():
    """Verlet of second order against Dormand-Prince: the difference falls with the square of its step.

    With smoothed friction and impacts that keep their speed, which have no kinks.
    """
    system = oiled(friction_law="smoothed", impact_memory="stored")
    tight = SolverSettings("dormand-prince", 0.0, 1e-11, 1e-11, 1e-7, 1e-7, 1e-2)
    until = 2e-3
    exact = run(rolling(system), until, 1e-4, tight).channels
    errors = []
    for step in (1.6e-6, 8e-7, 4e-7):
        found = run(rolling(system), until, 1e-4, SolverSettings("verlet", step=step)).channels
        change = np.ptp(exact["tensioner_pressure"])
        errors.append(np.abs(found["tensioner_pressure"] - exact["tensioner_pressure"]).max() / change)
    assert np.ptp(exact["tensioner_pressure"]) > 1e3
    assert errors[-1] < 1e-3
    assert errors[-1] < 0.2 * errors[0]


@pytest.mark.parametrize("method", ["dormand-prince", "verlet"])
def test_energy_with_oil(method):
    """All work on the oil counts as lost, even the part it returns, so that the audit closes without the state of the
    oil.
    """
    found = []
    for step in (None, 0.25):
        step = step and step * 0.8 / oiled().motion.highest_frequency
        level = 1e-8 if step is None else 1e-10
        settings = SolverSettings(method, 0.0, level, level, 1e4 * level, 1e4 * level, step=step)
        done = run(rolling(oiled()), 0.02, 2.5e-4, settings).channels
        found.append(np.abs(done["energy_residual"]).max() / done["work_input"].max())
        allowed = {"contact_penetration", "span_displacement"}
        assert {name for name in done if np.isnan(done[name]).any()} <= allowed
        assert np.abs(done["work_tensioner"]).max() > 1e-5
    assert found[0] < 1e-4
    assert found[1] < 0.3 * found[0]


# ---- files, and going on


class Stop:
    """A progress callback that interrupts the run once it has got far enough."""

    def __init__(self, after: float) -> None:
        self.after = after

    def __call__(self, progress: cd.Progress) -> None:
        if progress.time >= self.after:
            raise KeyboardInterrupt


RATCHET = {"stiffness": 1e5, "damping": 5.0, "pitch": 2e-5}


@pytest.mark.parametrize("method", ["dormand-prince", pytest.param("verlet", marks=pytest.mark.long)])
def test_oil_and_ratchet_go_on_bit_for_bit(method, tmp_path, monkeypatch):
    """Pressure is a state, the latch is memory: an interrupted run gives the same as a whole one."""
    drive = hydraulic(oil_tensioner(ratchet=RATCHET))
    # With a step that is given Verlet keeps its checkpoint at the cut; one that is followed goes back to the start of
    # its stretch (test_steps.py), here that of the run, where the latch has not moved yet.
    solver = cd.SolverOptions(method=method, step=1e-6 if method == "verlet" else None)
    save = cd.SaveOptions(rate=5000.0, channels="all", chunk_rows=7)
    until = 0.03
    whole = cd.simulate(drive, until, solver=solver, save=save)
    monkeypatch.setattr("chaindrive.simulation.simulate.BUDGET", 97 * 200)  # cut at odd places
    path = tmp_path / "run.nc"
    cut = cd.simulate(drive, until, solver=solver, save=save, output=path, progress=Stop(0.4 * until))
    assert cut.status == Status.INTERRUPTED
    cut.close()
    saved = np.load(checkpoint.name_for(path))
    latch = saved["solvememory_latch"]
    start = cd.simulate(drive, 1e-9, solver=solver, save=save).values("tensioner_position")[0, 0]
    assert latch[0] > start + 1e-5  # the pawl has moved on before the cut
    again = cd.simulate(drive, until, solver=solver, save=save, output=path, resume=True)
    assert again.status == Status.REACHED_END
    assert len(again.time) == len(whole.time)
    assert np.ptp(whole.values("tensioner_pressure")) > 1e3
    for name in whole.channels:
        np.testing.assert_array_equal(again.values(name), whole.values(name), err_msg=name)


def test_results_file_with_guides_bodies_and_tensioners(tmp_path, capfd):
    """Names and units are in the file for any reader, and chaindrive info reads it."""
    drive, path = mechanism(), tmp_path / "run.nc"
    save = cd.SaveOptions(rate=2000.0, channels="all")
    memory = cd.simulate(drive, 3e-3, save=save)
    cd.simulate(drive, 3e-3, save=save, output=path).close()
    units = {
        "guide_force": (("guide", "axis"), "N"),
        "joint_force": (("body", "axis"), "N"),
        "joint_moment": (("body",), "N m"),
        "joint_position": (("body",), "1"),
        "body_position": (("body", "axis"), "m"),
        "body_angle": (("body",), "rad"),
        "tensioner_position": (("tensioner",), "m"),
        "tensioner_force": (("tensioner",), "N"),
        "tensioner_pressure": (("tensioner",), "Pa"),
        "bearing_force": (("wheel", "axis"), "N"),
    }
    with xarray.open_dataset(path, engine="h5netcdf") as opened:
        for dim, names in (
            ("guide", ["rail", "bar", "floor"]),
            ("body", ["arm", "slide", "rocker", "bracket", "cradle"]),
            ("tensioner", ["spring", "inner"]),
        ):
            assert [str(name) for name in opened[f"{dim}_name"].values] == names
        for name, (dims, unit) in units.items():
            assert opened[name].dims == ("time", *dims), name
            assert opened[name].attrs["units"] == unit, name
            np.testing.assert_array_equal(opened[name].values, memory.values(name), err_msg=name)
        assert np.isnan(opened["tensioner_pressure"]).all()  # none has a chamber
    with cd.results.open(path) as opened:
        np.testing.assert_array_equal(opened.values("joint_position"), memory.values("joint_position"))
    capfd.readouterr()
    with pytest.raises(SystemExit) as ending:
        main(["info", str(Path(path))])
    out, err = capfd.readouterr()
    assert ending.value.code == 0, err
    for text in ("guide_force", "3 guide x 2 axis", "5 body", "2 tensioner", "lost in guide", "lost in tensioner"):
        assert text in " ".join(out.split()), text

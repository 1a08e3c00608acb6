"""A bicycle with an oval chainring: the cog follows the lever arm of the upper run, and energy is accounted for."""

import tomllib

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.analytical.oval import lever_arms
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import example_path, override

STIFFNESS, INERTIA = 30e6, 0.1


def bicycle(kind, contacts="compliant"):
    """The example 50x19 with a chainring of ovality 1.1, from a running start."""
    fields = tomllib.loads(example_path("bicycle-50x19").read_text(encoding="utf-8"))
    line = {"form": "ellipse", "ovality": 1.1, "angle": 0.3}
    fields["bicycle"] |= {"pitch_line": line, "straight_chainline": kind != "spatial"}
    method = "splitting" if kind == "spatial" else "auto" if contacts == "rigid" else "verlet"
    formulation = {"kind": kind} | ({} if kind == "spatial" else {"contacts": contacts})
    fields["run"] = {
        "until": "1.4 s",
        "start": "at_speed",
        "formulation": formulation,
        "solver": {"method": method},
        "save": {"rate": "2 kHz"},
    }
    return cd.Drive.from_dict(fields)


@pytest.mark.long
def test_rigid_contacts_pull_as_springs_do():
    """Where the ring is small, rollers stay within reach of its largest radius long after leaving it."""
    pulls = []
    for contacts in ("compliant", "rigid"):
        run = cd.simulate(override(bicycle("roller", contacts), {"run.until": 0.12}), progress=False)
        assert run.status.name == "REACHED_END", run.status.where
        pulls.append(np.interp(np.linspace(0.0, 0.12, 200), run.time, run.values("span_tension")[:, 3]))
    springs, rigid = pulls
    assert np.ptp(springs) > 400.0  # the wheel swings on the upper run
    assert np.abs(rigid - springs).max() < 0.1 * springs.max()
    assert rigid.mean() == pytest.approx(springs.mean(), rel=0.03)


@pytest.mark.long
def test_the_cog_follows_the_lever_arm_on_rigid_contacts():
    """The step is 30 us: with 40 us the difference varies by 0.1 % with the last bits of the start. The persistent free
    vibration of the wheel on the upper run is separated from its motion.

    A wheel that is shaken at 3 Hz follows by 1/(1 - (3/f0)^2), f0 the frequency of this vibration.
    """
    drive = override(bicycle("roller", "rigid"), {"run.solver.step": 3e-5})
    run = cd.simulate(drive, progress=False)
    assert run.status.name == "REACHED_END", run.status.where
    assert run.audit.relative_residual < 1e-5
    angle, speed = run.values("wheel_angle"), run.values("wheel_speed")
    turned = angle[0, 0] - angle[:, 0]
    whole = (turned >= 2.0 * np.pi) & (turned < 4.0 * np.pi)
    expected = lever_arms(drive, angle[whole, 0])[:, 0] / drive_facts(drive).pitch_radii[3]
    ratio, theta, t = speed[whole, 3] / speed[whole, 0], turned[whole], run.time[whole]
    assert ratio.mean() == pytest.approx(50 / 19, rel=2e-3)

    def fitted(values, frequency):
        phases = (*(k * theta for k in (2, 4, 6)), 2.0 * np.pi * frequency * t)
        columns = np.column_stack([np.ones_like(t), *(f(phase) for phase in phases for f in (np.cos, np.sin))])
        found = np.linalg.lstsq(columns, values, rcond=None)[0]
        return found[1] - 1j * found[2], np.std(columns @ found - values)

    own = min(np.arange(15.0, 20.0, 0.1), key=lambda frequency: fitted(ratio, frequency)[1])
    resonance = 1.0 / (1.0 - (3.0 / own) ** 2) - 1.0
    assert abs(fitted(ratio, own)[0] / fitted(expected, own)[0] - 1.0) < resonance + 0.01


@pytest.mark.long
@pytest.mark.parametrize("kind", ["roller", "link", "spatial"])
def test_the_cog_turns_as_fast_as_the_lever_arm_says(kind):
    drive = bicycle(kind)
    run = cd.simulate(drive)
    assert run.status.name == "REACHED_END"
    assert run.audit.relative_residual < 1e-5
    angle, speed = run.values("wheel_angle"), run.values("wheel_speed")
    turned = angle[0, 0] - angle[:, 0]
    whole = (turned >= 2.0 * np.pi) & (turned < 4.0 * np.pi)
    radius = drive_facts(drive).pitch_radii[3]
    expected = lever_arms(drive, angle[whole, 0])[:, 0] / radius
    ratio = speed[whole, 3] / speed[whole, 0]
    assert ratio.mean() == pytest.approx(50 / 19, rel=2e-3)
    twice = np.exp(2j * turned[whole])
    size, given = (np.mean((each - each.mean()) * twice) for each in (ratio, expected))
    # The inertia of the wheel swings on the upper run: f0 = R sqrt(k/(n J))/(2 pi) = 18 Hz, and 3 Hz excite it.
    links = drive_facts(drive).route.span_length[3] / drive.chain.pitch
    own = radius * np.sqrt(STIFFNESS / (links * INERTIA)) / (2.0 * np.pi)
    resonance = 1.0 / (1.0 - (3.0 / own) ** 2) - 1.0
    assert abs(size / given - 1.0) < resonance + 0.01

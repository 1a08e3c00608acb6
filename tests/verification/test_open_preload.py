"""Open chains with a required tension or sag: strings between two anchors, a sheave moved until they are taut."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from chaindrive.analyses.linear.linearised import frequencies_by_part, mode_shares, system_modes
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.model import FreeEnd, GroundEnd, Wheel
from chaindrive.simulation.start import channel_at_start, prepare
from support.open_drives import LINK_MASS, PITCH, open_drive

G = 9.81
LINKS, TENSION, STIFFNESS = 40, 500.0, 1e8
LENGTH = LINKS * PITCH
DENSITY = LINK_MASS / PITCH
TEETH = 19
RADIUS = PITCH / (2.0 * math.sin(math.pi / TEETH))


def string(kind="roller", **fields):
    """A string between two anchors on one level."""
    ends = (GroundEnd(position=(0.0, 0.0)), GroundEnd(position=(LENGTH, 0.0)))
    return open_drive(ends, LINKS, run={"formulation": {"kind": kind}}, **fields)


def over_a_sheave(height, **preload):
    """A chain of 90 links from the ground over an idle sheave back to the ground, symmetric, without gravity."""
    sheave = Wheel(
        name="sheave", teeth=TEETH, inertia=0.02, side="back", position=(0.0, height), tooth={"form": "smooth"}
    )
    ends = (GroundEnd(position=(-RADIUS, 0.0)), GroundEnd(position=(RADIUS, 0.0)))
    return open_drive(ends, 90, gravity=(0.0, 0.0), wheels=(sheave,), preload={"tension": TENSION} | preload)


@pytest.mark.parametrize("kind", ["roller", "link"])
def test_a_taut_string(kind):
    """N links K and two fittings of K in series: N p = L - T (N + 2) / K. f_j = 1/pi sqrt(T / (m l)) sin(j pi / 2N).

    That is the string's j sqrt(T / mu) / (2 L) but for (j pi / 2N)^2 / 6. Fittings yield to the end of a string by (T /
    l) / K = 2e-4 of a link; rigid links turn besides, which adds their inertia: (j pi / N)^2 / 12 of the mass at most.
    """
    started = prepare(string(kind, gravity=(0.0, 0.0), preload={"tension": TENSION}), start="at_rest")
    (tension,) = started.system.story.notes["static_span_tension"]
    assert tension == pytest.approx(TENSION, rel=1e-3)
    pitch = (LENGTH - tension * (LINKS + 2) / STIFFNESS) / LINKS
    assert started.drive.chain.pitch - PITCH == pytest.approx(pitch - PITCH, rel=1e-3)
    assert started.system.story.notes["preload_adjustment"].startswith("pitch changed by -0.0052")
    modes = system_modes(started.system, 3)
    found = frequencies_by_part(modes, mode_shares(started.system, modes))["ground - ground transverse"]
    mode = np.arange(1, 4)
    rows = np.sqrt(tension / (LINK_MASS * PITCH)) * np.sin(mode * np.pi / (2 * LINKS)) / np.pi
    string_of_it = mode * np.sqrt(tension / DENSITY) / (2.0 * LENGTH)
    np.testing.assert_allclose(found, rows, rtol=3e-4 if kind == "roller" else 3e-3)
    np.testing.assert_allclose(found[0], string_of_it[0], rtol=5e-4)


def test_a_sag_on_request():
    """Parabola: T = mu g L^2 / (8 f), which the chain in a catenary exceeds by (8/3) (f/L)^2 on average."""
    sag = 0.02
    system = prepare(string(preload={"sag": sag}), start="at_rest").system
    assert abs(channel_at_start(system, "span_displacement")[0]) == pytest.approx(sag, rel=1e-3)
    horizontal = DENSITY * G * LENGTH**2 / (8.0 * sag)
    assert channel_at_start(system, "span_tension")[0] == pytest.approx(horizontal, rel=2e-3)


@pytest.mark.parametrize(("height", "preload"), [(1.0, {"by": "wheel", "wheel": "sheave"}), (1.022, {"by": "pitch"})])
@pytest.mark.parametrize("span", ["ground - sheave", pytest.param(1, marks=pytest.mark.long)])
def test_over_an_idle_sheave_both_spans_have_it(height, preload, span):
    """The sheave turns freely, so T is that of either span; it is moved away from the anchors."""
    started = prepare(over_a_sheave(height, span=span, **preload), start="at_rest")
    tensions = channel_at_start(started.system, "span_tension")
    np.testing.assert_allclose(tensions, TENSION, rtol=1e-3)
    x, y = started.drive.wheels[0].position
    assert x == pytest.approx(0.0, abs=1e-12)
    assert (y > height) == (preload["by"] == "wheel")


def test_what_cannot_be_tightened_is_refused():
    ends = (GroundEnd(position=(0.0, 0.0)), FreeEnd(mass=3.0))
    with pytest.raises(InputError, match=r"preload: needs .* anchored at both ends.*chain\.ends\[1\]"):
        open_drive(ends, LINKS, preload={"tension": TENSION})
    with pytest.raises(InputError, match=r"preload\.by: the drive has no wheel.*by = 'pitch'"):
        string(preload={"tension": TENSION, "by": "wheel", "wheel": 0})
    with pytest.raises(InputError, match=r"preload\.span: must be from 0 to 0"):
        string(preload={"tension": TENSION, "span": 1})
    with pytest.raises(InputError, match=r"a tension of 500 N in span 0 \(ground - sheave\) cannot be reached"):
        prepare(over_a_sheave(1.0), start="at_rest")


def test_check_and_analyze_show_the_string(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    drive = string(gravity=(0.0, 0.0), preload={"tension": TENSION})
    Path("string.toml").write_text(drive.to_toml(), encoding="utf-8")

    def told_by(*words):
        with pytest.raises(SystemExit) as ended:
            main([*words])
        assert ended.value.code == 0
        return capsys.readouterr().out

    told = told_by("check", "string.toml", "--no-draw")
    assert "For the preload: pitch changed by -0.00525 mm to 25.39475 mm." in told
    assert "teeth" not in told
    told = told_by("analyze", "string.toml")
    assert "ground - ground at rest: 500 N" in told
    (line,) = [line for line in told.splitlines() if line.strip().startswith("ground - ground transverse")]
    first = math.sqrt(TENSION / DENSITY) / (2.0 * LENGTH)
    assert float(line.split()[4]) == pytest.approx(first, rel=1e-3)

"""Tables of bodies, tensioners and guides that ``chaindrive check`` prints."""

import io
import math

import numpy as np
import pytest
from rich.console import Console

from chaindrive.cli.check_mechanism import drawing_force, mechanism_tables, rest_tables
from chaindrive.model import example, example_path, loads
from chaindrive.simulation.at_rest import at_rest
from support.small_drives import compiled, two_wheels

PARTS = """
[[bodies]]
name = "arm"
mass = "300 kg"
inertia = "10 kg*m^2"
centre_of_mass = ["0.2 m", "4.7 m"]
[bodies.joint]
kind = "revolute"
position = ["0.49 m", "4.68 m"]
stiffness = "2 kN*m/rad"
load = "-50 N*m"
lower = "-5 deg"
upper = "4 deg"
stop_stiffness = "1 MN*m/rad"
[[bodies]]
name = "shoe"
parent = "arm"
mass = "2.5 kg"
joint = { kind = "prismatic", direction = "30 deg", position = ["0 m", "4 m"], \
motion = { kind = "harmonic", amplitude = "1 mm", frequency = "7 Hz" } }
[[bodies]]
name = "plate"
mass = "2 kg"
centre_of_mass = ["0 m", "3.9 m"]
joint = { kind = "fixed" }
[[tensioners]]                   # Pedersen (2004), section 5.8
name = "spring"
kind = "spring_damper"
from_position = ["-0.3 m", "5.625 m"]
to_body = "arm"
to_position = ["-0.3 m", "4.425 m"]
stiffness = "6 MN/m"
damping = "0.8 kN*s/m"
free_length = "1.19 m"
[[tensioners]]
name = "plunger"
kind = "hydraulic"
from_body = "plate"
from_position = ["0 m", "4 m"]
to_body = "shoe"
to_position = ["0 m", "4.05 m"]
piston_diameter = "12 mm"
chamber_length = "20 mm"
supply_pressure = "3 bar"
leakage = { gap = "30 um", length = "15 mm" }
oil = { viscosity = "10 mPa*s" }
stiffness = "5 N/mm"
preload = "20 N"
shortest = "45 mm"
stop_stiffness = "1 MN/m"
ratchet = { pitch = "1 mm", stiffness = "1 MN/m" }
[[guides]]
name = "bar"
shape = { kind = "on_span", span = 3, at = 0.4, side = "right", length = "1.2 m", end_radius = "0.4 m", \
end_length = "0.1 m", indentation = "5 mm", rotation = "1 deg" }
contact = { stiffness = "3 MN/m^1.5", exponent = 1.5, restitution = 0, friction = 0.1 }
[[guides]]
name = "rail"
body = "shoe"
shape = { kind = "path", start = ["0 m", "4 m"], direction = "0 deg", side = "left", \
pieces = [{ length = "60 mm" }, { length = "90 mm", radius = "0.6 m", bend = "right" }] }
contact_radius = 0
contact = { stiffness = "10 MN/m", exponent = 1, restitution = 0 }
"""


@pytest.fixture(scope="module")
def drive():
    text = example_path("6s90mc-c").read_text(encoding="utf-8")
    text = text.replace('name = "tightener"\n', 'name = "tightener"\nbody = "arm"\n')
    return loads(text.replace("[run]", PARTS + "\n[run]"))


def rows(table):
    """The rows of a table as it is printed, each a list of its cells."""
    console = Console(width=200, markup=False, record=True, file=io.StringIO())
    console.print(table)
    return console.export_text().splitlines()


def test_drives_without_a_mechanism_have_no_such_tables():
    assert mechanism_tables(example("6l60mc")) == []


def test_bodies(drive):
    shown = rows(mechanism_tables(drive)[0])
    arm, shoe, plate = (
        next(line for line in shown if f" {name} " in line) for name in ("0   arm", "1   shoe", "plate")
    )
    for part in ("turns about (490, 4680) mm", "300", "10", "tightener, shoe"):
        assert part in arm
    assert "2 kN m/rad; load -50 N m; stops at -5° and 4°; spring" in arm
    assert "slides at 30° on arm" in shoe
    assert "moved by ±1 mm at 7 Hz; plunger" in shoe
    assert "rail" in shoe
    assert "fixed to ground" in plate


def test_tensioners(drive):
    spring, plunger = drive.tensioners
    # 6 MN/m stretched from 1.19 m to 1.2 m; 20 N and 3 bar on 12 mm
    assert drawing_force(spring) == pytest.approx(-60e3, rel=1e-12)
    assert drawing_force(plunger) == pytest.approx(20.0 + 3e5 * math.pi * 0.006**2, rel=1e-12)
    shown = "\n".join(rows(mechanism_tables(drive)[1]))
    for part in ("1 200.00", "6000", "-60.000", "damping 800 N s/m", "50.00", "0.054", "force", "[kN]"):
        assert part in shown
    assert "piston of 12 mm, oil at 3 bar; gap of 30 µm; stops at 45 mm; ratchet of 1 mm" in shown


def test_guides(drive):
    shown = rows(mechanism_tables(drive)[2])
    bar, rail = (next(line for line in shown if name in line) for name in ("bar", "rail"))
    # contact at the radius of the rollers where nothing is said
    for part in ("ground", "right of span 3 at 0.4, turned by 1°", "1 200.0", "5.00", "36.20", "0.1", "3 MN/m^1.5"):
        assert part in bar
    for part in ("shoe", "path of 2 pieces, left of the chain", "150.0", "0.00", "10 MN/m"):
        assert part in rail
    assert "36.20" not in rail


def test_a_wheel_on_an_elastic_shaft_is_told_where_it_is_at_rest():
    """Moved by 0.3 mm along x and 0.4 mm along y; 1.5 / 40 per mm times 0.5 mm is 0.01875 rad."""
    drive = two_wheels(second={"shaft": {"length": 0.04, "diameter": 0.015}, "mass": 0.2})
    rest = at_rest(compiled(drive, moving=False))
    place = rest.wheel_positions.copy()
    place[1] = np.add(drive.wheels[1].position, (3e-4, 4e-4))
    (table,) = rest_tables(drive, rest._replace(wheel_positions=place))
    (line,) = (line for line in rows(table) if "elastic shaft" in line)
    assert line.split() == [
        "elastic", "shaft", "wheel", "driven", f"{1e3 * place[1, 0]:.2f}", f"{1e3 * place[1, 1]:.2f}", "500", "µm,",
        "tilted", "by", "1.07°",
    ]  # fmt: skip
    assert rest_tables(two_wheels(), rest) == []

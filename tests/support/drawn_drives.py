"""Drives that have everything a drawing can show."""

from chaindrive.model import example_path, loads

ARM = """
[[bodies]]                       # Pedersen (2004), section 5.8
name = "arm"
mass = "300 kg"
inertia = "10 kg*m^2"
centre_of_mass = ["0.1975 m", "4.7328 m"]
joint = { kind = "revolute", position = ["0.490 m", "4.680 m"] }

[[tensioners]]
name = "spring"
kind = "spring_damper"
from_position = ["-0.3 m", "5.625 m"]
to_body = "arm"
to_position = ["-0.3 m", "4.425 m"]
stiffness = "6 MN/m"
damping = "0.8 kN*s/m"
free_length = "1.19 m"
"""
RAIL = """
[[guides]]
name = "{name}"
body = "{body}"
shape = {{ kind = "on_span", span = {span}, at = {at}, side = "right", length = "1 m", end_radius = "0.4 m", \
end_length = "0.1 m", indentation = "5 mm" }}
contact = {{ stiffness = "3 MN/m^1.5", exponent = 1.5, restitution = 0, friction = 0.1 }}
"""
EVERY_PART = """
[[bodies]]
name = "carriage"
mass = "1 kg"
joint = { kind = "prismatic", direction = "0 deg", stiffness = "10 N/mm" }
[[bodies]]
name = "lever"
mass = "0.3 kg"
inertia = "0.002 kg*m^2"
centre_of_mass = ["200 mm", "25 mm"]
joint = { kind = "revolute", position = ["120 mm", "15 mm"], stiffness = "50 N*m/rad" }
[[bodies]]
name = "shoe"
parent = "lever"
mass = "0.2 kg"
centre_of_mass = ["290 mm", "25 mm"]
joint = { kind = "prismatic", direction = "90 deg", stiffness = "50 N/mm" }
[[bodies]]
name = "bracket"
mass = "0.5 kg"
centre_of_mass = ["300 mm", "-120 mm"]
joint = { kind = "fixed" }
[[tensioners]]
name = "plunger"
kind = "hydraulic"
from_position = ["210 mm", "-30 mm"]
to_body = "lever"
to_position = ["210 mm", "20 mm"]
piston_diameter = "12 mm"
chamber_length = "20 mm"
supply_pressure = "3 bar"
oil = { viscosity = "10 mPa*s" }
stiffness = "5 N/mm"
preload = "20 N"
[[guides]]
name = "rail"
body = "lever"
shape = { kind = "path", start = ["140 mm", "32 mm"], direction = "6 deg", side = "right", \
pieces = [{ length = "60 mm" }, { length = "90 mm", radius = "0.6 m", bend = "right" }], \
end_radius = "10 mm", end_length = "8 mm" }
contact = { stiffness = "10 MN/m", exponent = 1, restitution = 0 }
[[guides]]
name = "bar"
shape = { kind = "straight", start = ["450 mm", "-77 mm"], end = ["300 mm", "-65 mm"], side = "left" }
contact = { stiffness = "10 MN/m", exponent = 1, restitution = 0 }
"""


def with_parts(name, wheel, body, parts):
    """An example with one wheel on a body, and the given parts."""
    text = example_path(name).read_text(encoding="utf-8")
    text = text.replace(f'name = "{wheel}"\n', f'name = "{wheel}"\nbody = "{body}"\n')
    return loads(text.replace("[run]", parts.replace("\\\n", "") + "\n[run]"))


def marine():
    """The 6S90MC-C with its tightener arm and three guide bars."""
    rails = [("guide 1", "ground", 0, 0.5), ("guide 4a", "ground", 3, 0.3), ("guide 4b", "ground", 3, 0.7)]
    keys = ("name", "body", "span", "at")
    parts = ARM + "".join(RAIL.format(**dict(zip(keys, rail, strict=True))) for rail in rails)
    return with_parts("6s90mc-c", "tightener", "arm", parts)


def every_part():
    return with_parts("industrial-08b", "conveyor", "carriage", EVERY_PART)

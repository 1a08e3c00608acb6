"""Drives of a few wheels without gravity, for tests of parts that obstruct each other."""

from chaindrive.geometry.initial_configuration import fitting_links
from chaindrive.geometry.route import length_in_pitches, pitch_radius, route
from chaindrive.model import loads

PITCH, ROLLER = 0.0127, 0.00851 / 2
HEAD = """
name = "three wheels"
gravity = [0, 0]
[chain]
standard = "08B-1"
links = {links}
[contact]
stiffness = "3 GN/m^1.5"
exponent = 1.5
restitution = 0.3
"""
WHEEL = """
[[wheels]]
name = "{name}"
teeth = {teeth}
position = [{x}, {y}]
side = "{side}"
inertia = "4 kg*cm^2"
tooth = {{ form = "iso-606" }}
"""
MOTION = (
    'motion = { kind = "constant_speed", speed = "-500 rpm" }\n'  # clockwise: the driver pulls in the span behind it
)
ARM = """
[[bodies]]
name = "arm"
mass = 1
joint = { kind = "prismatic", direction = "90 deg", position = [0.25, 0], stiffness = "1 MN/m" }
"""
RAIL = """
[[guides]]
name = "rail"
shape = {{ kind = "straight", start = [{start}], end = [{end}], side = "right" }}
contact = {{ stiffness = "200 MN/m^1.5", restitution = 0.3 }}
"""


def drive(wheels, links=None, more="", last=""):
    """A drive of wheels (name, teeth, x, y, side), with a chain that is taut unless links are given.

    more: text behind the wheels; last: more keys of the last one.
    """
    signs = [1 if wheel[4] == "front" else -1 for wheel in wheels]
    teeth = [wheel[1] for wheel in wheels]
    way = route([wheel[2:4] for wheel in wheels], pitch_radius(PITCH, teeth), signs)
    needed = length_in_pitches(way, PITCH, teeth)
    # stretched or slack as it may be: the links that fit are the next whole number below, up to half a per cent
    count = links or (int(needed) if needed / int(needed) < 1.008 else fitting_links(needed))
    text = HEAD.format(links=count)
    for number, (name, z, x, y, side) in enumerate(wheels):
        text += WHEEL.format(name=name, teeth=z, x=x, y=y, side=side) + (MOTION if number == 0 else "")
    return loads(text + last + more)


def three(teeth, height, more="", links=None, on_body=False):
    """Two wheels of 17 teeth and an idler on the front between them, at this height above the line of their centres
    [m].
    """
    wheels = [("motor", 17, 0, 0, "front"), ("drum", 17, 0.5, 0, "front"), ("idler", teeth, 0.25, height, "front")]
    return drive(wheels, links, more, 'body = "arm"\nmass = 1\n' if on_body else "")


def two(more):
    return drive([("a", 17, 0, 0, "front"), ("b", 17, 0.5, 0, "front")], more=more)

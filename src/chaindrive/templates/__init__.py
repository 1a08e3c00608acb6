"""Templates: drives made from a few known values, with one file for each kind of drive.

``chaindrive new`` asks for these values; in Python each template is a function::

    made = cd.templates.two_wheels(power="2 kW", speed="500 rpm", ratio=2)
    made.drive  # a Drive
    made.save("drive.toml")  # made.text: the same with comments
"""

from chaindrive.templates.bicycle import bicycle
from chaindrive.templates.conveyor import conveyor
from chaindrive.templates.cvt import cvt
from chaindrive.templates.elevator import elevator
from chaindrive.templates.hoist import hoist
from chaindrive.templates.marine import marine
from chaindrive.templates.motorcycle import motorcycle
from chaindrive.templates.template import TEMPLATES, Made, Template
from chaindrive.templates.timing import timing
from chaindrive.templates.two_wheels import two_wheels

__all__ = [
    "TEMPLATES",
    "Made",
    "Template",
    "bicycle",
    "conveyor",
    "cvt",
    "elevator",
    "hoist",
    "marine",
    "motorcycle",
    "timing",
    "two_wheels",
]

"""Templates: drives made from a few numbers that one knows, one file for each trade.

``chaindrive new`` asks for the numbers; in Python each is a function::

    made = cd.templates.two_wheels(power="2 kW", speed="500 rpm", ratio=2)
    made.drive  # a Drive
    made.save("drive.toml")  # made.text: the same with comments
"""

from chaindrive.templates.template import TEMPLATES, Made, Template
from chaindrive.templates.two_wheels import two_wheels

__all__ = ["TEMPLATES", "Made", "Template", "two_wheels"]

"""Small files for the command line."""

from __future__ import annotations

__all__ = ["SMALL"]

SMALL = """\
name = "two wheels"
chain = { standard = "08B-1", links = 60 }
contact = { stiffness = "1 GN/m^1.5", restitution = 0.3 }

[[wheels]]
name = "driver"
teeth = 20
position = [0, 0]
tooth = { form = "iso-606" }
motion = { kind = "constant_speed", speed = "300 rpm" }

[[wheels]]
name = "driven"
teeth = 20
position = ["254.02 mm", 0]
inertia = "0.001 kg*m^2"
tooth = { form = "iso-606" }
load_torque = "1 N*m"

[run]
until = "4 ms"
solver = { method = "verlet" }
"""
"""A drive of two wheels, with a run of milliseconds."""

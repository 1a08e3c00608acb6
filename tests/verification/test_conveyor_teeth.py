"""A heavy, slow chain of long pitch on conveyor sprockets, and jammed on circular teeth."""

import pytest

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.model import loads

DRAG = """
name = "drag conveyor"
loop = "clockwise"
[chain]
pitch = "250 mm"
roller_diameter = "85 mm"
pin_diameter = "21 mm"
link_mass = "22 kg"
breaking_load = "224 kN"
links = 60
[contact]
stiffness = "3 GN/m^1.5"
friction = 0.1
[[wheels]]
name = "head"
teeth = 10
position = [0, 0]
inertia = "60 kg*m^2"
tooth = {{ form = "{form}" }}
motion = {{ kind = "constant_speed", speed = "-2 rpm", ramp = "3 s" }}
[[wheels]]
name = "tail"
teeth = 10
position = ["6.24 m", 0]
inertia = "60 kg*m^2"
load_torque = "6 kN*m"
tooth = {{ form = "{form}" }}
"""


def largest(form, until):
    """Largest tooth force of a run [N], and its energy residual over the energy exchanged."""
    solution = cd.simulate(loads(DRAG.format(form=form)), until=until)
    assert solution.status == Status.REACHED_END, solution.status.meaning
    return float(solution["tooth_force_max"].max()), solution.audit.relative_residual


@pytest.mark.long
def test_rollers_jam_on_circular_teeth_and_pass_those_with_flanks():
    """The obstruction of 2.47 mm would stretch a link with 190 kN; the chain hangs with 30 kN, and no tooth carries
    more.
    """
    jammed, _ = largest("circular", 8.0)
    assert jammed > 90e3
    for form in ("conveyor", "iso-606"):
        force, residual = largest(form, 8.0)
        assert force < 30e3, form
        assert residual < 1e-5

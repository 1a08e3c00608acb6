"""Texts of the page about variators on its tables and pictures."""

HEAD = """\
# The rocker-pin chain of a CVT

This page compares the variator of the example `cvt-63` with what F. Pfeiffer, P. Fritz and J. Srnik state about theirs
in *Nonlinear vibrations of chains* (1997), section 4.1, with an earlier prototype for the same data, and with runs of
itself with different steps, initial states and friction laws. The paper gives neither data nor values, so that only the
statements of its text about the figures can be compared. The page is written by [`variators.py`](variators.py); nothing
in a table of results is typed by hand except the values of the prototype.
"""

MARKS = """\
The table compares statements of the text about Figures 9 and 10, and the published shape of the thrust ratio, with the
example at 100 N m, from 0.3 to 0.5 s. The friction in a stored row is that of the last step.
"""

THRUST = """\
`chaindrive sweep cvt-63-thrust-ratio` computes these values. The thrust ratio is the thrust of the driving pair of
sheaves divided by that of the driven pair; the columns give the running radii of both. The torque ratio is the load
divided by the load at which the pins slip on the driven sheaves; clamping forces are such that the latter is the same
in all columns. In underdrive the small driving pair slips first. Each value comes from a run of 0.5 s with the
automatic step and is a mean over three loops of the chain; neighbouring values scatter by a few per cent.
"""

PROTOTYPE = """\
The table compares chaindrive with an earlier prototype for the same data (point masses, exact Coulomb friction,
semi-implicit Euler at 2 µs), in the same time window. Loads in the second half of the table are half of the slip limit.
At 91 N m the chain vibrates in this window (see below); the median of several windows is {median:.3f}. The difference
at 68 mm is explained in the next section.
"""

EULER = """\
At a driving radius of 68 mm the thrust ratio of the prototype is higher. A second program (`_variators_euler.py`,
semi-implicit Euler at 2 µs, not `leapfrog`) has the equations of `cvt`, and two switches for the differences from the
equations of the prototype. The first switch omits the component 2 Q (a, b) of the force of tilted sheaves on a pin,
which is in the plane of the chain and belongs to the elastic energy of the pin: without it the energy balance does not
close. With the second switch, pins slide along directions that are fixed within a step, so that sticking pins drift
outwards at ω² r h / 2, which is {drift:.1f} mm/s on the small driven pair at 2 µs.

With the same equations the two programs agree. Without the force of the tilt, the thrust ratio agrees with that of the
prototype to within one per cent; the drift increases the tension.
"""

STEPPED = """\
The method is of second order, but pins enter the sheaves at arbitrary instants within a step, and impacts excite the
chain. The remaining differences are therefore scatter, not a trend. The default step is below the stability limit of
links and pins.
"""

STARTED = """\
The same variator starts from the final states of runs with a different load or clamping force.
"""

WINDOWS = """\
Means differ between time windows. At 91 N m the slack span vibrates increasingly at the pin passing frequency while the
driven pair opens; then the vibration dies out, and both tensions and the thrust ratio decrease by a few per cent and
recover within a tenth of a second. The prototype showed no such scatter at the loads for which it was run.
"""

SMOOTHED = """\
`friction_law = "smoothed"` replaces Coulomb friction by friction that depends continuously on the sliding speed. With
smoothed friction a pin cannot stick; it creeps outwards until its radial friction vanishes. The table gives differences
from Coulomb friction, with steps of 2 µs, which the implicit solution allows for any smoothing speed.
"""

PLATES = """\
Neither the distance of the thrust from the neutral axis of a pair of pins nor the bending stiffness of the pins is
published. The table shows the effect of both on the forces of the plates, in the same run as the features. Bending of
the pins towards the axes of the sheaves is neglected; in this direction they are several times stiffer, and this
bending relieves the plates in the middle.
"""

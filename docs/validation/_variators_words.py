"""Texts of the page of variators about its tables and pictures."""

HEAD = """\
# The rocker-pin chain of a CVT

This page compares the variator of the example `cvt-63` with what F. Pfeiffer, P. Fritz and J. Srnik, *Nonlinear
vibrations of chains* (1997), section 4.1, state about theirs, with an earlier prototype for the same data, and with
itself for other steps, starts and friction laws. The paper prints no data and no values, so only the statements of its
text about the figures can be compared. The page is made by [`variators.py`](variators.py); nothing in a
table of results is typed by hand except the values of the prototype.
"""

MARKS = """\
Statements of the text on Figures 9 and 10, and the published shape of the thrust ratio, are compared with the
example at 100 N m, from 0.3 to 0.5 s. Friction in a row is that of the last step.
"""

THRUST = """\
`chaindrive sweep cvt-63-thrust-ratio`: thrust of the driving pair over that of the driven one; columns by the running
radii of both. The torque ratio is the load divided by that at which the pins on the driven sheaves slip; clamping
forces are such that this is the same torque in all columns. In underdrive the small driving pair slips first. Each
value comes from a run of 0.5 s with the automatic step, and is a mean over three loops: neighbouring values scatter by
a few per cent.
"""

PROTOTYPE = """\
The table compares values of an earlier prototype for the same data (point masses, exact Coulomb friction,
semi-implicit Euler at 2 µs), in the same window. Loads in the second half of the table are half of the slip limit.
At 91 N m the window is one in which the chain vibrates (see below); the median of several windows is {median:.3f}.
The difference at 68 mm is explained in the next section.
"""

EULER = """\
At a driving radius of 68 mm the thrust ratio of the prototype is higher. A second program (`_variators_euler.py`,
semi-implicit Euler at 2 µs, not `leapfrog`) has the equations of `cvt`, and two switches for the
differences in the equations of the prototype. The first omits the part 2 Q (a, b) of the force of tilted sheaves
on a pin, which is in the plane of the chain and belongs to the elastic energy of the pin: without it the energy
balance does not close. With the second, pins slide along directions that are fixed within a step, so that sticking pins
drift outwards at ω² r h / 2, {drift:.1f} mm/s on the small driven pair at 2 µs.

With the same equations both programs agree. Without the force of the tilt the thrust ratio agrees with that of the
prototype within a per cent; the drift raises the tension.
"""

STEPPED = """\
The method is of second order, but pins enter the sheaves at any time within a step, and impacts excite the
chain: the remaining differences are scatter, not a trend. The default step is below the limit of links and pins.
"""

STARTED = """\
The same variator starts from the ends of runs with another load or clamping force.
"""

WINDOWS = """\
Means are not the same in every window. At 91 N m the slack strand vibrates increasingly at the pin passing
frequency, while the driven pair opens; then the vibration dies down, and both tensions and the
thrust ratio fall by a few per cent and recover within a tenth of a second. The prototype showed no such scatter at
the loads for which it was run.
"""

SMOOTHED = """\
`friction_law = "smoothed"` replaces Coulomb friction by friction that depends continuously on the sliding speed. A
smoothed pin cannot stick; it
creeps outwards until its radial friction vanishes. The table gives differences from Coulomb friction, with steps of 2
µs, which the
implicit solution allows for any speed.
"""

PLATES = """\
Neither the distance of the thrust from the neutral axis of a pair of pins nor their bending stiffness is published. The
table shows the effect of both on the forces of the plates, in the same run as the features. The bending of the pins
towards the axes of the sheaves, in which they are several times stiffer and which relieves the plates in the
middle, is neglected.
"""

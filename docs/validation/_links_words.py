"""What the page of rigid links says about its tables and pictures."""

CONVERGENCE = """\
The formulation of rollers has the mass of a pitch in a point at each joint. That is a chain of links with half of
their mass at each end, whose moment of inertia is I = m P²/4, and not one of links without inertia. Long waves are
the same whatever I is, but a wave along an infinite straight chain under the tension T has

w² = 4 T/(m P) tan²(a/2) / (1 + 4 I/(m P²) tan²(a/2))

(a: its phase from link to link; stiff joints without clearance), which is that of rollers, 4 T/(m P) sin²(a/2),
only for I = m P²/4. So links become rollers when their inertia goes to m P²/4 and clearance and compliance of their
joints go to nothing, and not when I goes to nothing. Links as they are, with round plates that reach beyond the
pins, have a sixth to a fifth more than that.

Both runs begin in their own equilibrium at speed. Differences are root mean squares over all instants: those of
tensions over the mean of the tightest span, those of contact forces over all rollers and their root mean square. An
impact that comes a few microseconds later counts in full there.
"""

INERTIA_WORDS = """\
The difference of the tensions is least at m P²/4 and grows with the distance from it, in the conveyor in proportion
(order 1). In `pfeiffer-roller` it soon stops growing: impacts come at other instants, and after that the distance
hardly matters.
"""

CLEARANCE_WORDS = """\
Clearance is small when it is small beside what a joint stretches under its tension, T/k: 4 µm in the tight span of
the conveyor and 0.3 µm in its slack one, 3 to 5 µm in `pfeiffer-roller`, where the order goes to 1. In the conveyor
nearly all of the difference comes from 10 ms in the slack span. A wave there takes the tension of single links
through nothing: rollers, and joints without clearance, push then with up to 47 N, while a pin with clearance hangs
loose in its bush. Mean tensions agree to 0.05 N at every clearance.
"""

STIFFNESS = """\
What is left at I = m P²/4 is the compliance of the joints: pin and bush are two bodies with the stiffness of the
links between them, in all directions, so that an impact on the bush meets half of the mass at first. With stiffer
links in both formulations the contact forces come together. The tensions do so no further: waves of the stiffer
chain are quicker, and the same small shifts in time weigh more.
"""

ARRIVALS = """\
(w - w_link) P is met in every drive, up to the bouncing of the bush that is seated before. w P alone is the value
of a span that does not turn. The corners of the polygon make waves across the span, as long as c/v pitches, c =
(T/mass per length)^(1/2), v the speed of the chain: 16 pitches in the tight span that comes onto the motor, where w
P is right to 6 %; 4 in the slack one of the conveyor and 3 in the V6 at 6000 rpm, where a link has done a third or
more of its turning when it comes onto the wheel, so that w P is too large by half.
"""

CYCLE = """\
After the start has died down (0.10 and 0.12 s), with the clearances of the last section. The features are those of
Pfeiffer's Figure 12 and of its description. Joints stay pressed together all the time: the chain is taut
everywhere.
"""

MARKS = """\
What is not met. A link leaves the crankshaft into the slackest span, whose pull makes no peak: the force falls from
its peak at entry and stays level, in both drives. The slack side of the V6 carries two thirds of the tight one,
because of its tensioner, which keeps every link in tension at 6000 rpm (295 N at least); the paper says twice of
its own drive, after which that of `pfeiffer-roller` was chosen.
"""

ORDERS = """\
Every line above is a multiple of the valve train's order, 1.5 in the V6 (three cylinders a bank) and 2 in the
engine of four, or in `pfeiffer-roller` once half of it: the rotational vibration of the crankshaft falls on the
same orders. (Below order 0.4, left out, the tension guide still creeps to its mean place.) Firing orders are 3 and
2. The highest line of the V6 is at half its firing order, the third of its camshafts. Tooth engagement (21 and 19)
is below a twentieth of the highest line in both signals: guide and oil filter it.

Load and motion have no orders above 6. Higher orders are made by the check valve, which lets oil in and not
out: the force has a flat bottom, that of spring and supply pressure, and steep rises. It is largest where the
tension guide resonates on the oil of its tensioner: 750 Hz here (order 7.5), 500 to 750 Hz at 2500 rpm below, 400
to 500 Hz in `pfeiffer-roller`, whose oil has about half the pressure, and softer. These lines stay near a frequency
and not at an order, as a resonance does; its frequency is read off here, not computed.

Figure 13 shows two spectra with few high lines at low orders, decreasing, for both signals, as here. Their
frequencies and heights cannot be compared, because the paper prints neither speed, engine nor tensioner.
"""

SLOW = """\
The paper shows curves of one working cycle, measured and computed, without data of the drive. Shape: the deviation
repeats three times in two revolutions, order 1.5 with the firing order 3 as its largest part, and its tooth order
is far below; the tensioner force is a row of pulses on a flat bottom with a ringing of 500 to 750 Hz on them. Order
of magnitude: half a degree of the camshaft peak to peak. What cannot be compared: their heights, and the unevenness
from cylinder to cylinder, since all cylinders burn alike here but for the half orders of the crankshaft.
"""

RUN_UP_WORDS = """\
A limit: a motion that runs up has no orders, and orders have one mean speed. So the crankshaft turns freely here,
with 0.1 kg m² (an estimate of crankshaft and flywheel), driven by a torque over time, and a load over its angle
makes the acceleration of orders 3 and 6 that the file prescribes at 6000 rpm. A load over the angle repeats every
revolution, so that the half orders 1.5 and 4.5 of the file are missing; and the camshaft torque is that of 6000 rpm
throughout, at low speed right to 4 % in its third order and reversed in its sixth. Rails, joints
and teeth take 1.5 N m of the torque over time, on average over the run: the speed is not quite in proportion to time.

What the map shows. Order 21, tooth engagement, is the clear line of the tight span, with some ten newtons. Orders
1.5, 3, 4.5 and 6 rise from the left. Where order 6 comes to 190 Hz, at 1900 rpm, and order 3 to 170 to 200 Hz, at
3300 to 3900 rpm, the camshafts resonate on the spans, somewhat below the frequency at rest, since a chain that goes
slack is softer. The second one is violent: the tight span goes to two thirds of the breaking load of 7.8 kN and
slack in between, the tensioner to its end stops. Neither the run-up nor the links make it: with rollers at a
constant 3500 rpm and the orders of the file it is the same. The chosen crankshaft orders are large for the chosen
camshafts there, and a real engine would have a damper, or a phaser that yields. At 4200 rpm and above it is quiet,
and resonances of tooth engagement do not show.

In the force of the tensioner all lines are weaker and wider: its check valve makes many orders out of one, which stand
out
at 600 to 900 Hz, where the guide resonates on the oil.
"""

TABLE = """\
The same window of one drive, after it has settled: with rollers; with links that have the moment of inertia of
point masses at their ends; with their own, as estimated from the plates; with clearance; and with oil in the joints
(20 N s/m over 10 µm). Contact peaks are the largest force of a bush while it passes the hardest wheel or rail, mean
over all bushes. In brackets: difference from rollers. CPU time is that of a machine shared with other work;
evaluations count what it is made of.
"""

ADVICE = {
    "v6-timing": """\
Tensions are those of rollers within 2 %, contact peaks within 5 %, the motion of the strands within 10 %. What links
change most is the friction on the teeth: this chain has bushes, which turn with their links and slide in their seats,
and no rollers that would roll there; it is two and a half times as large, and a fiftieth of all losses. Clearance
never opens, since every link is taut. **Rollers will do for layout and tensioner; take links for the forces of pins
in bushes, for bushes on teeth, and for contact peaks if 5 % matter.** They cost a bit more than twice as much.
""",
    "pfeiffer-roller": """\
The same, with a clearance that softens the wheels' impacts by a few per cent (a pin rolls in its bush where a
spring would hold it) and adds as much to the largest link tension. **Rollers for layout and losses; links with the
clearance of your chain for wear, noise and the largest link tension.**
""",
    "industrial-08b": """\
Slow and stiff: only what happens within an impact differs. A clearance of 50 µm takes a fifth off the contact
peaks. **Rollers; links if impact noise is the question, at two and a half times the time.**
""",
    "6s90mc-c": """\
Fixed centres, a tight chain, short windows: links of m P²/4 give the numbers of rollers to a few parts in a
thousand, so that all of the difference is the moment of inertia. A fifth more of it makes a quarter more contact
peak, half more contact loss, and another state of vibration of the strands; clearance and oil do nothing, with 70
kN in every joint. **Rollers for tensions; links without clearance for contact forces and losses by contact, after
you have given the moment of inertia of your links, on which they depend.** Both take seconds.
""",
}

"""Worked examples that need no run. Each consists of a number from a source and the call that gives ours. A row uses
only functions of the package. If both numbers differ by more than 1 %, ``why`` states the reason; if the source is
wrong or means something else, ``settled`` is the result of its own formula after the correction.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import chaindrive as cd
from chaindrive.analyses.analytical import formulas, rating
from chaindrive.analyses.analytical.limits import chain_limits
from chaindrive.geometry.initial_configuration import fitting_distance
from chaindrive.geometry.route import Route, length_in_pitches, pitch_radius, route
from chaindrive.geometry.tooth_forms import tooth_profile
from chaindrive.model import Chain, chain_strength, strand_factor

RPM, INCH, HORSEPOWER = math.pi / 30.0, 25.4, 745.69987
"""[rad/s], [mm], [W]"""
LENGTH, SPROCKET, CHORD = "Chain length and centre distance", "Sprockets", "Chordal action"
FORCE, HANGING, RATING = "Speeds, pulls and tooth loads", "Chains that hang", "Ratings, strength and wear"
VIBRATION, RUN = "Vibrations", "From a drive file"
OF_BHANDARI = (
    "the book takes it from its table 14.2; ours is by the formula of ANSI B29.1, which reproduces the ratings of "
    "No. 40 to three digits (above)"
)


class Example(NamedTuple):
    """A number from a source, and ours."""

    kind: str
    source: str
    """Key of ``_worked_sources.toml``."""
    quantity: str
    given: str
    unit: str
    theirs: float
    ours: Callable[[], float]
    why: str = ""
    settled: float | None = None
    """The number of the source after correction of the error named in ``why``."""


class Found(NamedTuple):
    """An example with our number."""

    example: Example
    ours: float

    @property
    def difference(self) -> float:
        """Difference relative to the source. [-]"""
        return self.ours / self.example.theirs - 1.0

    @property
    def left(self) -> float:
        """Difference relative to the corrected number of the source. [-]"""
        return self.ours / (self.example.settled or self.example.theirs) - 1.0


# What rows ask of the package, in the units of the sources ------------------------------------------------------------


def way(teeth: tuple[int, int], pitch: float, centre: float) -> Route:
    """A drive of two sprockets; lengths in mm."""
    return route([[0.0, 0.0], [centre, 0.0]], pitch_radius(pitch, teeth), [1, 1])


def pitches(teeth: tuple[int, int], pitch: float, centre: float) -> float:
    """Length of the taut chain [pitches]; lengths in mm."""
    return length_in_pitches(way(teeth, pitch, centre), pitch, teeth)


def centre(teeth: tuple[int, int], pitch: float, links: int) -> float:
    """Centre distance at which a chain is taut. [mm]"""
    return float(fitting_distance(way(teeth, pitch, links * pitch / 3.0), pitch, teeth, links) or math.nan)


def pitch_diameter(pitch: float, teeth: int) -> float:
    """Pitch diameter in the unit of the pitch."""
    return 2.0 * float(pitch_radius(pitch, teeth))


def tip_diameter(form: str, teeth: int, pitch: float, roller: float) -> float:
    """Tip diameter; lengths in mm."""
    return 2e3 * tooth_profile(form, teeth, 1e-3 * pitch, 1e-3 * roller).tip_radius


def root_diameter(form: str, teeth: int, pitch: float, roller: float) -> float:
    """Twice the distance of the bottom of the tooth gap from the axis; lengths in mm."""
    (_, bottom), _ = tooth_profile(form, teeth, 1e-3 * pitch, 1e-3 * roller).elements[0].at(0.0)
    return 2e3 * bottom


def arc_radius(form: str, element: int, teeth: int, pitch: float, roller: float) -> float:
    """Radius of an arc of a tooth gap; lengths in mm."""
    found = tooth_profile(form, teeth, 1e-3 * pitch, 1e-3 * roller).elements[element]
    return 1e3 * abs(1.0 / found.curvature)


def rated(standard: str, teeth: int, speed: float) -> float:
    """Rated power of a single-strand chain at a speed in rpm. [W]"""
    chain = Chain(standard=standard, links=rating.RATED_LINKS)
    return min(rating.wheel_rating(chain, teeth, speed * RPM, chain_strength(chain.standard).dynamic_strength))


def pull(power: float, teeth: int, pitch: float, speed: float) -> float:
    """Mean pull of a chain [N], from power in W, pitch in mm and speed in rpm."""
    return float(formulas.chain_pull(power / (speed * RPM), teeth, 1e-3 * pitch))


def safety(standard: str, force: float) -> float:
    """Breaking load in the catalogue divided by a force. [-]"""
    return float(Chain(standard=standard, links=100).breaking_load or math.nan) / force


def tooth_load(roller: int) -> float:
    """Load of a tooth in the example of the spreadsheet, counted from the tight span. [N]"""
    angle, shift = np.radians([20.0, 5.0])
    return float(formulas.binder_tooth_loads(16, 30, 0.0, 4469.999606, angle=angle, shift=shift)[-roller])


def link_load(link: int) -> float:
    """Tension of a link in the example of the spreadsheet, counted from the tight span. [N]"""
    angle, shift = np.radians([20.0, 5.0])
    return float(formulas.binder_link_tensions(16, 30, 0.0, 4469.999606, angle=angle, shift=shift)[-link])


def back_pull() -> float:
    """Slack tension in Tsubaki's example: 1100 kgf on 13 teeth, of which four are in mesh. [kgf]"""
    return 1100.0 * float(formulas.binder_ratio(13, formulas.pressure_angle(13, of="minimum"))) ** (4 - 1)


def lost_in_joints() -> float:
    """Power lost in joints in BicycleEfficiency.jl: 300 N on 48 and 24 teeth at 80 rpm, without slack-side tension.
    [W]
    """
    pace = float(formulas.chain_speed(80 * RPM, 48, 0.01222))
    kept = formulas.joint_friction_efficiency(0.09, 2.0 * 0.00175968, 0.01222, 48, 24)
    return 300.0 * pace * (1.0 - float(kept))


def most_teeth() -> float:
    """Number of teeth of the largest wheel with which a chain may elongate by 3 %."""
    drive = cd.example("industrial-08b")

    def limit(teeth: int) -> float:
        wheels = (drive.wheels[0], drive.wheels[1].model_copy(update={"teeth": teeth}))
        return chain_limits(drive.model_copy(update={"wheels": wheels})).elongation.value or 0.0

    return max(teeth for teeth in range(38, 121) if limit(teeth) >= 0.03)


OF_TEETH = math.log(2.86 / 0.70) / math.log(45 / 11)
OF_SPEED = math.log(2.61 / 0.47) / math.log(3000 / 500)
"""Exponents from AmesWeb's table for No. 25: from 11 and 45 teeth at 1200 rpm, and from 500 and 3000 rpm with 17
teeth.
"""
PLATES = 1e-3 * rating.plate_power(17, 1400 * RPM, 19.05e-3)
"""Rating of the plates of 12A with 17 teeth at 1400 rpm. [kW]"""
OF_12B = (
    f"the value in the book is near the rating of the plates of 12A, {PLATES:.2f} kW; the thinner plates of the B "
    f"series are rated here by the dynamic strength of ISO 606, which is a minimum; the value of the maker can be "
    f"given by `limits.dynamic_strength`"
)
LEAST_TIP = pitch_diameter(50.8, 15) + 50.8 * (1.0 - 1.6 / 15) - 29.21
MOST_TIP = pitch_diameter(50.8, 15) + 1.25 * 50.8 - 29.21
"""Tip diameters of ISO 606 for 32B and 15 teeth. [mm]"""

EXAMPLES = [
    Example(LENGTH, "bhandari", "links, example 14.3", "21 and 63 teeth, 12.7 mm, 500 mm apart", "", 121.875097,
            lambda: pitches((21, 63), 12.7, 500.0)),
    Example(LENGTH, "bhandari", "centre distance, example 14.3", "122 links", "mm", 500.804717,
            lambda: centre((21, 63), 12.7, 122)),
    Example(LENGTH, "bhandari", "centre distance, example 14.6", "21 and 80 teeth, 19.05 mm, 132 links", "mm",
            755.098993, lambda: centre((21, 80), 19.05, 132)),
    Example(LENGTH, "bhandari", "centre distance, example 14.6, other design", "25 and 96 teeth, 12.7 mm, 124 links",
            "mm", 375.825124, lambda: centre((25, 96), 12.7, 124)),
    Example(LENGTH, "jindal", "length, example 30-3", "21 and 42 teeth, 9.52 mm, 50 pitches apart", "mm", 1254.01,
            lambda: 9.52 * pitches((21, 42), 9.52, 50 * 9.52)),
    Example(LENGTH, "jindal", "length, example 30-5", "17 and 34 teeth, 15.88 mm, 40 pitches apart", "mm", 1678.25,
            lambda: 15.88 * pitches((17, 34), 15.88, 40 * 15.88)),
    Example(LENGTH, "mott", "centre distance, example 7-3", "17 and 65 teeth, 1/2 in, 104 links", "in", 15.272,
            lambda: centre((17, 65), 0.5 * INCH, 104) / INCH),
    Example(LENGTH, "mech325", "wrap of the small sprocket", "35 and 70 teeth, 1 in, 40.366 in apart", "°", 164.24,
            lambda: math.degrees(way((35, 70), INCH, 40.366 * INCH).wrap[0]),
            "the source uses the sine instead of the arc sine"),
    Example(LENGTH, "answer", "length", "21 and 84 teeth, 1/2 in, 20 in apart", "in", 67.5,
            lambda: 0.5 * pitches((21, 84), 0.5 * INCH, 20.0 * INCH)),
    Example(LENGTH, "globike", "chainstay of a bicycle", "42 and 16 teeth, 12.7 mm, 96 links", "mm", 422.18,
            lambda: centre((42, 16), 12.7, 96)),
    Example(LENGTH, "bikeforums", "length of a bicycle chain", "52 and 28 teeth, 1/2 in, 17.25 in apart", "in",
            55.925739, lambda: 0.5 * pitches((52, 28), 0.5 * INCH, 17.25 * INCH),
            "the source adds 1 in for the derailleur, and its factor 0.01275 is twice (p / 2 pi)^2",
            34.5 + 13.0 + 7.0 + (52 - 28) ** 2 * (0.5 / (2.0 * math.pi)) ** 2 / 17.25),
    Example(LENGTH, "bikeforums", "links of a bicycle chain", "44 and 28 teeth, 12.7 mm, 420 mm apart", "", 108.94,
            lambda: pitches((44, 28), 12.7, 420.0),
            "the sum 65.94 + 22 + 14 + 2 is actually 103.94, and its last 2 are for the derailleur",
            0.157 * 420 + 44 / 2 + 28 / 2),
    Example(LENGTH, "taskjunction", "links", "17 and 51 teeth, 12.7 mm, 500 mm apart", "", 120.0,
            lambda: pitches((17, 51), 12.7, 500.0), "the source's own formula gives a different result",
            2 * 500 / 12.7 + (17 + 51) / 2 + (51 - 17) ** 2 / (4 * math.pi**2 * 500 / 12.7)),
    Example(LENGTH, "paper", "length, called exact", "20 and 63 teeth, 36 pitches apart", "pitches", 114.305,
            lambda: pitches((20, 63), 1.0, 36.0), "half a pitch less than in its reference 8",
            114.8),
    Example(SPROCKET, "bhandari", "pitch diameter, example 14.4", "34 teeth, 19.05 mm", "mm", 206.462975,
            lambda: pitch_diameter(19.05, 34)),
    Example(SPROCKET, "bhandari", "tip diameter, example 14.5", "17 teeth, 19.05 mm, roller 12.07 mm", "mm",
            112.138521, lambda: tip_diameter("iso-606", 17, 19.05, 12.07)),
    Example(SPROCKET, "bhandari", "flank radius, example 14.5", "the same", "mm", 36.40312,
            lambda: arc_radius("iso-606", 1, 17, 19.05, 12.07)),
    Example(SPROCKET, "bhandari", "root diameter, example 14.5", "the same", "mm", 91.324764,
            lambda: root_diameter("iso-606", 17, 19.05, 12.07),
            "the source subtracts the seat radius from the pitch radius; by ISO 606 the root diameter is d - d1"),
    Example(SPROCKET, "tandwiel", "pitch diameter", "76 teeth, 1 in", "mm", 614.64, lambda: pitch_diameter(INCH, 76)),
    Example(SPROCKET, "peer", "outside diameter", "No. 80, 17 teeth", "in", 5.95,
            lambda: tip_diameter("asa-ii", 17, INCH, 0.625 * INCH) / INCH),
    Example(SPROCKET, "dodge", "outside diameter", "No. 35, 60 teeth", "in", 7.38,
            lambda: tip_diameter("asa-ii", 60, 0.375 * INCH, 0.2 * INCH) / INCH),
    Example(SPROCKET, "gears", "radius F of the topping arc", "28 teeth, pitch 1 in, roller 0.625 in", "in", 0.5114,
            lambda: arc_radius("asa-ii", 3, 28, INCH, 0.625 * INCH) / INCH),
    Example(SPROCKET, "mecha", "outside diameter", "083/084, 16 teeth, roller 7.75 mm", "mm", 70.9,
            lambda: tip_diameter("iso-606", 16, 12.7, 7.75)),
    Example(SPROCKET, "simplex", "outside diameter", "08B, 17 teeth", "mm", 73.6,
            lambda: tip_diameter("iso-606", 17, 12.7, 8.51)),
    Example(SPROCKET, "duplex", "outside diameter", "32B, 15 teeth", "mm", 264.8,
            lambda: tip_diameter("iso-606", 15, 50.8, 29.21),
            f"ISO 606 allows {LEAST_TIP:.1f} to {MOST_TIP:.1f} mm; the package uses the mean value"),
    Example(SPROCKET, "uofl", "pitch diameter of a chainring", "52 teeth, 1/2 in", "in", 8.281,
            lambda: pitch_diameter(0.5, 52)),
    Example(CHORD, "machinecalcs", "variation of the speed", "17 teeth", "%", 1.7,
            lambda: 100.0 * float(formulas.polygon_speed_drop(17))),
    Example(FORCE, "jindal", "speed of the chain, example 30-3", "21 teeth, 9.52 mm, 1000 rpm", "m/s", 3.332,
            lambda: float(formulas.chain_speed(1000 * RPM, 21, 9.52e-3))),
    Example(FORCE, "taskjunction", "speed of the chain", "17 teeth, 12.7 mm, 1450 rpm", "m/s", 5.23,
            lambda: float(formulas.chain_speed(1450 * RPM, 17, 12.7e-3))),
    Example(FORCE, "omar", "speed of the chain of a bicycle", "23 teeth, 12.7 mm, 60 rpm", "m/s", 0.293,
            lambda: float(formulas.chain_speed(60 * RPM, 23, 12.7e-3)),
            "the source gives the speed on the pitch circle; ours is 23 pitches per revolution"),
    Example(FORCE, "bhandari", "pull, example 14.7", "12.9537 kW, 19 teeth, 15.875 mm, 1400 rpm", "N", 1840.558878,
            lambda: pull(12953.7, 19, 15.875, 1400)),
    Example(FORCE, "julia", "centrifugal tension", "1.52 kg/m, 48 teeth, 12.22 mm, 80 rpm", "N", 0.929706672128,
            lambda: float(formulas.centrifugal_tension(1.52, formulas.chain_speed(80 * RPM, 48, 0.01222)))),
    Example(FORCE, "guide", "rope on a drum", "100 N, friction 0.3, half a turn", "N", 256.6,
            lambda: 100.0 * float(formulas.capstan_ratio(0.3, math.pi))),
    Example(FORCE, "tsubaki", "weight that prevents jumping", "1100 kgf, 13 teeth, four in "
    "mesh", "kgf", 38.5, back_pull),
    Example(FORCE, "spreadsheet", "load of the first tooth", "4470 N, 30 teeth, 20° less 5° of friction", "N",
            2047.102695, lambda: tooth_load(1)),
    Example(FORCE, "spreadsheet", "tension of the fourth link", "the same", "N", 472.1775642, lambda: link_load(4)),
    Example(FORCE, "julia", "lost in the joints", "300 N, 48 and 24 teeth, 80 rpm, friction 0.09, radius 1.76 mm", "W",
            1.8756733110309638, lost_in_joints,
            "the source has pi/2 times the moment of a pin that bears on a line, as for uniform pressure over half "
            "of the bush",
            1.8756733110309638 * 2.0 / math.pi),
    Example(HANGING, "sag", "sag, as a parabola", "0.1 lb/in, 100 in, 50 lb", "in", 2.5,
            lambda: float(formulas.parabola_sag(100.0, 0.1, 50.0, gravity=1.0))),
    Example(HANGING, "sag", "sag, as a catenary", "the same", "in", 2.5,
            lambda: float(formulas.catenary_sag(100.0, 0.1, 50.0, gravity=1.0))),
    Example(RATING, "engineersedge", "power of No. 40", "17 teeth, 900 rpm", "hp", 4.98,
            lambda: rated("08A-1", 17, 900) / HORSEPOWER),
    Example(RATING, "engineersedge", "power of No. 40, limited by rollers", "11 teeth, 1800 rpm", "hp", 4.66,
            lambda: rated("08A-1", 11, 1800) / HORSEPOWER),
    Example(RATING, "amesweb", "power of No. 25, limited by rollers", "17 teeth, 4000 rpm", "hp", 2.65,
            lambda: rating.roller_bush_power(17, 4000 * RPM, 6.35e-3, "bush") / HORSEPOWER),
    Example(RATING, "amesweb", "power of No. 25, limited by plates", "17 teeth, 3000 rpm", "hp", 2.61,
            lambda: rated("04C-1", 17, 3000) / HORSEPOWER,
            f"its values increase with z^{OF_TEETH:.2f} n^{OF_SPEED:.2f}, ours with z^1.08 n^0.9 (Shigley, Eq. "
            f"17-32); they are from another edition of the rating, for which no formula was found"),
    Example(RATING, "bhandari", "power of 12A, example 14.1", "17 teeth, 1000 rpm", "kW", 14.32,
            lambda: 1e-3 * rated("12A-1", 17, 1000), OF_BHANDARI),
    Example(RATING, "bhandari", "power of 8A, example 14.3", "17 teeth, 1400 rpm", "kW", 5.28,
            lambda: 1e-3 * rated("08A-1", 17, 1400), "as above"),
    Example(RATING, "bhandari", "power of 12B, example 14.4", "17 teeth, 1400 rpm", "kW", 18.15,
            lambda: 1e-3 * rated("12B-1", 17, 1400), OF_12B),
    Example(RATING, "bhandari", "power of 10B, example 14.7, limited by rollers", "17 teeth, 1400 rpm", "kW", 11.67,
            lambda: 1e-3 * rating.roller_bush_power(17, 1400 * RPM, 15.875e-3)),
    Example(RATING, "bhandari", "the same, as the package rates it", "the same", "kW", 11.67,
            lambda: 1e-3 * rated("10B-1", 17, 1400), "limited by plates, as for 12B"),
    Example(RATING, "strands", "factor of five strands", "", "", 3.9, lambda: strand_factor(5)),
    Example(RATING, "bhandari", "safety of 12A, example 14.1", "14.32 kW, 17 teeth, 1000 rpm", "", 11.722224,
            lambda: safety("12A-1", pull(14320.0, 17, 19.05, 1000))),
    Example(RATING, "bhandari", "safety of 10B, example 14.7", "12.9537 kW, 19 teeth, 1400 rpm", "", 12.061554,
            lambda: safety("10B-1", pull(12953.7, 19, 15.875, 1400))),
    Example(RATING, "jindal", "safety of 06B, example 30-3", "2.5578 kW, 21 teeth, 1000 rpm", "", 13.94,
            lambda: safety("06B-1", pull(2557.8, 21, 9.52, 1000)),
            "the breaking load is 10.7 kN there, and 8.9 kN (the minimum of ISO 606) in the catalogue of the package",
            13.94 * 8.9 / 10.7),
    Example(RATING, "regal", "teeth up to which a chain may wear by 3 %", "", "", 66.0, most_teeth),
    Example(VIBRATION, "pedersen", "tooth frequency of the 6S90MC-C", "64 teeth, 76 rpm", "Hz", 81.1,
            lambda: float(formulas.tooth_frequency(76 * RPM, 64))),
    Example(VIBRATION, "pedersen", "time of a loop of the 6L60MC", "122 links, 60 teeth, 120 rpm", "s", 1.017,
            lambda: float(formulas.loop_time(122, 120 * RPM, 60))),
    Example(VIBRATION, "pedersen", "segment 1 of the 6L60MC at rest", "25 kN, 1.8797 m, 21 links of 3.01 kg", "Hz", 7.3,
            lambda: float(formulas.static_string_frequency(1, 1.8797, 25e3, 21 * 3.01))),
    Example(VIBRATION, "pedersen", "the same, peak of the running chain", "the same, 10.673 m/s", "Hz", 6.1,
            lambda: float(formulas.moving_string_frequency(1, 1.8797, 25e3, 3.01 / 0.0889, 10.673))),
]  # fmt: skip

"""Description of a drive: units, catalogue, checks."""

from mutations.mutation import Mutation

CATALOGUE = ("tests/unit/test_catalogue.py",)
UNITS = ("tests/unit/test_units.py",)
LINKS = ("tests/unit/test_model_links.py", "tests/unit/test_mechanism_links.py")
BICYCLE = ("tests/unit/test_bicycle.py",)

MUTATIONS = (
    Mutation(
        "spring-follows-the-gear", "_arm_body", '"neutral": arm.spring_angle - direction',
        '"neutral": arm.spring_angle',
        "The neutral angle of the cage spring changes with the gear.", BICYCLE,
    ),
    Mutation(
        "resistance-at-the-crank", "_drive_and_load", 'cog["load_torque"] = rider.power / speed',
        'cog["load_torque"] = rider.power / rider.cadence',
        "The load torque on the rear wheel is that at the crank.", BICYCLE,
    ),
    Mutation(
        "largest-ring-inside", "_lines", "rings = sorted(bicycle.chainrings)",
        "rings = sorted(bicycle.chainrings)[::-1]",
        "The smallest chainring is the outermost.", BICYCLE,
    ),
    Mutation(
        "ten-inches-in-a-foot", "_feet_and_inches", 'inches = 12 * Fraction(found["feet"] or 0)',
        'inches = 10 * Fraction(found["feet"] or 0)', "A foot in feet and inches has ten inches.", UNITS,
    ),
    Mutation(
        "feet-without-pounds", "_spelled", 'return f"lbf {torque[1] or torque[2]}"',
        'return f"lb {torque[1] or torque[2]}"',
        "A torque in pound-feet is read as a mass multiplied by a length.", UNITS,
    ),
    Mutation(
        "mass-10b", "", "10B,,15.875,10.16,9.65,5.08,14.70,22.2,.93,", "10B,,15.875,10.16,9.65,5.08,14.70,22.2,.98,",
        "The mass of 10B-1 is 0.98 kg/m.", CATALOGUE,
    ),
    Mutation(
        "mass-16a-duplex", "", "29.29,111.2,5.15", "29.29,111.2,4.15", "The mass of 16A-2 is 4.15 kg/m.", CATALOGUE,
    ),
    Mutation(
        "triplex-as-multiple", "_multiplied", "strands / count * values[-1]", "strands * values[-1]",
        "A three-strand chain that is not in the catalogue has three times the mass of a duplex chain.", CATALOGUE,
    ),
    Mutation(
        "pins-of-one-strand", "outer_body", " + further * transverse_pitch", "",
        "Pins of a duplex chain are as short as those of a simplex chain.", LINKS,
    ),
    Mutation(
        "breaking-load-12b", "", "16.00,28.9,1.15", "16.00,26.9,1.15",
        "The breaking load of 12B-1 is 26.9 kN.", CATALOGUE,
    ),
    Mutation(
        "pin-of-08b", "", "8.51,7.75,4.45,11.80,17.8,", "8.51,7.75,4.54,11.80,17.8,",
        "Pins of 08B have a diameter of 4.54 mm.", CATALOGUE,
    ),
    Mutation(
        "rollers-of-c2060", "", "C212A,roller,38.100,11.91,", "C212A,roller,38.100,11.19,",
        "Rollers of C2060 have a diameter of 11.19 mm.",
        ("tests/unit/test_catalogue_series.py",),
    ),
    Mutation(
        "base-chain-smaller-by-whole-tooth", "double_pitch_lines", "0.5 * math.pi / fewest", "math.pi / fewest",
        "The size advantage of a sprocket for the base chain is stated four times too large.",
        ("tests/unit/test_cli_check_double_pitch.py",),
    ),
    Mutation(
        "damping-of-half-mass", "estimated_link_damping", "DAMPING_RATIO * 2.0", "DAMPING_RATIO",
        "The estimated damping is half of what the damping ratio requires.", CATALOGUE,
    ),
    Mutation(
        "link-mass-per-metre", "link_mass", "self.mass_per_length * self.pitch", "self.mass_per_length",
        "A link weighs as much as a metre of chain.", CATALOGUE,
    ),
    Mutation(
        "plates-of-16b", "", "roller,21.00,4.15,3.10", "roller,21.00,3.10,4.15",
        "The outer plates of 16B are thicker than the inner ones.", LINKS,
    ),
    Mutation(
        "stiffness-of-whole-links", "series_stiffness", "2.0 * inner * outer", "inner * outer",
        "Whole links instead of half links are in series.", LINKS,
    ),
    Mutation(
        "clearance-of-own-bush", "link_data", "np.roll(clearance, -1)", "clearance",
        "The clearance at the wrong joint shortens a link.", LINKS,
    ),
    Mutation(
        "clearance-on-the-diameter", "link_data", "0.5 * _each(chain.joint_clearance, count)",
        "_each(chain.joint_clearance, count)",
        "The diametral clearance is used as the radial clearance.", LINKS,
    ),
    Mutation(
        "no-cranked-link", "link_data", "outer_share[-1] = 0.5", "outer_share[-1] = 0.0",
        "The cranked link has the mass distribution of an inner link.", LINKS,
    ),
    Mutation(
        "roller-turns-with-the-link", "inner_body", "at_joints = rollers.mass * (0.5 * pitch) ** 2",
        "at_joints = rollers.inertia",
        "Rollers turn with their links.", LINKS,
    ),
    Mutation(
        "stadium-without-centroids", "stadium_polar_moment", "2.0 * length * r**3", "2.0 / 3.0 * length * r**3",
        "The centroids of the half discs of a plate are at the joints.", LINKS,
    ),
    Mutation(
        "no-steiner-of-halves", "_mixed", "inertia + part * ((own - centre) ** 2).sum(axis=1)", "inertia",
        "The parallel-axis term of the halves of a cranked link is missing.", LINKS,
    ),
    Mutation(
        "bush-through-outer-plate", "outer_body", "between, pin)",
        "between, 0.0)",
        "Outer plates have no holes.", LINKS,
    ),
)  # fmt: skip

"""Description of a drive: units, catalogue, checks."""

from mutations.mutation import Mutation

CATALOGUE = ("tests/unit/test_catalogue.py",)
UNITS = ("tests/unit/test_units.py",)

MUTATIONS = (
    Mutation(
        "mass-10b", "", "10B,,15.875,10.16,9.65,5.08,14.70,22.4,.93,", "10B,,15.875,10.16,9.65,5.08,14.70,22.4,.98,",
        "10B-1 has 0.98 kg/m.", CATALOGUE,
    ),
    Mutation(
        "mass-16a-duplex", "", "29.29,113.4,5.15", "29.29,113.4,4.15", "16A-2 has 4.15 kg/m.", CATALOGUE,
    ),
    Mutation(
        "breaking-load-12b", "", "16.00,29.0,1.15", "16.00,26.0,1.15", "12B-1 breaks at 26 kN.", CATALOGUE,
    ),
    Mutation(
        "pin-of-08b", "", "8.51,7.75,4.45,", "8.51,7.75,4.54,", "Pins of 08B have 4.54 mm.", CATALOGUE,
    ),
    Mutation(
        "damping-of-half-mass", "estimated_link_damping", "DAMPING_RATIO * 2.0", "DAMPING_RATIO",
        "The estimated damping is half of what the ratio says.", CATALOGUE,
    ),
    Mutation(
        "link-mass-per-metre", "link_mass", "self.mass_per_length * self.pitch", "self.mass_per_length",
        "A link weighs as much as a metre of chain.", CATALOGUE,
    ),
)  # fmt: skip

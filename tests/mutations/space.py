"""Links in space: rotations, bushings, teeth and their sides, what is held in a balance."""

from mutations.mutation import Mutation

CHAINS = ("tests/verification/test_spatial_chains.py",)
WHEELS = ("tests/verification/test_spatial_wheels.py",)
TEETH = ("tests/verification/test_spatial_teeth.py",)

MUTATIONS = (
    Mutation(
        "bush-moves-with-the-centre", "_locate_block", "s[S.BVX + k] = s[S.VX + k] + oy * dz - oz * dy",
        "s[S.BVX + k] = s[S.VX + k]", "Bushes do not move with the turning of their links.", CHAINS, compiled=True,
    ),
    Mutation(
        "swing-damping-half", "_block_of_joints", "s[S.TX + k] = tx - (r11 * m1", "s[S.TX + k] = tx - 0.5 * (r11 * m1",
        "Damping across the plane is half of what is lost.", CHAINS, compiled=True,
    ),
    Mutation(
        "tooth-normal-in-the-plane", "_meet", "nz = -(nx * ax + ny * ay) / az", "nz = 0.0",
        "The force of a tooth is not at right angles to a roller that stands askew.", WHEELS, compiled=True,
    ),
    Mutation(
        "side-edge-not-steep", "_straddle", "slope = steep if edge < flank", "slope = 1.0 if edge < flank",
        "The force on the edge of a wide tooth has no potential.", TEETH, compiled=True,
    ),
    Mutation(
        "side-rides-once", "_straddle", "slope = 2.0 * slope if rides else slope", "slope = slope",
        "A plate that rides on a tooth is pushed out with half the force.", TEETH, compiled=True,
    ),
    Mutation(
        "narrow-wide-swapped", "_straddled", "wide, i = (tooth & 1) == odd", "wide, i = (tooth & 1) != odd",
        "Outer links lie on narrow teeth.", TEETH, compiled=True,
    ),
    Mutation(
        "outer-plates-late", "_depth_of_inner_plates", "- wider - p.pin_play", "+ wider - p.pin_play",
        "Outer plates are not looked at where wide teeth touch them.", TEETH, compiled=True,
    ),
    Mutation(
        "plays-move", "system_modes", "system.modes.playing)", "[])",
        "Modes are drowned by motions within the play.", TEETH, compiled=True,
    ),
)  # fmt: skip

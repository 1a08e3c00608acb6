"""Links in space: rotations, bushings, teeth and their sides, holding at rest."""

from mutations.mutation import Mutation

CHAINS = ("tests/verification/test_spatial_chains.py",)
WHEELS = ("tests/verification/test_spatial_wheels.py",)
TEETH = ("tests/verification/test_spatial_teeth.py",)
MACHINE = tuple(
    f"tests/verification/test_machine_in_space.py::{name}"
    for name in (
        "test_forces_are_minus_the_slope_of_the_energy",
        "test_a_cage_holds_the_slack_span_with_its_moment",
        "test_power_balance_with_a_cage_that_moves",
    )
)
CAGE = (
    "tests/verification/test_machine_in_space.py::test_a_wheel_that_rides_askew_turns_as_its_frame_does"
    "[tilted pulleys on a cage]",
)
OVAL = ("tests/verification/test_machine_in_space.py::test_in_a_plane_it_is_the_formulation_with_rigid_links[oval]",)
GUIDES = tuple(
    f"tests/verification/test_guides_in_space.py::{name}"
    for name in (
        "test_forces_are_minus_the_slope_of_the_energy",
        "test_friction_of_a_guide_acts_against_sliding_out_of_the_plane",
        "test_in_a_plane_it_is_the_formulation_with_rigid_links",
    )
)
SHIFT = "tests/verification/test_shifting.py"
SHIFT_FORCES = (f"{SHIFT}::test_forces_on_a_chain_between_cogs_are_minus_the_slope_of_the_energy",)
SHIFTS = (f"{SHIFT}::test_a_shift_completes",)
ROTATION = ("tests/unit/test_physics_rotation.py",)
BUSHING = ("tests/unit/test_physics_bushing.py",)
PLATES = tuple(
    f"tests/verification/test_spatial_teeth.py::{name}"
    for name in (
        "test_forces_on_plates_are_minus_the_slope_of_the_energy",
        "test_a_wheel_turned_by_whole_teeth_is_the_same",
        "test_outer_links_lie_on_wide_teeth_and_touch_them",
        "test_thrusts_of_a_running_drive_aside_are_what_moves_its_links_aside",
    )
)
STICKING = tuple(
    f"tests/verification/test_elastic_friction_in_space.py::{name}"
    for name in (
        "test_a_roller_is_held_along_the_axis_by_a_spring_up_to_the_limit",
        "test_one_limit_holds_for_both_directions_together",
        "test_only_an_accepted_state_moves_the_anchors",
        "test_a_joint_holds_up_to_its_limit_and_turns_on_with_it",
        "test_a_link_on_a_guide_is_held_against_rolling",
    )
)
LOSING = ("tests/verification/test_elastic_friction_in_space.py::test_a_plane_drive_loses_what_rigid_links_lose",)
RINGS = tuple(
    f"tests/verification/test_spatial_chains.py::{name}"
    for name in (
        "test_a_free_ring_keeps_momentum_and_angular_momentum_to_rounding_and_energy_to_second_order",
        "test_losses_are_what_goes_missing",
        "test_quaternions_come_back_to_their_length_in_the_course_of_time",
        "test_quaternions_come_back_to_their_length_at_the_rate_they_are_given",
    )
)

MUTATIONS = (
    Mutation(
        "bush-moves-with-the-centre", "_locate_block", "s[S.BVX + k] = vx + oy * dz - oz * dy",
        "s[S.BVX + k] = vx", "Bushes do not move when their links turn.", CHAINS, compiled=True,
    ),
    Mutation(
        "gentle-touch-in-space", "_pressing", "depth, of_depth)", "depth, 0.0)",
        "In space a roller that touched down gently has many times the critical damping.", WHEELS, compiled=True,
    ),
    Mutation(
        "gentle-touch-on-a-guide-in-space", "_press", "planar.surface.speed_of_depth[g])", "0.0)",
        "In space a joint that touched down gently on a guide has many times the critical damping.",
        GUIDES, compiled=True,
    ),
    Mutation(
        "swing-damping-half", "_block_of_joints", "s[S.TX + k] = tx - (r11 * m1", "s[S.TX + k] = tx - 0.5 * (r11 * m1",
        "The damping of out-of-plane rotation is half of what the losses account for.", CHAINS, compiled=True,
    ),
    Mutation(
        "tooth-normal-in-the-plane", "_meeting", "nz = -(nx * ax + ny * ay) / az", "nz = 0.0",
        "The force of a tooth is not perpendicular to a tilted roller.", WHEELS, compiled=True,
    ),
    Mutation(
        "oval-gap-mirrored", "_centre_gaps", "along * ux - aside * uy", "along * ux + aside * uy",
        "In space the gaps of an oval sprocket are shifted to the wrong side.", OVAL, compiled=True,
    ),
    Mutation(
        "oval-gap-outward", "_tooth_contact", "eta -= candidate.x[k]", "eta += candidate.x[k]",
        "In the plane the teeth of an oval sprocket are shifted the wrong way.", OVAL, compiled=True,
    ),
    Mutation(
        "side-edge-not-steep", "_straddling", "slope = steep if edge < flank", "slope = 1.0 if edge < flank",
        "The force on the edge of a wide tooth has no potential.", TEETH, compiled=True,
    ),
    Mutation(
        "side-rides-once", "_straddling", "slope = 2.0 * slope if rides else slope", "slope = slope",
        "A plate that rides on a tooth is pushed outwards with half of the force.", TEETH, compiled=True,
    ),
    Mutation(
        "narrow-wide-swapped", "_straddled", "wide, i = (tooth & 1) == odd", "wide, i = (tooth & 1) != odd",
        "Outer links are seated on narrow teeth.", TEETH, compiled=True,
    ),
    Mutation(
        "outer-plates-late", "_depth_of_inner_plates", "- wider - p.pin_play", "+ wider - p.pin_play",
        "Outer plates are not checked where wide teeth touch them.", TEETH, compiled=True,
    ),
    Mutation(
        "plays-move", "_coordinates", "root[playing]", "[]",
        "Motions within the play obscure the modes.", TEETH, compiled=True,
    ),
    Mutation(
        "quaternion-of-either-sign", "relative_quaternion", "1.0 if cw >= 0.0 else -1.0", "1.0",
        "A link that has turned once more than the previous one is bent by a whole revolution.", ROTATION,
    ),
    Mutation(
        "drifted-quaternion-stretches", "rotation_matrix", "2.0 / (w * w + x * x + y * y + z * z)", "2.0",
        "A quaternion whose length has drifted distorts its link.", ROTATION,
    ),
    Mutation(
        "no-torque-about-the-pin", "swing_torque", "-0.5 * (gx * cy - gy * cx)", "0.0",
        "Bushings that bend create energy when their pins turn.", BUSHING,
    ),
    Mutation(
        "gyroscopic-sign", "_accelerate_block", "(t2 - (i1 - i3) * o3 * o1)", "(t2 + (i1 - i3) * o3 * o1)",
        "Links that turn about two axes are turned the wrong way about the third axis.", RINGS, compiled=True,
    ),
    Mutation(
        "quaternions-driven-apart", "_accelerate_block", "(1.0 - (w * w + x * x + y * y + z * z))",
        "((w * w + x * x + y * y + z * z) - 1.0)",
        "The drift of the length of quaternions is amplified.", RINGS, compiled=True,
    ),
    Mutation(
        "plates-at-the-tooth-behind", "_gather_lanes", "inward = 1.0 if at_bush else -1.0",
        "inward = -1.0 if at_bush else 1.0", "Plates touch the tooth on the wrong side of their link.",
        PLATES, compiled=True,
    ),
    Mutation(
        "outer-link-by-its-other-end", "_others", "% links, joint % 2]", "% links, 1 - joint % 2]",
        "The wrong end of an outer link is used at a joint.", PLATES, compiled=True,
    ),
    Mutation(
        "outer-plates-store-nothing", "side_energy", "(inner**2 + outer**2)", "inner**2",
        "The elastic energy of outer plates on teeth is not counted.", PLATES, compiled=True,
    ),
    Mutation(
        "plates-leave-with-more", "_press_plates", "1.0 - damping * parting", "1.0 + damping * parting",
        "Plates that strike a tooth leave it faster than they arrived.", PLATES, compiled=True,
    ),
    Mutation(
        "plates-drawn-through-teeth", "_straddling", "depth, sign = most - depth, -sign", "depth = most - depth",
        "Plates that are more than halfway through a tooth of a cassette are pulled back.", SHIFT_FORCES,
        compiled=True,
    ),
    Mutation(
        "roller-ends-drawn-in", "_meeting", "-(math.copysign(1.0, off) +", "(math.copysign(1.0, off) -",
        "The side of a tooth attracts the end of a roller.", SHIFT_FORCES, compiled=True,
    ),
    Mutation(
        "cogs-at-the-plane-of-the-wheel", "_gather_lanes", "= x, y, z - offset", "= x, y, z",
        "Cogs are in the plane of their wheel.", SHIFTS, compiled=True,
    ),
    Mutation(
        "gaps-that-fit-by-the-larger-cog", "leading_angle", "spare / small", "spare / large",
        "No whole number of links spans the distance between the gaps of two cogs.",
        (f"{SHIFT}::test_whole_links_lead_over_between_the_gaps_that_fit",),
    ),
    Mutation(
        "gates-along-the-rotation", "gates_away", "_fitting(large, small, -lead)", "_fitting(large, small, lead)",
        "Teeth take up the chain where the links to the smaller cog do not fit.",
        (f"{SHIFT}::test_gates_stand_where_the_links_fit",),
    ),
    Mutation(
        "chain-climbs-from-the-larger-cog", "gates_away", "aside = apart - come if climbs else come", "aside = come",
        "The tips of a cog onto which the chain climbs lean as if it came from that cog.",
        (f"{SHIFT}::test_tips_find_between_the_plates_or_stay_beside_them",),
    ),
    Mutation(
        "chain-bends-one-way-around-both-wheels", "aside", "(lying + self.radius)", "(lying - self.radius)",
        "A chain that bends the other way around the wheel before a cassette gets the tangent for the same side.",
        (f"{SHIFT}::test_the_chain_comes_straight_from_the_wheel_before",),
    ),
    Mutation(
        "five-links-along-the-pitch-circle", "lead_over_tips", "- tangent) / small", "+ tangent) / small",
        "The angle by which a chain leads from cog to cog has the wrong sign of the tangent length.",
        (f"{SHIFT}::test_five_links_lead_over_the_tips_of_the_larger_cog_and_along_the_tangent_to_the_smaller_one",),
    ),
    Mutation(
        "gates-push-along-the-axis-alone", "_straddling", "around -= steep * n[S.NEAR_TIP_RISE + i]", "around -= 0.0",
        "A rim whose height decreases around a cog exerts no circumferential force.", SHIFT_FORCES, compiled=True,
    ),
    Mutation(
        "tips-lean-without-a-slope", "_straddling", "slope -= sign * n[S.NEAR_LEAN + i] / (tip - full)", "slope -= 0.0",
        "Plates on a leaning tooth receive no radial force.", SHIFT_FORCES, compiled=True,
    ),
    Mutation(
        "gates-looked-up-beyond-the-tips-alone", "_gated", "square < within * within", "square < beyond * beyond",
        "All teeth of a cassette are alike.",
        (f"{SHIFT}::test_forces_are_those_of_gates_that_are_looked_up_for_every_link",), compiled=True,
    ),
    Mutation(
        "pulleys-move-away", "_way", "to_cog > 0.0 else -shift.overshift", "to_cog < 0.0 else -shift.overshift",
        "The pulleys stop short of the cog by the distance by which they should overshift.",
        ("tests/unit/test_bicycle_shift.py",),
    ),
    Mutation(
        "shift-ends-with-the-last-roller-on-the-old-cog", "_course", "| (rows[:, last] < full)", "",
        "A shift counts as complete while only a few rollers are on the new cog.",
        ("tests/unit/test_bicycle_shift.py",),
    ),
    Mutation(
        "shaft-tilts-to-the-other-side", "_askew", "alpha -= slope * y", "alpha += slope * y",
        "In space a shaft that bends in the y direction tilts its wheel the wrong way.", MACHINE, compiled=True,
    ),
    Mutation(
        "cage-turns-no-askew-wheel", "_turn", "wz = beta_rate * sa + rate * (1.0 - e[S.E3 + 2])",
        "wz = beta_rate * sa", "The teeth of a tilted wheel stand still while its cage turns.", CAGE, compiled=True,
    ),
    Mutation(
        "cage-with-the-moment-of-its-wheel", "_load", "planar.resultant.tilting[w] = mz - own",
        "planar.resultant.tilting[w] = mz",
        "The moment that turns a tilted wheel also turns its cage.", MACHINE, compiled=True,
    ),
    Mutation(
        "guide-on-the-bush-of-the-other-link", "touch_guide", "guide_contact(p.joint_place, p.joint_velocity,",
        "guide_contact(p.place, p.velocity,", "A guide presses on a link at the position of the next one.", GUIDES,
        compiled=True,
    ),
    Mutation(
        "guide-without-friction-aside", "_press", "aside = s[S.VZ + lane] + ox * ry - oy * rx", "aside = 0.0",
        "Friction of guides does not act in the out-of-plane direction.", GUIDES, compiled=True,
    ),
    Mutation(
        "guide-rolls-no-link", "_press", "s[S.CTX + lane] += ry * fz - dz * fy", "s[S.CTX + lane] += ry * fz",
        "A guide presses on the middle of a tilted link.", GUIDES, compiled=True,
    ),
    Mutation(
        "guide-friction-without-arm", "_press", "rx, ry = dx - arm * nx, dy - arm * ny", "rx, ry = dx, dy",
        "Friction of plates on a guide acts at the middle of the joint.", GUIDES, compiled=True,
    ),
    Mutation(
        "friction-along-the-pins-alone", "_hold", "fx * fx + fy * fy + fz * fz", "fx * fx + fy * fy",
        "Friction along the pins of links has no limit.", STICKING, compiled=True,
    ),
    Mutation(
        "anchor-does-not-turn-with-its-wheel", "_hold", "dx = x + was * ax - (cos * px - sin * py)",
        "dx = x + was * ax - px",
        "Rollers stick to a position in space instead of one on their wheel.", STICKING, compiled=True,
    ),
    Mutation(
        "anchor-ahead-of-the-slider", "_hold", "z + along * az + fz / stiffness", "z + along * az - fz / stiffness",
        "The spring of a sliding roller changes its direction at every step.", STICKING, compiled=True,
    ),
    Mutation(
        "stuck-roller-loses-double", "_hold", "lost -= n[S.NEAR_SLIP + i]", "lost -= 2.0 * n[S.NEAR_SLIP + i]",
        "Elastic friction on teeth absorbs twice the work of its forces.", LOSING, compiled=True,
    ),
    Mutation(
        "joint-held-on-one-side", "hold_joints", "s[S.TZ + k] -= moment * r3", "s[S.TZ + k] += moment * r3",
        "Friction that holds a joint turns it further.", LOSING, compiled=True,
    ),
    Mutation(
        "joint-spring-of-the-half-angle", "hold_joints", "spring = 2.0 * stiffness", "spring = stiffness",
        "Sticking joints have half of their stiffness.", STICKING, compiled=True,
    ),
    Mutation(
        "rolling-links-held-too-little", "_hold_upright", "rolls = ROLLING *", "rolls = 0.0 *",
        "The search for equilibrium fails where teeth press on links that may roll.",
        ("tests/verification/test_bicycle_at_rest.py::test_a_bicycle_in_space_rests_as_in_the_plane",), compiled=True,
    ),
    Mutation(
        "taut-links-held-in-the-plane", "_hold_upright", "pin[r] * pin[c]", "(1.0 if r == c else 0.0)",
        "The search for equilibrium takes thousands of steps to straighten a long taut span.",
        ("tests/verification/test_bicycle_at_rest.py::test_play_along_the_pins_holds_no_link_in_the_plane",),
        compiled=True,
    ),
    Mutation(
        "guide-holds-no-rolling", "hold_on_guide", "- dx * ny), sticks * dz", "- dx * ny), 0.0 * dz",
        "A link that sticks to a guide can move freely out of the plane.", STICKING, compiled=True,
    ),
)  # fmt: skip

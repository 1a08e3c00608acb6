"""The equations of motion of chain and wheels, memory of contacts, meshing, what a row records, places of endings."""

from mutations.mutation import Mutation

RHS = ("tests/verification/test_independent_rhs.py",)
PINS = ("tests/unit/test_chain_kernels.py",)
ENDINGS = "tests/unit/test_roller_endings.py"
MEMORY = ("tests/unit/test_roller_memory.py",)
RECORD = ("tests/unit/test_roller_compile_and_record.py",)
TANGENT = "tests/unit/test_tangent.py"
OF_ROLLERS = (f"{TANGENT}::test_of_a_short_chain",)
WEAR = "tests/verification/test_wear_and_payload.py"

MUTATIONS = (
    Mutation(
        "tangent-of-a-straight-surface", "force_change", "slopes.bend * along", "0.0 * along",
        "The derivative for a roller on a curved flank is that on a straight line.", OF_ROLLERS,
    ),
    Mutation(
        "tangent-of-a-surface-that-stands", "force_change", "dvx + turning * dy", "dvx",
        "The derivative of contacts with a turning wheel is that for a stationary wheel.", OF_ROLLERS,
    ),
    Mutation(
        "tangent-of-friction-under-constant-force", "contact_slopes", "by_force = -by_limit * coefficient",
        "by_force = 0.0 * by_limit",
        "In the derivative, sliding friction does not follow the normal force.", OF_ROLLERS,
    ),
    Mutation(
        "tangent-of-joints-of-two-rollers", "_one_joint", "before[0] - behind[0]", "before[0]",
        "In the derivative of a joint, the link behind its roller does not move.", OF_ROLLERS,
    ),
    Mutation(
        "tangent-without-tension-across", "_one_link", "across = follow * link.tension[i] * inverse",
        "across = 0.0 * follow * inverse",
        "In the derivative, a link under tension does not resist turning.", OF_ROLLERS,
    ),
    Mutation(
        "tangent-of-a-pin-that-pulls-both-links", "joint_slopes", "0.5 * by_force", "by_force",
        "In the derivative of its friction, the force on a pin is the sum of both tensions.", OF_ROLLERS,
    ),
    Mutation(
        "pin-force-of-one-link", "_pin_force", "0.5 * (link.tension[before] + link.tension[i])",
        "link.tension[i]", "Joint friction depends on the tension of only one of the two links.", PINS,
    ),
    Mutation(
        "closing-joint-without-friction", "_of_all",
        "lost = joint(p, last, ZERO, radius, kept, gained, moments)",
        "lost = 0.0", "The joint between the last link and the first has no friction.", PINS,
    ),
    Mutation(
        "closing-link-unpaired", "_on_rollers", "force[ZERO] - force[index(force.size) - ONE]",
        "force[ZERO]", "The last link does not pull on the first roller.", RHS,
    ),
    Mutation(
        "closing-couple-lost", "_couples", "_couple(link, last, ZERO, force_x, force_y)", "pass",
        "The couple on the last link is omitted.", RHS,
    ),
    Mutation(
        "gravity-of-y-ignored", "_roller_accelerations", "* inverse + p.planar.gravity_y", "* inverse",
        "Gravity does not act on rollers in the y direction.", (*RHS, "tests/contracts/test_formulation_contract.py"),
    ),
    Mutation(
        "tooth-angular-velocity-sign", "_tooth_contact",
        "- cvx + angular_velocity * ry", "- cvx - angular_velocity * ry",
        "The rim of a wheel moves the wrong way along x.", RHS,
    ),
    Mutation(
        "tooth-side-forgotten", "_tooth_contact", "gx *= mirror", "gx *= abs(mirror)",
        "Both flanks of a gap push to the same side.", RHS,
    ),
    Mutation(
        "guide-frame-unturned", "_turn_normal", "nx = ca * gx - sa * gy", "nx = gx",
        "The normal of a guide does not turn with its body.", ("tests/contracts/test_formulation_contract.py",),
    ),
    Mutation(
        "friction-moment-lost", "_surface_force", "fx = force * nx - tangential * ny", "fx = force * nx",
        "Friction does not act along x.", RHS,
    ),
    Mutation(
        "friction-heat-sign", "_surface_force",
        "friction_power -= tangential", "friction_power += tangential",
        "The heat of friction has the wrong sign.", RHS,
    ),
    Mutation(
        "impact-speed-of-release", "update_impact_memory", "max(p.contact.rate[k], p.speed_floor)",
        "max(-p.contact.rate[k], p.speed_floor)", "The impact speed is stored with the wrong sign.", MEMORY,
    ),
    Mutation(
        "impact-speed-never-forgotten", "update_impact_memory", "if penetration > 0.0 else 0.0",
        "if penetration > 0.0 else 1.0",
        "The impact speed of a contact is kept after it has opened.", MEMORY,
    ),
    Mutation(
        "impact-of-first-roller", "update_impact_memory", "p.impact_speed[face, first + i]",
        "p.impact_speed[face, i]", "Impact speeds are stored with the wrong rollers.", PINS,
    ),
    Mutation(
        "depth-never-watched", "too_deep", "p.contact.penetration[k] > limit", "p.contact.penetration[k] > 2.0 * limit",
        "A roller may be pressed twice as deep as the surface bears.", PINS,
    ),
    Mutation(
        "breaking-load-of-last-link", "margin", "largest_of(tensions, 0, tensions.size, -math.inf)",
        "tensions[tensions.size - 1]",
        "Only the last link can break.", PINS,
    ),
    Mutation(
        "gaps-closing-pair", "gaps_in_order", "for i in range(n):", "for i in range(n - 1):",
        "The pair of the last and the first roller is not asked whether its gaps follow each other.", PINS,
    ),
    Mutation(
        "gaps-two-apart", "gaps_in_order", "if step != 1 and step != teeth - 1:", "if step > 2 and step < teeth - 2:",
        "Neighbours two gaps apart count as in order.", PINS,
    ),
    Mutation(
        "shortest-half-open", "_shortest", "2 * around > teeth", "around > teeth",
        "Steps between gaps are counted the long way around.",
        ("tests/unit/test_roller_jumps.py::test_a_jump_counts_when_the_last_roller_has_followed",),
    ),
    Mutation(
        "path-counts-links", "_path", "along = i + 0.5 + turned", "along = i + turned",
        "The position of a link is that of its first roller.", RECORD,
    ),
    Mutation(
        "path-sign-ignored", "_teeth_turned", "* p.path_sign", "",
        "The path moves in the wrong direction with a clockwise wheel.",
        PINS,
    ),
    Mutation(
        "span-without-its-last-links", "_nearby", "max(math.ceil(length), 0) + 3", "max(math.ceil(length), 0) - 1",
        "The last links of a span are ignored.", RECORD,
    ),
    Mutation(
        "span-without-links-behind-the-first", "_nearby", "int(max(last - n, 0))", "0",
        "In a span that contains the last and the first link, the links behind the first are ignored.", RECORD,
    ),
    Mutation(
        "span-displacement-right", "_spans",
        "displacement = left_before - before * (left_after - left_before) / (after - before)",
        "displacement = before * (left_after - left_before) / (after - before) - left_before",
        "The displacement of a span is positive to the right.", RECORD,
    ),
    Mutation(
        "contact-energy-exponent", "_with_surfaces", "(p.surface.exponent[surface] + 1.0)",
        "p.surface.exponent[surface]", "The elastic energy of contacts is divided by n instead of n + 1.",
        ("tests/contracts/test_formulation_contract.py",),
    ),
    Mutation(
        "bearing-centrifugal-sign", "bearing_force", "acceleration * ey + square * ex",
        "acceleration * ey - square * ex", "An unbalanced wheel pulls to its light side.", PINS,
    ),
    Mutation(
        "ending-at-slackest-link", "ended_at", "np.argmax(tensions)", "np.argmin(tensions)",
        "The slackest link is reported as the one that broke.", (f"{ENDINGS}::test_breaking_load",), compiled=True,
    ),
    Mutation(
        "ending-in-the-span-before", "_place_of_link", "int(seated[0]) + before", "int(seated[0]) + before - 1",
        "The link that broke is reported in the span before the wheel.",
        (f"{ENDINGS}::test_breaking_load",), compiled=True,
    ),
    Mutation(
        "ending-at-a-place-in-the-run", "_deepest", "first + most, surface", "most, surface",
        "The roller that is too deep is numbered from the first roller on its wheel.",
        (f"{ENDINGS}::test_too_deep",),
    ),
    Mutation(
        "ending-of-the-first-surface", "_deepest", "return max(found)[1:]", "return found[0][1:]",
        "The roller that is too deep is searched for on the first wheel only.",
        (f"{ENDINGS}::test_too_deep", f"{ENDINGS}::test_too_deep_in_a_guide"),
    ),
    Mutation(
        "ending-of-wheels-that-hold", "ended_at", "(gaps < 0).all()", "(gaps < 0).any()",
        "Wheels that still have rollers are reported to have lost the chain.",
        (f"{ENDINGS}::test_a_wheel_that_still_has_rollers_has_not_lost_the_chain",),
    ),
    Mutation(
        "continued-path-angle", "continued_on", "path_angle=p.path_angle + 2.0 * math.pi * turns,",
        "path_angle=p.path_angle,", "A continued run measures the path of its links from a different revolution.",
        ("tests/unit/test_continued_state.py",),
    ),
    Mutation(
        "wear-in-all-links", "link_elongations", "2.0 * wear * (index % 2)", "wear",
        "Wear makes inner links longer, too.", ("tests/unit/test_model_wear.py",),
    ),
    Mutation(
        "worn-chain-with-new-links", "_rollers", "chain.pitch * (1.0 + np.array(chain.elongations))", "chain.pitch",
        "Links in the roller formulation do not wear.", (WEAR,),
    ),
    Mutation(
        "attachment-on-one-roller", "_rollers", "0.5 * (attached + np.roll(attached, 1))", "0.5 * attached",
        "Half of the mass attached to a link is lost.", (WEAR,),
    ),
    Mutation(
        "goods-come-with-the-chain", "carry", "fx += rate * sx", "fx += 0.0",
        "No force is needed to accelerate goods in the x direction.", ("tests/contracts/test_formulation_contract.py",),
    ),
    Mutation(
        "goods-leave-nothing", "carry", "given -= 0.5 * rate * (vx * vx + vy * vy)", "given -= 0.0",
        "Goods that leave take no kinetic energy with them.", (WEAR, "tests/contracts/test_formulation_contract.py"),
    ),
    Mutation(
        "goods-without-inertia", "carry", "inverse = 1.0 / (mass[i] + total)", "inverse = 1.0 / mass[i]",
        "Goods have weight but no inertia.", ("tests/contracts/test_formulation_contract.py",),
    ),
    Mutation(
        "continued-unbalance", "_turn_unbalance", "cos(angles) * x - sin(angles) * y",
        "cos(angles) * x + sin(angles) * y",
        "The heavy side of a wheel is at a wrong angle in a continued run.",
        ("tests/unit/test_continued_state.py",),
    ),
)  # fmt: skip

"""Rigid links: places of bushes and pins, joints, sliding that turns links, stiffness, limit of the step."""

from mutations.mutation import Mutation

PIN = ("tests/unit/test_physics_pin.py",)
LINKS = ("tests/verification/test_rigid_links.py",)
PATHS = ("tests/verification/test_path_coordinates.py",)
DRIVES = ("tests/verification/test_link_drives.py",)

MUTATIONS = (
    Mutation(
        "pin-that-pulls",
        "pin_force",
        "penetration > 0.0 and force > 0.0",
        "penetration > 0.0",
        "A damper holds a pin that leaves its bush.",
        PIN,
    ),
    Mutation(
        "oil-that-pulls",
        "oil_film_force",
        "if rate > 0.0 else 0.0",
        "if rate != 0.0 else 0.0",
        "Oil holds a pin that leaves its bush.",
        PIN,
    ),
    Mutation(
        "clearance-forgotten",
        "_normalise",
        "square * inverse - clearance[j]",
        "square * inverse",
        "Pins touch their bushes from the middle on.",
        LINKS,
    ),
    Mutation(
        "pin-velocity-without-turning",
        "_velocity",
        "centre[i] + sign * rate[i] * arm[i]",
        "centre[i]",
        "Bushes and pins move as the centre of mass does.",
        LINKS,
    ),
    Mutation(
        "joint-moment-on-one-link",
        "_joint_forces",
        "_add(pin[L.PIN_MOMENT, 1:], 1.0, moment[:last])",
        "_add(pin[L.PIN_MOMENT, 1:], 0.0, moment[:last])",
        "Friction of a joint acts on one of its links.",
        DRIVES,
    ),
    Mutation(
        "journal-that-drags",
        "_journals",
        "vx = pin[L.PIN_VX, j] - p.velocity[j] + p.planar.turning[j] * oy",
        "vx = pin[L.PIN_VX, j] - p.velocity[j]",
        "A chain that turns as one loses energy in its journals.",
        LINKS,
    ),
    Mutation(
        "link-turns-for-nothing",
        "chain_energies",
        "inertia * plane[v + 2 * n + i] ** 2",
        "0.0",
        "Links that turn have no energy.",
        LINKS,
    ),
    Mutation(
        "plate-that-does-not-turn-its-link",
        "_twist_of_links",
        "p.twist[first + i] -= moment",
        "p.twist[first + i] -= 0.0",
        "Friction on plates acts in the middle of the bush.",
        DRIVES,
    ),
    Mutation(
        "slip-of-the-bush-centre",
        "_slip_of_links",
        "arm * (p.turning[first + i] - angular_velocity)",
        "0.0",
        "Plates slide as the centres of their bushes move.",
        DRIVES,
    ),
    Mutation(
        "path-without-offset",
        "_to_path",
        "acceleration_to_path(here, y[n + i],",
        "acceleration_to_path(here, 0.0,",
        "A link beside its trajectory accelerates as one on it.",
        PATHS,
    ),
    Mutation(
        "path-loses-turns",
        "_along",
        "path.turned[i] = angle - at[3] - turn",
        "path.turned[i] = 0.0",
        "In path coordinates the angle of a link is off by whole turns.",
        PATHS,
    ),
    Mutation(
        "end-in-path-coordinates",
        "end_state",
        "in_plane(system.parameters, end.state)",
        "end.state",
        "A run that goes on takes places along the path for places in the plane.",
        PATHS,
    ),
    Mutation(
        "joint-stiffness-without-arms",
        "_joint",
        "turned_pin, turned_bush = -(fx * ax + fy * ay), fx * bx + fy * by",
        "turned_pin, turned_bush = 0.0, 0.0",
        "Tension does not hold links straight.",
        LINKS,
    ),
)

"""Power of a conveyor, and the verdict on it."""

from mutations.mutation import Mutation

CONVEYORS = ("tests/verification/test_conveyors.py",)

MUTATIONS = (
    Mutation(
        "rail-without-its-slope",
        "_rail_pull",
        "of_chain * side * (drive.gravity[0] * uy - drive.gravity[1] * ux)",
        "of_chain * 9.81",
        "The weight on an inclined rail is that on a level rail.",
        CONVEYORS,
    ),
    Mutation(
        "goods-without-transition",
        "goods_between",
        "[0.0, 1.0, 1.0, 0.0]",
        "[1.0, 1.0, 1.0, 1.0]",
        "Rails carry goods before these are fully on the chain.",
        CONVEYORS,
    ),
    Mutation(
        "lift-downhill",
        "goods_pull",
        "lift -= mass * float(gx * ux + gy * uy)",
        "lift += mass * float(gx * ux + gy * uy)",
        "Goods that are being lifted drive the conveyor.",
        CONVEYORS,
    ),
    Mutation(
        "feed-of-half",
        "goods_pull",
        "* speed * (speed - facts.direction * payload.feed_speed)",
        "* 0.5 * speed * (speed - facts.direction * payload.feed_speed)",
        "Goods from a hopper take up only half of their momentum.",
        CONVEYORS,
    ),
    Mutation(
        "wheels-without-inertia",
        "conveyor_pull",
        "+ sum(goods) + wheels",
        "+ sum(goods)",
        "Sprockets need no torque to start.",
        CONVEYORS,
    ),
    Mutation(
        "breakaway-of-all",
        "start",
        "breakaway * self.friction + self.lift",
        "breakaway * (self.friction + self.lift)",
        "The lifting force counts as friction that has to be broken away.",
        CONVEYORS,
    ),
    Mutation(
        "motor-with-the-losses-of-its-gear",
        "conveyor",
        "/ (limits.gear_efficiency or 1.0)",
        "* (limits.gear_efficiency or 1.0)",
        "A less efficient gear needs a smaller motor.",
        CONVEYORS,
    ),
    Mutation(
        "rail-across",
        "_rails",
        "(last - first) / math.dist(first, last)",
        "(last - first)",
        "The power at a rail is proportional to the square of its length.",
        CONVEYORS,
    ),
    Mutation(
        "start-of-the-whole-run",
        "_start",
        "slice(0, int(reached[0]) + 1)",
        "slice(0, None)",
        "A shock after the start counts towards the starting torque.",
        CONVEYORS,
    ),
    Mutation(
        "elongation-without-wraps",
        "_take_up",
        "+ of_wheels @ (route.wrap * route.radii)",
        "",
        "The chain on the sprockets does not stretch.",
        CONVEYORS,
    ),
    Mutation(
        "take-up-of-one-strand",
        "_bend",
        "direction[wheel - 1] - direction[wheel]",
        "direction[wheel - 1]",
        "A take-up moves by the whole elongation.",
        CONVEYORS,
    ),
    Mutation(
        "worn-twice",
        "_take_up",
        "(chain.mean_pitch / chain.pitch - 1.0)",
        "0.0",
        "A worn chain is assumed to wear as much again as a new one.",
        CONVEYORS,
    ),
)

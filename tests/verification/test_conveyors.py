"""Power of a conveyor compared with formulas: a strand on a rail, goods lifted, a start, a chain that stretches."""

import math
from itertools import pairwise

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.analytical.conveyor_pull import conveyor_pull, is_conveyor
from chaindrive.analyses.carried import carried_mass, goods_between
from chaindrive.analyses.results.conveyor import conveyor
from chaindrive.analyses.results.tiles import Sign
from chaindrive.cli.check_loads import load_lines
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import example, override
from support.made_run import solution_of

GRAVITY = 9.81
MU = 0.12
LENGTH, RAIL, GOODS = 3.0, 2.6, 40.0
TEETH, SPEED, SLAT = 21, 0.5, 0.0762
STIFF = 5e4
TENSION = (900.0, 200.0)


def drive_of(slope: float = 0.0, **more) -> cd.Drive:
    """A conveyor of two sprockets with a rail under each strand, goods over all of the upper rail."""
    pace = 2.0 * math.pi * SPEED / (TEETH * 0.0254)
    head = (LENGTH * math.cos(slope), LENGTH * math.sin(slope))
    tooth = {"form": "iso-606"}
    rails = [
        {
            "name": f"rail {span}",
            "shape": {"kind": "on_span", "span": span, "side": side, "length": RAIL},
            "contact": {"stiffness": 1e8, "friction": MU},
        }
        for span, side in ((0, "right"), (1, "left"))
    ]
    goods = {"name": "goods", "span": 0, "mass_per_length": GOODS, "start": 0.4, "end": 2.4, "feed_speed": SPEED}
    slide = {
        "kind": "prismatic",
        "direction": f"{180.0 + math.degrees(slope)} deg",
        "stiffness": STIFF,
        "neutral": 0.03,
    }
    chain = {"standard": "16B-1", "links": "auto", "attachments": [{"mass": SLAT, "every": 1}]}
    fields = {
        "name": "conveyor", "loop": "clockwise", "chain": chain,
        "contact": {"stiffness": 1e10, "friction": MU},
        "wheels": [
            {"name": "tail", "teeth": TEETH, "position": [0, 0], "inertia": 0.05, "mass": 8, "tooth": tooth,
             "body": "slide"},
            {"name": "head", "teeth": TEETH, "position": list(head), "inertia": 0.1, "tooth": tooth,
             "motion": {"kind": "constant_speed", "speed": -pace, "ramp": 2.0}},
        ],
        "bodies": [{"name": "slide", "mass": 12, "inertia": 0.1, "centre_of_mass": [0, 0], "joint": slide}],
        "guides": rails, "payloads": [goods],
    }  # fmt: skip
    return cd.Drive.from_dict(fields | more)


def per_length(drive: cd.Drive) -> float:
    return (drive.chain.link_mass + SLAT) / drive.chain.pitch


@pytest.mark.parametrize("slope", [0.0, 0.3, -0.2])
def test_the_weight_on_a_rail_rubs_by_coulomb(slope):
    """mu m g cos a v, and m g sin a v for the goods; the lower rail carries the chain alone."""
    drive = drive_of(slope)
    found = conveyor_pull(drive)
    goods = carried_mass(drive, drive.payloads[0])
    normal = GRAVITY * math.cos(slope)
    chain = per_length(drive) * RAIL
    assert [rail.mass for rail in found.rails] == pytest.approx([chain + goods, chain])
    assert [rail.pull for rail in found.rails] == pytest.approx([MU * (chain + goods) * normal, MU * chain * normal])
    assert found.lift == pytest.approx(goods * GRAVITY * math.sin(slope), abs=1e-9)
    assert found.feed == 0.0
    assert found.speed == pytest.approx(SPEED)
    assert found.total == pytest.approx(found.friction + found.lift)


def test_goods_that_come_from_a_hopper_are_brought_to_speed():
    """Momentum balance: the force is mass flow times speed, the power q v^2."""
    drive = override(drive_of(), {"payloads.0.feed_speed": 0.0})
    assert conveyor_pull(drive).feed == pytest.approx(GOODS * SPEED**2)


def test_moving_mass_and_start():
    drive = drive_of()
    found = conveyor_pull(drive)
    lever = TEETH * drive.chain.pitch / (2.0 * math.pi)
    goods = carried_mass(drive, drive.payloads[0])
    mass = drive.chain.links * (drive.chain.link_mass + SLAT) + goods + 0.15 / lever**2
    assert found.moving_mass == pytest.approx(mass)
    assert found.start(2.0, 1.5) == pytest.approx(1.5 * found.friction + mass * SPEED / 2.0)
    uphill = conveyor_pull(drive_of(0.3))
    once, twice = uphill.start(2.0, 1.0), uphill.start(2.0, 2.0)
    assert twice - once == pytest.approx(uphill.friction)  # the goods are as heavy at rest as in motion


def test_loads_of_the_wheels_have_to_be_pulled_too():
    """20 N m on the tail wheel, and 5 N m s/rad at its speed; a chain that hoists is not reckoned by hand."""
    drive = drive_of()
    lever = TEETH * drive.chain.pitch / (2.0 * math.pi)
    tail = 1 - drive_facts(drive).driver
    loaded = override(drive, {f"wheels.{tail}.load_torque": 20.0, f"wheels.{tail}.load_viscous": 5.0})
    more = (20.0 + 5.0 * SPEED / lever) / lever
    assert conveyor_pull(loaded).total - conveyor_pull(drive).total == pytest.approx(more)
    assert conveyor_pull(loaded).start(2.0) - conveyor_pull(drive).start(2.0) == pytest.approx(more)
    assert math.isnan(conveyor_pull(cd.example("hoist")).start(2.0))


def test_goods_between_two_places_add_up():
    drive = drive_of()
    goods = drive.payloads[0]
    total = carried_mass(drive, goods)
    edges = np.array([0.0, 0.43, 1.1, 2.35, 3.0])
    parts = [goods_between(drive, goods, a, b) for a, b in pairwise(edges)]
    assert sum(parts) == pytest.approx(total)
    assert 0.0 < parts[0] < 0.5 * GOODS * 0.03
    assert goods_between(drive, goods, 1.0, 1.5) == pytest.approx(0.5 * GOODS)


def made(
    drive: cd.Drive, at_rest: bool = True, curved: float = 0.0, downhill: float = 0.0
) -> tuple[cd.Solution, float]:
    """A run of formulas: from rest to speed within 1 s at constant acceleration; tensions and forces of a strand on its
    rails.

    curved: friction of a curved rail [N], whose resultant gives no information; downhill: force with which goods drive
    the conveyor [N].
    """
    time = np.linspace(0.0, 6.0, 1201)
    facts = drive_facts(drive)
    pull = conveyor_pull(drive)
    lever = TEETH * drive.chain.pitch / (2.0 * math.pi)
    rise = np.minimum(time, 1.0) if at_rest else np.ones(time.size)
    moved = np.where(time < 1.0, 0.5 * time**2, time - 0.5) if at_rest else time
    pace = -SPEED / lever
    force = pull.friction + pull.moving_mass * SPEED * (time <= 1.0 if at_rest else 0.0 * time)
    shock = 1e4 * (np.abs(time - 2.0) < 1e-3)  # long after the start
    along = [facts.direction * (1.0 if k == 0 else -1.0) for k in range(2)]
    guide = np.zeros((time.size, 2, 2))
    for k, rail in enumerate(pull.rails):
        guide[:, k, 0] = rail.pull * along[k]
    friction = (pull.friction + curved) * SPEED * moved
    zero = 0.0 * time
    # the take-up yields by the elastic elongation over its gain of 2
    stretch = sum(t * s for t, s in zip(TENSION, facts.route.span_length, strict=True))
    stretch += np.mean(TENSION) * float(facts.route.wrap @ facts.route.radii)
    stretch /= drive.chain.pitch * drive.chain.link_stiffness
    table = {
        "wheel_speed": np.outer(rise, [pace, pace]),
        "wheel_angle": np.outer(moved, [pace, pace]),
        "wheel_torque": np.stack([zero, -(force + shock) * lever], axis=1),
        "span_tension": np.tile(TENSION, (time.size, 1)),
        "span_displacement": np.zeros((time.size, 2)),
        "guide_force": guide,
        "joint_position": np.stack([0.003 * (1.0 - np.cos(time))], axis=1),
        "work_input": np.maximum(force, downhill) * SPEED * moved,
        "work_output": np.maximum(downhill - force, 0.0) * SPEED * moved,
        "shaft_work": np.stack([zero, (force - downhill) * SPEED * moved], axis=1),
        "work_guide": friction,
        "work_articulation": zero,
        "energy_kinetic": 0.5 * pull.moving_mass * (SPEED * rise) ** 2,
        "energy_elastic": zero,
        "energy_gravity": zero,
        "energy_residual": zero,
    }
    if not drive.bodies:
        del table["joint_position"]
    return solution_of(drive, time, table), stretch


def test_power_by_rail_is_mu_m_g_v():
    run, _ = made(drive_of())
    found = conveyor(run)
    rails = {part.name: part for part in found.parts if part.name.startswith("rail")}
    mass = per_length(run.drive) * RAIL
    goods = carried_mass(run.drive, run.drive.payloads[0])
    assert rails["rail 0"].power == pytest.approx(MU * (mass + goods) * GRAVITY * SPEED, rel=1e-6)
    assert rails["rail 1"].power == pytest.approx(MU * mass * GRAVITY * SPEED, rel=1e-6)
    assert all(part.power == pytest.approx(part.by_hand, rel=1e-6) for part in rails.values())
    assert found.shaft == pytest.approx(sum(part.power for part in rails.values()), rel=1e-6)
    assert "guides" not in {part.name for part in found.parts}


def test_a_curved_rail_has_what_is_left():
    bent = {"kind": "path", "start": [2.8, -0.1], "direction": math.pi, "side": "left"}
    bent["pieces"] = [{"length": 1.3}, {"length": 1.3, "radius": 40.0, "bend": "right"}]
    run, _ = made(override(drive_of(), {"guides.1.shape": bent}), curved=30.0)
    upper, lower = conveyor(run).parts[:2]
    assert upper.power == pytest.approx(upper.by_hand, rel=1e-6)
    assert (lower.name, lower.power) == ("rail 1", pytest.approx(30.0 * SPEED, rel=1e-6))
    assert math.isnan(lower.by_hand)


def test_the_motor_has_factor_and_gear():
    limits = {"application_factor": 1.4, "gear_efficiency": 0.9, "motor_power": 1.0}
    run, _ = made(drive_of(limits=limits))
    found = conveyor(run)
    assert found.motor == pytest.approx(found.shaft * 1.4 / 0.9)
    tile = run.verdict.tile("motor")
    assert tile.sign == Sign.BEYOND
    finding = next(each for each in run.verdict.findings if each.key == "motor")
    assert finding.utilisation == pytest.approx(found.motor)


def test_the_driver_brakes_goods_that_move_down():
    """P = (F_friction - F_goods) v is negative; the gearbox takes its losses from the power that flows back."""
    limits = {"application_factor": 1.4, "gear_efficiency": 0.9, "motor_power": 1.0}
    drive = drive_of(limits=limits)
    friction = conveyor_pull(drive).friction
    run, _ = made(drive, at_rest=False, downhill=3.0 * friction)
    found = conveyor(run)
    assert found.shaft == pytest.approx(-2.0 * friction * SPEED)
    assert found.motor == pytest.approx(found.shaft * 1.4 * 0.9)
    tile = run.verdict.tile("motor")
    assert tile.headline.endswith("of braking")
    assert any("goods that move down drive the conveyor" in line for line in tile.lines)
    finding = next(each for each in run.verdict.findings if each.key == "motor")
    assert finding.utilisation == pytest.approx(-found.motor)
    assert "per kg" not in run.verdict.tile("efficiency").headline


def test_a_start_from_rest_is_that_of_the_run():
    run, _ = made(drive_of(limits={"breakaway": 3.0}))
    found = conveyor(run)
    lever = TEETH * run.drive.chain.pitch / (2.0 * math.pi)
    assert found.start.time == pytest.approx(0.95)
    assert found.start.torque == pytest.approx((found.pull.friction + found.pull.moving_mass * SPEED) * lever)
    by_hand = 3.0 * found.pull.friction + found.pull.moving_mass * SPEED / 0.95
    assert found.start.by_hand == pytest.approx(by_hand * lever)
    assert found.start.largest == max(found.start.torque, found.start.by_hand)


def test_a_run_at_speed_starts_by_its_ramp():
    run, _ = made(drive_of(), at_rest=False)
    found = conveyor(run).start
    assert found.time == 2.0
    assert math.isnan(found.torque)
    assert found.largest == found.by_hand
    assert any("does not begin at rest" in line for line in run.verdict.tile("start_torque").lines)


def test_the_take_up_yields_by_the_elongation():
    """F L / EA, EA = stiffness of a link times pitch; half of it between two strands; wear 3 % of the chain."""
    run, stretch = made(drive_of(limits={"thermal_elongation": 1e-3}))
    found = conveyor(run).take_up
    length = run.drive.chain.links * run.drive.chain.pitch
    assert (found.name, found.slides) == ("slide", True)
    assert found.gain == pytest.approx(2.0)
    assert found.elastic == pytest.approx(stretch)
    assert found.wear == pytest.approx(0.03 * length)
    assert found.heat == pytest.approx(1e-3 * length)
    swing = 0.006  # the joint moves outwards by this; a chain without tension has it half an elongation inwards
    assert found.moved == pytest.approx(0.5 * stretch + swing, rel=1e-3)
    assert found.travel == pytest.approx(found.moved + 0.5 * 0.031 * length)


def test_a_worn_chain_wears_by_what_is_left():
    drive = override(drive_of(), {"chain.elongation": 0.01})
    found = conveyor(made(drive)[0]).take_up
    assert found.wear == pytest.approx(0.02 * drive.chain.links * drive.chain.pitch)


def test_without_a_take_up_a_wheel_is_shifted():
    fields = drive_of().to_dict() | {"bodies": []}
    del fields["wheels"][0]["body"]
    run, stretch = made(cd.Drive.from_dict(fields))
    found = conveyor(run).take_up
    assert (found.name, found.slides) == ("tail", False)
    assert found.moved == pytest.approx(0.5 * stretch)


def test_a_run_that_diverges_is_judged_until_then():
    drive = drive_of()
    run, _ = made(drive)
    table = {name: np.array(run.values(name), np.float64) for name in run.channels}
    for values in table.values():
        values[-5:] = np.nan
    broken = conveyor(solution_of(drive, run.time, table), 4.0, 6.0)
    whole = conveyor(run, 4.0, 6.0)
    assert broken.motor == pytest.approx(whole.motor, rel=1e-3)
    assert broken.start == whole.start
    assert broken.take_up.elastic == pytest.approx(whole.take_up.elastic)
    for part, same in zip(broken.parts, whole.parts, strict=True):
        assert part.power == pytest.approx(same.power, rel=1e-6)


def test_check_has_the_pull_by_hand():
    """From the notes of the example: 533 N and 596 W to lift, and 15.6 N to feed; loads and bearings beside these."""
    (line,) = [line for line in load_lines(example("bucket-elevator")) if "by hand" in line]
    assert "558 N, 624 W at 1.12 m/s: lifting 533 N, feed 15.6 N, loads 9.28 N; " in line
    assert not any("by hand" in line for line in load_lines(example("industrial-08b")))
    (line,) = [line for line in load_lines(drive_of()) if "by hand" in line]
    rails = conveyor_pull(drive_of()).rails
    assert f": rail 0 {rails[0].pull:.0f} N, rail 1 {rails[1].pull:.1f} N; " in line


def test_other_drives_have_no_tiles_of_a_conveyor():
    assert not is_conveyor(example("industrial-08b"))
    assert is_conveyor(override(example("industrial-08b"), {"limits": {"motor_power": "2 kW"}}))
    assert is_conveyor(example("bucket-elevator"))

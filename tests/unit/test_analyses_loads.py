"""The table of peaks, forces on bearings, losses."""

import numpy as np
import pytest

from chaindrive.analyses.results.bearings import bearing_loads
from chaindrive.analyses.results.extremes import extremes
from chaindrive.analyses.results.losses import efficiency_text, loss_history, losses
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import example
from support.made_run import TIME, changed, made_run, solution_of
from support.moving_run import TIME as TIME_MOVED
from support.moving_run import moving_run, on_a_shaft
from support.rigid_run import rigid_run


@pytest.fixture(scope="module")
def run():
    return made_run()


def _of(found, quantity, index=None):
    return [p for p in found.peaks if p.quantity == quantity and index in (None, p.index)]


def _planted(**values):
    """The run with single numbers replaced: channel=(row, item, value)."""
    run = made_run()
    for name, changes in values.items():
        for row, item, value in changes:
            run.values(name)[row, item] = value
    return run


def test_a_planted_peak_is_found_where_and_when_it_is():
    # Roller 40 at t = 1.1 s is at (40 + 132) % 122 = 50 pitches, in the span from 32.8 to 53.9.
    run = _planted(
        link_tension=[(1100, 40, 99e3), (300, 7, -2e3)],
        contact_force=[(1100, 40, 7e3)],
        span_displacement=[(77, 2, -0.4)],
        wheel_torque=[(5, 0, -800.0)],
        wheel_speed=[(900, 3, -30.0)],
    )
    found = extremes(run, count=1)
    (high,) = _of(found, "largest link tension")
    assert (high.value, high.unit, high.row, high.kind, high.index) == (99e3, "N", 1100, "link", 40)
    assert high.time == pytest.approx(1.1)
    assert high.place == pytest.approx(50.5)
    assert high.where == "in span crankshaft - counterweight 2"
    (low,) = _of(found, "smallest link tension")
    assert (low.value, low.row, low.index) == (-2e3, 300, 7)
    (force,) = _of(found, "largest contact force")
    assert (force.value, force.row, force.index, force.kind) == (7e3, 1100, 40, "roller")
    assert force.place == pytest.approx(50.0)
    (moved,) = _of(found, "largest span displacement", 2)
    assert (moved.value, moved.row, moved.name) == (-0.4, 77, "tightener - counterweight 4")
    torques = _of(found, "largest wheel torque")
    assert [(t.value, t.row, t.name) for t in torques] == [(-800.0, 5, "crankshaft")]  # the others have none
    (speed,) = _of(found, "largest departure from mean speed", 3)
    assert speed.row == 900


def test_of_rigid_links_the_hardest_pressed_and_the_widest_open_joint_are_found():
    run = rigid_run()
    run.values("pin_force")[40, 7] = [-900.0, 1200.0]
    run.values("pin_gap")[:] = -1e-6
    run.values("pin_gap")[55, 20] = 3e-5
    found = extremes(run, count=2)
    force = _of(found, "largest pin force")[0]
    assert (force.value, force.unit, force.row, force.kind, force.index) == (1500.0, "N", 40, "joint", 7)
    assert force.place == pytest.approx(7.0 + 1000.0 * 0.02)
    (gap,) = _of(found, "largest pin gap")  # all others are pressed together
    assert (gap.value, gap.unit, gap.row, gap.kind, gap.index) == (pytest.approx(3e-5), "m", 55, "joint", 20)
    assert not _of(extremes(made_run()), "largest pin force")


def test_losses_of_rigid_links_have_their_own_names():
    run = rigid_run()
    found = losses(run)
    assert dict(zip(found.keys, found.names, strict=True)) == {
        "link_damping": "contacts of pins in bushes",
        "friction": "friction on teeth",
        "oil_film": "oil films",
    }
    rows = run.audit.rows
    assert rows["lost in contacts of pins in bushes"] == pytest.approx(TIME_MOVED[-1] - TIME_MOVED[0])
    assert "lost in damping of the links" not in rows


def test_oil_films_are_a_loss_where_oil_acts_only():
    assert "oil_film" in losses(rigid_run()).keys
    dry = rigid_run()
    dry.values("work_oil_film")[:] = 0.0
    found = losses(dry)
    assert "oil_film" not in found.keys
    assert "work_oil_film" not in found.not_kept


def test_tilt_and_what_bends_the_shaft_are_told_of_the_wheel_that_has_one():
    run = moving_run(drive=on_a_shaft(example("timing-06b")))
    run.values("wheel_tilt")[30, 1] = [3e-3, -4e-3]
    run.values("tilting_moment")[31, 1] = [0.0, 60.0]
    (tilt,) = _of(extremes(run), "largest wheel tilt")
    assert (tilt.value, tilt.unit, tilt.row, tilt.kind, tilt.index) == (pytest.approx(5e-3), "rad", 30, "wheel", 1)
    assert tilt.direction == pytest.approx(np.arctan2(-4.0, 3.0))
    (moment,) = _of(extremes(run), "largest tilting moment")
    assert (moment.value, moment.unit, moment.row, moment.index) == (60.0, "N m", 31, 1)
    still = extremes(moving_run())
    assert not _of(still, "largest wheel tilt")
    assert "wheel_tilt" not in still.not_kept


def test_a_link_between_two_rollers_on_a_wheel_is_on_it(run):
    found = extremes(run, count=1)
    (high,) = _of(found, "largest link tension")
    assert high.place == pytest.approx(30.5, abs=0.2)  # where the sine is 1
    assert high.where == "on crankshaft"
    (force,) = _of(found, "largest contact force")
    assert (force.value, force.row) == (2500.0, 0)  # of equal ones the first


def test_events_are_told_once():
    """Neighbours that carry nearly the same at one moment are one event; at another moment they are another event."""
    run = _planted(link_tension=[(1100, 40, 99e3), (1100, 41, 98e3), (1104, 42, 97e3), (2000, 90, 96e3)])
    high = _of(extremes(run, count=2), "largest link tension")
    assert [(p.row, p.index) for p in high] == [(1100, 40), (2000, 90)]


def test_the_window_is_kept_to_and_said():
    run = _planted(link_tension=[(100, 40, 99e3)])
    found = extremes(run, start=0.5, stop=2.0, count=1)
    assert (found.start, found.stop, found.rows) == (0.5, 2.0, 1501)
    (high,) = _of(found, "largest link tension")
    assert high.value == pytest.approx(23.1e3, rel=1e-3)
    assert 500 <= high.row <= 2000
    assert TIME[high.row] == high.time


def test_what_was_not_kept_is_named():
    found = extremes(made_run(drop=("bearing_force", "contact_surface")))
    assert set(found.not_kept) == {"friction_force", "bearing_force"}
    assert not _of(found, "largest bearing force")
    with pytest.raises(InputError, match="at least 1"):
        extremes(made_run(), count=0)


def test_a_force_that_turns_about_a_mean(run):
    """|F| of 5 kN at atan2(4, 3) plus a turning 300 N: 4.7 to 5.3 kN, fluctuation 300 N whatever its phase."""
    found = bearing_loads(run, start=0.5, stop=2.5 - 1e-3)  # four turns
    np.testing.assert_allclose(found.mean, [[3e3, 4e3]] * 4, atol=1e-6)
    np.testing.assert_allclose(found.mean_direction, np.arctan2(4.0, 3.0), rtol=1e-9)
    np.testing.assert_allclose(found.fluctuation, 300.0, rtol=1e-9)
    step = 2 * np.pi * 2.0 * 1e-3  # the nearest row is at most half of this from the largest: 300 (1 - cos)
    np.testing.assert_allclose(found.largest, 5300.0, atol=300 * step**2)
    np.testing.assert_allclose(found.smallest, 4700.0, atol=300 * step**2)
    np.testing.assert_allclose(found.largest_direction, np.arctan2(4.0, 3.0), atol=300 / 5300 * step)
    assert np.all(found.mean_magnitude > 5000.0)  # more than that of the mean vector
    np.testing.assert_allclose(found.magnitude[found.largest_row - 500, range(4)], found.largest)
    by_rows = extremes(run, start=0.5, stop=2.5 - 1e-3)
    np.testing.assert_allclose([p.value for p in _of(by_rows, "largest bearing force")], found.largest)


def test_losses_are_the_slopes_of_the_works(run):
    found = losses(run, start=0.5, stop=2.5)
    assert (found.input, found.output) == (pytest.approx(2000.0), pytest.approx(1500.0))
    by_key = dict(zip(found.keys, found.power, strict=True))
    assert by_key["articulation"] == pytest.approx(300.0)
    assert by_key["contact"] == pytest.approx(80.0)  # 40 J every 0.5 s
    assert "guide" not in by_key  # the drive has none
    assert found.total == pytest.approx(500.0)
    assert found.efficiency == pytest.approx(0.75)
    np.testing.assert_allclose(found.share.sum(), 1.0)
    assert dict(zip(found.keys, found.share, strict=True))["articulation"] == pytest.approx(0.6)
    assert found.stored == pytest.approx(0.0, abs=1e-9)
    assert found.residual == pytest.approx(0.0, abs=1e-6)
    assert found.not_kept == ()


def test_without_a_load_there_is_no_efficiency_and_without_a_work_no_balance():
    found = losses(made_run(drop=("work_output", "work_friction")))
    assert np.isnan(found.efficiency)
    assert np.isnan(found.residual)
    assert found.not_kept == ("work_friction",)
    with pytest.raises(InputError, match="no channel with the work of a loss"):
        losses(made_run(drop=[name for name in made_run().channels if name.startswith("work_")]))


def _shafts(powers, input, output, **more):
    """The made run with works of its shafts [W], and the powers of motors and loads [W]."""
    made = made_run()
    table = {name: made.values(name) for name in made.channels}
    table |= {"work_input": input * TIME, "work_output": output * TIME}
    table |= {"shaft_work": TIME[:, None] * np.array(powers)}
    return solution_of(made.drive, TIME, table | more)


def test_power_in_and_out_by_sign():
    """A load that drives (2 kW) against a motor that brakes (1.5 kW): in and out change places; 500 W are lost."""
    found = losses(_shafts([-1500.0, 2000.0, 0.0, 0.0], -1500.0, -2000.0), 0.5, 2.5)
    assert (found.input, found.output) == (pytest.approx(2000.0), pytest.approx(1500.0))
    assert found.efficiency == pytest.approx(0.75)
    assert found.residual == pytest.approx(0.0, abs=1e-6)
    assert efficiency_text(found) == (
        "75.00 %, 2 kW in at counterweight 2, 1.5 kW out at crankshaft (mean from 500 ms to 2.5 s)"
    )
    audit = _shafts([-1500.0, 2000.0, 0.0, 0.0], -1500.0, -2000.0).audit
    assert (audit.input, audit.output) == (pytest.approx(5000.0), pytest.approx(3750.0))


def test_two_drivers_of_which_one_brakes():
    """Motors supply 2000 W together: 2600 and -600; loads take 900 W: two shafts give power."""
    found = losses(_shafts([2600.0, -600.0, -900.0, 0.0], 2000.0, 900.0), 0.5, 2.5)
    assert (found.input, found.output) == (pytest.approx(2600.0), pytest.approx(1500.0))
    assert found.sources == ("crankshaft", "counterweight 2", "tightener")
    moved = losses(_shafts([2600.0, -600.0, -900.0, 0.0], 2100.0, 900.0), 0.5, 2.5)  # 100 W by a moved joint
    assert moved.input == pytest.approx(2700.0)
    assert dict(zip(moved.sources, moved.source_power, strict=True))["joints"] == pytest.approx(100.0)


def test_goods_are_no_joints_and_only_those_that_are_lifted_are_an_output():
    """The power that leaves through no shaft goes to the goods: on the level only as kinetic energy."""
    made = _shafts([2000.0, 0.0, 0.0, 0.0], 2000.0, 1500.0)
    along = drive_facts(made.drive).route.span_direction[0]
    across = along[::-1] * [1.0, -1.0]
    goods = {"name": "coal", "span": 0, "mass_per_length": 20.0, "start": 0.1}

    def with_goods(gravity, more=()):
        return losses(changed(made, {"payloads": [goods | {"gravity": gravity.tolist()}], **dict(more)}), 0.5, 2.5)

    lifted, level = with_goods(-9.81 * along), with_goods(9.81 * across - 0.01 * along)  # or nearly level
    for found in (lifted, level):
        assert dict(zip(found.sources, found.source_power, strict=True)) == pytest.approx(
            {"crankshaft": 2000.0, "goods": -1500.0}
        )
    assert lifted.efficiency == pytest.approx(0.75)
    assert np.isnan(level.efficiency)
    assert "kinetic energy" in level.no_efficiency
    slide = {"name": "slide", "mass": 5.0, "joint": {"kind": "prismatic", "direction": 0.0, "load": 5.0}}
    pressed = with_goods(-9.81 * along, {"bodies": [slide]})
    assert pressed.sources == ("crankshaft", "joints and goods")  # payload_power was not kept


def test_an_efficiency_that_means_nothing_says_why():
    stored = losses(_shafts([2000.0, -1500.0, 0.0, 0.0], 2000.0, 1500.0, energy_kinetic=30.0 * TIME), 0.5, 2.5)
    assert np.isnan(stored.efficiency)
    assert "30 W is stored" in efficiency_text(stored)
    lifting = losses(_shafts([2000.0, 0.0, 0.0, 0.0], 2000.0, 0.0, energy_gravity=1500.0 * TIME), 0.5, 2.5)
    assert "1.5 kW is stored by lifting" in efficiency_text(lifting)
    idle = losses(_shafts([500.0, 0.0, 0.0, 0.0], 500.0, 0.0), 0.5, 2.5)
    assert "not meaningful: there is no output power" in efficiency_text(idle)
    trembling = losses(_shafts([500.0, 0.0, 0.0, 0.0], 500.0, 5e-3), 0.5, 2.5)  # joints
    assert np.isnan(trembling.efficiency)
    down = losses(_shafts([0.0, -100.0, 0.0, 0.0], 0.0, 100.0), 0.5, 2.5)
    assert down.no_efficiency == "no shaft supplies power"
    lost = losses(_shafts([2000.0, -1500.0, 0.0, 0.0], 2000.0, 1500.0, work_articulation=200.0 * TIME), 0.5, 2.5)
    assert "100 W of the power is unaccounted for" in efficiency_text(lost)


def test_released_energy_makes_no_efficiency_above_one():
    """1 W is lost, and 5 W come from stored energy, 0.25 % of the input: 2000 W in, 2004 W out."""
    run = _shafts(
        [2000.0, -2004.0, 0.0, 0.0], 2000.0, 2004.0, energy_kinetic=100.0 - 5.0 * TIME,
        work_articulation=1.0 * TIME, work_contact=0.0 * TIME, work_friction=0.0 * TIME, work_link_damping=0.0 * TIME,
    )  # fmt: skip
    found = losses(run, 0.5, 2.5)
    assert found.residual == pytest.approx(0.0, abs=1e-6)
    assert found.total == pytest.approx(1.0)
    assert found.efficiency == pytest.approx(2004.0 / 2005.0, rel=1e-9)


def test_the_moving_mean_over_a_revolution_takes_in_every_impact_once(run):
    found = loss_history(run)  # 60 teeth at 120 per second: 0.5 s
    assert (found.over, found.period) == ("one revolution of crankshaft", pytest.approx(0.5))
    contact = found.power[:, found.keys.index("contact")]
    np.testing.assert_allclose(contact, 80.0, rtol=1e-9)
    np.testing.assert_allclose(found.power[:, found.keys.index("articulation")], 300.0, rtol=1e-9)
    assert (found.time[0], found.time[-1]) == (pytest.approx(0.25), pytest.approx(2.25))


def test_the_moving_mean_over_a_tooth_shows_the_impact(run):
    found = loss_history(run, over="tooth")  # 8.33 ms: 8 rows
    contact = found.power[:, found.keys.index("contact")]
    assert found.period == pytest.approx(8e-3)
    assert contact.max() == pytest.approx(40.0 / 8e-3)
    assert np.count_nonzero(contact) == 5 * 8  # five impacts, each in eight moments
    assert loss_history(run, stop=0.6).over == "half of the time shown"
    with pytest.raises(InputError, match="tooth, revolution, loop"):
        loss_history(run, over="week")

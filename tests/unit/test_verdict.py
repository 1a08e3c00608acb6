"""The verdict on a run: every answer from its numbers, good, near, beyond, or which key would give a limit."""

import math
import re

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.analyses.linear.modes import drive_model, full_modes
from chaindrive.analyses.results.loop import tension_envelope
from chaindrive.analyses.results.losses import losses
from chaindrive.analyses.results.periodicity import Repetition
from chaindrive.analyses.results.resonance import excitations, resonances
from chaindrive.analyses.results.steadiness import DRIFT, STEADY, drift, steadiness
from chaindrive.analyses.results.tiles import NEAR, Sign
from chaindrive.analyses.results.verdict import verdict
from chaindrive.analyses.signals.frequencies import DriveFrequencies, drive_in_run, longitudinal_frequencies
from chaindrive.analyses.signals.selection import steady_window
from chaindrive.cli.main import main
from chaindrive.contract.status import Status
from chaindrive.errors import InputError
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import override
from chaindrive.model.limits import Limits
from chaindrive.numbers import quantity
from chaindrive.results.attributes import encode
from chaindrive.simulation.start import prepare
from support.made_run import changed, solution_of

BLOCK = {"formulation": "block", "progress": False}


@pytest.fixture(scope="module")
def run(shared_runs):
    """Half a second of the industrial drive with rollers."""
    return shared_runs.run("industrial-08b", 0.5)


def test_every_tile_is_of_the_steady_part(run):
    found = run.verdict
    start, stop = steady_window(run)
    assert (found.start, found.stop) == (start, stop)
    rows = (run.time >= start) & (run.time <= stop)
    tension, forces = run.values("link_tension_max"), run.values("tooth_force_max")
    by_key = {each.key: each for each in found.findings}
    assert by_key["tension_steady"].value == pytest.approx(float(tension[rows].max()))
    assert by_key["tension_run"].value == pytest.approx(float(tension.max()))
    assert by_key["contact_force"].value == pytest.approx(float(forces[rows].max()))
    bearing = run.values("bearing_force_max")[rows]
    assert by_key["bearing_force"].value == pytest.approx(float(bearing.max()))
    across = run.values("span_displacement")[rows]
    shares = np.abs(across - across.mean(axis=0)) / drive_facts(run.drive).route.span_length
    assert by_key["vibration"].value == pytest.approx(float(shares.max()))
    assert by_key["balance"].value == run.audit.relative_residual
    assert [tile.key for tile in found.tiles] == [
        "steady", "tension", "plates", "life", "contact_force", "bearing_force", "vibration", "efficiency",
        "resonance", "balance",
    ]  # fmt: skip


def test_a_tile_leads_to_its_moment(run):
    tile = run.verdict.tile("contact_force")
    row = int(np.argmin(np.abs(run.time - tile.time)))
    assert run.values("tooth_force_max")[row, tile.index] == pytest.approx(
        next(each.value for each in run.verdict.findings if each.key == "contact_force")
    )
    assert tile.kind == "wheel"


def test_rounding_is_no_vibration(run):
    """A chain on rails does not move across: rounding of its positions is not reported as motion."""
    kept = {name: np.array(run.values(name)) for name in ("span_displacement", "span_tension", "wheel_speed")}

    def headline(factor):
        table = kept | {"span_displacement": factor * kept["span_displacement"]}
        return solution_of(run.drive, run.time, table).verdict.tile("vibration").headline

    assert headline(1e-15) == "0 % of the span"
    assert headline(1e-3) != "0 % of the span"


def test_a_span_vibrates_about_one_mean_in_the_part_and_in_the_whole_run(run):
    """A span that rises and dips once: about a mean of its own the whole run would move less than its last part."""
    time, length = run.time, drive_facts(run.drive).route.span_length[0]
    across = np.zeros((time.size, len(run.drive.span_names)))
    across[:, 0] = np.where((time > 0.25) & (np.abs(time - 0.4) > 0.005), 1e-3, 0.0)
    kept = {name: np.array(run.values(name)) for name in ("span_tension", "wheel_speed", "wheel_angle")}
    found = solution_of(run.drive, time, kept | {"span_displacement": across}).verdict
    rows = (time >= found.start) & (time <= found.stop)
    own, part = (float(np.abs(each - each.mean()).max()) / length for each in (across[:, 0], across[rows, 0]))
    whole = float(np.abs(across[:, 0] - across[rows, 0].mean()).max()) / length
    assert own < part <= whole
    tile = found.tile("vibration")
    assert tile.headline.startswith(f"{100.0 * part:.3g} %")
    assert any(line.startswith(f"whole run {100.0 * whole:.3g} %") for line in tile.lines)


def test_rounding_at_rest_is_no_missing_energy(run):
    """At rest almost no energy is exchanged: rounding is compared with the stored energy."""

    def tile(moved):
        rows = np.arange(run.time.size)
        accounts = {name: np.zeros(rows.size) for name in ("work_input", "energy_kinetic")}
        accounts["energy_elastic"] = 2.0 + moved * (rows % 2)
        accounts["energy_residual"] = moved * (rows % 2)
        kept = {name: np.array(run.values(name)) for name in ("span_tension", "wheel_speed")}
        return solution_of(run.drive, run.time, kept | accounts).verdict.tile("balance")

    assert tile(3e-13).sign is Sign.GOOD
    assert "2 J stored" in " ".join(tile(3e-13).lines)
    assert tile(3e-3).sign is Sign.BEYOND


def test_what_has_no_limit_says_which_key_gives_one(run):
    for key in ("contact_force", "bearing_force", "vibration", "efficiency", "resonance"):
        tile = run.verdict.tile(key)
        assert (tile.sign, tile.word) == (Sign.OPEN, "not judged")
        assert f"no limit given (limits.{key})" in tile.lines
        assert key in Limits.model_fields


@pytest.mark.parametrize("key", ["contact_force", "bearing_force", "vibration"])
@pytest.mark.parametrize(("used", "sign"), [(0.5, Sign.GOOD), (0.95, Sign.NEAR), (1.05, Sign.BEYOND)])
def test_good_near_and_beyond(run, key, used, sign, monkeypatch):
    assert 0.5 < NEAR < 0.95
    value = next(each.value for each in run.verdict.findings if each.key == key)
    drive = run.drive.replace(f"limits.{key}", value / used)
    monkeypatch.setattr(type(run), "drive", drive)
    tile = run.verdict.tile(key)
    assert (tile.sign, tile.word) == (sign, str(sign))
    assert any("given: limits" in line for line in tile.lines)


def test_least_limits(run, monkeypatch):
    efficiency = next(each.value for each in run.verdict.findings if each.key == "efficiency")
    for limit, sign in ((1.01 * efficiency, Sign.BEYOND), (0.99 * efficiency, Sign.NEAR), (0.5, Sign.GOOD)):
        monkeypatch.setattr(type(run), "drive", run.drive.replace("limits.efficiency", min(limit, 1.0)))
        assert run.verdict.tile("efficiency").sign == sign


def test_a_run_that_does_not_repeat_is_irregular_and_steady_unless_it_changes(run, monkeypatch):
    def repeats_within(share):
        found = [
            *(Repetition(f"span tension of {name}", 9.0, share, math.nan) for name in run.drive.span_names),
            Repetition("wheel speed", 9.0, 9.0, 9.0),
        ]
        monkeypatch.setattr("chaindrive.analyses.results.steadiness.repetitions", lambda _: found)
        return run.verdict.tile("steady")

    assert repeats_within(0.5 * STEADY).word == "STEADY"
    assert run.verdict.part.name == "steady part"
    tile = repeats_within(5.4 * STEADY)
    assert (tile.sign, tile.word) == (Sign.GOOD, "STEADY")
    assert tile.headline == "irregular, 54 % after one period"
    assert "irregular, not drifting" in tile.lines[1]
    monkeypatch.setattr("chaindrive.analyses.results.steadiness.drift", lambda _: 2.0 * DRIFT)
    tile = repeats_within(5.4 * STEADY)
    assert (tile.sign, tile.word) == (Sign.BEYOND, "NOT STEADY")
    assert tile.headline == "54 % after one period"
    found = run.verdict
    assert found.part.name == "last part"
    assert "steady part" not in " ".join([repr(found), *(line for each in found.tiles for line in each.lines)])
    assert steadiness(run).text.startswith("NOT STEADY: ")
    judged = {each.key: each.sign for each in found.tiles}
    assert {judged[key] for key in ("plates", "life", "efficiency", "resonance")} == {Sign.OPEN}
    assert judged["tension"] != Sign.OPEN  # a force that was there is a fact
    assert "NOT STEADY" in found.tile("plates").lines[-1]
    assert run.verdict_of(found.start, found.stop).tile("plates").sign == Sign.GOOD


@pytest.mark.parametrize(
    ("ripple", "growth", "word", "sign", "says"),
    [
        (0.005, 0.0, "STEADY", Sign.GOOD, "of the tightest span's tension"),
        (0.05, 0.0, "STEADY", Sign.GOOD, "irregular, not drifting"),
        (0.3, 0.0, "STEADY", Sign.GOOD, "of their fluctuation (RMS)"),
        (0.0, 0.8, "NOT STEADY", Sign.BEYOND, "still changing"),
        (0.0, 0.0, "STEADY", Sign.GOOD, "0 % of the tightest"),
    ],
)
def test_irregular_loads_and_loads_that_drift(run, ripple, growth, word, sign, says):
    """Noise on the tension is compared with the tension of the tight span; a rise is distinguished from noise."""
    time = run.time
    noise = ripple * np.random.default_rng(7).standard_normal((time.size, 2))
    speeds = np.tile(run.values("wheel_speed").mean(axis=0), (time.size, 1))
    tension = np.array([900.0, 100.0]) * (1.0 + growth * (time / time[-1])[:, None]) + 900.0 * noise
    made = solution_of(run.drive, time, {"span_tension": tension, "wheel_speed": speeds})
    found, tile = steadiness(made), made.verdict.tile("steady")
    assert (found.word, tile.sign) == (word, sign)
    assert says in found.text


@pytest.mark.parametrize(("turns", "known"), [(1.4, False), (6.0, True)])
def test_halves_are_of_whole_periods(run, turns, known):
    """A press loads its wheel once in a turn: comparing one half turn with the other says nothing."""
    drive = run.drive.replace(
        "wheels.1.load_table", {"angles": [0.0, 1.0, 2.0, 6.283185307179586], "torques": [0.0, 40.0, 0.0, 0.0]}
    )
    time = np.linspace(0.0, 1.0, 4001)
    speeds = np.tile([-38.0 / 17.0, -1.0], (time.size, 1)) * 2.0 * math.pi * turns
    angles = speeds * time[:, None]
    noise = 100.0 * np.random.default_rng(7).standard_normal(time.size)
    tension = np.stack([900.0 + 400.0 * np.sin(angles[:, 1]), 100.0 + noise], axis=1)
    made = solution_of(drive, time, {"span_tension": tension, "wheel_speed": speeds, "wheel_angle": angles})
    assert math.isfinite(drift(made)) == known
    assert ("fewer than two periods" in steadiness(made).text) != known
    assert not drift(made) > 1e-2


def test_a_run_that_stopped_says_so_first():
    """The end of the run is stored, too, with the tension at which the chain broke."""
    drive = cd.example("industrial-08b").replace("chain.breaking_load", "640 N")
    found = cd.simulate(drive, until=0.3, progress=False).verdict
    tile = found.tiles[0]
    assert (tile.key, tile.sign, tile.word) == ("ending", Sign.BEYOND, "STOPPED")
    assert "exceeded the breaking load" in tile.lines[0]
    assert found.sign == Sign.BEYOND
    tension = found.tile("tension")
    assert (tension.sign, tension.headline) == (Sign.BEYOND, "100 % of the breaking load")


def test_the_envelope_along_the_loop_has_the_peaks_of_the_verdict(run):
    start, stop = steady_window(run)
    found = tension_envelope(run, start, stop)
    rows = (run.time >= start) & (run.time <= stop)
    np.testing.assert_array_equal(found.link_high, run.values("link_tension_max")[rows].max(axis=0))
    np.testing.assert_array_equal(found.link_low, run.values("link_tension_min")[rows].min(axis=0))
    peak = next(each.value for each in run.verdict.findings if each.key == "tension_steady")
    assert found.high.max() == found.link_high.max() == pytest.approx(peak)
    assert (found.high >= found.mean).all()


def test_a_drive_at_standstill_has_no_life_and_no_losses():
    """The rounding errors of a chain that does not move were taken for a slow motion."""
    drive = cd.example("industrial-08b").replace("wheels.motor.motion.speed", 0.0)
    still = cd.simulate(drive, until=0.05, progress=False)
    found = still.verdict
    assert "wear" not in found.tile("life").brief
    assert found.tile("efficiency").headline == "0 W lost"
    residual, of_what = still.audit.judged
    assert found.tile("balance").sign == Sign.GOOD
    assert (found.tile("balance").headline, found.tile("balance").lines[0]) == (f"{residual:.1e}", of_what)


def test_less_than_a_revolution_has_no_life_and_a_drive_that_creeps_no_resonance(run):
    """Cycles and wear are extrapolated from the window: a chain that stands in it, or just begins to turn, has none."""
    short, whole = run.verdict_of(0.3, 0.31), run.verdict
    assert (whole.tile("plates").sign, short.tile("plates").sign) == (Sign.GOOD, Sign.OPEN)
    for key in ("plates", "life"):  # a hundredth of a second at 500 rpm
        assert re.search(r"0\.08\d revolutions", short.tile(key).lines[1])
    names = ("span_displacement", "span_tension", "wheel_speed", "wheel_angle")
    kept = {name: np.array(run.values(name)) for name in names}
    kept |= {name: 1e-3 * kept[name] for name in ("wheel_speed", "wheel_angle")}
    creeping = solution_of(run.drive, run.time, kept).verdict.tile("resonance")
    assert (creeping.sign, creeping.headline) == (Sign.OPEN, "not known")


def test_the_short_form_of_the_tension_has_the_value_of_its_headline(run):
    """The headline is a share of the breaking load, for the whole run."""
    tile, by_key = run.verdict.tile("tension"), {each.key: each for each in run.verdict.findings}
    assert f"whole run {quantity(by_key['breaking_load'].value, 'N', 3)}" in tile.brief


def test_what_would_go_on_is_not_judged_of_a_run_that_stopped(run, monkeypatch):
    assert verdict(run).tile("plates").sign == Sign.GOOD
    monkeypatch.setattr(type(run), "status", Status.STEP_TOO_SMALL)
    plates = verdict(run).tile("plates")
    assert plates.sign == Sign.OPEN
    assert "the run stopped" in plates.lines[-1]


def test_another_window_has_its_own_numbers(run):
    start, stop = run.time[100], run.time[500]
    found = run.verdict_of(start, stop)
    assert found.part == ("selected part", start, stop)
    assert found.tile("steady") == run.verdict.tile("steady")
    rows = slice(100, 501)
    by_key = {each.key: each.value for each in found.findings}
    assert by_key["contact_force"] == run.values("tooth_force_max")[rows].max()
    assert by_key["tension_steady"] == run.values("link_tension_max")[rows].max()
    assert by_key["tension_run"] == run.values("link_tension_max").max()
    assert by_key["efficiency"] == losses(run, start, stop).efficiency
    with pytest.raises(InputError, match="window"):
        run.verdict_of(2.0, 3.0)


def test_a_run_that_is_too_short_for_an_answer_says_so():
    short = cd.simulate("industrial-08b", until="20 ms", **BLOCK)
    assert short.verdict.tile("steady").headline == "not known"
    assert short.verdict.tile("contact_force").headline == "not known"
    assert "block" in " ".join(short.verdict.tile("contact_force").lines)


def test_losses_of_rounding_are_none(monkeypatch):
    short = cd.simulate("industrial-08b", until="20 ms", **BLOCK)
    lost = losses(short)
    rounding = lost._replace(power=-1e-15 * lost.input * np.ones_like(lost.power))
    monkeypatch.setattr("chaindrive.analyses.results.verdict.losses", lambda *_: rounding)
    assert short.verdict.tile("efficiency").lines[0].startswith("0 W lost, 0 W in ")


def test_the_shortest_life_is_told_first():
    """Terminal and tile show two lines: the limiting life of the chain is in the first."""
    tile = cd.simulate("timing-06b", until="50 ms", progress=False).verdict.tile("life")
    assert tile.lines[0].endswith(tile.headline)
    assert len(tile.lines) > 2


def test_resonances_of_a_run_are_where_both_frequencies_meet(run):
    """At the speed that is reported, the string of the span has the frequency of the excitation (Pedersen, Eq.
    4.27).
    """
    drive, (start, stop) = run.drive, steady_window(run)
    rows = (run.time >= start) & (run.time <= stop)
    spans = run.values("span_tension")[rows].mean(axis=0)
    density = drive.chain.link_mass / drive.chain.pitch
    speed = abs(drive.wheels[0].motion.speed) * drive.wheels[0].teeth * drive.chain.pitch / (2.0 * math.pi)
    lengths = drive_facts(drive).route.span_length
    found = [each for each in resonances(run) if each.span >= 0]
    assert found
    for each in found:
        v = speed * (1.0 + each.distance)
        carried = spans[each.span] - density * speed**2 + density * v**2
        c = math.sqrt(carried / density)
        mode = int(each.mode.split()[1])
        string = mode * (c**2 - v**2) / (2.0 * lengths[each.span] * c)
        assert string == pytest.approx(each.frequency, rel=1e-3)
        assert each.excitation.frequency * (1.0 + each.distance) == pytest.approx(each.frequency, rel=1e-3)


@pytest.mark.parametrize("linearised", [True, False])
def test_the_resonance_says_whose_frequency_it_uses(run, monkeypatch, linearised):
    """For a span it states the tension and speed of the moving string, with the tension at rest; for the drive its
    part that moves most and the tension at rest, or, if its complete modes are not known, its rigid seats.
    """
    if not linearised:
        longitudinal = DriveFrequencies(longitudinal_frequencies(run), (), False, "no modes of this kind")
        for place in ("verdict", "resonance"):
            monkeypatch.setattr(f"chaindrive.analyses.results.{place}.drive_frequencies", lambda *_: longitudinal)
    near = resonances(run)
    span, whole = (next(each for each in near if (each.span >= 0) is of) for of in (True, False))
    start, stop = steady_window(run)
    rows = (run.time >= start) & (run.time <= stop)
    for each in (span, whole):
        monkeypatch.setattr("chaindrive.analyses.results.verdict.resonances", lambda *_, of=each: [of])
        first, *_, last = run.verdict.tile("resonance").lines
        model = "linearised at rest" if linearised else "longitudinal"
        assert f"meets {each.mode} ({'moving string' if each.span >= 0 else model}) at" in first
        if each is span:
            tension = float(run.values("span_tension")[rows, each.span].mean())
            still = run.notes["static_span_tension"][each.span]
            assert f"{quantity(tension, 'N', 3)} and " in last
            assert f" {quantity(still, 'N', 3)} " in last
        elif linearised:
            assert each.part == "conveyor"
            assert "conveyor moves most" in last
            assert f" {quantity(max(run.notes['static_span_tension']), 'N', 3)} " in last
        else:
            assert "rigid seats" in last
            assert "no modes of this kind" in last


@pytest.mark.parametrize("by", ["wheel", "pitch"])
def test_the_drive_of_a_resonance_is_the_one_that_ran(by):
    """As drawn the chain hangs; the preload makes both spans taut, which changes the frequencies of the drive."""
    given = {"span": 0, "tension": "600 N", "by": by} | ({"wheel": 1} if by == "wheel" else {})
    drawn = override(cd.example("industrial-08b"), {"preload": given})
    made = cd.simulate(drawn, until="2 ms", progress=False)
    placed = prepare(drawn).drive
    assert drive_model(drawn).slack
    assert drive_model(placed).slack == ()
    expected = full_modes(drive_model(placed), 4).frequency
    np.testing.assert_allclose(longitudinal_frequencies(made), expected[expected > 0.0], rtol=1e-9)
    assert drive_facts(drive_in_run(made)).route.span_length == pytest.approx(drive_facts(placed).route.span_length)


def test_without_the_modes_of_all_chains_and_rotors_no_resonance_is_far(run, monkeypatch):
    """A shaft to a rotor changes the modes of the drive: the nearest span alone is not good, but may be too near."""
    pump = cd.simulate("pump-10b", until="20 ms", **BLOCK)
    assert [longitudinal_frequencies(chain).size for chain in (pump, *pump.chains)] == [0] * (1 + len(pump.chains))
    span = next(each for each in resonances(run) if each.span >= 0)
    monkeypatch.setattr("chaindrive.analyses.results.verdict.resonances", lambda *_: [span])

    def tile(share, **notes):
        limits = {"limits.resonance": share * abs(span.distance)}
        return changed(run, limits, notes=encode(run.notes | notes)).verdict.tile("resonance")

    assert tile(0.1).sign == Sign.GOOD
    assert tile(0.1, shafts=["motor"]).sign == Sign.OPEN
    assert tile(1.1, shafts=["motor"]).sign == Sign.BEYOND
    assert any("modes of the drive" in line for line in tile(0.1, shafts=["motor"]).lines)


def test_what_excites_a_drive():
    drive = cd.example("timing-06b")
    found = {each.label: each.frequency for each in excitations(drive, 1000.0)}
    assert found["tooth frequency"] == 1000.0
    assert found["order 2 of crankshaft"] == pytest.approx(100.0)
    assert found["order 1 of exhaust camshaft"] == pytest.approx(25.0)  # its load over the angle
    assert "order 1 of crankshaft" not in found  # nothing prescribes it


def test_nothing_stored_and_nothing_that_turns():
    hanging = cd.simulate("hanging-chain", until="50 ms", progress=False)
    keys = [tile.key for tile in hanging.verdict.tiles]
    assert "tension" in keys
    assert "resonance" not in keys
    assert "steady" not in keys
    with pytest.raises(InputError):
        verdict(hanging, start=10.0)


def test_run_and_info_begin_with_it(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for arguments in (
        ["run", "industrial-08b", "--until", "0.3", "--formulation", "block"],
        ["info", "industrial-08b.nc"],
    ):
        with pytest.raises(SystemExit):
            main(arguments)
        out = capfd.readouterr().out
        assert out.index("Link tension") < out.index("steps")
        assert "of the breaking load" in out
        assert "steady part" in out
        assert max(map(len, out[: out.index("steady part")].splitlines())) <= 80
        shown, found = " ".join(out.split()), cd.open("industrial-08b.nc").verdict
        for tile in found.tiles:  # what a wide terminal shows in a column of its own
            assert tile.brief in shown
            assert f"{tile.title} {tile.headline}, {tile.word}" in shown


def test_too_few_instants_for_a_verdict_are_told(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ["run", "industrial-08b", "--until", "10 ms", "--formulation", "block", "--save-rate", "1 Hz"],
        ["info", "industrial-08b.nc"],
    ):
        with pytest.raises(SystemExit):
            main(arguments)
        assert "no verdict: fewer than 2" in capfd.readouterr().out

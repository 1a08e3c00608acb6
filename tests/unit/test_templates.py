"""Templates: the drives of `chaindrive new` close, have a rated chain, name the sources of their numbers, and run."""

from __future__ import annotations

import math
import random
import re
import tomllib
from typing import Any

import pytest

import chaindrive as cd
from chaindrive.analyses.analytical.back_tension import doubt
from chaindrive.analyses.analytical.rating import wheel_ratings
from chaindrive.analyses.results.tiles import Sign
from chaindrive.cli import new as command
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.geometry.route import pitch_radius
from chaindrive.mechanism.facts import drive_facts
from chaindrive.mechanism.layout import placed_chain, route_in_pitches
from chaindrive.model import chain_names, load, loads, override, standard_chain
from chaindrive.simulation.start import prepare
from chaindrive.templates import TEMPLATES, Made, Template
from chaindrive.templates.questions import Choice, Count, Number
from chaindrive.templates.selection import rated_power, teeth_of_ratio
from chaindrive.units import to_si

LONG = pytest.mark.long
SOME, MANY = 4, 100
OPTIONS: list[tuple[str, dict[str, Any]]] = [
    *((kind, {}) for kind in TEMPLATES),
    ("timing", {"camshafts": "one"}),
    ("timing", {"camshafts": "v", "spacing": "300 mm"}),
    ("bicycle", {"rear": "derailleur"}),
    ("two-wheels", {"ratio": 0.5}),
]
"""Every template with its defaults, and its variants by other choices."""


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Run the command line in an own folder: its exit code and the text of both streams."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return int(ending.value.code or 0), out, err

    return run


def generated(template: Template, rng: random.Random) -> dict[str, Any]:
    """Random answers within the stated ranges."""
    given: dict[str, Any] = {}
    for name, question in template.questions.items():
        if isinstance(question, Number):
            low, high = (math.log(to_si(end, question.unit)) for end in (question.least, question.most))
            given[name] = math.exp(rng.uniform(low, high))
        elif isinstance(question, Count):
            given[name] = rng.randint(question.least, question.most)
        elif isinstance(question, Choice):
            given[name] = rng.choice(list(question.options))
    return given


def assert_closes(made: Made) -> None:
    """The chain fits its drive, nothing is in the way, and nothing is doubted."""
    if made.drive.sheaves:
        return  # judged when the drive is read
    placed, warnings = placed_chain(made.drive)
    assert warnings == ()
    assert doubt(made.drive, placed) == ""
    if made.drive.chain.ends is None:
        slack = made.drive.chain.links - route_in_pitches(made.drive, drive_facts(made.drive).route.centres)
        assert -1e-4 < slack < 1.0


# Files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "given"), OPTIONS)
def test_every_template_closes(kind: str, given: dict[str, Any]) -> None:
    made = TEMPLATES[kind].made(given)
    assert loads(made.text) == made.drive
    assert_closes(made)


@pytest.mark.parametrize(("kind", "given"), OPTIONS)
def test_every_estimate_is_named_as_such(kind: str, given: dict[str, Any]) -> None:
    text = TEMPLATES[kind].made(given).text
    marked = re.sub(r"\n# ", " ", text)  # comments above their value are wrapped
    assert text.count("estimate: ") >= 5
    assert len(re.findall(r"estimate: .*?; replace with your value", marked)) == text.count("estimate: ")
    for key in ("inertia", "friction", "stiffness", "damping"):
        for found in re.finditer(rf"^{key} = .*$", text, re.MULTILINE):
            before = text[: found.start()].rstrip().rsplit("\n", 1)[-1]
            assert "estimate: " in found[0] or before.startswith("#") or "given" in found[0], found[0]


@pytest.mark.parametrize("kind", TEMPLATES)
@pytest.mark.parametrize("count", [SOME, pytest.param(MANY, marks=LONG)])
def test_generated_numbers_close_or_are_refused_by_name(kind: str, count: int) -> None:
    template, rng = TEMPLATES[kind], random.Random(count)
    made = 0
    for _ in range(count):
        given = generated(template, rng)
        try:
            one = template.made(given)
        except InputError as error:
            for problem in error.problems:
                assert set(re.findall(r"\w+", problem.place)) <= set(template.questions), (problem, given)
                assert problem.place, (problem, given)
                assert "no drive can be built" not in problem.message, (problem, given)
            continue
        made += 1
        assert_closes(one)
    assert made >= count // 4


@pytest.mark.parametrize(
    ("kind", "given"),
    [case if case[0] in ("cvt", "two-wheels") else pytest.param(*case, marks=LONG) for case in OPTIONS],
)
def test_static_equilibrium_is_found_without_a_warning(kind: str, given: dict[str, Any]) -> None:
    drive = TEMPLATES[kind].made(given).drive
    started = prepare(drive) if drive.sheaves else prepare(drive, start="at_rest")
    assert started.system.story.warnings == ()


@pytest.mark.parametrize(
    ("kind", "given"),
    [pytest.param(*case, marks=LONG) for case in OPTIONS]
    + [("timing", {"speed": "4000 rpm", "height": "372 mm", "spacing": "150 mm"})],
)
def test_no_run_of_a_template_exceeds_a_limit(kind: str, given: dict[str, Any]) -> None:
    """In a run as long as the file states: strength, steadiness and energy balance of the drive are at most near their
    limits.
    """
    solution = cd.simulate(TEMPLATES[kind].made(given).drive)
    assert solution.status.name == "REACHED_END"
    assert abs(solution.audit.relative_residual) < 1e-4
    assert [tile for tile in solution.verdict.tiles if tile.sign == Sign.BEYOND] == []


# Sizes ----------------------------------------------------------------------------------------------------------------


def test_the_chain_is_the_smallest_that_is_rated() -> None:
    """2 kW x 1.3 at 19 teeth and 500 rpm: every chain before it in the order of strands and pitch has less."""
    drive = cd.templates.two_wheels(power="2 kW", speed="500 rpm", ratio=2, application_factor=1.3).drive
    speed = drive.wheels[0].motion.speed  # type: ignore[union-attr]
    frequency = speed * drive.wheels[0].teeth / (2.0 * math.pi)
    assert max(rating.used for rating in wheel_ratings(drive, frequency)) < 1.0
    smaller = [standard_chain(name) for name in chain_names("iso-606-b")]
    smaller = [each for each in smaller if each.strands == 1 and each.pitch < drive.chain.pitch]
    assert smaller
    assert all(not rated_power(each, drive.wheels[0].teeth, speed) >= 2600.0 for each in smaller)


@pytest.mark.parametrize("ratio", [1.0, 1.37, 2.0, 3.3, 6.0])
def test_teeth_have_the_ratio(ratio: float) -> None:
    small, large = teeth_of_ratio(ratio)
    assert 17 <= small <= 25
    assert large <= 114
    assert large / small == pytest.approx(ratio, rel=0.02)


def test_a_speed_up_has_the_large_sprocket_on_the_driver() -> None:
    drive = cd.templates.two_wheels(ratio="0.5").drive
    assert drive.wheels[0].teeth == 2 * drive.wheels[1].teeth
    assert drive.wheels[1].load_torque == pytest.approx(2000.0 / (drive.wheels[0].motion.speed * 2.0), rel=1e-3)  # type: ignore[union-attr]


def test_the_number_of_links_is_the_nearest_to_the_centre_distance() -> None:
    """With two links more or less the centre distance would be a pitch away, so it is within half a pitch."""
    drive = cd.templates.two_wheels(centre_distance="613 mm").drive
    assert drive.chain.links % 2 == 0
    assert abs(drive.wheels[1].position[0] - 0.613) < 0.55 * drive.chain.pitch


def test_a_hoist_carries_its_load_with_the_safety_asked_for() -> None:
    drive = cd.templates.hoist(load="1 t", safety=6, height="3 m").drive
    assert drive.chain.breaking_load is not None
    assert drive.chain.breaking_load >= 6.0 * 1000.0 * 9.81
    assert drive.chain.ends is not None
    assert drive.chain.ends[0].mass == 1000.0  # type: ignore[union-attr]


def test_the_clamping_force_of_a_variator_is_the_safety_times_the_slip_limit() -> None:
    """M = 2 mu S R / cos(beta), at the running radius of the secondary pair."""
    drive = cd.templates.cvt(torque="150 N*m", ratio=1.5, safety=2).drive
    primary = drive.sheaves[0].running_radius
    assert primary is not None
    clamping = drive.sheaves[1].clamping_force
    assert clamping is not None
    slips = 2.0 * 0.09 * clamping * 1.5 * primary / math.cos(math.radians(11.0))
    assert slips == pytest.approx(2.0 * 150.0, rel=2e-3)


def test_estimates_scale_with_the_size() -> None:
    small = cd.templates.two_wheels(power="0.5 kW").drive
    large = cd.templates.two_wheels(power="50 kW", centre_distance="2 m").drive
    assert large.chain.pitch > 2.0 * small.chain.pitch
    for wheel in (0, 1):
        assert large.wheels[wheel].inertia > 10.0 * small.wheels[wheel].inertia  # type: ignore[operator]
    assert large.contact.stiffness != small.contact.stiffness


def test_a_roller_yields_as_much_as_a_link_at_a_twentieth_of_the_breaking_load() -> None:
    """F = K d^1.5 and F = k d with the same d."""
    drive = cd.templates.two_wheels().drive
    assert drive.chain.breaking_load is not None
    force = drive.chain.breaking_load / 20.0
    seat = (force / drive.contact.stiffness) ** (2.0 / 3.0)
    assert seat == pytest.approx(force / drive.chain.link_stiffness, rel=0.02)  # two digits in the file


def test_a_sprocket_is_a_disc() -> None:
    driver = cd.templates.two_wheels().drive.wheels[0]
    radius = 0.5 * 15.875e-3 / math.sin(math.pi / driver.teeth)
    assert driver.inertia == pytest.approx(0.5 * driver.mass * radius**2, rel=5e-3)


def test_a_conveyor_moves_at_its_speed() -> None:
    drive = cd.templates.conveyor(speed="0.8 m/s").drive
    head = drive.wheels[1]
    turns = abs(head.motion.speed) / (2.0 * math.pi)  # type: ignore[union-attr]
    assert turns * head.teeth * drive.chain.pitch == pytest.approx(0.8, rel=1e-5)


# Python ---------------------------------------------------------------------------------------------------------------


def test_numbers_in_si_units_and_texts_give_the_same_drive() -> None:
    text = cd.templates.two_wheels(power="3 kW", speed="300 rpm", centre_distance="700 mm")
    plain = cd.templates.two_wheels(power=3000, speed=300 * math.pi / 30, centre_distance=0.7)
    assert text.drive == plain.drive


def test_all_wrong_numbers_are_reported_at_once() -> None:
    with pytest.raises(InputError) as caught:
        cd.templates.two_wheels(power="3 kg", speed="500", ratio=100, name="\x07")
    found = {problem.place: problem.message for problem in caught.value.problems}
    assert set(found) == {"power", "speed", "ratio", "name"}
    assert "needs its unit, such as '500 rpm'" in found["speed"]
    assert "from 0.2 to 6" in found["ratio"]


def test_what_no_chain_can_do_is_refused_with_the_best() -> None:
    with pytest.raises(InputError, match="the best is rated for"):
        cd.templates.two_wheels(power="200 kW", speed="100 rpm", centre_distance="1 m")


@pytest.mark.parametrize("kind", TEMPLATES)
def test_the_documentation_names_every_argument(kind: str) -> None:
    template = TEMPLATES[kind]
    function = getattr(cd.templates, kind.replace("-", "_"))
    for name, question in template.questions.items():
        assert f"{name}: {question.text}, {question.allowed}" in function.__doc__
        question.parse(template.defaults[name])


@pytest.mark.parametrize(
    "name", ['"] x = [', "a\\u0041\\", "'''", '"""', "# not a comment", "Kette 08B \N{MULTIPLICATION SIGN} 2"]
)
def test_hostile_names_are_escaped(name: str) -> None:
    made = cd.templates.two_wheels(name=name)
    assert made.drive.name == name
    assert tomllib.loads(made.text)["name"] == name


def test_a_drive_is_saved_once(tmp_path) -> None:
    made = cd.templates.hoist()
    made.save(tmp_path / "hoist.toml")
    assert load(tmp_path / "hoist.toml") == made.drive
    with pytest.raises(FileExistsError):
        made.save(tmp_path / "hoist.toml")


def test_the_torque_of_a_camshaft_pulls_less_than_a_fourteenth_of_the_breaking_load() -> None:
    drive = cd.templates.timing(torque="6 N*m").drive
    radius = float(pitch_radius(drive.chain.pitch, drive.wheels[1].teeth))
    assert drive.chain.breaking_load is not None
    assert 14.0 * 2 * 4.0 * 6.0 / radius <= drive.chain.breaking_load


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"camshafts": "one"},
        {"camshafts": "v", "spacing": "300 mm"},
        pytest.param({"height": "650 mm", "torque": "1 N*m"}, marks=LONG),
        pytest.param({"height": "280 mm", "torque": "10 N*m", "spacing": "200 mm"}, marks=LONG),
    ],
)
def test_the_tensioner_holds_the_tension_that_its_comment_states(given: dict[str, Any]) -> None:
    """The taut chain leaves the rail before its ends, and the guide turns until the stretched chain is taut: without
    either, the slack span carries half as much again as stated. The loads are means here.
    """
    made = cd.templates.timing(**given)
    stated = re.search(r"holds (\S+ k?N) in the slack span", made.text.replace("\n# ", " "))
    assert stated is not None
    loaded = [w for w, wheel in enumerate(made.drive.wheels) if wheel.loads]
    still = {f"wheels.{w}.loads.0.torque.orders.0.amplitude": 0.0 for w in loaded}
    notes = prepare(override(made.drive, still), start="at_rest").system.story.notes
    assert notes["static_span_tension"][0] == pytest.approx(to_si(stated[1], "N"), rel=0.03)


@pytest.mark.parametrize(("speed", "told"), [("4000 rpm", False), ("6500 rpm", True)])
def test_a_camshaft_that_vibrates_on_its_chain_is_told(speed: str, told: bool) -> None:
    """Two flywheels J on a spring of the links of the tight span, k = k_link p / h: f = sqrt(k r^2 / 2 J) / (2 pi)."""
    made = cd.templates.timing(speed=speed, height="380 mm")
    chain, camshaft = made.drive.chain, made.drive.wheels[1]
    assert isinstance(camshaft.inertia, float)
    stiffness = chain.link_stiffness * chain.pitch / 0.38
    radius = pitch_radius(chain.pitch, camshaft.teeth)
    frequency = math.sqrt(stiffness * radius**2 / (2.0 * camshaft.inertia)) / (2.0 * math.pi)
    said = re.findall(r"vibrate on the chain at about (\d+) Hz", made.text.replace("\n# ", " "))
    assert bool(said) is told
    assert all(float(each) == pytest.approx(frequency, rel=0.05) for each in said)


# Command line ---------------------------------------------------------------------------------------------------------


def test_new_alone_lists_the_kinds_with_their_numbers(call) -> None:
    code, out, _ = call("new")
    assert code == 0
    for kind, template in TEMPLATES.items():
        assert f"\n{kind}\n" in out
        assert all(name in out for name in template.questions if name != "name")


def test_new_without_a_terminal_asks_nothing(call, tmp_path) -> None:
    code, out, _ = call("new", "two-wheels", "--set", "power=3 kW", "--set", "centre-distance=700 mm")
    assert code == 0
    assert "Next: chaindrive check two-wheels.toml" in out
    assert load(tmp_path / "two-wheels.toml") == cd.templates.two_wheels(power="3 kW", centre_distance="700 mm").drive
    assert (tmp_path / "two-wheels.png").stat().st_size > 1000


def test_check_accepts_what_new_writes(call) -> None:
    assert call("new", "two-wheels", "-o", "mine.toml")[0] == 0
    code, out, err = call("check", "mine.toml", "--no-draw")
    assert code == 0
    assert "At rest" in out
    assert "Warning" not in err


def test_an_existing_file_is_kept_unless_forced(call, tmp_path) -> None:
    (tmp_path / "hoist.toml").write_text("mine")
    code, _, err = call("new", "hoist")
    assert code == 1
    assert "--force" in err
    assert (tmp_path / "hoist.toml").read_text() == "mine"
    assert call("new", "hoist", "--force")[0] == 0
    load(tmp_path / "hoist.toml")


def test_all_wrong_answers_are_reported_at_once(call, tmp_path) -> None:
    wrong = ("x", "rato=2", "power=2", "speed=9 kg", "name=a", "name=b")
    code, _, err = call("new", "two-wheels", *(part for each in wrong for part in ("--set", each)))
    assert code == 1
    for told in ("NAME=VALUE", "'ratio'", "needs its unit", "is a mass", "name twice"):
        assert told in err
    assert not (tmp_path / "two-wheels.toml").exists()


@pytest.mark.parametrize(("kind", "meant"), [("two-whels", "two-wheels"), ("hoists", "hoist"), ("zzz", "conveyor")])
def test_an_unknown_kind_names_the_nearest(call, kind: str, meant: str) -> None:
    code, _, err = call("new", kind)
    assert code == 1
    assert meant in err


def test_the_dialogue_asks_again_for_what_is_wrong(call, tmp_path, monkeypatch) -> None:
    """Enter accepts the default; values from --set are not requested."""
    asked, typed = [], iter(["", "fast", "40", "400 rpm", "3", "600 mm", 'my "drive"'])

    def prompt(text: str, default: str) -> str:
        asked.append(text)
        return next(typed) or default

    monkeypatch.setattr(command, "at_terminal", lambda: True)
    monkeypatch.setattr(command.typer, "prompt", prompt)
    code, _, err = call("new", "two-wheels", "--set", "application_factor=1.7")
    assert code == 0, err
    assert "'fast'" in err
    assert "needs its unit" in err
    assert [text.partition(" (")[0] for text in asked].count("speed of the driving sprocket") == 3
    assert not any("application factor" in text for text in asked)
    expected = cd.templates.two_wheels(
        speed="400 rpm", ratio=3, centre_distance="600 mm", application_factor=1.7, name='my "drive"'
    )
    assert load(tmp_path / "two-wheels.toml") == expected.drive


def test_at_a_terminal_the_kind_is_asked_for(call, tmp_path, monkeypatch) -> None:
    """The kind is requested until it is known; its description is shown next to it."""
    typed = iter(["hoister", "hoist", "", "", "", "", "", ""])
    monkeypatch.setattr(command, "at_terminal", lambda: True)
    monkeypatch.setattr(command.typer, "prompt", lambda text, default="": next(typed) or default)
    code, out, err = call("new")
    assert code == 0, err
    assert all(kind in out for kind in TEMPLATES)
    assert "did you mean 'hoist'" in err
    assert load(tmp_path / "hoist.toml") == cd.templates.hoist().drive
    code, _, err = call("new", "--defaults")
    assert code == 1
    assert "KIND" in err


def test_the_end_of_input_ends_the_dialogue(call, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(command, "at_terminal", lambda: True)
    monkeypatch.setattr("sys.stdin", open("/dev/null"))  # noqa: SIM115
    code, _, err = call("new", "hoist")
    assert code == 130
    assert "internal error" not in err
    assert not (tmp_path / "hoist.toml").exists()

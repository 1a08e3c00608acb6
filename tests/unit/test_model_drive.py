"""A drive: files and Python agree, it prints itself, values can be overridden, problems come together."""

import copy
import math
import pickle

import pytest

from chaindrive.errors import InputError
from chaindrive.model import (
    AngleTable,
    AsaTooth,
    Chain,
    CircularTooth,
    ConstantSpeed,
    Contact,
    Drive,
    IsoTooth,
    Order,
    Orders,
    Preload,
    RectangularTooth,
    RollerOptions,
    Run,
    RunUp,
    SaveOptions,
    SemiRealTooth,
    SinglePointTooth,
    SolverOptions,
    Wheel,
    example,
    example_names,
    load,
    loads,
    override,
)

TEXT = """
name = "pair"
loop = "clockwise"
notes = ["one", 'with "quotes" and \\ backslash, ° and µ']
[chain]
standard = "08B-1"
links = 108
link_damping = "40 N*s/m"
[contact]
stiffness = "50 GN/m^1.5"
friction = 0.1
[preload]
span = 1
sag = "9 mm"
by = "wheel"
wheel = 1
direction = "180 deg"
[[wheels]]
name = "motor"
teeth = 17
position = ["0 mm", 0]
tooth = { form = "iso-606" }
motion = { kind = "constant_speed", speed = "-500 rpm" }
[[wheels]]
name = "load"
teeth = 38
position = ["509.2 mm", 0.0]
inertia = "0.1 kg*m^2"
load_torque = "40 N*m"
tooth = { form = "circular", clearance = "0.05 mm" }
contact = { stiffness = "1 MN/m", exponent = 1.0 }
[run]
until = "500 ms"
formulation = { contact_law = "hunt-crossley" }
save = { channels = ["link_tension"], rate = "2 kHz" }
"""


def pair(**changes):
    """The drive of TEXT, made from Python."""
    fields = {
        "name": "pair",
        "loop": "clockwise",
        "notes": ("one", 'with "quotes" and \\ backslash, ° and µ'),
        "chain": Chain(standard="08B-1", links=108, link_damping=40.0),
        "contact": Contact(stiffness=50e9, friction=0.1),
        "preload": Preload(span=1, sag=0.009, by="wheel", wheel=1, direction=math.pi),
        "wheels": [
            Wheel(
                name="motor",
                teeth=17,
                position=(0, 0),
                tooth=IsoTooth(),
                motion=ConstantSpeed(speed=-500 * 2 * math.pi / 60),
            ),
            Wheel(
                name="load",
                teeth=38,
                position=(0.5092, 0),
                inertia=0.1,
                load_torque=40,
                tooth=CircularTooth(clearance=0.05e-3),
                contact=Contact(stiffness=1e6, exponent=1),
            ),
        ],
        "run": Run(
            until=0.5,
            formulation=RollerOptions(contact_law="hunt-crossley"),
            save=SaveOptions(channels=("link_tension",), rate=2000),
        ),
    }
    return Drive(**{**fields, **changes})


def problems(make):
    """The problems that ``make`` raises, by place."""
    with pytest.raises(InputError) as caught:
        make()
    return {problem.place: problem for problem in caught.value.problems}


def problems_or_none(make):
    """The places of the problems of ``make``, none when there are none."""
    try:
        make()
    except InputError as error:
        return {problem.place for problem in error.problems}
    return set()


def changed(**changes):
    """Problems of the pair with single values changed; paths are written with __."""
    return problems(lambda: override(pair(), {path.replace("__", "."): value for path, value in changes.items()}))


def test_a_file_and_python_give_the_same_drive():
    assert loads(TEXT) == pair()
    assert Drive.from_dict(pair().to_dict()) == pair()


def test_defaults():
    drive = loads(TEXT)
    assert drive.gravity == (0.0, -9.81)
    assert drive.wheels[0].side == "front"
    assert drive.wheels[0].motion.ramp == 2.0
    assert drive.chain.joint_damping == 0.0
    assert drive.run.formulation.impact_speed_floor == 0.05
    assert drive.run.solver == SolverOptions()
    assert drive.run.solver.max_steps == 10**9


@pytest.mark.parametrize("name", example_names())
def test_examples_print_themselves(name):
    drive = example(name)
    again = loads(str(drive))
    assert again == drive
    assert again.to_toml() == drive.to_toml()
    assert again.chain.sources == drive.chain.sources


def all_sorts():
    """A drive that uses every tooth form and every motion."""
    turn = 2 * math.pi
    angles = tuple(turn * i / 8 for i in range(9))
    swing = tuple(4 * math.sin(2 * angle) for angle in angles[:-1])
    # 20 teeth each, so that motions with the same mean speed agree
    motions = [
        AngleTable(speed=10, angles=angles, accelerations=(*swing, swing[0]), fade_in=1),
        Orders(speed=10, orders=[Order(order=6, amplitude=4), Order(order=0.5, amplitude=1, phase=1)], over="time"),
        ConstantSpeed(speed=10),
    ]
    teeth = [
        AsaTooth(flank_factor=1.24),
        IsoTooth(gap="maximum"),
        CircularTooth(),
        SinglePointTooth(),
        RectangularTooth(clearance="0.1 mm", height="2 mm"),
        SemiRealTooth(clearance="0.1 mm", height="1 mm", flank_angle="15 deg", corner_radius="0.5 mm"),
    ]
    wheels = [
        Wheel(
            name=f"wheel {i}",
            teeth=20,
            position=(math.cos(i * turn / 6), math.sin(i * turn / 6)),
            inertia=1,
            tooth=tooth,
            motion=motions[i] if i < len(motions) else None,
        )
        for i, tooth in enumerate(teeth)
    ]
    return Drive(
        name="all sorts",
        chain=Chain(links=600, pitch="10 mm", roller_diameter="6 mm", link_mass="5 g", link_stiffness="100 MN/m"),
        contact=Contact(stiffness="10 GN/m^1.5", restitution=0.5),
        wheels=wheels,
    )


@pytest.mark.parametrize("drive", [pair(), all_sorts()], ids=["pair", "all sorts"])
def test_round_trip_of_everything(drive):
    assert loads(str(drive)) == drive
    assert Drive.from_dict(drive.to_dict()) == drive
    assert pickle.loads(pickle.dumps(drive)) == drive
    assert copy.deepcopy(drive) == drive
    assert hash(loads(str(drive))) == hash(drive)


def test_a_run_up_round_trips():
    motion = RunUp(initial_speed="10 rpm", final_speed="20 rpm", start=1, duration=2)
    drive = pair(wheels=[pair().wheels[0].model_copy(update={"motion": motion}), pair().wheels[1]])
    assert loads(str(drive)).wheels[0].motion == motion


def test_what_is_printed_says_units_and_sources():
    text = str(pair())
    assert "link_damping = 40.0  # N*s/m" in text
    assert "# pitch = 0.0127  # m, catalogue: " in text
    assert "# link_stiffness = 1" in text
    assert "stiffness = 50000000000.0  # N/m^1.5" in text


def test_drives_are_frozen():
    with pytest.raises(Exception, match="frozen"):
        pair().name = "other"


def test_load_reads_files(tmp_path):
    path = tmp_path / "pair.toml"
    path.write_text(TEXT, encoding="utf-8")
    assert load(path) == load(str(path)) == pair()
    path.write_text("\ufeff" + TEXT.replace("\n", "\r\n"), encoding="utf-8", newline="")
    assert load(path) == pair()


def test_override():
    drive = override(pair(), {"wheels.0.motion.speed": "-90 rpm", "wheels[1].teeth": "40", "chain.links": 110})
    assert drive.wheels[0].motion.speed == pytest.approx(-3 * math.pi)
    assert drive.wheels[1].teeth == 40
    assert drive.chain.links == 110
    assert override(pair(), {"wheels.load.load_torque": "50 N*m"}).wheels[1].load_torque == 50
    assert override(pair(), {"preload": "none"}).preload is None
    assert override(pair(), {"gravity": "[0, 0]"}).gravity == (0, 0)
    assert override(pair(), {"wheels.0.contact.stiffness": "1e9"}).wheels[0].contact == Contact(stiffness=1e9)
    assert override(pair(), {"name": '"7"'}).name == "7"
    assert override(pair(), {}) == pair()


def test_override_keeps_the_catalogue_behind_the_chain():
    drive = override(pair(), {"chain.standard": "10B-1", "preload.span": 0})
    assert drive.chain.pitch == 0.015875
    assert drive.chain.sources["link_damping"] == "given"


def test_override_names_what_does_not_exist():
    found = changed(wheels__0__motion__sped="90 rpm")
    assert "did you mean 'speed'?" in found["wheels[0].motion.sped"].message
    assert "did you mean 'chain'?" in changed(chian__links=3)["chian"].message
    assert "did you mean 'motor'?" in changed(wheels__moter__teeth=3)["wheels.moter"].message
    assert "index from 0 to 1" in changed(wheels__7__teeth=3)["wheels.7"].message
    assert "single value" in changed(chain__links__x=3)["chain.links"].message
    assert "path" in problems(lambda: override(pair(), {"..": 1}))[".."].message
    assert set(changed(wheels__7__teeth=3, wheels__8__teeth=3)) == {"wheels.7", "wheels.8"}


def test_python_calls_raise_input_error_too():
    assert "teeth" in problems(lambda: Wheel(name="a", teeth=2, position=(0, 0), tooth=AsaTooth()))
    assert "links" in problems(lambda: Chain(standard="08B-1", links=True))
    assert set(problems(lambda: Drive(name="a", chain={}, contact={}, wheels=()))) >= {"chain.links", "wheels"}
    assert "" in problems(lambda: Drive.from_dict([1]))


def test_problems_count_their_source():
    with pytest.raises(InputError, match=r"^pair.toml: 2 problems\n  chain.links: .*\n  wheels\[1\].teeth: "):
        loads(TEXT.replace("108", "0").replace("teeth = 38", "teeth = 2"), "pair.toml")


def test_all_problems_at_once_also_between_parts():
    text = TEXT.replace("108", '"many"').replace("inertia", "# inertia").replace('"load"', '"motor"')
    text = text.replace("teeth = 17", "teeth = 17\npitch_radius = 1").replace("span = 1", "span = 2")
    text = text.replace('until = "500 ms"', "until = -1").replace("loop", "lop")
    found = problems(lambda: loads(text))
    assert set(found) == {
        "chain.links",
        "lop",
        "preload.span",
        "run.until",
        "wheels[1].name",
        "wheels[1].inertia",
    }
    # the chain is wrong in itself, so that only what needs no chain is compared; with the links right, all is
    found = problems(lambda: loads(text.replace('"many"', "108")))
    assert "wheels[0].pitch_radius" in found
    assert "chain.links" not in found


# Cross-checks, each alone ---------------------------------------------------------------------------------------------


def test_overlap():
    # R1 + R2 + Dr = 0.034558 + 0.076896 + 0.00851 = 0.119964 m
    assert override(pair(), {"wheels.1.position": ["120 mm", 0], "preload": None}).wheels[1].position == (0.12, 0)
    problem = changed(wheels__1__position=["119.9 mm", 0])["wheels[1].position"]
    assert "need 0.119964 m" in problem.message
    assert "overlaps wheels[0] 'motor'" in problem.message
    on_one_axis = changed(wheels__1__position=[0, 0])["wheels[1].position"]
    assert "on the axis of wheels[0] 'motor'" in on_one_axis.message
    assert "stages" in on_one_axis.message


def test_overlap_of_a_wheel_on_the_back():
    marine = example("6l60mc")
    found = problems(lambda: override(marine, {"wheels.1.position": [0.40, 2.9]}))
    assert "wheels[2].position" in found


def test_a_free_wheel_needs_inertia():
    assert "turns freely" in changed(wheels__1__inertia="none")["wheels[1].inertia"].message


def test_a_driver_is_needed():
    assert "constant_speed" in changed(wheels__0__motion="none", wheels__0__inertia=1)["wheels"].message


def test_names_are_unique():
    assert "wheels[0]" in changed(wheels__1__name="motor")["wheels[1].name"].message


def test_pitch_radius_within_half_a_percent():
    radius = 0.0127 / (2 * math.sin(math.pi / 17))
    assert override(pair(), {"wheels.0.pitch_radius": radius * 1.0049}).wheels[0].pitch_radius
    for factor in (1.0051, 0.9949):
        assert f"{radius:.6g}" in changed(wheels__0__pitch_radius=radius * factor)["wheels[0].pitch_radius"].message


def test_roller_and_pitch():
    assert "less than the pitch" in changed(chain__roller_diameter="12.7 mm")["chain.roller_diameter"].message
    assert "roller_diameter" in changed(chain__pin_diameter="8.51 mm")["chain.pin_diameter"].message


@pytest.mark.parametrize(
    ("tooth", "largest"),
    [
        ({"form": "iso-606", "gap": "mean"}, 12.7 / 1.01),
        # 1.01 d + 2 x 0.069 d^(1/3) = 12.7
        ({"form": "iso-606", "gap": "maximum"}, 12.2597),
        ({"form": "circular"}, (12.7 - 0.0762) / 1.005),
        ({"form": "rectangular", "clearance": "0.1 mm", "height": "2 mm"}, 12.5),
        (
            {"form": "semi-real", "clearance": "0.1 mm", "height": "2 mm", "flank_angle": 0.2, "corner_radius": 0},
            12.5,
        ),
    ],
)
def test_teeth_need_room_between_rollers(tooth, largest):
    def drive(diameter):
        chain = {
            "chain.roller_diameter": f"{diameter} mm",
            "wheels.0.tooth": tooth,
            "wheels.1.tooth": "{form='single-point'}",
        }
        return override(pair(), chain)

    assert drive(largest * 0.999).wheels[0].tooth.form == tooth["form"]
    found = problems(lambda: drive(largest * 1.001))
    assert "leaves no tooth" in found["wheels[0].tooth"].message


@pytest.mark.parametrize(("diameter", "size"), [("2 mm", "small"), ("2.6 mm", "small"), ("12.6 mm", "large")])
def test_rollers_for_asa_teeth_are_told_which_way_they_do_not_fit(diameter, size):
    """Rollers that are too thin used to be reported as too large."""
    chain = {"chain.roller_diameter": diameter, "wheels.0.tooth": {"form": "asa-ii"}, "chain.pin_diameter": "1 mm"}
    given = pair()
    message = problems(lambda: override(given, chain))["wheels[0].tooth"].message
    assert message.startswith(f"wheel {given.wheels[0].name!r}: ")
    assert f"are too {size} for a pitch of 0.0127 m" in message


@pytest.mark.parametrize("factor", [1.24, 1.4])
@pytest.mark.parametrize("teeth", [9, 17, 60, 150])
def test_asa_topping_must_reach_the_tip(factor, teeth):
    """H^2 = F^2 - (f Dr - P/2)^2 changes its sign at the largest roller that is accepted."""

    def square(ratio):
        """H^2 / P^2 for Dr = ratio P, and the inch constant left out (0.3 % of a pitch of 12.7 mm)."""
        straight, top = math.radians(18 - 56 / teeth), math.radians(17 - 64 / teeth)
        flank = ratio * (0.8 * math.cos(straight) + factor * math.cos(top) - 1.3025)
        return flank**2 - (factor * ratio - 0.5) ** 2

    def accepted(ratio):
        tooth, motion = AsaTooth(flank_factor=factor), ConstantSpeed(speed=1)
        wheel = {"name": "a", "teeth": teeth, "position": (0, 0), "tooth": tooth, "motion": motion}
        far = {"name": "b", "teeth": 9, "position": (100, 0), "tooth": SinglePointTooth(), "inertia": 1}
        chain = Chain(links=9000, pitch="100 mm", roller_diameter=ratio * 0.1, link_mass=1, link_stiffness=1e9)
        fields = {"name": "a", "chain": chain, "contact": Contact(stiffness=1e9), "wheels": [wheel, far]}
        found = problems_or_none(lambda: Drive(**fields))
        assert found <= {"wheels[0].tooth"}
        return not found

    ratios = [0.25 + 0.005 * i for i in range(140)]
    clear = [ratio for ratio in ratios if abs(square(ratio)) > 0.01]
    assert [accepted(ratio) for ratio in clear] == [square(ratio) > 0 for ratio in clear]
    assert accepted(0.625)


def test_preload():
    assert "neither" in changed(preload__sag="none")["preload"].message
    assert "both" in changed(preload__tension="10 N")["preload"].message
    assert "from 0 to 1" in changed(preload__span=2)["preload.span"].message
    assert "from 0 to 1" in changed(preload__wheel=2)["preload.wheel"].message
    assert "index or name of the wheel" in changed(preload__wheel="none")["preload.wheel"].message
    assert set(changed(preload__by="pitch")) == {"preload.wheel", "preload.direction"}
    assert "breaking load 17800" in changed(preload__sag="none", preload__tension="18 kN")["preload.tension"].message


def test_preload_names_its_wheel_and_span():
    """By number or by name; a name that is not there, or no name at all, is reported with the names that exist."""
    drive = override(pair(), {"preload.wheel": "load", "preload.span": "load - motor"})
    assert (drive.preload.wheel, drive.preload.span) == ("load", "load - motor")
    assert drive.preload.wheel_in(["motor", "load"]) == drive.preload.span_in(drive.span_names) == 1
    assert loads(drive.to_toml()) == drive
    assert "did you mean 'load'?" in changed(preload__wheel="laod")["preload.wheel"].message
    assert "available: motor - load, load - motor" in changed(preload__span="3 m")["preload.span"].message
    assert "or a name" in changed(preload__span=1.5)["preload.span"].message
    assert "or a name" in changed(preload__wheel=-1)["preload.wheel"].message


def test_laws_and_their_parameters():
    found = changed(run__formulation__contact_law="kelvin-voigt")
    assert set(found) == {"contact.exponent"}
    found = changed(run__formulation__contact_law="flores")
    assert set(found) == {"contact.restitution", "wheels[1].contact.restitution"}
    law = {"run.formulation.contact_law": "kelvin-voigt", "contact.exponent": 1}
    assert override(pair(), law).contact.exponent == 1


def test_wheels_on_both_sides():
    both = changed(wheels__0__side="back", wheels__1__side="back")
    assert "on the back" in both["wheels"].message


def test_motions_must_agree():
    # 500 rpm x 17 teeth = 223.68.. rpm x 38 teeth
    speed = -500 * 17 / 38
    agreeing = {"wheels.1.motion": {"kind": "constant_speed", "speed": f"{speed!r} rpm"}}
    assert override(pair(), agreeing).wheels[1].motion.kind == "constant_speed"
    for wrong in (-speed, speed * 1.001):
        motion = {"kind": "constant_speed", "speed": f"{wrong!r} rpm"}
        assert "contradicts" in changed(wheels__1__motion=motion)["wheels[1].motion"].message
    motion = {"kind": "run_up", "initial_speed": f"{speed!r} rpm", "final_speed": 0, "duration": 1}
    assert "contradicts" in changed(wheels__1__motion=motion)["wheels[1].motion"].message


def table(angles, accelerations):
    return {"kind": "angle_table", "speed": 10, "angles": angles, "accelerations": accelerations}


@pytest.mark.parametrize(
    ("angles", "accelerations", "place", "says"),
    [
        (["0 deg", "90 deg", "80 deg", "360 deg"], [0, 1, -1, 0], "angles", "must increase, but angles[2]"),
        (["0 deg", "90 deg", "90 deg", "360 deg"], [0, 1, -1, 0], "angles", "must increase"),
        (["0 deg", "90 deg", "180 deg", "270 deg"], [0, 1, 0, -1], "angles", "exactly one turn"),
        (["0 deg", "90 deg", "180 deg", "720 deg"], [0, 1, 0, -1], "angles", "exactly one turn"),
        (["0 deg", "90 deg", "180 deg", "270 deg", "360 deg"], [0, 1, 0, -1], "accelerations", "5 entries"),
        (
            ["0 deg", "90 deg", "180 deg", "270 deg", "360 deg"],
            [0, 1, 0, -1, 1],
            "accelerations",
            "must equal the first",
        ),
        # trapezoids of 90 deg: mean = (0.5 + 1 + 1 + 0.5)/4 + ... = 1/4 x (0 + 1 + 2 + 1) = 1
        (
            ["0 deg", "90 deg", "180 deg", "270 deg", "360 deg"],
            [0, 1, 2, 1, 0],
            "accelerations",
            "mean over one turn is 1 rad",
        ),
    ],
)
def test_angle_tables(angles, accelerations, place, says):
    found = changed(wheels__0__motion=table(angles, accelerations))
    assert says in found[f"wheels[0].motion.{place}"].message


def test_contact_stiffness_has_the_unit_of_its_exponent():
    assert Contact(stiffness="1 GN/m^1.5").stiffness == 1e9
    assert Contact(stiffness="815 MN/m", exponent=1).stiffness == 815e6
    assert Contact(stiffness=1e9, exponent=2).stiffness == 1e9
    assert "exponent 1.5" in problems(lambda: Contact(stiffness="1 GN/m"))["stiffness"].message
    assert set(problems(lambda: Contact(stiffness="1 GN/m", exponent=9))) >= {"exponent"}
    assert problems(lambda: Contact(stiffness=-1))["stiffness"].message == "must be above 0"

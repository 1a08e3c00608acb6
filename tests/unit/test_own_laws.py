"""User-defined laws: refusals, agreement with the laws of the package, and their names in runs and files."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

import chaindrive as cd
from chaindrive import law
from chaindrive.errors import InputError
from chaindrive.fmu.build import write_fmu
from chaindrive.formulations import compile_system
from chaindrive.formulations.planar import parameters as P
from chaindrive.kernels.compiler import ENABLED
from chaindrive.kernels.pointers import call_at_two
from chaindrive.model import loads
from chaindrive.model.own_law import Law, modules_of
from chaindrive.model.study.description import Study
from chaindrive.studies.pools import open_pool
from chaindrive.studies.worker import Outcome, Task, execute
from support import own_laws
from support.small_drives import compiled, rail, running_links, tightened

SPRING = own_laws.as_a_spring


def with_law(given=SPRING, **changes):
    """The small tightener whose spring is a law."""
    return tightened(spring={**NONE, "law": given, **changes})


SPRINGS = {"stiffness": 2e3, "damping": 20.0, "preload": None, "free_length": 0.03}
NONE = {"stiffness": 0.0, "damping": 0.0, "preload": 0.0, "free_length": None}


def with_spring():
    """The same with the spring of the package, by its free length."""
    return tightened(spring=SPRINGS)


def random_state(system, seed=1):
    rng = np.random.default_rng(seed)
    return system.state + 1e-6 * rng.standard_normal(system.state.size)


def rates(drive):
    system = compiled(drive)
    y = random_state(system)
    dy = np.zeros_like(y)
    system.kernels.begin(0.0, y, system.parameters)
    system.kernels.rhs(0.0, y, dy, system.parameters)
    return system, dy


# What is refused ------------------------------------------------------------------------------------------------------

RANGES = {"lengths": (0.05, 0.2), "rates": (-1, 1)}


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (own_laws.one_argument, "must take 2 numbers: length, rate"),
        (own_laws.raises, "must not contain raise or assert"),
        (own_laws.infinite, "is not finite at length = "),
        (own_laws.fails, "raises ValueError"),
        (own_laws.drives, "supplies energy at length = 0.05, rate = "),
    ],
)
def test_what_is_no_law_of_a_tensioner(function, says):
    ranges = RANGES | ({"lengths": (0.1, 0.2)} if function is own_laws.infinite else {})
    with pytest.raises(InputError, match=says) as caught:
        law.tensioner(**ranges)(function)
    assert caught.value.problems[0].place == f"law support.own_laws:{function.__name__}"


@pytest.mark.skipif(not ENABLED, reason="plain Python takes all of it")
@pytest.mark.parametrize("function", [own_laws.allocates, own_laws.text_or_number])
def test_what_cannot_be_compiled(function):
    with pytest.raises(InputError, match="cannot be compiled"):
        law.tensioner(**RANGES)(function)


def test_an_actuator_may_give_energy():
    assert law.tensioner(**RANGES, actuator=True)(own_laws.drives)(0.1, 2.0) == 20.0


def test_a_load_opposes_and_ranges_rise():
    with pytest.raises(InputError, match="is below 0 at a speed"):
        law.load(speeds=(0, 100))(own_laws.below_zero)
    for wrong in ((1, 0), (0.1, 0.2), (0,), ("1 kg", "2 kg")):
        with pytest.raises(InputError):
            law.tensioner(lengths=(0, 1), rates=wrong)
    for wrong in ((0,), (0, 1, 2), 5, None, "10 m/s"):
        with pytest.raises(InputError, match=r"rates: must be a range \(from, to\) in m/s, or with units \(got "):
            law.tensioner(lengths=(0, 1), rates=wrong)
    with pytest.raises(InputError, match="module-level"):
        law.tensioner(**RANGES)(lambda length, rate: 0.0)


def test_a_law_has_its_place():
    with pytest.raises(InputError, match="is a torque law; a tensioner law is needed here"):
        with_law(own_laws.control)
    with pytest.raises(InputError, match="a load law is needed here"):
        tightened(driven={"loads": [{"torque": {"kind": "law", "law": own_laws.control}}]})
    with pytest.raises(InputError, match="must be a Python function that"):
        with_law("os:system")


# What it is -----------------------------------------------------------------------------------------------------------


def test_compiled_it_is_what_python_says():
    for each in ((0.03, -1.2), (0.11, 0.3), (0.5, 9.0), (0.0, 0.0)):
        at_address = call_at_two_in_a_kernel(own_laws.measured.address, *each)
        assert at_address == pytest.approx(own_laws.measured(*each), rel=1e-15)
    assert own_laws.measured(0.06, 0.0) == -40.0
    assert own_laws.measured(0.08, 1.0) == pytest.approx(0.25 * (-40.0 - 80.0 - 90.0 - 150.0))


@law.kernel
def call_at_two_in_a_kernel(address, x, y):
    return call_at_two(address, x, y)


def test_its_digest_is_that_of_source_and_values(monkeypatch):
    again = law.tensioner(lengths=(0.02, 0.2), rates=(-2, 2))(own_laws.measured.function)
    assert again == own_laws.measured
    changed = own_laws.FORCES.copy()
    changed[1, 1] += 1.0
    monkeypatch.setattr(own_laws, "FORCES", changed)
    other = law.tensioner(lengths=(0.02, 0.2), rates=(-2, 2))(own_laws.measured.function)
    assert other.name == again.name
    assert other != again
    assert other(0.06, 0.0) == -39.0
    assert call_at_two_in_a_kernel(other.address, 0.06, 0.0) == -39.0
    if ENABLED:  # plain Python reads the values of now
        assert call_at_two_in_a_kernel(again.address, 0.06, 0.0) == -40.0


# What it does ---------------------------------------------------------------------------------------------------------


def test_the_law_of_a_spring_is_a_spring():
    (one, by_law), (other, by_spring) = rates(with_law()), rates(with_spring())
    states = one.positions + one.velocities
    scale = np.abs(by_spring[:states]).max()
    assert np.abs(by_law[:states] - by_spring[:states]).max() < 1e-12 * scale
    assert one.motion.highest_frequency == pytest.approx(other.motion.highest_frequency, rel=1e-9)


def test_a_load_by_a_law_is_the_table_that_it_reads():
    table = {"over": "speed", "speeds": list(own_laws.SPEEDS), "torques": list(own_laws.TORQUES)}
    for against in ("motion", "running_sense"):
        one, other = (
            rates(tightened(driven={"loads": [{"torque": given, "against": against}]}))[1]
            for given in ({"kind": "law", "law": own_laws.over_speed}, table)
        )
        assert np.abs(one - other).max() <= 1e-12 * np.abs(other).max()


def test_the_energy_balance_closes_with_every_law(tmp_path):
    driven = {"torque": {"kind": "law", "law": own_laws.control}}
    drive = tightened(
        driver={"motion": None, "inertia": 1e-3, "initial_speed": 20.0} | driven,
        driven={"loads": [{"torque": {"kind": "law", "law": own_laws.over_speed}}]},
        spring={**NONE, "law": own_laws.measured},
    )
    whole = cd.simulate(drive, until=0.04, solver="verlet", output=tmp_path / "a.nc")
    assert not whole.status.failed
    assert whole.audit.relative_residual < 1e-3
    assert loads(whole.drive_text).tensioners[0].law == own_laws.measured  # the results name it
    with pytest.raises(InputError, match="another drive"):
        cd.simulate(drive.replace("tensioners.spring.law", SPRING), until=0.05, solver="verlet",
                    output=tmp_path / "a.nc", resume=True)  # fmt: skip
    cd.simulate(drive, until=0.02, solver="verlet", output=tmp_path / "b.nc").close()
    resumed = cd.simulate(drive, until=0.04, solver="verlet", output=tmp_path / "b.nc", resume=True)
    np.testing.assert_allclose(resumed["wheel_angle"].values, whole["wheel_angle"].values, atol=1e-5)


# Friction -------------------------------------------------------------------------------------------------------------

SMOOTHED = {"friction_law": "smoothed", "friction_sharpness": 0.1}
PRESSED = 1e-4
"""Depth to which rollers next to their teeth are pressed into them. [m]"""
RUBBING = {"stiffness": 1e8, "restitution": 0.3}


def rubbing(given, kind, options=None):
    """Two wheels at speed with a rail, both with this friction: a number or a law."""
    contact = RUBBING | ({"friction": given} if isinstance(given, float) else {"coefficient_law": given})
    drive = running_links(guides=[rail(1, contact=contact)], contact=contact)
    return drive.replace({"run.formulation": {"kind": kind, **(options or {})}})


def evaluated(drive, deeper=0.0):
    """Compiled and evaluated at a state in which everything slides; deeper: enlargement of the surfaces. [m]"""
    system = compile_system(drive, drive.run.formulation, True)
    system.parameters.planar.surface.radius[:] += deeper
    moving = slice(system.positions, system.positions + system.velocities)
    system.state[moving] = np.random.default_rng(1).standard_normal(system.velocities)
    dy = np.zeros_like(system.state)
    system.kernels.begin(0.0, system.state, system.parameters)
    system.kernels.rhs(0.0, system.state, dy, system.parameters)
    return system, dy


@pytest.mark.parametrize("kind", ["roller", "spatial"])
@pytest.mark.parametrize("options", [{}, SMOOTHED], ids=["elastic", "smoothed"])
def test_a_constant_law_of_friction_is_a_coefficient(kind, options):
    """In space up to rounding, since a sum of products has another order."""
    given = own_laws.constant, 0.2
    (one, by_law), (other, by_number) = (evaluated(rubbing(each, kind, options), PRESSED) for each in given)
    assert np.abs(by_law - by_number).max() <= (1e-13 * np.abs(by_number).max() if kind == "spatial" else 0.0)
    limits = [each.kernels.frequency(each.state, each.parameters) for each in (one, other)]
    assert limits[0] == limits[1]


@pytest.mark.parametrize("options", [{}, SMOOTHED], ids=["elastic", "smoothed"])
def test_friction_in_space_is_the_coefficient_of_the_law_times_the_force(options):
    """For rollers on teeth, in the plane and across it together. Elastic friction: where its springs are stretched
    far.
    """
    system, dy = evaluated(rubbing(own_laws.stribeck, "spatial", options), PRESSED)
    planar = system.parameters.planar
    planar.anchored.held[:], planar.anchored.x[:], planar.anchored.y[:] = 1.0, 0.3, 0.7
    system.kernels.rhs(0.0, system.state, dy, system.parameters)
    contact, wheels = planar.contact, planar.wheels
    slots = [
        (int(planar.segment.surface[s]), k)
        for s in range(planar.used.segments[0])
        for k in range(planar.segment.slot[s], planar.segment.slot[s] + planar.segment.end[s] - planar.segment.first[s])
    ]
    on_teeth = [k for surface, k in slots if surface < wheels and contact.force[k] > 0.0]
    limits = {k: own_laws.stribeck(abs(contact.slip[k]), contact.force[k]) * contact.force[k] for k in on_teeth}
    assert len(on_teeth) > 5
    if options:
        lost = sum(limits[k] * contact.slip[k] for k in on_teeth if contact.slip[k] > 0.1)
        assert dy[planar.layout.work + P.WORK_FRICTION] == pytest.approx(lost, rel=1e-9)
    else:
        held = [np.hypot(contact.friction[k], system.parameters.slot.axial[k]) for k in on_teeth]
        np.testing.assert_allclose(held, [limits[k] for k in on_teeth], rtol=1e-9)


@pytest.mark.parametrize("kind", ["roller", "link"])
@pytest.mark.parametrize("options", [{}, SMOOTHED], ids=["elastic", "smoothed"])
def test_friction_is_the_coefficient_of_the_law_times_the_force(kind, options):
    """Smoothed where it slides fast enough, elastic as a run starts, when the springs have the friction of sliding."""
    planar = evaluated(rubbing(own_laws.stribeck, kind, options))[0].parameters.planar
    contact = planar.contact
    slides = [k for k in range(planar.used.slots[0]) if contact.force[k] > 0.0 and abs(contact.slip[k]) > 0.1]
    assert len(slides) > 5
    for k in slides:
        slip, force = contact.slip[k], contact.force[k]
        expected = -np.sign(slip) * own_laws.stribeck(abs(slip), force) * force
        assert contact.friction[k] == pytest.approx(expected, rel=1e-9)


def test_a_coefficient_that_rises_with_the_speed_limits_the_step():
    """Its rise is a damping of the contact."""
    system, _ = evaluated(rubbing(own_laws.stribeck, "roller", SMOOTHED))
    surface = system.parameters.planar.surface
    assert surface.friction_slope == pytest.approx(own_laws.stribeck.slope(0)[1])
    limit = system.kernels.frequency(system.state, system.parameters)
    surface.friction_slope[:] = 1e3
    assert system.kernels.frequency(system.state, system.parameters) > 2.0 * limit


def test_energy_of_friction_by_a_law_closes():
    drive = rubbing(own_laws.stribeck, "roller")
    solution = cd.simulate(drive, until=0.02, solver="verlet")
    assert not solution.status.failed
    assert solution.audit.relative_residual < 1e-3
    work = solution.values("work_friction")
    assert (np.diff(work) >= 0.0).all()
    assert work[-1] > 0.0


def test_what_is_no_law_of_friction():
    with pytest.raises(InputError, match="is below 0, so that friction would drive"):
        law.friction(speeds=(0, 5), forces=(0, 100))(own_laws.pushes)
    with pytest.raises(InputError, match="must begin at 0 or above"):
        law.friction(speeds=(-1, 5), forces=(0, 100))


def test_where_a_law_of_friction_may_stand():
    drive = rubbing(own_laws.stribeck, "roller")
    assert drive.contact.friction == own_laws.stribeck(0.0, 0.0)
    assert loads(str(drive)) == drive
    with pytest.raises(InputError, match="is for elastic contacts") as caught:
        drive.replace({"run.formulation": {"kind": "roller", "contacts": "rigid"}, "run.solver": {}})
    places = {problem.place for problem in caught.value.problems}
    assert {"contact.coefficient_law", "guides[0].contact.coefficient_law"} <= places


def test_an_fmu_holds_no_law(tmp_path):
    with pytest.raises(InputError, match="which an FMU cannot contain") as caught:
        write_fmu(with_law(), tmp_path / "a.fmu")
    assert [problem.place for problem in caught.value.problems] == ["tensioners[0].law"]


# How it is named ------------------------------------------------------------------------------------------------------


def test_a_file_names_a_law_and_never_gives_it(monkeypatch):
    drive = with_law()
    text = str(drive)
    assert f'law = "{SPRING.text}"' in text
    assert loads(text) == drive
    monkeypatch.delitem(Law.known, SPRING.text)
    read = loads(text)
    assert read == drive
    assert str(read) == text
    with pytest.raises(InputError, match=r"a file cannot contain: import 'support\.own_laws'") as caught:
        cd.simulate(read, until=0.01)
    assert caught.value.problems[0].place == "tensioners[0].law"


def test_other_processes_import_its_module():
    drive = with_law()
    assert modules_of(str(drive)) == ("support.own_laws",)
    assert pickle.loads(pickle.dumps(SPRING)) is SPRING
    code = (
        "import pickle, sys; from chaindrive.model.own_law import Law, import_laws; "
        f"sys.path[:0] = {sys.path!r}; law = pickle.loads({pickle.dumps(SPRING)!r}); "
        "assert law.is_available and law(0.05, 0.0) == 2e3 * (0.03 - 0.05)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)


def test_a_law_of_a_script_stays_in_its_process():
    script = Law(SPRING.kind, "__main__:f 0123456789abcdef", SPRING.function)
    Law.known[script.text] = script
    try:
        with pytest.raises(InputError, match="move it to a separate module"):
            modules_of(f'law = "{script.text}"')
    finally:
        del Law.known[script.text]


def test_studies_vary_a_law():
    study = Study(
        name="s",
        drive="d.toml",
        parameters=[{"name": "law", "values": [SPRING.text, own_laws.measured.text], "set": "tensioners.spring.law"}],
        figures_of_merit=[{"name": "m", "channel": "wheel_speed", "reduce": "max"}],
        set={"tensioners.spring.law": SPRING},
    )
    assert study.set["tensioners.spring.law"] == SPRING.text
    drive = with_law().replace({"run.until": 0.005, "run.solver.method": "verlet"})
    outcome = execute(Task(0, str(drive), None, None, (), keep_end=False, modules=modules_of(str(drive))), None)
    assert outcome.status == "REACHED_END", outcome.remark


@pytest.mark.long
@pytest.mark.skipif(not ENABLED, reason="minutes in plain Python")
def test_processes_of_a_study_import_the_module():
    text = str(with_law().replace({"run.until": 0.005, "run.solver.method": "verlet"}))
    with open_pool(2, None) as pool:
        for number in range(2):
            pool.submit(Task(number, text, None, None, (), keep_end=False))
        found: list[Outcome] = []
        while len(found) < 2:
            found += pool.wait()
    assert {outcome.status for outcome in found} == {"REACHED_END"}, found


def test_it_acts_in_parallel_with_the_spring_of_the_file():
    """Forces on the arm add up: the difference between both and one is the other."""
    drives = with_law(), with_spring(), tightened(spring=SPRINGS | {"law": SPRING}), tightened(spring=NONE)
    by_law, by_spring, both, none = (rates(drive)[1] for drive in drives)
    joint = np.abs(both - none).argmax()
    assert (both - none)[joint] == pytest.approx((by_law + by_spring - 2.0 * none)[joint], rel=1e-9)

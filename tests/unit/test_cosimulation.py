"""Parts of a co-simulation: polynomials, refused input, failures, restored states, machines of a drive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.inputs import FREE_LOAD, POSITION, SPEED, Input
from chaindrive.cosimulation.master import Connection, Coupling, FailedPartError, Master
from chaindrive.cosimulation.signals import through
from chaindrive.errors import InputError
from chaindrive.simulation import machines as simulation_machines
from support import coupled_pump
from support.coupled_pump import Motor
from support.input_drives import drive, on_a_slide, wheels
from support.two_masses import CONNECTIONS, Failing, FirstMass, Masses, SecondMass, master, simulated


def places(error) -> dict[str, str]:
    return {problem.place: problem.message for problem in error.value.problems}


def test_polynomials_pass_through_their_points() -> None:
    values = np.array([[1.0, -2.0], [3.0, 0.5], [2.0, 4.0], [7.0, 1.0]])
    for count in (1, 2, 3, 4):
        times = [0.3, 0.35, 0.5, 0.9][:count]
        found = through(times, values[:count], since=0.4)
        assert np.allclose([found.at(t) for t in times], values[:count], rtol=1e-12)
        expected = np.polynomial.Polynomial(found.coefficients[:, 1]).deriv()(0.2)
        assert found.rates(0.6)[1] == pytest.approx(float(expected))


def test_an_input_is_a_cubic_in_time_since_it_was_written() -> None:
    cell = Input("wheels", "motor", "torque", "N m", FREE_LOAD, np.zeros(5))
    cell.write(2.0, np.array([1.0, 3.0]))
    assert cell.cell.tolist() == [2.0, 0.0, 0.0, 3.0, 1.0]
    cell.write(3.0, np.array([1.0, 2.0, 4.0, 8.0]))
    assert cell.cell.tolist() == [3.0, 8.0, 4.0, 2.0, 1.0]


@pytest.mark.parametrize("kind", [SPEED, POSITION])
def test_a_course_leads_to_what_is_given(kind: int) -> None:
    """It leads from 0.7 and 2 (or from the speed 2) to the polynomial and its rate after the step, in closed form.

    Where the start fits the polynomial it is followed exactly.
    """
    given, step = np.polynomial.Polynomial([1.0, -3.0, 2.0, 5.0]), 0.25
    cell = Input("bodies", "arm", "position", "m", kind, np.zeros(5), 0, 1)
    for state in ((0.7, 2.0), (1.0, -3.0 if kind == POSITION else 1.0)):
        found = np.polynomial.Polynomial(cell.course(given.coef, step, np.array(state)))
        speed = found.integ(k=[state[1]])
        if kind == SPEED:
            assert speed(step) == pytest.approx(given(step), rel=1e-12)
            assert found(0.0) == pytest.approx(given.deriv()(0.0), rel=1e-12)
        else:
            assert speed.integ(k=[state[0]])(step) == pytest.approx(given(step), rel=1e-12)
            assert speed(step) == pytest.approx(given.deriv()(step), rel=1e-12)
            assert found(step) == pytest.approx(given.deriv(2)(step), rel=1e-12)
    derivative = given.deriv(2 if kind == POSITION else 1)
    assert found.coef[: len(derivative.coef)] == pytest.approx(derivative.coef, rel=1e-12)
    assert not found.coef[len(derivative.coef) :].any()


def test_wrong_connections_are_all_told() -> None:
    parts = {"first": FirstMass(Masses(), (1.0, 0.0)), "second": SecondMass(Masses(), (0.0, 0.0))}
    wrong = [
        *CONNECTIONS[:2],
        Connection("second", "torque", "first", "force"),
        Connection("third", "x", "first", "force"),
    ]
    with pytest.raises(InputError) as error:
        Master(parts, wrong, Coupling(0.0, "gauss", "cubic"))  # type: ignore[arg-type]
    told = places(error)
    assert "part 'second' has the outputs force" in told["connections[2]"]
    assert "there is no such part" in told["connections[3]"]
    assert told["first.force"] == "an input needs one signal; this one has 2"
    assert {"step", "scheme", "extrapolation"} <= set(told)


def test_two_parts_that_depend_on_each_other_at_once_are_refused() -> None:
    class Direct(FirstMass):
        feedthrough = True

    parts = {"first": Direct(Masses(), (1.0, 0.0)), "second": SecondMass(Masses(), (0.0, 0.0))}
    with pytest.raises(InputError, match="would depend on each other at the same instant"):
        Master(parts, CONNECTIONS, Coupling(0.01))


def test_iterations_need_parts_that_can_go_back() -> None:
    class Stubborn(SecondMass):
        save = None  # type: ignore[assignment]

    parts = {"first": FirstMass(Masses(), (1.0, 0.0)), "second": Stubborn(Masses(), (0.0, 0.0))}
    with pytest.raises(InputError, match="cannot go back"):
        Master(parts, CONNECTIONS, Coupling(0.01, "iterated"))
    Master(parts, CONNECTIONS, Coupling(0.01))


def test_equal_steps_leave_nothing_to_control() -> None:
    class Sampled(SecondMass):
        equal_steps = True

    parts = {"first": FirstMass(Masses(), (1.0, 0.0)), "second": Sampled(Masses(), (0.0, 0.0))}
    with pytest.raises(InputError, match="needs equal macro steps"):
        Master(parts, CONNECTIONS, Coupling(0.01, tolerance=1e-3))
    Master(parts, CONNECTIONS, Coupling(0.01))


def test_a_part_that_fails_is_named_with_its_reason() -> None:
    made = master(Masses(), Coupling(0.1), Failing)
    for _ in range(5):
        made.advance(1.0)
    with pytest.raises(FailedPartError) as error:
        made.advance(1.0)
    assert (error.value.part, error.value.reason) == ("second", "the spring broke")
    assert made.time == pytest.approx(0.5)


def test_iterations_that_do_not_converge_are_told() -> None:
    made = master(Masses(kc=1e4), Coupling(0.2, "iterated", iterations=5))
    with pytest.raises(FailedPartError, match="still changed after 5 iterations"):
        made.advance(1.0)


def test_a_master_continues_bit_for_bit() -> None:
    coupling = Coupling(0.02, "gauss-seidel", "quadratic", 1e-3)
    end, whole = simulated(Masses(), coupling, 0.3)
    half = master(Masses(), coupling)
    while half.time < 0.15:
        half.advance(0.3)
    saved = half.state(), {name: part.save() for name, part in half.parts.items()}
    again = master(Masses(), coupling)
    again.restore(saved[0])
    for name, part in again.parts.items():
        part.restore(saved[1][name])
    while again.time < 0.3:
        again.advance(0.3)
    assert np.array_equal(np.concatenate([again.parts[n].y[:2] for n in ("first", "second")]), end)
    assert again.accounts == whole.accounts


# Machines of a drive --------------------------------------------------------------------------------------------------


def test_a_machine_needs_its_object_or_leave_to_run() -> None:
    drive = coupled_pump.coupled()
    with pytest.raises(InputError) as error:
        cd.simulate(drive, 0.01, progress=False)
    assert "has no file: pass its object" in places(error)["machines[0]"]
    given = drive.to_dict()
    foreign = cd.Drive(**given | {"machines": [given["machines"][0] | {"file": "motor.fmu"}]})
    with pytest.raises(InputError) as error:
        cd.simulate(foreign, 0.01, progress=False)
    assert "runs code from its author" in places(error)["machines[0].file"]
    with pytest.raises(InputError, match="the drive has no such machine; it has supply"):
        cd.simulate(drive, 0.01, machines={"supply": Motor(), "engine": Motor()}, progress=False)


def test_wheels_and_torques_of_machines_are_checked() -> None:
    given = coupled_pump.coupled().to_dict()

    def problems(**shaft):
        with pytest.raises(InputError) as error:
            cd.Drive(**given | {"machines": [{"name": "supply", "shafts": [shaft]}]})
        return places(error)

    assert "there is no such rotor" in problems(rotor="mtor", torque="torque")["machines[0].shafts[0].rotor"]
    assert "needs one torque = { kind = 'input' }" in problems(rotor="pump", torque="m")["machines[0].shafts[0].torque"]
    assert "either a wheel or a rotor" in problems(torque="torque")["machines[0].shafts[0]"]
    assert "at least one variable" in problems(rotor="motor")["machines[0].shafts[0]"]
    assert "no such stage" in problems(wheel="x", stage="final", speed="w")["machines[0].shafts[0].stage"]
    assert "must not be 0" in problems(rotor="motor", speed="w", gear_ratio=0)["machines[0].shafts[0].gear_ratio"]


def test_what_cannot_be_an_input_is_told_with_what_can() -> None:
    given = on_a_slide({"kind": "roller"}, {}).to_dict()

    def problems(**coupled):
        with pytest.raises(InputError) as error:
            cd.Drive(**given | {"machines": [{"name": "m"} | coupled]})
        return places(error)

    assert "name the parts to which it is coupled" in problems()["machines[0]"]
    told = problems(
        shafts=[{"wheel": "motor", "torque": "t"}],
        bodies=[{"body": "slide", "force": "f"}, {"body": "slid", "position": "x"}, {"body": "slide"}],
        tensioners=[{"tensioner": "piston", "supply_pressure": "p", "inflow": "q"}],
    )
    assert "its speed can be an input, motion = { kind = 'input' }" in told["machines[0].shafts[0].torque"]
    assert "needs one load = { kind = 'input' } for it, and has 0" in told["machines[0].bodies[0].force"]
    assert "there is no such body; did you mean 'slide'?" in told["machines[0].bodies[1].body"]
    assert "name at least one variable of the machine: force, position or speed" in told["machines[0].bodies[2]"]
    assert "needs one supply_pressure = { kind = 'input' }" in told["machines[0].tensioners[0].supply_pressure"]
    assert "needs supply_pressure = { kind = 'input' }" in told["machines[0].tensioners[0].inflow"]


class Leading:
    """A shaft at twice the speed 40 + 5 (3 x^2 - 2 x^3) rad/s, x = t / 20 ms; it records the torques that it
    receives.
    """

    inputs, outputs = ("torque",), ("speed",)

    def __init__(self, fails_at: float = np.inf) -> None:
        self.fails_at, self.told = fails_at, []

    def read(self, time, inputs):
        x = time / 0.02
        return np.array([2.0 * (40.0 + 5.0 * x * x * (3.0 - 2.0 * x))])

    def step(self, time, step, inputs) -> None:
        if time > self.fails_at:
            raise KeyboardInterrupt
        self.told.append(float(inputs.at(time)[0]))

    def save(self):
        return np.array(self.told)

    def restore(self, saved) -> None:
        self.told = saved.tolist()


def led(step: float) -> cd.Drive:
    """Two wheels, of which a machine turns the first."""
    made = drive({"kind": "block"}, wheels=wheels({"motion": {"kind": "input", "speed": 40.0}}, {"load_torque": 3.0}))
    shafts = [{"wheel": "motor", "speed": "speed", "torque": "torque", "gear_ratio": 2}]
    run = made.run.model_copy(update={"coupling": cd.model.CouplingOptions(step=step, extrapolation="quadratic")})
    return cd.Drive(**made.to_dict() | {"machines": [{"name": "m", "shafts": shafts}], "run": run})


def test_a_machine_prescribes_a_speed_and_gets_the_torque_that_this_takes() -> None:
    """A run-up prescribes the same. At the ends of macro steps the speed is that of the machine; between them that of
    a polynomial, in the first step of a line: off by the second power of the step. The torque at the machine is half
    of that on the wheel, by the gear.
    """
    run_up = {"kind": "run_up", "initial_speed": 40.0, "final_speed": 45.0, "duration": 0.02}
    same = drive({"kind": "block"}, wheels=wheels({"motion": run_up}, {"load_torque": 3.0}))
    whole, errors = cd.simulate(same, 0.02, progress=False), []
    for step in (2e-3, 1e-3):
        machine = Leading()
        found = cd.simulate(led(step), 0.02, machines={"m": machine}, progress=False)
        off = np.abs(found["wheel_speed"].values - whole["wheel_speed"].values)
        assert off[:: round(step / 5e-4), 0].max() < 1e-9
        errors.append(float(off.max()))
        at = np.arange(1, len(machine.told)) * step
        torque = found["motion_torque"].sel(wheel="motor")
        assert 2.0 * np.array(machine.told[1:]) == pytest.approx(torque.sel(time=at, method="nearest").values, rel=1e-9)
        (bond,) = found.notes["coupling"]["bonds"].values()
        assert bond["transferred"] == pytest.approx(float(found["work_input"][-1]), rel=1e-2)
    assert errors[0] < 0.05
    assert errors[0] > 3.5 * errors[1]


class Pushing:
    """A force 20 N + 4 kN/s t or a position, and a supply pressure of 2 bar + 30 bar/s t, which grow linearly."""

    inputs = ("speed", "inflow")

    def __init__(self, given: str, fails_at: float = np.inf) -> None:
        self.outputs, self.slope = (given, "pressure"), {"force": 4e3, "position": 1e-3}[given]
        self.first = 20.0 if given == "force" else 0.0
        self.fails_at, self.seen = fails_at, np.zeros(2)

    def read(self, time, inputs):
        return np.array([self.first + self.slope * time, 2e5 + 3e6 * time])

    def step(self, time, step, inputs) -> None:
        if time > self.fails_at:
            raise KeyboardInterrupt
        self.seen = self.seen + step * inputs.at(time)

    def save(self):
        return self.seen.copy()

    def restore(self, saved) -> None:
        self.seen = saved.copy()


PUSHED, MACRO = 4e-3, 1e-3
"""End of a run with a body that is pushed or moved, and its macro step. [s]"""


def pushed(given: str, **own: Any) -> tuple[cd.Drive, dict[str, Any]]:
    """A slide that a machine pushes or moves, with a tensioner that it supplies; and the run. own: further keys of the
    body.
    """
    load = {"load": {"kind": "input", "mean": 20.0}} if given == "force" else {"motion": {"kind": "input"}}
    made = on_a_slide({"kind": "roller"}, load, {"kind": "input", "mean": 2e5}).to_dict()
    oil = [{"tensioner": "piston", "supply_pressure": "pressure", "inflow": "inflow"}]
    machine = {"name": "m", "bodies": [{"body": "slide", given: given, "speed": "speed"} | own], "tensioners": oil}
    solver = {"method": "dormand-prince", "rtol": 1e-9, "rtol_work": 1e-9}
    run = made["run"] | {"start": "as_placed", "solver": solver, "coupling": {"step": MACRO}}
    return cd.Drive(**made | {"machines": [machine], "run": run}), run


@pytest.mark.parametrize("given", ["force", "position"])
def test_a_machine_pushes_or_moves_a_body_and_supplies_oil(given: str) -> None:
    """Linear polynomials give straight lines, as do tables over time. The slide begins at rest, so a position is
    reached from the end of the first macro step on, by which the joint has the speed of the machine.
    """
    until, step = PUSHED, MACRO
    made, run = pushed(given)
    found = cd.simulate(made, until, machines={"m": Pushing(given)}, progress=False)
    bonds = found.notes["coupling"]["bonds"]
    assert bonds["machine 'm' at tensioner 'piston'"]["transferred"] > 0.0
    assert abs(float(found["energy_residual"][-1])) < 1e-6 * abs(float(found["work_input"][-1]))
    position = found["joint_position"].sel(body="slide")
    if given == "position":
        late = position.time.values >= step
        assert position.values[late] == pytest.approx(1e-3 * position.time.values[late], abs=1e-12)
        return
    table = {"times": (0.0, until), "forces": (20.0, 20.0 + 4e3 * until)}
    pressures = {"times": (0.0, until), "pressures": (2e5, 2e5 + 3e6 * until)}
    same = on_a_slide({"kind": "roller"}, {"load": table}, pressures).to_dict() | {"run": run | {"coupling": {}}}
    whole = cd.simulate(cd.Drive(**same), until, progress=False)
    for name in ("joint_position", "tensioner_pressure", "span_tension"):
        scale = np.abs(whole[name].values).max()
        assert np.allclose(found[name].values, whole[name].values, rtol=0.0, atol=1e-6 * scale), name
    assert found["work_input"].values[-1] == pytest.approx(whole["work_input"].values[-1], rel=1e-6)
    work, told = float(found["work_input"][-1]), bonds["machine 'm' at body 'slide'"]["transferred"]
    assert told == pytest.approx(work, rel=0.1)  # by Simpson's rule, with a tenth of a period in a macro step


@pytest.mark.long
def test_a_run_with_a_prescribed_speed_resumes_bit_for_bit(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(simulation_machines, "MOMENT", 0.0)
    path = tmp_path / "run.nc"
    whole = cd.simulate(led(5e-4), 0.004, machines={"m": Leading()}, progress=False)
    cd.simulate(led(5e-4), 0.004, machines={"m": Leading(0.002)}, output=path, progress=False).close()
    with cd.simulate(led(5e-4), 0.004, machines={"m": Leading()}, output=path, resume=True, progress=False) as resumed:
        assert np.array_equal(resumed["wheel_speed"], whole["wheel_speed"])
        assert np.array_equal(resumed["motion_torque"], whole["motion_torque"])


@pytest.mark.parametrize("given", ["force", pytest.param("position", marks=pytest.mark.long)])
def test_a_run_with_a_body_and_oil_resumes_bit_for_bit(given: str, tmp_path: Path, monkeypatch) -> None:
    """This includes the signals, the cells of the inputs and the state of the machine, which integrates its inputs."""
    monkeypatch.setattr(simulation_machines, "MOMENT", 0.0)
    (made, _), path, machines = pushed(given), tmp_path / "run.nc", [Pushing(given) for _ in range(2)]
    whole = cd.simulate(made, PUSHED, machines={"m": machines[0]}, progress=False)
    with cd.simulate(made, PUSHED, machines={"m": Pushing(given, 0.0015)}, output=path, progress=False) as half:
        assert half.status.name == "INTERRUPTED"
        assert 0.0 < half.time[-1] < PUSHED
    with cd.simulate(made, PUSHED, machines={"m": machines[1]}, output=path, resume=True, progress=False) as resumed:
        for name in ("joint_position", "joint_speed", "tensioner_pressure", "tensioner_inflow", "span_tension"):
            assert np.array_equal(resumed[name], whole[name]), name
        assert resumed.notes["coupling"]["bonds"] == whole.notes["coupling"]["bonds"]
    assert np.array_equal(machines[0].seen, machines[1].seen)
    assert np.all(machines[0].seen != 0.0)


class Reaction(Pushing):
    """The same force, given as that on the machine."""

    def read(self, time, inputs):
        return super().read(time, inputs) * (-1.0, 1.0)


def test_a_force_that_acts_on_the_machine_is_turned_round() -> None:
    """For a force on a body; the accounts are those of the force on the drive."""
    whole, found = (
        cd.simulate(pushed("force", **own)[0], PUSHED, machines={"m": machine}, progress=False)
        for machine, own in ((Pushing("force"), {}), (Reaction("force"), {"acts_on": "machine"}))
    )
    assert np.array_equal(found["joint_position"], whole["joint_position"])
    assert found.notes["coupling"]["bonds"] == whole.notes["coupling"]["bonds"]


def test_a_torque_that_acts_on_the_machine_is_turned_round() -> None:
    """For torques of a shaft behind a gear: one from the machine, and one required by a prescribed speed."""
    for gear in (1.0, -2.0):
        told = []
        for acts_on in ("drive", "machine"):
            made, machine = led(5e-4), Leading()
            fields = made.to_dict()
            fields["machines"][0]["shafts"][0] |= {"acts_on": acts_on}
            cd.simulate(cd.Drive(**fields), 0.004, machines={"m": machine}, progress=False)
            told.append(machine.told)
        assert told[0] == [-torque for torque in told[1]]
        given = coupled_pump.coupled(step=5e-4).to_dict()
        shafts = [{"rotor": "motor", "torque": "torque", "speed": "speed", "gear_ratio": gear, "acts_on": "machine"}]
        drive = cd.Drive(**given | {"machines": [{"name": "supply", "shafts": shafts}]})
        (signal,) = (each for _, each in drive.signals(0) if each.key == "torque")
        assert signal.factor == -gear


def test_machines_of_variators_are_checked() -> None:
    shafts = [{"wheel": "primary", "torque": "torque"}, {"wheel": "tertiary", "speed": "speed"}]
    with pytest.raises(InputError) as error:
        cd.Drive(**cd.example("cvt-63").to_dict() | {"machines": [{"name": "engine", "shafts": shafts}]})
    assert set(places(error)) == {"machines[0].shafts[0].torque", "machines[0].shafts[1].wheel"}


def test_variables_that_a_machine_lacks_are_told_by_place() -> None:
    class Other(Motor):
        inputs = ("speed", "voltage")

    given = coupled_pump.coupled().to_dict()
    shafts = [{"rotor": "motor", "torque": "speed", "angle": "phi"}]
    drive = cd.Drive(**given | {"machines": [{"name": "supply", "shafts": shafts}]})
    with pytest.raises(InputError) as error:
        cd.simulate(drive, 0.01, machines={"supply": Other()}, progress=False)
    told = places(error)
    assert "must be one of the outputs" in told["machines[0].shafts[0].torque"]
    assert "has no such variable" in told["machines[0].shafts[0].angle"]
    assert "speed, voltage" in told["machines[0].shafts[0].angle"]
    assert "input 'voltage' of machine 'supply' has no signal" in told["machines[0].shafts"]


def test_a_machine_that_fails_ends_the_run_with_its_reason_and_results() -> None:
    class Breaking(Motor):
        def step(self, time, step, inputs) -> None:
            if time > 0.02:
                raise ZeroDivisionError("no current")
            super().step(time, step, inputs)

    found = cd.simulate(coupled_pump.coupled(step=1e-3), 0.05, machines={"supply": Breaking()}, progress=False)
    assert found.status.name == "MACHINE_FAILED"
    assert found.status.where == "machine 'supply': ZeroDivisionError: no current"
    assert 0.02 <= found.time[-1] <= 0.022


def test_a_machine_that_fails_at_once_ends_the_run_at_its_start() -> None:
    class Silent(Motor):
        def read(self, time, inputs):
            return np.array([np.nan])

    found = cd.simulate(coupled_pump.coupled(step=1e-3), 0.01, machines={"supply": Silent()}, progress=False)
    assert found.status.where == "machine 'supply': an output is not a finite number"
    assert found.time.size <= 1
    assert not found.warnings


@pytest.mark.parametrize(
    ("answer", "told"),
    [(np.array([40.0, 1.0]), "2 values"), (np.array([]), "0 values"), (None, "None"), (["x"], "['x']")],
)
def test_a_wrong_answer_of_a_machine_ends_the_run_with_its_name_and_results(answer, told) -> None:
    class Wrong(Motor):
        def read(self, time, inputs):
            return super().read(time, inputs) if time < 0.005 else answer

    found = cd.simulate(coupled_pump.coupled(step=1e-3), 0.01, machines={"supply": Wrong()}, progress=False)
    assert found.status.name == "MACHINE_FAILED"
    assert found.status.where == f"machine 'supply': read returned {told}, its outputs are torque"
    assert 0.003 <= found.time[-1] <= 0.006


def test_an_interrupted_run_with_machines_resumes_bit_for_bit(tmp_path: Path, monkeypatch) -> None:
    class Interrupted(Motor):
        def step(self, time, step, inputs) -> None:
            if time > 0.002:
                raise KeyboardInterrupt
            super().step(time, step, inputs)

    monkeypatch.setattr(simulation_machines, "MOMENT", 0.0)  # every macro step by itself
    drive, path = coupled_pump.coupled(step=5e-4), tmp_path / "run.nc"
    whole = cd.simulate(drive, 0.004, machines={"supply": Motor()}, progress=False)
    with cd.simulate(drive, 0.004, machines={"supply": Interrupted()}, output=path, progress=False) as half:
        assert half.status.name == "INTERRUPTED"
        assert 0.001 < half.time[-1] < 0.003
    with cd.simulate(drive, 0.004, machines={"supply": Motor()}, output=path, resume=True, progress=False) as resumed:
        assert np.array_equal(resumed["motor.speed"], whole["motor.speed"])
        assert resumed.notes["coupling"]["bonds"] == whole.notes["coupling"]["bonds"]


def test_a_machine_without_a_state_to_save_is_no_hindrance_but_to_resume(tmp_path: Path) -> None:
    class Stateful(Motor):
        save = None  # type: ignore[assignment]

    drive, path = coupled_pump.coupled(step=1e-3), tmp_path / "run.nc"
    cd.simulate(drive, 0.01, machines={"supply": Stateful()}, output=path, progress=False).close()
    with pytest.raises(InputError, match="its state cannot be saved"):
        cd.simulate(drive, 0.02, machines={"supply": Stateful()}, output=path, resume=True, progress=False)


def test_without_a_machine_an_input_torque_keeps_its_mean() -> None:
    given = coupled_pump.coupled().to_dict() | {"machines": []}
    motor, pump = given["rotors"]
    ways = [
        cd.simulate(cd.Drive(**given | {"rotors": [motor | {"torque": torque}, pump]}), 0.02, progress=False)
        for torque in (9.0, {"kind": "input", "mean": 9.0})
    ]
    assert np.array_equal(ways[0]["motor.speed"], ways[1]["motor.speed"])

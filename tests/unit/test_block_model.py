"""Options of the chain drive block: the parts of a drive that it refuses, and how it is chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.formulations import compile_system
from chaindrive.model import override
from chaindrive.simulation.start import prepare
from support import block_drives as blocks

MOTION = {"kind": "constant_speed", "speed": 20.0}


def command(*words: str) -> None:
    with pytest.raises(SystemExit) as end:
        main(list(words))
    assert not end.value.code


def problem_texts(error: pytest.ExceptionInfo[InputError]) -> list[str]:
    return [str(problem) for problem in error.value.problems]


def refused(drive: cd.Drive, **changes: Any) -> list[str]:
    with pytest.raises(InputError) as error:
        override(drive, {"run.formulation.kind": "block", **{k.replace("__", "."): v for k, v in changes.items()}})
    return problem_texts(error)


def test_what_moves_or_slides_is_refused_with_its_place() -> None:
    """The timing drive has a rail on an arm and one that is fixed, and a hydraulic tensioner."""
    found = refused(cd.example("timing-06b"))
    drive = cd.example("timing-06b")
    places = [f"bodies[{i}]" for i, body in enumerate(drive.bodies) if body.joint.kind != "fixed"]
    places += [f"guides[{i}]" for i in range(len(drive.guides))]
    places += [f"tensioners[{i}]" for i in range(len(drive.tensioners))]
    assert len(found) == len(places) > 3
    for place, text in zip(places, found, strict=True):
        assert text.startswith(place)
        assert "chain drive block" in text
        assert "roller" in text


def test_a_fixed_body_may_carry_a_wheel() -> None:
    drive = blocks.two_wheels({"motion": MOTION})
    fields = {name: getattr(drive, name) for name in ("name", "chain", "contact", "run")}
    wheels = [wheel.model_copy(update={"body": "frame"}) for wheel in drive.wheels]
    bodies = [{"name": "frame", "joint": {"kind": "fixed"}}]
    cd.Drive(**fields, wheels=wheels, bodies=bodies)


def test_the_net_element_is_one_between_two_wheels_without_pretension() -> None:
    drive = blocks.two_wheels({"motion": MOTION})
    (found,) = refused(drive, run__formulation__compliance="block", run__formulation__slack="-1 mm")
    assert found.startswith("run.formulation.slack")
    assert "no pretension" in found
    five = cd.example("6l60mc")
    (found,) = refused(five, run__formulation__compliance="block")
    assert found.startswith("run.formulation.compliance")
    assert "4 wheels" in found


def test_a_chain_too_short_for_the_net_element_is_told_when_it_is_compiled() -> None:
    """94 links are 0.3 mm longer than the route; a pitch less by 0.01 % makes them shorter by as much."""
    drive = override(blocks.two_wheels({"motion": MOTION}), {"run.formulation.slack": "none"})
    assert compile_system(drive, drive.run.formulation, False).story.notes["slack"] == pytest.approx(3.05e-4, rel=0.01)
    tight = {"wheels.1.position": "[0.5005, 0]", "run.formulation.compliance": "block"}
    with pytest.raises(InputError) as error:
        prepare(override(drive, tight))
    (found,) = problem_texts(error)
    assert "mm shorter than its route" in found
    assert "'spans'" in found


def test_preload_by_moving_a_wheel_is_met_and_sag_is_refused() -> None:
    preload = {"span": 0, "tension": 300.0, "by": "wheel", "wheel": 1}
    drive = blocks.two_wheels({"motion": MOTION}, preload=preload)
    start = prepare(drive, start="at_rest")
    assert start.system.story.notes["static_span_tension"] == pytest.approx([300.0, 300.0], rel=1e-3)
    assert "moved by" in start.system.story.notes["preload_adjustment"]
    sag = {"span": 0, "sag": 0.01, "by": "wheel", "wheel": 1}
    with pytest.raises(InputError) as error:
        blocks.two_wheels({"motion": MOTION}, preload=sag)
    assert "no sag" in problem_texts(error)[0]
    with pytest.raises(InputError) as error:
        override(drive, {"run.formulation.slack": "1 mm"})
    assert "contradicts preload" in problem_texts(error)[0]


def test_another_formulation_leaves_the_options_of_the_one_before() -> None:
    roller = cd.example("industrial-08b")
    block = override(roller, {"run.formulation.kind": "block", "run.formulation.slack": "1 mm"})
    assert block.run.formulation == cd.BlockOptions(slack=1e-3)
    assert override(block, {"run.formulation.kind": "roller"}).run.formulation == cd.RollerOptions()
    kept = override(roller, {"run.formulation.kind": "roller"})
    assert kept.run.formulation == roller.run.formulation


def test_a_file_without_kind_means_rollers_and_a_wrong_one_is_told() -> None:
    text = blocks.two_wheels({"motion": MOTION}).to_toml()
    start = text.index("[run.formulation]")
    end = text.index("[run.solver]")
    plain = text[:start] + '[run.formulation]\nfriction_speed = "0.1 m/s"\n\n' + text[end:]
    assert cd.model.loads(plain).run.formulation == cd.RollerOptions(friction_speed=0.1)
    with pytest.raises(InputError, match="must be one of 'roller', 'link', 'spatial', 'block'"):
        cd.model.loads(plain.replace("friction_speed =", 'kind = "blok"\nfriction_speed ='))
    with pytest.raises(InputError, match=r"kind = 'roller', kind = 'link'.*, not to 'block'"):
        cd.model.loads(plain.replace("friction_speed =", 'kind = "block"\nfriction_speed ='))


def test_check_shows_what_the_spans_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    targets = [{"variable": "speed", "wheel": 1, "value": 7.5}]
    drive = blocks.two_wheels({"motion": MOTION}, {"load_torque": 3.0}, slack=2e-3, targets=targets)
    (tmp_path / "two.toml").write_text(drive.to_toml(), encoding="utf-8")
    command("check", "two.toml")
    said = capfd.readouterr().out
    assert "Drawn at rest in two.png" in said
    assert "slack shared by the spans" in said
    assert "2 mm" in said
    assert "100 kN/m, 100 kN/m" in said
    assert "speed of wheel 'b': 7.5 rad/s" in said


def test_run_from_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    command("run", "industrial-08b", "--formulation", "block", "--until", "0.1", "-o", "run.nc")
    command("info", "run.nc")
    said = capfd.readouterr().out
    assert "block" in said
    assert "span_elongation" in said


def test_an_interrupted_run_goes_on_bit_for_bit(tmp_path: Path) -> None:
    drive = blocks.two_wheels(compliance="block", slack=2e-3, damping=5.0, targets=blocks.relative_speed(0.1))
    whole = cd.simulate(drive, 0.5)

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    with cd.simulate(drive, 0.5, output=tmp_path / "run.nc", progress=interrupt) as part:
        assert part.status == cd.Status.INTERRUPTED
        assert 0.0 < part.time[-1] < 0.5
    with cd.simulate(drive, 0.5, output=tmp_path / "run.nc", resume=True) as again:
        for name in ("wheel_speed", "span_tension", "work_link_damping", "energy_residual"):
            np.testing.assert_array_equal(again.values(name), whole.values(name))


def test_a_run_goes_on_from_another_ones_end() -> None:
    drive = blocks.two_wheels({"motion": MOTION}, {"load_torque": 3.0}, slack=2e-3)
    first = cd.simulate(drive, 0.2)
    further = cd.simulate(override(drive, {"wheels.1.load_torque": 6.0}), 0.3, initial=first)
    assert further.values("wheel_angle")[0].tolist() == first.values("wheel_angle")[-1].tolist()
    assert float(further.values("work_input")[0]) == 0.0
    with pytest.raises(InputError, match="belongs to a different formulation"):
        cd.simulate(override(drive, {"run.formulation.kind": "roller"}), 0.1, initial=first)


def test_figures_of_a_run_without_rollers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The overview, and spectra of the spans' tension in place of the missing displacement."""
    from chaindrive import plots

    solution = cd.simulate(cd.example("industrial-08b"), 0.5, formulation="block")
    numbers = plots.data_overview(solution)
    np.testing.assert_array_equal(numbers["wheel speed of motor [rad/s]"], solution.values("wheel_speed", item=0))
    assert any("mean tension of conveyor - motor" in name for name in numbers)
    assert len(plots.plot_overview(solution).axes) == 4
    assert "span tension" in plots.data_spectrum(solution).columns[1]
    plots.plot_spectrum(solution)
    plots.plot_waterfall(solution)
    with pytest.raises(InputError, match="the formulation 'block' has no link_tension"):
        plots.plot_tension_around(solution)
    monkeypatch.chdir(tmp_path)
    solution.save("run.nc")
    command("plot", "run.nc")
    assert Path("run-overview.png").exists()

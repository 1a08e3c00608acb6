"""Every part of the benchmarks runs once, as small as possible. These tests say nothing about speed."""

from __future__ import annotations

import importlib
import importlib.util
import math
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
MODULES = (
    "speed",
    "complementarity",
    "evaluation",
    "examples",
    "measure",
    "precision",
    "lanes",
    "links",
    "solvers",
    "space",
    "steps",
    "editor_fps",
    "report_fps",
    "report_examples",
    "parts.complementarity",
    "parts.drives",
    "parts.evaluation",
    "parts.lane_kernels",
    "parts.lanes",
    "parts.links",
    "parts.operations",
    "parts.precision",
    "parts.processor",
    "parts.profile",
    "parts.runs",
    "parts.scaling",
    "parts.solvers",
    "parts.space",
    "parts.steps",
    "parts.sweep",
    "parts.startup",
    "parts.command",
    "parts.peers",
    "peers.chain",
    "peers.chaindrive_chain",
    "peers.exudyn_chain",
    "peers.mujoco_chain",
    "peers.ring",
    "peers.exudyn_ring",
)


def module(name: str) -> ModuleType:
    return importlib.import_module(name)


@pytest.mark.parametrize("name", MODULES)
def test_imports_without_the_peers(name: str) -> None:
    assert module(name).__doc__
    assert "exudyn" not in sys.modules or importlib.util.find_spec("exudyn")


def test_paired_repeats_take_turns() -> None:
    order: list[str] = []
    costs = module("measure").paired({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 3)
    assert order == ["a", "b", "b", "a", "a", "b"]
    assert all(len(cost.repeats) == 3 and cost.cpu >= 0.0 for cost in costs.values())


def test_a_missed_limit_stands_in_the_table() -> None:
    measure = module("measure")
    rows = [
        measure.Row("slow", 2.0, "s", 1.0),
        measure.Row("quick", 0.5, "s", 1.0),
        measure.Row("ratio", 50.0, "times", 40.0, at_least=True),
        measure.Row("plain", 1234.5, "us"),
    ]
    assert [row.met for row in rows] == [False, True, True, None]
    text = measure.markdown([measure.Section("Title", rows)], {"date": "today"})
    assert "| slow | 2 s | at most 1 s | **no** |" in text
    assert "| ratio | 50 times | at least 40 times | yes |" in text
    assert "- date: today" in text


@pytest.mark.parametrize("name", ["speed", "lanes", "links", "space", "steps", "complementarity"])
def test_results_replace_what_stands_between_the_marks(name: str, tmp_path: Path) -> None:
    script = module(name).SCRIPT
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{script.begin}\nold\n{script.end}\nafter\n")
    script.write_readme("new", readme)
    script.write_readme("newer", readme)
    assert readme.read_text() == f"before\n{script.begin}\n\nnewer\n{script.end}\nafter\n"
    shipped = (BENCHMARKS / "README.md").read_text(encoding="utf-8")
    assert shipped.count(script.begin) == shipped.count(script.end) == 1


def test_a_part_that_fails_says_so_and_the_others_run(capsys: pytest.CaptureFixture[str]) -> None:
    measure = module("measure")

    def broken(quick: bool) -> None:
        raise ArithmeticError("three is not four")

    parts = {"one": broken, "other": lambda quick: measure.Section("Fine", [measure.Row("slow", 2.0, "s", 1.0)])}
    assert measure.Script("", parts, "a", "b").main(["--quick"]) == 1
    printed = capsys.readouterr()
    assert "one: failed" in printed.out
    assert "ArithmeticError: three is not four" in printed.out
    assert "### Fine" in printed.out
    assert "missed: slow" in printed.err


def test_costs_of_examples_are_those_of_the_machine_that_is_meant() -> None:
    """On a machine twice as fast, half the CPU time is the same cost; without EXUDYN nothing is scaled, and a note says
    so.
    """
    part = module("examples")
    cost = part.Cost("tandem", 12.7e-3, "verlet-beeman", 150, 0.1, 1.0, 4e-6, 1.0, 0.0, "links")
    scale, told = part.of_machine([90e-6, 101e-6])
    assert scale == pytest.approx(2.0)
    assert told.startswith("90 and 101 us per step")
    assert (cost.missed(), cost.missed(scale)) == ([], ["CPU"])
    text = part.table([cost], {"EXUDYN": told}, scale)
    assert "0 of 1 meet both" in text
    assert "| 1.00 | 2.00 | 4.00 |" in text
    assert {row.count("|") for row in text.splitlines() if row.startswith("|")} == {12}
    scale, told = part.of_machine([None, None])
    assert scale == 1.0
    assert "not installed" in told


@pytest.mark.skipif(importlib.util.find_spec("exudyn") is None, reason="EXUDYN is not installed")
def test_a_step_of_exudyn_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    part = module("examples")
    monkeypatch.setattr(part, "PEER_UNTIL", 20 * part.PEER_STEP)
    assert 1e-6 < part.peer_step() < 0.1


def test_frames_per_second_of_a_course_with_a_hitch(tmp_path: Path) -> None:
    part = module("report_fps")
    times = np.concatenate([np.arange(0.0, 1000.0, 20.0), np.arange(1080.0, 1400.0, 100.0)])  # 50, then 10 a second
    median, low = part.rates(times)
    assert median == pytest.approx(50.0)
    assert low == pytest.approx(10.0, rel=0.15)
    assert part.rates([5.0]) == (0.0, 0.0)
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{part.BEGIN}\nold\n{part.END}\nafter\n")
    part.write_readme("new", readme)
    assert readme.read_text() == f"before\n{part.BEGIN}\n\nnew\n{part.END}\nafter\n"
    shipped = (BENCHMARKS / "README.md").read_text(encoding="utf-8")
    assert shipped.count(part.BEGIN) == shipped.count(part.END) == 1


def test_what_the_report_of_an_example_misses_is_named() -> None:
    part = module("report_examples")
    good = part.Seen("good", 3.0, 15.0, 2.0, 30.0, 60.0, 800.0)
    bad = part.Seen("bad", 3.0, 15.1, 2.1, 29.0, 28.0, 801.0)
    assert good.missed == []
    assert bad.missed == ["size", "opened", "light", "dark", "first answer"]
    results = part.table([good, bad], {"date": "today"})
    assert "1 of 2 meet all of them" in results
    assert "| bad | 3.0 | 15.1 | 2.10 | 29 | 28 | 801 | size, opened, light, dark, first answer |" in results
    shipped = (BENCHMARKS / "README.md").read_text(encoding="utf-8")
    assert shipped.count(part.BEGIN) == shipped.count(part.END) == 1


def test_evaluations_and_steps_of_a_small_drive() -> None:
    drives, evaluation = module("parts.drives"), module("parts.evaluation")
    system = drives.rolling(drives.two_wheels(60))
    evaluation.evaluator(system, system.state, 0.0, 3)()
    held = {name: array.copy() for name, array in system.memory_arrays().items()}
    for method, least in (("verlet", 5), ("dormand-prince", 30)):
        stepper = evaluation.Stepper(system, system.state, 0.0, method, 5, drives.RARE)
        assert stepper.evaluations > least  # one at the start
        assert stepper.mean_step > 0.0
    for name, array in system.memory_arrays().items():
        np.testing.assert_array_equal(array, held[name])


@pytest.mark.long
def test_cost_of_rigid_links_over_their_number() -> None:
    section = module("parts.links").scaling(True, (48, 60))
    assert [row.unit for row in section.rows] == ["", "ns"] * 3
    assert all(row.value > 0.0 for row in section.rows[1::2])


@pytest.mark.long
def test_precision_of_every_method(tmp_path: Path) -> None:
    part = module("parts.precision")
    section = part.trajectories(True, {"industrial-08b": 1e-3}, tmp_path / "precision.png")
    runs = 4 * len((*part.ADAPTIVE, *part.FIXED)) + 3 * len(part.IMPLICIT)
    assert [row.unit for row in section.rows] == ["s/s"] * runs + ["nm"]
    assert section.rows[-1].value < 1.0  # the references agree
    assert (tmp_path / "precision.png").stat().st_size > 10_000
    section = part.statistics(True, {"industrial-08b": 0.1})
    assert [row.what.split(": ")[1] for row in section.rows] == list(part.EVERY)
    assert all("mean tension" in row.remark for row in section.rows)


@pytest.mark.long
def test_complementarity_problems_of_the_smallest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    part = module("parts.complementarity")
    monkeypatch.setattr(part, "SIZES", (6,))
    monkeypatch.setattr(part, "PROBLEMS", 2)
    for section, fewest in ((part.problems(True), 1), (part.contacts(True), 5)):
        assert len(section.rows) >= fewest
        assert all(row.unit == "us" and row.value > 0.0 for row in section.rows)
        assert not any("not solved" in row.remark for row in section.rows)


@pytest.mark.long
def test_cost_of_links_in_space_over_their_number() -> None:
    section = module("parts.space").scaling(True, (48, 60))
    assert [row.unit for row in section.rows] == ["", "ns"] * 2
    assert all(row.value > 0.0 for row in section.rows[1::2])


@pytest.mark.long
def test_a_ring_of_links_in_a_general_engine_moves_as_ours() -> None:
    """Three-dimensional motion of the same links and bushings, computed by an independent code."""
    if importlib.util.find_spec("exudyn") is None:
        pytest.skip("exudyn is not installed")
    ours = module("peers.ring").ChaindriveRing()
    theirs = module("peers.exudyn_ring").ExudynRing(ours.data)
    ours.run(5e-7, 1e-3)
    theirs.run(5e-7, 1e-3)
    moved = np.linalg.norm(ours.place - ours.data.place, axis=1)
    np.testing.assert_allclose(moved, 2.92e-3, rtol=1e-2)
    assert np.linalg.norm(ours.place - theirs.place, axis=1).max() < 2e-8


def test_means_and_peaks_of_a_revolution() -> None:
    links = module("parts.links")
    tension = [[1.0, 2.0, 3.0], [4.0, 0.0, 2.0]]
    force, surface = [[5.0, 7.0, 0.0], [1.0, 9.0, 3.0]], [[0, 2, -1], [1, 2, 0]]  # two wheels, one guide
    kept = np.stack([np.array(values, dtype=float) for values in (tension, force, surface)], axis=1)
    assert links.statistics(kept, 2) == {
        "mean tension": 2.0,
        "peak tension": 3.0,
        "peak contact with teeth": pytest.approx(8.0 / 3.0),
        "peak contact with guides": 3.0,
    }


def test_the_study_that_is_swept() -> None:
    study = module("parts.sweep").study(30, 10.0)
    assert len(study.curves) * len(study.parameters[0].points()) == 60
    assert study.parameters[0].points()[0] == 32.0
    assert study.set["run.until"] == 10.0
    sweep = module("parts.sweep").measured(module("parts.sweep").study(1, 0.01), 1)
    assert len(sweep.cpu) == 2
    assert sweep.wall >= sum(sweep.cpu) > 0.0


def test_cost_exponent_of_a_power_law() -> None:
    links = np.array([10.0, 100.0, 1000.0])
    assert module("parts.scaling").exponent(links, 3.0 * links**1.25) == pytest.approx(1.25, rel=1e-12)


def test_bisection_finds_the_largest_stable_step() -> None:
    find = module("peers.chain").largest_stable_step
    limit = 57e-6
    found = find(lambda step: step <= limit, 40e-6, 80e-6, 8)
    # After k trials the bracket is a factor 2^(1/2^k) wide.
    assert limit / 2.0 ** (1.0 / 2**8) <= found <= limit


def test_facets_touch_the_tooth_gap_and_never_reach_into_the_roller() -> None:
    chain = module("peers.chain")
    data = chain.chain_data()
    for wheel, local in enumerate(data.facets):
        assert local.shape == (9, 2, 2)
        np.testing.assert_allclose(local[1:, 0], local[:-1, 1], atol=1e-15)
        seat = data.pitch / (2.0 * math.sin(math.pi / data.teeth[wheel]))
        # The roller whose centre is on the pitch circle has the clearance of the seat to every facet near it, never
        # less: Rt - Rr = 0.0025 Dr + 0.0015 in.
        clearance = 0.0025 * 2.0 * data.roller_radius + 0.0015 * 0.0254
        a, b = local[:, 0], local[:, 1]
        away = np.array([0.0, seat]) - a
        fraction = np.clip(((b - a) * away).sum(axis=1) / ((b - a) ** 2).sum(axis=1), 0.0, 1.0)
        distance = np.linalg.norm(away - fraction[:, None] * (b - a), axis=1)
        assert distance.min() >= data.roller_radius + clearance - 1e-12
        assert distance[4] == pytest.approx(data.roller_radius + clearance, abs=1e-12)


def test_chaindrive_runs_as_its_peers_do() -> None:
    chain = module("peers.chain")
    data = chain.chain_data()
    ours = module("peers.chaindrive_chain").ChaindriveChain(data)
    assert ours.run(None, 1e-3) >= 0.0
    first = ours.position.copy()
    assert chain.is_stable(ours.position, ours.velocity, data)
    ours.run(None, 1e-3)
    np.testing.assert_array_equal(ours.position, first)  # every run begins anew
    moved = np.linalg.norm(first - data.position, axis=1)
    speed = np.linalg.norm(data.velocity, axis=1).mean()
    # 1 ms at chain speed; each roller gains less than 10 % of it in so short a time.
    np.testing.assert_allclose(moved, 1e-3 * speed, rtol=0.1)


@pytest.mark.parametrize(
    ("package", "name", "kind"), [("exudyn", "exudyn_chain", "ExudynChain"), ("mujoco", "mujoco_chain", "MujocoChain")]
)
def test_peers_move_the_chain_alike(package: str, name: str, kind: str) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    chain = module("peers.chain")
    data = chain.chain_data()
    peer = getattr(module(f"peers.{name}"), kind)(data)
    ours = module("peers.chaindrive_chain").ChaindriveChain(data)
    peer.run(2e-5, 2e-3)
    ours.run(2e-5, 2e-3)
    assert chain.is_stable(peer.position, peer.velocity, data)
    # 21 mm of travel; other contacts make a difference of a few tenths of a millimetre.
    assert np.linalg.norm(peer.position - ours.position, axis=1).max() < 1e-3


def test_two_source_trees_are_compared_turn_by_turn() -> None:
    class Tree:
        def __init__(self, place: str, cost: float, order: list[str]) -> None:
            self.place, self.cost, self.order = place, cost, order

        def ask(self, word: str) -> object:
            if word == "where":
                return [self.place, ["one evaluation"]]
            self.order.append(self.place)
            self.cost *= 2.0  # a machine that gets slower: ratios of neighbours do not see it
            return self.cost

    order: list[str] = []
    evaluation = module("evaluation")
    lines = evaluation.compare(Tree("here", 3.0, order), Tree("other", 2.0, order), 4)
    assert order == ["here", "other", "other", "here", "here", "other", "other", "here"]
    assert lines[-1].endswith("| 1.500 | 1.500 to 1.500 |")
    with pytest.raises(SystemExit, match="nothing to compare"):
        evaluation.compare(Tree("here", 1.0, order), Tree("here", 1.0, order), 4)


def test_cold_and_warm_starts_of_two_trees_are_paired(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation, here, other = module("evaluation"), Path("here"), Path("other")
    asked: list[tuple[Path, Path]] = []

    def command(folder: Path, cache: Path, *_line: str, source: Path) -> dict[str, float]:
        cold = (source, cache) not in asked  # kernels of a tree that were compiled before are found
        asked.append((source, cache))
        return {"cpu": (40.0 if cold else 2.0) * (1.5 if source == here else 1.0) * len(asked)}

    monkeypatch.setattr(module("parts.startup"), "command", command)
    cold, warm = evaluation.starts((here, other), 2)[-2:]
    assert [source for source, _ in asked] == [here, here, other, other, other, other, here, here]
    # 1.5 times; each start costs as much as its place in the sequence says: 1.5 (1, 7) / (3, 5) and 1.5 (2, 8) / (4, 6)
    assert cold.endswith("| 1.300 | 0.500 to 2.100 |")
    assert warm.endswith("| 1.375 | 0.750 to 2.000 |")


@pytest.mark.long
def test_contacts_in_lanes_are_those_of_each_chain_alone() -> None:
    part, kernels = module("parts.lanes"), module("parts.lane_kernels")
    group = part.running_variants("industrial-08b", 0.01, 0.002)[:4]
    contacts, loop = part.contacts_of_lanes(group), kernels.contacts_in_lanes(4, True)
    assert part.compare(group, contacts, loop) < part.ROUNDING
    contacts.turned.cos[0] += 1e-6  # a wheel of one lane that has turned a little
    contacts.force_x[:] = contacts.force_y[:] = 0.0
    with pytest.raises(RuntimeError, match="deviate"):
        part.compare(group, contacts, loop)

"""Links in space: an evaluation compared with that of links in the plane, the cost over links, and a general engine."""

from __future__ import annotations

import importlib.util
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from measure import Row, Section, paired
from peers.chain import largest_stable_step
from peers.ring import GENTLE, LINKS, ChaindriveRing

import chaindrive as cd
from chaindrive.formulations import compile_system
from chaindrive.model import override
from chaindrive.simulation.start import settle
from parts.drives import RARE, rolling, running, two_wheels
from parts.evaluation import Stepper, evaluator
from parts.scaling import exponent

DRIVE = "misaligned-08b"
SCALED = (112, 1000, 3000, 10000)
RATIO = 30.0
"""Wanted factor by which CPU time is less than that of a general engine."""
BICYCLE, BICYCLE_SECONDS = "bicycle-50x19", 5.0
STEEL, STEEL_STEP = 1e8, 2e-6
"""Stiffness of a link from its plates alone [N/m], and a stable step for it. [s]"""
SAFETY = 0.97
"""Share of the largest stable step used in measurements."""


def evaluation(quick: bool) -> Section:
    """Microseconds per evaluation and per step, compared with the same drive with links in the plane."""
    count, repeats = (500, 3) if quick else (5_000, 21)
    loops: dict[str, Any] = {}
    remarks = {}
    for kind, method in (("spatial", "splitting"), ("link", "verlet")):
        system = rolling(two_wheels(LINKS), kind)
        loops[f"{kind}: one evaluation"] = evaluator(system, system.state, 0.0, count)
        stepper = Stepper(system, system.state, 0.0, method, count, RARE)
        loops[f"{kind}: one step by {method}, all in"] = stepper
        remarks[f"{kind}: one step by {method}, all in"] = f"mean step {1e6 * stepper.mean_step:.3g} us; "
    system, state, t = running(DRIVE)
    loops[f"{DRIVE}: one evaluation"] = evaluator(system, state, t, count)
    costs = paired(loops, repeats)
    rows = [
        Row(what, 1e6 * cost.cpu / count, "us", remark=f"{remarks.get(what, '')}spread {cost.spread}")
        for what, cost in costs.items()
    ]
    alone = [np.array(costs[f"{kind}: one evaluation"].repeats) for kind in ("spatial", "link")]
    rows.append(Row("one evaluation in space / one in the plane", float(np.median(alone[0] / alone[1])), "times"))
    remarks_of_all = [
        f"The drives are two wheels of 19 teeth in line, with {LINKS} links, and {DRIVE}, 0.2 s after its start at "
        "speed."
    ]
    return Section("One evaluation with links in space", rows, remarks_of_all)


def scaling(quick: bool, links: tuple[int, ...] = SCALED) -> Section:
    """Microseconds per evaluation and per step over the links of a drive with two wheels, and the exponent."""
    work, repeats = (20_000, 2) if quick else (1_000_000, 5)
    names = ("one evaluation", "splitting, all in, per step")
    times = np.zeros((len(names), len(links)))
    for column, n in enumerate(links):
        system = rolling(two_wheels(n + n % 2), "spatial")
        count = max(work // n, 10)
        stepper = Stepper(system, system.state, 0.0, "splitting", count, RARE)
        loop = evaluator(system, system.state, 0.0, count)
        costs = paired(dict(zip(names, (loop, stepper), strict=True)), repeats)
        times[:, column] = [1e6 * costs[k].cpu / count for k in names]
    rows = []
    for name, course in zip(names, times, strict=True):
        remark = "us: " + ", ".join(f"{t:.3g} ({n})" for n, t in zip(links, course, strict=True))
        slope = exponent(np.array(links), course)
        rows.append(Row(f"{name}: exponent from {links[0]} to {links[-1]} links", slope, "", 1.1, remark=remark))
        rows.append(Row(f"{name}: per link at {links[-1]} links", 1e3 * course[-1] / links[-1], "ns"))
    remarks = ["The drive has two wheels of 19 teeth, whatever its length."]
    return Section("Links in space: cost over their number", rows, remarks)


def bicycle(quick: bool) -> Section:
    """The example of a bicycle, as given and with links of the stiffness of steel: start and run separately."""
    until, rows = (0.05 if quick else BICYCLE_SECONDS), []
    drive = cd.example(BICYCLE)
    steel = override(drive, {"chain.link_stiffness": STEEL, "run.solver.step": STEEL_STEP})
    cd.simulate(drive, until=1e-3)  # compiles
    for what, each, limit in (("as it is", drive, 10.0), ("links of steel", steel, 40.0)):
        begun = process_time()
        system = settle(compile_system(each, each.run.formulation, True))
        start = process_time() - begun
        begun = process_time()
        with cd.simulate(each, until=until) as run:
            whole = process_time() - begun
            if run.status != cd.Status.REACHED_END:
                raise RuntimeError(f"{BICYCLE}, {what}: {run.status.meaning}")
            steps, missing = int(run.statistics["steps"]), float(run.values("energy_residual")[-1])
        met = "met" if system.story.notes["static_converged"] else "not met"
        remark = (
            f"of which the search for equilibrium (tolerance {met}) {start:.3g} s; "
            f"{1e6 * until / steps:.3g} us per step; energy residual {1e3 * abs(missing):.2g} mJ"
        )
        name = f"{BICYCLE}, {what} ({each.chain.link_stiffness / 1e6:g} MN/m): CPU for {until:g} s"
        rows.append(Row(name, whole, "s", None if quick else limit, remark=remark))
    remarks = ["The time is that of everything that `simulate` does; kernels are loaded beforehand."]
    return Section("Five seconds of a bicycle", rows, remarks)


def peers(quick: bool) -> Section:
    """A ring of links in EXUDYN and here: largest stable steps, then paired runs of equal simulated length."""
    if importlib.util.find_spec("exudyn") is None:
        return Section("A general engine on the same ring of links", [], ["exudyn is not installed: part omitted."])
    from peers import exudyn_ring

    ours = ChaindriveRing()
    theirs = exudyn_ring.ExudynRing(ours.data)
    engines: dict[str, Any] = {"chaindrive": ours, "EXUDYN": theirs}
    length, trials, repeats = (1e-3, 2, 1) if quick else (1e-2, 5, 5)
    ours.run(None, length)
    default = length / ours.steps
    steps: dict[str, dict[str, float]] = {"largest": {}, "default": dict.fromkeys(engines, default)}
    for name, engine in engines.items():

        def stable(step: float, engine: Any = engine) -> bool:
            return bool(engine.stable(step, length))

        steps["largest"][name] = SAFETY * largest_stable_step(stable, 4e-6, 1.2e-5, trials)
    cost = {}
    for which, of in steps.items():
        used: dict[str, list[float]] = {name: [] for name in engines}
        for turn in range(repeats):
            for name in engines if turn % 2 == 0 else reversed(engines):
                used[name].append(engines[name].run(of[name], length))
        for name, seconds in used.items():
            cost[name, which] = median(seconds) / length
    rows = []
    for (name, which), seconds in cost.items():
        size = steps[which][name]
        text = "its largest stable step" if which == "largest" else "the default step of chaindrive"
        remark = f"step {1e6 * size:.3g} us, {1e6 * seconds * size:.3g} us per step"
        rows.append(Row(f"{name}, at {text}: CPU for 1 s", seconds, "s", remark=remark))
    for text, their, our in (
        ("each at its largest stable step", "largest", "largest"),
        ("both at the default step of chaindrive", "default", "default"),
        ("at its largest stable step / at the default one", "largest", "default"),
    ):
        rows.append(
            Row(f"EXUDYN / chaindrive, {text}", cost["EXUDYN", their] / cost["chaindrive", our], "times", RATIO, True)
        )
    ours.run(5e-7, 2e-3)
    theirs.run(5e-7, 2e-3)
    apart = float(np.abs(ours.place - theirs.place).max())
    rows.append(Row("how far apart the links of both are after 2 ms with steps of 0.5 us", 1e9 * apart, "nm"))
    remarks = [
        f"Both engines simulate a ring of {LINKS} links that rotates without wheels. The links have moved 5.8 mm "
        "in the 2 ms after which their positions are compared.",
        f"Stable means that after {1e3 * length:g} ms no link is faster than {GENTLE:g} times the speed of the chain.",
        f"The same: {exudyn_ring.SAME}.",
        f"Different: {exudyn_ring.DIFFERENT}.",
    ]
    return Section("A general engine on the same ring of links", rows, remarks)

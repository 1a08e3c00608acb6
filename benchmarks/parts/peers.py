"""The same 122-link chain in general engines and in chaindrive, in turns: CPU time for one simulated second."""

from __future__ import annotations

import importlib.util
from statistics import median
from typing import Any

from measure import Row, Section
from peers.chain import GENTLE_FACTOR, LARGEST_TENSION, LOAD, RESTITUTION, chain_data, is_stable, largest_stable_step
from peers.chaindrive_chain import METHOD, ChaindriveChain

from chaindrive.solvers.verlet_beeman import STEP_TIMES_FREQUENCY

LARGEST, DEFAULT = 100.0, 60.0
"""Wanted: factor by which CPU time is less than that of a peer, each at its largest stable step; and at our default
step, with the peer at its largest stable one.
"""
LEAN, ORDINARY = "EXUDYN, lean mesh", "EXUDYN, ordinary mesh"
SAFETY = 0.97
"""Share of the largest stable step used in measurements."""
TURNS_OF_OURS = 5
"""Number of runs of chaindrive in every turn, as they are short."""


def run(quick: bool) -> Section:
    """Largest stable steps, then paired runs of equal simulated length."""
    missing = [name for name in ("exudyn", "mujoco") if importlib.util.find_spec(name) is None]
    remarks = [
        f"{name} is not installed and was omitted: pip install 'chaindrive[peers]' (mujoco: pip install mujoco)"
        for name in missing
    ]
    data = chain_data()
    ours = ChaindriveChain(data)
    ours.run(None, 0.01)
    engines: dict[str, Any] = {"chaindrive": ours}
    modules: dict[str, Any] = {}
    if "exudyn" not in missing:
        from peers import exudyn_chain

        modules["EXUDYN"] = exudyn_chain
        engines[LEAN] = exudyn_chain.ExudynChain(data, exudyn_chain.LEAN)
        engines[ORDINARY] = exudyn_chain.ExudynChain(data, exudyn_chain.ORDINARY)
    if "mujoco" not in missing:
        from peers import mujoco_chain

        modules["MuJoCo"] = mujoco_chain
        engines["MuJoCo"] = mujoco_chain.MujocoChain(data)

    trials, length, repeats = (3, 0.05, 1) if quick else (6, 0.25, 3)
    largest = largest_steps(engines, length, trials)
    ours.run(None, length)
    steps = {"largest": largest, "default": dict.fromkeys(engines, length / ours.steps)}
    used: dict[tuple[str, str], list[float]] = {(name, step): [] for name in engines for step in steps}
    tension: dict[tuple[str, str], float] = {}
    for turn in range(repeats):
        for name, step in list(used) if turn % 2 == 0 else reversed(list(used)):
            engine = engines[name]
            for _ in range(TURNS_OF_OURS if engine is ours else 1):
                used[name, step].append(engine.run(steps[step][name], length))
            if not is_stable(engine.position, engine.velocity, data):
                remarks.append(f"{name} at its {step} step was no longer stable at the end: not a valid measurement")
            tension[name, step] = engine.tension
    cost = {key: median(values) / length for key, values in used.items()}
    rows = []
    for (name, step), seconds in cost.items():
        size = steps[step][name]
        text = "its largest stable step" if step == "largest" else "the default step of chaindrive"
        rows.append(
            Row(
                f"{name}, at {text}: CPU for 1 s",
                seconds,
                "s",
                remark=f"step {1e6 * size:.3g} us, {1e6 * seconds * size:.3g} us per step; "
                f"mean link tension at {length:g} s {1e-3 * tension[name, step]:.3g} kN",
            )
        )
    for name in list(engines)[1:]:
        for text, theirs, our, limit in (
            ("each at its largest stable step", "largest", "largest", LARGEST),
            ("both at the default step of chaindrive", "default", "default", None),
            ("at its largest stable step / at the default one", "largest", "default", DEFAULT),
        ):
            ratio = cost[name, theirs] / cost["chaindrive", our]
            rows.append(Row(f"{name} / chaindrive, {text}", ratio, "times", limit, True))
    remarks.append(
        f"chaindrive uses {METHOD}, the default method in the plane where there is friction; the others are described "
        f"below. Stable means that after {length:g} s no roller is faster than {GENTLE_FACTOR:g} times the speed of "
        f"the chain and no link carries more than {1e-3 * LARGEST_TENSION:g} kN; the step of the run is {SAFETY:g} of "
        "the largest such step. This is the limit of stability, not of accuracy: the default step of chaindrive is "
        f"{0.5 * STEP_TIMES_FREQUENCY:g} of the limit without damping."
    )
    remarks.append(
        f"Contacts of the peers are linear, with the stiffness of the Hertz law at {1e-3 * LOAD:g} kN and a "
        f"restitution of {RESTITUTION:g}."
    )
    for name, module in modules.items():
        remarks.append(f"The same in {name}: {module.SAME}.")
        remarks.append(f"Different in {name}: {module.DIFFERENT}.")
    return Section("General engines on the same chain", rows, remarks)


def largest_steps(engines: dict[str, Any], length: float, trials: int) -> dict[str, float]:
    """The step of every engine: SAFETY times the largest one with which a run of ``length`` seconds is stable. [s]"""
    steps: dict[str, float] = {}
    for name, engine in engines.items():
        if name == ORDINARY:  # the same dynamics as with the lean mesh
            steps[name] = steps[LEAN]
            continue

        def stable(step: float, engine: Any = engine) -> bool:
            return bool(engine.stable(step, length))

        steps[name] = SAFETY * largest_stable_step(stable, 4e-5, 8e-5, trials)
    return steps

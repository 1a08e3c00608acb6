"""A V6 engine as a separate chain drive block that drives the timing drive ``v6-timing``, and as a part of this drive.
The engine consists of a crankshaft with flywheel, gas torque, brake and speed control, and of an oil pump with its own
chain. This chain is taut: its two spans act as a spring between crankshaft and pump. In the whole drive a shaft
represents it.
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _drawing import grid

import chaindrive as cd
from chaindrive.plots.style import styled

SPEED = 6000.0 * math.pi / 30.0
"""[rad/s]"""
INERTIA, PUMP = 0.2, 2e-4
"""Moments of inertia of the crankshaft with flywheel, and of the oil pump with its sprocket. [kg m^2]"""
ORDERS = ((1.5, 100.0, 0.0), (3.0, 800.0, 0.0), (4.5, 100.0, 90.0), (6.0, 300.0, 60.0))
"""Orders of the gas torque: cycles per revolution, amplitude, phase [-, N m, deg]; they correspond to the accelerations
in the example.
"""
BRAKE, DROOP, RANGE = 200.0, 5.0, 100.0
"""Torque of the brake at SPEED, which is proportional to the square of the speed; slope and range of the speed control.
[N m, N m s/rad, rad/s]
"""
OIL = 2.0
"""Torque of the oil pump at SPEED, which is proportional to the speed. [N m]"""
TEETH, STIFFNESS, DAMPING, PRETENSION = 20, 2e7, 300.0, 2e-4
"""Chain of the pump: teeth of both sprockets, stiffness and damping of each span, and the length by which the chain is
too short. [-, N/m, N s/m, m]
"""
PITCH, LINKS = 8e-3, 60
UNTIL, RATE = 0.01, 20_000.0
"""End of the runs (one revolution), and rows per second. [s, Hz]"""
STEPS = (1e-4, 5e-5, 2.5e-5, 1.25e-5)
"""Macro steps. [s]"""
STEP = 2.5e-5
"""Macro step given in the file. [s]"""
SCHEMES = (("jacobi", "constant"), ("jacobi", "linear"), ("gauss-seidel", "linear"))


def _crank() -> dict[str, Any]:
    """The inertia of the crankshaft and its torques: speed control, gas torque and brake."""
    control = {
        "over": "speed",
        "speeds": (SPEED - RANGE, SPEED + RANGE),
        "torques": (BRAKE + DROOP * RANGE, BRAKE - DROOP * RANGE),
    }
    orders = [{"order": o, "amplitude": size, "phase": math.radians(phase)} for o, size, phase in ORDERS]
    return {
        "inertia": INERTIA,
        "torque": [control, {"kind": "orders", "orders": orders}],
        "load_quadratic": BRAKE / SPEED**2,
        "initial_speed": SPEED,
    }


def engine() -> cd.Drive:
    """The engine as a separate drive."""
    distance = 0.5 * (LINKS - TEETH) * PITCH
    sprocket = {"teeth": TEETH, "tooth": {"form": "iso-606"}}
    crank = sprocket | {"name": "crankshaft", "position": (0.0, 0.0)} | _crank()
    pump = sprocket | {"name": "oil pump", "position": (0.0, -distance), "inertia": PUMP, "load_viscous": OIL / SPEED}
    chain = {"pitch": PITCH, "roller_diameter": 5e-3, "link_mass": 2e-3, "link_stiffness": 1e8, "links": LINKS}
    block = {"kind": "block", "stiffness": STIFFNESS, "damping": DAMPING, "slack": -PRETENSION}
    run = {"until": UNTIL, "start": "at_speed", "formulation": block}
    fields = {"name": "V6 engine", "chain": chain, "contact": {"stiffness": 1e9}, "wheels": [crank, pump], "run": run}
    return cd.Drive(**fields)


def _timing(crank: dict[str, Any], **more: Any) -> cd.Drive:
    """The timing drive with a different crankshaft."""
    fields = cd.example("v6-timing").to_dict()
    (own,) = (wheel for wheel in fields["wheels"] if wheel["name"] == "crankshaft")
    del own["motion"]
    own |= crank
    run = fields["run"] | {"until": UNTIL, "save": {"rate": RATE, "precision": "double"}} | more.pop("run", {})
    return cd.Drive(**fields | more | {"run": run})


def whole() -> cd.Drive:
    """Engine and timing drive as one drive, in which a shaft of stiffness 2 K R^2 represents the chain of the pump."""
    square = 2.0 * (TEETH * PITCH / (2.0 * math.pi)) ** 2
    shaft = {"from_wheel": "crankshaft", "stiffness": STIFFNESS * square, "damping": DAMPING * square}
    pump = {"name": "oil pump", "inertia": PUMP, "load_viscous": OIL / SPEED, "shaft": shaft}
    return _timing(_crank(), rotors=[pump])


def coupled(file: str, step: float | str = "auto", **coupling: Any) -> cd.Drive:
    """The timing drive, whose crankshaft follows the engine in an FMU; the FMU receives the torque that this takes."""
    shaft = {
        "wheel": "crankshaft",
        "speed": "wheel_speed.crankshaft",
        "torque": "wheels.crankshaft.torque",
        "acts_on": "machine",
    }
    return _timing(
        {"motion": {"kind": "input", "speed": SPEED}},
        machines=[{"name": "engine", "file": file, "shafts": [shaft]}],
        run={"coupling": {"step": step} | coupling},
    )


class Errors(NamedTuple):
    """Errors of a scheme relative to the whole system, for every macro step."""

    scheme: str
    extrapolation: str
    errors: tuple[float, ...]
    """Largest error of the speed of the crankshaft. [rad/s]"""
    made: tuple[float, ...]
    """Energy created by the coupling, divided by the energy exchanged. [-]"""

    @property
    def orders(self) -> list[float]:
        """Orders of convergence from each macro step to the next."""
        return [math.log2(a / b) for a, b in zip(self.errors[:-1], self.errors[1:], strict=True)]


class Compared(NamedTuple):
    """Results with the engine outside the timing drive and within it."""

    whole: cd.Solution
    coupled: cd.Solution
    chosen: cd.Solution
    """Results with the macro step given in the file."""
    errors: tuple[Errors, ...]
    seconds: tuple[float, ...]
    """CPU time of these three runs. [s]"""


def written(folder: Path) -> Path:
    """Write the files of the engine, its FMU and the timing drive with it; return the path of the timing drive."""
    path = folder / "v6.toml"
    (folder / "engine.toml").write_text(engine().to_toml(), encoding="utf-8")
    cd.write_fmu(
        cd.load(folder / "engine.toml"),
        folder / "engine.fmu",
        inputs=["wheels.crankshaft.torque"],
        outputs=["wheel_speed.crankshaft"],
        overwrite=True,
    )
    path.write_text(coupled("engine.fmu", STEP).to_toml(), encoding="utf-8")
    return path


def compared(folder: Path) -> Compared:
    """Do all runs; the files stay in the folder."""
    drive = cd.load(written(folder))
    timed = []
    for each in (whole(), drive, drive.replace("run.coupling.step", "auto")):
        for _ in range(2):  # the first compiles
            begun = time.process_time()
            run = cd.simulate(each, allow_machines=[machine.name for machine in each.machines], progress=False)
            seconds = time.process_time() - begun
        timed.append((run, seconds))
    speed = _speed(timed[0][0])
    errors = []
    for scheme, extrapolation in SCHEMES:
        off, made = [], []
        for step in STEPS:
            changes = {"run.coupling": {"scheme": scheme, "extrapolation": extrapolation, "step": step}}
            run = cd.simulate(drive.replace(changes), allow_machines=["engine"], progress=False)
            (account,) = run.notes["coupling"]["bonds"].values()
            off.append(float(np.abs(_speed(run) - speed).max()))
            made.append(account["made"] / account["exchanged"])
        errors.append(Errors(scheme, extrapolation, tuple(off), tuple(made)))
    runs, seconds = zip(*timed, strict=True)
    return Compared(*runs, tuple(errors), seconds)


def _speed(run: cd.Solution) -> Any:
    """Speed of the crankshaft. [rad/s]"""
    return run["wheel_speed"].sel(wheel="crankshaft").values


@styled
def picture(found: Compared) -> Any:
    """Draw the speed of the crankshaft, the torque of the timing drive, and the errors versus macro step."""
    figure, axes_of = grid(1, 2, 10.0, 3.6)
    left, right = axes_of[0]
    for run, label, style in (
        (found.whole, "one drive", {"color": "#7A868F", "lw": 3.0}),
        (found.coupled, "engine as an FMU", {"color": "#D55E00", "lw": 1.2}),
    ):
        left.plot(1e3 * run["time"], _speed(run) * 30.0 / math.pi, label=label, **style)
    left.set(xlabel="time [ms]", ylabel="speed of the crankshaft [rpm]", title="V6 at 6000 rpm")
    left.legend()
    for each in found.errors:
        right.loglog(1e6 * np.array(STEPS), each.errors, "o-", label=f"{each.scheme}, {each.extrapolation}")
    right.set(xlabel="macro step [\u00b5s]", ylabel="largest error of the speed [rad/s]", title="beside one drive")
    right.set_xticks(1e6 * np.array(STEPS), [f"{1e6 * step:g}" for step in STEPS])
    right.minorticks_off()
    right.legend()
    return figure


def _column(found: Compared, run: cd.Solution) -> list[tuple[str, str]]:
    """Names and values of the results of a coupled run."""
    coupling, speed = run.notes["coupling"], _speed(run)
    (account,) = coupling["bonds"].values()
    torque = run["motion_torque"].sel(wheel="crankshaft").values
    return [
        ("status", run.status.name),
        ("speed of the crankshaft, minimum and maximum", f"{speed.min():.1f}, {speed.max():.1f} rad/s"),
        ("torque of the timing drive, mean and maximum", f"{torque.mean():.1f}, {torque.max():.1f} N m"),
        ("macro steps, mean", f"{coupling['macro_steps']}, {1e6 * coupling['mean_macro_step']:.2g} \u00b5s"),
        ("energy given to the timing drive", f"{account['transferred']:.4g} J"),
        (
            "energy created by the coupling, relative to the energy exchanged",
            f"{account['made'] / account['exchanged']:+.1e}",
        ),
        ("energy balance of the timing drive: residual", f"{run.audit.relative_residual:.1e}"),
        ("largest deviation of the speed from *one drive*", f"{np.abs(speed - _speed(found.whole)).max():.1e} rad/s"),
    ]


def section(found: Compared, picture_name: str) -> str:
    """Section of the page."""
    gas = ", ".join(f"{size:g} N m of order {order:g}" for order, size, _ in ORDERS)
    pairs = zip(_column(found, found.coupled), _column(found, found.chosen), strict=True)
    rows = "\n".join(f"| {name} | {first} | {second} |" for (name, first), (_, second) in pairs)
    heads = [f"{1e6 * step:g} \u00b5s" for step in STEPS]
    table = "\n".join(
        f"| {each.scheme}, {each.extrapolation} | {' | '.join(f'{error:.1e}' for error in each.errors)} | "
        f"{', '.join(f'{order:.1f}' for order in each.orders)} | {each.made[0]:+.0e} | {each.made[-1]:+.0e} |"
        for each in found.errors
    )
    return f"""## An engine that drives the timing drive of a V6

The crankshaft of the example `v6-timing` normally has a prescribed motion; here it follows an engine, which is itself a
drive of chaindrive exported as an FMU (`docs/validation/_engine.py`). The engine has a crankshaft with flywheel,
{INERTIA:g} kg m\u00b2, the gas torque of a V6 ({gas}),
a brake of {BRAKE:g} N m at 6000 rpm that grows with the square of the speed, a speed control of {DROOP:g} N m s/rad,
and an oil pump with its own chain. The inertia belongs to the engine: the FMU receives the torque that the timing drive
takes, and returns the speed that the crankshaft of the timing drive follows.

```
cd build/machines
chaindrive fmu engine.toml --input wheels.crankshaft.torque --channel wheel_speed.crankshaft -o engine.fmu --force
chaindrive run v6.toml --allow-machine engine
```

```toml
[[machines]]
name = "engine"
file = "engine.fmu"

[[machines.shafts]]
wheel = "crankshaft"                     # motion = {{ kind = "input", speed = "6000 rpm" }}
speed = "wheel_speed.crankshaft"
torque = "wheels.crankshaft.torque"
acts_on = "machine"                      # the torque acts on the engine, not on the drive
```

![Speed of the crankshaft, and errors versus macro step](pictures/{picture_name})

| one revolution | macro step of {1e6 * STEP:g} \u00b5s | `step = "auto"` |
|:--|--:|--:|
{rows}
| CPU time (of *one drive*: {found.seconds[0]:.1f} s) | {found.seconds[1]:.1f} s | {found.seconds[2]:.1f} s |

The automatic step is far too short: the teeth make the torque fluctuate within a step, and the energy that the coupling
creates as a result does not decrease with the step. The file therefore gives a step.

*One drive* is `v6-timing` with the inertia and the torques of the engine on its crankshaft; the oil pump is a rotor on
a shaft with the stiffness and damping of its chain. The table gives the largest deviation of the speed of the
crankshaft from this drive for several macro steps, and the order of convergence from each step to the next:

| scheme, extrapolation | {" | ".join(heads)} | order | energy created, {heads[0]} | {heads[-1]} |
|:--|{"--:|" * (len(STEPS) + 3)}
{table}
"""

"""Machines as FMUs around examples: a speed control around a conveyor, an engine with the timing drive of a V6.

    python docs/validation/machines.py [--write]

``--write`` makes ``machines.md`` and its pictures next to this file; drives and FMUs stay in ``build/machines``.
Needs fmpy and a C compiler. Takes some minutes.
"""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import _engine
from _drawing import PICTURES, grid, save
from _made import made
from _writing import main_of

import chaindrive as cd
from chaindrive.plots.style import styled

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from support.made_fmu import motor_fmu  # noqa: E402

PAGE, FOLDER = HERE / "machines.md", ROOT / "build" / "machines"
PICTURE, OF_ENGINE = PICTURES / "machines.png", PICTURES / "machines-engine.png"
SPEED, GAIN, DAMPING = 56.24 * math.pi / 30.0, 100.0, 1.0
"""Data of the control: required speed of the head [rad/s], proportional gain [N m s/rad], damping ratio of the loop
[-].
"""
MASS, RADIUS = 1050.0, 0.17
"""Approximate mass moved by the head, i.e. goods, slats and both strands [kg], at its radius [m]."""
UNTIL, LAST = 2.0, 0.5
"""End of the run, and length of its last part, for which means are shown. [s]"""


class Controlled(NamedTuple):
    """The run of the controlled conveyor."""

    solution: cd.Solution
    seconds: float
    """CPU time [s]"""


def integral_gain() -> float:
    """Integral gain of the loop J w' = P (w0 - w) + I integral(w0 - w) that gives its damping ratio. [N m/rad]"""
    return GAIN**2 / (4.0 * DAMPING**2 * MASS * RADIUS**2)


def conveyor() -> Path:
    """The file of the conveyor with its control as a machine; the head turns clockwise, and the machine turns in its
    positive direction.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    fmu = motor_fmu(FOLDER)
    drive = cd.example("conveyor-16b").to_dict()
    (head,) = (wheel for wheel in drive["wheels"] if wheel["name"] == "head")
    del head["motion"]
    head["torque"] = {"kind": "input", "largest": "-1 kN*m"}
    drive["machines"] = [
        {
            "name": "control",
            "file": fmu.name,
            "shafts": [{"wheel": "head", "torque": "torque", "speed": "speed", "gear_ratio": -1.0}],
            "parameters": {
                "no_load_speed": f"{SPEED} rad/s",
                "gain": f"{GAIN} N*m*s/rad",
                "stall_torque": f"{integral_gain() * SPEED} N*m",
                "time_constant": "1 s",
                "leak": 0.0,
            },
        }
    ]
    drive["run"] = {"until": UNTIL, "start": "at_rest", "save": {"rate": 500}}
    path = FOLDER / "conveyor.toml"
    path.write_text(cd.Drive(**drive).to_toml(), encoding="utf-8")
    return path


def controlled() -> Controlled:
    """Run the controlled conveyor."""
    begun = time.process_time()
    solution = cd.simulate(conveyor(), allow_machines=["control"], progress=False)
    return Controlled(solution, time.process_time() - begun)


@styled
def picture(run: Controlled) -> Any:
    """Draw the speed and the torque of the head."""
    figure, axes_of = grid(1, 2, 10.0, 3.6)
    left, right = axes_of[0]
    solution = run.solution
    left.plot(solution["time"], -solution["wheel_speed"].sel(wheel="head") * 30.0 / math.pi, color="#0B4F6C")
    left.axhline(SPEED * 30.0 / math.pi, color="#7A868F", lw=0.8)
    left.set(xlabel="time [s]", ylabel="speed of the head [rpm]", title="conveyor 16B under control")
    right.plot(solution["time"], -solution["wheel_torque"].sel(wheel="head"), color="#D55E00")
    right.set(xlabel="time [s]", ylabel="torque on the head [N m]", title="from the FMU")
    return figure


def page(write: bool) -> str:
    """The whole page. write: also makes the pictures."""
    run = controlled()
    engine = _engine.compared(FOLDER)
    solution = run.solution
    if write:
        save(picture(run), PICTURE)
        save(_engine.picture(engine), OF_ENGINE)
    speed = -solution["wheel_speed"].sel(wheel="head").values
    torque = -solution["wheel_torque"].sel(wheel="head").values
    late = solution["time"].values > UNTIL - LAST
    coupling = solution.notes["coupling"]
    (account,) = coupling["bonds"].values()
    return f"""# Machines as FMUs

This page is written by `python docs/validation/machines.py --write`; it was {made()}, on two cores shared with other
work.

## A speed control around a conveyor

The head of the example `conveyor-16b` has no prescribed motion here but the torque of a PI control in an FMU
(`tests/support/fmu/motor.c`, compiled there): M = {GAIN:g} N m s/rad (w0 - w) + {integral_gain():.3g} N m/rad integral
(w0 - w),    w0 = {SPEED:.4g} rad/s

The conveyor starts from rest. The gains give a damping ratio of {DAMPING:g} with the moving mass of {MASS:g} kg. The
control loop has a frequency of {math.sqrt(integral_gain() / (MASS * RADIUS**2)):.2g} rad/s, so after {UNTIL:g} s its
integral part has not yet taken up the whole load.

```
chaindrive run build/machines/conveyor.toml --allow-machine control
```

![Speed and torque of the head](pictures/{PICTURE.name})

| | |
|:--|--:|
| status | {solution.status.name} |
| mean speed of the last {LAST:g} s divided by the required speed | {speed[late].mean() / SPEED:.4f} |
| largest speed divided by the required speed | {speed.max() / SPEED:.3f} |
| mean torque of the last {LAST:g} s | {torque[late].mean():.0f} N m |
| largest torque | {torque.max():.0f} N m |
| macro steps, mean | {coupling["macro_steps"]}, {1e3 * coupling["mean_macro_step"]:.2g} ms |
| energy given to the drive | {account["transferred"]:.4g} J |
| energy created by the coupling, relative to the energy exchanged | {account["made"] / account["exchanged"]:+.1e} |
| energy balance of the drive: residual | {solution.audit.relative_residual:.1e} |
| CPU time | {run.seconds:.0f} s |

{_engine.section(engine, OF_ENGINE.name)}"""


if __name__ == "__main__":
    main_of(__doc__, PAGE, page)

"""Make bench.csv, the measurement of the recipes: python docs/recipes/bench.py

It is not a measurement: it is a run of the example industrial-08b whose conveyor has another inertia and another load
than in the file, starting from rest, with noise, sampled by a separate clock. So the values that a calibration has to
find are known.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import chaindrive as cd

TRUE = {"wheels.conveyor.inertia": "0.16 kg*m^2", "wheels.conveyor.load_torque": "52 N*m"}
START = {"wheels.motor.motion.ramp": "0.2 s", "run.start": "at_rest"}
CLOCK = 0.012
"""Delay of the start of the run against the clock. [s]"""
NOISE = 0.8
"""Standard deviation. [N m]"""


def main() -> None:
    """Simulate, and write the file."""
    run = cd.simulate(cd.example("industrial-08b").replace({**START, **TRUE}), until=0.45)
    clock = np.arange(CLOCK, 0.4601, 0.001)
    torque = np.interp(clock - CLOCK, run.time, run["wheel_torque", "motor"].values)
    torque += np.random.default_rng(4711).normal(0.0, NOISE, clock.size)
    lines = ["# synthetic: docs/recipes/bench.py says how it was made", "time [ms], motor torque [N*m]"]
    lines += [f"{1e3 * t:.0f}, {value:.2f}" for t, value in zip(clock, torque, strict=True)]
    Path(__file__).with_name("bench.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""CPU time of one macro step of a small mechanism by CVODE, which restarts in each because the forces change.

    python benchmarks/cvode_start.py

An oscillator of two states is integrated over 100 us, which contain a tenth of a period or a whole one. Needs
scikit-sundae. The purpose is explained in docs/decisions/0017-modular-integration.md.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from sksundae.cvode import CVODE

MACRO_STEP, REPEATED, ROUNDS = 1e-4, 200, 5
"""Length of a macro step [s]; macro steps in a round, of which the fastest counts."""


def by_cvode(frequency: float) -> tuple[float, int]:
    """CPU time [s] and number of evaluations of a macro step of a mass with a frequency [rad/s] and 1 % damping."""
    evaluations = 0

    def rates(t: float, y: Any, dy: Any) -> None:
        nonlocal evaluations
        evaluations += 1
        dy[0] = y[1]
        dy[1] = frequency**2 * (1e-4 - y[0]) - 0.02 * frequency * y[1]

    solver = CVODE(rates, rtol=1e-6, atol=1e-9)
    fastest = math.inf
    for _ in range(ROUNDS):
        begun, evaluations = time.process_time(), 0
        for _ in range(REPEATED):
            solver.init_step(0.0, np.zeros(2))
            solver.step(MACRO_STEP, method="normal", tstop=MACRO_STEP)
        fastest = min(fastest, time.process_time() - begun)
    return fastest / REPEATED, evaluations // REPEATED


def main() -> None:
    for periods in (0.1, 1.0):
        seconds, evaluations = by_cvode(2.0 * math.pi * periods / MACRO_STEP)
        print(f"{periods:g} periods in a macro step: {1e6 * seconds:.0f} us of CPU time, {evaluations} evaluations")


if __name__ == "__main__":
    main()

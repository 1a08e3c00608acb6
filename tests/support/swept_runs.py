"""Made-up runs at different speeds, whose map over speed and frequency is known in closed form."""

from __future__ import annotations

import math

import numpy as np

from chaindrive.model import Drive, example, override
from chaindrive.results import Solution
from support.signals_of_known_answer import made_up, turning

TEETH = 17
RATE = 1000.0
TENSION = (6e3, 9e3)
RESONANCE = 140.0
"""Frequency at which the span responds most to its teeth. [Hz]"""
HALF_WIDTH = 0.05
ALIASED = 2e-5
"""Amplitude of the fourth multiple of the tooth frequency. [m]"""


def drive_at(rpm: float) -> Drive:
    changes = {"wheels.motor.motion.speed": f"{-rpm} rpm", "run.until": "1 s", "run.save.rate": "1 kHz"}
    return override(example("industrial-08b"), changes)


def tooth_frequency(rpm: float) -> float:
    return TEETH * rpm / 60.0


def answer(frequency: float) -> float:
    """Amplitude of the span at the tooth frequency: a resonance of one degree of freedom. [m]"""
    ratio = frequency / RESONANCE
    return 1e-4 / math.hypot(1.0 - ratio**2, 2.0 * HALF_WIDTH * ratio)


def run_at(rpm: float) -> Solution:
    """A run whose first span moves with the tooth frequency, and four times that, at a save rate of 1 kHz."""
    drive, time = drive_at(rpm), np.arange(0.0, 1.0005, 1.0 / RATE)
    tooth = tooth_frequency(rpm)
    angle = turning(drive, 2.0 * np.pi * rpm / 60.0 * time)
    moved = answer(tooth) * np.sin(2.0 * np.pi * tooth * time) + ALIASED * np.cos(2.0 * np.pi * 4.0 * tooth * time)
    return made_up(
        drive,
        time,
        wheel_angle=angle,
        wheel_speed=np.gradient(angle, time, axis=0),
        span_tension=np.broadcast_to(np.array(TENSION), (time.size, 2)).copy(),
        span_displacement=np.column_stack([moved, 1e-6 * np.sin(2.0 * np.pi * 7.0 * time)]),
    )

"""Evaluation of one signal of a result: selection, spectra, orders, and the lines that are expected in them."""

from chaindrive.analyses.signals.selection import (
    Axis,
    Signal,
    check_index,
    motion_channel,
    run_up_of,
    signal_of,
    span_of,
    steady_start,
    steady_window,
    wheel_index,
    window_means,
)

__all__ = [
    "Axis",
    "Signal",
    "check_index",
    "motion_channel",
    "run_up_of",
    "signal_of",
    "span_of",
    "steady_start",
    "steady_window",
    "wheel_index",
    "window_means",
]

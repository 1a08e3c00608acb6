"""Spectra that a study stores for its runs, for a map over speed and frequency."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from chaindrive.errors import Problem
from chaindrive.model.base import Model, Name, Quantity

__all__ = ["StudySpectrum", "spectrum_problems"]

Time = Annotated[float, Quantity("s", least=0, most=1e7)]
Frequency = Annotated[float, Quantity("Hz", above=0, most=1e8)]


def _items(value: Any) -> Any:
    """Return the value, if it is an index or a name, or a list of these."""
    chosen = list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]
    if any(isinstance(part, bool) or not isinstance(part, (int, str)) for part in chosen):
        raise ValueError("must be an index or a name, or a list of these")
    return tuple(dict.fromkeys(chosen))


class StudySpectrum(Model):
    """Amplitude spectra of a channel, stored for every run. Runs at different speeds give a map over speed and
    frequency (Campbell diagram) for each item.
    """

    channel: Name = Field(description="Channel of the results, such as 'span_displacement'.")
    item: Annotated[Any, BeforeValidator(_items)] = Field(
        (),
        description="Index or name of the span, wheel or other item of the channel, or a list of these; default: all.",
    )
    axis: Literal["magnitude", "x", "y"] = Field(
        "magnitude", description="Component, if the channel is a vector, such as 'bearing_force'."
    )
    window: Literal["hann", "hamming", "blackman", "flat-top", "rectangular"] = Field(
        "hann", description="Window function; 'flat-top' gives the most accurate peak heights."
    )
    start: Annotated[float | Literal["steady"], Quantity("s", least=0, most=1e7, words=("steady",))] | None = Field(
        None,
        description="Start of the window; 'steady': when the run became steady, for until = 'steady'; default: the "
        "window covers the last whole revolutions of the driver in the steady part, or in the second half of the "
        "run.",
    )
    stop: Time | None = Field(None, description="End of the window; default: the end of the run.")
    resolution: Frequency | None = Field(
        None,
        description="Width of a frequency bin: the last 1/resolution of the window is used; default: the whole window.",
    )
    highest_frequency: Frequency | None = Field(
        None, description="Highest frequency that is stored; default: half the save rate."
    )


def spectrum_problems(spectrum: StudySpectrum, place: str) -> Iterator[Problem]:
    """Yield a problem for each contradiction between the settings of a spectrum."""
    if spectrum.stop is not None and isinstance(spectrum.start, str):
        yield Problem(f"{place}.stop", "the steady part lasts to the end of the run: omit this", f"{spectrum.stop:g}")
    elif spectrum.stop is not None and isinstance(spectrum.start, float) and spectrum.stop <= spectrum.start:
        yield Problem(
            f"{place}.stop", f"must be after the start of the window, {spectrum.start:g} s", f"{spectrum.stop:g}"
        )
    low, high = spectrum.resolution, spectrum.highest_frequency
    if low is not None and high is not None and high < 8.0 * low:
        yield Problem(f"{place}.highest_frequency", f"must be at least 8 bins, {8.0 * low:g} Hz", f"{high:g}")

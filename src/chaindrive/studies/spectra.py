"""Spectra kept by a study: requests for them, matched to the channels of the drive, and their files.

There is one netCDF-4 file for each run. For spectrum number k it holds ``frequency_k`` and ``amplitude_k``, with all
other data of the spectrum as attributes of the amplitude; lines, excitations and natural frequencies are lists in JSON.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np

from chaindrive.analyses.results.speed_map import NEEDED, Column, Expected, Wish
from chaindrive.contract.channels import Channel
from chaindrive.errors import InputError, Problem
from chaindrive.mechanism.save_rate import recommended_rate
from chaindrive.model import Drive
from chaindrive.model.problems import nearest
from chaindrive.model.study.spectra import StudySpectrum
from chaindrive.results.attributes import decode
from chaindrive.results.lowlevel import full_disk, replacing
from chaindrive.studies.merit import item_index

__all__ = ["channels_of", "load_spectra", "prepare_spectra", "save_spectra"]

MOST_SPECTRA = 60
"""Largest number of spectra that can be stored for a run."""
_LISTS = ("lines", "excitations", "natural")
_TEXTS = ("channel", "label", "unit", "window", "wheel_name")
_WHOLE = ("item", "wheel")
_NUMBERS = ("start", "stop", "resolution", "rate", "speed")


def prepare_spectra(
    spectra: Sequence[StudySpectrum], channels: Sequence[Channel], labels: Mapping[str, tuple[str, ...]], drive: Drive
) -> tuple[Wish, ...]:
    """Return one request for every item of every spectrum in a study. Raises an InputError that lists all spectra that
    do not fit the drive.
    """
    known = {channel.name: channel for channel in channels}
    problems: list[Problem] = []
    wishes: list[Wish] = []
    if spectra and "wheel_speed" not in known:
        problems.append(Problem("spectra", "the drive has no wheel against whose speed the spectra could be plotted"))
    for i, spectrum in enumerate(spectra):
        place, channel = f"spectra[{i}]", known.get(spectrum.channel)
        if channel is None or channel.whole:
            what = "is not a channel of this drive" if channel is None else "holds whole numbers, not a signal"
            hint = nearest(spectrum.channel, known) if channel is None else ""
            problems.append(Problem(f"{place}.channel", f"{what}{hint}", repr(spectrum.channel)))
            continue
        problems += _lengths(spectrum, drive, place)
        try:
            items = _chosen(spectrum, channel, labels)
        except InputError as error:
            problems += [problem._replace(place=f"{place}.item") for problem in error.problems]
            continue
        highest = math.inf if spectrum.highest_frequency is None else spectrum.highest_frequency
        for item in items:
            window = (spectrum.start, spectrum.stop, spectrum.resolution, highest)
            wishes.append(Wish(channel.name, item, spectrum.axis, spectrum.window, *window))
    if len(wishes) > MOST_SPECTRA:
        message = f"these are {len(wishes)} spectra per run, but at most {MOST_SPECTRA} can be stored: select with item"
        problems.append(Problem("spectra", message))
    if problems:
        raise InputError(problems)
    return tuple(wishes)


def _chosen(
    spectrum: StudySpectrum, channel: Channel, labels: Mapping[str, tuple[str, ...]]
) -> tuple[int, ...] | tuple[None]:
    """Return the numbers of the chosen items of a channel. Raises InputError for items that do not exist."""
    if not channel.dims or channel.dims[0] == "axis":
        if spectrum.item:
            message = f"{channel.name} is a single signal without items"
            raise InputError(Problem("item", message, repr(list(spectrum.item))))
        return (None,)
    dim, size = channel.dims[0], channel.shape[0]
    names = labels.get(dim, ())
    return tuple(item_index(wanted, dim, size, names) for wanted in spectrum.item) or tuple(range(size))


def _lengths(spectrum: StudySpectrum, drive: Drive, place: str) -> list[Problem]:
    """Return the problems of a frequency above half the save rate, and of a resolution for which the window is too
    short.
    """
    problems, until = [], drive.run.until
    rate = recommended_rate(drive) if drive.run.save.rate == "auto" else drive.run.save.rate
    highest = spectrum.highest_frequency
    if highest is not None and highest > 0.5 * rate * (1.0 + 1e-9):
        message = f"is above half the save rate, {0.5 * rate:g} Hz: raise run.save.rate"
        problems.append(Problem(f"{place}.highest_frequency", message, f"{highest:g} Hz"))
    if spectrum.resolution is not None and not isinstance(until, str):
        stop = until if spectrum.stop is None else spectrum.stop
        begin = spectrum.start if isinstance(spectrum.start, float) else 0.5 * stop
        length = stop - begin + 1.0 / rate
        if spectrum.resolution * length < 1.0 - 1e-9:
            message = f"needs a window of {1.0 / spectrum.resolution:.4g} s, but this one has at most {length:.4g} s"
            problems.append(Problem(f"{place}.resolution", message, f"{spectrum.resolution:g} Hz"))
    return problems


def channels_of(wishes: Sequence[Wish], known: Sequence[Channel]) -> tuple[str, ...]:
    """Return the channels that a run must keep for its spectra, as far as the formulation has them."""
    there = {channel.name for channel in known}
    needed = (*(wish.channel for wish in wishes), *NEEDED) if wishes else ()
    return tuple(dict.fromkeys(name for name in needed if name in there))


def save_spectra(path: Path, columns: Sequence[Column]) -> None:
    """Write the spectra of a run; a file at ``path`` is replaced once the new one is on disk.

    Raises ComputationError if the disk is full.
    """
    import xarray

    made = {}
    for k, column in enumerate(columns):
        facts: dict[str, Any] = {"long_name": f"amplitude of {column.label}", "units": column.unit}
        facts |= {name: getattr(column, name) for name in (*_TEXTS[:2], *_TEXTS[3:], *_WHOLE, *_NUMBERS)}
        facts |= {name: json.dumps(getattr(column, name), ensure_ascii=False) for name in _LISTS}
        axis = f"frequency_{k}"
        made[axis] = ((axis,), column.frequency, {"units": "Hz", "long_name": "frequency"})
        made[f"amplitude_{k}"] = ((axis,), column.amplitude, facts)
    try:
        with replacing(path) as part:
            compressed = {name: {"zlib": True, "shuffle": True} for name in made}
            xarray.Dataset(made).to_netcdf(part, engine="h5netcdf", encoding=compressed)
    except OSError as error:
        raise full_disk(error, path, "the spectra of this run are not stored.") from None


def load_spectra(path: Path) -> tuple[Column, ...]:
    """Return the spectra of a run. Raises InputError if the file is missing or not a spectra file."""
    import xarray

    try:
        with xarray.open_dataset(path, engine="h5netcdf", decode_times=False) as found:
            return tuple(_column(found, k) for k in range(sum(str(name).startswith("amplitude_") for name in found)))
    except FileNotFoundError:
        message = "the spectra of this run no longer exist; --restart runs the study again"
        raise InputError(Problem(str(path), message)) from None
    except (OSError, ValueError, LookupError, RuntimeError, TypeError, AttributeError) as error:
        raise InputError(Problem(str(path), f"are not readable spectra of a run ({error})")) from None


def _column(found: Any, k: int) -> Column:
    amplitude = found[f"amplitude_{k}"]
    facts = {**amplitude.attrs, "unit": amplitude.attrs["units"]}
    given: dict[str, Any] = {name: str(facts[name]) for name in _TEXTS}
    given |= {name: int(facts[name]) for name in _WHOLE} | {name: float(facts[name]) for name in _NUMBERS}
    for name in _LISTS:
        parts = decode(facts[name])
        given[name] = tuple(Expected(str(label), cast("Any", str(kind)), float(f)) for label, kind, f in parts)
    numbers = [np.asarray(found[f"{name}_{k}"].values, dtype=np.float64) for name in ("frequency", "amplitude")]
    return Column(frequency=numbers[0], amplitude=numbers[1], **given)

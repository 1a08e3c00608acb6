"""Results files and checkpoints as left by broken disks and foreign programs: a good one, damaged at random.

Some damage is of bytes (zeroed blocks, flipped bits, a missing end), some of the structure (a variable, its data, an
attribute or a part missing, of another type, shape or value).
"""

from __future__ import annotations

import io
import json
import math
import random
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from chaindrive.results.checkpoint import METADATA
from support.hostile_texts import places_in

__all__ = ["damaged_checkpoint", "damaged_results", "lose_data"]

NUMBERS = (0.0, -1.0, 1e300, -1e-300, math.nan, math.inf, 1e9, 7.0)
TEXTS = ("", "x", "{}", "[]", "null", "3", '"text"', "[" * 3000, '{"a": [1, {"b": null}]}', "\u202e\x00", "nan")


def damaged_results(good: Path, path: Path, rng: random.Random) -> None:
    """Write a damaged copy of a results file."""
    path.write_bytes(good.read_bytes())
    if rng.random() < 0.3:
        path.write_bytes(_of_bytes(good.read_bytes(), rng))
        return
    with h5py.File(path, "r+") as file:
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            rng.choice(OF_RESULTS)(file, rng)


def damaged_checkpoint(good: bytes, rng: random.Random) -> bytes:
    """A damaged copy of a checkpoint, a zip archive of numpy arrays with one of JSON."""
    if rng.random() < 0.3:
        return _of_bytes(good, rng)
    with zipfile.ZipFile(io.BytesIO(good)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(rng.choice((1, 1, 2, 4))):
        rng.choice(OF_CHECKPOINTS)(parts, rng)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return made.getvalue()


def _of_bytes(good: bytes, rng: random.Random) -> bytes:
    """Bytes flipped, a block zeroed, the end missing or too long."""
    data = bytearray(good)
    kind = rng.choice(("flip", "flip", "zero", "zero", "cut", "more", "head"))
    if kind == "cut":
        return bytes(data[: rng.randrange(len(data))])
    if kind == "more":
        return bytes(data) + rng.randbytes(rng.randrange(5000))
    if kind == "zero":
        size = rng.choice((16, 512, 4096, 65536))
        at = rng.randrange(len(data))
        data[at : at + size] = bytes(len(data[at : at + size]))
        return bytes(data)
    for _ in range(rng.choice((1, 3, 30, 300))):
        data[rng.randrange(min(len(data), 4096) if kind == "head" else len(data))] = rng.randrange(256)
    return bytes(data)


# ---- results


def lose_data(file: h5py.File, name: str) -> None:
    """A variable without its data: declared as before, but no block of it is in the file."""
    old = file[name]
    attributes = {key: value for key, value in old.attrs.items() if key in ("units", "description", "holds")}
    scales = old.attrs.get("DIMENSION_LIST")
    shape, dtype = old.shape, old.dtype
    chunks = old.chunks or (tuple(max(1, length) for length in shape) if shape else None)
    del file[name]
    new = file.create_dataset(name, shape, dtype, chunks=chunks, maxshape=(None, *shape[1:]) if chunks else None)
    for key, value in attributes.items():
        new.attrs[key] = value
    if scales is not None:
        new.attrs.create("DIMENSION_LIST", scales, dtype=h5py.vlen_dtype(h5py.ref_dtype))


def _variable(file: h5py.File, rng: random.Random) -> str:
    return rng.choice(sorted(name for name, part in file.items() if isinstance(part, h5py.Dataset)) or ["time"])


def _no_data(file: h5py.File, rng: random.Random) -> None:
    name = _variable(file, rng)
    if name in file:
        lose_data(file, name)


def _no_variable(file: h5py.File, rng: random.Random) -> None:
    if (name := _variable(file, rng)) in file:
        del file[name]


def _other_variable(file: h5py.File, rng: random.Random) -> None:
    """Another type or shape in its place."""
    if (name := _variable(file, rng)) not in file:
        return
    attributes, shape = dict(file[name].attrs), file[name].shape
    del file[name]
    kinds: tuple[Any, ...] = (
        np.zeros(shape[:1]), np.zeros((*shape, 2)), np.zeros(3), 5, "words", np.zeros(shape, "i4"), np.zeros(0),
        np.full(shape, b"x", "S1"), np.zeros(shape, [("a", "f8"), ("b", "i4")]),
    )  # fmt: skip
    made = rng.choice((*kinds, None))
    if made is None:
        file.create_group(name)
        return
    new = file.create_dataset(name, data=made)
    for key in ("units", "DIMENSION_LIST"):
        if key in attributes and rng.random() < 0.7:
            if key == "DIMENSION_LIST":
                new.attrs.create(key, attributes[key], dtype=h5py.vlen_dtype(h5py.ref_dtype))
            else:
                new.attrs[key] = attributes[key]


def _values(file: h5py.File, rng: random.Random) -> None:
    """Other numbers in a variable."""
    name = _variable(file, rng)
    part = file.get(name)
    if isinstance(part, h5py.Dataset) and part.dtype.kind == "f" and part.size:
        values = part[...].reshape(-1)
        first = rng.randrange(values.size)
        with np.errstate(over="ignore"):  # a number too large for the variable becomes infinite
            values[first : first + rng.choice((1, 10, values.size))] = rng.choice(NUMBERS)
        part[...] = values.reshape(part.shape)


def _attribute(file: h5py.File, rng: random.Random) -> None:
    """An attribute of the file or of a variable missing, or of another type or text."""
    holders = [file, file, *(part for part in file.values() if isinstance(part, h5py.Dataset))]
    holder = rng.choice(holders)
    names = sorted(holder.attrs)
    if not names:
        return
    name = rng.choice(names)
    kind = rng.random()
    if kind < 0.3:
        del holder.attrs[name]
        return
    old = holder.attrs[name]
    del holder.attrs[name]
    if kind < 0.6 and isinstance(old, (bytes, str, np.bytes_)):
        holder.attrs[name] = np.bytes_(
            _text(old if isinstance(old, str) else bytes(old).decode(), rng).encode() or b" "
        )
    else:
        holder.attrs[name] = rng.choice((7, 2.5, np.arange(3), np.bytes_(b"x"), "x", np.zeros((0,)), np.nan, True))


def _text(old: str, rng: random.Random) -> str:
    """A text with something missing, foreign or changed; of JSON often one of its values."""
    try:
        table = json.loads(old)
    except ValueError:
        table = None
    if isinstance(table, dict) and table and rng.random() < 0.8:
        key = rng.choice(sorted(table))
        other = (None, -1, 1e300, "x", [], {}, True, [[1]], "nan", table[rng.choice(sorted(table))])
        return json.dumps(table | {key: rng.choice(other)})
    at = rng.randrange(len(old) + 1)
    return rng.choice((old[:at], old[:at] + "x" + old[at:], old[:at] + old[at + 20 :], rng.choice(TEXTS)))


OF_RESULTS: tuple[Callable[[h5py.File, random.Random], None], ...] = (
    _no_data, _no_variable, _other_variable, _values, _attribute, _attribute,
)  # fmt: skip


# ---- checkpoints


def _array(parts: dict[str, bytes], rng: random.Random) -> str:
    return rng.choice(sorted(parts) or ["none.npy"])


def _other_numbers(parts: dict[str, bytes], rng: random.Random) -> None:
    """Numbers, shape or type of an array changed."""
    name = _array(parts, rng)
    try:
        old = np.load(io.BytesIO(parts.get(name, b"")), allow_pickle=False)
    except (ValueError, OSError, EOFError):  # damaged before
        return
    made: Any = old
    kind = rng.choice(("value", "value", "value", "shape", "type", "less", "more"))
    if kind == "value" and old.size:
        made = old.reshape(-1).copy()
        filled = rng.choice(NUMBERS) if old.dtype.kind == "f" else rng.choice((0, 1, -1, 77, 2**30))
        with np.errstate(all="ignore"):
            made[rng.randrange(made.size) :][: rng.choice((1, 5, made.size))] = np.array(filled).astype(old.dtype)
        made = made.reshape(old.shape)
    elif kind == "shape":
        made = old.reshape(-1)[None]
    elif kind == "type":
        made = old.astype(rng.choice(("f4", "i8", "S3", "c16", "?")))
    elif kind == "less":
        made = old.reshape(-1)[:-1] if old.size else np.zeros(3)
    elif kind == "more":
        made = np.append(old.reshape(-1), old.reshape(-1)[:1])
    written = io.BytesIO()
    np.save(written, made)
    parts[name] = written.getvalue()


def _no_part(parts: dict[str, bytes], rng: random.Random) -> None:
    parts.pop(_array(parts, rng), None)


def _other_part(parts: dict[str, bytes], rng: random.Random) -> None:
    """A part of the archive with damaged bytes, or that of another name."""
    name = _array(parts, rng)
    if parts.get(name):
        parts[name] = rng.choice((_of_bytes(parts[name], rng), parts[_array(parts, rng)]))


def _metadata(parts: dict[str, bytes], rng: random.Random) -> None:
    """A value of the metadata that no run writes."""
    name = f"{METADATA}.npy"
    if name not in parts:
        return
    try:
        content = json.loads(np.load(io.BytesIO(parts[name]), allow_pickle=False).tobytes())
    except (ValueError, OSError, EOFError):  # damaged before
        return
    places = places_in(content)
    part, key = rng.choice([place for place in places if place[1] in ("rows", "time")] * 3 + places)
    part[key] = rng.choice((None, -1, 1e300, "x", [], {}, [1, 2], True, math.nan, 2**70, 0, 3))
    written = io.BytesIO()
    np.save(written, np.frombuffer(json.dumps(content).encode(), dtype=np.uint8))
    parts[name] = written.getvalue()


OF_CHECKPOINTS: tuple[Callable[[dict[str, bytes], random.Random], None], ...] = (
    _other_numbers, _other_numbers, _no_part, _other_part, _metadata, _metadata,
)  # fmt: skip

"""A run made of formulas for the tests of the report, and a decoder that is not that of the package."""

from __future__ import annotations

import base64
import html.parser
import json
import struct
import zlib

import numpy as np

from chaindrive import results
from chaindrive.contract.status import Status
from chaindrive.drawing.scene import scene_of
from chaindrive.formulations.planar.endings import ENDINGS
from chaindrive.mechanism.facts import drive_facts
from chaindrive.model import example
from chaindrive.results.attributes import status_attributes
from support.made_run import solution_of

RATE = 1000.0
CHANNELS = (
    "link_tension", "link_path_position", "roller_position", "contact_force", "contact_surface", "wheel_angle",
    "wheel_speed", "wheel_torque", "bearing_force", "span_tension", "span_displacement", "work_input", "work_output",
    "work_friction", "energy_kinetic",
)  # fmt: skip


def drive_called(name, wheels=(), guides=(), source="industrial-08b"):
    """An example under another name, with other names of its wheels and guides."""
    drive = example(source)
    found = list(drive.wheels)
    for k, other in enumerate(wheels):
        found[k] = found[k].model_copy(update={"name": other})
    rails = list(drive.guides)
    for k, other in enumerate(guides):
        rails[k] = rails[k].model_copy(update={"name": other})
    return drive.model_copy(update={"name": name, "wheels": tuple(found), "guides": tuple(rails)})


def made_solution(drive, rows=200, drop=(), warnings=(), rate=RATE, status="REACHED_END", more=None):
    """A solution of a drive whose chain stays where it was placed, while tension and speeds vary.

    more: further channels by name.
    """
    n, w = drive.chain.links, len(drive.wheels)
    time = np.arange(rows) / rate
    scene = scene_of(drive)
    sense, teeth = drive_facts(drive).senses, np.array([each.teeth for each in drive.wheels])
    wave = np.sin(2.0 * np.pi * 7.0 * time)[:, None]
    table = {
        "link_tension": (1000.0 + 100.0 * wave + np.arange(n)).astype(np.float32),
        "link_path_position": np.broadcast_to(np.arange(n) + 0.5, (rows, n)).astype(np.float32),
        "roller_position": np.broadcast_to(scene.rollers, (rows, n, 2)).astype(np.float32),
        "contact_force": np.full((rows, n), 5.0, dtype=np.float32),
        "contact_surface": np.full((rows, n), -1.0, dtype=np.float32),
        "wheel_angle": np.zeros((rows, w)),
        "wheel_speed": (10.0 + 0.1 * wave) * sense / teeth,
        "wheel_torque": 3.0 * wave * np.ones(w),
        "bearing_force": np.stack([3.0 * np.ones((rows, w)), 4.0 * np.ones((rows, w))], axis=-1),
        "span_tension": 900.0 + 10.0 * wave * np.ones(w),
        "span_displacement": 1e-3 * wave * np.ones(w),
        "work_input": 100.0 * time,
        "work_output": 80.0 * time,
        "work_friction": 20.0 * time,
        "energy_kinetic": np.full(rows, 5.0),
    }
    assert tuple(table) == CHANNELS
    options = {"formulation": {"kind": "roller", "contact_law": "hertz"}, "save": {"rate": rate}}
    attributes = results.describe(drive.to_toml(), options, name=drive.name, warnings=warnings)
    ended = next(each for each in (*Status.GENERAL, *ENDINGS) if each.name == status)
    attributes |= status_attributes(ended) | {"statistics": json.dumps({"steps": 12345})}
    return solution_of(
        drive, time, {name: each for name, each in (table | (more or {})).items() if name not in drop}, attributes
    )


def decoded(reference, blob):
    """An array of a blob (bytes), number by number, as the contract with the page says."""
    shape, kind, at = reference["shape"], reference["kind"], reference["at"]
    count = int(np.prod(shape))
    if kind in ("f8", "f4", "i4"):
        letter = {"f8": "d", "f4": "f", "i4": "i"}[kind]
        return np.array(struct.unpack_from(f"<{count}{letter}", blob, at)).reshape(shape)
    width = 1 if kind == "u1" else 2
    numbers = []
    for i in range(count):
        low = blob[at + i]
        numbers.append(low + 256 * blob[at + count + i] if width == 2 else low)
    if reference.get("delta"):
        row = count // shape[0] if shape[0] else 1
        for i in range(row, count):
            numbers[i] = (numbers[i] + numbers[i - row]) % 256**width
    if kind == "i2":
        numbers = [x - 65536 if x >= 32768 else x for x in numbers]
    if kind == "q2":
        numbers = [np.nan if x == 65535 else reference["offset"] + reference["scale"] * x for x in numbers]
    return np.array(numbers).reshape(shape)


class Page(html.parser.HTMLParser):
    """The content of a page as a browser sees it, as far as tests need it: scripts by id, texts outside scripts,
    tags.
    """

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.scripts, self.tags, self.texts = [], [], []
        self._inside = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag in ("td", "th", "p", "li", "caption", "h1", "h2", "h3"):
            self.texts.append(" ")
        self._inside = tag if tag in ("script", "style") else self._inside
        if tag == "script":
            self.scripts.append((dict(attributes), ""))

    def handle_endtag(self, tag):
        if tag == self._inside:
            self._inside = None

    def handle_data(self, data):
        if self._inside == "script":
            attributes, before = self.scripts[-1]
            self.scripts[-1] = (attributes, before + data)
        elif self._inside is None:
            self.texts.append(data)

    def script(self, name):
        return next(text for attributes, text in self.scripts if attributes.get("id") == name)

    @property
    def header(self):
        return json.loads(self.script("report-header"))

    def blob(self, result=0):
        return zlib.decompress(base64.b64decode(self.script(f"report-data-{result}")))

    @property
    def text(self):
        return " ".join("".join(self.texts).split())

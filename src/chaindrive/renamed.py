"""Names used in earlier versions, so that messages can give the new name for an old one and old results can be read."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

__all__ = ["CHANNELS", "FIELDS", "NOTES", "attributes_of_results", "current", "new_name"]

CHANNELS = {
    "contact_body": "contact_surface",
    "power_joint": "power_articulation",
    "work_joint": "work_articulation",
}
"""Channels of results: their present names, by their names in earlier versions."""
NOTES = {
    "placing_sag": "initial_sag",
    "placing_strain": "initial_strain",
    "placing_tension": "initial_tension",
}
"""Notes of a run: their present names, by their names in earlier versions."""
FIELDS = {"deepest": "max_penetration"}
"""Fields of a drive file: their present names, by their names in earlier versions."""


def new_name(name: str, known: Container[str]) -> str:
    """The present name for an old ``name``, if it is among those ``known``; otherwise an empty string."""
    new = (CHANNELS | FIELDS).get(name.strip(), "")
    return new if new in known else ""


def current(channel: str) -> str:
    """The present name of a channel stored as ``channel`` in an older results file."""
    return CHANNELS.get(channel, channel)


def attributes_of_results(attributes: Mapping[str, str]) -> dict[str, str]:
    """The attributes of a results file, with present names in the drive, the notes and the list of available channels.

    The drive was written by ``Drive.to_toml``: every field is at the beginning of a line, and no string spans two
    lines. Notes and list are JSON, which is not parsed here, as it may be damaged.
    """
    found = dict(attributes)
    if "drive" in found:
        found["drive"] = re.sub(rf"(?m)^({'|'.join(FIELDS)})(?= = )", lambda field: FIELDS[field[1]], found["drive"])
    for attribute, names in (("offered", CHANNELS), ("notes", NOTES)):
        if attribute in found:
            found[attribute] = _quoted(found[attribute], names)
    return found


def _quoted(text: str, names: Mapping[str, str]) -> str:
    """The JSON text with old names replaced by present names."""
    return re.sub(rf'"({"|".join(names)})"', lambda name: f'"{names[name[1]]}"', text)

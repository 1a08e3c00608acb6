"""What had another name in earlier versions: the old name is answered with the new one, and old results are read."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping

__all__ = ["CHANNELS", "FIELDS", "attributes_of_results", "current", "new_name"]

CHANNELS = {
    "contact_body": "contact_surface",
    "power_joint": "power_articulation",
    "work_joint": "work_articulation",
}
"""Channels of results: the name in earlier versions, and the present one."""
FIELDS = {"deepest": "max_penetration"}
"""Fields of a drive file likewise."""


def new_name(name: str, known: Container[str]) -> str:
    """What ``name`` is called now, where it is an old name of something that is ``known``; empty otherwise."""
    new = (CHANNELS | FIELDS).get(name.strip(), "")
    return new if new in known else ""


def current(channel: str) -> str:
    """The name of a channel that an older results file holds as ``channel``."""
    return CHANNELS.get(channel, channel)


def attributes_of_results(attributes: Mapping[str, str]) -> dict[str, str]:
    """The attributes of a results file, with present names in its drive and in the list of channels offered.

    The drive was written by ``Drive.to_toml``: every field stands at the beginning of a line, no text goes on over two.
    The list is JSON, which may be damaged: it is not read here.
    """
    found = dict(attributes)
    if "drive" in found:
        found["drive"] = re.sub(rf"(?m)^({'|'.join(FIELDS)})(?= = )", lambda field: FIELDS[field[1]], found["drive"])
    if "offered" in found:
        found["offered"] = re.sub(rf'"({"|".join(CHANNELS)})"', lambda name: f'"{CHANNELS[name[1]]}"', found["offered"])
    return found

"""Causes of differences between links: wear of the joints, scatter of the pitch, and attachments."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from chaindrive.model.base import Model, Quantity, Whole

__all__ = ["Attachment", "Scatter", "attached_masses", "link_elongations"]


class Scatter(Model):
    """Random scatter of the pitch from link to link, which is normally distributed and reproducible for the same
    seed.
    """

    deviation: Annotated[float, Quantity("", above=0, most=0.02)] = Field(
        description="Standard deviation of the pitch relative to the pitch, such as '0.05 %'."
    )
    seed: Annotated[int, Whole(0, 2**31 - 1)] = Field(0, description="Seed of the random differences.")


class Attachment(Model):
    """A part attached to every n-th link, such as a bucket, flight or carrier."""

    mass: Annotated[float, Quantity("kg", above=0, most=1e5)] = Field(
        description="Mass of one attachment, in addition to link_mass; its centre of mass coincides with that of the "
        "link."
    )
    every: Annotated[int, Whole(1, 100_000)] = Field(1, description="Number of links from one attachment to the next.")
    first: Annotated[int, Whole(0, 100_000)] = Field(0, description="Index of the first link with an attachment.")


def link_elongations(
    elongation: float | Sequence[float], wear: float, scatter: Scatter | None, links: int
) -> tuple[float, ...]:
    """Return the elongation of each link of the taut chain relative to the pitch, (links,). [-]

    Wear widens the bushes and thins the pins. Outer links, measured from pin to pin, become longer by twice the mean
    elongation; inner links, measured from bush to bush, do not change (Binder 1956, Mechanics of the Roller Chain
    Drive). With an odd number of links the last one is a cranked link, which elongates by the mean. Scatter has zero
    mean, so that the length of the chain does not change.
    """
    each = [elongation] * links if isinstance(elongation, (int, float)) else list(elongation)
    if wear:
        longer = [2.0 * wear * (index % 2) for index in range(links)]
        if links % 2:
            longer[-1] = wear
        each = [one + more for one, more in zip(each, longer, strict=True)]
    if scatter is not None:
        generator = random.Random(scatter.seed)  # noqa: S311
        drawn = [generator.gauss(0.0, scatter.deviation) for _ in range(links)]
        mean = sum(drawn) / links
        each = [one + more - mean for one, more in zip(each, drawn, strict=True)]
    return tuple(each)


def attached_masses(attachments: Sequence[Attachment], links: int) -> tuple[float, ...]:
    """Return the mass of the attachments on each link, (links,). [kg]"""
    masses = [0.0] * links
    for attachment in attachments:
        for index in range(attachment.first, links, attachment.every):
            masses[index] += attachment.mass
    return tuple(masses)

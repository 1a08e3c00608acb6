"""Sections of a run with a fixed step (``simulation.stretches``) of one short length."""

from __future__ import annotations

import pytest

from chaindrive.simulation import stretches


def set_sections(patch: pytest.MonkeyPatch, steps: int) -> None:
    """Give all sections this number of steps."""
    for name in ("SHORTEST_SECTION", "LONGEST_SHORTENED", "LONGEST_SECTION"):
        patch.setattr(stretches, name, steps)
    for name in ("COSTLY_STEPS", "MOST_SET_ASIDE"):
        patch.setattr(stretches, name, 3 * steps)

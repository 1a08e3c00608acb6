"""Values that a file may have, and no chain drive has, are told with their key and number."""

from __future__ import annotations

import pytest

from chaindrive import example
from chaindrive.mechanism.layout import judge_layout
from chaindrive.model import example_names


@pytest.mark.parametrize(
    ("name", "key", "place"),
    [
        ("industrial-08b", "contact.friction", "contact.friction"),
        ("industrial-08b", "chain.joint_friction", "chain.joint_friction"),
        ("timing-06b", "guides.0.contact.friction", "guides[0].contact.friction"),
    ],
)
def test_a_friction_coefficient_of_ten_is_doubted(name: str, key: str, place: str) -> None:
    warnings = judge_layout(example(name).replace(key, 10.0)).warnings
    (told,) = [each for each in warnings if each.startswith(f"{place}: ")]
    assert "10 " in told
    assert "0.05 to 0.15" in told


@pytest.mark.parametrize("name", example_names())
def test_no_example_is_doubted_for_its_friction(name: str) -> None:
    assert not any("friction" in each for each in judge_layout(example(name)).warnings)

"""Output of ``chaindrive check`` for the sprockets of a double-pitch chain."""

import math

import chaindrive as cd
from chaindrive.cli.check_links import double_pitch_lines
from chaindrive.model import override


def drive(standard):
    """The example with this chain, with the number of links for the route."""
    return override(
        cd.example("industrial-08b"), {"chain.standard": standard, "chain.links": "auto", "chain.strands": 1}
    )


def test_gaps_are_those_of_the_whole_pitch():
    """17 gaps of 25.4 mm against 34 of 12.7 mm: pitch circles of p / sin(pi/17) and (p/2) / sin(pi/34)."""
    (line,) = double_pitch_lines(drive("208B"))
    smaller = 100.0 * (1.0 - 0.5 / math.sin(math.pi / 34.0) * math.sin(math.pi / 17.0))
    assert round(smaller, 2) == 0.43
    for fact in ("25.4 mm", "34 teeth instead of 17", f"{smaller:.2f} % smaller"):
        assert fact in line


def test_other_chains_need_no_words():
    assert double_pitch_lines(drive("08B-1")) == []
    assert double_pitch_lines(drive("40")) == []

"""Numbers as people read them: see ``chaindrive.numbers``."""

from chaindrive.numbers import clock, column, count, quantity, scaled

__all__ = ["clock", "column", "count", "quantity", "scaled"]

"""Cross-checks of links that differ from each other, and of payload, see ``checks``."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from chaindrive.errors import Problem
from chaindrive.model.checks.open_chain import span_count
from chaindrive.model.checks.parts import Parts

__all__ = ["WEAR_CHECKS"]

SHORTEST, LONGEST = -0.05, 0.2
"""Smallest and largest total elongation of a link, the same as for chain.elongation alone. [-]"""


def _elongations(parts: Parts) -> Iterator[Problem]:
    """Check that links are possible with elongation, wear and scatter together."""
    chain = parts.chain
    if chain is None or (isinstance(chain.elongation, tuple) and len(chain.elongation) != chain.links):
        return
    each = chain.elongations
    for value in (min(each), max(each)):
        if not SHORTEST <= value <= LONGEST:
            name = "scatter.deviation" if chain.scatter is not None else "wear"
            message = (
                f"elongation, wear and scatter together change the length of a link by {100 * value:.3g} %; -5 to 20 % "
                "is allowed"
            )
            given = f"{chain.scatter.deviation:g}" if chain.scatter is not None else f"{chain.wear:g}"
            yield Problem(f"chain.{name}", message, given)
            return


def _attachments(parts: Parts) -> Iterator[Problem]:
    """Check that links with attachments exist."""
    if parts.chain is None:
        return
    for index, attachment in enumerate(parts.chain.attachments):
        yield from _on_links(f"chain.attachments[{index}]", attachment.first, attachment.every, parts.chain.links)


def _payloads(parts: Parts) -> Iterator[Problem]:
    """Check that the span and the links that carry a payload exist."""
    chain = parts.chain
    if chain is None:
        return
    spans = span_count(len(parts.wheels), chain.ends)
    for index, payload in enumerate(parts.payloads):
        if payload is None:
            continue
        if payload.span >= spans:
            message = f"must be from 0 to {spans - 1}: the drive has {spans} spans"
            yield Problem(f"payloads[{index}].span", message, str(payload.span))
        yield from _on_links(f"payloads[{index}]", payload.first, payload.every, chain.links)


def _on_links(place: str, first: int, every: int, links: int) -> Iterator[Problem]:
    if first >= links:
        yield Problem(f"{place}.first", f"must be from 0 to {links - 1}: the chain has {links} links", str(first))
    if every > links:
        yield Problem(f"{place}.every", f"must be at most {links}, the number of links", str(every))


WEAR_CHECKS: tuple[Callable[[Parts], Iterator[Problem]], ...] = (_elongations, _attachments, _payloads)

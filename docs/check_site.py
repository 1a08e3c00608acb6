"""Check the built site: python docs/check_site.py build/site

Every link within it must lead somewhere, and nothing but a link that a reader clicks on may point to the network.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["problems"]

LOADED = {
    "img": ("src", "srcset"),
    "script": ("src",),
    "link": ("href",),
    "iframe": ("src",),
    "source": ("src", "srcset"),
}
NOT_LOADED = ("canonical", "next", "prev", "search", "index")
_URL = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", re.IGNORECASE)


class _Page(HTMLParser):
    """Links, anchors and loaded resources of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag == "link" and given.get("rel") in NOT_LOADED:
            return
        self.loaded += [given[name] for name in LOADED.get(tag, ()) if given.get(name)]


def problems(site: Path) -> Iterator[str]:
    """The faults of the site, one sentence each."""
    pages = {path.resolve(): _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if not pages:
        yield f"{site}: no pages"
    for path, page in pages.items():
        place = path.relative_to(site.resolve())
        for address in page.loaded:
            yield from _fetched(place, path, address)
        for address in page.links:
            yield from _broken(place, path, address, pages)
    for path in sorted(site.rglob("*.css")):
        for found in _URL.finditer(path.read_text(encoding="utf-8")):
            yield from _fetched(path.relative_to(site), path.resolve(), found.group(1) or found.group(2))


def _fetched(place: Path, path: Path, address: str) -> Iterator[str]:
    parts = urlsplit(address)
    if parts.scheme == "data" or address.startswith("#"):
        return
    if parts.scheme or parts.netloc:
        yield f"{place}: loads {address} from elsewhere"
    elif not (path.parent / unquote(parts.path)).exists():
        yield f"{place}: loads {address}, which is not there"


def _broken(place: Path, path: Path, address: str, pages: dict[Path, _Page]) -> Iterator[str]:
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        yield f"{place}: leads to {address}, which is not there"
    elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
        yield f"{place}: leads to {address}, where there is no such place"


if __name__ == "__main__":
    found = list(problems(Path(sys.argv[1])))
    print("\n".join(found) or "Every link leads somewhere, and nothing is loaded from elsewhere.")
    sys.exit(1 if found else 0)

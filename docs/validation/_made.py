"""What made a page: the words of it that every page has, and where the runs that a page is made of are kept."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import chaindrive
from chaindrive.kernels.source import kernels_digest

BUILD = Path(__file__).parents[2] / "build" / "validation"
"""Where runs are kept unless stated otherwise."""


def today() -> str:
    """Such as 2026-11-25."""
    return datetime.now(UTC).date().isoformat()


def made(date: str = "", version: str = chaindrive.__version__, kernels: str = "") -> str:
    """When and by what a page was made; ``tests/unit/test_docs_validation_age.py`` looks for it.

    By default today, by the chaindrive that is imported.
    """
    libraries = ", ".join(f"{name} {metadata.version(name)}" for name in ("numpy", "scipy", "numba"))
    return (
        f"made on {date or today()} with chaindrive {version} (kernels {kernels or kernels_digest()}), "
        f"{libraries}, Python {platform.python_version()}"
    )


def kept_folder(name: str, given: Path | None = None) -> Path:
    """Where the runs of a page are kept: a folder for each digest of the kernels, so that none of other kernels counts.

    given: takes the place of ``build/validation/NAME``.
    """
    folder = (given or BUILD / name) / kernels_digest()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def kept(path: Path, compute: Callable[[], Any]) -> Any:
    """What a file of JSON holds; computed and written there where there is none."""
    if not path.exists():
        part = path.with_suffix(".part")
        part.write_text(json.dumps(compute(), indent=1, default=float), encoding="utf-8")
        part.replace(path)
    return json.loads(path.read_text(encoding="utf-8"))

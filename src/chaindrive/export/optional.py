"""Libraries that are only needed for exports, installed by ``pip install chaindrive[export]``."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from chaindrive.errors import InputError, Problem

__all__ = ["optional"]


def optional(module: str, package: str, what: str) -> Any:
    """Import a module of a library that may be missing. Raises InputError that states how to install it.

    what: what the library is needed for, such as "Parquet tables".
    """
    try:
        return import_module(module)
    except ImportError as error:
        message = f"{what} need the library {package}, which is not installed: pip install chaindrive[export]"
        if error.name is not None and error.name.partition(".")[0] != module.partition(".")[0]:
            message += f" ({error})"
        raise InputError(Problem(package, message)) from None

"""Export of results and drives to other tools: tables, MATLAB files, frames of the animation, DXF and SVG.

    from chaindrive.export import write_table
    write_table(solution, "run.csv", channels=["span_tension", "wheel_speed[crankshaft]"], every=10)

Each of these functions imports the modules that it needs when it is first used. Parquet, DXF and MP4 need
``pip install chaindrive[export]``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chaindrive.export.data import save_table
    from chaindrive.export.dxf import write_dxf
    from chaindrive.export.film import write_film
    from chaindrive.export.matlab import write_matlab
    from chaindrive.export.svg import drive_svg, write_svg
    from chaindrive.export.tables import write_table

__all__ = ["drive_svg", "save_table", "write_dxf", "write_film", "write_matlab", "write_svg", "write_table"]

_HOME = {
    "drive_svg": "svg",
    "save_table": "data",
    "write_dxf": "dxf",
    "write_film": "film",
    "write_matlab": "matlab",
    "write_svg": "svg",
    "write_table": "tables",
}


def __getattr__(name: str) -> Any:
    """Import public names when they are first used."""
    from importlib import import_module

    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)

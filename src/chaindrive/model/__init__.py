"""What the drive is: frozen, validated models, files (TOML), a catalogue of standard chains. No numerics."""

from chaindrive.model.catalogue import StandardChain, standard_chain, standard_names
from chaindrive.model.chain import Chain
from chaindrive.model.drive import Drive, Preload
from chaindrive.model.files import example, example_names, example_path, load, loads, override
from chaindrive.model.run import RollerOptions, Run, SaveOptions, SolverOptions
from chaindrive.model.wheel import (
    AngleTable,
    AsaTooth,
    CircularTooth,
    ConstantSpeed,
    Contact,
    IsoTooth,
    Motion,
    Order,
    Orders,
    RectangularTooth,
    RunUp,
    SemiRealTooth,
    SinglePointTooth,
    Tooth,
    Wheel,
)

__all__ = [
    "AngleTable",
    "AsaTooth",
    "Chain",
    "CircularTooth",
    "ConstantSpeed",
    "Contact",
    "Drive",
    "IsoTooth",
    "Motion",
    "Order",
    "Orders",
    "Preload",
    "RectangularTooth",
    "RollerOptions",
    "Run",
    "RunUp",
    "SaveOptions",
    "SemiRealTooth",
    "SinglePointTooth",
    "SolverOptions",
    "StandardChain",
    "Tooth",
    "Wheel",
    "example",
    "example_names",
    "example_path",
    "load",
    "loads",
    "override",
    "standard_chain",
    "standard_names",
]

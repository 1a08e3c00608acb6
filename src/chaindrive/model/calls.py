"""Base classes of the parts that are made in Python; all of them are ``Model``.

``calls.pyi`` beside this file is for editors and type checkers: it declares the parameters of each part
(``packaging/calls.py`` writes it).
"""

from chaindrive.model.base import Model

__all__ = [
    "BlockOptionsCall",
    "ChainCall",
    "ContactCall",
    "DriveCall",
    "LinkOptionsCall",
    "OptimisationCall",
    "RollerOptionsCall",
    "SaveOptionsCall",
    "SolverOptionsCall",
    "SpatialOptionsCall",
    "StudyCall",
    "WheelCall",
]

BlockOptionsCall = ChainCall = ContactCall = DriveCall = LinkOptionsCall = OptimisationCall = Model
RollerOptionsCall = SaveOptionsCall = SolverOptionsCall = SpatialOptionsCall = StudyCall = WheelCall = Model

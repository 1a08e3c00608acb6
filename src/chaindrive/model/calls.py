"""Bases of the parts that are made from Python: all of them ``Model``.

``calls.pyi`` beside this file is for editors and type checkers: it states the parameters of each part
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

"""Wrong programs, each by one small change, that the tests must notice. ``tests/mutate.py`` is the command.

One module here for each part of the package. A mutation names no file: the text to change must occur once in the body
of the function it names (or, without a function, once in the package), wherever that function is.
"""

from __future__ import annotations

from mutations import (
    analyses,
    block,
    chain,
    conveyors,
    cosimulation,
    cvt,
    description,
    editor,
    fmu,
    geometry,
    judging,
    link,
    mechanism,
    motors,
    open_chains,
    output,
    physics,
    plates,
    results,
    rigid_contacts,
    running,
    solvers,
    space,
    stages,
    templates,
    wear,
)
from mutations.mutation import Mutation

__all__ = ["MUTATIONS"]

PARTS = (
    physics,
    chain,
    link,
    block,
    space,
    open_chains,
    mechanism,
    motors,
    stages,
    conveyors,
    cosimulation,
    geometry,
    description,
    solvers,
    rigid_contacts,
    cvt,
    plates,
    running,
    results,
    judging,
    analyses,
    templates,
    editor,
    wear,
    output,
    fmu,
)

MUTATIONS: tuple[Mutation, ...] = tuple(mutation for part in PARTS for mutation in part.MUTATIONS)

"""Where a run starts, when it is steady, what happens between its parts."""

from mutations.mutation import Mutation

MUTATIONS: tuple[Mutation, ...] = ()

"""The contract between a formulation (what moves) and a solver (when); they depend on nothing else of each other."""

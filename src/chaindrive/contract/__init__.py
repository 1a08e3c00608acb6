"""The contract between a formulation (what moves) and a solver (when), which have no other connection."""

"""Planar formulation with rollers as lumped masses (Pedersen 2004): see rhs.py for the recipe of one evaluation."""

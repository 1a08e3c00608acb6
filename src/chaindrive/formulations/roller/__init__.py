"""Planar formulation with rollers as lumped masses (Pedersen 2004); rhs.py describes the equations of motion."""

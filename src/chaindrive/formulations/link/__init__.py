"""Rigid links with three degrees of freedom and pins with clearance (Hippmann, Arnold & Schittenhelm 2005)."""

"""Solves for what a description leaves open: numbers of links, places of wheels and bodies, the layout of a bicycle."""

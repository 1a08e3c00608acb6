"""The kinds of torques that act on wheels and rotors, and their properties."""

"""The torques that act on wheels and rotors: the kinds and their facts."""

"""The torques that act on wheels and rotors: what each kind is, and what it says of itself."""

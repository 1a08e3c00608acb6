"""What every planar formulation shares: wheels and guides as surfaces, what carries them, contacts, channels."""

"""What every planar formulation shares: wheels and guides as surfaces, what supports them, contacts, channels."""

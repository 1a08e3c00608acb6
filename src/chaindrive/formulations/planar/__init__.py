"""Code shared by all planar formulations: wheels and guides as surfaces, their supports, contacts and channels."""

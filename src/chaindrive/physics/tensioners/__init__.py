"""Force laws of the elements that tension a chain. A force > 0 pushes the two ends of an element apart.

``mechanical``: spring and damper with preload, end stop, and one-way ratchet. ``hydraulic``: piston on an oil chamber.
"""

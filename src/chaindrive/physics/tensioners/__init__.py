"""Force laws of the elements that tension a chain. A force > 0 pushes the two ends of an element apart.

``mechanical``: spring and damper, preload, end stop, one-way ratchet. ``hydraulic``: piston on an oil chamber.
"""

"""Force laws of contact, friction, links and joints.

Laws take and return scalars. They do not depend on state vectors, roller indices or drives, so that each can be tested
and plotted alone; the formulations evaluate them in loops. All units are SI.
"""

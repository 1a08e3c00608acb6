"""Force laws of contact, friction, links and joints.

Laws take and return scalars. They do not depend on state vectors, roller numbers or drives, so each can be tested and
plotted alone; the formulations loop over them. All units are SI.
"""

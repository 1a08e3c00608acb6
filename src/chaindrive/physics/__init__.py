"""Force laws of contact, friction, links and joints.

All laws take and return scalars. None depends on a state vector, a roller number or a drive, so that each can be tested
and plotted alone. The formulations loop over them. SI units throughout.
"""

"""Force laws of contact, friction, links and joints.

Scalars in, scalars out. No law knows a state vector, a roller number or a drive; each can be tested and plotted alone,
and the formulations loop over them. SI units throughout.
"""

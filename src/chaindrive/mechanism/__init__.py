"""What carries and moves the wheels. Today: fixed bearings, and motions prescribed by an angular acceleration."""

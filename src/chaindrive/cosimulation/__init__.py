"""Parts with methods of their own that exchange signals at communication points: the master, and what it requires."""

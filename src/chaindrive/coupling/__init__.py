"""Several systems as one: chains and rotors joined by shafts that are elastic, with or without backlash, or rigid."""

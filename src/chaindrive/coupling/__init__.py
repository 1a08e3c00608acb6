"""Several systems as one: chains and rotors joined by shafts that are elastic, have backlash, or are rigid."""

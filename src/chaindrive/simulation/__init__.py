"""From a drive to a result: the start, the run, what ends it."""

"""The live view: the page of the report, fed while a run goes on, on the loopback address only."""

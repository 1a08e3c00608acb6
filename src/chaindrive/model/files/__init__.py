"""The files of drives: TOML, the included examples, the schema and drawings."""

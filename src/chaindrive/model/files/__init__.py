"""Drives as files: TOML, the examples, the schema, drawings."""

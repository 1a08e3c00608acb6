"""The version of this package."""

__version__ = "0.3.0"


def release() -> str:
    """Return the version without its last part, such as "0.2"; the last part does not affect drive files."""
    return ".".join(__version__.split(".")[:2])

"""Assertions in ``tests/support`` say as much as those of the tests themselves."""

import pytest

pytest.register_assert_rewrite("support")

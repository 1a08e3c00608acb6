"""Arrays into bytes and back, by a decoder independent of the encoder."""

import base64
import zlib

import numpy as np
import pytest

from chaindrive.report.pack import Blob
from support.report_run import decoded


def _bytes(blob):
    return zlib.decompress(base64.b64decode(blob.packed()))


@pytest.mark.parametrize("delta", [False, True])
@pytest.mark.parametrize("shape", [(7,), (5, 3), (4, 3, 2), (0, 3)])
def test_a_quantised_number_is_off_by_half_a_step_at_most(shape, delta):
    values = np.random.default_rng(1).normal(3e4, 1e4, shape)
    values.ravel()[1::5] = np.nan
    blob = Blob()
    blob.add(np.arange(3), "u1")  # so that the next does not begin at 0
    reference = blob.quantised(values, delta=delta)
    assert reference["at"] % 8 == 0
    found = decoded(reference, _bytes(blob))
    assert found.shape == values.shape
    np.testing.assert_array_equal(np.isnan(found), np.isnan(values))
    if values.size:
        step = (np.nanmax(values) - np.nanmin(values)) / 65534
        assert np.nanmax(np.abs(found - values)) <= 0.5 * step * (1 + 1e-9)
        assert np.nanmax(np.abs(found - values)) > 0.1 * step  # it is quantised to that, and not finer


def test_extreme_values_constant_and_missing_ones():
    blob = Blob()
    wide = blob.quantised(np.array([[-3.0, 7.0], [7.0, -3.0]]))
    constant = blob.quantised(np.full((3, 2), 4.5))
    nothing = blob.quantised(np.full((2, 2), np.nan))
    infinite = blob.quantised(np.array([1.0, np.inf, -np.inf, 2.0]))
    data = _bytes(blob)
    np.testing.assert_allclose(decoded(wide, data), [[-3.0, 7.0], [7.0, -3.0]], rtol=1e-12)
    np.testing.assert_array_equal(decoded(constant, data), np.full((3, 2), 4.5))
    assert np.isnan(decoded(nothing, data)).all()
    np.testing.assert_array_equal(np.isnan(decoded(infinite, data)), [False, True, True, False])


@pytest.mark.parametrize(("kind", "low", "high"), [("i2", -32768, 32767), ("u1", 0, 255), ("i4", -70000, 70000)])
@pytest.mark.parametrize("delta", [False, True])
def test_whole_numbers_come_back(kind, low, high, delta):
    values = np.random.default_rng(2).integers(low, high, (9, 4), endpoint=True)
    values[0, 0], values[-1, -1] = low, high
    blob = Blob()
    if kind == "i4" and delta:
        with pytest.raises(ValueError, match="differences"):
            blob.add(values, kind, delta=True)
        return
    reference = blob.add(values, kind, delta=delta)
    np.testing.assert_array_equal(decoded(reference, _bytes(blob)), values)


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_floats_come_back_in_their_precision(kind):
    values = np.random.default_rng(3).normal(size=(3, 5)) * 1e6
    blob = Blob()
    reference = blob.add(values.T.copy().T, kind)  # not contiguous
    np.testing.assert_array_equal(decoded(reference, _bytes(blob)), values.astype(f"<{kind}"))


def test_slow_changes_shrink():
    """The purpose of differences and sorted bytes: a smooth motion of 200 rollers over 500 frames."""
    time = np.linspace(0.0, 1.0, 500)[:, None]
    motion = np.sin(2 * np.pi * (time + np.arange(200) / 200))
    plain, packed = Blob(), Blob()
    plain.quantised(motion, delta=False)
    packed.quantised(motion)
    assert len(packed.packed()) < 0.75 * len(plain.packed())

"""Numbers read off a synthetic result."""

from types import SimpleNamespace

import numpy as np
import pytest
import xarray

from chaindrive.analyses.statistics import (
    chain_pace,
    contact_windows,
    get_channel,
    mean_contact_force_by_seat,
    mean_span_tension,
    time_slice,
)
from chaindrive.errors import InputError

TIME = np.arange(0.0, 2.0, 0.01)


class Result(dict):
    """Channels by name, with a drive of two wheels of 20 and 40 teeth."""

    drive = SimpleNamespace(wheels=[SimpleNamespace(teeth=20, name="small"), SimpleNamespace(teeth=40, name="big")])

    def add(self, name, dims, values):
        self[name] = xarray.DataArray(values, dims=("time", *dims), coords={"time": TIME})
        return self

    @property
    def channels(self):
        return list(self)


@pytest.fixture
def result():
    # the chain passes 60 links per second: 3 rev/s of the small wheel, 1.5 rev/s of the big one
    speeds = np.tile(2 * np.pi * np.array([-3.0, 1.5]), (TIME.size, 1))
    return Result().add("wheel_speed", ("wheel",), speeds)


def test_pace(result):
    assert chain_pace(result) == pytest.approx(60.0)


def test_mean_span_tension(result):
    result.add("span_tension", ("span",), np.stack([1000.0 + 10.0 * TIME, np.full(TIME.size, 50.0)], axis=1))
    # mean of 0.5 .. 1.0 s on a straight line: its middle
    assert mean_span_tension(result, 0, 0.495, 1.005) == pytest.approx(1000.0 + 10.0 * 0.75)
    assert mean_span_tension(result, 1) == pytest.approx(50.0)
    with pytest.raises(InputError, match="0 to 1"):
        mean_span_tension(result, 2)
    with pytest.raises(InputError, match="no saved instant"):
        mean_span_tension(result, 0, 5.0)


def test_contact_windows_bridge_bounces_but_not_flights(result):
    body = np.full((TIME.size, 1), -1.0)
    body[(TIME > 0.195) & (TIME < 0.405)] = 0
    body[(TIME > 0.295) & (TIME < 0.315)] = -1  # a bounce of 20 ms; half a turn of 20 teeth at 60 / s is 167 ms
    body[(TIME > 0.695) & (TIME < 0.905)] = 1
    body[(TIME > 1.195) & (TIME < 1.405)] = 0
    body[(TIME > 1.595) & (TIME < 1.605)] = 2  # a guide, not a wheel
    result.add("contact_body", ("roller",), body)
    windows = contact_windows(result, 0)
    assert [window.wheel for window in windows] == [0, 1, 0]
    np.testing.assert_allclose([w.start for w in windows], [0.2, 0.7, 1.2], atol=1e-9)
    np.testing.assert_allclose([w.stop for w in windows], [0.4, 0.9, 1.4], atol=1e-9)
    assert len(contact_windows(result, 0, bridge=0.0)) == 4
    with pytest.raises(InputError, match="roller"):
        contact_windows(result, 1)


def test_contact_force_by_seat_follows_the_row_round_the_end_of_the_chain(result):
    # 8 rollers, a row of three moves along the chain by one roller per instant; the k-th of the row carries 100 (k + 1)
    body, force = np.full((TIME.size, 8), -1.0), np.zeros((TIME.size, 8))
    for i in range(TIME.size):
        for k in range(3):
            body[i, (i + k) % 8], force[i, (i + k) % 8] = 1.0, 100.0 * (k + 1)
    result.add("contact_body", ("roller",), body).add("contact_force", ("roller",), force)
    np.testing.assert_allclose(mean_contact_force_by_seat(result, 1), [100.0, 200.0, 300.0])
    with pytest.raises(InputError, match="unbroken row"):
        mean_contact_force_by_seat(result, 0)


def test_missing_channel_names_itself_and_its_neighbours(result):
    with pytest.raises(InputError, match=r"'wheel_speeds'.*save\.channels.*wheel_speed"):
        get_channel(result, "wheel_speeds")


def test_time_slice_keeps_both_ends(result):
    part = time_slice(result["wheel_speed"], 0.5 - 1e-9, 1.0 + 1e-9)
    assert (float(part.time[0]), float(part.time[-1])) == (pytest.approx(0.5), pytest.approx(1.0))

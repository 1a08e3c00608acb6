"""Names of earlier versions: messages give the present names wherever a user writes old ones, and old results are read
with the present ones.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import xarray

import chaindrive as cd
from chaindrive.errors import InputError
from chaindrive.export import selection
from chaindrive.formulations.planar.channels import Counts, channels
from chaindrive.formulations.roller.variants import VARIANTS
from chaindrive.model import Drive, Guide
from chaindrive.model.study.description import FigureOfMerit
from chaindrive.plots import plot_spectrum
from chaindrive.renamed import CHANNELS, FIELDS
from chaindrive.results import UnknownChannelError, files, select
from chaindrive.results.layout import Layout
from chaindrive.studies.merit import prepare_figures
from support.made_run import made_run

OFFERED = channels(VARIANTS.supported.groups, Counts(**dict.fromkeys(Counts._fields, 1)))
OLD = [name for name in CHANNELS if CHANNELS[name] in {channel.name for channel in OFFERED}]


def old_file(path: Path) -> Path:
    """A results file with the channels, the list of them and the field of a guide with the names of earlier
    versions.
    """
    run = made_run()
    before = {new: old for old, new in CHANNELS.items()}
    described = tuple(c._replace(name=before.get(c.name, c.name)) for c in run.channels.values())
    table = {before.get(name, name): run.values(name) for name in run.channels}
    guide = {
        "name": "rail",
        "shape": {"kind": "on_span", "span": 0, "length": 0.5},
        "contact": {"stiffness": 1e6},
        "max_penetration": 0.02,
    }
    drive = Drive.from_dict(run.drive.to_dict() | {"guides": [guide]}).to_toml()
    offered = '["contact_body", "link_tension", "work_joint"]'
    attrs = run.attrs | {"drive": re.sub("(?m)^max_penetration =", "deepest =", drive), "offered": offered}
    attrs["notes"] = '{"placing_sag": 0.25, "end_time": 2.5}'
    assert "\ndeepest = 0.02" in attrs["drive"]
    files.create_compact(path, Layout(described, run.labels), attrs, run.time.size, [(run.time, table)])
    return path


def test_new_names_are_those_of_channels_and_fields() -> None:
    assert OLD
    assert set(FIELDS.values()) <= set(Guide.model_fields)
    assert not set(CHANNELS) & {channel.name for channel in OFFERED}


def test_an_old_file_is_read_under_the_present_names(tmp_path: Path) -> None:
    path = old_file(tmp_path / "old.nc")
    with h5py.File(path) as file:
        assert "contact_body" in file
        assert "contact_surface" not in file
    made = made_run()
    with cd.open(path) as solution:
        assert set(solution.channels) == set(made.channels)
        for name in ("contact_surface", "work_articulation", "link_tension"):
            np.testing.assert_array_equal(solution.values(name), made.values(name).astype(solution.values(name).dtype))
        assert solution["contact_surface"].name == "contact_surface"
        assert "contact_body" not in solution.dataset
        assert solution.audit.losses["articulation"] == made.audit.losses["articulation"]
        assert solution.drive.guides[0].max_penetration == 0.02
        assert solution.notes == {"initial_sag": 0.25, "end_time": 2.5}
        assert solution.offers("contact_surface")
        assert solution.offers("work_articulation")
        _, table = next(solution._reader.blocks(solution.time.size, 10))
        assert "contact_surface" in table
    with xarray.open_dataset(path, engine="h5netcdf") as data:  # the file itself is left as it was
        assert "contact_body" in data


@pytest.mark.parametrize("old", ["contact_body", "work_joint"])
def test_a_result_answers_an_old_name_with_the_present_one(old: str) -> None:
    run, new = made_run(), CHANNELS[old]
    asked: list[Any] = [
        lambda: run[old],
        lambda: run.values(old),
        lambda: selection.select(run, [f"{old}[0]"], selection.rows_of(run.time, None, None)),
        lambda: plot_spectrum(run, channel=old),
    ]
    for ask in asked:
        with pytest.raises(InputError, match=f"{old} is now called {new}"):
            ask()
    with pytest.raises(UnknownChannelError):
        run.channel(old)


def test_what_a_run_keeps_is_asked_for_by_present_names() -> None:
    with pytest.raises(InputError) as caught:
        select(OFFERED, ["contact_body", "work_joint", "link_tension"])
    first, second = caught.value.problems
    assert first.place == "run.save.channels"
    assert first.message.endswith("contact_body is now called contact_surface")
    assert second.message.endswith("work_joint is now called work_articulation")


def test_a_figure_of_merit_is_of_a_channel_by_its_present_name() -> None:
    figure = FigureOfMerit.model_validate({"name": "lost", "channel": "work_joint", "reduce": "last"})
    with pytest.raises(InputError, match="it is now called 'work_articulation'"):
        prepare_figures([figure], OFFERED, {})


def test_a_drive_file_with_an_old_field_is_answered_with_the_present_one() -> None:
    fields = cd.example("6s90mc-c-guides").to_dict()
    fields["guides"][0]["deepest"] = fields["guides"][0].pop("max_penetration")
    with pytest.raises(InputError) as caught:
        Drive.from_dict(fields)
    (problem,) = caught.value.problems
    assert problem.place == "guides[0].deepest"
    assert "is not a known field; it is now called 'max_penetration'" in problem.message

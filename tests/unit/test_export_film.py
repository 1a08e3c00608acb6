"""The animation: a frame shows the state of the run at its instant; films and pictures are read back."""

import os
import stat

import imageio_ffmpeg
import numpy as np
import pytest
from matplotlib import rcParams
from matplotlib.colors import Normalize
from PIL import Image

import chaindrive as cd
from chaindrive.drawing.links import links_view
from chaindrive.drawing.scene import scene_of
from chaindrive.errors import ComputationError, InputError
from chaindrive.export.film import is_folder, write_film
from chaindrive.model import override
from chaindrive.plots.animation import animate, last_revolution
from chaindrive.plots.style import tension_colours
from support.moving_run import RATE, TIME, moving_run
from support.rigid_run import rigid_run


@pytest.fixture(scope="module")
def run():
    return moving_run()


@pytest.fixture(scope="module")
def film(run):
    return animate(run, frames=10, width=801)


def test_the_last_revolution_of_the_driver(run, film):
    start, stop = last_revolution(run)
    assert stop == TIME[-1]
    assert stop - start == pytest.approx(0.02, abs=1.01 / RATE)
    assert len(film) == 10
    # ten frames of one revolution of 40 rows: every fourth, the last instant left out
    np.testing.assert_allclose(np.diff(film.rows), 4, atol=1)
    assert film.rows[0] == round(start * RATE)
    np.testing.assert_array_equal(film.times, TIME[film.rows])
    assert film.times[-1] < stop


def test_frames_of_a_window_are_the_nearest_instants(run):
    shown = animate(run, start=0.0101, stop=0.0302, frames=7, width=200)
    wanted = np.linspace(TIME[21], TIME[60], 7, endpoint=False)
    assert np.abs(shown.times - wanted).max() <= 0.5 / RATE + 1e-12
    # more frames than instants: some come again, none is made up
    many = animate(run, start=0.01, stop=0.012, frames=50, width=200)
    assert set(many.rows) == {20, 21, 22, 23, 24}


def test_a_frame_shows_its_instant(run, film):
    before = dict(rcParams)
    width, height = film.size
    assert width == 802  # even, as wide as was asked for
    assert height % 2 == 0
    norm = Normalize(run.values("link_tension")[film.rows].min(), run.values("link_tension")[film.rows].max())
    colours = tension_colours()
    for k in (0, 4, 9):
        pixels = film.pixels(k)
        assert pixels.shape == (height, width, 3)
        row = film.rows[k]
        rollers = run.values("roller_position")[row]
        middles = 0.5 * (rollers + np.roll(rollers, -1, axis=0))
        places = film.figure.axes[0].transData.transform(middles)
        tension = run.values("link_tension")[row]
        free = [i for i in range(len(tension)) if 70 <= i <= 85]  # where nothing lies on the chain
        for i in free:
            x, y = places[i]
            seen = pixels[round(height - 1 - y), round(x)].astype(float) / 255.0
            expected = np.array(colours(norm(tension[i]))[:3])
            assert np.abs(seen - expected).max() < 0.06, (k, i)
    assert dict(rcParams) == before


def test_what_moves_moves_and_what_stands_still_does_not(run, film):
    first, last = film.pixels(0), film.pixels(5)
    changed = (first != last).any(axis=2)
    assert 0.002 < changed.mean() < 0.35
    assert not changed[-15:].any()  # the legend
    np.testing.assert_array_equal(film.pixels(0), first)  # and back again
    for k in (2, 7):
        film.pixels(k)
        row = film.rows[k]
        expected = scene_of(
            run.drive,
            run.values("roller_position")[row],
            run.values("wheel_angle")[row],
            None,
            run.values("body_position")[row],
            run.values("body_angle")[row],
        )
        for path, outline in zip(film._wheels.get_paths(), expected.outlines, strict=True):
            np.testing.assert_allclose(path.vertices[: len(outline)], outline, atol=1e-12)
        strips = [artist for artist in film._mechanism if hasattr(artist, "get_paths") and artist.get_zorder() == 2]
        drawn = [path.vertices for strip in strips for path in strip.get_paths()]
        for guide in expected.guides:
            assert any(len(v) > len(guide.strip) and np.allclose(v[: len(guide.strip)], guide.strip) for v in drawn)


def test_rigid_links_are_plates_where_they_are():
    run = rigid_run()
    film = animate(run, frames=4, width=400)
    for k in (1, 3):
        film.pixels(k)
        row = film.rows[k]
        bushes, angles = run.values("roller_position")[row], run.values("link_angle")[row]
        expected = links_view(run.drive, bushes, angles)
        order = [*range(0, len(bushes), 2), *range(1, len(bushes), 2)]  # outer plates lie over inner ones
        drawn = [path.vertices[: expected.plates.shape[1]] for path in film._links.get_paths()]
        np.testing.assert_allclose(drawn, expected.plates[order], atol=1e-12)
        np.testing.assert_array_equal(film._links.get_array(), run.values("link_tension")[row][order])
        np.testing.assert_allclose(film._pins.get_offsets(), expected.pins, atol=1e-12)


def test_what_cannot_be_shown_is_told(run):
    for arguments in ({"frames": 0}, {"width": 10}, {"width": 10_000}, {"start": 3.0}, {"start": 0.04, "stop": 0.01}):
        with pytest.raises(InputError):
            animate(run, **arguments)
    for channel in ("link_tension", "roller_position", "wheel_angle", "contact_surface", "link_path_position"):
        with pytest.raises(InputError, match=channel):
            animate(moving_run(drop=(channel,)), frames=2, width=200)
    # without the channels of the mechanism it stands in the reference configuration
    still = animate(moving_run(drop=("body_position", "body_angle")), frames=3, width=200)
    assert len(list(still)) == 3


@pytest.mark.filterwarnings("error")
def test_a_run_that_diverged_and_one_of_a_single_instant_are_shown():
    broken = moving_run()
    for name in ("link_tension", "roller_position", "link_path_position"):
        broken._reader._table[name][-20:] = np.nan
    shown = list(animate(broken, frames=5, width=200))
    assert len(shown) == 5
    assert (shown[0] != shown[-1]).any()
    for name in ("wheel_angle", "body_position", "body_angle"):
        broken._reader._table[name][-20:] = np.nan
    assert len(list(animate(broken, frames=5, width=200))) == 5
    with pytest.raises(InputError, match="diverged"):
        animate(broken, start=TIME[-15], frames=5, width=200)
    single = animate(moving_run(), start=TIME[7], stop=TIME[7], frames=3, width=200)
    assert list(single.rows) == [7, 7, 7]
    frames = list(single)
    np.testing.assert_array_equal(frames[0], frames[2])


def test_gif(run, tmp_path):
    path = tmp_path / "film.gif"
    told = []
    film = write_film(run, path, fps=30.0, duration=0.2, width=300, progress=lambda *done: told.append(done))
    assert told[-1] == (6, 6)
    with Image.open(path) as picture:
        assert picture.n_frames == len(film) == 6
        assert picture.size == film.size
        assert picture.info["loop"] == 0  # for ever
        lasting = []
        for k in range(picture.n_frames):
            picture.seek(k)
            lasting.append(picture.info["duration"])
            if k in (0, 4):
                seen = np.asarray(picture.convert("RGB")).astype(int)
                assert np.abs(seen - film.pixels(k)).mean() < 3.0  # of 255: 256 colours
    assert sum(lasting) == pytest.approx(200, abs=1)  # though a thirtieth of a second is no whole hundredth
    assert set(lasting) <= {30, 40}
    write_film(run, path, fps=10.0, duration=0.2, width=200)  # ours: may be replaced
    path.write_bytes(b"GIF89a of the user")
    with pytest.raises(InputError, match="not made by an export"):
        write_film(run, path, duration=0.2, width=200)


def test_mp4(run, tmp_path):
    path = tmp_path / "film.mp4"
    film = write_film(run, path, fps=20.0, duration=0.5, width=321)
    frames, seconds = imageio_ffmpeg.count_frames_and_secs(str(path))
    assert (frames, seconds) == (10, pytest.approx(0.5, abs=0.06))
    reader = imageio_ffmpeg.read_frames(str(path))
    size = next(reader)["size"]
    assert size == film.size == (322, film.size[1])
    seen = np.frombuffer(next(reader), dtype=np.uint8).reshape(size[1], size[0], 3).astype(int)
    assert np.abs(seen - film.pixels(0)).mean() < 6.0
    reader.close()
    write_film(run, path, fps=10.0, duration=0.2, width=200)  # known as ours
    assert [p.name for p in tmp_path.iterdir()] == ["film.mp4"]


def test_ffmpeg_that_is_not_there_or_fails(run, tmp_path, monkeypatch):
    fake = tmp_path / "bin" / "ffmpeg"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho 'Unknown encoder libx264' >&2\nexit 1\n")
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(ComputationError, match="Unknown encoder"):
        write_film(run, tmp_path / "film.mp4", fps=5.0, duration=1.0, width=200)
    fake.unlink()
    monkeypatch.setenv("PATH", str(fake.parent))
    monkeypatch.setitem(__import__("sys").modules, "imageio_ffmpeg", None)
    with pytest.raises(InputError, match=r"pip install chaindrive\[export\]"):
        write_film(run, tmp_path / "film.mp4", width=200)
    assert [p.name for p in tmp_path.iterdir()] == ["bin"]


def test_a_folder_of_pictures(run, tmp_path):
    folder = tmp_path / "frames"
    film = write_film(run, f"{folder}/", fps=10.0, duration=0.4, width=200)
    names = [f"frame-{n:04d}.png" for n in range(1, 5)]
    assert sorted(p.name for p in folder.iterdir()) == names
    for k, name in enumerate(names):
        np.testing.assert_array_equal(np.asarray(Image.open(folder / name)), film.pixels(k))
    write_film(run, folder, fps=10.0, duration=0.2, width=200)  # fewer: none of the old ones stays
    assert sorted(p.name for p in folder.iterdir()) == names[:2]
    (folder / "frame-0009.png").write_bytes(b"a photograph")
    (folder / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="other files"):
        write_film(run, folder, fps=10.0, duration=0.1, width=200)
    write_film(run, folder, fps=10.0, duration=0.1, width=200, overwrite=True)
    assert (folder / "frame-0009.png").read_bytes() == b"a photograph"
    assert (folder / "notes.txt").read_text() == "mine"
    assert sorted(p.name for p in folder.glob("frame-000[1-8].png")) == names[:1]
    with pytest.raises(InputError, match="does not exist"):
        write_film(run, tmp_path / "no" / "frames", width=200)
    assert [p.name for p in tmp_path.iterdir()] == ["frames"]


@pytest.mark.parametrize("name", ["film.gif", "film.mp4", "frames"])
def test_an_interrupted_film_leaves_nothing(run, name, tmp_path):
    def interrupt(done, total):
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_film(run, tmp_path / name, fps=10.0, duration=0.5, width=200, progress=interrupt)
    assert not list(tmp_path.iterdir())


def test_numbers_of_which_no_film_can_be_made(run, tmp_path):
    for name, arguments, message in (
        ("a.gif", {"fps": 60.0}, "between 0.1 and 50"),
        ("a.mp4", {"fps": 0.0}, "between 0.1 and 240"),
        ("a.gif", {"duration": 0.0}, "above 0 s"),
        ("a.gif", {"duration": 500.0}, "not exceed 1000 frames; an .mp4"),
        ("a.mp4", {"duration": 1e4}, "not exceed 20000 frames"),
        ("a.avi", {}, r"\.gif or \.mp4.*folder"),
        ("a.gif", {"fps": float("nan")}, "between"),
    ):
        with pytest.raises(InputError, match=message):
            write_film(run, tmp_path / name, **arguments)
    assert not list(tmp_path.iterdir())


def test_what_is_a_folder(tmp_path):
    assert is_folder("frames/")
    assert is_folder("frames")
    assert is_folder(tmp_path)
    assert not is_folder("film.gif")


def test_a_film_of_a_block_is_refused_with_what_to_do_instead() -> None:
    """Its chain has no rollers with positions of their own."""
    drive = override(cd.example("industrial-08b"), {"run.formulation.kind": "block"})
    with pytest.raises(InputError) as caught:
        animate(cd.simulate(drive, 0.002))
    (problem,) = caught.value.problems
    assert (problem.place, problem.value) == ("formulation", "block")
    assert "chaindrive report" in problem.message

"""Results files and checkpoints: no interruption of a run may lose more than its last chunk."""

import errno
import json
import os
import random
import subprocess
import sys
import textwrap
import time
from functools import partial

import h5py
import numpy as np
import pytest

from chaindrive import results
from chaindrive.contract.channels import Channel
from chaindrive.contract.status import Status
from chaindrive.errors import ComputationError, InputError
from chaindrive.kernels.source import kernels_digest
from chaindrive.results import attributes, checkpoint, files
from chaindrive.results.layout import Layout
from chaindrive.results.packing import Packing
from chaindrive.results.remembering import RememberingFile
from support.forked import Forked, posix

CHANNELS = (
    Channel("link_tension", ("link",), "N", "Tension of every link.", 0, (5,), precision="single"),
    Channel("roller_position", ("roller", "axis"), "m", "Position of every roller.", 5, (5, 2), precision="single"),
    Channel("contact_surface", ("roller",), "", "Wheel touched, -1 none.", 15, (5,), precision="single", holds="index"),
    Channel("wheel_speed", ("wheel",), "rad/s", "Speed of every wheel.", 20, (2,)),
    Channel("work_input", (), "J", "Work put in.", 22, (), kept="always"),
)
LABELS = {"wheel": ("crankshaft", "nøkkeaksel"), "axis": ("x", "y")}
ROW = 23


def make_rows(count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    return np.arange(count) * 1e-3, np.cumsum(rng.normal(size=(count, ROW)), axis=0)


def make_writer(path, rows_total, **options):
    attributes = results.describe("name = 'test'\n", {"rate": 1000.0}, name="test")
    return results.ResultsWriter(path, CHANNELS, LABELS, attributes, rows_total, 50, **options)


def assert_holds(solution, times, rows):
    """Assert that it holds the appended rows bit for bit, in the storage format of each channel."""
    np.testing.assert_array_equal(solution.time, times)
    for channel in CHANNELS:
        values = solution.values(channel.name)
        assert values.dtype == (np.float32 if {"link", "roller"} & set(channel.dims) else np.float64)
        wanted = rows[:, channel.offset : channel.offset + channel.size].reshape(times.size, *channel.shape)
        np.testing.assert_array_equal(values, wanted.astype(values.dtype))


def leftovers(folder):
    return [name for name in os.listdir(folder) if name.endswith(".part")]


def run_python(code: str, *arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


# ---------------------------------------------------------------------------------------------------- round trip


def test_file_and_memory_hold_the_same(tmp_path):
    times, rows = make_rows(203)
    solutions = []
    for path in (None, tmp_path / "run.nc"):
        writer = make_writer(path, 1000)
        for first in range(0, 203, 50):
            writer.append(times[first : first + 50], rows[first : first + 50])
        solutions.append(
            writer.finish(Status.REACHED_END, {"steps": 7}, warnings=["Vorspannung fällt"], notes={"a": 1})
        )
    memory, file = solutions
    assert_holds(memory, times, rows)
    assert_holds(file, times, rows)
    drop = {"history"}
    for solution in solutions:
        solution.dataset.attrs = {k: v for k, v in solution.dataset.attrs.items() if k not in drop}
    import xarray

    xarray.testing.assert_identical(memory.dataset, file.dataset.load())
    assert file.status == Status.REACHED_END
    assert file.statistics == {"steps": 7}
    assert file.warnings == ("Vorspannung fällt",)
    file.close()


@pytest.mark.parametrize("finished", [True, False])
def test_any_netcdf_reader_opens_the_file(tmp_path, finished):
    """xarray alone, without chaindrive: names, units and coordinates are in the file, all strings are NC_CHAR."""
    import h5py
    import xarray

    times, rows = make_rows(60)
    path = tmp_path / "run.nc"
    writer = make_writer(path, 100)
    writer.append(times, rows)
    if finished:
        writer.finish(Status.REACHED_END).close()
    else:
        writer.abandon()
    with xarray.open_dataset(path, engine="h5netcdf") as opened:
        assert list(opened["wheel_name"].values) == list(LABELS["wheel"])
        assert opened["link_tension"].attrs["units"] == "N"
        assert opened["time"].attrs["units"] == "s"
        assert opened["contact_surface"].attrs["units"] == "1"
        held = opened["wheel_speed"].values[np.isfinite(opened["time"].values)]
        np.testing.assert_array_equal(held, rows[:, 20:22])
    with h5py.File(path) as file:
        assert all(dtype.kind != "O" for dtype in (file[name].dtype for name in file))
        assert all(file.attrs.get_id(name).dtype.kind == "S" for name in ("drive", "title", "options"))
        assert all(file[name].maxshape == file[name].shape for name in file)  # else xarray looks for the longest


def test_a_drive_text_above_64_kilobytes_is_stored(tmp_path):
    """HDF5's classic attribute limit is 64 KB; an angle table of a whole turn exceeds it."""
    text = "angles = [" + "0.123456789, " * 20000 + "]"
    writer = results.ResultsWriter(tmp_path / "run.nc", CHANNELS, LABELS, results.describe(text, {}), 10)
    with writer.finish(Status.REACHED_END) as solution:
        assert solution.drive_text == text


def test_no_rows_at_all(tmp_path):
    with make_writer(tmp_path / "run.nc", 10).finish(Status.NOT_A_NUMBER) as solution:
        assert solution.time.shape == (0,)
        assert solution["link_tension"].shape == (0, 5)
        assert solution.status == Status.NOT_A_NUMBER


def test_no_machine_path_in_the_file(tmp_path):
    times, rows = make_rows(10)
    writer = make_writer(tmp_path / "run.nc", 10)
    writer.append(times, rows)
    writer.finish(Status.REACHED_END).close()
    content = (tmp_path / "run.nc").read_bytes()
    assert str(tmp_path).encode() not in content
    assert os.path.expanduser("~").encode() + b"/" not in content


# ---------------------------------------------------------------------------------------------------- means


@pytest.mark.parametrize("cuts", [[160], [1] * 160, [7, 90, 63], [8] * 20])
def test_means_equal_numpy_however_the_rows_are_cut(cuts):
    """160 rows in blocks of 8: mean within rounding (8 additions, eps 1.1e-16 each) and identical for every cut."""
    times, rows = make_rows(160)
    writer = make_writer(None, 20, reduce="mean", oversample=8)
    whole = make_writer(None, 20, reduce="mean", oversample=8)
    first = 0
    for count in cuts:
        writer.append(times[first : first + count], rows[first : first + count])
        first += count
    whole.append(times, rows)
    solution, reference = writer.finish(Status.REACHED_END), whole.finish(Status.REACHED_END)
    blocks = rows.reshape(20, 8, ROW)
    scale = np.abs(blocks).max()
    np.testing.assert_allclose(
        solution.values("wheel_speed"), blocks[:, :, 20:22].mean(axis=1), atol=8 * 1.2e-16 * scale
    )
    np.testing.assert_allclose(solution.time, times.reshape(20, 8).mean(axis=1), rtol=4e-16, atol=1e-17)
    np.testing.assert_array_equal(solution.values("contact_surface"), blocks[:, 4, 15:20].astype(np.float32))
    for name in solution.channels:
        np.testing.assert_array_equal(solution.values(name), reference.values(name))


@pytest.mark.parametrize(("status", "stored"), [(Status.REACHED_END, 2), (Status.NOT_A_NUMBER, 3)])
def test_an_incomplete_block_is_kept_only_of_a_failed_run(status, stored):
    times, rows = make_rows(19)
    writer = make_writer(None, 10, reduce="mean", oversample=8)
    writer.append(times, rows)
    solution = writer.finish(status)
    assert solution.time.size == stored
    if stored == 3:
        np.testing.assert_allclose(solution.values("work_input")[2], rows[16:, 22].mean(), rtol=1e-15)


def test_a_run_shorter_than_a_block_has_its_mean():
    times, rows = make_rows(5)
    for status, stored in ((Status.REACHED_END, 1), (Status.INTERRUPTED, 0)):  # the latter can be resumed
        writer = make_writer(None, 10, reduce="mean", oversample=8)
        writer.append(times, rows)
        solution = writer.finish(status)
        assert solution.time.size == stored
    assert make_writer(None, 10, reduce="mean", oversample=8).finish(Status.REACHED_END).time.size == 0


@pytest.mark.parametrize("speed", [3.0, -3.0])
def test_the_mean_of_positions_along_a_loop_is_on_the_loop(speed):
    """Six links that advance by up to 1.2 pitches per row: the mean of a linear function is that at the middle."""
    links, time = 6, np.arange(80) * 0.4
    places = (np.arange(links) + 0.5 + speed * time[:, None]) % links
    channels = (Channel("final.link_path_position", ("link",), "pitch", "", 0, (links,)),)
    writer = results.ResultsWriter(None, channels, {}, results.describe("", {}), 10, 50, reduce="mean", oversample=8)
    writer.append(time, places)
    found = writer.finish(Status.REACHED_END)
    means = found.values("final.link_path_position")
    apart = means - np.arange(links) - 0.5 - speed * found.time[:, None]
    np.testing.assert_allclose(apart / links, np.round(apart / links), atol=1e-13)
    assert ((means >= 0.0) & (means < links)).all()


# ---------------------------------------------------------------------------------------------------- kill -9


def write_without_end(path, mode):
    """Print how many rows are written; "again": start again after some."""
    channels = (
        Channel("link_tension", ("link",), "N", "", 0, (5,), precision="single"),
        Channel("work_input", (), "J", "", 5, ()),
    )
    rows_total = 400 if mode == "again" else 4_000_000
    while True:
        writer = results.ResultsWriter(path, channels, {}, results.describe("", {}), rows_total, overwrite=True)
        for first in range(0, rows_total, 50):
            times = np.arange(first, first + 50) * 1.0
            writer.append(times, np.outer(times + 1.0, np.ones(6)))
            print(first + 50, flush=True)  # noqa: T201
        writer.finish(Status.REACHED_END).close()


@posix
@pytest.mark.parametrize(
    ("mode", "kills"), [("once", 1), *(pytest.param(mode, 6, marks=pytest.mark.long) for mode in ("once", "again"))]
)
def test_killed_at_any_moment_the_file_opens(tmp_path, mode, kills):
    """SIGKILL while appending ("once") or while creating, appending, packing and replacing in turn ("again")."""
    import xarray

    moments = random.Random(5)
    for number in range(kills):
        path = tmp_path / f"{number}.nc"
        with Forked(partial(write_without_end, path, mode), tmp_path) as child:
            child.wait(until=lambda child=child: "\n" in child.out)
            time.sleep(moments.uniform(0.0, 0.2))
            child.kill()
            reported = [int(line) for line in child.out.split("\n")[:-1]]
        with xarray.open_dataset(path, engine="h5netcdf") as opened:
            instants = opened["time"].values
        with results.open(path) as solution:
            held = solution.time
            assert held.size % 50 == 0
            if mode == "once":
                assert solution.status == Status.INTERRUPTED
                assert held.size >= reported[-1]  # everything that append had returned from
            np.testing.assert_array_equal(held, np.arange(held.size))
            np.testing.assert_array_equal(held, instants[: held.size])
            np.testing.assert_array_equal(solution.values("work_input"), held + 1.0)
            np.testing.assert_array_equal(solution["link_tension"].values[:, 4], (held + 1.0).astype(np.float32))


# ---------------------------------------------------------------------------------------------------- disks


def test_disk_full_while_running_keeps_what_was_written(tmp_path, monkeypatch):
    times, rows = make_rows(150)
    path = tmp_path / "run.nc"
    writer = make_writer(path, 150)
    writer.append(times[:50], rows[:50])
    real, calls = os.pwrite, []

    def full(file, data, offset):
        calls.append(offset)
        if len(calls) > 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file, data[: max(1, len(data) // 2)], offset)  # short writes come first, as on a real disk

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(ComputationError, match="disk is full") as caught:
        writer.append(times[50:100], rows[50:100])
    assert "50 rows" in str(caught.value)
    writer.abandon()
    with results.open(path) as solution:
        assert_holds(solution, times[:50], rows[:50])


@pytest.mark.parametrize("calls_that_work", [0, 1, 2, 5, 20, 40])
def test_disk_full_while_packing_keeps_the_unpacked_file(tmp_path, monkeypatch, calls_that_work):
    times, rows = make_rows(150)
    path = tmp_path / "run.nc"
    writer = make_writer(path, 150)
    writer.append(times, rows)
    real, calls = os.pwrite, []

    def full(file, data, offset):
        calls.append(offset)
        if len(calls) > calls_that_work:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file, data, offset)

    monkeypatch.setattr(os, "pwrite", full)
    with pytest.raises(ComputationError, match="150 rows"):
        writer.finish(Status.REACHED_END)
    assert not leftovers(tmp_path)
    with results.open(path) as solution:
        assert_holds(solution, times, rows)
        assert solution.status == Status.INTERRUPTED


def test_disk_full_at_the_start_leaves_the_earlier_file(tmp_path, monkeypatch):
    times, rows = make_rows(20)
    path = tmp_path / "run.nc"
    make_writer(path, 20).finish(Status.REACHED_END).close()
    before = path.read_bytes()

    def full(file, data, offset):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        with pytest.raises(ComputationError, match="disk is full"):
            make_writer(path, 20, overwrite=True)
    writer = make_writer(path, 20, overwrite=True)
    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        with pytest.raises(ComputationError, match="disk is full"):
            writer.append(times, rows)
    writer.abandon()
    assert path.read_bytes() == before
    assert not leftovers(tmp_path)


def test_a_file_size_limit_of_the_system_gives_a_clear_error(tmp_path):
    """A real limit (RLIMIT_FSIZE), in a separate process: HDF5 must neither print nor crash."""
    code = """
        import resource, sys
        import numpy as np
        from chaindrive import results
        from chaindrive.errors import ComputationError
        from chaindrive.contract.channels import Channel
        from chaindrive.contract.status import Status
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
        channels = (Channel("link_tension", ("link",), "N", "", 0, (100,), precision="single"),)
        try:
            results.ResultsWriter(sys.argv[1], channels, {}, results.describe("", {}), 10_000)
        except ComputationError as error:
            print(error)
        writer = results.ResultsWriter(None, channels, {}, results.describe("", {}), 2000)
        writer.append(np.arange(2000.0), np.random.default_rng(0).normal(size=(2000, 100)))
        try:
            writer.finish(Status.REACHED_END).save(sys.argv[1])
        except ComputationError as error:
            print(error)
    """
    done = run_python(code, str(tmp_path / "run.nc"))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.count("disk is full") == 2
    assert os.listdir(tmp_path) == []


def test_places_that_cannot_be_written(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.write_text("x")
    places = {
        tmp_path: "directory",
        tmp_path / "nowhere" / "run.nc": "does not exist",
        file / "run.nc": "not a folder",
        file: "exists already",
        tmp_path / ("n" * 300): "no file can be written",
        tmp_path / ("n" * 250): "at most 227 bytes",
        tmp_path / "zero\0byte": "no file can be written",
        "": "directory",
    }
    for place, words in places.items():
        with pytest.raises(InputError, match=words):
            make_writer(place, 10)
    with pytest.raises(InputError, match="device"):
        make_writer("/dev/null", 10, overwrite=True)
    real = os.access
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda path, mode: not mode & os.W_OK and real(path, mode))
        with pytest.raises(InputError, match="no permission"):
            make_writer(tmp_path / "run.nc", 10)
    with pytest.raises(InputError, match="is not a results file"):
        make_writer(file, 10, overwrite=True)
    assert file.read_text() == "x"
    assert sorted(os.listdir(tmp_path)) == ["file"]


def test_results_that_would_be_too_large():
    with pytest.raises(InputError, match=r"lower run\.until or run\.save\.rate") as caught:
        make_writer(None, 10**9)
    assert "GB" in str(caught.value)


def test_results_larger_than_the_free_disk(tmp_path):
    with pytest.raises(InputError, match="on the disk"):
        make_writer(tmp_path / "run.nc", 2 * 10**9)
    assert os.listdir(tmp_path) == []


def test_a_symbolic_link_stays_one(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "run.nc").symlink_to(tmp_path / "there" / "real.nc")
    make_writer(tmp_path / "run.nc", 10).finish(Status.REACHED_END).close()
    assert (tmp_path / "run.nc").is_symlink()
    assert (tmp_path / "there" / "real.nc").stat().st_size > 0


def test_memory_does_not_grow_with_the_run(tmp_path):
    """160 MB of 20 channels go through the writer, in batches of different size that are held for a while; the process
    may grow by 30 MB (buffers of HDF5 and of one block of rows).
    """
    code = """
        import resource, sys
        import numpy as np
        from chaindrive import results
        from chaindrive.contract.channels import Channel
        from chaindrive.contract.status import Status
        channels = tuple(
            Channel(f"channel_{k}", ("link",), "N", "", 50 * k, (50,), precision="single") for k in range(20)
        )
        rows = np.zeros((500, 1000))
        writer = results.ResultsWriter(sys.argv[1], channels, {}, results.describe("", {}), 40_000)
        writer.append(np.arange(500.0), rows)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        sizes = (1, 300, 199)
        for section in range(79):
            batches = [rows[: sizes[(section + k) % 3]] for k in range(3)]
            for packed, batch in [(writer.pack(batch), batch) for batch in batches]:
                writer.append(np.arange(float(len(batch))), packed)
        writer.finish(Status.REACHED_END).close()
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    """
    done = run_python(code, str(tmp_path / "run.nc"))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 30_000  # kB


@pytest.mark.long
def test_import_is_light():
    code = """
        import sys
        import chaindrive.results
        print([name for name in ("xarray", "pandas", "h5py", "h5netcdf", "scipy", "pint") if name in sys.modules])
    """
    assert run_python(code).stdout.strip() == "[]"


# ---------------------------------------------------------------------------------------------------- going on


@pytest.mark.parametrize("reduce", ["sample", "mean"])
@pytest.mark.parametrize("ending", ["killed", "interrupted"])
def test_a_resumed_run_gives_the_same_bit_for_bit(tmp_path, reduce, ending):
    times, rows = make_rows(403)
    identity = checkpoint.fingerprint("drive", {"rate": 1.0})
    options = {"reduce": reduce, "oversample": 8}
    whole = make_writer(tmp_path / "whole.nc", 403, **options)
    whole.append(times, rows)
    wanted = whole.finish(Status.REACHED_END)

    path = tmp_path / "run.nc"
    writer = make_writer(path, 403, **options)
    writer.append(times[:101], rows[:101])
    writer.sync()
    state = {"state": rows[100], **writer.state()}
    checkpoint.save(path, state, {"rows": writer.rows, "appended": 101}, identity)
    writer.append(times[101:190], -rows[101:190])  # lost again, and different on purpose
    if ending == "killed":
        writer.abandon()
    else:
        writer.finish(Status.INTERRUPTED).close()

    saved = checkpoint.load(path, identity)
    np.testing.assert_array_equal(saved.arrays["state"], rows[100])
    attributes = results.describe("name = 'test'\n", {"rate": 1000.0}, name="test")
    again = results.ResultsWriter.reopen(
        path, saved.metadata["rows"], CHANNELS, LABELS, attributes, 403, 50, state=saved.arrays, **options
    )
    at = saved.metadata["appended"]
    again.append(times[at:300], rows[at:300])
    again.append(times[300:], rows[300:])
    with again.finish(Status.REACHED_END) as found:
        assert found.status == Status.REACHED_END
        assert found.time.tobytes() == wanted.time.tobytes()
        for name in wanted.channels:
            assert found.values(name).tobytes() == wanted.values(name).tobytes()
    wanted.close()


def test_reopen_refuses_another_file(tmp_path):
    times, rows = make_rows(20)
    writer = make_writer(tmp_path / "run.nc", 20)
    writer.append(times, rows)
    writer.finish(Status.INTERRUPTED).close()
    before = (tmp_path / "run.nc").read_bytes()
    with pytest.raises(InputError, match="20 rows") as caught:
        results.ResultsWriter.reopen(tmp_path / "run.nc", 21, CHANNELS[:3], LABELS, {}, 100)
    assert len(caught.value.problems) == 2
    assert "wheel_speed, work_input differ" in str(caught.value)
    assert (tmp_path / "run.nc").read_bytes() == before


def test_checkpoint_of_another_run_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "run.nc"
    identity = checkpoint.fingerprint("drive", {"rate": 1.0})
    checkpoint.save(path, {"y": np.arange(3.0)}, {"rows": 4}, identity)
    assert checkpoint.load(path, identity).metadata == {"rows": 4}
    with pytest.raises(InputError, match="another drive"):
        checkpoint.load(path, checkpoint.fingerprint("drive!", {"rate": 1.0}))
    with pytest.raises(InputError, match="other options"):
        checkpoint.load(path, checkpoint.fingerprint("drive", {"rate": 2.0}))
    with pytest.raises(InputError) as caught:
        checkpoint.load(path, identity._replace(version="0.0.1"))
    for fact in (f"chaindrive {identity.version}", "0.0.1", "without --resume"):
        assert fact in str(caught.value)
    monkeypatch.setattr(attributes, "kernels_digest", lambda: "others")  # another source with the same version number
    with pytest.raises(InputError) as caught:
        checkpoint.load(path, checkpoint.fingerprint("drive", {"rate": 1.0}))
    for fact in (f"chaindrive {identity.version}", identity.kernels, "others", "without --resume"):
        assert fact in str(caught.value)
    checkpoint.remove(path)
    with pytest.raises(InputError, match="no checkpoint"):
        checkpoint.load(path, identity)


def test_a_checkpoint_without_the_digest_of_the_kernels_is_refused(tmp_path):
    """Such as those written by versions before 0.2.0."""
    path = tmp_path / "run.nc"
    identity = checkpoint.fingerprint("drive", {})
    assert identity.kernels == kernels_digest()
    earlier = checkpoint.Fingerprint(identity.drive, identity.options, identity.version)
    checkpoint.save(path, {"y": np.zeros(3)}, {"rows": 1}, earlier)
    assert checkpoint.load(path, earlier).metadata == {"rows": 1}
    with pytest.raises(InputError, match=identity.kernels):
        checkpoint.load(path, identity)


def test_broken_checkpoints_are_refused(tmp_path):
    path = tmp_path / "run.nc"
    identity = checkpoint.fingerprint("drive", {})
    checkpoint.save(path, {"y": np.arange(300.0)}, {"rows": 4}, identity)
    whole = checkpoint.name_for(path).read_bytes()
    damaged = bytearray(whole)
    damaged[len(damaged) // 2] ^= 0xFF  # in the middle of y: the checksum of its member must notice
    np.savez(tmp_path / "foreign.npz", y=np.zeros(3))
    foreign = (tmp_path / "foreign.npz").read_bytes()
    for content in (b"", b"text", whole[:100], whole[:-30], bytes(damaged), foreign, json.dumps({}).encode()):
        checkpoint.name_for(path).write_bytes(content)
        with pytest.raises(InputError, match="not a readable checkpoint"):
            checkpoint.load(path, identity)


def damages(whole: bytes, count: int):
    """A file with one bit changed, its end cut off, a block of zeros, bytes inserted, or many bytes replaced."""
    random = np.random.default_rng(5)
    for number in range(count):
        found, at = bytearray(whole), int(random.integers(len(whole)))
        if number % 5 == 0:
            found[at] ^= 1 << int(random.integers(8))
        elif number % 5 == 1:
            del found[at:]
        elif number % 5 == 2:
            found[at : at + 40] = bytes(40)
        elif number % 5 == 3:
            found[at:at] = random.bytes(7)
        else:
            for place in random.integers(len(whole), size=10):
                found[place] = int(random.integers(256))
        yield bytes(found)


def test_damage_of_a_checkpoint_is_noticed_or_changes_nothing(tmp_path):
    path = tmp_path / "run.nc"
    identity, metadata = checkpoint.fingerprint("drive", {}), {"rows": 3, "time": 1.0}
    arrays = {"solvey": np.arange(300.0), "write_k": np.arange(7), "empty": np.zeros((3, 0))}
    checkpoint.save(path, arrays, metadata, identity)
    target, refused = checkpoint.name_for(path), 0
    for content in damages(target.read_bytes(), 300):
        target.write_bytes(content)
        try:
            found = checkpoint.load(path, identity)
        except InputError:
            refused += 1
        else:
            assert (sorted(found.arrays), found.metadata) == (sorted(arrays), metadata)
            for name, values in arrays.items():
                np.testing.assert_array_equal(found.arrays[name], values)
    assert 150 < refused <= 300


def test_a_compressed_checkpoint_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "run.nc"
    np.savez_compressed(tmp_path / "zeros.npz", y=np.zeros(1_000_000))
    (tmp_path / "zeros.npz").rename(checkpoint.name_for(path))
    with pytest.raises(InputError, match="larger than the file"):
        checkpoint.load(path, checkpoint.fingerprint("drive", {}))


def test_failed_checkpoint_leaves_the_one_before(tmp_path, monkeypatch):
    path = tmp_path / "run.nc"
    identity = checkpoint.fingerprint("drive", {})
    checkpoint.save(path, {"y": np.zeros(3)}, {"rows": 1}, identity)

    def full(*_, **__):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(np, "savez", full)
        with pytest.raises(ComputationError, match="disk is full"):
            checkpoint.save(path, {"y": np.ones(3)}, {"rows": 2}, identity)
    assert checkpoint.load(path, identity).metadata == {"rows": 1}
    assert not leftovers(tmp_path)


def test_a_file_whose_objects_are_looked_up_once_is_that_of_h5netcdf(tmp_path, monkeypatch):
    """Names in their order, attributes with their types, the scales of every dimension, the numbers."""
    times, rows = make_rows(7)
    layout, packing = Layout(CHANNELS, LABELS), Packing(CHANNELS)
    for name, kind in (("once.nc", RememberingFile), ("plain.nc", h5py.File)):
        monkeypatch.setattr("chaindrive.results.remembering.RememberingFile", kind)
        files.create_compact(
            tmp_path / name, layout, {"source": "a test"}, 7, [(times, packing.table(packing.pack(rows)))]
        )
        files.create_running(tmp_path / f"running-{name}", layout, {"source": "a test"}, 7)
    for begun in ("", "running-"):
        with h5py.File(tmp_path / f"{begun}once.nc") as once, h5py.File(tmp_path / f"{begun}plain.nc") as plain:
            assert list(once) == list(plain)
            assert structure(once) == structure(plain)
            assert [structure(once[name]) for name in once] == [structure(plain[name]) for name in plain]
            for name in once if not begun else ():
                np.testing.assert_array_equal(once[name][...], plain[name][...])


def structure(held):
    """Attributes of an object, with the sizes of references; its type and shape; the scale of every dimension."""
    kept = {name: (held.attrs.get_id(name).dtype, str(held.attrs[name])) for name in held.attrs if "LIST" not in name}
    sizes = {name: len(held.attrs[name]) for name in held.attrs if "LIST" in name}
    if not hasattr(held, "dims"):
        return kept, sizes
    return (
        kept,
        sizes,
        held.dtype,
        held.shape,
        held.chunks,
        [[scale.name for scale in dim.values()] for dim in held.dims],
    )

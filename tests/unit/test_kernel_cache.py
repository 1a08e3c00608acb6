"""The cache of compiled kernels: whatever happens to its files, kernels compute the same, and a fault is reported
once.
"""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from numba.core import config

from support.forked import posix, run_script

pytestmark = [pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled"), posix]

SCRIPT = """
import resource, sys
import numpy as np
from chaindrive.kernels import kernel

@kernel
def doubled(x):
    for i in range(x.size):
        x[i] *= 2.0

@kernel
def shifted(x):
    doubled(x)
    for i in range(x.size):
        x[i] += 1.0

if len(sys.argv) > 1:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
x = np.arange(3.0)
shifted(x)
print(*x, sum(shifted.stats.cache_hits.values()))
"""


def run(folder: Path, cache: Path, *arguments: str) -> tuple[str, str]:
    script = folder / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    (folder / "tmp").mkdir(exist_ok=True)
    with run_script(script, cache, *arguments, TMPDIR=str(folder / "tmp")) as process:
        assert process.wait() == 0, process.err
        return process.out.strip(), process.err


def kernels_in(cache: Path) -> list[Path]:
    return sorted(cache.rglob("*.nbc"))


def flipped(content: bytes) -> bytes:
    """Invert one bit in the middle of the machine code."""
    at = len(content) // 2
    return content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :]


LONG = pytest.mark.long
DAMAGE = {
    "empty": lambda content: b"",
    "cut off": lambda content: content[: len(content) // 2],
    "zeros": lambda content: bytes(len(content)),
    "one bit": flipped,
    "random": lambda content: os.urandom(len(content)),
    "another pickle": lambda content: pickle.dumps({"a": 1}),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder to run in, and a cache filled by a run."""
    folder = tmp_path_factory.mktemp("sound")
    cache = folder / "cache"
    assert run(folder, cache) == ("1.0 3.0 5.0 0", "")
    assert run(folder, cache) == ("1.0 3.0 5.0 1", "")
    assert kernels_in(cache)
    return folder, cache


@pytest.mark.parametrize(
    "kind",
    [kind if kind in ("empty", "one bit", "another pickle") else pytest.param(kind, marks=LONG) for kind in DAMAGE],
)
def test_a_damaged_file_is_compiled_anew_and_said_once(sound: tuple[Path, Path], tmp_path: Path, kind: str) -> None:
    folder, filled = sound
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    assert kernels_in(cache)
    for path in kernels_in(cache):
        path.write_bytes(DAMAGE[kind](path.read_bytes()))
    out, err = run(folder, cache)
    assert out == "1.0 3.0 5.0 0"
    assert err.count("were damaged") == 1
    assert err.count("\n") == 1
    assert run(folder, cache) == ("1.0 3.0 5.0 1", "")


def test_a_file_in_place_of_another_is_not_taken_for_it(sound: tuple[Path, Path], tmp_path: Path) -> None:
    """The file is intact, with a valid digest, but of another kernel."""
    folder, filled = sound
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    shifted = next(path for path in kernels_in(cache) if "shifted" in path.name)
    other = next(path for path in kernels_in(cache) if "doubled" in path.name)
    shifted.write_bytes(other.read_bytes())
    assert run(folder, cache)[0] == "1.0 3.0 5.0 0"
    assert run(folder, cache)[0] == "1.0 3.0 5.0 1"


def test_a_folder_in_place_of_a_file(sound: tuple[Path, Path], tmp_path: Path) -> None:
    folder, filled = sound
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    for path in kernels_in(cache):
        path.unlink()
        path.mkdir()
    out, err = run(folder, cache)
    assert out == "1.0 3.0 5.0 0"
    assert err.count("\n") == 2  # damaged; cannot be kept
    assert err.count("cannot be kept") == 1


@pytest.mark.skipif(os.name != "posix", reason="limits of a process")
def test_a_full_disk_is_said_once_and_no_failure(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    out, err = run(tmp_path, cache, "1000")
    assert out == "1.0 3.0 5.0 0"
    assert err.count("cannot be kept") == 1
    assert err.count("\n") == 1
    assert [path for path in cache.rglob("*") if path.suffix in (".nbc", ".part")] == []


def test_a_cache_that_cannot_be_written_leaves_nothing_anywhere(tmp_path: Path) -> None:
    """A file where the folder should be: not even the superuser can write there."""
    cache = tmp_path / "cache"
    cache.write_bytes(b"")
    out, err = run(tmp_path, cache)
    assert out == "1.0 3.0 5.0 0"
    assert err.count("cannot be kept") == 1
    assert err.count("\n") == 1
    assert list((tmp_path / "tmp").iterdir()) == []


def test_processes_that_begin_together_all_compute_right(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    processes = [run_script(script, cache) for _ in range(3)]
    for process in processes:
        with process:
            assert process.wait() == 0
            assert process.out.startswith("1.0 3.0 5.0 ")
            assert process.err == ""
    assert run(tmp_path, cache) == ("1.0 3.0 5.0 1", "")
    assert [path for path in cache.rglob("*") if path.name.endswith(".part")] == []


@pytest.mark.parametrize(
    ("edited", "expected"),
    [
        (("+= 1.0", "+= 5.0"), "5.0 7.0 9.0 0"),
        pytest.param(("*= 2.0", "*= 3.0"), "1.0 4.0 7.0 0", marks=LONG),
    ],
)
def test_an_edit_outside_of_the_package_is_compiled_anew(
    sound: tuple[Path, Path], tmp_path: Path, monkeypatch, edited, expected
) -> None:
    """An edit of a kernel in a test or a script, or of a kernel that it calls. The old code was run before."""
    folder, filled = sound
    cache = tmp_path / "cache"
    shutil.copytree(filled, cache)
    monkeypatch.setattr(sys.modules[__name__], "SCRIPT", SCRIPT.replace(*edited))
    assert run(folder, cache) == (expected, "")
    assert run(folder, cache) == (f"{expected[:-1]}1", "")


def test_an_edit_of_what_a_kernel_was_bound_to_is_compiled_anew(tmp_path: Path) -> None:
    """As when solvers are bound to the equations of a test."""
    law, binder = tmp_path / "law.py", tmp_path / "binder.py"
    head = "from chaindrive.kernels import kernel\n"
    binder.write_text(
        f"{head}def bind(f):\n    @kernel\n    def bound(x):\n        return f(x) + 1.0\n    return bound\n"
    )
    script = tmp_path / "script.py"
    script.write_text(
        "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, '.')\n"
        "import law, binder; print(binder.bind(law.law)(2.0))"
    )
    for factor, expected in ((3.0, "7.0"), (3.0, "7.0"), (5.0, "11.0")):
        law.write_text(f"{head}@kernel\ndef law(x):\n    return {factor} * x\n")
        with run_script(script, tmp_path / "cache") as process:
            assert process.wait() == 0, process.err
            assert process.out.strip() == expected


def test_a_kernel_calls_nothing_that_another_one_left_in_the_process(tmp_path: Path) -> None:
    """Otherwise its last bits would depend on what the process has compiled or loaded before."""
    code = (
        "import numpy as np; from chaindrive.contract.bordered import *; "
        "m = bordered(5, 2, 1); m.diagonal[:] = np.eye(2); m.corner[:] = 1.0; "
        "assert factorise(m, np.zeros(11), np.ones(1, dtype=bool), factors_for(m)); "
        "library = next(iter(factorise.overloads.values())).library; "
        "print('shared' if 'linkonce_odr' in library.get_llvm_str() else 'own')"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "own"


def test_what_is_installed_anywhere_is_not_read_for_a_key(tmp_path: Path) -> None:
    """Not even from a folder that Python's own settings do not name."""
    folder = tmp_path / "elsewhere" / "site-packages"
    folder.mkdir(parents=True)
    (folder / "binary.py").write_text("x = 1\n")
    code = "import binary; from chaindrive.kernels import source; print(source._file_of('binary'))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=dict(os.environ, PYTHONPATH=str(folder)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "None"

"""The helper that compiles ahead of a run: its work, the cases without it, and that no result depends on it."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import chaindrive as cd
from chaindrive.kernels import compiler
from chaindrive.kernels.cache import can_share, say_missing
from chaindrive.simulation import compiling_ahead
from chaindrive.simulation.compiling_ahead import SWITCH, helped
from support.forked import run_script

pytestmark = [
    pytest.mark.skipif(not compiler.ENABLED, reason="nothing is compiled"),
    pytest.mark.skipif(not can_share(), reason="no locks, or a cache that cannot be written"),
]

CALLS = """
import json, os, shutil, sys
import numpy as np
import llvmlite.binding as llvm
from chaindrive.kernels import kernel
from chaindrive.kernels.cache import KernelFiles

compiled = []
saved, locked = KernelFiles.save, KernelFiles.lock
def save(files, key, data):
    compiled.append(files.name.split(".")[1].split("-")[0])
    saved(files, key, data)
def lock(files, key):
    if len(sys.argv) > 2:
        shutil.copytree(sys.argv[2], os.environ["NUMBA_CACHE_DIR"], dirs_exist_ok=True)
    locked(files, key)
KernelFiles.save, KernelFiles.lock = save, lock

@kernel(inner=True)
def first(x):
    x[0] += 1.0

@kernel(inner=True)
def number(x):
    return 3.0 * x[1]

@kernel(inner=True)
def lowest(x, factor):
    x[0] *= factor

@kernel(inner=True)
def last(x, factor):
    lowest(x, 2.0)
    lowest(x, factor)

@kernel
def whole(x):
    first(x)
    factor = number(x)
    for i in range(x.size):
        last(x, factor + i)

if sys.argv[1] == "from the end":
    from chaindrive.kernels.from_the_end import compile_from_the_end
    compile_from_the_end()
x = np.arange(3.0)
whole.compile_for(x)
assert list(x) == [0.0, 1.0, 2.0]
whole(x)
library = next(iter(whole.overloads.values())).library
code = []  # of what was compiled here
if library._compiled_object:
    machine = llvm.ObjectFileRef.from_data(library._compiled_object)
    code = [section.data().hex() for section in machine.sections() if section.is_text()]
print(json.dumps([compiled, list(x), code]))
"""


def compiled(folder: Path, order: str, *arguments: str) -> tuple[list[str], list[float], list[str]]:
    """Kernels that were compiled, in this order; their results; the machine code."""
    script, cache = folder / "script.py", folder / "-".join(("cache", order, *map(os.path.basename, arguments)))
    script.write_text(CALLS, encoding="utf-8")
    with run_script(script, cache, order, *arguments) as process:
        assert process.wait() == 0, process.err
        assert process.err == ""
        kernels, numbers, code = json.loads(process.out)
    return kernels, numbers, code


def test_kernels_are_compiled_from_the_last_call_of_the_last_on_and_are_the_same(tmp_path: Path) -> None:
    forward = compiled(tmp_path, "in order")
    backward = compiled(tmp_path, "from the end")
    assert forward[0] == ["first", "number", "lowest", "last", "whole"]
    assert backward[0] == ["number", "first", "lowest", "last", "whole"]  # the factor of the last must be known
    assert forward[1] == backward[1]
    assert forward[2] == backward[2] != []


def test_what_another_process_has_compiled_meanwhile_is_taken_from_there(tmp_path: Path) -> None:
    """Its files appear when the first lock is requested, after the types within a kernel have been determined."""
    forward = compiled(tmp_path, "in order")
    backward = compiled(tmp_path, "from the end", str(tmp_path / "cache-in order"))
    assert backward[0] == []
    assert forward[1] == backward[1]


RUN = """
import json
import chaindrive as cd
from chaindrive.simulation import compiling_ahead
from chaindrive.kernels.cache import KernelFiles

compiled, started = [], []
saved, begun = KernelFiles.save, compiling_ahead.subprocess.Popen
def save(files, key, data):
    compiled.append(files.name)
    saved(files, key, data)
def begin(*arguments, **named):
    process = begun(*arguments, **named)
    started.append(process.pid)
    return process
KernelFiles.save, compiling_ahead.subprocess.Popen = save, begin
compiling_ahead._cores = lambda: 2
solution = cd.simulate("two-legs-46x16", 1e-3, formulation="block", progress=False)
numbers = solution.values("span_tension")[-1].tolist()
print(json.dumps([len(compiled), started, numbers]))
"""


def simulated(folder: Path, cache: Path) -> tuple[int, list[int], list[float]]:
    """Number of kernels that the run compiled itself, its helpers, and its results."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache), SWITCH: "1"}
    line = [sys.executable, "-c", RUN]
    done = subprocess.run(line, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    own, helpers, numbers = json.loads(done.stdout)
    return own, helpers, numbers


LOADED = """
import json, os
import chaindrive as cd
from chaindrive.kernels.cache import KernelFiles, files_read
from chaindrive.simulation import compiling_ahead

compiled = []
saved = KernelFiles.save
def save(files, key, data):
    compiled.append(files.name)
    saved(files, key, data)
KernelFiles.save = save
drive = cd.example("two-legs-46x16").model_copy(update={"run": cd.example("two-legs-46x16").run.model_copy(
    update={"formulation": cd.model.BlockOptions()})})
for who in ("run", "helper", "run"):  # each in a process that has loaded no kernels
    if (child := os.fork()) == 0:
        if who == "helper":
            compiling_ahead._compile(drive)
        else:
            cd.simulate(drive, 1e-3, progress=False)
        print(json.dumps(compiled + [path.name.rsplit(".", 2)[0] for path in files_read()]), flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="fork")
def test_a_helper_needs_the_loop_of_its_run_and_no_other(tmp_path: Path) -> None:
    """Files that each reads from the cache shared by all tests, once it is complete."""
    line, environment = [sys.executable, "-c", LOADED], os.environ | {SWITCH: "0"}
    done = subprocess.run(line, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    _, helper, run = (set(json.loads(found)) for found in done.stdout.splitlines())
    assert any("advance" in name for name in helper)
    assert helper <= run


@pytest.mark.long
def test_a_run_loads_what_its_helper_compiles_and_has_none_when_nothing_is_missing(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    own, helpers, numbers = simulated(tmp_path, cache)
    assert len(helpers) == 1
    assert 0 < own < len(list(cache.rglob("*.nbc")))
    assert gone(helpers[0])
    assert simulated(tmp_path, cache) == (0, [], numbers)
    alone = cd.simulate("two-legs-46x16", 1e-3, formulation="block", progress=False)
    assert alone.values("span_tension")[-1].tolist() == numbers


def test_a_helper_that_fails_is_no_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    helpers: list[subprocess.Popen[bytes]] = []
    begin = subprocess.Popen

    def begin_wrongly(line: list[str], **named: Any) -> subprocess.Popen[bytes]:
        helpers.append(begin([*line[:3], "no.such.module"], **named))
        return helpers[-1]

    monkeypatch.setattr(subprocess, "Popen", begin_wrongly)
    monkeypatch.setattr(compiling_ahead, "_cores", lambda: 2)
    monkeypatch.setenv(SWITCH, "1")
    drive = cd.example("industrial-08b")
    with helped(drive, drive.run):
        say_missing()
        (helper,) = helpers
        assert helper.wait(30.0) == 1
        solution = cd.simulate(drive, 1e-3, formulation="block", progress=False)
    assert solution.status == cd.Status.REACHED_END


def gone(pid: int, within: float = 10.0) -> bool:
    """Whether a process ends soon."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        status = Path(f"/proc/{pid}/status")
        if status.is_file() and "State:\tZ" in status.read_text(encoding="ascii"):
            return True  # ended, and its new parent does not look
        time.sleep(0.05)
    return False


WAITING = """
import signal, sys, time
import chaindrive as cd
from chaindrive.simulation import compiling_ahead
from chaindrive.kernels.cache import say_missing

signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored in what a shell began in the background
compiling_ahead._cores = lambda: 2
begun = compiling_ahead.subprocess.Popen
def begin(*arguments, **named):
    process = begun(*arguments, **named)
    print(process.pid, flush=True)
    return process
compiling_ahead.subprocess.Popen = begin
drive = cd.example("6l60mc")
with compiling_ahead.helped(drive, drive.run):
    say_missing()
    time.sleep(60.0)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL", pytest.param("SIGTERM", marks=pytest.mark.long)])
def test_a_helper_ends_with_its_run_however_that_ends(tmp_path: Path, name: str) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), SWITCH: "1"}
    line = [sys.executable, "-c", WAITING]
    with subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        helper = int(process.stdout.readline())
        time.sleep(0.2)
        os.kill(helper, 0)  # it is there
        process.send_signal(getattr(signal, name))
        process.wait(timeout=30.0)
        assert gone(helper)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Command lines of the processes to be started; none is started."""
    lines: list[object] = []

    def begin(line: object, **_: object) -> None:
        lines.append(line)
        raise OSError("no process can be started")

    monkeypatch.setattr(subprocess, "Popen", begin)
    monkeypatch.setattr(compiling_ahead, "_cores", lambda: 2)
    monkeypatch.setenv(SWITCH, "1")
    return lines


def missing_twice() -> None:
    drive = cd.example("6l60mc")
    with helped(drive, drive.run):
        say_missing()
        say_missing()
    say_missing()


def test_one_helper_is_begun_for_a_run(begun: list[object]) -> None:
    """Failure to start it does not matter."""
    missing_twice()
    missing_twice()
    assert len(begun) == 2


def test_runs_of_one_process_at_the_same_time_share_a_helper(begun: list[object]) -> None:
    drive = cd.example("6l60mc")
    with helped(drive, drive.run):
        missing_twice()
    assert len(begun) == 1


@pytest.mark.parametrize("why", ["switched off", "one core", "a worker", "an application", "no locks"])
def test_no_helper_where_it_has_no_core_to_itself_or_is_not_wanted(
    begun: list[object], monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    if why == "switched off":
        monkeypatch.setenv(SWITCH, "0")
    elif why == "one core":
        monkeypatch.setattr(compiling_ahead, "_cores", lambda: 1)
    elif why == "a worker":
        monkeypatch.setattr(multiprocessing, "parent_process", lambda: object())
    elif why == "an application":
        monkeypatch.setattr(sys, "executable", "/opt/drawing/drawing")
    else:
        monkeypatch.setattr(compiling_ahead, "can_share", lambda: False)
    missing_twice()
    assert begun == []


def test_workers_of_a_study_have_no_helpers() -> None:
    """Nor have other programs that they start."""
    from chaindrive.studies import pools

    before = os.environ.pop(SWITCH, None)
    try:
        with pools._quiet_start():
            assert os.environ[SWITCH] == "0"
        assert SWITCH not in os.environ
    finally:
        if before is not None:
            os.environ[SWITCH] = before

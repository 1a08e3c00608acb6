"""Examples as FMUs: size, time to build, numbers and time of a step compared with our own runs, three importers, Wine.

    python docs/validation/fmu.py [--write] [--windows] [NAMES ...]

``--write`` makes ``fmu.md`` next to this file. ``--windows`` also links libraries for Windows and runs them under Wine;
both Wine and ziglang must be installed. Needs fmpy, pythonfmu, pythonfmu3, gcc, and fmucontainer (pip install
fmu-manipulation-toolbox). Takes half an hour, most of it compiling. NAMES: examples, and others of CASES; default: all.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from _made import kept, kept_folder, made

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import fmpy  # noqa: E402
import fmpy.validation  # noqa: E402

import chaindrive as cd  # noqa: E402
from chaindrive.fmu.build import prepared, write_fmu  # noqa: E402
from chaindrive.kernels.cache import cache_folder  # noqa: E402
from chaindrive.model import override  # noqa: E402
from support.fmus import OwnRun, opened  # noqa: E402

PAGE = HERE / "fmu.md"
SUPPORT = ROOT / "tests" / "support"
NAMES = ("timing-06b", "v6-timing", "motor-08b", "bicycle-50x19")
RIGID, REVOLUTE = {"contacts": "rigid"}, {"kind": "link", "joint": "revolute"}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "rigid rollers": ("industrial-08b", {"run.formulation": {"kind": "roller"} | RIGID}),
    "rigid links": (
        "industrial-08b",
        {"run.formulation": {"kind": "link"} | RIGID, "run.solver.method": "nonsmooth-alpha"},
    ),
    "rigid links, revolute joints": (
        "industrial-08b",
        {"run.formulation": REVOLUTE | RIGID, "chain.joint_clearance": 0.0},
    ),
    "variator": ("cvt-63", {}),
    "in space": ("misaligned-08b", {}),
    "stages": ("tandem", {}),
    "rotors": ("pump-10b", {}),
    "stages, modules": ("tandem", {"run.solver.method": "modular"}),
    "modules": ("timing-06b", {"run.formulation": {"kind": "roller"}, "run.solver.method": "modular"}),
} | {
    f"{kind}, {method}": ("industrial-08b", {"run.formulation": {"kind": kind}, "run.solver.method": method})
    for kind, method in (
        ("block", "generalized-alpha"),
        ("block", "adams"),
        ("block", "dormand-prince-853"),
        ("roller", "dormand-prince"),
        ("roller", "splitting"),
        ("link", "verlet"),
    )
}
"""Other formulations and methods, in short runs: an example and its changes."""
OF_CASES = (
    "Stages that are integrated as modules need elastic shafts, as in our own runs; rigid shafts are refused with a "
    "message that names them.",
)
STEP, STEPS, ROUNDS, CALLS = 1e-4, 200, 5, 1000
"""Communication step [s], steps of a comparison, rounds for timing, number of random calls."""
MOMENT = 25
"""Communication steps of a short run."""


class Times(NamedTuple):
    """Times of the same steps. [s]"""

    fmu: float
    own: float


def measured(name: str, windows: bool) -> dict[str, Any]:
    """All results for one example."""
    with tempfile.TemporaryDirectory() as folder:
        return _measured(name, windows, Path(folder))


def _measured(name: str, windows: bool, folder: Path) -> dict[str, Any]:
    drive = cd.example(name)
    prepared(drive)  # loads or compiles what a run needs
    for path in cache_folder().glob("emitted.*"):
        path.unlink()
    platforms = ("linux64", "win64") if windows else ("linux64",)
    seconds = []
    for _ in range(2):
        begun = time.perf_counter()
        written = write_fmu(drive, folder / "2.fmu", overwrite=True)
        seconds.append(time.perf_counter() - begun)
    three = write_fmu(drive, folder / "3.fmu", version="3.0", platforms=platforms)
    invalid = [len(fmpy.validation.validate_fmu(str(each.path))) for each in (written, three)]
    run = _beside(drive, folder, written.path)
    count = sum(each.causality == "output" for each in three.model.variables)
    rows = _importer(three, folder, "linux")
    found = {
        "formulation": written.model.facts["formulation"],
        "method": written.model.facts["method"],
        "states": len(prepared(drive).system.state),
        "bytes": written.path.stat().st_size,
        "seconds": seconds,
        "invalid": invalid,
        "outputs": count,
        "importer_equal": bool(np.array_equal(rows[:, 1:], run["rows"])),
        "container_equal": [
            bool(np.array_equal(_in_container(each.path, folder), run["rows"])) for each in (written, three)
        ],
        "random_steps": _random_calls(three, folder),
    } | {key: value for key, value in run.items() if key != "rows"}
    if windows:
        wine = _importer(three, folder, "windows")
        scale = np.abs(rows[:, 1:]).max(axis=0)
        whole = scale > 1e-9 * scale.max()
        found["windows"] = float((np.abs(wine - rows)[:, 1:].max(axis=0)[whole] / scale[whole]).max())
    return found


def stepped_by_python(name: str) -> dict[str, Any]:
    """Results for an example as an FMU that runs in the importer's Python, compared with our own run."""
    drive = cd.example(name)
    prepared(drive)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        begun = time.perf_counter()
        written = write_fmu(drive, folder / "2.fmu", python=True)
        middle = time.perf_counter()
        three = write_fmu(drive, folder / "3.fmu", version="3.0", python=True)
        invalid = [len(fmpy.validation.validate_fmu(str(each.path))) for each in (written, three)]
        opening = time.perf_counter()
        opened(folder / "one")(written.path).close()
        found = {"seconds": [middle - begun, time.perf_counter() - opening], "bytes": written.path.stat().st_size}
        found |= {key: value for key, value in _beside(drive, folder, written.path).items() if key != "rows"}
        unpacked = folder / "unpacked"
        with zipfile.ZipFile(three.path) as archive:
            archive.extractall(unpacked)
        return found | {"invalid": invalid, "random_steps": _random_calls(three, unpacked, unpacked / "resources")}


def tried(name: str) -> dict[str, Any]:
    """Results for a short run of one of CASES as an FMU, compared with our own run."""
    example, changes = CASES[name]
    drive = override(cd.example(example), changes) if changes else cd.example(example)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        written = write_fmu(drive, folder / "case.fmu")
        fmu, own = opened(folder)(written.path), OwnRun(prepared(drive))
        found, expected = [fmu.start()], [own.to(0.0, fmu.outputs)]
        found += [fmu.step(k * STEP, STEP) for k in range(MOMENT)]
        expected += [own.to(k * STEP + STEP, fmu.outputs) for k in range(MOMENT)]
        state = fmu.state()
        ahead = [fmu.step((MOMENT + k) * STEP, STEP) for k in range(MOMENT)]
        fmu.put_back(state)
        back = np.array_equal(ahead, [fmu.step((MOMENT + k) * STEP, STEP) for k in range(MOMENT)])
        fmu.close()
        return {
            "formulation": written.model.facts["formulation"],
            "method": written.model.facts["method"],
            "bytes": written.path.stat().st_size,
            "difference": _difference(np.array(found), np.array(expected)),
            "steps": own.integrator.statistics.steps,
            "back": back,
        }


def _difference(found: Any, expected: Any) -> float:
    """The largest difference over all instants and outputs, relative to the largest value of each output. [-]"""
    scale = np.maximum(np.abs(expected).max(axis=0), 1e-12)
    return float((np.abs(found - expected).max(axis=0) / scale).max())


def _beside(drive: Any, folder: Path, path: Path) -> dict[str, Any]:
    """Compare the FMU with our own run: largest difference, times of the steps, return to a state."""
    difference, times, rows, back = 0.0, [], np.zeros(0), True
    for number in range(ROUNDS):
        fmu = opened(folder / f"round{number}")(path)
        own = OwnRun(prepared(drive))
        own.integrator.compile()
        found, expected = [fmu.start()], [own.to(0.0, fmu.outputs)]
        begun = time.perf_counter()
        found += [fmu.step(k * STEP, STEP) for k in range(STEPS)]
        middle = time.perf_counter()
        expected += [own.to(k * STEP + STEP, fmu.outputs) for k in range(STEPS)]
        times.append(Times(middle - begun, time.perf_counter() - middle))
        rows = np.array(found)
        difference = max(difference, _difference(rows, np.array(expected)))
        state = fmu.state()
        ahead = [fmu.step((STEPS + k) * STEP, STEP) for k in range(20)]
        fmu.put_back(state)
        back &= np.array_equal(ahead, [fmu.step((STEPS + k) * STEP, STEP) for k in range(20)])
        steps = own.integrator.statistics.steps
        fmu.close()
    return {
        "difference": difference,
        "fmu": min(each.fmu for each in times),
        "own": min(each.own for each in times),
        "steps": steps,
        "back": bool(back),
        "rows": rows,
    }


def _importer(written: Any, folder: Path, system: str) -> Any:
    """Rows written by the importer in C: time and outputs at every communication point."""
    headers = Path(fmpy.__file__).parent / "c-code"
    program = folder / ("importer.exe" if system == "windows" else "importer")
    if system == "windows":
        command = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu"]
    else:
        command = ["gcc"]
    subprocess.run(
        [*command, "-O1", "-w", "-I", str(headers), str(SUPPORT / "fmu_importer.c"), "-o", str(program)], check=True
    )
    with zipfile.ZipFile(written.path) as archive:
        archive.extractall(folder)
    (library,) = folder.glob(f"binaries/x86_64-{system}/*")
    model = written.model
    run = [str(program), str(library), "3.0", model.token, str(STEP), str(STEPS), str(len(model.variables))]
    if system == "windows":
        wine = shutil.which("wine64") or shutil.which("wine") or "/usr/lib/wine/wine64"
        run = [wine, *run]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    return np.array([[float(cell) for cell in line.split()] for line in done.stdout.splitlines()])


def _in_container(path: Path, folder: Path) -> Any:
    """Outputs at every communication point of the FMU inside a container of fmucontainer, whose C code imports it."""
    wanted = {"name": f"in-container-{path.name}", "fmu": [path.name], "step_size": STEP}
    (folder / "container.json").write_text(json.dumps(wanted))
    command = ["fmucontainer", "-fmu-directory", str(folder), "-container", "container.json"]
    subprocess.run(command, check=True, capture_output=True)
    fmu = opened(folder / f"container-{path.stem}")(folder / f"in-container-{path.name}")
    rows = np.array([fmu.start(), *(fmu.step(k * STEP, STEP) for k in range(STEPS))])
    fmu.close()
    return rows


def _random_calls(written: Any, folder: Path, resources: Path | None = None) -> int:
    """Number of steps made during random calls, by a process that ended normally. resources: for an FMU that needs
    them.
    """
    (library,) = folder.glob("binaries/x86_64-linux/*")
    model = written.model
    command = [sys.executable, str(SUPPORT / "random_calls.py"), str(library), "3.0", model.token]
    command += [str(len(model.variables)), str(CALLS), *(["1", str(resources)] if resources else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout)


def page(results: dict[str, dict[str, Any]]) -> str:
    """The page, in Markdown."""
    windows = any("windows" in each for each in results.values())
    names = "" if tuple(results) == (*NAMES, *CASES) else f" {' '.join(map(shlex.quote, results))}"
    examples = {name: each for name, each in results.items() if name not in CASES}
    cases = {name: each for name, each in results.items() if name in CASES}
    command = f"python docs/validation/fmu.py --write{' --windows' if windows else ''}{names}"
    beside = ["example", "formulation, method", "states", "size", "built", "again", "difference", "step of the FMU"]
    lines = [
        "# Drives as FMUs",
        "",
        f"This page is written by `{command}`; it was {made()}, on two cores shared with other work.",
        "",
        "The table covers examples that were exported by `chaindrive fmu` ([guide](../guide/fmu.md)) for x86-64, "
        f"with their own method and default outputs, and advanced by {STEPS} steps of {1e3 * STEP:g} ms. *Own run*: "
        f"our integrator, called from Python, whose steps end at the same times. *Difference*: the largest "
        f"difference over all outputs and times, relative to the largest value of each output.",
        "",
        *_table_head([*beside, "own run", "FMU / own"], left=2),
        *(_numbers(name, each) for name, each in examples.items()),
        "",
        "*Built*: time to build the FMU when the loop is compiled, as for the first FMU of its kind; *again*: time "
        f"with the object code that was kept. The time of a step is the mean over {STEPS} communication steps, with "
        f"all calls, in the fastest of {ROUNDS} rounds.",
        "",
        *_table_head(
            [
                "example",
                "problems found by FMPy (2.0, 3.0)",
                "importer in C compared with FMPy",
                "in FMUContainer (2.0, 3.0)",
                "return to a state",
                f"{CALLS} random calls",
                *(["Windows under Wine"] if windows else []),
            ],
            left=7,
        ),
        *(_checks(name, each, windows) for name, each in examples.items()),
        "",
        "FMPy runs the FMU in version 2.0, the importer in C (`tests/support/fmu_importer.c`) in version 3.0. "
        "*FMUContainer*: the FMU inside a container made by `fmucontainer`, which its compiled importer runs, "
        "compared with FMPy",
        "([FMU Manipulation Toolbox](https://pypi.org/project/fmu-manipulation-toolbox/)). OMSimulator and PyFMI, "
        "which need additional software besides their packages, and OpenModelica, for which no package was "
        "available, could not be installed.",
    ]
    if windows:
        lines += [
            "*Windows under Wine*: the largest difference from Linux, divided by the largest value of each output; "
            "it arises because functions of the C library (sine, powers) round differently there. Outputs that are "
            "zero except for rounding are omitted.",
        ]
    if examples:
        lines += [
            "",
            "## Stepped by the importer's Python",
            "",
            "The table covers the same examples, exported by `chaindrive fmu NAME --python` for tools with a Python "
            "in which chaindrive is installed, and imported by FMPy. *Opened*: time to create an instance, including "
            "the start of the drive.",
            "",
            *_table_head([*PYTHON_COLUMNS, f"{CALLS} random calls"], left=1),
            *(_by_python(name, each["python"]) for name, each in examples.items()),
            "",
            "The file has nearly the same size for every drive, because it consists mainly of the libraries of "
            "pythonfmu for Linux and Windows; only the text of the drive differs. Random calls do not pass null "
            "pointers, which crash that library. The file has "
            "not been run on",
            "Windows.",
        ]
    if cases:
        lines += [
            "",
            "## Formulations and methods",
            "",
            f"The table covers runs of {MOMENT} communication steps with the formulations and methods that an FMU "
            f"can contain. An FMU can contain all methods except `bdf` and `ida`, which need an external library.",
            "",
            *_table_head(
                [
                    "",
                    "example",
                    "formulation, method",
                    "size",
                    "steps",
                    "compared with our own run",
                    "return to a state",
                ],
                left=3,
            ),
            *(_case(name, each) for name, each in cases.items()),
            "",
            *OF_CASES,
        ]
    return "\n".join(lines) + "\n"


PYTHON_COLUMNS = (
    "example",
    "size",
    "written",
    "opened",
    "difference",
    "step / own",
    "problems found by FMPy (2.0, 3.0)",
    "return to a state",
)


def _by_python(name: str, r: dict[str, Any]) -> str:
    written, instance = r["seconds"]
    cells = [f"`{name}`", f"{r['bytes'] / 1e3:.0f} kB", f"{written:.1f} s", f"{instance:.1f} s"]
    cells += [_told(r["difference"]), f"{r['fmu'] / r['own']:.2f}", f"{r['invalid'][0]}, {r['invalid'][1]}"]
    cells += ["bit for bit" if r["back"] else "different", f"no crash, {r['random_steps']} steps"]
    return f"| {' | '.join(cells)} |"


def _case(name: str, r: dict[str, Any]) -> str:
    cells = [name, f"`{CASES[name][0]}`", f"{r['formulation']}, {r['method']}", f"{r['bytes'] / 1e3:.0f} kB"]
    cells += [str(r["steps"]), _told(r["difference"]), "bit for bit" if r["back"] else "different"]
    return f"| {' | '.join(cells)} |"


def _told(difference: float) -> str:
    return f"{difference:.1e}" if difference else "0, bit for bit"


def _table_head(names: list[str], left: int) -> list[str]:
    """The two lines of a table's head; the first columns are aligned to the left."""
    return [f"| {' | '.join(names)} |", f"|{'|'.join(':--' if k < left else '--:' for k in range(len(names)))}|"]


def _numbers(name: str, r: dict[str, Any]) -> str:
    first, again = r["seconds"]
    fmu, own = (1e6 * r[which] / r["steps"] for which in ("fmu", "own"))
    cells = [f"`{name}`", f"{r['formulation']}, {r['method']}", str(r["states"]), f"{r['bytes'] / 1e3:.0f} kB"]
    cells += [f"{first:.0f} s", f"{again:.1f} s", _told(r["difference"])]
    return f"| {' | '.join([*cells, f'{fmu:.1f} µs', f'{own:.1f} µs', f'{fmu / own:.2f}'])} |"


def _checks(name: str, r: dict[str, Any], windows: bool) -> str:
    same = {True: "bit for bit", False: "different"}
    cells = [f"`{name}`", f"{r['invalid'][0]}, {r['invalid'][1]}", same[r["importer_equal"]]]
    cells += [", ".join(same[each] for each in r["container_equal"]), same[r["back"]]]
    cells.append(f"no crash, {r['random_steps']} steps")
    if windows:
        cells.append(f"{r['windows']:.1e}" if "windows" in r else "")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--windows", action="store_true")
    parser.add_argument("names", nargs="*", default=[*NAMES, *CASES])
    given = parser.parse_args()
    folder = kept_folder("fmu")
    results = {}
    for name in given.names:
        if name in CASES:
            results[name] = kept(folder / f"{name}.json", lambda n=name: tried(n))
        else:
            results[name] = kept(
                folder / f"{name}{'-windows' * given.windows}.json", lambda n=name: measured(n, given.windows)
            )
            results[name]["python"] = kept(folder / f"{name}-python.json", lambda n=name: stepped_by_python(n))
        print(name, json.dumps(results[name]), flush=True)
    if given.write:
        PAGE.write_text(page(results), encoding="utf-8")
    else:
        print(page(results))


if __name__ == "__main__":
    main()

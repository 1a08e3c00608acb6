"""Code shared by all benchmarks: paired repeats with medians, the description of the machine, rows of the table."""

from __future__ import annotations

import argparse
import contextlib
import datetime
import importlib.metadata
import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

__all__ = ["README", "Cost", "Row", "Script", "Section", "machine", "markdown", "own_kernels", "paired"]

README = Path(__file__).resolve().parent / "README.md"

PACKAGES = (
    "chaindrive",
    "numba",
    "llvmlite",
    "numpy",
    "scipy",
    "scikit-sundae",
    "h5py",
    "exudyn",
    "mujoco",
    "quantecon",
)


class Cost(NamedTuple):
    """Medians over the repeats of one measurement."""

    cpu: float
    """Process time of all threads. [s]"""
    wall: float
    """[s]"""
    repeats: tuple[float, ...]
    """Process time of every repeat. [s]"""

    @property
    def spread(self) -> str:
        """Deviations of the smallest and largest repeat from the median, as fractions of it."""
        if len(self.repeats) < 2 or self.cpu <= 0.0:
            return ""
        low, high = min(self.repeats) / self.cpu - 1.0, max(self.repeats) / self.cpu - 1.0
        return f"{100.0 * low:+.0f} / {100.0 * high:+.0f} %"


class Row(NamedTuple):
    """One line of the table of results."""

    what: str
    value: float
    unit: str
    limit: float | None = None
    """Target of the project; None without a target."""
    at_least: bool = False
    """Whether larger values are better."""
    remark: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the limit is met; None if there is no limit."""
        if self.limit is None:
            return None
        return self.value >= self.limit if self.at_least else self.value <= self.limit


class Section(NamedTuple):
    """One part of the benchmark."""

    title: str
    rows: Sequence[Row]
    remarks: Sequence[str] = ()
    table: Sequence[Sequence[str]] = ()
    """A separate table, with its header first."""


def paired(things: dict[str, Callable[[], Any]], repeats: int) -> dict[str, Cost]:
    """Cost of every measurement; all are made once in every round, so that a disturbance affects them equally.

    Every second round runs in reverse order. Nothing is warmed up here: call a function once beforehand if it compiles.
    """
    cpu: dict[str, list[float]] = {name: [] for name in things}
    wall: dict[str, list[float]] = {name: [] for name in things}
    names = list(things)
    for turn in range(repeats):
        for name in names if turn % 2 == 0 else reversed(names):
            begun, used = time.perf_counter(), time.process_time()
            things[name]()
            cpu[name].append(time.process_time() - used)
            wall[name].append(time.perf_counter() - begun)
    return {name: Cost(median(cpu[name]), median(wall[name]), tuple(cpu[name])) for name in names}


@contextlib.contextmanager
def own_kernels() -> Iterator[None]:
    """Compile all kernels in this process: operations are counted in intermediate code, which no file keeps."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"NUMBA_CACHE_DIR": folder, "CHAINDRIVE_COMPILE_AHEAD": "0"}
        yield


class Script(NamedTuple):
    """A benchmark of several parts, whose results are in README.md between two marks."""

    doc: str
    parts: dict[str, Callable[[bool], Section]]
    begin: str
    end: str

    def main(self, arguments: list[str] | None = None) -> int:
        """Measure, print, and write the README; the exit code is 1 if a part failed (a missed limit is a result)."""
        parser = argparse.ArgumentParser(description=self.doc, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--quick", action="store_true", help="short and coarse, only prints")
        parser.add_argument("--only", nargs="+", choices=list(self.parts), help="these parts only, only prints")
        parser.add_argument("--no-readme", action="store_true", help="leave README.md alone")
        chosen = parser.parse_args(arguments)
        facts = machine()
        begun = time.perf_counter()
        sections = [self._measured(name, chosen.quick) for name in chosen.only or self.parts]
        facts["duration"] = f"{time.perf_counter() - begun:.0f} s"
        results = markdown(sections, facts)
        print(results)
        if not (chosen.quick or chosen.only or chosen.no_readme):
            self.write_readme(results)
            print(f"written: {README}", file=sys.stderr)
        missed = [row.what for section in sections for row in section.rows if row.met is False]
        if missed:
            print("missed: " + "; ".join(missed), file=sys.stderr)
        return 1 if any(section.title.endswith(": failed") for section in sections) else 0

    def write_readme(self, results: str, readme: Path = README) -> None:
        """Put the results between the two marks."""
        put_between(readme, self.begin, self.end, results)

    def _measured(self, name: str, quick: bool) -> Section:
        """Result of one part, or a message if it fails."""
        begun = time.perf_counter()
        print(f"{name} ...", file=sys.stderr, flush=True)
        try:
            return self.parts[name](quick)
        except Exception as error:
            traceback.print_exc()
            return Section(f"{name}: failed", [], [f"{type(error).__name__}: {error}"])
        finally:
            print(f"{name}: {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)


def put_between(readme: Path, begin: str, end: str, results: str) -> None:
    """Replace the text between two marks in a file by the results."""
    before, rest = readme.read_text(encoding="utf-8").split(begin, 1)
    _, after = rest.split(end, 1)
    readme.write_text(f"{before}{begin}\n\n{results}\n{end}{after}", encoding="utf-8")


def machine() -> dict[str, str]:
    """Date, processor, load and versions."""
    facts = {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
    }
    if hasattr(os, "getloadavg"):
        facts["load average at the start"] = "{:.2f} {:.2f} {:.2f} (1, 5, 15 min)".format(*os.getloadavg())
    versions = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    facts["versions"] = ", ".join(versions)
    return facts


def _processor() -> str:
    name = platform.processor() or platform.machine()
    try:
        import llvmlite.binding

        name = f"{name} ({llvmlite.binding.get_host_cpu_name()})"
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return f"{line.split(':', 1)[1].strip()} ({llvmlite.binding.get_host_cpu_name()})"
    except OSError:
        pass
    return name


def markdown(sections: Sequence[Section], facts: dict[str, str]) -> str:
    """The results as Markdown."""
    lines = [f"- {name}: {value}" for name, value in facts.items()]
    for section in sections:
        lines += ["", f"### {section.title}", ""]
        if section.rows:
            lines += ["| what | measured | target | met | remark |", "|---|---:|---:|:---:|---|"]
            lines += [_line(row) for row in section.rows]
        if section.table:
            lines += [f"| {' | '.join(line)} |" for line in section.table]
            lines.insert(len(lines) - len(section.table) + 1, "|---" + "|---:" * (len(section.table[0]) - 1) + "|")
        if section.remarks:
            lines += ["", *(f"- {remark}" for remark in section.remarks)]
    return "\n".join(lines) + "\n"


def _line(row: Row) -> str:
    wanted, kept = "", ""
    if row.limit is not None:
        wanted = f"{'at least' if row.at_least else 'at most'} {row.limit:g} {row.unit}"
        kept = "yes" if row.met else "**no**"
    return f"| {row.what} | {_number(row.value)} {row.unit} | {wanted} | {kept} | {row.remark} |"


def _number(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"

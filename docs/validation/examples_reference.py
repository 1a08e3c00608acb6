"""Statistics of every example with default settings, compared with those of a reference run with a quarter of the step.

    python docs/validation/examples_reference.py [--until 0.4] [--methods verlet] [--only NAME ...] [--write]

The statistics are means of the span tensions over the second half of the run, the largest link tension in this half,
and the losses of the whole run. The reference has the same force laws and a quarter of the longest step of the run; its
method is ``dormand-prince-853``, in space ``splitting``, for a CVT ``leapfrog``. ``--methods`` adds other methods.
``--write`` makes
``examples-reference.md``. A call that was interrupted is resumed by the next one: results are kept in
``build/validation/examples-reference``.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
from _made import kept, kept_folder, made, today
from _writing import options

import chaindrive as cd
from chaindrive.kernels.source import kernels_digest
from chaindrive.model import SolverOptions, example_names

HERE = Path(__file__).parent
PAGE, WHY = HERE / "examples-reference.md", HERE / "examples-reference-why.txt"
RATE = 11_113.0
"""Rows per second, a prime number, so that no tooth frequency is synchronous with them. [Hz]"""
FINER = 4.0
ALLOWED = 0.01
SMALL = 0.05
"""The difference of a loss below this fraction of the total loss is taken relative to this fraction. [-]"""
METHODS, IN_PLANE = {"spatial": "splitting", "cvt": "leapfrog"}, "dormand-prince-853"
"""Method of the reference for formulations that have only one, and for all others."""


def measured(name: str, until: float, method: str, finer: float) -> dict[str, Any]:
    """Results of an example by its own method (``""``) or another one, with a step shorter than the longest by a
    factor.
    """
    drive = cd.example(name)
    channels = ("span_tension", "link_tension")
    save = cd.SaveOptions(rate=RATE, channels=channels)
    options = drive.run.solver if not method else drive.run.solver.model_copy(update={"method": method})
    if finer > 1.0:
        short = cd.simulate(drive, 1e-3, save=save, solver=options)
        options = SolverOptions(**(options.model_dump() | {"step": short.statistics["largest_step"] / finer}))
    run = cd.simulate(drive, min(until, float(drive.run.until)), save=save, solver=options)
    half = slice(run.time.size // 2, run.time.size)
    spans = np.asarray(run.values("span_tension", half), dtype=np.float64).mean(axis=0)
    return {
        "status": run.status.name,
        "method": run.attrs["solver"],
        "step": float(run.statistics["mean_step"]),
        "spans": spans.tolist(),
        "peak": float(np.max(run.values("link_tension", half))),
        "losses": {key: float(value) for key, value in dict(run.audit.losses).items() if value},
        "residual": float(run.audit.relative_residual),
    }


def differences(found: dict[str, Any], reference: dict[str, Any]) -> tuple[float, float, float, str]:
    """Largest relative differences [-] of mean tensions (relative to the largest mean), of the peak and of the losses,
    and the name of this loss.
    """
    spans, of = np.array(found["spans"]), np.array(reference["spans"])
    mean = float(np.abs(spans - of).max() / np.abs(of).max())
    peak = abs(found["peak"] - reference["peak"]) / abs(reference["peak"])
    losses = reference["losses"]
    total = sum(losses.values())
    by_loss = {
        key: abs(found["losses"].get(key, 0.0) - value) / max(value, SMALL * total) for key, value in losses.items()
    }
    worst = max(by_loss, key=lambda key: by_loss[key]) if by_loss else ""
    return mean, peak, by_loss.get(worst, 0.0), worst


def page(rows: list[tuple[str, dict[str, Any], dict[str, Any]]], until: float) -> str:
    """The page, in Markdown."""
    origin = made(today(), cd.__version__, kernels_digest())
    lines = [
        "# The examples compared with a reference",
        "",
        f"This page is written by `python docs/validation/examples_reference.py --write`; it was {origin}.",
        "",
        f"The first {until:g} s of each example are run twice: with default settings, and with steps a quarter as "
        f"long by `dormand-prince-853` (in space by `splitting`, for a CVT by `leapfrog`). The table gives the "
        f"differences, in per cent: in the mean tensions of the spans in the second half (the largest difference, "
        f"relative to the largest mean), in the largest link tension in the second half, and in the losses of the "
        f"whole run (the largest difference of an individual loss, relative to this loss or to {100 * SMALL:g} % of "
        f"the total loss). Differences beyond {100 * ALLOWED:g} % are bold.",
        "",
        "| example | method | mean step [us] | mean | peak | losses | largest for | balance |",
        "|:--|:--|--:|--:|--:|--:|:--|--:|",
    ]
    for name, found, reference in rows:
        mean, peak, loss, which = differences(found, reference)
        cells = [f"**{100 * x:.2f}**" if x > ALLOWED else f"{100 * x:.2f}" for x in (mean, peak, loss)]
        lines.append(
            f"| {name} | {found['method']} | {1e6 * found['step']:.2f} | {' | '.join(cells)} | "
            f"{which.replace('_', ' ')} | {found['residual']:.1e} |"
        )
    if WHY.exists():
        lines += ["", WHY.read_text(encoding="utf-8").strip()]
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure, keep, and write the page."""
    parser = options(__doc__, PAGE)
    parser.add_argument("--until", type=float, default=0.4, help="time simulated [s]")
    parser.add_argument("--methods", nargs="*", default=[], help="methods besides that of the example")
    parser.add_argument("--only", nargs="+", help="these examples")
    asked = parser.parse_args()
    folder, rows = kept_folder("examples-reference"), []

    def taken(name: str, method: str, finer: float) -> dict[str, Any]:
        file = folder / f"{name}-{asked.until:g}-{method or 'own'}-{finer:g}.json"
        return dict(kept(file, functools.partial(measured, name, asked.until, method, finer)))

    for name in asked.only or example_names():
        method_of = METHODS.get(cd.example(name).run.formulation.kind, IN_PLANE)
        reference = taken(name, method_of, FINER)
        for method in ["", *(asked.methods if method_of == IN_PLANE else [])]:
            found = taken(name, method, 1.0)
            rows.append((name, found, reference))
            mean, peak, loss, which = differences(found, reference)
            step = 1e6 * found["step"]
            print(f"{name:32s} {found['method']:16s} {step:6.2f} us {100 * mean:6.2f} {100 * peak:6.2f} "
                  f"{100 * loss:6.2f} {which} {found['status']}", flush=True)  # fmt: skip
    if asked.write:
        PAGE.write_text(page(rows, asked.until), encoding="utf-8")


if __name__ == "__main__":
    main()

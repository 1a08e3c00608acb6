"""The commands of the command line with their arguments and options.

Each imports what it needs when it is called, because ``chaindrive --version`` must not wait for a compiler.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from chaindrive.cli import completion
from chaindrive.plot_names import PLOT_NAMES
from chaindrive.version import __version__

__all__ = ["app"]

app = typer.Typer(
    name="chaindrive",
    help="Simulate the dynamics of chain drives: link tensions, contact forces, span vibration, losses.",
    epilog="A first try: chaindrive run 6l60mc --until 2",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
examples_app = typer.Typer(help="List the drives that come with chaindrive, or copy one.", invoke_without_command=True)
app.add_typer(examples_app, name="examples")

DriveFile = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help="TOML file of a drive, or the name of an example.", autocompletion=completion.drives
    ),
]
ResultsFile = Annotated[
    str, typer.Argument(metavar="RUN.nc", help="A results file.", autocompletion=completion.results)
]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help='Change one value, such as wheels.0.motion.speed="90 rpm".'),
]
FormulationName = Annotated[
    str | None,
    typer.Option("--formulation", metavar="NAME", help="Formulation of the physics: roller, link, spatial, block."),
]


def _version(wanted: bool) -> None:
    if wanted:
        from chaindrive.kernels.source import kernels_digest

        typer.echo(f"chaindrive {__version__}, kernels {kernels_digest()}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=_version,
            help="Print the version and the digest of the kernels, and exit.",
        ),
    ] = False,
) -> None:
    pass


@examples_app.callback()
def _examples(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        from chaindrive.cli.examples import show

        show()


@examples_app.command("copy")
def _examples_copy(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of an example.", autocompletion=completion.drives)],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Folder to copy it into.")] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Replace a file with this name.")] = False,
) -> None:
    """Copy an example into the working folder, to edit it."""
    from chaindrive.cli.examples import copy

    copy(name, to, force)


@app.command("new")
def _new(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="[KIND]",
            help="Kind of drive. If omitted, it is requested at a terminal; without a terminal, the kinds are listed.",
            autocompletion=completion.kinds,
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write (default: KIND.toml).")
    ] = None,
    answers: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help='Answer a question, such as power="2 kW".'),
    ] = None,
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Do not prompt: values that are not set take their defaults.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a file with this name.")] = False,
) -> None:
    """Create the file of a new drive: ask for a few numbers, choose chain and sizes, write the file and draw it."""
    from chaindrive.cli.new import Wanted, at_terminal, kinds, new

    if kind is None and (defaults or not at_terminal()):
        kinds(defaults or output is not None or bool(answers))
    else:
        new(Wanted(kind, output, answers or [], defaults, force))


@app.command("edit")
def _edit(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="TOML file of a drive, which need not exist yet."),
    ] = None,
    port: Annotated[int | None, typer.Option("--port", help="Port of the page.")] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
) -> None:
    """Draw, edit, check and run a drive in a browser on this machine."""
    from chaindrive.cli.edit import Request, edit

    edit(Request(file, port, not no_browser))


@app.command("chains")
def _chains(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILTER]", help="Name of a chain (shows all its data), or parts of names, series, kinds."
        ),
    ] = None,
) -> None:
    """List the standard chains of the catalogue, or show all data of one, with sources and uncertainties."""
    from chaindrive.cli.chains import chains

    chains(" ".join(words) if words else None)


@app.command("keys")
def _keys(
    path: Annotated[
        str, typer.Argument(metavar="[PATH]", help="Path of a key or table in a drive's file, such as wheels.motion.")
    ] = "",
    search: Annotated[
        str | None,
        typer.Option("--search", metavar="WORD", help="List all keys with this word in their name or meaning."),
    ] = None,
) -> None:
    """Explain a key of a drive's file: type, unit, default, allowed values, formulations, keys below it."""
    from chaindrive.cli.keys import keys, search_keys

    keys(path) if search is None else search_keys(search)


@app.command("schema")
def _schema(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="[KIND]",
            help="drive or study, to print this schema; if omitted, both are written to files.",
            autocompletion=completion.schemas,
        ),
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", metavar="DIR", help="Folder to write into.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files with these names.")] = False,
) -> None:
    """Write the JSON Schemas of drive and study files, with which editors complete and check what is typed."""
    from chaindrive.cli.schema import Wanted, schema

    schema(Wanted(kind, to, force))


@app.command("check")
def _check(
    file: DriveFile,
    formulation: FormulationName = None,
    changes: Changes = None,
    draw: Annotated[
        Path | None, typer.Option("--draw", metavar="PATH", help="Where to draw the drive (default: FILE.png).")
    ] = None,
    no_draw: Annotated[bool, typer.Option("--no-draw", help="Do not draw it.")] = False,
    no_equilibrium: Annotated[
        bool, typer.Option("--no-equilibrium", help="Geometry only: skip the search for the static equilibrium.")
    ] = False,
) -> None:
    """Check a drive: geometry, wraps, chain length, preload, tensions at rest; and draw it."""
    from chaindrive.cli.check import Request, check

    check(Request(file, changes or [], draw, no_draw, no_equilibrium, formulation))


@app.command("analyze")
def _analyze(
    file: DriveFile,
    formulation: FormulationName = None,
    changes: Changes = None,
    orders: Annotated[
        str | None, typer.Option("--orders", metavar="LIST", help="Orders of the driver for critical speeds, as 1,2,6.")
    ] = None,
    tension: Annotated[
        str | None,
        typer.Option(
            "--tension",
            metavar="FORCE",
            help='Tension of the running spans, such as "19 kN": one value or one per span (default: at rest).',
        ),
    ] = None,
    stability_map: Annotated[
        Path | None,
        typer.Option("--stability-map", metavar="PATH", help="Plot where a fluctuating tension makes a span unstable."),
    ] = None,
    span: Annotated[
        int | None, typer.Option("--span", help="Number of the span of the stability map (default: 0).")
    ] = None,
    damping_ratio: Annotated[
        float | None,
        typer.Option(
            "--damping-ratio",
            metavar="RATIO",
            help="Damping ratio of the span's first mode in that map (default: 0.01).",
        ),
    ] = None,
) -> None:
    """Compute frequencies, critical speeds, stability, tooth loads and losses of a drive by analytical formulas."""
    from chaindrive.cli.analyze import analyze, map_request

    analyze(file, changes or [], orders, tension, map_request(stability_map, span, damping_ratio), formulation)


@app.command("run")
def _run(
    file: DriveFile,
    until: Annotated[
        str | None, typer.Option("--until", metavar="TIME", help='End of the run, such as 10 or "500 ms", or steady.')
    ] = None,
    at_most: Annotated[
        str | None,
        typer.Option("--at-most", metavar="TIME", help="With --until steady: no revolution is begun after this time."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="PATH", help="Results file (default: FILE.nc).")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Resume an interrupted run.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing results file.")] = False,
    formulation: FormulationName = None,
    solver: Annotated[
        str | None,
        typer.Option(
            "--solver",
            metavar="NAME",
            help="auto; dormand-prince, dormand-prince-853 or adams (adaptive), generalized-alpha, bdf or ida "
            "(implicit), verlet, verlet-beeman or splitting (with a fixed step), modular (chain and mechanism each "
            "by its own method), moreau-jean or nonsmooth-alpha (rigid contacts).",
        ),
    ] = None,
    step: Annotated[
        str | None, typer.Option("--step", metavar="TIME", help='Fixed step, or largest step, such as "2 us".')
    ] = None,
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="HOW", help="at_speed (chain already running) or at_rest (with the ramp)."),
    ] = None,
    save_rate: Annotated[
        str | None, typer.Option("--save-rate", metavar="RATE", help='Rows stored per second, such as "2 kHz".')
    ] = None,
    channels: Annotated[
        str | None, typer.Option("--channels", metavar="NAMES", help="standard, all, or names separated by commas.")
    ] = None,
    changes: Changes = None,
    picture: Annotated[
        Path | None,
        typer.Option("--picture", metavar="PATH", help="Also write a picture of the run."),
    ] = None,
    live: Annotated[
        bool,
        typer.Option(
            "--live", help="Show the run in a browser on this machine, and write its report at the end (FILE.html)."
        ),
    ] = False,
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", help="Port of the --live page (default: chosen by the system).")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="With --live, do not open a browser.")] = False,
    report: Annotated[bool, typer.Option("--report", help="Also write a report of the run (FILE.html).")] = False,
    opened: Annotated[bool, typer.Option("--open", help="Open that report in a browser.")] = False,
    repeat: Annotated[
        int | None,
        typer.Option("--repeat", metavar="N", help="Run N times from perturbed starts, to show how far peaks scatter."),
    ] = None,
    machines: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-machine", metavar="NAME", help="Allow this machine's FMU to run. It contains its author's code."
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show neither the forecast nor the progress.")] = False,
) -> None:
    """Simulate a drive and write a results file. Ctrl-C keeps the results so far."""
    from chaindrive.cli.live import live_request
    from chaindrive.cli.run import Request, run

    options = {
        "--until": until,
        "--at-most": at_most,
        "--formulation": formulation,
        "--solver": solver,
        "--step": step,
        "--start": start,
        "--save-rate": save_rate,
        "--channels": channels,
    }
    given = {name: value for name, value in options.items() if value is not None}
    shown = live_request(live, port, not no_browser)
    asked = report or opened, opened, repeat, tuple(machines or ()), quiet
    run(Request(file, output, resume, force, changes or [], picture, given, shown, *asked))


@app.command("reduce")
def _reduce(
    file: DriveFile,
    load: Annotated[
        str | None,
        typer.Option(
            "--load",
            metavar="TORQUE",
            help='Largest load on the last wheel without a prescribed motion, such as "40 N*m" (default: all loads of '
            "this wheel in the file, at their largest).",
        ),
    ] = None,
    speed: Annotated[
        str | None,
        typer.Option(
            "--speed", metavar="SPEED", help='Largest speed of the driver, such as "500 rpm" (default: its own).'
        ),
    ] = None,
    formulation: Annotated[
        str | None,
        typer.Option("--formulation", metavar="KIND", help="Formulation of the detailed runs, instead of the file's."),
    ] = None,
    loss_map: Annotated[
        bool,
        typer.Option("--loss-map", help="Map losses versus speed and tensions, from twelve runs instead of five."),
    ] = False,
    ripple: Annotated[
        bool,
        typer.Option(
            "--ripple",
            help="Also identify the polygonal action of tensions and lever arms, which repeats with the teeth.",
        ),
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="File to write (default: FILE-reduced.toml).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file with this name.")] = False,
    changes: Changes = None,
) -> None:
    """Identify a chain drive block from detailed runs of a drive, with its errors."""
    from chaindrive.cli.reduce import Request, reduce

    reduce(Request(file, changes or [], load, speed, formulation, loss_map, ripple, output, force))


@app.command("compare")
def _compare(
    file: DriveFile,
    formulations: Annotated[
        str,
        typer.Option(
            "--formulations",
            metavar="NAMES",
            help="Formulations, separated by commas, such as roller,roller-rigid or link,link-rigid (rigid contacts). "
            "The first is the reference for the others.",
        ),
    ] = "block,roller",
    until: Annotated[
        str | None, typer.Option("--until", metavar="TIME", help='End of the runs, such as 10 or "500 ms", or steady.')
    ] = None,
    at_most: Annotated[
        str | None,
        typer.Option("--at-most", metavar="TIME", help="With --until steady: no revolution is begun after this time."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="PATH",
            help="Report to write (default: FILE-formulations.html); results are written next to it as FILE-NAME.nc.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace existing results files.")] = False,
    changes: Changes = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="TABLE.csv", help="Also write the values of the table.")
    ] = None,
) -> None:
    """Run a drive in several formulations: one table that compares them, one report with all of them."""
    from chaindrive.cli.compare import Request, compare

    compare(Request(file, formulations, until, at_most, output, force, changes or [], data))


@app.command("sweep")
def _sweep(
    file: Annotated[
        str,
        typer.Argument(
            metavar="STUDY",
            help="TOML file of a study, or the name of an included study.",
            autocompletion=completion.studies,
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Folder of the study (default: STUDY-study).")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", help="Number of processes (default: one per core).")
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", metavar="ADDRESS", help="Scheduler of a dask.distributed cluster to compute on."),
    ] = None,
    restart: Annotated[bool, typer.Option("--restart", help="Recompute all runs.")] = False,
    changes: Changes = None,
    picture: Annotated[
        Path | None, typer.Option("--picture", metavar="PATH", help="Picture to write (default: DIR/picture.png).")
    ] = None,
) -> None:
    """Run a study: many runs in parallel, one table, one picture. Run again to resume an interrupted study."""
    from chaindrive.cli.study_display import Request
    from chaindrive.cli.sweep import sweep

    sweep(Request(file, output, workers, cluster, restart, changes or [], picture))


@app.command("info")
def _info(
    file: ResultsFile,
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="TIME", help="Start time of the part evaluated (default: the steady part)."),
    ] = None,
    stop: Annotated[str | None, typer.Option("--stop", metavar="TIME", help="End time of the part evaluated.")] = None,
) -> None:
    """Show the content of a results file: drive, ending, verdict, statistics, channels, energy balance."""
    from chaindrive.cli.info import info

    info(file, start, stop)


@app.command("plot")
def _plot(
    file: ResultsFile,
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help=f"Plot to draw: {', '.join(PLOT_NAMES)}.", autocompletion=lambda: list(PLOT_NAMES)
        ),
    ] = "overview",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="PATH", help="Picture to write (default: RUN-NAME.png).")
    ] = None,
    link: Annotated[int | None, typer.Option("--link", help="Number of the link.")] = None,
    span: Annotated[
        str | None, typer.Option("--span", metavar="NAME", help="Name or number of the span; span k follows wheel k.")
    ] = None,
    roller: Annotated[int | None, typer.Option("--roller", help="Number of the roller.")] = None,
    pin: Annotated[int | None, typer.Option("--pin", help="Number of the pin of a CVT chain.")] = None,
    channel: Annotated[
        str | None,
        typer.Option("--channel", metavar="NAME", help="Channel of a spectrum, such as span_tension or wheel_speed."),
    ] = None,
    index: Annotated[
        str | None, typer.Option("--index", metavar="ITEM", help="Item of the channel: a number or a name.")
    ] = None,
    wheel: Annotated[
        str | None,
        typer.Option("--wheel", metavar="WHEEL", help="Wheel of the orders, speed or error: a number or a name."),
    ] = None,
    scaling: Annotated[
        str | None, typer.Option("--scaling", metavar="HOW", help="Scaling of a spectrum: amplitude, rms or density.")
    ] = None,
    time: Annotated[str | None, typer.Option("--time", metavar="TIME", help='Time, such as "800 ms".')] = None,
    start: Annotated[str | None, typer.Option("--start", metavar="TIME", help="Start time of the part shown.")] = None,
    stop: Annotated[str | None, typer.Option("--stop", metavar="TIME", help="End time of the part shown.")] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data", metavar="TABLE.csv", help="Also write the values; additional tables go to TABLE-NAME.csv."
        ),
    ] = None,
    stage: Annotated[
        str | None,
        typer.Option("--stage", metavar="NAME", help="Stage of the drive (default: the first chain)."),
    ] = None,
) -> None:
    """Draw a plot of a results file."""
    from chaindrive.cli.plot import plot

    chosen: dict[str, int | str | None] = {"link": link, "span": span, "roller": roller, "pin": pin}
    chosen |= {"channel": channel, "index": index, "wheel": wheel, "scaling": scaling}
    chosen |= {"time": time, "start": start, "stop": stop}
    plot(file, name, output, chosen, data, stage)


@app.command("report")
def _report(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN.nc...", help="Results files, shown side by side.", autocompletion=completion.results
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="PATH", help="Page to write (default: RUN.html, or report.html)."),
    ] = None,
    start: Annotated[
        str | None, typer.Option("--start", metavar="TIME", help="Start time of the part reported.")
    ] = None,
    stop: Annotated[str | None, typer.Option("--stop", metavar="TIME", help="End time of the part reported.")] = None,
    frames: Annotated[
        int | None,
        typer.Option("--frames", metavar="N", help="Maximum number of frames of the animation (default: about 2400)."),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Title of the page.")] = None,
    labels: Annotated[
        list[str] | None, typer.Option("--label", metavar="NAME", help="Name of a result; give one for each file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is not a report.")] = False,
) -> None:
    """Write a report: one page with animation, curves, spectra and tables, which any browser opens offline."""
    from chaindrive.cli.report import Request, report

    report(Request(files, output, start, stop, frames, title, labels or (), force))


@app.command("fmu")
def _fmu(
    file: DriveFile,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="PATH", help="FMU to write (default: FILE.fmu).")
    ] = None,
    version: Annotated[
        str, typer.Option("--fmi", metavar="VERSION", help="Version of the interface: 2.0 or 3.0.")
    ] = "2.0",
    platforms: Annotated[
        str,
        typer.Option(
            "--platform", metavar="NAMES", help="Systems on which it runs, separated by commas: linux64, win64."
        ),
    ] = "linux64",
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="NAME",
            help="Input in addition to those of the drive: wheels.NAME.torque or .speed, bodies.NAME.force or "
            ".position, tensioners.NAME.supply_pressure.",
        ),
    ] = None,
    channels: Annotated[
        list[str] | None,
        typer.Option(
            "--channel",
            metavar="NAME",
            help="Output: a channel, such as span_tension, or one value of it, such as wheel_speed.crankshaft "
            "(default: speeds, angles and torques of wheels, bearing forces, span tensions, tensioners, powers).",
        ),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--parameter", metavar="PATH", help="Parameter: a number of the file, such as chain.link_stiffness."
        ),
    ] = None,
    formulation: FormulationName = None,
    solver: Annotated[str | None, typer.Option("--solver", metavar="NAME", help="Method, as for run.")] = None,
    start: Annotated[
        str | None,
        typer.Option("--start", metavar="HOW", help="at_speed (chain already running) or at_rest (with the ramp)."),
    ] = None,
    python: Annotated[
        bool,
        typer.Option(
            "--python",
            help="Write the FMU without compiled equations. This needs no compiler, but the FMU runs only in tools "
            "with Python and this version of chaindrive, on Linux and Windows.",
        ),
    ] = False,
    changes: Changes = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Write a drive as an FMU for co-simulation (FMI 2.0 or 3.0), which contains compiled equations and no Python."""
    from chaindrive.cli.fmu import Request, fmu

    names = tuple(name.strip() for name in platforms.split(",") if name.strip())
    given = {"formulation": formulation, "solver": solver, "start": start, "python": python}
    wanted = {"inputs": inputs or (), "outputs": channels or (), "parameters": parameters or ()}
    fmu(Request(file, output, changes or [], force, {"version": version, "platforms": names} | given | wanted))


@app.command("export")
def _export(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A results file; for a drawing also a TOML file or an example.")
    ],
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="PATH",
            help="Its extension sets the format: csv, parquet, xlsx, mat; gif, mp4 or a folder like frames/; dxf, svg.",
        ),
    ],
    channels: Annotated[
        str | None,
        typer.Option("--channels", metavar="NAMES", help="Channels of a table, such as span_tension,link_tension[3]."),
    ] = None,
    every: Annotated[int | None, typer.Option("--every", metavar="N", help="Only every Nth instant in tables.")] = None,
    start: Annotated[str | None, typer.Option("--start", metavar="TIME", help='Start time, such as "800 ms".')] = None,
    stop: Annotated[str | None, typer.Option("--stop", metavar="TIME", help="End time.")] = None,
    fps: Annotated[float | None, typer.Option("--fps", help="Frames per second of an animation (default: 25).")] = None,
    duration: Annotated[
        str | None, typer.Option("--duration", metavar="TIME", help="Duration of the animation (default: 5 s).")
    ] = None,
    width: Annotated[
        int | None, typer.Option("--width", metavar="PIXELS", help="Width of the animation in pixels (default: 960).")
    ] = None,
    stage: Annotated[
        str | None,
        typer.Option("--stage", metavar="NAME", help="Stage of the drive (default: the first chain)."),
    ] = None,
    changes: Changes = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that chaindrive did not export.")] = False,
) -> None:
    """Export channels as a table, the drive as an animation, or the drive as a drawing.

    An animation shows the last revolution of the driver unless --start and --stop are given.
    """
    from chaindrive.cli.export import Request, export

    options = {
        "--channels": channels,
        "--every": every,
        "--start": start,
        "--stop": stop,
        "--fps": fps,
        "--duration": duration,
        "--width": width,
        "--stage": stage,
    }
    given = {name: value for name, value in options.items() if value is not None}
    export(Request(file, Path(output), output.endswith(("/", os.sep)), force, changes or [], given))

"""Every way to run every example briefly works or is refused with a reason, without internal errors.

By default each way for one of three small examples, a closed and two open chains; every way for all of them, and with
evaluations of the results, by ``python tests/long.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from chaindrive.cli.main import main
from chaindrive.formulations.registry import FORMULATIONS
from chaindrive.model import example_names
from chaindrive.plot_names import PLOT_NAMES
from chaindrive.solvers.integrator import METHODS

DONE, WRONG_INPUT = 0, 1
MOMENT = ("--until", "2 ms", "--force")
SOME = ("hanging-chain", "hoist", "industrial-08b")
CLOSED = {"rigid contacts", *METHODS}
"""Ways to run the closed chain among them."""
ELSEWHERE = {"adams", "dormand-prince", "dormand-prince-853", "generalized-alpha", "ida", "verlet"}
"""Methods with which other tests also run drives of rollers."""
OF_OTHER_CHAINS = {"leapfrog", "splitting"}
"""Methods with which other tests run the chains they are made for: rocker pins, links in space."""
RUNS = {
    **{f"{kind}, {start}": ("--formulation", kind, "--start", start, *MOMENT)
       for kind in FORMULATIONS for start in ("at_speed", "at_rest", "as_placed")},
    "rigid contacts": ("--formulation", "roller", "--set", "run.formulation.contacts=rigid", *MOMENT),
    **{method: ("--solver", method, *MOMENT) for method in METHODS},
    "until steady": ("--until", "steady", "--at-most", "4 ms", "--force"),
    "until steady from rest": ("--until", "steady", "--at-most", "4 ms", "--start", "at_rest", "--force"),
    "until steady, block": ("--until", "steady", "--at-most", "20 ms", "--formulation", "block", "--force"),
    "means of all channels": ("--channels", "all", "--set", "run.save.reduce=mean", *MOMENT),
    "few rows": ("--save-rate", "100 Hz", "--until", "20 ms", "--formulation", "block", "--force"),
    "double precision": ("--set", "run.save.precision=double", "--save-rate", "20 kHz", *MOMENT),
}  # fmt: skip
WITHOUT_RESULTS = {
    "check": ("check", "{name}"),
    "check without rest": ("check", "{name}", "--no-equilibrium", "--draw", "drawing.png"),
    "analyze": ("analyze", "{name}"),
    "compare": ("compare", "{name}", "--until", "4 ms"),
    "compare formulations": ("compare", "{name}", "--formulations", "roller,block", "--until", "4 ms", "--force"),
    "chains": ("export", "{name}", "-o", "drawing.dxf"),
}
WITH_RESULTS = {
    "info": ("info", "run.nc"),
    "report": ("report", "run.nc", "--force"),
    "table": ("export", "run.nc", "-o", "table.csv"),
    "film": ("export", "run.nc", "-o", "film.gif", "--duration", "200 ms", "--width", "200"),
    **{name: ("plot", "run.nc", name) for name in PLOT_NAMES},
}


def called(words: tuple[str, ...], where: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Fault of a command; empty if it works, or refuses with a place or a reason."""
    with pytest.raises(SystemExit) as ended:
        main([*words])
    code = ended.value.code
    told = capsys.readouterr()
    said = told.out + told.err
    left = [path.name for path in where.glob("chaindrive-*.log")]
    if left or code not in (DONE, WRONG_INPUT) or "nternal error" in said or "Traceback" in said:
        return f"{' '.join(words)}: exit code {code}, {left}: {said[-600:]}"
    return f"{' '.join(words)}: refused without a word" if code == WRONG_INPUT and len(said.split()) < 5 else ""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", SOME)
def test_ways_to_run_some_examples(name, here, capsys):
    ways = [way for way in RUNS if not way.startswith(("spatial", "link")) and way not in CLOSED][SOME.index(name) :: 3]
    ways += sorted(CLOSED - ELSEWHERE - OF_OTHER_CHAINS) if name == SOME[-1] else []
    ways = [("run", name, "-o", "run.nc", *RUNS[way]) for way in ways]
    assert list(filter(None, (called(words, here, capsys) for words in ways))) == []


@pytest.mark.long
@pytest.mark.parametrize("name", example_names())
def test_every_way_to_run_every_example(name, here, capsys):
    ways = [("run", name, "-o", "run.nc", *options) for options in RUNS.values()]
    ways += [tuple(word.format(name=name) for word in words) for words in WITHOUT_RESULTS.values()]
    for options in (MOMENT, ("--formulation", "block", *MOMENT)):
        ways += [("run", name, "-o", "run.nc", *options), *WITH_RESULTS.values()]
    assert list(filter(None, (called(words, here, capsys) for words in ways))) == []

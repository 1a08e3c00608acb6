"""Strength and life in all output: in the terminal, in the report, in figures; with limits and without."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from chaindrive.cli.commands import app
from chaindrive.numbers import hours, percent
from chaindrive.plots import data_tension_envelope, plot_tension_envelope
from chaindrive.plots.tables import tables_of
from chaindrive.report import write_report
from support.made_run import changed, made_run
from support.report_run import Page

pytestmark = pytest.mark.usefixtures("few_windows")

KNOWN = {
    "chain.breaking_load": "850 kN",
    "limits.dynamic_strength": "9 kN",
    "limits.tension": "25 kN",
    "limits.life": "20000 h",
}


WIDE = {"COLUMNS": "100"}


def info(path, solution):
    """Output of chaindrive info on strength: joined, and as lines."""
    solution.save(path)
    found = CliRunner().invoke(app, ["info", str(path)], env=WIDE)
    assert found.exit_code == 0, found.output
    text = found.stdout[found.stdout.index("Strength and life") :].split("How well")[0]
    return " ".join(text.split()), text.splitlines()


def test_the_terminal_names_limits_and_their_sources(tmp_path):
    text, lines = info(tmp_path / "run.nc", changed(made_run(), KNOWN))
    tension = next(line for line in lines if line.strip().startswith("link tension, steady"))
    assert re.search(r"23\.1 kN +25 kN +92\.4 +link \d*0", tension)
    assert "given: limits.tension" in text
    assert re.search(r"equivalent range +8\.14\d kN +9 kN +90\.\d", "\n".join(lines))
    assert re.search(r"life of plates +\d[\d ]* h +20 000 h", "\n".join(lines))
    assert "Miner, exponent 5, 9 below the dynamic strength" in text
    assert "limits.bearing_pressure, limits.wear_coefficient (chaindrive keys limits)" in text
    assert "rollers, ratings: ANSI B29.1" in text


def test_without_limits_it_says_which_keys_give_them(tmp_path):
    text, lines = info(tmp_path / "run.nc", made_run())
    keys = "limits.tension, chain.breaking_load, limits.dynamic_strength, limits.bearing_pressure"
    assert f"Not judged because no limit is given: {keys}, limits.wear_coefficient" in text
    assert "56B-1, has a dynamic strength of 88.9 kN per strand" in text
    for line in lines:
        if "kN" in line and "link" in line:
            assert "%" not in line
            assert re.search(r" - +- ", line)


def test_analyze_rates_without_a_run():
    """industrial-08b, 947 W over 17 teeth at 500 rpm: ANSI's 2.93 hp of a 40, which has the same dynamic strength as
    08B.
    """
    call = ["analyze", "industrial-08b", "--tension", "1 kN", "--set", "limits.application_factor=1.4"]
    found = CliRunner().invoke(app, call, env=WIDE)
    assert found.exit_code == 0, found.output
    table = found.stdout[found.stdout.index("Static rating") :]
    motor = next(line for line in table.splitlines() if " motor " in line).split()
    assert motor[2] == "17"
    assert float(motor[3]) == pytest.approx(0.947, abs=6e-3)
    assert float(motor[4]) == pytest.approx(2.93 * 0.7457, rel=0.01)
    assert float(motor[7]) == pytest.approx(100.0 * 1.4 * 0.947 / 2.195, rel=0.01)
    assert float(motor[8]) == pytest.approx(1.4 * 0.947 * (19 / 17) ** 1.08, rel=0.01)
    assert "f1 = 1.4" in table
    assert max(map(len, table.splitlines())) <= 100


def test_the_catalogue_tells_dynamic_strength_and_area():
    found = CliRunner().invoke(app, ["chains", "16B-2"], env=WIDE)
    text = " ".join(found.stdout.split())
    assert "dynamic strength 16.201 kN" in text  # 1.7 x 9.53 kN
    assert "bearing area 421.5 mm²" in text
    assert "1.7 x that of one strand" in text
    assert "unverified" in text
    assert "dynamic strength" not in CliRunner().invoke(app, ["chains", "520"], env=WIDE).stdout


def test_analyze_says_why_there_is_no_rating():
    found = CliRunner().invoke(app, ["analyze", "6l60mc", "--tension", "19 kN"], env=WIDE)
    assert "No static rating: ANSI B29.1" in found.stdout
    assert "88.9 mm" in " ".join(found.stdout.split())


def test_the_report_has_a_section_whose_times_lead_to_their_moments(tmp_path):
    write_report(changed(made_run(), KNOWN), tmp_path / "run.html")
    page = Page((tmp_path / "run.html").read_text("utf-8"))
    text = " ".join(page.texts).replace("\u00a0", " ")
    assert any(attributes.get("id") == "strength" for _, attributes in page.tags)
    section = text[text.index("Strength and life of the chain") : text.index("Load cycles of the links", 5000)]
    assert "given: limits.tension" in section
    assert "give limits.bearing_pressure" in section
    assert "25 kN" in section
    limits = page.header["results"][0]["loop"]["limits"]
    assert limits == [{"name": "limits.tension", "value": 25e3}, {"name": "breaking load", "value": 850e3}]


def test_the_report_of_two_names_whose_strength(tmp_path):
    write_report([made_run(), changed(made_run(), KNOWN)], tmp_path / "two.html", labels=["bare", "limited"])
    text = " ".join(Page((tmp_path / "two.html").read_text("utf-8")).texts)
    assert "bare: strength and life" in text
    assert "limited: strength and life" in text


def test_limits_are_lines_where_there_is_room():
    """25 kN above 23.1 kN is drawn in both panels, 850 kN would flatten them and is given as text."""
    run = changed(made_run(), KNOWN)
    figure = plot_tension_envelope(run)
    for axes in figure.axes[:2]:
        lines = [line for line in axes.lines if line.get_label() == "limits.tension"]
        assert [set(line.get_ydata()) for line in lines] == [{25.0}]
        assert axes.get_ylim()[1] > 25.0
        assert not [line for line in axes.lines if line.get_label() == "breaking load"]
    told = " ".join(text.get_text() for axes in figure.axes for text in axes.texts)
    told += " ".join(axes.get_title(loc="right") for axes in figure.axes)
    assert "breaking load 850 kN: 2.7 % used" in told
    table = tables_of(data_tension_envelope(run))["limits"]
    assert dict(zip(table["limit"], table["tension [N]"], strict=True)) == {
        "limits.tension": 25e3, "breaking load": 850e3,
    }  # fmt: skip


def test_without_limits_figures_have_none():
    assert "limits" not in tables_of(data_tension_envelope(made_run()))
    labels = [line.get_label() for axes in plot_tension_envelope(made_run()).axes for line in axes.lines]
    assert "limits.tension" not in labels


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(720.0, "0.2 h"), (3600 * 43.87, "43.9 h"), (3600 * 12345.0, "12 300 h"), (1e15, "> 1 000 000 h"),
     (float("inf"), "> 1 000 000 h"), (float("nan"), "not known"), (0.0, "0 h")],
)  # fmt: skip
def test_hours(seconds, text):
    assert hours(seconds) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0"), (1e-5, "< 0.1"), (0.0362, "3.62"), (1.044, "104"), (44.4, "4 440"), (float("nan"), "-")],
)
def test_percent(share, text):
    assert percent(share) == text

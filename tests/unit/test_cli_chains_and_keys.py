"""``chaindrive chains`` and ``chaindrive keys``: their lists and explanations, within 80 columns; numbers in --set."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

import chaindrive as cd
from chaindrive.cli.main import main
from chaindrive.errors import InputError
from chaindrive.model import Drive, chain_names, loads, override
from chaindrive.model.files.keys import TAKEN_BY, formulations_of, tables
from chaindrive.model.formulation import BlockOptions, FormulationOptions
from chaindrive.model.study.description import Study


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture):
    """Run the command line on a terminal of 80 columns: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return int(ending.value.code or 0), out, err

    return run


def fits(text: str) -> bool:
    return all(len(line) <= 80 for line in text.splitlines())


# Chains ---------------------------------------------------------------------------------------------------------------


def test_all_chains_are_listed(call):
    code, out, _ = call("chains")
    assert code == 0
    assert fits(out)
    assert f"{len(chain_names())} chains" in out
    for name in ("08B-1", "240-2", "bicycle-11", "520", "S45", "engine-8-bush", "LL0822", "LH0823", "BL423", "081"):
        assert re.search(rf"(?m)(^| ){re.escape(name)} ", out), name
    assert re.search(r"M80-B-80 +\.\.\. -315 ", out)  # pitches of a conveyor chain share a line
    row = next(line.split() for line in out.splitlines() if line.split()[:1] == ["08B-1"])
    assert row == ["08B-1", "12.7", "8.51", "7.75", "0.69", "17.8", "roller"]
    row = next(line.split() for line in out.splitlines() if line.split()[:1] == ["LH3222"])
    assert row[0:2] == ["LH3222", "BL1622"]
    assert row[3] == "?48.26"  # unverified
    assert row[5].startswith("~")  # estimated
    assert "ISO 10190:2008. Source: Tsubaki" in out


@pytest.mark.parametrize(
    ("words", "names", "without"),
    [
        (("motorcycle",), ("415", "630"), ("08B-1", "S45")),
        (("M80",), ("M80-B-80", "M80-P-315"), ("MT80-B-80", "M112-B-80")),
        (("leaf", "LH12"), ("LH1222", "LH1266"), ("LL1222", "LH1022")),
        (("16b",), ("16B-1", "16B-3"), ("16A-1",)),
        (("bush", "engine"), ("engine-6.35-bush", "219H"), ("engine-8-roller",)),
        (("ISO", "487"), ("S32", "S88"), ("08B-1",)),
    ],
)
def test_filters(call, words, names, without):
    code, out, _ = call("chains", *words)
    assert code == 0
    assert fits(out)
    listed = {line.split()[0] for line in out.splitlines() if line.split()}
    assert set(names) <= listed
    assert not set(without) & listed


@pytest.mark.parametrize(
    "name",
    ["08B-1", "BL423", "208A", "60H", "M80-P-100", "S62", "engine-8-bush", "bicycle-9", "40", "20B-3", "3/8 x 7/32"],
)
def test_one_chain_with_sources_and_doubts(call, name):
    code, out, _ = call("chains", name)
    assert code == 0
    assert fits(out)
    for word in ("pitch", "roller", "mass", "breaking load", "Standard: ", "Source: "):
        assert word in out
    numbers = {int(number) for number in re.findall(r"(?m)  (\d+) *$", out)}
    notes = {int(number) for number in re.findall(r"(?m)^(\d+): +(?:catalogue|estimated|default|given)", out)}
    assert numbers == notes == set(range(1, len(notes) + 1))


def test_other_masses_and_what_cannot_run_are_told(call):
    _, out, _ = call("chains", "08B-1")
    assert "Other mass: 0.65 kg/m, -5.8% (Galaxy)" in out
    _, out, _ = call("chains", "LH0822")
    assert "It runs only over smooth sheaves" in out


def test_a_chain_that_is_not_there(call):
    code, out, err = call("chains", "LH0899")
    assert (code, out) == (1, "")
    assert "did you mean 'LH0866' or 'LH0846' or 'LH0844'?" in err
    assert "08B" not in err


# Keys -----------------------------------------------------------------------------------------------------------------


def test_top_level_keys(call):
    code, out, _ = call("keys")
    assert code == 0
    assert fits(out)
    for name in Drive.model_fields:
        assert re.search(rf"(?m)^ {name} ", out), name


def test_a_table_lists_its_keys(call):
    code, out, _ = call("keys", "wheels.motion")
    assert code == 0
    assert fits(out)
    for kind in ("constant_speed", "angle_table", "orders", "run_up"):
        assert f'kind = "{kind}"' in out
    assert re.search(r" speed +rad/s +required ", out)
    assert "Prescribed motion" in out


@pytest.mark.parametrize(
    ("path", "lines"),
    [
        ("wheels.teeth", ("whole number", "required", "whole, 5 to 1000", "roller, link, spatial, block")),
        ("wheels.0.inertia", ("kg*m^2, or a text with its unit", "quantity", "none")),
        ("wheels[2].side", ('"front"', '"front", "back"', "one of the words below")),
        ("run.until", ("s, or a text", '"steady"', "10")),
        ("run.formulation.oil_film", ("1e-05", "formulations  link")),
        ("run.formulation.compliance", ("formulations  block",)),
        ("run.formulation.contact_law", ("formulations  roller, link, spatial",)),
        ("guides", ("list of tables", "formulations  roller, link", "max_penetration")),
        ("wheels.offset", ("formulations  spatial",)),
        ("gravity", ("list of two quantities", "[0, -9.81]")),
        ("chain.pitch", ("catalogue or estimate", "> 0")),
        ("chain.ends", ("formulations  roller, link", 'kind = "free"')),
        ("wheels.torque", ("quantity, a table, or a list of these", 'over = "angle"', 'kind = "induction_motor"')),
        ("wheels.motion.speed", ('where kind = "constant_speed"', "not 0")),
        ("wheels.motion.times", ("list of quantities", "a list, each 0 to 1e6", "s, or a text")),
        ("wheels.torque.kind", ('where kind = "pedals"\n',)),
        ("figures_of_merit", ("in the file of a study",)),
    ],
)
def test_one_key(call, path, lines):
    code, out, _ = call("keys", path)
    assert code == 0
    assert fits(out)
    for line in lines:
        assert line in out, line


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("wheels.motio", "there is no 'motio' in wheels; did you mean 'motion'?"),
        ("whels", "did you mean 'wheels'?"),
        ("bicycle.chain", "; elsewhere there are chain, stages.chain."),
        ("motion", "there are wheels.motion, stages.wheels.motion, sheaves.motion, bodies.joint.motion"),
        ("wheels.teeth.x", "wheels.teeth has no keys below it"),
    ],
)
def test_a_key_that_is_not_there(call, path, said):
    code, out, err = call("keys", path)
    assert (code, out) == (1, "")
    assert said in err


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.long)], ids=["twelfth", "all"])
def test_every_key_of_a_drive_and_a_study_is_explained(capfd, every):
    from chaindrive.cli.keys import keys

    for root in (Drive, Study):
        for table in tables(root):
            for key in table.keys[::every]:
                plain = table.paths[0].replace("[]", "")
                path = f"{plain}.{key.name}" if plain else key.name
                if root is Study and path.partition(".")[0] in Drive.model_fields:
                    continue  # "name": of a drive
                keys(path)
                assert key.text.split(".")[0][:20].replace("`", "") in capfd.readouterr().out, path


REFUSED = {
    "guides": {"guides": [{"name": "rail", "shape": {"kind": "on_span", "span": 0, "side": "left", "length": "0.1 m"},
                           "contact": {"stiffness": "1 GN/m^1.5"}}]},
    "tensioners": {"bodies": [{"name": "arm", "mass": 1.0, "inertia": 1.0, "centre_of_mass": [0.0, 0.0],
                               "joint": {"kind": "revolute", "position": [0.2, -0.2]}}],
                   "tensioners": [{"name": "piston", "kind": "spring_damper", "from_position": [0.3, -0.3],
                                   "to_body": "arm", "to_position": [0.1, -0.3], "stiffness": 1e3, "preload": 10.0}]},
    "wheels.offset": {"wheels.1.offset": "1 mm"},
    "wheels.lateral_stiffness": {"wheels.1.lateral_stiffness": "1 MN/m"},
    "wheels.freewheel": {"wheels.1.freewheel": {"inertia": 0.01, "stiffness": 1000.0}},
    "wheels.shaft": {"wheels.1.shaft": {"length": "0.2 m", "diameter": "20 mm"}},
    "chain.ends": {"chain.ends": [{"kind": "free", "position": [0.0, 0.0]}, {"kind": "free"}]},
    "chain.elongation": {"chain.elongation": "0.5 %"},
    "chain.wear": {"chain.wear": "0.5 %"},
    "chain.scatter": {"chain.scatter": {"deviation": "0.05 %", "seed": 1}},
    "chain.attachments": {"chain.attachments": [{"mass": "0.1 kg", "every": 4}]},
    "payloads": {"payloads": [{"span": 0, "mass_per_length": "1 kg/m"}]},
    "preload.sag": {"preload": {"span": 1, "sag": "1 mm", "by": "wheel", "wheel": 1}},
}  # fmt: skip
"""Keys that formulations without them refuse; other such keys are only ignored."""


@pytest.mark.parametrize("key", REFUSED)
def test_formulations_refuse_the_keys_that_are_said_to_be_others(key):
    drive = cd.example("industrial-08b")
    for kind in ("roller", "link", "spatial", "block"):
        try:
            override(drive, REFUSED[key] | {"run.formulation.kind": kind})
            problems = []
        except InputError as error:
            problems = [problem.place for problem in error.problems]
        part = key.partition(".")[0]
        refused = [place for place in problems if place.startswith(part) and key.rpartition(".")[2] in place]
        assert bool(refused) == (kind not in formulations_of(key)), (kind, problems)


def test_what_formulations_take_names_keys_that_there_are():
    known = {
        f"{path.replace('[]', '')}.{key.name}".strip(".")
        for table in tables(Drive)
        for path in table.paths
        for key in table.keys
    }
    assert set(TAKEN_BY) <= known
    assert formulations_of("guides.shape.kind") == ("roller", "link", "spatial")
    assert formulations_of("guidesx") == ("roller", "link", "spatial", "block")
    kinds = {options.model_fields["kind"].default for options in get_args(get_args(FormulationOptions)[0])}
    assert kinds == {*formulations_of("wheels"), *formulations_of("sheaves")}
    assert BlockOptions.model_fields["kind"].default == "block"


# Numbers where text is wanted -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "path", "value"),
    [
        ({"chain.standard": "40"}, "chain.standard", "40"),
        ({"chain.standard": "520"}, "chain.standard", "520"),
        ({"name": "1e3"}, "name", "1e3"),
        ({"name": "007"}, "name", "007"),
        ({"source": "3.50"}, "source", "3.50"),
        ({"wheels.0.name": "12"}, "wheels.0.name", "12"),
    ],
)
def test_a_number_is_text_where_text_is_wanted(change, path, value):
    found = override(cd.example("industrial-08b"), change)
    here = found
    for part in path.split("."):
        here = here[int(part)] if part.isdigit() else getattr(here, part)
    assert here == value
    assert type(here) is str
    assert loads(found.to_toml()) == found


def test_numbers_stay_numbers_elsewhere():
    found = override(cd.example("industrial-08b"), {"chain.links": "110", "run.until": "3", "wheels.1.inertia": "0.5"})
    assert (found.chain.links, type(found.chain.links)) == (110, int)
    assert (found.run.until, type(found.run.until)) == (3.0, float)
    assert found.wheels[1].inertia == 0.5
    with pytest.raises(InputError, match="must be a whole number"):
        override(found, {"chain.links": "110.5"})


def test_the_catalogue_fills_in_the_chain_that_is_set():
    found = override(cd.example("industrial-08b"), {"chain.standard": "40"}).chain
    assert (found.roller_diameter, found.link_mass) == (pytest.approx(7.92e-3), pytest.approx(0.62 * 0.0127))


def test_a_number_in_a_file_is_told_to_be_written_as_text():
    with pytest.raises(InputError, match='must be text: write it in quotes, "40"'):
        cd.Chain(standard=40, links=100)

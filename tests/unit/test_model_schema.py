"""The JSON Schema in the package is that of the models, and files validate against it."""

import json
import tomllib

import pytest

from chaindrive.errors import InputError
from chaindrive.model import Drive, example, example_names, example_path
from chaindrive.model.files.schema import SCHEMAS, drive_schema, schema_line, schema_path, schema_text, study_schema
from chaindrive.model.study.files import load_study, study_names, study_path
from chaindrive.templates import TEMPLATES

jsonschema = pytest.importorskip("jsonschema")


@pytest.mark.parametrize("kind", SCHEMAS)
def test_the_shipped_schema_is_current(kind):
    shipped = json.loads(schema_path(kind).read_text("utf-8"))
    assert shipped == json.loads(schema_text(kind)), "regenerate it: python -m chaindrive.model.files.schema"


def test_examples_and_new_files_name_their_schema():
    files = [(example_path(name), "drive") for name in example_names()]
    files += [(study_path(name), "study") for name in study_names()]
    for path, kind in files:
        first = path.read_text("utf-8").splitlines()[0]
        assert first == schema_line(kind), path
        assert (path.parent / first.removeprefix("#:schema ")) == schema_path(kind)
    for template in TEMPLATES.values():
        assert template.made({}).text.startswith(f"{schema_line()}\n"), template.kind


def _validator(schema):
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="module")
def validator():
    return _validator(drive_schema())


@pytest.fixture(scope="module")
def of_studies():
    return _validator(study_schema())


@pytest.mark.parametrize("name", study_names())
def test_studies_fit_the_schema(name, of_studies):
    of_studies.validate(tomllib.loads(study_path(name).read_text("utf-8")))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("timing-06b-speed", lambda s: s.update(colour="red")),
        ("timing-06b-speed", lambda s: s.pop("drive")),
        ("timing-06b-speed", lambda s: s["parameters"].clear()),
        ("timing-06b-speed", lambda s: s["parameters"][0].update(sets="wheels")),
        ("timing-06b-speed", lambda s: s["figures_of_merit"][0].update(reduce="most")),
        ("timing-06b-speed", lambda s: s["figures_of_merit"][0].update(measured={"unit": "N"})),
        ("smoothest-centres", lambda s: s.update(colour="red")),
        ("smoothest-centres", lambda s: s["variables"].clear()),
        ("smoothest-centres", lambda s: s["variables"][0].pop("most")),
    ],
)
def test_the_schema_refuses_what_studies_refuse(name, change, of_studies, tmp_path):
    fields = tomllib.loads(study_path(name).read_text("utf-8"))
    change(fields)
    assert list(of_studies.iter_errors(fields))
    kind = type(load_study(study_path(name)))
    with pytest.raises(InputError):
        kind.from_dict(fields)


def test_a_study_may_name_a_measured_curve_by_its_file(of_studies):
    fields = tomllib.loads(study_path("timing-06b-speed").read_text("utf-8"))
    for given in ("curve.csv", {"file": "curve.csv", "shift": "1 ms"}):
        fields["figures_of_merit"][0] |= {"reduce": "rms_difference", "measured": given}
        of_studies.validate(fields)


def test_an_unknown_key_is_reported_at_its_own_place(validator):
    """Editors mark the place of an error: that of the key, not of the whole table."""
    fields = tomllib.loads(example_path("industrial-08b").read_text("utf-8"))
    fields["chain"]["colour"] = "red"
    assert [list(error.absolute_path) for error in validator.iter_errors(fields)] == [["chain", "colour"]]


def test_names_of_chains_and_examples_are_listed():
    names = drive_schema()["$defs"]["Chain"]["properties"]["standard"]["anyOf"][0]["enum"]
    assert {"08B-1", "bicycle-11", "M80-B-100"} <= set(names)
    assert study_schema()["properties"]["drive"]["anyOf"][0]["enum"] == list(example_names())


@pytest.mark.parametrize("name", example_names())
def test_examples_fit_the_schema_as_written_and_as_printed(name, validator):
    validator.validate(tomllib.loads(example_path(name).read_text("utf-8")))
    validator.validate(tomllib.loads(str(example(name))))


LINKS = {"inner_link": {"mass": "10 g", "stiffness": 1e8}, "outer_link": {"mass": "8 g", "stiffness": "120 MN/m"}}


@pytest.mark.parametrize(
    "chain",
    [
        {"joint_clearance": "0.05 mm", "kind": "bush"},
        {"joint_clearance": ["0.05 mm"] * 121 + [0.0]},
        LINKS,
        {"standard": None, "pitch": "12.7 mm", "roller_diameter": "8.51 mm", **LINKS},
    ],
)
def test_the_schema_allows_links(chain, validator):
    fields = tomllib.loads(example_path("industrial-08b").read_text("utf-8"))
    chain = {"joint_friction": 0, "links": 122, "standard": "08B-1", **chain}
    fields["chain"] = {name: value for name, value in chain.items() if value is not None}
    validator.validate(fields)
    Drive.from_dict(fields)


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d["chain"].update(joint_clearance=[]),
        lambda d: d["chain"].update(joint_clearance=["0.05 mm", True]),
        lambda d: d["chain"].update(kind="belt"),
        lambda d: d["chain"].update(inner_link={"weight": 1}),
        lambda d: d["chain"].update(inner_link=LINKS["inner_link"]) or d["chain"].pop("standard"),
        lambda d: d.update(colour="red"),
        lambda d: d.pop("name"),
        lambda d: d["chain"].pop("links"),
        lambda d: d["chain"].pop("standard"),
        lambda d: d["chain"].update(links=2),
        lambda d: d["chain"].update(joint_damping=-1),
        lambda d: d["wheels"].clear(),
        lambda d: d["wheels"][0].update(teeth=4),
        lambda d: d["wheels"][0].update(teeth="17"),
        lambda d: d["wheels"][0].update(position=[1]),
        lambda d: d["wheels"][0].update(tooth={"form": "square"}),
        lambda d: d["wheels"][0]["motion"].update(speed=[1]),
        lambda d: d["contact"].update(restitution=2),
        lambda d: d["contact"].update(stiffness=True),
        lambda d: d.update(loop="up"),
        lambda d: d["run"].update(save={"channels": 3}),
    ],
)
def test_the_schema_refuses_what_the_models_refuse(change, validator):
    fields = tomllib.loads(example_path("industrial-08b").read_text("utf-8"))
    change(fields)
    assert list(validator.iter_errors(fields))
    with pytest.raises(InputError):
        Drive.from_dict(fields)


def test_every_field_is_described():
    schema = drive_schema()
    tables = {"Drive": schema, **schema["$defs"]}
    bare = [
        f"{table}.{name}"
        for table, content in tables.items()
        for name, field in content["properties"].items()
        if "description" not in field and "const" not in field
    ]
    assert bare == []


def test_examples_are_what_the_sources_say():
    marine = example("6l60mc")
    assert [wheel.teeth for wheel in marine.wheels] == [60, 30, 28, 30]
    assert [wheel.side for wheel in marine.wheels] == ["front", "back", "front", "front"]
    assert [wheel.inertia for wheel in marine.wheels] == [435, 82, 15, 82]
    assert (marine.chain.links, marine.chain.pitch, marine.chain.link_mass) == (122, 0.0889, 3.01)
    assert (marine.chain.link_stiffness, marine.chain.link_damping) == (815e6, 250)
    large = example("6s90mc-c")
    assert large.wheels[2].position == (0.333199, 4.748179)
    assert (large.chain.links, large.chain.pitch, large.chain.link_mass) == (144, 0.1143, 13.6)
    assert (large.chain.link_stiffness, large.chain.link_damping) == (2137e6, 20e3)
    assert (large.contact.friction, large.chain.joint_damping) == (0.1, 0.5)
    for drive in (marine, large):
        assert drive.contact.stiffness == 1e9
        assert all(wheel.tooth.flank_factor == 1.24 for wheel in drive.wheels)
        assert len(drive.notes) >= 5
    assert example("industrial-08b").source.startswith("invented for this package")


def test_unknown_example_names_the_nearest():
    with pytest.raises(InputError, match="did you mean '6l60mc'"):
        example("6l60")
    with pytest.raises(InputError, match=r"Available: 6l60mc, 6s90mc-c, .*industrial-08b"):
        example("../../etc/passwd")

"""Output of ``chaindrive check`` for inner and outer links, and messages of formulations without them."""

import numpy as np
import pytest

from chaindrive.analyses.results.differences import EFFECTS
from chaindrive.cli.check import chain_table
from chaindrive.cli.check_links import link_rows
from chaindrive.cli.fitting_table import STAND_IN
from chaindrive.formulations import compile_system
from chaindrive.model import override
from support.small_drives import two_wheels

LINKS = {"chain.inner_link.mass": "6 g", "chain.outer_link.mass": "4 g", "chain.outer_link.inertia": "90 g*mm^2"}
BUSHES = {"chain.kind": "bush"}
CLEARANCE = {"chain.pin_diameter": "4 mm", "chain.joint_clearance": "0.05 mm"}


@pytest.fixture(scope="module")
def plain():
    return two_wheels((16, 32), 24.0, link_mass=0.005)


def test_links_are_shown_where_the_file_says_something_of_them(plain):
    assert link_rows(plain) == []
    each = np.linspace(0.0, 0.05e-3, plain.chain.links).tolist()
    given = override(plain, LINKS | CLEARANCE | {"chain.joint_clearance": each})
    rows = {name: (value, field) for name, value, field in link_rows(given)}
    assert rows["mass of an inner link"] == ("6 g", "inner_link.mass")
    assert rows["mass of an outer link"] == ("4 g", "outer_link.mass")
    assert rows["inertia of an outer link"] == ("0.09 kg mm^2", "outer_link.inertia")
    assert rows["clearance of the joints"] == ("0 to 0.05 mm", "joint_clearance")
    assert list(rows)[-1] == "clearance of the joints"  # no elongation
    table = chain_table(given)
    cells = dict(zip(table.columns[0].cells, table.columns[2].cells, strict=True))
    assert cells["mass of an inner link"] == ""
    assert cells["inertia of an inner link"].startswith("estimated: plates, bushes")
    assert "roller diameter" in cells
    assert "bush diameter" in chain_table(override(plain, {"chain.kind": "bush"})).columns[0].cells


def test_attachments_are_not_counted_with_the_links(plain):
    given = override(plain, LINKS | {"chain.attachments": [{"mass": "2 kg", "every": 2, "first": 1}]})
    rows = {name: value for name, value, _ in link_rows(given)}
    assert [rows[f"mass of an {name} link"] for name in ("inner", "outer")] == ["6 g", "4 g"]
    assert rows["mass of attachments on a link"] == "0 to 2 kg"


@pytest.mark.parametrize(
    ("kind", "changes", "expected"),
    [
        ("roller", {}, set()),
        ("roller", CLEARANCE, {"clearance of the joints"}),
        ("roller", LINKS, {"difference between inner and outer links"}),
        ("roller", BUSHES, {"rotation of bushes on teeth"}),
        ("link", BUSHES, set()),
        ("block", CLEARANCE, {"clearance of the joints"}),
    ],
)
def test_what_a_formulation_leaves_out_is_said(plain, kind, changes, expected):
    given = override(plain, {**changes, "run.formulation.kind": kind})
    told = compile_system(given, given.run.formulation, False).story.notes.get("left_out", [])
    ours = {"clearance of the joints", "difference between inner and outer links", "rotation of bushes on teeth"}
    assert set(told) & ours == expected
    assert set(told) <= set(EFFECTS)


def test_check_says_what_strands_make(plain):
    two = override(plain, {"chain.standard": "08B-2"})
    table = chain_table(two)
    rows = {
        name: (value.replace(STAND_IN, " "), source)
        for name, value, source in zip(*(column.cells for column in table.columns), strict=True)
    }
    # 13.92 + 7.75 + 4 x 1.6 mm; stiffness of the contacts is of both strands
    assert rows["strands"][0] == "2, 13.92 mm apart, 28.07 mm wide over the outer plates"
    exponent = plain.contact.exponent
    assert rows["contact stiffness of one strand"][0] == f"{plain.contact.stiffness / 2:.4g} N/m^{exponent:g}"
    assert rows["breaking load"][0] == "31.1 kN"
    six = chain_table(override(plain, {"chain.standard": "08B", "chain.strands": 6}))
    sources = dict(zip(six.columns[0].cells, six.columns[2].cells, strict=True))
    assert sources["breaking load"] == "estimated: 2 x that of 3 strands"
    assert "strands" not in chain_table(plain).columns[0].cells

"""Quantities with units: the table agrees with pint, wrong ones are refused with a sentence, nothing is evaluated."""

import math
import subprocess
import sys

import pytest

from chaindrive import units
from chaindrive.units import check_unit, factor_of, in_unit, kind_of, parse_unit, to_si


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("88.9 mm", "m", 0.0889),
        ("53.98mm", "m", 0.05398),
        ("-1.5e3 mm", "m", -1.5),
        ("3.5 in", "m", 0.0889),
        ("815 MN/m", "N/m", 815e6),
        ("21 kN", "N", 21e3),
        ("250 kg/s", "N*s/m", 250.0),
        ("20 kN s/m", "N*s/m", 20e3),
        ("435 kg*m^2", "kg*m^2", 435.0),
        ("435 kg·m²", "kg*m^2", 435.0),
        ("4.35e9 kg mm**2", "kg*m^2", 4350.0),
        ("0.5 N*m*s/rad", "N*m*s/rad", 0.5),
        ("0.5 Nms", "N*m*s/rad", 0.5),
        ("0.5 N*m*s", "N*m*s/rad", 0.5),
        ("40 Nm", "N*m", 40.0),
        ("1 kN*m/(rad/s)", "N*m*s/rad", 1e3),
        ("120 rpm", "rad/s", 4 * math.pi),
        ("2 rev/s", "rad/s", 4 * math.pi),
        ("120 1/min", "rad/s", 4 * math.pi),
        ("120 /min", "rad/s", 4 * math.pi),
        ("120 min^-1", "rad/s", 4 * math.pi),
        ("120 min⁻¹", "rad/s", 4 * math.pi),
        ("120 r/min", "rad/s", 4 * math.pi),
        ("120 U/min", "rad/s", 4 * math.pi),
        ("120 min-1", "rad/s", 4 * math.pi),
        ("120 (1/min)", "rad/s", 4 * math.pi),
        ("120 RPM", "rad/s", 4 * math.pi),
        ("120 r.p.m.", "rad/s", 4 * math.pi),
        ("120 1/min", "Hz", 2.0),
        ("3 ft", "m", 0.9144),
        ('3"', "m", 0.0762),
        ("3'", "m", 0.9144),
        ("3/8 in", "m", 0.009525),
        ("-1 ft 2 in", "m", -0.3556),
        ("5' 3-1/2\"", "m", 1.6129),
        ("1'1''", "m", 0.3302),
        ("2 ft-lb", "N*m", 2 * 0.3048 * 0.45359237 * 9.80665),
        ("2 lbs-in", "N*m", 2 * 0.0254 * 0.45359237 * 9.80665),
        ("2 lb ft", "N*m", 2 * 0.3048 * 0.45359237 * 9.80665),
        ("2 foot-pounds", "N*m", 2 * 0.3048 * 0.45359237 * 9.80665),
        ("2 lb ft^2", "kg*m^2", 2 * 0.3048**2 * 0.45359237),
        ("5 N-m", "N*m", 5.0),
        ("5 kN.m", "N*m", 5e3),
        ("2 PS", "W", 2 * 735.49875),
        ("180 deg", "rad", math.pi),
        ("180°", "rad", math.pi),
        ("9.81 m/s^2", "m/s^2", 9.81),
        ("1 kHz", "Hz", 1000.0),
        ("1000 1/s", "Hz", 1000.0),
        ("1 GN/m^1.5", "N/m^1.5", 1e9),
        ("1 GN/m^(1.5)", "N/m^1.5", 1e9),
        ("0.05", "m", 0.05),
        (3, "m", 3.0),
        ("0.1", "", 0.1),
    ],
)
def test_a_quantity_becomes_its_si_number(text, unit, expected):
    # one or two roundings of the conversion
    assert to_si(text, unit) == pytest.approx(expected, rel=4 * sys.float_info.epsilon)


def test_decimal_fractions_are_as_written():
    # float("53.98") * 1e-3 is 0.053979999999999996; a file in mm must give what the same file in m gives
    for millimetres, metres in (("53.98", 0.05398), ("53.34", 0.05334), ("88.9", 0.0889), ("8.51", 0.00851)):
        assert to_si(f"{millimetres} mm", "m") == metres


def test_the_table_agrees_with_pint():
    pint = pytest.importorskip("pint")
    registry = pint.UnitRegistry()
    other_names = {
        "°": "deg", "Nm": "N*m", "Nms": "N*m*s", "t": "metric_ton", "lb": "lb", "h": "hour", "rev": "turn", "r": "turn",
        "U": "turn", "tr": "turn", "Upm": "rpm", '"': "in", "'": "ft", "kp": "kgf", "PS": "metric_horsepower",
    }  # fmt: skip
    names = [*units._NAMED, *units._PREFIXED, *(f"{p}{u}" for p in units._PREFIXES for u in units._PREFIXED)]
    checked = 0
    for name in names:
        prefix = name[0] if name[1:] == "Nm" else ""
        theirs = registry.Quantity(1, prefix + other_names.get(name[len(prefix) :], name[len(prefix) :]))
        factor = theirs.to_base_units()
        ours = parse_unit(name)
        assert ours.factor == pytest.approx(factor.magnitude, rel=1e-15), name
        powers = {key: float(value) for key, value in factor.units._units.items()}
        keys = ("meter", "kilogram", "second", "radian")
        assert tuple(float(p) for p in ours.dimension) == tuple(powers.pop(key, 0.0) for key in keys), name
        assert not powers
        checked += 1
    assert checked > 100


def test_names_outside_the_table_come_from_pint():
    assert to_si("2 furlong", "m") == pytest.approx(2 * 201.168402336805, rel=1e-12)
    assert to_si("1 kip", "N") == pytest.approx(4448.2216152605, rel=1e-12)
    assert to_si("60 arcmin", "rad") == pytest.approx(math.pi / 180, rel=1e-12)


def test_pint_is_only_imported_when_needed():
    code = (
        "import sys; from chaindrive.units import to_si; to_si('88.9 mm', 'm'); to_si('1 GN/m^1.5', 'N/m^1.5'); "
        "assert 'pint' not in sys.modules; to_si('1 furlong', 'm'); assert 'pint' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("value", "unit", "says"),
    [
        ("88.9 kg", "m", "'88.9 kg' is a mass; give a length such as '88.9 mm'"),
        ("1 GN/m", "N/m^1.5", "is a stiffness; give a contact stiffness with exponent 1.5"),
        ("2 Hz", "rad/s", "is a frequency; give an angular speed such as '120 rpm'"),
        ("120 rpm", "N*m*s/rad", "is an angular speed"),
        ("3 rad", "", "a plain number"),
        ("5 foo", "m", "unknown unit 'foo'"),
        ("5 mmm", "m", "unknown unit 'mmm'; did you mean mm"),
        ("5 A", "m", "ampere"),
        ("5 degC", "m", "kelvin"),
        ("1,5 mm", "m", "decimals with a point"),
        ("mm", "m", "is not a quantity"),
        ("", "m", "is not a quantity"),
        ("nan", "m", "finite"),
        ("-inf", "m", "finite"),
        ("1e999 m", "m", "finite"),
        (math.nan, "m", "finite"),
        (math.inf, "m", "finite"),
        (10**400, "m", "too large"),
        (True, "m", "not true or false"),
        (None, "m", "not nothing"),
        ([1], "m", "not a list"),
        ({"a": 1}, "m", "not a table"),
        (1j, "m", "not a complex number"),
        (b"1 m", "m", "not a bytes"),
        ("1 m**99999999", "m", "power beyond 9"),
        ("1 m^^2", "m", "cannot be read"),
        ("1 m^1.2.3", "m", "power that is not a number"),
        ("1 m//s", "m", "wrong place"),
        ("1 m)", "m", "cannot be read"),
        ("1 (m", "m", "without ')'"),
        ("1 " + "(" * 40 + "m", "m", "too many parentheses"),
        ("1 m*", "m", "cannot be read"),
        ("x" * 1000, "m", "longer than the 80 characters"),
        ("1 " + "Gm^9*" * 15 + "m", "m", "longer|beyond|finite|dimension"),
        ("__import__('os').system('true')", "m", "is not a quantity"),
        ("1 __import__('os')", "m", "unknown unit '__import__'"),
        ("1 m; 2", "m", "cannot be read"),
        ("2*3 m", "m", "cannot be read"),
        ("5 RPM", "N", "did you mean rpm?"),
        ("5 ft 3", "m", "cannot be read"),
        ("1.5/8 in", "m", "cannot be read"),
        ("1/0 in", "m", "cannot be read"),
        ("1 ft 2 in", "s", "cannot be read"),
        ("1 N..m", "N*m", "cannot be read"),
        ("1 m + 1 mm", "m", "cannot be read"),
        ("1e9 " + "a" * 60, "m", "unknown unit"),
    ],
)
def test_what_is_no_such_quantity_is_refused(value, unit, says):
    with pytest.raises(ValueError, match=r".") as caught:
        to_si(value, unit)
    assert type(caught.value) is ValueError
    assert any(part in str(caught.value) for part in ([says] if "|" not in says else says.split("|")))


def test_pint_only_ever_sees_bare_names(monkeypatch, tmp_path):
    seen = []

    def recorder(name):
        seen.append(name)
        raise KeyError(name)

    monkeypatch.setattr(units, "_registry", lambda: recorder)
    canary = tmp_path / "ran"
    texts = [
        "1 zork",
        "1 zork*open(1)",
        "1 zork.zork",
        "(lambda: 1)() m",
        "1 zork(1)",
        "1 [zork]",
        "1 zork**zork",
        "1 zork@m",
    ]
    for text in [*texts, f"1 open('{canary}','w')"]:
        with pytest.raises(ValueError, match=r"unknown unit|cannot be read|is not a quantity|longer"):
            to_si(text, "m")
    assert set(seen) <= {"zork", "open", "lambda"}
    assert not canary.exists()


def test_kinds_have_names():
    assert kind_of("m") == "a length"
    assert kind_of("N*m*s/rad") == "a rotational damping coefficient"
    assert kind_of("m^3") == "a quantity in m^3"


def test_a_space_multiplies_whatever_stands_before_it():
    """Factors are read from left to right: N/m s is (N/m) s, and only the factor after a slash is divided by."""
    assert parse_unit("N/m s") == parse_unit("N*s/m")
    assert to_si("3 kN/mm s", "N*s/m") == pytest.approx(3e6, rel=1e-15)


@pytest.mark.parametrize("unit", ["1/min", "min^-1", "min-1", "r.p.m.", "rpm", "rev/min"])
def test_a_unit_per_minute_is_that_of_its_quantity(unit):
    assert factor_of(unit, "rad/s") == pytest.approx(2 * math.pi / 60, rel=1e-15)
    assert in_unit("300 rpm", unit) == pytest.approx(300, rel=1e-14)
    assert in_unit("5 1/min", unit) == pytest.approx(5, rel=1e-14)
    check_unit(unit)


def test_a_unit_per_minute_is_a_frequency_of_a_frequency():
    assert factor_of("1/min", "Hz") == 1 / 60
    assert in_unit("5 Hz", "1/min") == pytest.approx(300, rel=1e-14)


@pytest.mark.parametrize("unit", ["in-lb", "ft-lb", "lb-ft", "lb ft", "lbf*ft"])
def test_pounds_times_feet_are_a_torque(unit):
    expected = (1 if unit == "in-lb" else 12) * 0.0254 * 0.45359237 * 9.80665
    for torque in ("N*m", "N m"):
        assert factor_of(unit, torque) == pytest.approx(expected, rel=1e-14)
    assert in_unit("3 N*m", unit) == pytest.approx(3 / expected, rel=1e-14)
    assert in_unit("2 ft-lb", unit) == pytest.approx(24 if unit == "in-lb" else 2, rel=1e-14)
    check_unit(unit)


@pytest.mark.parametrize(("text", "unit"), [("300 rpm", "Hz"), ("5 kg", "1/min"), ("2 N", "ft-lb")])
def test_a_quantity_in_a_unit_of_another_kind_is_refused(text, unit):
    with pytest.raises(ValueError, match="give"):
        in_unit(text, unit)

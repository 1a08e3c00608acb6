"""``chaindrive analyze``: tables with the values of the analyses, and refusal of wrong input."""

from __future__ import annotations

from pathlib import Path

import pytest

from chaindrive.cli import analyze, analyze_tables, console
from chaindrive.cli.main import main
from support.staged_drives import two_stages


@pytest.fixture
def call(tmp_path, monkeypatch, capfd):
    """Run the command line in this process, in a folder of its own: exit code, standard output and error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: object) -> tuple[object, str, str]:
        capfd.readouterr()
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return ending.value.code, str(out), str(err)

    yield run
    monkeypatch.undo()
    console.prepare_streams()


def row(text: str, title: str, begins: str) -> list[str]:
    """Cells of the first row after a title with this beginning."""
    below = text[text.index(title) :]
    return next(line for line in below.splitlines() if line.strip().startswith(begins)).split()


def test_tables_of_the_6s90(call):
    code, out, err = call("analyze", "6s90mc-c", "--orders", "3,6")
    assert code == 0, err
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "81.07 Hz" in out
    assert "1.776 s" in out
    # The span table repeats what the static equilibrium and Eq. 4.27 give: T = 62.6 kN, f1 = 4.23 and 3.54 Hz.
    tension, at_rest, running, second = map(float, row(out, "Transverse", "0 ")[-4:])
    speed, density, length = 9.2659, 13.6 / 0.1143, 2.71266
    wave = (tension * 1e3 / density) ** 0.5
    assert at_rest == pytest.approx(wave / (2 * length), abs=1e-3)
    assert running == pytest.approx((wave**2 - speed**2) / (2 * length * wave), abs=1e-3)
    assert second == pytest.approx(2 * running, abs=1.1e-3)
    # Modes with the wrapped chain: 12.229, 23.863, 65.044 Hz in full, 12.371, 24.050, 66.069 of the wheels alone.
    for mode, (full, alone) in enumerate([(12.229, 12.371), (23.863, 24.050), (65.044, 66.069)], 1):
        found = row(out, "System eigen", f"{mode} ")
        assert float(found[1]) == pytest.approx(full, abs=2e-3)
        assert float(found[3]) == pytest.approx(alone, abs=2e-3)
    assert row(out, "Polygonal", "0 ")[2:4] == ["64", "0.1205"]
    # Friction 0.1 turns the loads by 5.71 degrees; 4.91e7 N s/m and 3.41e5 N s/m are critical (section 5.3.1).
    assert row(out, "Tooth and link", "0 ")[2:5] == ["35", "33.12", "5.71"]
    assert "49.1 MN s/m (the links have 0.0407 %)" in out
    assert "341 kN s/m (the links have 5.87 %)" in out
    # The string of span 0 at rest, held by seats (4.229 Hz), and wheels that teeth hold less than rigid seats.
    assert float(row(out, "(linearised)", "crankshaft - counterweight 2 transverse")[5]) == pytest.approx(
        at_rest, rel=0.0423
    )
    assert 0.0 < float(row(out, "(linearised)", "wheels")[1]) < 12.229
    assert "Dubowsky" in out
    assert "friction 0.1 (assumed)" in out
    assert list(Path().iterdir()) == []


def test_the_modes_of_all_chains_stand_behind_those_of_each(call):
    """Drums of 2 g m^2 on rigid shafts: the frequencies of the whole are lower than those of either chain with its
    shaft held.
    """
    drive = two_stages(options={"slack": -1e-3}, drum={"load_torque": 0.0})
    Path("stages.toml").write_text(drive.to_toml(), encoding="utf-8")
    code, out, err = call("analyze", "stages.toml")
    assert code == 0, err
    first, second, whole = (float(row(part, "(linearised)", "wheels")[1]) for part in out.split("two stages")[1:])
    assert whole < min(first, second)
    assert out.count("without the parts that its shafts drive") == 2
    assert out.count("The complete drive at rest") == 1
    code, out, err = call("analyze", "stages.toml", "--tension", "500 N")
    assert code == 0, err
    assert "all chains" not in out


def test_drive_with_a_load(call):
    code, out, err = call("analyze", "industrial-08b", "--set", "chain.joint_friction=0.05")
    assert code == 0, err
    assert "slack span motor - conveyor" in " ".join(out.split())
    assert "friction 0.05 " in out
    assert "assumed" not in out
    efficiency = float(out[out.index("efficiency") :].split()[3])
    # Closed form for two wheels at T_s = 0: 1 - pi mu d / P (1/z1 + 1/z2); the slack span and bearings change little.
    assert 100 - efficiency == pytest.approx(100 * 3.14159 * 0.05 * 4.45 / 12.7 * (1 / 17 + 1 / 38), rel=0.1)


@pytest.mark.parametrize("load", ["viscous=1.70763883 N*m*s/rad", "quadratic=0.0729007616 N*m*s^2/rad^2"])
def test_loads_that_depend_on_speed_load_the_chain_as_at_speed(call, load):
    """40 N m at 23.424 rad/s; the tensions were those of a standstill, at which such a load is zero."""
    constant, varying = (
        call("analyze", "industrial-08b", *(word for change in changes for word in ("--set", f"wheels.1.{change}")))[1]
        for changes in (["load_torque=40 N*m"], ["load_torque=0", f"load_{load}"])
    )
    assert float(row(varying, "Transverse", "1 ")[-4]) > 500.0
    assert constant.splitlines() == varying.splitlines()


def test_without_equilibrium_under_the_loads_at_speed(call, monkeypatch):
    """The tensions are said to contain no load, and nothing is computed from them together with loads."""
    monkeypatch.setattr(analyze, "_loaded", lambda unloaded: None)
    code, out, err = call("analyze", "industrial-08b")
    assert code == 0, err
    assert "Transverse" in out
    assert "lost in the joints" not in out
    assert "Tooth and link loads" not in out
    assert "loads act as they do at this speed" not in " ".join(out.split())


def test_power_that_rails_and_parts_behind_shafts_take(call):
    """Of the conveyor, that of the weight on its rails; of a pump behind a gear, that of its load, not that of its
    motor minus its load; without a load, no power.
    """
    code, out, err = call("analyze", "conveyor-16b", "--tension", "1 kN")
    assert code == 0, err
    assert "power of loads, bearings, goods and straight rails" in out
    assert float(row(out, "lost in", "power of")[-2]) == pytest.approx(477.5, rel=0.01)
    assert row(out, "lost in", "power of")[-1] == "W"
    code, out, err = call("analyze", "pump-10b", "--tension", "1 kN")
    assert code == 0, err
    assert row(out, "lost in", "power of")[-2:] == ["3.405", "kW"]
    free = [word for key in ("load_torque", "bearing_friction", "bearing_damping") for word in
            ("--set", f"wheels.1.{key}=0")]  # fmt: skip
    code, out, err = call("analyze", "industrial-08b", "--tension", "1 kN", *free)
    assert code == 0, err
    assert "lost in" in out
    assert "power of loads" not in out


def test_given_tensions(call):
    """The thesis' 19 kN and 20 kN of the 6L60MC: 5.022 and 4.396 Hz (Eq. 4.27); nothing needs to be compiled."""
    code, out, err = call("analyze", "6l60mc", "--tension", "19 kN, 19 kN, 20 kN, 20000")
    assert code == 0, err
    assert "given [kN]" in out
    assert float(row(out, "Transverse", "0 ")[-2]) == pytest.approx(5.022, abs=1e-2)
    assert float(row(out, "Transverse", "3 ")[-2]) == pytest.approx(4.396, abs=1e-2)
    assert row(call("analyze", "6l60mc", "--tension", "19 kN")[1], "Transverse", "3 ")[-4] == "19.000"


def test_half_order_speeds(call):
    """Section 5.9.1 recomputed: order 6 meets f1 of span 0 at 60.0 to 61.5 % of 76 rpm (eta 0 to 1),
    and 2 f1 at 107.3 to 116.2 %.

    Speeds are shown to 0.1 rpm, 0.07 %, and the expected values are rounded to 0.1 %.
    """
    code, out, err = call("analyze", "6s90mc-c", "--orders", "6", "--tension", "80.08 kN")
    assert code == 0, err
    for title, percent in (("\nCritical speeds", (60.0, 61.5)), ("Half-order", (107.3, 116.2))):
        below = out[out.index(title) :].splitlines()
        first = next(i for i, line in enumerate(below) if line.startswith(" 0 "))
        for line, eta, expected in zip(below[first : first + 2], "01", percent, strict=True):
            assert line.split()[-3] == eta
            assert 100 * float(line.split()[-1]) / 76 == pytest.approx(expected, abs=0.13)
    assert "(linearised)" not in out  # needs the equilibrium, which was not looked for


def test_equal_speeds_stand_in_one_row(call, monkeypatch):
    """Where the centrifugal tension changes nothing, relaxation 0 and 1 have the same speeds, given once."""
    speeds = analyze_tables.critical_speeds
    monkeypatch.setattr(
        analyze_tables, "critical_speeds", lambda point, orders, mode, eta, both: speeds(point, orders, mode, 0.0, both)
    )
    code, out, err = call("analyze", "6l60mc", "--tension", "19 kN")
    assert code == 0, err
    below = out[out.index("\nCritical speeds") : out.index("Half-order")].splitlines()
    spans = [line for line in below if line[:3].strip().isdigit()]
    assert len(spans) == 4
    assert all(" 0, 1 " in line for line in spans)


@pytest.mark.long  # test_start.py has the warning, test_open_outputs.py a chain that nothing holds
def test_no_equilibrium(call):
    """At rest the chain can hold only a hundredth of this load."""
    code, out, err = call("analyze", "industrial-08b", "--set", "wheels.1.load_torque=4 kN*m")
    assert code == 2
    assert out == ""
    assert "Traceback" not in err
    message = " ".join(err.split())
    assert "no static equilibrium was found (largest residual force" in message
    assert "--tension" in message
    assert call("analyze", "industrial-08b", "--set", "wheels.1.load_torque=4 kN*m", "--tension", "55 kN")[0] == 0


def test_stability_map(call):
    code, out, err = call("analyze", "6s90mc-c", "--tension", "80 kN", "--stability-map", "map.png", "--span", "2",
                          "--damping-ratio", "0.02")  # fmt: skip
    assert code == 0, err
    assert "Stability of span 2, tightener - counterweight 4, drawn in map.png" in out
    assert Path("map.png").read_bytes().startswith(b"\x89PNG")


def test_without_pin_and_width(call):
    source = Path(__file__).parents[2] / "src/chaindrive/examples/6l60mc.toml"
    text = "\n".join(line for line in source.read_text().splitlines() if not line.startswith("inner_width"))
    Path("drive.toml").write_text(text)
    code, out, err = call("analyze", "drive.toml")
    assert code == 0, err
    assert "needs chain.inner_width" in out
    assert "needs chain.pin_diameter" in out


def test_standing_still(call):
    code, out, err = call("analyze", "industrial-08b", "--set", "wheels.0.motion.speed=0")
    assert code == 0, err
    assert "loop time" not in out
    assert "0 rpm" in out


def test_orders_of_the_motion_are_shown():
    import chaindrive as cd
    from chaindrive.model import override

    motion = {"kind": "orders", "speed": "76 rpm", "orders": [{"order": 4.5, "amplitude": 1.0}]}
    drive = override(cd.example("6s90mc-c"), {"wheels.0.motion": motion})
    assert analyze._orders(drive, None) == [1.0, 2.0, 4.0, 4.5, 6.0]
    assert analyze._orders(drive, "6, 1") == [1.0, 6.0]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["6l60mk"], ["6l60mk", "6l60mc"]),
        (["6l60mc", "--orders", "1,x,-2"], ["--orders", "'x'", "'-2'", "2 problems"]),
        (["6l60mc", "--orders", "1,2,3,4,5,6,7"], ["--orders", "six"]),
        (["6l60mc", "--tension", "5 kg,-1"], ["--tension", "5 kg", "-1", "2 problems"]),
        (["6l60mc", "--tension", "1,2"], ["--tension", "4 spans"]),
        (["hoist", "--orders", "1,2", "--tension", "1 kN"], ["--orders", "--tension", "2 problems", "closed chains"]),
        (["6l60mc", "--tension", "1 kN", "--set", "chain.links=100"], ["chain.links", "100"]),
        (["6l60mc", "--set", "chain.links=100"], ["chain.links", "100"]),
        (["6l60mc", "--span", "1", "--damping-ratio", "0.1"], ["--span", "--stability-map", "2 problems"]),
        (["6l60mc", "--stability-map", "map.txt"], ["--stability-map", "png"]),
        (["6l60mc", "--stability-map", "m.png", "--span", "4", "--damping-ratio", "1"], ["0 to 3", "--damping-ratio"]),
    ],
)
def test_wrong_input(call, arguments, named):
    code, out, err = call("analyze", *arguments)
    assert code == 1
    assert out == ""
    assert "Traceback" not in err
    for text in named:
        assert text in err

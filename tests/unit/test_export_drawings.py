"""Drives as DXF and SVG: to scale, of true arcs and lines, and every name comes out as text."""

import re
from math import atan2, cos, hypot, pi, sin
from xml.etree import ElementTree as ET

import ezdxf
import numpy as np
import pytest
from ezdxf.addons.drawing import matplotlib as frontend

import chaindrive as cd
from chaindrive.drawing.contours import moved, wheel_contour
from chaindrive.drawing.scene import scene_of, wheel_outline
from chaindrive.errors import InputError
from chaindrive.export.dxf import LAYERS, write_dxf
from chaindrive.export.svg import drive_svg, write_svg
from chaindrive.geometry.profile import Arc
from chaindrive.mechanism.teeth import tooth_gap
from chaindrive.model import example_path, loads, override
from support.drawn_drives import every_part, marine
from support.rigid_run import rigid

BAD_NAME = '</title><script>alert(1)</script> "größer" & 链条 \\P {x} %%c ^J'
SVG = "{http://www.w3.org/2000/svg}"
FORMS = [
    {"form": "iso-606"},
    {"form": "asa-ii"},
    {"form": "conveyor"},
    {"form": "circular"},
    {"form": "single-point"},
    {"form": "kinematic-seat"},
    {"form": "rectangular", "clearance": "0.2 mm", "height": "3 mm"},
    {"form": "six-point"},
    {"form": "semi-real", "clearance": "0.2 mm", "height": "1 mm", "flank_angle": "20 deg", "corner_radius": "0.5 mm"},
]


def named(name):
    """An example in which every name is malicious."""
    drive = cd.example("timing-06b")
    fields = drive.to_dict()
    fields["name"] = name
    fields["wheels"][0]["name"] = name
    fields["guides"][0]["name"] = name
    return type(drive).from_dict(fields)


def ends(element):
    return np.array([element.at(0.0)[0], element.at(1.0)[0]])


@pytest.mark.parametrize("options", FORMS, ids=lambda options: options["form"])
def test_contour_is_the_outline(options):
    """The contour is closed and counter-clockwise, and each point of the outline lies on it, once around every
    tooth.
    """
    drive = cd.example("industrial-08b")
    drive = override(drive, {"wheels.0.tooth": options})
    wheel, gap = drive.wheels[0], tooth_gap(drive, 0)
    contour = wheel_contour(gap, wheel.teeth)
    places = np.array([ends(element) for element in contour])
    np.testing.assert_allclose(places[:, 1], np.roll(places[:, 0], -1, axis=0), atol=1e-12)
    area = 0.5 * np.sum(places[:, 0, 0] * places[:, 1, 1] - places[:, 0, 1] * places[:, 1, 0])
    assert area > 0.0
    assert len(contour) % wheel.teeth == 0
    # no two neighbours are one: arcs of the same centre would be
    for first, second in zip(contour, [*contour[1:], contour[0]], strict=True):
        if isinstance(first, Arc) and isinstance(second, Arc):
            assert hypot(first.centre[0] - second.centre[0], first.centre[1] - second.centre[1]) > 1e-9
    points = wheel_outline(gap, wheel.teeth, 0.0, 31)[:200]
    distances = np.min([[_distance(point, element) for element in contour] for point in points], axis=1)
    assert distances.max() < 1e-9
    assert sum(element.length for element in contour) == pytest.approx(_length(gap, wheel.teeth), rel=1e-12)


def _distance(point, element):
    """Distance from a point to an arc or line."""
    if isinstance(element, Arc):
        x, y = point[0] - element.centre[0], point[1] - element.centre[1]
        low, high = sorted((element.start_angle, element.end_angle))
        turns = (atan2(y, x) - low) % (2 * pi)
        return abs(hypot(x, y) - element.radius) if turns <= high - low + 1e-9 or turns > 2 * pi - 1e-9 else 1.0
    start, end = ends(element)
    along = np.clip((point - start) @ (end - start) / ((end - start) @ (end - start)), 0.0, 1.0)
    return hypot(*(point - start - along * (end - start)))


def _length(gap, teeth):
    """Number of elements: twice every half gap, and the straight line from one gap to the next where there is one."""
    xi, eta = gap.elements[-1].at(1.0)[0]
    across = 2.0 * hypot(xi, eta) * sin(pi / teeth - atan2(xi, eta))
    return teeth * (2.0 * gap.length + across)


DRIVES = pytest.mark.parametrize(
    "make", [marine, every_part, lambda: cd.example("timing-06b"), lambda: rigid(cd.example("timing-06b"))]
)


@DRIVES
def test_dxf(make, tmp_path):
    drive = make()
    path = tmp_path / "drive.dxf"
    write_dxf(drive, path)
    document = ezdxf.readfile(path)
    found = document.audit()
    assert not found.errors
    assert not found.fixes
    assert document.dxfversion == "AC1024"  # R2010
    assert document.header["$INSUNITS"] == 4  # millimetres
    assert document.header["$MEASUREMENT"] == 1
    assert set(LAYERS) <= {layer.dxf.name for layer in document.layers}
    scene, space = scene_of(drive), document.modelspace()
    rollers = [e for e in space.query("CIRCLE") if e.dxf.layer == "rollers"]
    np.testing.assert_allclose([e.dxf.center.vec2 for e in rollers], 1e3 * scene.rollers, atol=1e-9)
    np.testing.assert_allclose([e.dxf.radius for e in rollers], 500.0 * drive.chain.roller_diameter)
    _plates_of_dxf(space, scene)
    inserts = list(space.query("INSERT"))
    assert len(inserts) == len(drive.wheels)
    for w, insert in enumerate(inserts):
        parts = list(insert.virtual_entities())
        assert {part.dxftype() for part in parts} <= {"ARC", "LINE"}
        place, angle = tuple(scene.route.centres[w]), scene.wheel_angles[w]
        still = wheel_contour(tooth_gap(drive, w), drive.wheels[w].teeth)
        contour = [moved(element, angle, place) for element in still]
        assert len(parts) == len(contour)
        for part, element in zip(parts, contour, strict=True):
            # an arc of DXF runs counter-clockwise: one that is travelled the other way has its ends exchanged
            expected = ends(element)
            if isinstance(element, Arc):
                assert part.dxf.radius == pytest.approx(1e3 * element.radius)
                np.testing.assert_allclose(part.dxf.center.vec2, 1e3 * np.array(element.centre), atol=1e-6)
                expected = expected if element.end_angle > element.start_angle else expected[::-1]
            np.testing.assert_allclose(_ends_of(part), 1e3 * expected, atol=1e-6)
        assert drive.wheels[w].name in document.blocks.get(insert.dxf.name).block.dxf.description
    texts = "\n".join(text.plain_text() for text in space.query("MTEXT"))
    for part in (*drive.wheels, *drive.guides, *drive.bodies, *drive.tensioners):
        assert part.name in texts.replace("\n", " ")
    guides = [e for e in space if e.dxf.layer == "guides"]
    assert {e.dxftype() for e in guides} <= {"ARC", "LINE"}
    surface = 1e3 * np.concatenate([guide.surface for guide in scene.guides])
    for entity in guides:
        for point in _ends_of(entity):
            assert np.min(np.hypot(*(surface - point).T)) < 1e-6


def _plates_of_dxf(space, scene):
    """Two arcs and two lines for every rigid link, and its pins; nothing without rigid links."""
    plates = [e for e in space if e.dxf.layer == "plates"]
    pins = [e for e in space if e.dxf.layer == "pins"]
    if scene.links is None:
        assert not plates
        assert not pins
        return
    assert len(plates) == 4 * len(scene.rollers)
    arcs = [e for e in plates if e.dxftype() == "ARC"]
    np.testing.assert_allclose([e.dxf.center.vec2 for e in arcs[::2]], 1e3 * scene.rollers, atol=1e-9)
    np.testing.assert_allclose([e.dxf.radius for e in arcs], np.repeat(1e3 * scene.links.sizes.rear, 2))
    np.testing.assert_allclose([e.dxf.center.vec2 for e in pins], 1e3 * scene.links.pins, atol=1e-9)


def _ends_of(entity):
    if entity.dxftype() == "LINE":
        return [tuple(entity.dxf.start.vec2), tuple(entity.dxf.end.vec2)]
    return [tuple(entity.start_point.vec2), tuple(entity.end_point.vec2)]


def test_dxf_can_be_drawn_and_bad_names_are_text(tmp_path):
    drive = named(BAD_NAME)
    write_dxf(drive, tmp_path / "drive.dxf")
    document = ezdxf.readfile(tmp_path / "drive.dxf")
    assert not document.audit().errors
    texts = [text.plain_text() for text in document.modelspace().query("MTEXT")]
    shown = BAD_NAME.replace("%%", "% %")
    assert sum(shown in text.replace("\n", " ").replace("^ J", "^J") for text in texts) == 2, texts
    assert (
        BAD_NAME
        in document.blocks.get(next(iter(document.modelspace().query("INSERT"))).dxf.name).block.dxf.description
    )
    frontend.qsave(document.modelspace(), str(tmp_path / "drive.png"), dpi=40)
    assert (tmp_path / "drive.png").stat().st_size > 3000


def arcs_of(path):
    """Ends, radius and centre of every arc of a path of SVG, by the formulas of the standard (SVG 1.1, F.6.5)."""
    words = path.get("d").replace("Z", "").split()
    at, here, found = 0, None, []
    while at < len(words):
        if words[at] in "ML":
            here, at = np.array([float(w) for w in words[at + 1 : at + 3]]), at + 3
            continue
        assert words[at] == "A"
        r, _, _, large, sweep, x, y = (float(w) for w in words[at + 1 : at + 8])
        end = np.array([x, y])
        half = 0.5 * (here - end)
        factor = np.sqrt(max(r**2 / (half @ half) - 1.0, 0.0)) * (-1.0 if large == sweep else 1.0)
        centre = factor * np.array([half[1], -half[0]]) + 0.5 * (here + end)
        found.append((here, end, r, centre))
        here, at = end, at + 8
    return found


@DRIVES
def test_svg(make, tmp_path):
    drive = make()
    write_svg(drive, tmp_path / "drive.svg")
    root = ET.parse(tmp_path / "drive.svg").getroot()
    scene = scene_of(drive)
    left, top, width, height = (float(value) for value in root.get("viewBox").split())
    assert float(root.get("width").removesuffix("mm")) == pytest.approx(width)
    assert float(root.get("height").removesuffix("mm")) == pytest.approx(height)
    west, east, south, north = (1e3 * value for value in scene.extent)
    assert left < west < east < left + width
    assert top < -north < -south < top + height
    groups = {group.get("id"): group for group in root.iter(f"{SVG}g")}
    for kind, parts in (("wheel", drive.wheels), ("guide", drive.guides), ("body", drive.bodies)):
        for k, part in enumerate(parts):
            assert groups[f"{kind}-{k}"].find(f"{SVG}title").text.startswith(part.name)
    circles = groups["rollers"].findall(f"{SVG}circle")
    places = np.array([[float(c.get("cx")), -float(c.get("cy"))] for c in circles])
    np.testing.assert_allclose(places, 1e3 * scene.rollers, atol=1e-6)
    assert float(circles[0].get("r")) == pytest.approx(500.0 * drive.chain.roller_diameter)
    if scene.links is None:
        assert not {"inner-plates", "outer-plates", "pins"} & set(groups)
    else:
        plates = [groups[f"{kind}-plates"].findall(f"{SVG}path") for kind in ("inner", "outer")]
        assert [len(each) for each in plates] == [len(scene.rollers) / 2] * 2
        for i, path in ((0, plates[0][0]), (7, plates[1][3])):
            for _, _, r, centre in arcs_of(path)[:1]:
                assert r == pytest.approx(1e3 * scene.links.sizes.rear[i], abs=1e-6)
                np.testing.assert_allclose(centre * [1, -1], 1e3 * scene.rollers[i], atol=5e-3)  # of half a circle
        pins = groups["pins"].findall(f"{SVG}circle")
        places = np.array([[float(c.get("cx")), -float(c.get("cy"))] for c in pins])
        np.testing.assert_allclose(places, 1e3 * scene.links.pins, atol=1e-6)
    # the arcs are those of the contour: seen through the formulas of SVG, they have the same centres
    for w, wheel in enumerate(drive.wheels):
        angle, middle = scene.wheel_angles[w], scene.route.centres[w]
        expected = [e for e in wheel_contour(tooth_gap(drive, w), wheel.teeth) if isinstance(e, Arc)]
        arcs = arcs_of(groups[f"wheel-{w}"].find(f"{SVG}path"))
        assert len(arcs) == len(expected)
        for (_, _, r, centre), arc in zip(arcs, expected, strict=True):
            x, y = arc.centre
            turned = (cos(angle) * x - sin(angle) * y + middle[0], sin(angle) * x + cos(angle) * y + middle[1])
            assert r == pytest.approx(1e3 * arc.radius, abs=1e-6)
            scatter = 1e-3 * (1.0 + r)  # short arcs of large radius: ends to a millionth of a mm
            np.testing.assert_allclose(centre * [1, -1], 1e3 * np.array(turned), atol=scatter)
    texts = " ".join(text for text in root.itertext())
    for part in (*drive.wheels, *drive.guides, *drive.bodies, *drive.tensioners):
        assert part.name in texts


def test_names_in_svg_are_text():
    drive = named(BAD_NAME)
    text = drive_svg(drive)
    assert "<script" not in text
    root = ET.fromstring(text.encode())
    assert root.find(f"{SVG}title").text == BAD_NAME
    assert not list(root.iter(f"{SVG}script"))
    # characters that XML cannot hold at all
    from chaindrive.export.svg import _NOT_XML

    assert _NOT_XML.sub("?", "a\x00b\x1bc\ud800d链\U0001f600\n") == "a?b?c?d链\U0001f600\n"


def test_an_inline_drawing_is_as_wide_as_it_can_be_read():
    root = ET.fromstring(drive_svg(cd.example("industrial-08b"), full_size=False))
    assert 600 < float(root.get("width")) < 800  # pixels
    assert root.get("height") is None
    assert root.get("viewBox")


def test_drive_that_cannot_be_drawn_leaves_nothing(tmp_path):
    text = example_path("industrial-08b").read_text(encoding="utf-8")
    drive = loads(re.sub(r"links = \d+", "links = 40", text))
    for write in (write_dxf, write_svg):
        with pytest.raises(InputError):
            write(drive, tmp_path / "drive.out")
    assert not list(tmp_path.iterdir())


def test_ezdxf_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ezdxf", None)
    with pytest.raises(InputError, match=r"pip install chaindrive\[export\]"):
        write_dxf(cd.example("industrial-08b"), tmp_path / "drive.dxf")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("write", [write_dxf, write_svg])
def test_only_drawings_of_our_own_are_replaced(write, tmp_path):
    path = tmp_path / "drive.x"
    path.write_text("mine")
    drive = cd.example("industrial-08b")
    with pytest.raises(InputError, match="not made by an export"):
        write(drive, path)
    write(drive, path, overwrite=True)
    before = path.read_bytes()
    write(cd.example("6l60mc"), path)
    assert path.read_bytes() != before

"""Normals of the contacts from positions, compared with the normals of the equations of motion."""

import math

import numpy as np
import pytest

from chaindrive.drawing.contacts import Places, contact_normals
from chaindrive.formulations.planar.tables import Contacts
from chaindrive.formulations.roller.compile import compile_roller
from chaindrive.geometry.route import pitch_radius
from chaindrive.model import SaveOptions, example, example_path, loads
from chaindrive.simulation.simulate import simulate


@pytest.fixture(scope="module", params=["6l60mc", "timing-06b"])
def moment(request):
    """The last row of a short run, with the state and the parameters of the equations of motion at it."""
    drive = example(request.param)
    run = simulate(drive, until=0.004, save=SaveOptions(rate=1000.0, channels="all"))
    system = compile_roller(drive, drive.run.formulation, at_speed=True)
    n, w, positions = drive.chain.links, len(drive.wheels), system.positions
    row = {name: np.asarray(run.values(name)[-1:], dtype=np.float64) for name in run.channels}
    y = system.state.copy()
    y[: 2 * n] = row["roller_position"][0].T.ravel()
    y[2 * n : 2 * n + w] = row["wheel_angle"][0]
    y[positions : positions + 2 * n] = row["roller_velocity"][0].T.ravel()
    y[positions + 2 * n : positions + 2 * n + w] = row["wheel_speed"][0]
    if drive.bodies:
        y[2 * n + w : positions] = row["joint_position"][0]
        y[positions + 2 * n + w : 2 * positions] = row["joint_speed"][0]
    system.kernels.begin(0.0, y, system.parameters)
    dy = np.zeros_like(y)
    system.kernels.rhs(0.0, y, dy, system.parameters)
    return drive, row, system.parameters, dy


def _contacts(p):
    """Normal of every roller that touches something in the last evaluation: {(surface, roller): (nx, ny)}."""
    found = {}
    for s in range(p.planar.used.segments[0]):
        first, end = p.planar.segment.first[s], p.planar.segment.end[s]
        for i in range(first, end):
            k = p.planar.segment.slot[s] + i - first
            if p.planar.contact.penetration[k] > 0.0:
                found[int(p.planar.segment.surface[s]), int(i)] = Contacts(*(column[k] for column in p.planar.contact))
    return found


def test_the_normals_are_those_of_the_equations_of_motion(moment):
    drive, row, p, _ = moment
    places = Places(row["wheel_angle"], row["wheel_position"], row.get("body_position"), row.get("body_angle"))
    normals = contact_normals(drive, row["roller_position"], row["contact_surface"], places)[0]
    expected = _contacts(p)
    surfaces = set()
    for i in range(drive.chain.links):
        body = int(row["contact_surface"][0, i])
        if body < 0:
            assert np.isnan(normals[i]).all()
            continue
        values = expected[body, i]
        surfaces.add(body)
        # Positions are kept in single precision: 1e-7 of some metres, on an arc of some millimetres
        np.testing.assert_allclose(normals[i], [values.normal_x, values.normal_y], atol=2e-4)
    assert surfaces == set(range(len(drive.wheels) + len(drive.guides)))  # every surface was touched


def test_friction_is_along_the_normal_turned_counter_clockwise_and_all_forces_move_the_roller(moment):
    """Newton's law of a roller: link forces, N n + F (k x n) and weight make its acceleration."""
    drive, row, p, dy = moment
    places = Places(row["wheel_angle"], row["wheel_position"], row.get("body_position"), row.get("body_angle"))
    normal = contact_normals(drive, row["roller_position"], row["contact_surface"], places)[0]
    n = drive.chain.links
    turned = np.stack([-normal[:, 1], normal[:, 0]], axis=1)
    acceleration = dy[p.planar.layout.positions : p.planar.layout.positions + 2 * n].reshape(2, n).T
    links = np.column_stack([p.link.force_x, p.link.force_y])
    pull = links - np.roll(links, 1, axis=0)
    contacts = _contacts(p)
    single = [i for i in range(n) if sum(1 for _, roller in contacts if roller == i) == 1]
    assert len(single) > 20
    with_friction = 0
    for (_, i), values in contacts.items():
        if i not in single:
            continue
        force, friction = values.force, values.friction
        with_friction += abs(friction) > 0.01 * force
        needed = drive.chain.link_mass * (acceleration[i] - np.array(drive.gravity))
        given = pull[i] + force * normal[i] + friction * turned[i]
        assert np.hypot(*(needed - given)) < 1e-6 * np.hypot(*pull[i]) + 2e-4 * force  # of the normal: single precision
    assert with_friction > 5 or drive.contact.friction == 0.0  # else the sense of friction was not tested


def test_a_roller_in_the_bottom_of_a_gap_is_pushed_outwards():
    drive = loads(example_path("industrial-08b").read_text(encoding="utf-8"))
    wheel, radius = 1, float(pitch_radius(drive.chain.pitch, [w.teeth for w in drive.wheels])[1])
    teeth = drive.wheels[wheel].teeth
    angle = 0.3
    direction = angle + 2.0 * math.pi * np.arange(teeth) / teeth
    centre = np.array([0.7, -0.2])
    out = np.stack([np.cos(direction), np.sin(direction)], axis=1)
    rollers = centre + radius * out
    angles, positions = np.full((1, len(drive.wheels)), angle), np.zeros((1, len(drive.wheels), 2))
    positions[0, wheel] = centre
    body = np.full((1, teeth), float(wheel))
    normals = contact_normals(drive, rollers[None], body, Places(angles, positions))
    np.testing.assert_allclose(normals[0], out, atol=1e-9)
    # Moved forward in the gap, the flank ahead pushes it back
    ahead = np.stack([-out[:, 1], out[:, 0]], axis=1)
    normals = contact_normals(
        drive, (rollers + 0.2 * drive.chain.roller_diameter * ahead)[None], body, Places(angles, positions)
    )
    assert ((normals[0] * ahead).sum(axis=1) < -0.3).all()

"""The shared parts of planar formulations do not depend on the coordinates of the chain."""

import numpy as np
import pytest

from chaindrive.formulations.planar.candidates import search_candidates
from chaindrive.formulations.planar.contact import contact_forces
from chaindrive.formulations.planar.layout import state_layout
from chaindrive.formulations.planar.parameters import N_WORKS, PlanarParameters
from chaindrive.formulations.planar.variants import support_of
from chaindrive.kernels import kernel
from support import small_drives


def evaluation(support):
    """Wheels, guides and mechanism of one evaluation, with rollers that the state need not hold."""
    frames, accelerations = support.frames, support.accelerations

    @kernel
    def evaluate(t, y, place, velocity, force, dy, p):
        frames(y, p)
        search_candidates(t, y, place, velocity, p)
        contact_forces(place, velocity, force, dy, p)
        accelerations(t, y, dy, p)

    return evaluate


def laid_out(p: PlanarParameters, coordinates: int) -> PlanarParameters:
    """Such an evaluation where the chain has this number of coordinates."""
    return p._replace(layout=state_layout(coordinates, p.wheels, p.tree.joints, N_WORKS, pressures(p)))


def pressures(p: PlanarParameters) -> int:
    return p.layout.size - p.layout.pressure


def test_layout_has_a_place_for_everything() -> None:
    at = state_layout(7, 3, 2, 4, 1)
    assert at[:-1] == (12, 7, 10, 19, 22, 24, 28, 31, 31)
    assert at.size == 32
    with_motors = state_layout(7, 3, 2, 4, 1, 2)
    assert (with_motors.machine, with_motors.pressure, with_motors.size) == (31, 33, 34)


@pytest.mark.parametrize(
    "drive",
    [
        pytest.param(small_drives.two_wheels, marks=pytest.mark.long),  # less of the same, with a kernel of its own
        *(small_drives.mechanism, small_drives.hydraulic),
    ],
)
def test_a_chain_of_other_coordinates_is_pushed_and_pushes_alike(drive) -> None:
    system = small_drives.compiled(drive())
    p, y = system.parameters.planar, system.state.copy()
    at, n = p.layout, p.rollers
    place = y[: at.wheel_angle] + np.random.default_rng(1).uniform(-3e-4, 3e-4, at.wheel_angle)
    velocity = y[at.positions : at.wheel_speed].copy()
    evaluate = evaluation(support_of(p))
    found = []
    for coordinates in (2 * n, 3 * n, 0):
        q = laid_out(p, coordinates)
        to, state = q.layout, np.zeros(q.layout.size)
        for there, here, count in (
            (to.wheel_angle, at.wheel_angle, at.positions - at.wheel_angle),
            (to.wheel_speed, at.wheel_speed, at.work - at.wheel_speed),
            (to.work, at.work, at.size - at.work),
        ):
            state[there : there + count] = y[here : here + count]
        force, dy = np.zeros(2 * n), np.zeros_like(state)
        evaluate(0.0, state, place, velocity, force, dy, q)
        assert not dy[: to.wheel_speed].any()  # the chain's own part of the derivative is the formulation's
        found.append([force, dy[to.wheel_speed : to.work], dy[to.work :]])
    assert np.count_nonzero(found[0][0]) > 10
    assert p.used.slots[0] > 10
    for other in found[1:]:
        for mine, theirs in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(mine, theirs)

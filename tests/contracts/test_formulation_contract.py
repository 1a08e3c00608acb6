"""Requirements on every formulation: this suite runs over every entry of ENTRIES. A new one adds its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numba.core import config
from numpy.typing import NDArray

import chaindrive as cd
from chaindrive.contract.states import Kind
from chaindrive.contract.status import Accepted
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.formulations.registry import FORMULATIONS
from chaindrive.model import Drive, Guide, LinkOptions, override
from chaindrive.simulation.start import settle
from chaindrive.solvers.jacobian import force_jacobian, forces_at_rest
from support import block_drives, caged_drives, link_chains, small_drives, spatial_chains

FloatArray = NDArray[np.float64]


def example(name: str, formulation: str = "roller") -> System:
    drive = override(cd.example(name), {"run.formulation.kind": formulation})
    return compile_system(drive, drive.run.formulation, True)


def ring() -> System:
    """A closed chain without wheels, not quite round, so that its links carry something."""
    angle = 2.0 * np.pi * np.arange(12) / 12
    place = 0.0127 / (2.0 * np.sin(np.pi / 12)) * np.stack([1.01 * np.cos(angle), np.sin(angle)], axis=1)
    return small_drives.free_chain(small_drives.chain(12, joint_damping=1e-3, link_damping=5.0), (0.0, -9.81), place)


def as_links(drive: Drive) -> System:
    """A drive of links with oil in joints that have clearance, friction and damping."""
    options = LinkOptions(oil_damping=5.0, oil_film=2e-5)
    return compile_system(drive, options, True)


def with_guides() -> System:
    return small_drives.compiled(guided(), moving=False)


def in_both_spans() -> list[Guide]:
    """A rail in each span, with losses."""
    contact = {"stiffness": 1e8, "exponent": 1.5, "friction": 0.2, "restitution": 0.4}
    return [small_drives.rail(span, f"rail {span}", contact=contact) for span in range(2)]


def guided() -> Drive:
    """A rail with friction of arcs and lines in the slack span, and one that the line of roller centres touches."""
    pieces = [{"length": 0.02}, {"length": 0.05, "radius": 0.2, "bend": "left"}, {"length": 0.02}]
    ends = {"end_radius": 0.05, "end_length": 0.01}
    curved = {"kind": "path", "start": (0.04, -0.0175), "direction": -0.13, "pieces": pieces, "side": "left"}
    with_friction = small_drives.pressed(stiffness=1e8, restitution=0.3, friction=0.2)
    guides = [
        Guide(name="curved", shape=curved | ends, contact=with_friction),
        small_drives.rail(1, "flat", contact={"stiffness": 1e5, "exponent": 1.0, "friction": 0.1}, contact_radius=0.0),
    ]
    return small_drives.two_wheels((11, 13), 12.0, guides=guides, joint_damping=1e-3, link_damping=5.0)


def with_mechanism() -> System:
    return small_drives.compiled(small_drives.mechanism(), moving=False)


def with_hydraulics() -> System:
    """A rail on an arm under the slack span, pushed by a piston on oil."""
    return small_drives.compiled(small_drives.hydraulic(), moving=False)


def block(**options: object) -> System:
    """Two wheels, one of them with an eccentric mass and friction in its bearing, with slack between them."""
    wheel = {"unbalance": {"mass_moment": 0.02, "angle": 0.4}, "bearing_friction": 0.1, "load_viscous": 0.05}
    motion = {"kind": "constant_speed", "speed": 20.0}
    drive = block_drives.two_wheels({"motion": motion}, wheel, **{"slack": 1e-3, "damping": 30.0} | options)
    return compile_system(drive, drive.run.formulation, True)


def five_blocks() -> System:
    drive = block_drives.five_wheels(damping=100.0)
    return compile_system(drive, drive.run.formulation, True)


ENTRIES: dict[str, Callable[[], System]] = {
    "block of spans": block,
    "block as one element": lambda: block(compliance="block", damping_in_slack=False),
    "block with five wheels": five_blocks,
    "roller 6l60mc": lambda: example("6l60mc"),
    "roller 6s90mc-c": lambda: example("6s90mc-c"),
    "roller industrial-08b": lambda: example("industrial-08b"),
    "roller without wheels": ring,
    "roller with guides": with_guides,
    "roller with mechanism": with_mechanism,
    "roller with hydraulic tensioner": with_hydraulics,
}
ENTRIES |= {
    "cvt": lambda: example("cvt-63", "cvt"),
    "cvt with motors": lambda: with_motors_in_cvt(),
    "cvt with rigid links": lambda: with_rigid_links_in_cvt(),
    "cvt with revolute joints": lambda: with_rigid_links_in_cvt(joint="revolute"),
}
ENTRIES |= {
    "link ring": lambda: link_chains.ring(9, 1e-3, clearance=1e-5, centre=(0.005, 0.0006), damping=5.0)[0],
    "link journals": lambda: link_chains.ring(9, 1e-3, joint="journal", centre=(0.005, 0.0006), damping=5.0)[0],
    "link industrial-08b": lambda: example("industrial-08b", "link"),
    "link with guides": lambda: as_links(guided()),
    "link with mechanism": lambda: as_links(small_drives.mechanism()),
    "link with hydraulic tensioner": lambda: as_links(small_drives.hydraulic()),
}
DRIVING = {"freewheel": {"inertia": 0.01, "stiffness": 200.0, "damping": 0.3}, "load_torque": 1.0, "load_viscous": 0.1}
HELD_SOFTLY = DRIVING | {"mass": 0.2, "lateral_stiffness": 1e5, "lateral_damping": 3.0, "offset": 3e-4}
HELD_SOFTLY |= {"shaft": {"length": 0.1, "bending_stiffness": 30.0, "damping": 2.0}}
ENTRIES |= {
    "spatial ring": lambda: spatial_chains.ring(
        34, damping=5.0, side_damping=2.0, swing_damping=1e-4, bend_play=0.01, twist_play=0.01, pin_play=1e-4
    ),
    "spatial wheels": lambda: small_drives.in_space(),
    "spatial with guides": lambda: small_drives.in_space(offset=3e-4, guides=in_both_spans()),
    "spatial wheels aside and askew": lambda: small_drives.in_space(offset=3e-4, tilt=(0.004, -0.006)),
    "spatial with a cage": lambda: caged_drives.compiled(offset=3e-4, tilt=(0.004, -0.006), joint={"friction": 0.1}),
    "spatial with a wheel on springs and a freewheel": lambda: small_drives.in_space(second=HELD_SOFTLY),
    "roller with a freewheel": lambda: small_drives.compiled(small_drives.two_wheels(second=DRIVING), moving=False),
}


def on_rigid_contacts(name: str, **formulation: str) -> System:
    drive = override(cd.example(name), {"run.formulation": formulation | {"contacts": "rigid"}})
    return compile_system(drive, drive.run.formulation, True)


ENTRIES |= {
    "roller on rigid contacts": lambda: on_rigid_contacts("industrial-08b", kind="roller"),
    "link on rigid contacts": lambda: on_rigid_contacts("industrial-08b", kind="link"),
}
MACHINES = {
    "motion": None,
    "initial_speed": 20.0,
    "torque": [
        {"kind": "dc_motor", "no_load_speed": 30.0, "stall_torque": 6.0, "time_constant": 0.01},
        {"kind": "governor", "speed": 20.0, "largest_torque": 5.0, "proportional": 0.3, "integral": 3.0},
        {"kind": "induction_motor", "rated_power": 100.0, "rated_speed": "1400 rpm", "pull_out_ratio": 2.0},
        {"kind": "orders", "orders": [{"order": 2.5, "amplitude": 0.5}]},
    ],
}
LOADED = {
    "loads": [
        {"torque": 1.0},
        {"torque": {"over": "angle", "angles": [0, 1, 2, 3], "torques": [0, 1, 0, 0]}, "against": "running_sense"},
    ]
}


def with_motors_in_cvt() -> System:
    machines = {f"sheaves.primary.{name}": value for name, value in MACHINES.items()}
    loads = {f"sheaves.secondary.{name}": value for name, value in LOADED.items()}
    drive = override(cd.example("cvt-63"), machines | loads | {"sheaves.primary.inertia": 0.05})
    return compile_system(drive, drive.run.formulation, True)


def with_rigid_links_in_cvt(**options: str) -> System:
    sheaves = {"tilt_stiffness": None, "deformation": {"variation": "0.6 mrad"}}
    changes = {f"sheaves.primary.{name}": value for name, value in sheaves.items()}
    changes |= {"chain.pitch": None, "chain.pitches": ["10.4 mm", "9.5 mm"]}
    drive = override(cd.example("cvt-63"), changes | {"run.formulation": {"kind": "cvt", "links": "rigid"} | options})
    return compile_system(drive, drive.run.formulation, True)


def with_motors_in_block() -> System:
    drive = block_drives.two_wheels(MACHINES, LOADED, damping=30.0)
    return compile_system(drive, drive.run.formulation, True)


def carrying(formulation: str) -> System:
    """A worn chain with attachments, and goods on one strand, dragged on the other."""
    goods = [
        {"span": 1, "mass_per_length": 3.0, "transition": 0.03, "feed_speed": 0.2},
        {"span": 0, "mass": 0.05, "every": 3, "transition": 0.02, "resistance": 0.3, "gravity": (1.0, -4.0)},
    ]
    worn = {"wear": 1e-3, "scatter": {"deviation": 1e-4}, "attachments": [{"mass": 0.02, "every": 4}]}
    drive = override(small_drives.two_wheels(**worn), {"payloads": goods, "run.formulation": {"kind": formulation}})
    return compile_system(drive, drive.run.formulation, True)


ENTRIES |= {"roller carrying": lambda: carrying("roller"), "link carrying": lambda: carrying("link")}
ENTRIES |= {
    "roller with motors": lambda: small_drives.compiled(
        small_drives.two_wheels(first=MACHINES, second=LOADED), moving=False
    ),
    "block with motors": with_motors_in_block,
    "link with motors": lambda: as_links(small_drives.two_wheels(first=MACHINES, second=LOADED)),
    "spatial with motors": lambda: small_drives.in_space(first=MACHINES, second=LOADED),
}
if not config.DISABLE_JIT:  # placed, its chain lies behind its rails, and to settle it plain Python takes minutes
    ENTRIES["roller timing-06b"] = lambda: settle(example("timing-06b"))

CHANNELS = {
    "link_tension": ("link",),
    "roller_position": ("roller", "axis"),
    "roller_velocity": ("roller", "axis"),
    "contact_force": ("roller",),
    "contact_penetration": ("roller",),
    "friction_force": ("roller",),
    "contact_surface": ("roller",),
    "wheel_angle": ("wheel",),
    "wheel_speed": ("wheel",),
    "wheel_torque": ("wheel",),
    "wheel_position": ("wheel", "axis"),
    "bearing_force": ("wheel", "axis"),
    "link_tension_max": ("link",),
    "link_tension_min": ("link",),
    "tooth_force_max": ("wheel",),
    "bearing_force_max": ("wheel",),
    "span_tension": ("span",),
    "span_displacement": ("span",),
    "link_path_position": ("link",),
    "power_input": (),
    "power_output": (),
    "power_link_damping": (),
    "power_articulation": (),
    "power_contact": (),
    "power_friction": (),
    "power_bearing": (),
    "power_guide": (),
    "power_tensioner": (),
    "energy_kinetic": (),
    "energy_elastic": (),
    "energy_gravity": (),
    "energy_residual": (),
}
"""Channels of every planar formulation, with the dimensions after time."""
CHANNELS_OF_ALL = (
    "wheel_angle", "wheel_speed", "wheel_torque", "wheel_position", "bearing_force", "bearing_force_max",
    "span_tension", "power_input", "power_output", "power_link_damping", "power_bearing", "energy_kinetic",
    "energy_elastic", "energy_gravity", "energy_residual",
)  # fmt: skip
"""Channels of every formulation of a drive."""
CHANNELS_OF_PARTS = {
    "guide": {"guide_force": ("guide", "axis"), "guide_force_max": ("guide",)},
    "body": {
        "joint_position": ("body",),
        "joint_speed": ("body",),
        "joint_force": ("body", "axis"),
        "joint_moment": ("body",),
        "body_position": ("body", "axis"),
        "body_angle": ("body",),
    },
    "tensioner": {
        "tensioner_position": ("tensioner",),
        "tensioner_force": ("tensioner",),
        "tensioner_force_max": ("tensioner",),
        "tensioner_force_min": ("tensioner",),
        "tensioner_pressure": ("tensioner",),
    },
}
"""Further channels for a drive with such parts, which then have names, and only for these."""
UNITS = {"1", "m", "m/s", "rad", "rad/s", "m/s^2", "N", "N m", "Pa", "W", "J", "kg", "pitch"}
MAY_BE_ABSENT = {
    "hub_angle",
    "hub_speed",
    "freewheel_torque",
    "contact_penetration",
    "span_tension",
    "span_displacement",
    "tensioner_pressure",
}
"""Channels that are not-a-number where there is no value: no tooth near, no link in the span, no chamber."""


@pytest.fixture(scope="module", params=ENTRIES)
def compiled(request: pytest.FixtureRequest) -> System:
    return ENTRIES[request.param]()


@pytest.fixture
def system(compiled: System) -> System:
    """A system ready to start: memory set for the state, whatever the previous test has done."""
    compiled.kernels.begin(0.0, moving(compiled), compiled.parameters)
    return compiled


def works(system: System) -> NDArray[np.int64]:
    """Positions of the work integrals in the state: after positions and speeds."""
    found = np.flatnonzero(system.kinds == Kind.WORK)
    assert found.size == 0 or found[0] == system.positions + system.velocities
    return found


def speeds(system: System) -> slice:
    """Positions of the velocities in the state."""
    return slice(system.positions, system.positions + system.velocities)


def moving(system: System) -> FloatArray:
    """The start state at its start speed, the work integrals not zero."""
    y = system.state.copy()
    y[speeds(system)] = system.motion.rolling
    y[works(system)] = 1.0 + np.arange(y[works(system)].size)
    return y


def shaken(system: System, seed: int) -> FloatArray:
    """A state near the start in which everything moves; links are stretched by a few thousandths."""
    rng = np.random.default_rng(seed)
    y = moving(system)
    n = system.positions
    if any(c.name == "roller_position" for c in system.channels):
        rollers = channel(system, record(system, y), "roller_position")
        y[:n] += 1.5e-3 * np.hypot(*(rollers[1] - rollers[0])) * rng.uniform(-1.0, 1.0, n)
    else:
        y[:n] += 0.02 * rng.uniform(-1.0, 1.0, n)
    if in_space(system):  # a link that turns stays as large as it is
        links = system.channel("link_tension").size
        quaternions = y[3 * links : 7 * links].reshape(4, links)
        quaternions /= np.linalg.norm(quaternions, axis=0)
    y[speeds(system)] += rng.uniform(-1.0, 1.0, system.velocities)
    return y


def planar(system: System) -> bool:
    """Whether the formulation has rollers in a plane that roll on teeth."""
    return any(c.name == "roller_velocity" for c in system.channels)


def in_space(system: System) -> bool:
    """Whether the links of the formulation turn in space."""
    return any(c.name == "link_orientation" for c in system.channels)


def coordinates_of_chain(system: System) -> int:
    """Number of the positions of a system with rollers that belong to links."""
    names = {c.name for c in system.channels}
    if in_space(system):
        return 7 * system.channel("link_tension").size
    return (3 if "link_angle" in names else 2) * system.channel("link_tension").size


def wild(system: System) -> FloatArray:
    """A state as a trial step far too long may produce it: positions and speeds of hundreds, of any sign."""
    rng = np.random.default_rng(13)
    return rng.normal(scale=300.0, size=system.state.size)


def rhs(system: System, y: FloatArray, fill: float = np.nan, t: float = 0.0) -> FloatArray:
    dy = np.full_like(y, fill)
    system.kernels.rhs(t, y, dy, system.parameters)
    return dy


def record(system: System, y: FloatArray, fill: float = np.nan) -> FloatArray:
    row = np.full(system.row_size, fill)
    if hasattr(system.parameters, "row"):  # of its own, into which it writes first
        system.parameters.row.values[:] = fill
    system.kernels.record(0.0, y, system.parameters, row)
    return row


def channel(system: System, row: FloatArray, name: str) -> FloatArray:
    return system.channel(name).read(row)


def memory(system: System) -> dict[str, bytes]:
    """Every bit of the memory."""
    return {name: array.tobytes() for name, array in system.memory_arrays().items()}


def test_every_kind_of_formulation_has_an_entry() -> None:
    kinds = list(FORMULATIONS)
    assert kinds
    assert all(any(name.startswith(kind) for name in ENTRIES) for kind in kinds)


def test_channels_that_all_of_them_have_are_listed() -> None:
    """A channel that a formulation lost, or never had, is then noticed by its name."""
    of = {kind: next(make for name, make in ENTRIES.items() if name.startswith(kind)) for kind in FORMULATIONS}
    names = {kind: {c.name for c in make().channels} for kind, make in of.items()}
    accounts = {name for each in names.values() for name in each if name.startswith("work_")} | {"shaft_work"}
    assert set.intersection(*names.values()) - accounts == set(CHANNELS_OF_ALL)
    planar = set.intersection(*(each for kind, each in names.items() if kind not in ("block", "cvt")))
    assert planar - accounts - {"tooth_jumps"} == set(CHANNELS)


def test_sizes_fit(system: System) -> None:
    n, size = system.positions, system.state.size
    kinds = system.kinds
    assert kinds.shape == (size,)
    assert set(kinds[:n]) <= {Kind.LENGTH, Kind.ANGLE}
    speed_of = {Kind.LENGTH: Kind.SPEED, Kind.ANGLE: Kind.ANGULAR_SPEED}
    if system.kernels.rates is None:
        np.testing.assert_array_equal(kinds[speeds(system)], [speed_of[Kind(k)] for k in kinds[:n]])
    assert set(kinds[speeds(system)]) <= set(speed_of.values())
    assert set(kinds[works(system)]) == {Kind.WORK}
    # motors, chambers, joints that yield to friction
    others = set(kinds[system.positions + system.velocities :]) - {Kind.WORK}
    assert others <= {Kind.MACHINE, Kind.PRESSURE, Kind.ANGLE}
    assert system.motion.rolling.shape == system.masses.shape == system.colours.shape == (system.velocities,)
    assert (system.colours < 0).all() or system.rest.neighbours.shape[0] == system.velocities
    assert (system.masses > 0.0).all()
    assert system.motion.highest_frequency > 0.0
    assert np.isfinite(system.state).all()
    prescribed = ~np.isfinite(system.masses)
    assert not system.state[speeds(system)][~prescribed].any()  # at rest, no work done
    assert not system.state[works(system)].any()
    assert (np.diff(system.motion.stops) > 0.0).all()
    assert system.memory
    assert all(isinstance(array, np.ndarray) for array in system.memory_arrays().values())


def test_rhs_writes_every_entry_and_only_from_its_arguments(system: System) -> None:
    y = shaken(system, 1)
    first = rhs(system, y, fill=np.nan)
    assert np.isfinite(first).all()
    rhs(system, shaken(system, 2))  # leaves other numbers in the scratch arrays
    np.testing.assert_array_equal(rhs(system, y, fill=-7.0), first)


def test_rhs_leaves_state_and_memory_alone(system: System) -> None:
    before = memory(system)
    for y in (moving(system), shaken(system, 3), wild(system)):
        given = y.copy()
        rhs(system, y, t=123.0)
        np.testing.assert_array_equal(y, given)
        assert memory(system) == before


def test_positions_change_with_velocities(system: System) -> None:
    n = system.positions
    for y in (shaken(system, 4), wild(system)):
        found, given = rhs(system, y)[:n], y[speeds(system)]
        if system.kernels.rates is None:
            np.testing.assert_array_equal(found, given)
        else:
            expected = np.full(n, np.nan)
            system.kernels.rates(y[:n], given, expected, system.parameters)
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15 * np.abs(expected).max())


def test_velocities_belong_to_the_rates_of_positions(system: System) -> None:
    """``speeds`` recovers from the rates the velocities that produced them."""
    if system.kernels.speeds is None:
        return
    n, y = system.positions, shaken(system, 11)
    given, rates, found = y[speeds(system)], np.full(n, np.nan), np.full(system.velocities, np.nan)
    system.kernels.rates(y[:n], given, rates, system.parameters)
    system.kernels.speeds(y[:n], rates, found, system.parameters)
    np.testing.assert_allclose(found, given, rtol=1e-12, atol=1e-13 * np.abs(given).max())


def test_what_turns_freely_is_taken_out_and_put_back(system: System) -> None:
    """``inertial`` with -1 and 1 leaves dv/dt as it was, and agrees with the change of velocities by ``drift`` in a
    short time.
    """
    if system.kernels.inertial is None:
        return
    y, v = shaken(system, 12), speeds(system)
    dy = rhs(system, y)
    kept = dy.copy()
    system.kernels.inertial(y, dy, -1.0, system.parameters)
    free = kept[v] - dy[v]
    system.kernels.inertial(y, dy, 1.0, system.parameters)
    np.testing.assert_allclose(dy, kept, rtol=1e-12, atol=1e-15 * np.abs(kept).max())
    there = y.copy()
    system.kernels.drift(there, 1e-7, system.parameters)
    np.testing.assert_allclose((there - y)[v] / 1e-7, free, rtol=1e-5, atol=1e-6 * np.abs(free).max())


def test_work_does_not_act_back(system: System) -> None:
    y = shaken(system, 5)
    other = y.copy()
    other[works(system)] = -1e9
    np.testing.assert_array_equal(rhs(system, y), rhs(system, other))


def test_record_fills_the_row_and_leaves_memory_alone(system: System) -> None:
    before = memory(system)
    for y in (moving(system), shaken(system, 6)):
        given = y.copy()
        first = record(system, y, fill=-1.25e300)
        assert not (first == -1.25e300).any()
        np.testing.assert_array_equal(record(system, y, fill=np.inf), first)  # not-a-number counts as equal here
        np.testing.assert_array_equal(y, given)
        for c in system.channels:
            values = channel(system, first, c.name)
            assert c.name in MAY_BE_ABSENT or np.isfinite(values).all(), c.name
    record(system, wild(system))
    assert memory(system) == before


def test_one_compilation_serves_every_drive(system: System, request: pytest.FixtureRequest) -> None:
    """Kernels compile anew for arrays of another layout: all parameters are of the types that the first entry has."""
    numba = pytest.importorskip("numba")
    kind = request.node.callspec.params["compiled"].split()[0]
    first = next(entry for name, entry in ENTRIES.items() if name.split()[0] == kind)
    assert numba.typeof(system.parameters) == numba.typeof(first().parameters)


def test_channels_tile_the_row(system: System) -> None:
    at = 0
    sizes: dict[str, set[int]] = defaultdict(set)
    for c in system.channels:
        assert c.offset == at, c.name
        assert len(c.shape) == len(c.dims)
        assert c.description
        at += c.size
        for dim, size in zip(c.dims, c.shape, strict=True):
            sizes[dim].add(size)
    assert system.row_size == at
    assert all(len(found) == 1 for found in sizes.values())
    assert sizes["axis"] == {2}
    names = [c.name for c in system.channels]
    assert len(set(names)) == len(names)
    numbered = np.arange(2.0 * at).reshape(2, at)
    for c in system.channels:
        assert system.channel(c.name) is c
        wanted = numbered[:, c.offset : c.offset + c.size]
        assert c.read(numbered).tolist() == wanted.reshape(2, *c.shape).tolist()
        assert c.read(numbered[1]).shape == c.shape
    with pytest.raises(KeyError, match="no such thing"):
        system.channel("no such thing")
    for dim, labels in system.labels.items():
        assert {len(labels)} == sizes[dim]


def test_what_results_hold_of_a_channel(system: System) -> None:
    """The accounts of the energy balance always; all channels with twice as many digits, except those of every link."""
    for c in system.channels:
        account = c.name.startswith(("work_", "energy_")) or c.name in ("shaft_work", "wheel_losses")
        assert (c.kept == "always") == account, c.name
        assert (c.precision == "single") == bool({"link", "pin", "roller"} & set(c.dims)), c.name
    on_request = {c.name for c in system.channels if c.kept == "on request"}
    always_asked = {"roller_velocity", "contact_penetration"} if planar(system) else set()
    may_be = {"link_angular_velocity", "pin_moment", "link_position", "link_orientation", "link_rotation"}
    assert always_asked <= on_request <= always_asked | may_be | {"lateral_acceleration"}
    row = record(system, moving(system))
    for c in system.channels:
        if c.whole:
            assert np.array_equal(c.read(row), np.rint(c.read(row))), c.name
            assert c.unit == "1", c.name
    whole = {c.name: c.holds for c in system.channels if c.whole}
    between = {"contact_surface": "index", "pins_in_contact": "count"}
    counted = between if "pins_in_contact" in whole else {}
    assert whole == ({"contact_surface": "index", "tooth_jumps": "count"} if planar(system) else counted)


def test_channels_of_every_planar_formulation(system: System) -> None:
    offered = {c.name: c for c in system.channels}
    assert set(CHANNELS if planar(system) else CHANNELS_OF_ALL) <= set(offered)
    for name, dims in CHANNELS.items():
        assert name not in offered or offered[name].dims == dims, name
    assert {c.unit for c in system.channels} <= UNITS
    for dim, found in CHANNELS_OF_PARTS.items():
        assert {name: offered[name].dims for name in found if name in offered} == (
            found if dim in system.labels else {}
        )


def test_channels_say_what_the_state_says(system: System) -> None:
    """Planar, all x before all y; wheels behind the coordinates of the chain, then joints that move."""
    y = shaken(system, 7)
    row = record(system, y)
    if not planar(system):
        has_pins = any(c.name == "roller_position" for c in system.channels)
        pins = channel(system, row, "roller_position") if has_pins else None
        first = 0 if pins is None else system.parameters.coordinates
        angles = slice(first, first + channel(system, row, "wheel_angle").size)
        if pins is not None and first == pins.size:
            np.testing.assert_array_equal(pins.T.ravel(), y[:first])
        elif pins is not None:  # at the rear ends of rigid links
            x, above, turned = y[:first].reshape(3, -1)
            half = 0.5 * system.parameters.link.pitch
            np.testing.assert_allclose(pins.T, [x - half * np.cos(turned), above - half * np.sin(turned)], atol=1e-15)
        np.testing.assert_array_equal(channel(system, row, "wheel_angle"), y[angles])
        np.testing.assert_array_equal(channel(system, row, "wheel_speed"), y[system.positions :][angles])
        return
    links, n, own = channel(system, row, "link_tension").size, system.positions, coordinates_of_chain(system)
    if in_space(system):
        found = channel(system, row, "link_position"), channel(system, row, "link_orientation")
        np.testing.assert_array_equal(np.concatenate([part.T.ravel() for part in found]), y[:own])
        np.testing.assert_array_equal(channel(system, row, "link_rotation").T.ravel(), y[n + 3 * links : n + 6 * links])
    elif own == 2 * links:
        np.testing.assert_array_equal(channel(system, row, "roller_position").T.ravel(), y[: 2 * links])
        np.testing.assert_array_equal(channel(system, row, "roller_velocity").T.ravel(), y[n : n + 2 * links])
    else:
        np.testing.assert_array_equal(channel(system, row, "link_angle"), y[2 * links : 3 * links])
        found = channel(system, row, "link_angular_velocity")
        np.testing.assert_array_equal(found, y[n + 2 * links : n + 3 * links])
    joints = own + channel(system, row, "wheel_angle").size
    np.testing.assert_array_equal(channel(system, row, "wheel_angle"), y[own:joints])
    first = system.positions + (6 * links if in_space(system) else own)
    np.testing.assert_array_equal(channel(system, row, "wheel_speed"), y[first : first + joints - own])
    if "body" in system.labels:
        position, speed = channel(system, row, "joint_position"), channel(system, row, "joint_speed")
        np.testing.assert_array_equal(position[position != 0.0], y[joints:n])  # 0 where a joint does not move
        rates = first + joints - own
        np.testing.assert_array_equal(speed[speed != 0.0], y[rates : rates + n - joints])
    if "tensioner" in system.labels:
        pressure = channel(system, row, "tensioner_pressure")
        np.testing.assert_array_equal(pressure[np.isfinite(pressure)], y[system.kinds == Kind.PRESSURE])


def test_powers_are_the_rates_of_the_works(system: System) -> None:
    y = shaken(system, 8)
    row = record(system, y)
    powers = [c.name.removeprefix("power_") for c in system.channels if c.name.startswith("power_")]
    done = [c.name.removeprefix("work_") for c in system.channels if c.name.startswith("work_")]
    assert powers == done
    rates, values, scalars = rhs(system, y)[works(system)], y[works(system)], len(powers)
    if any(c.name == "wheel_losses" for c in system.channels):  # last of all
        lost = channel(system, row, "wheel_losses").ravel()
        rates, values = rates[: rates.size - lost.size], values[: values.size - lost.size]
        np.testing.assert_array_equal(lost, y[works(system)][values.size :])
    shown = [channel(system, row, f"power_{name}") for name in powers]  # by another kernel: its own rounding
    np.testing.assert_allclose(shown, rates[:scalars], rtol=1e-12, atol=1e-13 * np.abs(rates).max())
    np.testing.assert_array_equal([channel(system, row, f"work_{name}") for name in done], values[:scalars])
    if any(c.name == "shaft_work" for c in system.channels):  # one for every wheel follows
        np.testing.assert_array_equal(channel(system, row, "shaft_work"), values[scalars:])
        joints = (coordinates_of_chain(system) if planar(system) else 0) + values[scalars:].size
        if in_space(system) or np.isfinite(system.masses[joints:]).all():  # no joint is moved
            net = float(rates[0] - rates[1])  # input less output
            if any(c.name == "payload_power" for c in system.channels):  # goods go past the wheels
                net += float(channel(system, row, "payload_power").sum())
            assert rates[scalars:].sum() == pytest.approx(net, rel=1e-12, abs=1e-12 * abs(rates[:2]).sum())


def test_powers_balance(system: System) -> None:
    """d(energies)/dt = input - output - losses, along the motion: dy carries kinetic, elastic and gravity energy.

    The energies of record are differenced along y + s dy. Central differences leave s^2 E'''/6, which Richardson's
    extrapolation removes: (s w)^4 = 1e-12 is left for s w = 1e-3, w the highest frequency. A contact that begins within
    s is smooth to d^(5/2) only: it leaves (s w)^(3/2) of its own part. Rounding: an energy E is known to 1e-15 E.
    """
    y = shaken(system, 9)
    dy, n = rhs(system, y), system.positions

    def stored(s: float) -> float:
        row = record(system, y + s * dy)
        return float(sum(channel(system, row, f"energy_{kind}") for kind in ("kinetic", "elastic", "gravity")))

    s = 1e-3 / system.motion.highest_frequency
    rate = (8.0 * (stored(s) - stored(-s)) - (stored(2.0 * s) - stored(-2.0 * s))) / (12.0 * s)
    names = [c.name.removeprefix("power_") for c in system.channels if c.name.startswith("power_")]
    power = dict(zip(names, dy[works(system)][: len(names)], strict=True))
    incoming = power.pop("input") - power.pop("output")
    losses = sum(power.values())
    v = slice(n, n + system.velocities)
    speed = np.abs(y[v])
    finite = np.isfinite(system.masses)
    flow = float((np.where(finite, system.masses, 0.0) * np.abs(dy[v]) * speed).sum()) + abs(losses)
    rounding = 1e-15 * abs(stored(0.0)) / s
    assert rate == pytest.approx(incoming - losses, abs=1e-6 * flow + 10.0 * rounding)


def test_audit_begins_at_zero(system: System) -> None:
    y = moving(system)
    y[works(system)] = 0.0
    system.kernels.begin(0.0, y, system.parameters)
    row = record(system, y)
    energies = [channel(system, row, f"energy_{kind}") for kind in ("kinetic", "elastic", "gravity")]
    # the same sums twice, perhaps added in another order: a few roundings of the largest
    assert channel(system, row, "energy_residual") == pytest.approx(0.0, abs=4.0 * 2.3e-16 * np.abs(energies).sum())


def test_begin_sets_all_memory_anew(system: System) -> None:
    """Whatever the memory held before: a run from a state depends on that state alone."""
    begun = memory(system)
    y = moving(system)
    for name, array in system.memory_arrays().items():
        if not name.startswith("segment."):  # rows beyond the used ones are never read
            array[...] = 1
    assert system.kernels.begin(0.0, y, system.parameters) == Accepted.UNCHANGED
    dy, row = rhs(system, y), record(system, y)
    system.kernels.begin(0.0, y, system.parameters)
    np.testing.assert_array_equal(rhs(system, y), dy)
    np.testing.assert_array_equal(record(system, y), row)
    used = memory(system)
    system.kernels.begin(0.0, y, system.parameters)
    assert memory(system) == used
    assert set(begun) == set(used)


def test_first_accept_goes_on(system: System) -> None:
    for y in (moving(system), system.state.copy()):
        answer = system.kernels.begin(0.0, y, system.parameters)
        assert answer in tuple(Accepted)
        rhs(system, y)
        answer = system.kernels.accept(0.0, y, system.parameters)
        assert answer in tuple(Accepted)


def test_accept_says_when_the_rhs_changed(system: System) -> None:
    """UNCHANGED: dy at this point is bit for bit what it was. A second accept at the same point has nothing to do.

    Anchors of elastic friction move to where their springs have the same forces but for rounding: as far as that
    of places moves accelerations.
    """
    planar = getattr(system.parameters, "planar", None)
    elastic = planar is not None and (planar.elastic_friction or planar.payload.sticking.any())
    speeds = slice(system.positions, 2 * system.positions)

    def same(one: FloatArray, other: FloatArray, rounding: float) -> None:
        np.testing.assert_allclose(one, other, rtol=1e-9 if elastic else 0.0, atol=rounding if elastic else 0.0)

    for seed in range(20, 24):
        y = shaken(system, seed)
        aside = rhs(system, np.nextafter(y, np.inf))
        before = rhs(system, y)
        rounding = float(np.abs(aside - before)[speeds].max())
        answer = system.kernels.accept(0.0, y, system.parameters)
        assert answer in tuple(Accepted)
        after = rhs(system, y)
        if answer in (Accepted.UNCHANGED, Accepted.LIMIT_CHANGED):
            same(after, before, rounding)
        elif answer == Accepted.REARRANGED:
            np.testing.assert_allclose(after, before, rtol=1e-9, atol=1e-12 * np.abs(before).max())
        assert system.kernels.accept(0.0, y, system.parameters) == Accepted.UNCHANGED
        same(rhs(system, y), after, rounding)


def arrays_of(parameters: Any, before: str = "") -> dict[str, NDArray[Any]]:
    """Every array of the parameters by name, also those of parts that are tuples of arrays themselves."""
    found: dict[str, NDArray[Any]] = {}
    for name, value in parameters._asdict().items():
        if isinstance(value, np.ndarray):
            found[before + name] = value
        elif hasattr(value, "_asdict"):
            found |= arrays_of(value, f"{before}{name}.")
    return found


def test_what_is_no_memory_and_no_scratch_never_changes(system: System) -> None:
    """All arrays before and after evaluations, rows, acceptance and forces, less memory and declared scratch."""
    parameters = system.parameters
    scratch = {name for name in arrays_of(parameters) if is_scratch(system, name)}
    constant = {name: array for name, array in arrays_of(parameters).items() if name not in scratch}
    constant = {name: array for name, array in constant.items() if not is_memory(system, array)}
    assert constant, "everything is memory or scratch"
    before = {name: array.tobytes() for name, array in constant.items()}
    for seed in (30, 31):
        y = shaken(system, seed)
        rhs(system, y)
        record(system, y)
        rhs(system, y)
        system.kernels.accept(0.0, y, parameters)
        system.kernels.begin(0.0, y, parameters)
        if system.kernels.forces is not None:
            system.kernels.forces(0.0, y, parameters, np.zeros(system.velocities))
        if system.rigid is not None:
            meet_contacts(system, y)
    changed = {name for name, array in constant.items() if array.tobytes() != before[name]}
    assert changed == set()


def meet_contacts(system: System, y: FloatArray) -> None:
    """Every kernel of rigid contacts at a state."""
    rigid, p, n = system.kernels.rigid, system.parameters, system.rigid.laws.friction.size
    gap, opening, speed, change = np.zeros(n), np.zeros(n), np.zeros(2 * n), np.zeros(system.velocities)
    rigid.release(0.0, y, np.zeros_like(y), 1e-5, p)
    rigid.gaps(gap, opening, p)
    active = np.argsort(gap)[:8].astype(np.int64)
    force, motion, matrix = np.ones(16), np.zeros(16), np.zeros((16, 16))
    rigid.speeds(y, 0.0, active, 8, speed, p)
    rigid.inverse_inertia(y, active, 8, matrix, p)
    if rigid.relax is not None:
        rigid.relax(y, active, 8, np.ones(16), *np.ones((2, 8)), force, motion, 3, 1e-8, system.rigid.scratch, p)
    rigid.press(active[0], gap[active[0]], opening[active[0]], opening[active[0]], 1e-5, p)
    rigid.respond(8, force, change, p)
    rigid.give(active, 8, force, p)


def test_what_is_evaluated_aside_leaves_nothing_in_the_parameters(system: System) -> None:
    """Rows and evaluations with ``System.aside`` equal those with the parameters to the last bit, and all arrays of
    these stay unchanged.
    """
    parameters, aside = system.parameters, system.aside
    y, other = shaken(system, 34), shaken(system, 35)
    expected = record(system, other)
    slope = rhs(system, y)
    before = {name: array.tobytes() for name, array in arrays_of(parameters).items()}
    row, there = np.full(system.row_size, np.nan), np.full_like(other, np.nan)
    system.kernels.record(0.0, other, aside, row)
    np.testing.assert_array_equal(row, expected)
    system.kernels.rhs(0.0, y, there, aside)
    np.testing.assert_array_equal(there, slope)
    changed = {name for name, array in arrays_of(parameters).items() if array.tobytes() != before[name]}
    assert changed == set()
    shared = {array.ctypes.data for array in arrays_of(aside).values() if array.size}
    assert all(array.ctypes.data in shared for array in system.memory_arrays().values() if array.size)


def test_accept_changes_memory_only(system: System) -> None:
    """The scratch arrays, too, stay as the evaluation left them except for rounding: a second call sees the same
    step.
    """
    for seed in (32, 33):
        y = shaken(system, seed)
        rhs(system, y)
        system.kernels.accept(0.0, y, system.parameters)  # a freewheel that has run ahead in this state is latched
        rhs(system, y)
        kept = {name: array for name, array in arrays_of(system.parameters).items() if not is_memory(system, array)}
        before = {name: array.copy() for name, array in kept.items()}
        system.kernels.accept(0.0, y, system.parameters)
        for name, array in kept.items():
            np.testing.assert_allclose(array, before[name], rtol=1e-12, atol=1e-14, err_msg=name)


def is_memory(system: System, array: NDArray[Any]) -> bool:
    return any(np.shares_memory(array, held) for held in system.memory_arrays().values() if held.size)


def is_scratch(system: System, name: str) -> bool:
    return any(name == own or name.startswith(f"{own}.") for own in system.scratch)


def small_drive() -> System:
    """Two wheels of nine teeth, one of them free, with joints and friction; about 21 links."""
    drive = small_drives.two_wheels((9, 9), 6.0, contact={"friction": 0.1}, joint_damping=1e-3, link_damping=5.0)
    return small_drives.compiled(drive, moving=False)


SHRUNK: dict[str, Callable[[], System]] = {
    "roller": small_drive,
    "roller without wheels": ring,
    "roller with guides": with_guides,
    "roller with mechanism": with_mechanism,
    "roller with hydraulic tensioner": with_hydraulics,
}


@pytest.mark.parametrize("entry", SHRUNK)
def test_colours_and_neighbours_give_the_dense_jacobian(entry: str) -> None:
    system = SHRUNK[entry]()
    if system.rest.searched is not None:  # springs of joints reach further
        system = replace(system, parameters=system.rest.searched)
    n = system.positions
    y = system.state.copy()
    y[:n] += np.random.default_rng(5).uniform(-1e-4, 1e-4, n)
    step = 1e-7
    dense = np.empty((n, n))
    for j in range(n):
        shift = np.zeros_like(y)
        shift[j] = step
        plus, minus = y + shift, y - shift
        change = forces_at_rest(system, 0.0, plus) - forces_at_rest(system, 0.0, minus)
        dense[:, j] = change / (plus[j] - minus[j])
    border = system.colours < 0
    for j in np.flatnonzero(~border):
        rows = np.flatnonzero((dense[:, j] != 0.0) & ~border)
        assert set(rows) <= set(system.rest.neighbours[j])
    for colour in np.unique(system.colours[~border]):
        rows = system.rest.neighbours[system.colours == colour]
        rows = rows[rows >= 0]
        assert len(set(rows)) == len(rows)
    sparse = force_jacobian(system, 0.0, y, step).toarray()
    # Rounding of a force (1e-16 of a length 0.01 m times the link stiffness 1e7 N/m) over the step; border rows are
    # transposed columns, whose central differences differ by (step/penetration)^2 = 1e-5 of the contact stiffness
    largest = np.abs(dense).max()
    np.testing.assert_allclose(sparse[~border], dense[~border], rtol=0.0, atol=1e-8 * largest)
    np.testing.assert_allclose(sparse[border], dense[border], rtol=0.0, atol=1e-4 * largest)

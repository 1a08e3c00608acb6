"""Derivatives of the accelerations of a chain (``Kernels.tangent``) against central differences of the evaluation.

States are random about a chain that rolls under load, so that links, joints, teeth and guides all carry forces, stick
and slide. The differences are of the fourth order; columns with a kink within their shift are
left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from _elastic_slow import slow_drive

import chaindrive as cd
from chaindrive.contract.states import Kind
from chaindrive.contract.system import System
from chaindrive.formulations import compile_system
from chaindrive.model import Drive, override
from chaindrive.physics.friction import Regularisation
from chaindrive.solvers import Integrator, SolverSettings
from support import own_laws

SHIFTS = {"place": 1e-9, "speed": 2e-5}
"""[m, m/s]"""
RTOL = 1e-6
"""Tolerance relative to the largest derivative in a row."""
MOST_KINKED = 0.06
"""Largest share of columns with a kink within the shift, where differences of two lengths do not agree."""


def rolling(drive: Drive, seed: int, spread: float = 3e-6, faster: float = 0.02) -> tuple[System, np.ndarray]:
    """A system with its memory, and a random state about its start.

    spread: of the places of links [m], and of their angles times the pitch; faster: of their velocities [m/s].
    """
    system = compile_system(drive, drive.run.formulation, True)
    y, rng = system.state.copy(), np.random.default_rng(seed)
    n, own = system.positions, system.motion.chains[0].velocities.size
    y[n : n + system.velocities] = system.motion.rolling
    rate, lengths = np.zeros_like(y), np.where(system.kinds[:own] == Kind.ANGLE, drive.chain.pitch, 1.0)
    for _ in range(2):  # anchors are set in the one, and what they hold has moved in the other
        system.kernels.begin(0.0, y, system.parameters)
        y[:own] += rng.uniform(-spread, spread, own) / lengths
        y[n : n + own] += rng.uniform(-faster, faster, own) / lengths
        system.kernels.rhs(0.0, y, rate, system.parameters)
    return system, y


def band_of(system: System, y: np.ndarray, follow: float, lead: float) -> np.ndarray:
    """The band of derivatives, (links, 2 reach + 1, c, c)."""
    chain = system.motion.chains[0]
    links, size = chain.velocities.shape
    band, rate = np.full((links, 2 * chain.reach + 1, size, size), np.nan), np.zeros_like(y)
    system.kernels.rhs(0.0, y, rate, system.parameters)
    assert system.kernels.tangent is not None
    system.kernels.tangent(0.0, y, follow, lead, system.parameters, band)
    return band


def differences(system: System, y: np.ndarray, kind: str, step: float) -> np.ndarray:
    """The derivatives by differences, (links, links, c, c): rows, columns."""
    chain, n = system.motion.chains[0].velocities, system.positions
    links, size = chain.shape
    found, there, rate = np.zeros((links, links, size, size)), y.copy(), np.zeros_like(y)
    for j in range(links):
        for c in range(size):
            at = chain[j, c] + (n if kind == "speed" else 0)
            total = np.zeros_like(y)
            for k, weight in ((-2, 1.0), (-1, -8.0), (1, 8.0), (2, -1.0)):
                there[at] = y[at] + k * step
                system.kernels.rhs(0.0, there, rate, system.parameters)
                total += weight * rate
            there[at] = y[at]
            found[:, j, :, c] = total[n + chain] / (12.0 * step)
    return found


def compare(system: System, y: np.ndarray) -> dict[str, int]:
    """Compare every block; returns the number of closed contacts, and of those with friction on wheels and on
    guides.
    """
    p, planar = system.parameters, system.parameters.planar
    rate = np.zeros_like(y)
    system.kernels.rhs(0.0, y, rate, p)
    links, closed = len(system.motion.chains[0].velocities), planar.closed
    counts = {"teeth": 0, "guides": 0, "sliding": 0, "sticking": 0}
    for s in range(planar.used.segments[0]):
        first, slot = planar.segment.first[s], planar.segment.slot[s]
        for k in range(slot, slot + planar.segment.end[s] - first):
            if planar.contact.penetration[k] > 0.0:
                counts["teeth" if planar.segment.surface[s] < planar.wheels else "guides"] += 1
                limit = planar.candidate.friction[k] * planar.contact.force[k]
                sliding = abs(planar.contact.friction[k]) >= limit * (1.0 - 1e-12)
                counts["sliding" if sliding else "sticking"] += 1
    for kind, follow, lead in (("place", 1.0, 0.0), ("speed", 0.0, 1.0)):
        expected, other = (differences(system, y, kind, part * SHIFTS[kind]) for part in (1.0, 0.5))
        band = band_of(system, y, follow, lead)
        reach = band.shape[1] // 2
        whole = np.zeros_like(expected)
        for i in range(links):
            for d in range(-reach, reach + 1):
                if closed or 0 <= i + d < links:
                    whole[i, (i + d) % links] = band[i, d + reach]
                else:
                    assert not band[i, d + reach].any()
        bound = RTOL * np.abs(expected).max(axis=(1, 3), keepdims=True)
        bound += 1e-3 * bound.max()
        assert bound.max() > 0.0
        kinked = (np.abs(other - expected) > bound).any(axis=(0, 2))
        assert kinked.mean() < MOST_KINKED
        wrong = (np.abs(whole - expected) > bound) & ~kinked[None, :, None, :]
        assert not wrong.any(), f"{kind}: {np.argwhere(wrong)[:5]} of {wrong.sum()}"
    return counts


def industrial(**changes: Any) -> Drive:
    return override(cd.example("industrial-08b"), changes)


FRICTION = {"chain.joint_friction": 0.1, "contact.friction": 0.1}
SMOOTHED = FRICTION | {"run.formulation.friction_law": "smoothed"}
NOTHING_RUBS = {"chain.joint_friction": 0.0, "contact.friction": 0.0, "chain.joint_damping": 0.0}
JOINTS = {
    "springs": NOTHING_RUBS,
    "elastic": FRICTION,
    "smoothed": SMOOTHED,
    "viscous": FRICTION | {"chain.joint_damping": 1e-4},
    "series": FRICTION | {"chain.joint_damping": 0.5},
    "smoothed-series": SMOOTHED | {"chain.joint_damping": 0.5},
    "dashpot": {"chain.joint_friction": 0.0, "chain.joint_damping": 0.5},
}


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("changes", JOINTS.values(), ids=JOINTS)
def test_of_rollers_joints_and_teeth(changes, seed):
    found = compare(*rolling(industrial(**changes), seed))
    assert found["teeth"] > 10
    if changes.get("contact.friction") == 0.1 and "run.formulation.friction_law" not in changes:
        assert found["sliding"] > 2
        assert found["sticking"] > 0


@pytest.mark.parametrize("kind", ["roller", "link"])
def test_of_a_short_chain(kind):
    # As plain Python in seconds: for mutations.
    # Links are damped so strongly that it matters in which direction they turn.
    short = {
        "chain.links": 26,
        "chain.link_damping": 2000.0,
        "wheels.0.teeth": 13,
        "wheels.1.teeth": 13,
        "wheels.1.position": (0.0825, 0.0),
    }
    found = compare(*rolling(industrial(**FRICTION, **short, **{"run.formulation": {"kind": kind}}), 9))
    assert found["teeth"] > 5
    assert found["sliding"] > 0


@pytest.mark.parametrize("law", list(Regularisation))
def test_of_smoothed_friction(law):
    name = law.name.lower().replace("_", "-")
    compare(*rolling(industrial(**SMOOTHED | {"run.formulation.friction_regularisation": name}), 3))


@pytest.mark.parametrize("law", [{"exponent": 1.0, "stiffness": 1e8}, {"exponent": 1.2, "stiffness": 2e9}])
def test_of_other_contact_laws(law):
    changes = {f"contact.{key}": value for key, value in law.items()} | {"contact.restitution": 0.5}
    assert compare(*rolling(industrial(**changes), 4))["teeth"] > 10


@pytest.mark.parametrize(
    ("name", "law"),
    [
        ("timing-06b", "elastic"),
        ("v6-timing", "smoothed"),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in (("timing-06b", "smoothed"), ("v6-timing", "elastic"))
        ),
    ],
)
def test_of_rollers_on_guides(name, law):
    drive = override(cd.example(name), {"run.formulation": {"kind": "roller", "friction_law": law}})
    found = compare(*rolling(drive, 5))
    assert found["guides"] > 5
    assert found["teeth"] > 5


@pytest.mark.parametrize("joint", ["clearance", "journal"])
@pytest.mark.parametrize("changes", [JOINTS[name] for name in ("springs", "elastic", "smoothed", "series")])
def test_of_rigid_links(joint, changes):
    options = {key.rpartition(".")[2]: value for key, value in changes.items() if key.startswith("run.")}
    changes = {key: value for key, value in changes.items() if not key.startswith("run.")}
    drive = industrial(**changes, **{"run.formulation": {"kind": "link", "joint": joint} | options})
    assert compare(*rolling(drive, 6))["teeth"] > 10


@pytest.mark.parametrize(
    ("name", "law"),
    [
        ("pfeiffer-roller", "elastic"),
        ("v6-timing", "smoothed"),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in (("pfeiffer-roller", "smoothed"), ("v6-timing", "elastic"))
        ),
    ],
)
def test_of_rigid_links_on_guides(name, law):
    drive = override(cd.example(name), {"run.formulation.friction_law": law})
    found = compare(*rolling(drive, 7))
    assert found["guides"] > 5
    assert found["teeth"] > 5


@pytest.mark.parametrize("kind", ["roller", "link"])
@pytest.mark.parametrize("name", ["chain-hoist", "hanging-chain"])
def test_of_open_chains(name, kind):
    compare(*rolling(override(cd.example(name), {"run.formulation": {"kind": kind}}), 8))


@pytest.mark.parametrize("index", [*range(4), *(pytest.param(index, marks=pytest.mark.long) for index in range(4, 8))])
def test_of_generated_drives(index):
    drive, _ = slow_drive(index)
    compare(*rolling(drive, index, 1e-5))


@pytest.mark.parametrize(
    "drive",
    [
        cd.example("conveyor-16b"),
        industrial().replace("contact.law", own_laws.elastic),
        industrial(**{"run.formulation": {"kind": "link", "surface_oil_damping": 10.0}}),
        industrial(**{"run.formulation": {"kind": "link", "joint": "journal", "coordinates": "path"}}),
    ],
    ids=["goods", "own law", "oil", "path"],
)
def test_what_has_no_formulas_takes_differences(drive):
    system = compile_system(drive, drive.run.formulation, True).as_integrated
    assert system.kernels.tangent is None
    settings = SolverSettings(method="generalized-alpha")
    assert Integrator(system, settings, 1.0).notes() == {"jacobians_by": "differences"}
    plain = industrial()
    system = compile_system(plain, plain.run.formulation, True)
    assert Integrator(system, settings, 1.0).notes() == {"jacobians_by": "formulas"}
    assert Integrator(system, SolverSettings(), 1.0).notes() == {}

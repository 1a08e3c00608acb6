"""A drive in modules, chain and mechanism, compared with the whole; interrupted anywhere and continued bit for bit."""

from __future__ import annotations

import numpy as np
import pytest

import chaindrive as cd
from chaindrive.contract.status import Status
from chaindrive.kernels.compiler import ENABLED
from chaindrive.simulation.start import prepare
from chaindrive.solvers import SolverSettings, integrator_for
from chaindrive.solvers.integrator import bound

STEP, UNTIL = 1e-6, 1e-3


@pytest.fixture(scope="module")
def drive() -> cd.Drive:
    """The closed chain among the small examples, whose loop in modules other tests compile, too."""
    return cd.example("industrial-08b")


def end(drive: cd.Drive, **options):
    """State at the end, places of the mechanism, notes."""
    system = prepare(drive, drive.run.formulation).system.as_integrated
    integrator = integrator_for(system, SolverSettings(step=STEP, **options), 1.0)
    assert integrator.advance(UNTIL) == Status.REACHED_END
    assert system.modules is not None
    return integrator.state, system, integrator.notes().get("modules", {})


def test_in_modules_and_as_a_whole(drive):
    whole, system, _ = end(drive, method="verlet-beeman")
    places = system.modules.places[1:]
    errors = []
    for macro_step in (8e-6, 2e-6):
        state, _, notes = end(drive, method="modular", macro_step=macro_step, scheme="corrected")
        errors.append(np.abs(state - whole)[places].max() / np.abs(whole[places]).max())
        account = notes["bonds"]["chain and mechanism"]
        assert abs(account["made"]) < 1e-3 * account["exchanged"]
        assert notes["mean_macro_step"] == pytest.approx(macro_step, rel=0.1)
    assert errors[1] < errors[0] < 1e-4
    assert errors[1] < 1e-5


def exerted(parameters) -> np.ndarray:
    """Forces of the chain, or of both chains, in the last evaluation, in the order of modules."""
    if hasattr(parameters, "first"):
        return np.concatenate([exerted(parameters.first), exerted(parameters.second)])
    resultant, anchor = parameters.planar.resultant, parameters.planar.anchor
    on_surfaces = [resultant.x, resultant.y, resultant.moment]
    return np.concatenate([*on_surfaces, anchor.force_x, anchor.force_y, anchor.moment])


@pytest.mark.parametrize("name", ["industrial-08b", pytest.param("tandem", marks=pytest.mark.long)])
def test_the_mechanism_alone_has_the_rates_of_the_whole(name):
    """Under the forces of the chain in an evaluation it has the accelerations of that evaluation."""
    system = prepare(cd.example(name), cd.RollerOptions(), "as_placed").system.as_integrated
    modules, kernels = system.modules, system.kernels
    state, random = system.state, np.random.default_rng(1)
    state += 1e-5 * random.normal(size=state.size)
    whole, alone = np.zeros_like(state), np.zeros_like(state)
    kernels.rhs(0.0, state, whole, system.parameters)
    force = exerted(system.parameters)
    assert force.size == modules.forces
    assert np.abs(force).max() > 0.0
    kernels.modular.mechanism(0.0, state, alone, force, system.parameters)
    np.testing.assert_allclose(alone[modules.places], whole[modules.places], rtol=1e-12, atol=1e-12)


def test_cut_and_carried_on_bit_for_bit(drive):
    settings = SolverSettings(method="modular", step=STEP, macro_step=5e-6, scheme="corrected")

    def start():
        system = prepare(drive, drive.run.formulation).system.as_integrated
        return integrator_for(system, settings, 1e-4)

    whole, cut = start(), start()
    assert whole.advance(UNTIL) == Status.REACHED_END
    assert cut.advance(UNTIL, 333) == Status.RUNNING
    saved, resumed = cut.snapshot(), start()
    cut.advance(UNTIL, 50)  # what becomes of it does not matter
    resumed.restore(saved)
    assert resumed.advance(UNTIL) == Status.REACHED_END
    np.testing.assert_array_equal(resumed.take_rows()[1], whole.take_rows()[1])
    np.testing.assert_array_equal(resumed.state, whole.state)
    assert resumed.notes() == whole.notes()


@pytest.mark.skipif(not ENABLED, reason="nothing is compiled")
def test_its_kernels_are_kept_on_the_disk(drive):
    """None contains an address of the process, as a kernel passed to another kernel would; another process loads it."""
    system = prepare(drive, start="as_placed").system.as_integrated
    one = integrator_for(system, SolverSettings(method="modular", step=STEP), 1e-4)
    assert one.advance(5.0 * STEP) == Status.REACHED_END
    advance = bound("modular", system.kernels)
    assert advance.signatures
    assert all(advance._cache.has(signature) for signature in advance.signatures)

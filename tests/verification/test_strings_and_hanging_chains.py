"""Linear statics and modes of chains without wheels: stiffness of strands, taut strings, catenary, hanging chain.

The chain is closed, and folded into two equal strands that lie upon each other between rollers 0 and n. A roller with
infinite mass is fixed.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from chaindrive.analyses.analytical.formulas import catenary_sag, hanging_chain_frequencies
from chaindrive.solvers.equilibrium import equilibrium
from chaindrive.solvers.jacobian import force_jacobian, forces_at_rest
from support import small_drives
from support.small_drives import chain, free_chain, order_of

GRAVITY = 9.81


def folded(n, x, y, fixed, gravity=(0.0, 0.0), **of_chain):
    """A ring of 2 n links whose two strands both lie on the points (x, y), n + 1 each."""
    back = np.arange(n - 1, 0, -1)
    position = np.column_stack([np.append(x, x[back]), np.append(y, y[back])])
    system = free_chain(chain(2 * n, **of_chain), gravity, position)
    masses = system.masses.copy()
    for i in fixed:
        masses[[i, 2 * n + i]] = np.inf
    return replace(system, masses=masses)


def stiffness(system, step):
    """Stiffness matrix of the free positions, symmetric to the accuracy of differences [N/m]."""
    free = np.isfinite(system.masses)
    full = -force_jacobian(system, 0.0, system.state, step).toarray()[np.ix_(free, free)]
    return 0.5 * (full + full.T)


def taut(n=12, strain=1e-3):
    pitch, k = 0.0127, 1e6
    x = pitch * (1.0 + strain) * np.arange(n + 1)
    return folded(n, x, np.zeros(n + 1), fixed=(0, n), link_stiffness=k), k * strain * pitch, x[1], k


def test_links_in_series():
    # n links in series, two strands side by side: 2 K/n; the fixed end is pulled by a known displacement.
    n, k, pitch, pull = 10, 1e7, 0.0127, 1e-4
    x = pitch * np.arange(n + 1)
    x[n] += pull
    system = folded(n, x, np.zeros(n + 1), fixed=(0, n), link_stiffness=k)
    found = equilibrium(system)
    assert found.converged
    released = replace(system, masses=np.full_like(system.masses, 0.0088))
    force = forces_at_rest(released, 0.0, found.state)
    # Residual of the equilibrium 1e-6 N in each of the rollers of both strands, on 2 K pull/n = 200 N.
    assert force[0] == pytest.approx(2.0 * k / n * pull, abs=2 * n * found.tolerance)
    assert force[n] == pytest.approx(-2.0 * k / n * pull, abs=2 * n * found.tolerance)
    np.testing.assert_allclose(np.diff(found.state[: n + 1]), pitch + pull / n, rtol=0.0, atol=n * found.tolerance / k)


def test_stiffness_of_a_taut_strand_across():
    # A force on the middle of a taut strand of length l meets T (2/l + 2/l) = 4 T/l, for links too: every half strand
    # turns as one. Here the middles of both strands are free, so that each shows this stiffness of its own.
    n = 12
    system, tension, link, _ = taut(n)
    y = np.arange(2 * n - 2) + 2 * n - 2  # free rollers are 1..n-1 and n+1..2n-1, first all x, then all y
    across = stiffness(system, 1e-8)[np.ix_(y, y)]
    middle = n // 2 - 1
    others = np.delete(np.arange(2 * n - 2), middle)
    condensed = across[middle, middle] - across[middle, others] @ np.linalg.solve(
        across[np.ix_(others, others)], across[others, middle]
    )
    # Difference quotient at a step h: truncation K (h/l)^2/2 = 3e-7 N/m, rounding K 1e-17 m/h = 1e-3 N/m of 2 T/l.
    entry = 1e6 * 2e-17 / 1e-8
    assert condensed == pytest.approx(4.0 * tension / (n * link), rel=n * entry / (2.0 * tension / link))


def test_frequencies_of_a_taut_strand():
    # Masses m on a string of n links, both ends fixed: along 2 sqrt(K/m) sin(j pi/2n), across 2 sqrt(T/(m l)) sin(...).
    n = 12
    system, tension, link, k = taut(n)
    matrix = stiffness(system, 1e-8)
    half = 2 * n - 2
    wave = 2.0 * np.sin(np.arange(1, n) * np.pi / (2 * n))
    along = np.sqrt(np.linalg.eigvalsh(matrix[:half, :half]) / 0.0088)
    across = np.sqrt(np.linalg.eigvalsh(matrix[half:, half:]) / 0.0088)
    # Rounding of the differences is 2e-3 N/m (see above), beside the smallest eigenvalues 2700 and 16 N/m.
    np.testing.assert_allclose(along, np.sqrt(k / 0.0088) * np.repeat(wave, 2), rtol=1e-6)
    np.testing.assert_allclose(across, np.sqrt(tension / (0.0088 * link)) * np.repeat(wave, 2), rtol=2e-4)


def polygon_sag(n, pull, weight, length):
    """Sag of n inextensible links between supports at one height, link k parallel to (H, V_k); and their span."""
    vertical = (np.arange(n) - 0.5 * (n - 1)) * weight
    tension = np.hypot(pull, vertical)
    return -np.cumsum(length * vertical / tension).min(), (length * pull / tension).sum()


@pytest.mark.parametrize("n", [11, 20, 41])
def test_catenary_sag(n):
    # 0.69 kg/m over 0.5 m with H = 100 N: 2.11533 mm (catenary), 2.11528 mm (parabola). The polygon of n links has
    # the sag (n^2 - 1)/n^2 of it for odd n (no joint in the middle), and all of it for even n, to O((w l/H)^2/n^2).
    span, pull, line = 0.5, 100.0, 0.69
    continuous = float(catenary_sag(span, line, pull, GRAVITY))
    assert continuous == pytest.approx(2.11533e-3, abs=6e-9)
    k = 1e6
    length = span / n
    for _ in range(4):  # link length that spans 0.5 m
        weight = line * length * GRAVITY
        sag, reached = polygon_sag(n, pull, weight, length)
        length *= span / reached
    vertical = (np.arange(n) - 0.5 * (n - 1)) * weight
    pitch = length - np.hypot(pull, vertical).mean() / k  # tensions differ by 1e-4 only, their stretch by 1e-8 m
    system = folded(
        n,
        np.linspace(0.0, span, n + 1),
        np.zeros(n + 1),
        (0, n),
        (0.0, -GRAVITY),
        pitch=pitch,
        link_mass=line * length,
        link_stiffness=k,
        roller_diameter=0.5 * pitch,
    )
    found = equilibrium(system)
    assert found.converged
    deepest = -found.state[2 * n : 3 * n].min()
    # Left out above: stretch differences of T - mean(T) = (w l)^2/(8 H) = 0.014 N on K: 1e-8 of a link; they change
    # H by the same fraction over the strain 1e-4 n... measured against the polygon: well below 1e-5.
    assert deepest == pytest.approx(sag, rel=1e-5)
    parity = (n * n - 1.0) / (n * n) if n % 2 else 1.0
    # Left out: terms (w l/2H)^2/12 = 2.4e-5 times 1/n^2 < 1/100.
    assert deepest == pytest.approx(continuous * parity, rel=1e-5)


def hanging(n, length=1.0, mass=1.0):
    """Two strands of n links hung from roller 0; mass and length of one strand; nearly inextensible."""
    link = mass / n
    k = mass * GRAVITY * n / length / 3e-5  # the largest strain is 3e-5
    pitch = length / n
    y = -np.concatenate([[0.0], np.cumsum(pitch + (np.arange(n, 0, -1) - 0.5) * link * GRAVITY / k)])
    return folded(
        n,
        np.zeros(n + 1),
        y,
        (0,),
        (0.0, -GRAVITY),
        pitch=pitch,
        link_mass=link,
        link_stiffness=k,
        roller_diameter=0.5 * pitch,
    )


def swinging(n):
    """First three frequencies of both strands swinging together."""
    system = hanging(n)
    # Best step for differences: truncation K (h/l)^2/2 = rounding K eps L/h.
    across = stiffness(system, (2e-16 * 2.0 / n**2) ** (1.0 / 3.0))[: 2 * n - 1, : 2 * n - 1]
    both = np.zeros((2 * n - 1, n))  # rollers i and 2 n - i together, i = 1..n
    both[np.arange(n), np.arange(n)] = 1.0
    both[2 * n - 1 - np.arange(1, n), np.arange(n - 1)] = 1.0
    from scipy.linalg import eigh

    link = system.masses[1]
    return np.sqrt(eigh(both.T @ across @ both, link * both.T @ both, eigvals_only=True)[:3])


def test_shape_of_a_hanging_chain():
    # Link k from the bottom carries half the lowest roller (the other strand has the other half) and those between:
    # (k - 1/2) m g, which is rho g s at the middle of the link. ``hanging`` starts there: nothing is left to move.
    system = hanging(16)
    force = forces_at_rest(system, 0.0, system.state)
    # Rounding of K times 1 ulp of a coordinate of 1 m.
    assert np.abs(force).max() < 4.0 * system.parameters.stiffness * np.finfo(float).eps
    tension = small_drives.channel(system, "link_tension")
    exact = (np.arange(16, 0, -1) - 0.5) / 16.0 * GRAVITY
    np.testing.assert_allclose(tension[:16], exact, atol=4.0 * system.parameters.stiffness * np.finfo(float).eps)
    np.testing.assert_allclose(tension[16:], exact[::-1], atol=4.0 * system.parameters.stiffness * np.finfo(float).eps)


def test_frequencies_of_a_hanging_chain():
    # (j_0k/2) sqrt(g/L), j_0k the zeros of J_0: 1.202413, 2.760039, 4.326864 times sqrt(g/L). Every link gives half of
    # its mass to either end and carries the tension of its middle: both rules are of second order, so that no
    # correction of L or of the mass is needed and the error falls with n^-2.
    exact = hanging_chain_frequencies(1.0, 3, GRAVITY)
    np.testing.assert_allclose(exact / np.sqrt(GRAVITY), [1.202413, 2.760039, 4.326864], atol=5e-7)
    errors = np.array([np.abs(swinging(n) / exact - 1.0) for n in (16, 32)])
    # Strain 3e-5 and differences add 2e-5: a sixth of the error 0.29/n^2 of the first mode at n = 32 at the most
    # (order off by 0.25); the third mode has its next term, (2.8/16)^2 = 3 %, of its error (order off by 0.15).
    np.testing.assert_allclose(order_of(errors, 2.0)[0], 2.0, atol=0.25)
    np.testing.assert_array_less(errors[-1], [4e-4, 5e-3, 2e-2])

"""The bordered cyclic matrix of a chain: solved like the full one, and refused when it is not positive definite."""

from __future__ import annotations

import numpy as np
import pytest

from chaindrive.contract.bordered import Bordered, bordered, dense, factorise, factors_for, solve


def random_matrix(links: int, block: int, border: int, seed: int) -> Bordered:
    rng = np.random.default_rng(seed)
    matrix = bordered(links, block, border)
    for part in matrix:
        part[...] = rng.standard_normal(part.shape)
    matrix.diagonal[...] += matrix.diagonal.transpose(0, 2, 1)
    matrix.corner[...] += matrix.corner.T
    return matrix


@pytest.mark.parametrize(("links", "block", "border"), [(3, 2, 0), (3, 2, 2), (4, 3, 1), (7, 3, 5), (112, 2, 4)])
def test_solves_as_the_full_matrix_does(links: int, block: int, border: int) -> None:
    matrix = random_matrix(links, block, border, links)
    full = dense(matrix)
    assert np.array_equal(full, full.T)
    rng = np.random.default_rng(1)
    free = rng.random(border) > 0.3
    kept = np.concatenate([np.ones(links * block, dtype=bool), free])
    inner = full[np.ix_(kept, kept)]
    shift = rng.uniform(1.0, 2.0, len(full)) - np.linalg.eigvalsh(inner)[0]
    right, solution = rng.standard_normal(len(full)), np.empty(len(full))
    factors = factors_for(matrix)
    assert factorise(matrix, shift, free, factors)
    solve(matrix, free, factors, right, solution)
    expected = np.linalg.solve(inner + np.diag(shift[kept]), right[kept])
    np.testing.assert_allclose(solution[kept], expected, rtol=1e-9, atol=1e-12)
    assert not solution[~kept].any()


@pytest.mark.parametrize("border", [0, 3])
def test_tells_what_is_not_positive_definite(border: int) -> None:
    matrix = random_matrix(9, 2, border, 5)
    free, factors = np.ones(border, dtype=bool), factors_for(matrix)
    lowest = np.linalg.eigvalsh(dense(matrix))[0]
    size = 18 + border
    assert factorise(matrix, np.full(size, -lowest + 1e-6), free, factors)
    assert not factorise(matrix, np.full(size, -lowest - 1e-6), free, factors)

"""Bases that depend on the graph alone: exact functions of connected components, canonical rotations, canonical signs."""

from __future__ import annotations

import numpy as np

from vicinal._typing import FloatArray, IntArray
from vicinal._warn import warn
from vicinal.errors import IndistinctComponents

TIE = 1e-10  # eigenvalues closer than this cannot be told apart
SAME_SIZE = 1e-9  # entries of a vector whose sizes differ by less, relatively, count as equally large


def component_functions(degrees: FloatArray, components: IntArray, count: int) -> FloatArray:
    """Functions that are constant on every component and not constant overall: eigenvalue 1, written down exactly (S3).

    Function j compares component j with all the smaller ones after it: a Gram-Schmidt of the indicators, in closed form.

    Parameters
    ----------
    degrees : (documents,)
    components : (documents,)
        Numbered from 0 by decreasing size, no -1.
    count : int
        How many to write down, at most the number of connected components less one.

    Returns
    -------
    (documents, count), orthonormal in the inner product of the degrees.
    """
    volumes = np.bincount(components, weights=degrees)
    after = np.append(np.cumsum(volumes[::-1])[::-1][1:], 0.0)
    functions = np.zeros((len(degrees), count))
    for j in range(count):
        here, later = 1.0 / volumes[j], 1.0 / after[j]
        functions[components == j, j] = here
        functions[components > j, j] = -later
        functions[:, j] /= np.sqrt(here + later)
    return functions


def canonical(values: FloatArray, vectors: FloatArray) -> FloatArray:
    """Turn each group of repeated eigenvalues to a basis that does not depend on the solver, and fix all signs (S5)."""
    return np.asarray(vectors @ canonical_rotation(values, vectors))


def canonical_rotation(values: FloatArray, vectors: FloatArray) -> FloatArray:
    """The (d, d) matrix that turns ``vectors`` into their canonical form: rotations inside tied groups, then signs."""
    rotation = np.eye(len(values))
    for group in tied_groups(values):
        if len(group) > 1:
            rotation[np.ix_(group, group)] = _towards_pivots(vectors[:, group])
    return rotation * signs(vectors @ rotation)


def tied_groups(values: FloatArray) -> list[IntArray]:
    """Split positions into runs of eigenvalues that cannot be told apart."""
    if len(values) == 0:
        return []
    cuts = np.flatnonzero(np.abs(np.diff(values)) > TIE) + 1
    return list(np.split(np.arange(len(values)), cuts))


def _towards_pivots(block: FloatArray) -> FloatArray:
    """The rotation after which the first column alone explains the document that stands out most, and so on down the columns.

    How far a document stands out, its row's length, is the same in every rotation of the block; equal lengths go by document
    order. This is a QR of the rows with column pivoting, in which rounding does not choose the pivots.
    """
    rest, directions = block, np.empty((block.shape[1], 0))
    for _ in range(block.shape[1]):
        pivot = _first_largest(np.linalg.norm(rest, axis=1))
        direction = rest[pivot] - directions @ (directions.T @ rest[pivot])
        directions = np.column_stack([directions, direction / np.linalg.norm(direction)])
        rest = rest - np.outer(rest @ directions[:, -1], directions[:, -1])
    return directions


def _first_largest(sizes: FloatArray) -> int:
    """Position of the largest entry, the first of those that are equally large."""
    return int(np.argmax(sizes >= (1 - SAME_SIZE) * sizes.max()))


def signs(vectors: FloatArray) -> FloatArray:
    """+1 or -1 per column, such that its entry of largest size becomes positive; equal sizes go by document order."""
    if vectors.size == 0:
        return np.ones(vectors.shape[1])
    first = np.array([_first_largest(column) for column in np.abs(vectors.T)])
    return np.where(vectors[first, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)


def say_indistinct(count: int, value: float) -> None:
    """Warn that the last component and the next have the same eigenvalue."""
    warn(
        f"components {count} and {count + 1} cannot be told apart: both have eigenvalue {value:.10g}, so it is arbitrary which "
        f"of them is kept. Ask for another number of components.",
        IndistinctComponents,
    )

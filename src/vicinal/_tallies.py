"""Tallies: how many documents each cluster has in each period or class, as the columns of a table with a row per pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vicinal._date_periods import Days, periods_of
from vicinal._typing import ArrayLike, FloatArray, IntArray
from vicinal._validate import is_missing, plain_labels
from vicinal.errors import BadData


@final
@dataclass(frozen=True, eq=False)
class ClusterTally:
    """Documents by cluster and part: a period or a class.

    Attributes
    ----------
    numbers : tuple of int
        Of the clusters.
    names : tuple of str
        Of the clusters.
    parts : list or array
        First days of periods, or classes.
    labels : list of str
        How the parts are written.
    sizes : int array (parts, clusters)
    of : int array (documents,)
        The part of each document, -1 for none.
    """

    numbers: tuple[int, ...]
    names: tuple[str, ...]
    parts: list[Any] | Days
    labels: list[str]
    sizes: IntArray
    of: IntArray

    @property
    def shares(self) -> FloatArray:
        """Of the documents of each part, the share of each cluster; 0 in a part without documents."""
        return np.asarray(self.sizes / np.maximum(self.sizes.sum(axis=1, keepdims=True), 1))

    def columns(self, part: str) -> dict[str, Any]:
        """The columns of a table: the part, cluster, name, size, share, and lift, which is the share over that in all parts."""
        overall = self.sizes.sum(axis=0) / max(int(self.sizes.sum()), 1)
        with np.errstate(divide="ignore", invalid="ignore"):
            lift = np.where(overall > 0, self.shares / overall, 0.0)
        n_parts, n_clusters = self.sizes.shape
        return {
            part: self._repeated(n_clusters),
            "cluster": list(self.numbers) * n_parts,
            "name": list(self.names) * n_parts,
            "size": self.sizes.ravel().tolist(),
            "share": self.shares.ravel().tolist(),
            "lift": lift.ravel().tolist(),
        }

    def _repeated(self, n_clusters: int) -> list[Any] | Days:
        if isinstance(self.parts, np.ndarray):
            return np.repeat(self.parts, n_clusters)
        return [each for each in self.parts for _ in range(n_clusters)]


def over_time(
    clusters: IntArray, numbers: Sequence[int], names: Sequence[str], dates: ArrayLike, period: str = "auto"
) -> ClusterTally:
    """Count documents by cluster and period; periods without documents are there with zeros.

    Parameters
    ----------
    clusters : int array (documents,)
        Position of each in ``numbers``, -1 for none.
    numbers, names : sequences (clusters,)
    dates : array-like (documents,)
    period : str, default="auto"
        As :func:`periods_of` takes them.
    """
    periods = periods_of(dates, period)
    _refuse_other_length("dates", len(periods.of), len(clusters))
    sizes = counted(clusters, len(numbers), periods.of, len(periods.starts))
    return ClusterTally(tuple(numbers), tuple(names), periods.starts, periods.labels, sizes, periods.of)


def by_class(clusters: IntArray, numbers: Sequence[int], names: Sequence[str], classes: ArrayLike) -> ClusterTally:
    """Count documents by cluster and class; documents without one (None, NaN, "") are left out.

    Parameters
    ----------
    clusters : int array (documents,)
        Position of each in ``numbers``, -1 for none.
    numbers, names : sequences (clusters,)
    classes : array-like (documents,)
        Any values; classes are sorted, by text where they are of several types.
    """
    values = list(plain_labels(classes))
    _refuse_other_length("classes", len(values), len(clusters))
    values = [None if is_missing(value) else value.item() if isinstance(value, np.generic) else value for value in values]
    found = _sorted(set(values) - {None, ""})
    place = {value: i for i, value in enumerate(found)}
    of = np.array([place.get(value, -1) for value in values], dtype=np.int64)
    sizes = counted(clusters, len(numbers), of, len(found))
    return ClusterTally(tuple(numbers), tuple(names), found, [str(each) for each in found], sizes, of)


def _sorted(values: set[Any]) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda value: (str(value), type(value).__name__))


def counted(clusters: IntArray, n_clusters: int, of: IntArray, n_parts: int) -> IntArray:
    """How many documents are in each part and cluster, as (parts, clusters); those that have none (-1) are left out.

    Parameters
    ----------
    clusters : int array (documents,)
        From 0 to ``n_clusters`` - 1, or -1.
    n_clusters : int
    of : int array (documents,)
        The part of each, from 0 to ``n_parts`` - 1, or -1.
    n_parts : int
    """
    both = (clusters >= 0) & (of >= 0)
    flat = np.bincount(of[both] * n_clusters + clusters[both], minlength=n_parts * n_clusters)
    return flat.reshape(n_parts, n_clusters).astype(np.int64)


def _refuse_other_length(name: str, got: int, n_documents: int) -> None:
    if got != n_documents:
        raise BadData(
            f"{name} must have one value per document, got {got} for {n_documents} documents. Pass them in the order of the fit."
        )

"""Results of steering an index: constraints on its clusters, and documents whose cluster is uncertain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True)
class Constraint:
    """What a person decided about clusters, and every later fit keeps.

    Attributes
    ----------
    number : int
        By which `Index.undo` knows it.
    kind : {"merge", "split", "move", "pin"}
        What was decided.
    clusters : tuple of int
        Merge: the cluster that continues, then those that were merged into it. Split: the parts. Move: the cluster that the
        documents were moved to. Pin: the cluster.
    n_documents : int
        Documents that it keeps in place: those that were moved or pinned, and of merged or split clusters the most typical ones.
    notes : tuple of str
        What else happened when it was made or undone, such as a cluster that ended.

    Examples
    --------
    >>> from vicinal.index import Constraint
    >>> print(Constraint(2, "merge", (1, 4), 60))
    constraint 2 (merge of clusters 1 and 4)
    """

    number: int
    kind: str
    clusters: tuple[int, ...]
    n_documents: int
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        first = self.clusters[0]
        listed = f"{', '.join(map(str, self.clusters[:-1]))} and {self.clusters[-1]}"
        said = {
            "merge": f"merge of clusters {listed}",
            "split": f"split into clusters {listed}",
            "move": f"documents moved to cluster {first}",
            "pin": f"pin of cluster {first}",
        }
        return f"constraint {self.number} ({said[self.kind]})"


@final
@dataclass(frozen=True)
class Uncertain:
    """A document that lies between two clusters.

    Attributes
    ----------
    id : str
        The id of the document.
    title : str
        The title of the document.
    uncertainty : float
        Normalised entropy of the probabilities of its clusters, as it is stored.
    clusters : tuple of (int, str, float)
        Its cluster and the next probable one: number, name and probability of each.
    terms : tuple of tuples of (str, float)
        For each of the two, the terms of the document that speak for it and against the other, heaviest first.

    Examples
    --------
    >>> from vicinal.index import Uncertain
    >>> found = Uncertain("a", "Corn", 0.9, ((0, "grain", 0.6), (1, "trade", 0.4)), ((("corn", 1.2),), (("price", 0.8),)))
    >>> found.clusters[1][1], found.terms[1]
    ('trade', (('price', 0.8),))
    """

    id: str
    title: str
    uncertainty: float
    clusters: tuple[tuple[int, str, float], ...]
    terms: tuple[tuple[tuple[str, float], ...], ...]

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
    kind : {"merge", "split", "move", "pin", "seed_words", "must_link", "cannot_link"}
        What was decided.
    clusters : tuple of int
        Merge: the cluster that continues, then those that were merged into it. Split: the parts. Move: the cluster that the
        documents were moved to. Pin: the cluster. Seed words and links: empty.
    n_documents : int
        Documents that it keeps in place: those that were moved or pinned, and of merged or split clusters the most typical ones;
        those that are linked.
    notes : tuple of str
        What else happened when it was made or undone, such as a cluster that ended.
    name : str
        The class that seed words stand for.
    words : tuple of str
        Seed words.
    ids : tuple of str
        The two documents of a link.

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
    name: str = ""
    words: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()

    def __str__(self) -> str:
        first = "".join(map(str, self.clusters[:1]))
        listed = f"{', '.join(map(str, self.clusters[:-1]))} and {''.join(map(str, self.clusters[-1:]))}"
        both = " and ".join(f"{id!r:.80}" for id in self.ids)
        said = {
            "merge": f"merge of clusters {listed}",
            "split": f"split into clusters {listed}",
            "move": f"documents moved to cluster {first}",
            "pin": f"pin of cluster {first}",
            "seed_words": f"seed words of {self.name!r:.80}: {', '.join(self.words)}",
            "must_link": f"{both} must be in one cluster",
            "cannot_link": f"{both} cannot be in one cluster",
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

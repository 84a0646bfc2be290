"""Result types of an index: small frozen values that can be printed, compared and written as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from vicinal.index._drift.drift import Drift
    from vicinal.projection import Explanation


@final
@dataclass(frozen=True)
class Fitted:
    """The outcome of `Index.fit`.

    Attributes
    ----------
    n_documents : int
        Documents that the model was fitted to.
    n_terms : int
        Terms of the vocabulary.
    n_components : int
        Components of the embedding.
    n_clusters : int
        Clusters.
    change : str
        Which clusters of the previous fit continue, are new or ended; empty after the first fit.
    chosen : dict from str to str
        What was chosen automatically, by parameter, with the reason.
    notes : tuple of str
        What was noticed: documents without terms, connected components of the neighbour graph, ...
    cuts : tuple of str
        What one cluster fewer and one more would be, by the tree.
    stability : float or None
        Adjusted Rand index with the clusters of another random seed, as `Topics.overall_stability_`.

    Examples
    --------
    >>> from vicinal.index import Fitted
    >>> Fitted(60, 36, 5, 3, change="", chosen={}).n_clusters
    3
    """

    n_documents: int
    n_terms: int
    n_components: int
    n_clusters: int
    change: str
    chosen: Mapping[str, str]
    notes: tuple[str, ...] = ()
    cuts: tuple[str, ...] = ()
    stability: float | None = None


@final
@dataclass(frozen=True)
class Cluster:
    """A cluster of documents, or a part of one.

    Attributes
    ----------
    number : int
        The number of the cluster, which it keeps over a refit as long as it continues; for a part, its rank by size within the
        cluster that was opened; for a node of the tree that is no cluster of the index, -1.
    path : str
        The name by which `Index.clusters` and `Index.members` know it: "3", "3.1" for part 1 of cluster 3, or the id of a node.
    name : str
        The name that it was given, or else its first terms.
    size : int
        Documents in it.
    share : float
        Its share of all embedded documents; for a part, of the documents of the cluster that was opened.
    uncertainty : float
        The mean uncertainty of its documents: 0 where their terms leave none, up to 1.
    terms : tuple of (str, float)
        The terms that distinguish it from the other clusters, with their weights, heaviest first.
    exemplars : tuple of (str, str)
        Id and title of its most typical documents.
    named : bool
        Whether ``name`` was given by a person.
    pinned : bool
        Whether it keeps its documents at every fit: see `Index.pin_cluster`.
    stability : float or None
        How much of it another random seed would find again, as `Topics.stability_`; None for a part, a node of the tree, a cluster
        that people changed since the fit, and in an index that an earlier version fitted.

    Examples
    --------
    >>> from vicinal.index import Cluster
    >>> grain = Cluster(3, "3", "wheat, corn", 12, 0.2, 0.05, (("wheat", 0.4), ("corn", 0.3)), (("a", "Wheat exports"),))
    >>> grain.path, grain.terms[0]
    ('3', ('wheat', 0.4))
    """

    number: int
    path: str
    name: str
    size: int
    share: float
    uncertainty: float
    terms: tuple[tuple[str, float], ...]
    exemplars: tuple[tuple[str, str], ...]
    named: bool = False
    pinned: bool = False
    stability: float | None = None

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from vicinal.index._tables.shown_in_notebooks import cluster_html

        return cluster_html(self)


@final
@dataclass(frozen=True)
class Duplicate:
    """A document of a `DuplicateGroup`.

    Attributes
    ----------
    id : str
        The id of the document.
    title : str
        The title of the document.
    source : str
        The file that the document was read from.
    similarity : float
        Its similarity to the document to keep: 1 where the text or the terms are the same.

    Examples
    --------
    >>> from vicinal.index import Duplicate
    >>> Duplicate("b", "Wheat exports", "news.csv", 0.97).similarity
    0.97
    """

    id: str
    title: str
    source: str
    similarity: float


@final
@dataclass(frozen=True)
class DuplicateGroup:
    """Documents that are duplicates or near-duplicates of each other.

    Attributes
    ----------
    documents : tuple of Duplicate
        The document to keep, which was added first, then the others by decreasing similarity to it.
    removable : tuple of str
        Ids of the documents that are similar enough to the document to keep itself, not only to others of the group.

    Examples
    --------
    >>> import vicinal
    >>> with vicinal.open("news.vic", create=True) as index:
    ...     added = index.add([vicinal.Document(id, "wheat exports fell") for id in ("a", "b")])
    ...     [group] = index.duplicates()
    >>> group.kept.id, group.removable
    ('a', ('b',))
    """

    documents: tuple[Duplicate, ...]
    removable: tuple[str, ...]

    @property
    def kept(self) -> Duplicate:
        """The document to keep: the first that was added."""
        return self.documents[0]


@final
@dataclass(frozen=True)
class Labelled:
    """The outcome of `Index.label`.

    Attributes
    ----------
    n_labelled : int
        Documents with a label.
    classes : tuple of (str, int)
        The classes, each with its number of documents.
    accuracy : float or None
        Accuracy by cross-validation over the labelled documents; None where no class has two of them.

    Examples
    --------
    >>> from vicinal.index import Labelled
    >>> Labelled(9, (("grain", 5), ("trade", 4)), 0.89).classes[0]
    ('grain', 5)
    """

    n_labelled: int
    classes: tuple[tuple[str, int], ...]
    accuracy: float | None


@final
@dataclass(frozen=True, eq=False)
class Prediction:
    """The class that `Index.classify` predicts for a document.

    Attributes
    ----------
    id : str
        The id of the document; empty for a text without one.
    label : str
        The most probable class; empty for a document without known terms.
    probability : float
        The probability of that class.
    others : tuple of (str, float)
        The next probable classes with their probabilities.
    why : Explanation
        The contribution of each term to the score of the class, less that of the next probable one.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.index import Prediction
    >>> from vicinal.projection import Explanation
    >>> found = Prediction("a", "grain", 0.9, (("trade", 0.1),), Explanation(("wheat",), np.array([0.4]), 0.4))
    >>> found.label, found.why.top(1)
    ('grain', [('wheat', 0.4)])
    """

    id: str
    label: str
    probability: float
    others: tuple[tuple[str, float], ...]
    why: Explanation


@final
@dataclass(frozen=True)
class Info:
    """The contents of an index in numbers.

    Attributes
    ----------
    path : str
        Where the file is.
    bytes : int
        Its size.
    documents : int
        Documents in it.
    fitted : int
        Documents that the model was fitted to and that are still there unchanged.
    embedded : int
        Documents that the model embedded since.
    unembedded : int
        Documents without an embedding: before the first fit all of them.
    uncertainty : float or None
        Mean uncertainty of the cluster of the documents that the model was fitted to. Documents without a known term are left out.
    uncertainty_of_new : float or None
        The same of the documents embedded since. A model is less certain of documents that it has not seen: see ``drift``.
    n_terms : int
        Terms of the vocabulary; 0 before the first fit, as the following ones.
    n_components : int
        Components of the embedding.
    n_clusters : int
        Clusters.
    generation : int
        The number of the last fit.
    without_terms : int
        Documents without a term of the vocabulary: their embedding is zero, and they are in no cluster.
    names : dict from int to str
        The names that were given to clusters, by their numbers.
    n_constraints : int
        Constraints on clusters: see `Index.constraints`.
    options : dict
        The parameters of the last fit by name, which the next one uses again: see `Recipe`. Empty before the first fit.
    stability : float or None
        Of the clusters of the last fit, as in `Fitted`; None before it, and after one by an earlier version.
    drift : Drift or None
        How the documents embedded since the last fit differ from those of it, and whether another pays; None where there are none.

    Examples
    --------
    >>> import vicinal
    >>> with vicinal.open("news.vic", create=True) as index:
    ...     added = index.add([vicinal.Document("a", "wheat exports fell")])
    ...     info = index.info()
    >>> info.documents, info.unembedded, info.generation
    (1, 1, 0)
    """

    path: str
    bytes: int
    documents: int
    fitted: int
    embedded: int
    unembedded: int
    uncertainty: float | None
    uncertainty_of_new: float | None
    n_terms: int
    n_components: int
    n_clusters: int
    generation: int
    without_terms: int = 0
    names: Mapping[int, str] = field(default_factory=dict)
    n_constraints: int = 0
    options: Mapping[str, object] = field(default_factory=dict)
    stability: float | None = None
    drift: Drift | None = None


@final
@dataclass(frozen=True)
class Shown:
    """A document, and what the index knows of it; made by `Index.show`.

    Attributes
    ----------
    id, title, text, source : str
        As in `Document`.
    marked : str
        The text with the words of the query in brackets.
    marked_title : str
        The title with them.
    metadata : dict
        The metadata of the document.
    label : str
        The label in force; empty where there is none.
    label_origin : str
        Where the label came from: "document" if the document was read with it.
    cluster : int
        The number of its cluster, -1 for none.
    cluster_name : str
        The name of the cluster, or its first terms.
    uncertainty : float or None
        How uncertain the cluster is, from 0 to 1; None where the document is not embedded.

    Examples
    --------
    >>> import vicinal
    >>> with vicinal.open("news.vic", create=True) as index:
    ...     added = index.add([vicinal.Document("a", "wheat exports fell", label="farm")])
    ...     shown = index.show("a")
    >>> shown.label, shown.cluster
    ('farm', -1)
    """

    id: str
    title: str
    text: str
    source: str
    marked: str
    marked_title: str
    metadata: Mapping[str, object]
    label: str
    label_origin: str
    cluster: int
    cluster_name: str
    uncertainty: float | None

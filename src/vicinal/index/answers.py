"""What an index gives back: small values that can be printed, compared and written as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from vicinal.projection import Explanation


@final
@dataclass(frozen=True)
class Added:
    """What adding documents did.

    Attributes
    ----------
    added, changed, unchanged : int
        Documents that are new, that have another content now, and that were there already.
    placed : int
        Documents that the model placed at once; 0 before the first fit.
    """

    added: int
    changed: int
    unchanged: int
    placed: int


@final
@dataclass(frozen=True)
class Fitted:
    """What learning did.

    Attributes
    ----------
    documents, words, dimensions, topics : int
    change : str
        What became of the clusters of the fit before; empty after the first.
    chosen : dict from str to str
        What was chosen without being told, and why.
    notes : tuple of str
        What else there is to say: documents without words, islands of the graph, ...
    """

    documents: int
    words: int
    dimensions: int
    topics: int
    change: str
    chosen: Mapping[str, str]
    notes: tuple[str, ...] = ()


@final
@dataclass(frozen=True, eq=False)
class Hit:
    """A document that was found.

    Attributes
    ----------
    id, title, source : str
    score : float
        The sum of the parts of ``why``.
    why : Explanation
        What each word added.
    snippet : str
        Where the words stand in the text, in brackets.
    cluster : int
        Its number, -1 for none.
    metadata : dict
    """

    id: str
    title: str
    source: str
    score: float
    why: Explanation
    snippet: str
    cluster: int
    metadata: Mapping[str, Any]


@final
@dataclass(frozen=True)
class Cluster:
    """Documents that belong together.

    Attributes
    ----------
    number : int
        Which lasts over a refit, where the cluster does; of a part, its place by size in the cluster that was opened.
    path : str
        What `Index.clusters` and `Index.members` know it by: "3", or "3.1" for part 1 of cluster 3.
    name : str
        Its first words.
    size : int
    share : float
        Of all placed documents; of a part, of the documents of the cluster that was opened.
    uncertainty : float
        Mean over its documents, from 0, where their words leave none, to 1.
    words : tuple of (str, float)
        That tell it from the rest.
    exemplars : tuple of (id, title)
        Documents that stand for it.
    """

    number: int
    path: str
    name: str
    size: int
    share: float
    uncertainty: float
    words: tuple[tuple[str, float], ...]
    exemplars: tuple[tuple[str, str], ...]


@final
@dataclass(frozen=True)
class Copy:
    """A document of a group of copies.

    Attributes
    ----------
    id, title, source : str
    alike : float
        How alike it is to the one to keep: 1 where the text or the words are the same.
    """

    id: str
    title: str
    source: str
    alike: float


@final
@dataclass(frozen=True)
class Copies:
    """Documents that say the same, or nearly.

    Attributes
    ----------
    documents : tuple of Copy
        The one to keep, which was added first, then the others, most alike first.
    spare : tuple of str
        Names of the others that are alike enough to the one to keep itself, and not by way of others only.
    """

    documents: tuple[Copy, ...]
    spare: tuple[str, ...]

    @property
    def kept(self) -> Copy:
        """The one to keep: the first that was added."""
        return self.documents[0]


@final
@dataclass(frozen=True)
class Labelled:
    """What labels have taught.

    Attributes
    ----------
    labelled : int
        Documents with a label.
    classes : tuple of (str, int)
        Each with its number of documents.
    accuracy : float or None
        Share of the labelled documents, held back a fifth at a time, that got their own label; None where none could be.
    """

    labelled: int
    classes: tuple[tuple[str, int], ...]
    accuracy: float | None


@final
@dataclass(frozen=True, eq=False)
class Category:
    """The class of a document.

    Attributes
    ----------
    id : str
        Of the document; empty for a text without one.
    label : str
        Empty for a document without known words.
    probability : float
    others : tuple of (str, float)
        The next likely classes.
    why : Explanation
        What each word added to the cosine with the class, less that with the next likely one.
    """

    id: str
    label: str
    probability: float
    others: tuple[tuple[str, float], ...]
    why: Explanation


@final
@dataclass(frozen=True)
class Info:
    """What an index holds.

    Attributes
    ----------
    path : str
    bytes : int
    documents : int
    learnt : int
        Documents that the model was learnt from and that are still there as they were.
    placed : int
        Documents that were placed since.
    unplaced : int
        Documents that are in no place: before the first fit all of them.
    uncertainty, uncertainty_of_new : float or None
        Mean uncertainty of the cluster, of those learnt from and of those placed since: where the second is much higher, fit again.
        Documents without a known word are not among them.
    words, dimensions, topics, generation : int
        Of the last fit, 0 before it.
    wordless : int
        Documents, learnt from or placed since, without a word that the last fit knows: they have no place, and are in no cluster.
    """

    path: str
    bytes: int
    documents: int
    learnt: int
    placed: int
    unplaced: int
    uncertainty: float | None
    uncertainty_of_new: float | None
    words: int
    dimensions: int
    topics: int
    generation: int
    wordless: int = 0

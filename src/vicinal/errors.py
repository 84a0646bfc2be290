"""The errors and warnings of vicinal: one tree of each.

Every message says **what** is wrong, what was **given**, **why** that cannot work, and what to **do**::

    VicinalError(ValueError)              nothing was fitted and nothing was changed
    ├── BadParameter                      a parameter has a value that no corpus makes valid
    │   ├── BadLabels                     labels that are not classes, or not one per document
    │   └── BadQuery                      a query or condition that cannot be read; says at which character
    ├── BadData                           NaN, infinity or text where numbers are required; names row and column
    ├── EmptyCorpus                       no documents, or no terms; names the stage
    ├── TooFewDocuments                   fewer documents than the parameters require
    ├── TooFewTerms                       fewer than two terms
    ├── NoNeighbors                       no two documents have a term in common
    ├── NoTree                            an index without a tree of its clusters
    ├── NoVariation                       all documents are the same
    ├── OneClass                          all labels are the same
    ├── NoSuchSource (also FileNotFoundError)   no file or folder has that path
    ├── NotConverged                      a solver did not converge, even after one retry
    ├── BadIndex                          a file that cannot be opened as an index
    │   ├── NotAnIndex                    a file that is not an index
    │   ├── NewerIndex                    an index of a newer version of vicinal
    │   └── DamagedIndex                  the content differs from what was written; names the part
    ├── IndexLocked                       another process is writing; names it, and since when
    ├── ReadOnlyIndex                     the file or its folder cannot be written
    ├── DiskFull                          no space on the disk for a change, which is undone
    ├── EngineFailed                      the workers or the scheduler of a cluster are gone; a rerun goes on
    ├── DiskError                         the operating system could not read or write the file; says nothing about its content
    └── MissingExtra (also ImportError)   an optional package is not installed

    VicinalWarning(UserWarning)           something was fitted, but not all that was asked for
    ├── FewerComponents                   fewer components exist than were asked for
    ├── ClippedWeights                    negative similarities were left out of the graph
    ├── UnembeddedDocuments               documents without terms or neighbours: their embedding is zero
    ├── JoinedDocuments                   documents without a neighbour were joined to their most similar document
    ├── DisconnectedGraph                 the graph has several connected components; says what was done
    ├── IndistinctComponents              the last component is arbitrary: its eigenvalue is repeated beyond it
    ├── SingletonClass                    a class with one document
    ├── UnlabelledDocuments               documents without a label took no part in a supervised method
    ├── ContradictingEdges                edges between classes that could not be removed from a graph
    ├── ZeroEmbeddings                    a penalty so strong that every embedding is zero
    ├── EmptyComponents                   a lasso penalty so strong that a component has no terms
    ├── FewerTerms                        fewer terms can have a weight than were asked for
    ├── UnconfirmedEvidence               vectors, links or views that agree with the terms no more than by chance are not used
    ├── UnknownWords                      seed words that no document has as a term are not used
    ├── ClusterCount                      more or fewer clusters were found than were asked for
    ├── ForgottenDocuments                documents of a fit that partial_fit cannot go on from
    ├── UnstableClusters                  clusters that depend on the random seed, or one that has most documents
    ├── Unconverged                       a solver did not reach its tolerance: an iteration limit, or rounding
    ├── SkippedFiles                      files that a loader of a dataset could not read
    └── DamagedPart                       a part of an index is damaged, and the answer or the file does without it; names the part
"""

from __future__ import annotations

__all__ = [
    "BadData",
    "BadIndex",
    "BadLabels",
    "BadParameter",
    "BadQuery",
    "ClippedWeights",
    "ClusterCount",
    "ContradictingEdges",
    "DamagedIndex",
    "DamagedPart",
    "DisconnectedGraph",
    "DiskError",
    "DiskFull",
    "EmptyComponents",
    "EmptyCorpus",
    "EngineFailed",
    "FewerComponents",
    "FewerTerms",
    "ForgottenDocuments",
    "IndexLocked",
    "IndistinctComponents",
    "JoinedDocuments",
    "MissingExtra",
    "NewerIndex",
    "NoNeighbors",
    "NoSuchSource",
    "NoTree",
    "NoVariation",
    "NotAnIndex",
    "NotConverged",
    "OneClass",
    "ReadOnlyIndex",
    "SingletonClass",
    "SkippedFiles",
    "TooFewDocuments",
    "TooFewTerms",
    "UnconfirmedEvidence",
    "Unconverged",
    "UnembeddedDocuments",
    "UnknownWords",
    "UnlabelledDocuments",
    "UnstableClusters",
    "VicinalError",
    "VicinalWarning",
    "ZeroEmbeddings",
]


class VicinalError(ValueError):
    """Base of all errors: nothing was fitted and nothing was changed."""


class BadParameter(VicinalError):
    """A parameter has a value that no corpus makes valid."""


class BadLabels(BadParameter):
    """The labels are not classes, or not one per document."""


class BadQuery(BadParameter):
    """A query or a condition cannot be read; ``position`` is the character, from 0, at which it is wrong.

    Attributes
    ----------
    position : int
        Where it is wrong; the message counts from 1, as people do.
    """

    position: int = 0

    @classmethod
    def at(cls, text: str, position: int, what: str, todo: str, kind: str = "the query") -> BadQuery:
        """Make the error for one position of a text, which is shown from there on.

        Parameters
        ----------
        text : str
            The query or condition.
        position : int
            The character, from 0.
        what : str
            What is wrong there.
        todo : str
            What to do about it.
        kind : str, default="the query"
            What the text is.

        Returns
        -------
        BadQuery
            To be raised.
        """
        error = cls(f"{kind} {text!r:.200} is wrong at character {position + 1}, {text[position:]!r:.30}: {what}. {todo}.")
        error.position = position
        return error


class BadData(VicinalError):
    """The matrix contains NaN, infinity or something that is not a number; the message names row and column."""


class EmptyCorpus(VicinalError):
    """There are no documents, or no terms; the message names the stage."""


class TooFewDocuments(VicinalError):
    """There are fewer documents than the parameters require, as for ``n_neighbors`` or ``n_clusters``."""


class TooFewTerms(VicinalError):
    """There are fewer than two terms, so that all documents are the same up to length."""


class NoNeighbors(VicinalError):
    """No two documents have a term in common, so that the neighbour graph has no edges."""


class NoTree(VicinalError):
    """The index has no tree of its clusters: it was fitted, or its clusters changed, by an earlier version."""


class NoVariation(VicinalError):
    """All documents are the same, or in the same cluster of every clustering, so that nothing tells them apart."""


class OneClass(VicinalError):
    """All labels are the same, so that there are no classes to separate."""


class NoSuchSource(VicinalError, FileNotFoundError):
    """No file or folder has that path."""


class NotConverged(VicinalError):
    """A solver did not converge, even after one retry; the message gives the residual."""


class BadIndex(VicinalError):
    """A file cannot be opened as an index: it does not exist, or cannot be read."""


class NotAnIndex(BadIndex):
    """The file is not an index; it was not changed."""


class NewerIndex(BadIndex):
    """The index was written by a newer version of vicinal, whose format this version does not know."""


class DamagedIndex(BadIndex):
    """The content of the index differs from what was written; the message names the part."""


class IndexLocked(VicinalError):
    """Another process or thread is writing the index; the message names it, and since when."""


class ReadOnlyIndex(VicinalError):
    """The file of the index, or its folder, cannot be written."""


class DiskFull(VicinalError):
    """There is no space on the disk for a change of the index; the change was undone."""


class DiskError(VicinalError):
    """The operating system could not read or write the file of an index; what the file contains may be sound."""


class EngineFailed(VicinalError):
    """The workers or the scheduler of a cluster are gone; what was finished is kept in the engine's folder, if it has one."""


class MissingExtra(VicinalError, ImportError):
    """An optional package is required and not installed."""


class VicinalWarning(UserWarning):
    """Base of all warnings: something was fitted, but not all that was asked for."""


class FewerComponents(VicinalWarning):
    """Fewer components, or scored terms, exist than were asked for."""


class ClippedWeights(VicinalWarning):
    """Negative similarities were left out of the graph; the message gives their share."""


class UnembeddedDocuments(VicinalWarning):
    """Documents without terms or without neighbours are kept, and their embedding is zero."""


class JoinedDocuments(VicinalWarning):
    """Documents without a neighbour in the graph were joined to their most similar document."""


class DisconnectedGraph(VicinalWarning):
    """The graph has several connected components; the message says how many and what was done."""


class IndistinctComponents(VicinalWarning):
    """The last component is arbitrary: its eigenvalue is repeated, and more functions have it than were asked for."""


class SingletonClass(VicinalWarning):
    """A class has one document."""


class UnlabelledDocuments(VicinalWarning):
    """Documents without a label took no part in a supervised method."""


class ContradictingEdges(VicinalWarning):
    """Edges between documents of different classes could not be removed from a graph whose edges are not stored."""


class ZeroEmbeddings(VicinalWarning):
    """The penalty is so strong that the embedding of every document is zero."""


class EmptyComponents(VicinalWarning):
    """The lasso penalty is so strong that a component has no terms; every document is zero in it."""


class FewerTerms(VicinalWarning):
    """Fewer terms can have a weight than were asked for."""


class UnconfirmedEvidence(VicinalWarning):
    """An encoder's vectors, links or a view agree with the terms no more than by chance, or name no document, and are not used."""


class UnknownWords(VicinalWarning):
    """Some seed words of a class are terms of no document, and are not used; others of the same class remain."""


class ClusterCount(VicinalWarning):
    """More or fewer clusters were found than were asked for; the message says why."""


class ForgottenDocuments(VicinalWarning):
    """`partial_fit` was called on an estimator that `fit` had fitted, which keeps no documents to go on from: it begins anew."""


class UnstableClusters(VicinalWarning):
    """Another random seed would give other clusters, or one cluster has most documents; the message says which, and what to do."""


class Unconverged(VicinalWarning):
    """A solver did not reach its tolerance, because of an iteration limit or of rounding; the message says which error is left."""


class SkippedFiles(VicinalWarning):
    """A loader of `vicinal.datasets` could not read some files; the message names the first of them."""


class DamagedPart(VicinalWarning):
    """A part of an index is damaged, and the answer or the file that was written does without it; the message names the part."""

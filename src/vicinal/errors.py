"""Everything vicinal can complain about: one tree of errors, one tree of warnings.

Each message has four parts: **what** went wrong, what it **got**, **why** that cannot work, and what to **do**::

    VicinalError(ValueError)              nothing was learnt, nothing was changed
    ├── BadParameter                      a parameter has a value that no corpus could make right
    │   └── BadLabels                     labels that are not classes, or not one per document
    ├── BadData                           NaN, infinity or text where numbers belong: says row and column
    ├── EmptyCorpus                       no documents, or no terms; names the stage
    ├── TooFewDocuments                   more neighbours asked for than there are other documents
    ├── TooFewTerms                       one term cannot say who is near whom
    ├── NoNeighbors                       no two documents have anything in common
    ├── NoVariation                       all documents are the same
    ├── OneClass                          labels that name a single class
    ├── NoSuchSource (also FileNotFoundError)   nothing to read has that path
    ├── NotConverged                      a solver gave up, even after one retry
    ├── BadIndex                          a file that cannot be opened as an index: not there, or not to be read
    │   ├── NotAnIndex                    a file of something else
    │   ├── NewerIndex                    made by a newer version than this one
    │   └── DamagedIndex                  not what was written; says which part
    ├── IndexLocked                       another process is writing; says which, and since when
    ├── ReadOnlyIndex                     the file or its folder cannot be written
    ├── DiskFull                          no room for a change, none of which was kept
    └── MissingExtra (also ImportError)   an optional package is not installed

    VicinalWarning(UserWarning)           something was learnt, but not all that was asked for
    ├── FewerComponents                   fewer dimensions exist than were asked for
    ├── ClippedWeights                    similarities below zero were left out of the graph
    ├── UnembeddedDocuments                 documents without words or neighbours: their vector is zero
    ├── JoinedDocuments                   documents outside every neighbourhood, joined to their nearest one
    ├── DisconnectedGraph                 the graph falls apart; says how many pieces and what was done
    ├── IndistinctComponents              two dimensions cannot be told apart: repeated eigenvalues at the cut
    ├── SingletonClass                    a class with one document
    ├── UnlabelledDocuments               documents without a label that a method of classes cannot learn from
    ├── ContradictingEdges                edges between classes that could not be taken out of a graph
    ├── ZeroMap                           a penalty so strong that every document lands on zero
    ├── AllZero                           a lasso so strong that a dimension has no word left
    ├── FewerTerms                        fewer words can have a weight than were asked for
    ├── ClusterCount                        more or fewer topics than were asked for
    └── Unconverged                       an iteration limit was reached before the tolerance
"""

from __future__ import annotations


class VicinalError(ValueError):
    """Root of all errors: nothing was learnt and nothing was changed."""


class BadParameter(VicinalError):
    """A parameter has a value that no corpus could make right."""


class BadLabels(BadParameter):
    """Labels that are not classes, or not one per document."""


class BadData(VicinalError):
    """The matrix holds NaN, infinity or something that is not a number."""


class EmptyCorpus(VicinalError):
    """There are no documents, or no terms; the message names the stage."""


class TooFewDocuments(VicinalError):
    """More neighbours were asked for than there are other documents."""


class TooFewTerms(VicinalError):
    """One term cannot say who is near whom."""


class NoNeighbors(VicinalError):
    """No two documents have anything in common, so there is no graph."""


class NoVariation(VicinalError):
    """All documents are the same, so there is nothing to tell apart."""


class OneClass(VicinalError):
    """The labels name a single class, so there is nothing to separate."""


class NoSuchSource(VicinalError, FileNotFoundError):
    """There is no file or folder of that path to read."""


class NotConverged(VicinalError):
    """A solver gave up, even after one retry; the message gives the residual."""


class BadIndex(VicinalError):
    """A file cannot be opened as an index: it is not there, or cannot be read."""


class NotAnIndex(BadIndex):
    """The file is something else than an index; it was not changed."""


class NewerIndex(BadIndex):
    """The index was made by a newer version of vicinal, whose tables are not known here."""


class DamagedIndex(BadIndex):
    """What is in the index is not what was written; the message names the part."""


class IndexLocked(VicinalError):
    """Another process or thread is writing the index; the message says which, and since when."""


class ReadOnlyIndex(VicinalError):
    """The file of the index, or its folder, cannot be written."""


class DiskFull(VicinalError):
    """There is no room for a change of the index; none of it was kept, and the index is as before."""


class MissingExtra(VicinalError, ImportError):
    """An optional package is needed for this and is not installed."""


class VicinalWarning(UserWarning):
    """Root of all warnings: something was learnt, but not all that was asked for."""


class FewerComponents(VicinalWarning):
    """Fewer dimensions exist than were asked for."""


class ClippedWeights(VicinalWarning):
    """Similarities below zero were left out of the graph; the message names their share."""


class UnembeddedDocuments(VicinalWarning):
    """Documents without words or without neighbours: they are kept, and their vector is zero."""


class JoinedDocuments(VicinalWarning):
    """Documents outside every neighbourhood were joined to their nearest document."""


class DisconnectedGraph(VicinalWarning):
    """The graph falls into several components; the message says how many and what was done."""


class IndistinctComponents(VicinalWarning):
    """Two dimensions cannot be told apart: eigenvalues repeat at the cut."""


class SingletonClass(VicinalWarning):
    """A class has one document, which is its own mean."""


class UnlabelledDocuments(VicinalWarning):
    """Documents without a label take no part in a method that learns from labels alone."""


class ContradictingEdges(VicinalWarning):
    """Edges between documents of different classes could not be taken out of a graph that is not stored."""


class ZeroMap(VicinalWarning):
    """The penalty is so strong that every document lands on zero."""


class AllZero(VicinalWarning):
    """The lasso is so strong that a dimension has no word left, and every document is at zero along it."""


class FewerTerms(VicinalWarning):
    """Fewer words can have a weight in a dimension than were asked for."""


class ClusterCount(VicinalWarning):
    """There are more or fewer topics than were asked for; the message says why."""


class Unconverged(VicinalWarning):
    """An iteration limit was reached before the tolerance; the message gives what was reached."""

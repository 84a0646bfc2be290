"""Few labels: the classes of documents without one are those of a clustering of all documents that starts from the labels (K8)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from vicinal._consensus.views import input_of_log_counts
from vicinal._matrix import nonzero_rows
from vicinal._typing import BoolArray, FloatArray, IntArray, Terms
from vicinal.errors import NoNeighbors, NoVariation, TooFewDocuments, TooFewTerms, VicinalWarning
from vicinal.uses._classifier.calibration import SoftLabels
from vicinal.uses._classifier.folds import dealt
from vicinal.uses._classifier.held_out_labels import HeldOut, hold_out
from vicinal.uses._classifier.pseudo_labels import MOST_IN_FOLDS, PseudoLabels, ScaledRows, extra_loss, pseudo_labels
from vicinal.uses._classifier.support_vectors import LinearScores
from vicinal.uses._document_input import learn_to_weigh
from vicinal.uses._topics.topics_fit import find_clusters, log_memberships

#: Logarithms of the probability of each class for every document, by a clustering that is not told the labels of some documents;
#: None where there can be none.
Clustering: TypeAlias = "Callable[[IntArray], FloatArray | None]"

FEW = 80  # labels per class: with as many, the labels alone are as good a teacher
VERY_FEW = 5  # labels per class: fewer, held out, cannot tell which teacher is the better
FEWEST_WITHOUT = 50  # documents without a label: fewer are no clusters
MOST_WITHOUT = 2000  # of more, five labels per class and pseudo-labels know as much, and clusters take many times as long
WEIGHT = 0.2  # of a pseudo-label that is certain, beside a label
SOFT_WEIGHT = 20.0  # labelled documents that the clustering counts for in calibration
MIXED = 0.15  # uniform part of the memberships with one label per class, as clusters need not be the classes; less with more
FOLDS = 3  # of documents without a label, whose scores must be by machines that were not fitted to them
MOST_PARTS = 3  # of labelled documents, each left out of a clustering of its own
MOST_CLUSTERED = 5000  # documents that views are taken of; terms assign the rest
NOBODY = np.zeros(0, dtype=np.int64)


def are_few(y: IntArray, n_classes: int, n_without: int) -> bool:
    """Whether labels are so few that a clustering knows more than they do, and documents without one enough to be clustered."""
    few = VERY_FEW if n_without > MOST_WITHOUT else FEW
    return len(y) < few * n_classes and n_without >= FEWEST_WITHOUT


def are_preferred(by_labels: HeldOut, by_clusters: HeldOut, n_classes: int) -> bool:
    """Whether clusters are the better teacher: held-out documents gain by more than one standard error, or are too few to know."""
    if len(by_labels.labels) < VERY_FEW * n_classes:
        return True
    proportions = np.bincount(by_labels.labels, minlength=n_classes) / len(by_labels.labels)
    mean, error = extra_loss(by_labels, by_clusters, proportions)
    return mean < -error


def clustering_of(
    rows: Terms, labels: IntArray, n_classes: int, random_state: int, n_jobs: int | None, hidden: IntArray = NOBODY
) -> FloatArray | None:
    """Cluster documents, each class being a cluster in which its labelled documents stay (K8).

    Parameters
    ----------
    rows : (documents, terms)
        Counts, or weights where terms were not counted.
    labels : int array (documents,)
        The class of each, -1 where it is not known.
    n_classes : int
    random_state : int
    n_jobs : int or None
    hidden : int array
        Documents whose label is not told.

    Returns
    -------
    float array (documents, classes) or None
        Logarithms of probabilities; None where a class has no document with terms, or nothing tells documents apart.
    """
    known = np.where(nonzero_rows(rows), labels, -1)
    known[hidden] = -1
    if len(np.unique(known[known >= 0])) < n_classes:
        return None
    reader = learn_to_weigh(rows, "Classifier")
    data = input_of_log_counts(reader.weights_in_kind(rows), reader.log_counts(rows), known, random_state, n_jobs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # of clusters that nobody asked for
        try:
            found = find_clusters(data, n_classes, MOST_CLUSTERED)
        except (TooFewDocuments, TooFewTerms, NoNeighbors, NoVariation):
            return None
    logs = log_memberships(found, data)
    return logs if logs.shape[1] == n_classes else None


def taught_by_clusters(
    logs: FloatArray, learnt: ScaledRows, labelled: ScaledRows, y: IntArray, n_classes: int
) -> tuple[LinearScores, HeldOut]:
    """The machines fitted to labels and to the classes of a clustering, and what documents that were held out say of them.

    The clustering has seen the labels of documents that are held out, so these are too easily right. Calibration therefore counts
    what the clustering is uncertain of as well, by documents without a label that machines were not fitted to.
    """
    free = pseudo_labels(learnt, logs, WEIGHT)
    few = free[slice(MOST_IN_FOLDS)]

    def scores_without(out: BoolArray) -> FloatArray:
        """The scores of documents by a rule that was taught without their labels."""
        kept = np.flatnonzero(~out)
        return labelled[np.flatnonzero(out)].scores(few.teach(labelled[kept], y[kept], n_classes))

    mixed = MIXED * n_classes / len(y)
    memberships = (1.0 - mixed) * np.exp(logs[:MOST_IN_FOLDS]) + mixed / n_classes
    soft = SoftLabels(_without_each(few, labelled, y, n_classes), memberships, SOFT_WEIGHT)
    return free.teach(labelled, y, n_classes), hold_out(y, n_classes, scores_without, soft)


def accuracy_without(
    clustering: Clustering, known: IntArray, others: IntArray, learnt: ScaledRows, labelled: ScaledRows, y: IntArray, n_classes: int
) -> float | None:
    """The accuracy on labelled documents whose label neither machines nor clusters have seen; None where there can be none.

    Labels are left out in two or three parts, and the documents are clustered anew without each. A rule of fewer labels is judged
    than the one that is kept, so the accuracy is rather too low than too high.
    """
    parts = dealt(y, int(np.clip(len(y) // n_classes, 2, MOST_PARTS)))
    right: list[BoolArray] = []
    for part in range(parts.max(initial=-1) + 1):
        out, kept = np.flatnonzero(parts == part), np.flatnonzero(parts != part)
        if len(out) == 0 or (logs := clustering(known[out])) is None:
            continue
        free = pseudo_labels(learnt, logs[others], WEIGHT)[slice(MOST_IN_FOLDS)]
        machines = free.teach(labelled[kept], y[kept], n_classes)
        right.append(labelled[out].scores(machines).argmax(axis=1) == y[out])
    return float(np.mean(np.concatenate(right))) if right else None


def _without_each(free: PseudoLabels, labelled: ScaledRows, y: IntArray, n_classes: int) -> FloatArray:
    """The scores of documents without a label by machines that were fitted without their pseudo-label."""
    parts, scores = np.arange(len(free.classes)) % FOLDS, np.zeros((len(free.classes), n_classes))
    for part in range(FOLDS):
        out = np.flatnonzero(parts == part)
        scores[out] = free.learnt[out].scores(free[np.flatnonzero(parts != part)].teach(labelled, y, n_classes))
    return scores

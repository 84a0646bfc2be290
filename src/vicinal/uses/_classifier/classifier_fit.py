"""Fit of a classifier's rule: the share of the embedding by leave-one-out, support vectors, pseudo-labels, and calibration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from vicinal._choice import Choice, is_auto
from vicinal._content_keys import content_order
from vicinal._matrix import nonzero_rows
from vicinal._threads import single_threaded_libraries
from vicinal._typing import BoolArray, FloatArray, IntArray, Terms
from vicinal.projection import LinearMap
from vicinal.uses._classifier.classifier_rule import ClassifierRule
from vicinal.uses._classifier.error_penalty import chosen_penalty
from vicinal.uses._classifier.few_labels import NOBODY, Clustering, accuracy_without, are_few, are_preferred, taught_by_clusters
from vicinal.uses._classifier.folds import evenly
from vicinal.uses._classifier.held_out_labels import VERY_MANY, HeldOut, hold_out
from vicinal.uses._classifier.joint_rows import JointRows, joined
from vicinal.uses._classifier.leave_one_out import left_out_losses
from vicinal.uses._classifier.pseudo_labels import LARGEST_SHARE, MOST_DOCUMENTS, MOST_IN_FOLDS, ScaledRows, WithoutLabel, objects
from vicinal.uses._classifier.support_vectors import PENALTY, LinearScores, support_vectors

SHARES = (0.0, 0.2, 0.5, 0.8, 1.0)
MOST_TO_CHOOSE = 1000  # labelled documents that the share is chosen by: their products are inverted


@final
@dataclass(frozen=True, eq=False)
class Step:
    """Machines fitted to joint rows of labelled documents, and what documents that were held out say of them."""

    joint: JointRows
    labelled: ScaledRows
    scores: LinearScores
    held_out: HeldOut
    penalty: float = PENALTY
    n_pseudo_labelled: int = 0


def fit_rule(
    X: Terms,
    labels: IntArray,
    n_classes: int,
    projection: LinearMap | None,
    *,
    share: float | str = "auto",
    clustering: Clustering | None = None,
) -> ClassifierRule:
    """Fit the rule to documents of which some have a label; the order of the documents changes nothing.

    Parameters
    ----------
    X : (documents, terms)
        Weights of terms, of all documents.
    labels : int array (documents,)
        The class of each, from 0; -1 where it is not known. Every class has a document.
    n_classes : int
        Two at least.
    projection : LinearMap or None
        The embedding of all documents; None for terms alone.
    share : float or "auto"
        The share of the embedding; "auto" chooses it by leave-one-out, and then learns from documents without a label too.
    clustering : callable, optional
        Logarithms of the probabilities of classes for all documents, by a clustering that starts from the labels but those of
        the rows it is given; called where labels are few, once with all and then without some of them (K8).
    """
    order = content_order(X, labels)
    known, others = order[labels[order] >= 0], order[(labels[order] < 0) & nonzero_rows(X)[order]]
    y = labels[known]
    with single_threaded_libraries():
        joint, evidence = _choose_share(joined(projection, X), X[known], y, n_classes, share)
        step = _by_labels(joint, X[known], y, n_classes)
        if evidence is not None and len(others):
            step = _by_all(step, X, known, others[:MOST_DOCUMENTS], y, n_classes, clustering)
    if evidence is not None and step.joint.share != joint.share:
        evidence = evidence.overruled(step.joint.share, "documents without a label are learnt from with the class predicted")
    return _rule(step, X.shape[1], evidence)


def _rule(step: Step, n_terms: int, evidence: Choice | None) -> ClassifierRule:
    linear = step.joint.to_terms(step.scores.weights, step.scores.intercepts, n_terms)
    held_out = step.held_out
    n_held_out = len(held_out.labels)
    return ClassifierRule(linear, step.joint, held_out.calibration, held_out.accuracy, evidence, step.n_pseudo_labelled, n_held_out)


def _choose_share(joint: JointRows, X: Terms, y: IntArray, n_classes: int, share: float | str) -> tuple[JointRows, Choice | None]:
    """The share by leave-one-out log loss, and the evidence; none where it was given or there is no embedding (K3)."""
    if joint.projection is None:
        return joint, None
    if not is_auto(share):
        return replace(joint, share=float(share)), None
    few = evenly(y, MOST_TO_CHOOSE)
    losses = np.array([_losses_of(replace(joint, share=each), X[few], y[few], n_classes) for each in SHARES])
    evidence = _near_best(losses, many=len(y) > VERY_MANY)
    return replace(joint, share=float(evidence.chosen)), evidence


def _losses_of(joint: JointRows, X: Terms, y: IntArray, n_classes: int) -> FloatArray:
    rows = joint.of(X)
    return left_out_losses((rows @ rows.T).toarray(), y, n_classes)


def _near_best(losses: FloatArray, many: bool) -> Choice:
    """Of the shares whose mean loss is within one standard error of the lowest, the largest; the smallest where labels are many.

    Labelled documents are seldom a random sample; the embedding has seen all documents, so it is trusted where they do not object.
    Where only a part of the labels is used to choose, all of them speak more for terms than that part does.
    """
    means = losses.mean(axis=1)
    extra = losses - losses[np.argmin(means)]
    margin = extra.std(axis=1) / np.sqrt(losses.shape[1])
    near = [share for share, more, error in zip(SHARES, extra.mean(axis=1), margin, strict=True) if more <= error]
    chosen, side = (min(near), "smallest") if many else (max(near), "largest")
    why = f"share={chosen} chosen automatically: the {side} within one standard error of the lowest leave-one-out log loss."
    return Choice.of("share", SHARES, means, score="leave-one-out log loss", margin=margin, chosen=chosen, why=why)


def _by_labels(joint: JointRows, X: Terms, y: IntArray, n_classes: int) -> Step:
    """The step that uses labelled documents alone (K2, K4)."""
    labelled = ScaledRows(joint.of(X), joint.lengths(X))
    penalty = chosen_penalty(labelled, y, n_classes)

    def scores_without(out: BoolArray) -> FloatArray:
        """The scores of documents by a rule that was fitted without them."""
        kept = np.flatnonzero(~out)
        machines = support_vectors(labelled.rows[kept], y[kept], n_classes, penalty)
        return labelled[np.flatnonzero(out)].scores(machines)

    machines = support_vectors(labelled.rows, y, n_classes, penalty)
    return Step(joint, labelled, machines, hold_out(y, n_classes, scores_without), penalty)


def _by_all(
    step: Step, X: Terms, known: IntArray, others: IntArray, y: IntArray, n_classes: int, clustering: Clustering | None
) -> Step:
    """The step that uses documents without a label, by the better teacher of labels (K7) and clusters (K8).

    One label of each class, which nothing can be held out of, is a poor teacher.
    """
    by_labels = _by_pseudo_labels(step, X[known], X[others], y, n_classes) if len(step.held_out.labels) else step
    if clustering is None or not are_few(y, n_classes, len(others)) or (logs := clustering(NOBODY)) is None:
        return by_labels
    by_clusters, learnt = _by_clusters(step, logs[others], X[known], X[others], y, n_classes)
    if not are_preferred(by_labels.held_out, by_clusters.held_out, n_classes):
        return by_labels
    accuracy = accuracy_without(clustering, known, others, learnt, by_clusters.labelled, y, n_classes)
    return replace(by_clusters, held_out=replace(by_clusters.held_out, accuracy=accuracy))


def _by_pseudo_labels(step: Step, X: Terms, others: Terms, y: IntArray, n_classes: int) -> Step:
    """The step that uses documents without a label as well (K7); the one before where documents that were held out object."""
    joint, calibration = replace(step.joint, share=min(step.joint.share, LARGEST_SHARE)), step.held_out.calibration
    labelled = ScaledRows(joint.of(X), joint.lengths(X))
    read, learnt = (ScaledRows(each.of(others), each.lengths(others)) for each in (step.joint, joint))
    free = WithoutLabel(read, learnt, step.penalty)
    few = free.first(MOST_IN_FOLDS)

    def scores_without(out: BoolArray) -> FloatArray:
        """The scores of documents by a rule that was fitted without their labels."""
        kept = np.flatnonzero(~out)
        by_labels = support_vectors(step.labelled.rows[kept], y[kept], n_classes, step.penalty)
        return labelled[np.flatnonzero(out)].scores(few.teach(by_labels, calibration, labelled[kept], y[kept], n_classes))

    taught, held_out = free.teach(step.scores, calibration, labelled, y, n_classes), hold_out(y, n_classes, scores_without)
    proportions = np.exp(held_out.calibration.log_probabilities(learnt.scores(taught))).mean(axis=0)
    if objects(step.held_out, held_out, proportions):
        return step
    return Step(joint, labelled, taught, held_out, step.penalty, others.shape[0])


def _by_clusters(step: Step, logs: FloatArray, X: Terms, others: Terms, y: IntArray, n_classes: int) -> tuple[Step, ScaledRows]:
    """The step that uses documents without a label with the class of their cluster (K8), and the rows of these."""
    joint = replace(step.joint, share=min(step.joint.share, LARGEST_SHARE))
    labelled, learnt = (ScaledRows(joint.of(each), joint.lengths(each)) for each in (X, others))
    taught, held_out = taught_by_clusters(logs, learnt, labelled, y, n_classes)
    return Step(joint, labelled, taught, held_out, n_pseudo_labelled=others.shape[0]), learnt

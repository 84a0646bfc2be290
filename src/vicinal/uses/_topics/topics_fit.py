"""The order of the steps of a Topics fit, each of which is in `_consensus`, and their progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, final

import numpy as np

from vicinal._centroids import typicality
from vicinal._choice import Choice, is_auto
from vicinal._consensus import (
    ClusterRule,
    ConsensusClustering,
    ConsensusInput,
    NeighborGraphs,
    View,
    choose_n_clusters,
    cluster_by_vote,
    neighbor_graphs,
)
from vicinal._consensus.evidence import BesideTerms
from vicinal._consensus.membership import memberships, with_memberships
from vicinal._consensus.merge import without_gaps
from vicinal._consensus.merge_tree import MergeTree, grow_tree
from vicinal._consensus.rule import rule_of_centroids, rule_of_terms
from vicinal._consensus.sample import draw_sample, extend, restrict
from vicinal._consensus.stability import Stability, stability
from vicinal._consensus.views import in_order
from vicinal._content_keys import Keys, content_order, keys_of_rows
from vicinal._matrix import csr, nonzero_rows, unit_rows
from vicinal._probabilities import normalized_entropy
from vicinal._progress import Progress, silent
from vicinal._threads import count_threads
from vicinal._typing import FloatArray, IntArray, RandomState, TermNames, Terms
from vicinal._validate import check_count, check_seed
from vicinal._warn import warn
from vicinal.errors import BadParameter, ClusterCount, TooFewDocuments, UnstableClusters
from vicinal.graph import SparseGraph
from vicinal.graph._graph import number_by_size
from vicinal.methods._base import refuse_without_variation
from vicinal.projection import LinearMap, Projection
from vicinal.projection._projection import embed

Linear = TypeVar("Linear", bound=LinearMap)

STEP = "clusters"
EACH_CLASS_OF_Y = "each class of y is a cluster"  # a fit of an index says it in other words, as the next ones
EACH_CLASS_OF_BOTH = "each class of y and seed_words is a cluster"
UNSTABLE_ADVICE = "Prefer another n_clusters: tree_ shows which clusters divide or merge; or label some documents."
LOPSIDED_ADVICE = (
    "The corpus may have one such subject, or n_clusters may be too small for it: a larger number, or opening this cluster in "
    "tree_, shows its parts."
)
ENOUGH = 100  # documents, for which stability says something
UNSTABLE = 0.5  # adjusted Rand index with the clusters of another seed
LOPSIDED, LOPSIDED_OF_TWO = 0.5, 0.8  # share of all documents in one cluster; of two clusters one always has half
#: What is done after so many parts of the step.
STAGES = ("neighbour graphs", "number of clusters", "views and their consensus", "terms of each cluster")


@final
@dataclass(frozen=True, eq=False)
class RuleDecision:
    """What a rule decides of the documents it was fitted to.

    Attributes
    ----------
    rule : ClusterRule
    labels : int array (documents,)
        The cluster of each document: its class where that is known, -1 where it has no terms.
    sizes : int array (clusters,)
    uncertainty : float array (documents,)
        Normalised entropy of the probabilities of clusters and the memberships by views, of both their geometric mean.
    """

    rule: ClusterRule
    labels: IntArray
    sizes: IntArray
    uncertainty: FloatArray


@final
@dataclass(frozen=True, eq=False)
class FoundClusters:
    """The result of the steps; see the attributes of Topics, which have the same names."""

    decision: RuleDecision
    n_clusters_evidence: Choice | None
    typicality: FloatArray
    sample: IntArray | None
    views: tuple[View, ...]
    qualities: dict[str, float]
    projection: Projection
    tree: MergeTree
    stability: Stability


def find_clusters(
    data: ConsensusInput,
    n_clusters: int | str,
    max_documents: int,
    vocabulary: TermNames = None,
    by_terms: SparseGraph | None = None,
    progress: Progress = silent,
    keys: Keys | None = None,
    besides_terms: Sequence[BesideTerms] = (),
) -> FoundClusters:
    """Cluster documents, in an order of their own so that the order they come in changes nothing.

    Parameters
    ----------
    data : ConsensusInput
    n_clusters : int or "auto"
    max_documents : int
        Views are taken of at most so many.
    vocabulary : array of str, optional
        Names of the terms.
    by_terms : SparseGraph, optional
        The neighbour graph by terms of all documents, where it exists already: see :func:`neighbor_graphs`.
    progress : Progress
        Called with the parts of the step "clusters".
    keys : uint64 array (documents,), optional
        By which documents are ordered when clusters are divided; the order of their content by default.
    besides_terms : sequence of BesideTerms
        What is known of all documents besides their terms.
    """
    counted = data.X if data.log_counts is None else data.log_counts.X
    ties = None if data.links is None else data.links.tie_keys(keys_of_rows(counted, None))
    order = content_order(counted, data.known, ties)
    graph = None if by_terms is None else SparseGraph(csr(by_terms.weights[order][:, order]))
    keys = np.arange(len(order), dtype=np.uint64) if keys is None else keys[order]
    known = [each.restrict(order) for each in besides_terms]
    found = _find_in_order(in_order(data, order), n_clusters, max_documents, vocabulary, graph, progress, keys, known)
    return _put_back(found, order)


def _put_back(found: FoundClusters, order: IntArray) -> FoundClusters:
    """The same clusters of documents in the order they came in."""
    place = np.argsort(order)
    decision = replace(found.decision, labels=found.decision.labels[place], uncertainty=found.decision.uncertainty[place])
    viewed = order if found.sample is None else order[found.sample]
    sample, sorted_views = (None if found.sample is None else np.sort(viewed)), np.argsort(viewed)
    views = tuple(replace(view, labels=view.labels[sorted_views]) for view in found.views)
    tree = replace(found.tree, leaves=found.tree.leaves[place])
    return replace(found, decision=decision, typicality=found.typicality[place], sample=sample, views=views, tree=tree)


def _find_in_order(
    data: ConsensusInput,
    n_clusters: int | str,
    max_documents: int,
    vocabulary: TermNames,
    by_terms: SparseGraph | None,
    progress: Progress,
    keys: Keys,
    besides_terms: Sequence[BesideTerms],
) -> FoundClusters:
    sample = draw_sample(data, max_documents)
    viewed = data if sample is None else restrict(data, sample)
    progress(STEP, 0, len(STAGES))
    known = besides_terms if sample is None else [each.restrict(sample) for each in besides_terms]
    reused = by_terms if sample is None else None
    graphs = neighbor_graphs(viewed.X, data.random_state, data.n_jobs, by_terms=reused, evidence=known, recall=data.recall)
    viewed = viewed.sharing(graphs)
    progress(STEP, 1, len(STAGES))
    wanted, evidence = _enough_for_links(data, *_wanted(viewed, graphs, n_clusters))
    progress(STEP, 2, len(STAGES))
    found = cluster_by_vote(viewed, graphs, wanted)
    progress(STEP, 3, len(STAGES))
    found = found if sample is None else extend(found, sample, data, wanted)
    labels = found.labels if _n_classes(data) else number_by_size(found.labels)
    projection = _named(found.projection, vocabulary)
    decision = _decide_by_size(replace(found, labels=labels, projection=projection), data, vocabulary, sample)
    n_found = len(decision.sizes)
    if n_found < wanted:
        evidence = _other_number(evidence, wanted, n_found, "the documents do not form more different clusters")
    Z = embed(projection, data.X)
    typical = typicality_of(Z, decision.labels, n_found)
    tree = grow_tree(data, graphs, decision.labels, Z, keys, sample)
    stable = _stability(decision, found, sample)
    progress(STEP, 4, len(STAGES))
    return FoundClusters(decision, evidence, typical, sample, found.views, found.qualities, projection, tree, stable)


def _stability(decision: RuleDecision, found: ConsensusClustering, sample: IntArray | None) -> Stability:
    """How far the documents that views were taken of would be in the same clusters with another random seed."""
    labels = decision.labels if sample is None else decision.labels[sample]
    return stability(labels, len(decision.sizes), list(found.others.values()), [found.qualities[name] for name in found.others])


def warn_of_luck(found: FoundClusters) -> None:
    """Warn of clusters that another random seed would change much, and of one that has most documents."""
    for what, advice in signs_of_luck(found.decision.sizes, found.stability):
        warn(f"{what} {advice}", UnstableClusters)


def signs_of_luck(sizes: IntArray, stable: Stability, numbers: Sequence[int] | None = None) -> list[tuple[str, str]]:
    """Sentences on clusters that another random seed would change much, and on one that has most documents, each with advice.

    Parameters
    ----------
    sizes : int array (clusters,)
    stable : Stability
    numbers : sequence of int, optional
        What clusters are called; 0, 1, … by default.
    """
    n_documents, named, found = int(sizes.sum()), range(len(sizes)) if numbers is None else numbers, []
    if n_documents < ENOUGH or len(sizes) < 2:
        return []
    if stable.overall < UNSTABLE:
        least = int(np.argmin(stable.clusters))
        why = f"those of another seed agree with them by {stable.overall:.2f} (adjusted Rand index)"
        worst = f"cluster {named[least]} by {stable.clusters[least]:.2f} (Jaccard index)"
        found.append((f"the clusters depend on the random seed: {why}, and {worst}.", UNSTABLE_ADVICE))
    if sizes.max() > max(LOPSIDED, LOPSIDED_OF_TWO if len(sizes) == 2 else 0.0) * n_documents:
        largest = int(np.argmax(sizes))
        found.append((f"cluster {named[largest]} has {int(sizes[largest]):,} of {n_documents:,} documents.", LOPSIDED_ADVICE))
    return found


def printed_progress() -> Progress:
    """Progress as lines on standard error, with the seconds since the beginning."""
    began = time.perf_counter()

    def write(step: str, done: int, total: int) -> None:
        """Write a line for each stage to standard error."""
        stage = "done" if done == total else STAGES[done] if step == STEP else step
        if done < total or step == STEP:
            sys.stderr.write(f"[{time.perf_counter() - began:6.1f} s] {stage}\n")

    return write


def check_parameters(n_clusters: int | str, max_documents: int, random_state: RandomState, n_jobs: int | None) -> None:
    """Refuse parameters of Topics that are not valid."""
    if isinstance(n_clusters, str) and not is_auto(n_clusters):
        raise BadParameter(f'n_clusters must be a whole number or "auto", got {n_clusters!r}. Use n_clusters="auto".')
    if not is_auto(n_clusters):
        check_count("n_clusters", n_clusters)
    check_count("max_documents", max_documents, 2)
    check_seed(random_state)
    count_threads(n_jobs)


def refuse_too_few(X: Terms, n_clusters: int | str) -> None:
    """Refuse documents that cannot be clustered: too few of them have terms, or nothing tells them apart."""
    refuse_without_variation(X)
    n_with_terms = int(nonzero_rows(X).sum())
    needed = 2 if is_auto(n_clusters) else max(2, int(n_clusters))
    if n_with_terms < needed:
        raise TooFewDocuments(
            f"{needed} clusters need at least {needed} documents with terms, got {n_with_terms} (n_samples = {X.shape[0]}). "
            f"Add documents{', or use a smaller n_clusters' if needed > 2 else ''}."
        )


def _n_classes(data: ConsensusInput) -> int:
    return 0 if data.known is None else int(data.known.max(initial=-1)) + 1


def _wanted(data: ConsensusInput, graphs: NeighborGraphs, n_clusters: int | str) -> tuple[int, Choice | None]:
    """The number of clusters given or chosen, at least one per known class, and the evidence where it was chosen."""
    evidence = choose_n_clusters(data, graphs) if is_auto(n_clusters) else None
    wanted = int(n_clusters if evidence is None else evidence.chosen)
    n_classes = _n_classes(data)
    if wanted < n_classes:
        why = EACH_CLASS_OF_Y if data.suggested is None else EACH_CLASS_OF_BOTH
        evidence = _other_number(evidence, wanted, n_classes, why)
    return max(wanted, n_classes), evidence


def _enough_for_links(data: ConsensusInput, wanted: int, evidence: Choice | None) -> tuple[int, Choice | None]:
    """The number chosen automatically, or the next one that keeps documents apart; a number that was given has been checked."""
    enough, embedded = wanted, np.flatnonzero(nonzero_rows(data.X))
    while data.links is not None and evidence is not None and not data.links.can_be_obeyed(enough, embedded, data.fixed):
        enough += 1
    if enough > wanted:
        evidence = _other_number(evidence, wanted, enough, "cannot_link keeps so many documents apart")
    return enough, evidence


def _other_number(evidence: Choice | None, wanted: int, found: int, why: str) -> Choice | None:
    """Report another number of clusters than wanted: by a warning where a number was asked for, else in the evidence."""
    if evidence is None:
        warn(f"asked for {wanted} clusters but there are {found}: {why}. Continuing with {found}.", ClusterCount)
        return None
    return evidence.overruled(found, why)


def _decide_by_size(
    found: ConsensusClustering, data: ConsensusInput, vocabulary: TermNames, sample: IntArray | None = None
) -> RuleDecision:
    """Fit the rule; where it leaves a cluster empty or changes the order by size, number clusters anew and fit it again."""
    n_classes = _n_classes(data)
    decision = _decide(found, data, max(int(found.labels.max(initial=0)) + 1, n_classes, 1), vocabulary, sample)
    if not decision.sizes[n_classes:].all() and decision.sizes.any():
        return _decide_by_size(replace(found, labels=without_gaps(decision.labels, n_classes)), data, vocabulary, sample)
    if _n_classes(data) or not np.any(np.diff(decision.sizes) > 0):
        return decision
    rank = np.argsort(np.argsort(-decision.sizes, kind="stable"))
    labels = np.where(found.labels >= 0, rank[found.labels], -1)
    return _decide(replace(found, labels=labels), data, len(decision.sizes), vocabulary, sample)


def _decide(
    found: ConsensusClustering, data: ConsensusInput, n_clusters: int, vocabulary: TermNames, sample: IntArray | None
) -> RuleDecision:
    """Fit the rule to labels, let it decide, and make it as certain as the views are."""
    if data.log_counts is None:
        decided_by = data.X
        rule = rule_of_centroids(found.projection, data.X, found.labels, n_clusters)
    else:
        decided_by = data.log_counts.X
        rule = rule_of_terms(data.log_counts, found.labels, n_clusters)
    rule = replace(rule, scores=_named(rule.scores, vocabulary))
    belongs = _memberships(rule, decided_by, found.views, sample)
    rule = rule if data.log_counts is None else rule.calibrated(decided_by, belongs)
    log_probabilities = rule.log_probabilities(decided_by)
    labels = np.where(nonzero_rows(data.X), np.argmax(log_probabilities, axis=1), -1).astype(np.int64)
    labels = labels if data.fixed is None else np.where(data.fixed >= 0, data.fixed, labels)
    labels = data.with_every_class(labels)
    labels = labels if data.links is None else data.links.obey(log_probabilities, labels, data.fixed)
    sizes = np.bincount(labels[labels >= 0], minlength=n_clusters).astype(np.int64)
    return RuleDecision(rule, labels, sizes, normalized_entropy(with_memberships(log_probabilities, belongs)))


def _memberships(rule: ClusterRule, rows: Terms, views: Sequence[View], sample: IntArray | None) -> FloatArray:
    """Where the views put the documents that they were taken of; zeros for the others."""
    viewed = np.arange(rows.shape[0]) if sample is None else sample
    labels = np.where(nonzero_rows(rows[viewed]), np.argmax(embed(rule.scores, rows[viewed]), axis=1), -1)
    belongs = np.zeros((rows.shape[0], len(rule.log_shares)))
    belongs[viewed] = memberships(labels, len(rule.log_shares), views)
    return belongs


def log_memberships(found: FoundClusters, data: ConsensusInput) -> FloatArray:
    """Logarithms of the geometric mean of each document's probabilities of clusters and its memberships by views (V12)."""
    rows = data.X if data.log_counts is None else data.log_counts.X
    return log_memberships_of(found.decision.rule, rows, found.views, found.sample)


def log_memberships_of(rule: ClusterRule, rows: Terms, views: Sequence[View], sample: IntArray | None) -> FloatArray:
    """As :func:`log_memberships`, for documents as the rule takes them, and views of some of them."""
    return with_memberships(rule.log_probabilities(rows), _memberships(rule, rows, views, sample))


def _named(linear: Linear, vocabulary: TermNames) -> Linear:
    return linear if vocabulary is None else linear.named(vocabulary)


def typicality_of(Z: FloatArray, labels: IntArray, n_clusters: int) -> FloatArray:
    """How typical each document is of its cluster; 0 where it is in none."""
    unit, typical = np.asarray(unit_rows(Z)), np.zeros(len(Z))
    for cluster in range(n_clusters):
        members = labels == cluster
        typical[members] = typicality(unit[members])
    return typical

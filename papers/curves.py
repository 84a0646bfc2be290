"""What only figures need: measures of a space at every number of dimensions, and an objective at every step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from papers.procedures import Procedure
from papers.samples import Sample
from papers.scores import Values
from vicinal import LPI, LSI, OLPI
from vicinal._typing import FloatArray, IntArray
from vicinal.graph import Graph, knn, repair
from vicinal.metrics import neighborhood_accuracy, pair_average_precision
from vicinal.projection import RowCount
from vicinal.projection._products import Products
from vicinal.projection._solvers.pencil_eigen import DensePencil
from vicinal.spectrum import solve

RATES = (0.3, 0.5, 0.8, 1.2, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 25.0, 40.0, 60.0, 100.0)  # dimensions kept, % of the rank
LOW = 10.0  # %, where the second panels end
VALUES = 100  # eigenvalues kept
KEPT_WORDS = 2000  # AISTATS'12, figure 1
FIRST_PENALTY, GROWTH, STEPS = 1e-4, 1.5, 200  # μ at first, ρ, and how long we look


def subset(sample: Sample) -> Values:
    """The space of one subset by LSI, LPI and OLPI: pairs and neighbours at each rate, and the eigenvalues of the last two.

    Where a direction places all documents on one point, it has the smallest eigenvalue, zero. The paper's algorithm keeps it and
    makes the others orthogonal to it; ours leave it out: their embeddings have mean zero. Under ``lpi`` and ``olpi`` is
    the paper's way, under ``lpi without`` and ``olpi without`` ours, up to a tenth of the rank.

    The eigenvalues are those of the minimisation, aᵀXᵀLXa / aᵀXᵀDXa = 1 - λ with our λ, rising. ``claim`` has the largest excess of
    OLPI's over LPI's, position by position, which should not be above zero.
    """
    most, y = min(sample.counts.shape), sample.y
    graph = repair(knn(sample.tf, 7, weight="cosine"), sample.tf)
    X = LSI(most).fit_transform(sample.tf)
    found: Values = {"sample": {"documents": len(y), "classes": sample.n_classes, "rank": X.shape[1]}}
    found |= {"baseline": _judged(sample.tf, y)} | _at_rates("lsi", X, y, X.shape[1])
    rough = {}
    for name, make in (("lpi", LPI), ("olpi", OLPI)):
        rough[name], Z = _as_published(X, graph, orthogonal=make is OLPI)
        found |= _at_rates(name, Z, y, X.shape[1]) | {f"{name} values": _numbered(rough[name][:VALUES])}
        few = make(max(1, round(LOW / 100.0 * X.shape[1])), graph=graph).fit_transform(X)
        found |= _at_rates(f"{name} without", few, y, X.shape[1], tuple(rate for rate in RATES if rate <= LOW))
    found["claim"] = {"excess": float(np.max(rough["olpi"] - rough["lpi"]))}
    return found


def _as_published(X: FloatArray, graph: Graph, *, orthogonal: bool) -> tuple[FloatArray, FloatArray]:
    """Eigenvalues and embeddings by the paper's algorithm: every direction of X, without the condition of mean zero.

    Where X a = 1 for some a, that is the first direction, with eigenvalue 0.
    """
    problem = DensePencil.of(Products(X), graph, 0.0)
    problem = replace(problem, constant=np.empty((problem.rank, 0)), n_components=problem.rank)
    solve_for = problem.orthogonal if orthogonal else problem.plain
    values, A = solve_for(problem.rank, "auto", 1e-10, None, np.random.RandomState(0))
    return 1.0 - values, X @ A


def _at_rates(name: str, Z: FloatArray, y: IntArray, rank: int, rates: Sequence[float] = RATES) -> Values:
    """Variants ``lpi 0.3`` to ``lpi 100``: at least one dimension, at most those there are."""
    wanted = {rate: min(max(1, round(rate / 100.0 * rank)), Z.shape[1]) for rate in rates}
    judged = {d: _judged(Z[:, :d], y) for d in sorted(set(wanted.values()))}
    return {f"{name} {rate:g}": {"dimensions": d, **judged[d]} for rate, d in wanted.items()}


def _judged(Z: Any, y: IntArray) -> dict[str, float]:
    """Average precision of all pairs ranked by cosine, and neighbourhood accuracy by Euclidean distance."""
    return {"precision": pair_average_precision(Z, y), "neighbours": neighborhood_accuracy(Z, y)}


def _numbered(values: Any) -> dict[str, float]:
    return {str(place): float(each) for place, each in enumerate(values, 1)}


def history(sample: Sample) -> Values:
    """½‖E‖² at every step of the alternating direction method, and how far X A + E is from Y.

    The functions Y are c, without the constant one; another scale of theirs would scale the curve and change nothing else. The step
    of A is 1/σ², σ the largest singular value of X, and Λ starts at zero: the paper gives neither.
    """
    X = sample.tf
    Y = solve(repair(knn(X, 5, weight="cosine"), X), sample.n_classes).vectors
    products, penalty = Products(X), RowCount(KEPT_WORDS)
    step = 1.0 / float(LSI(1).fit(X).singular_values_[0]) ** 2
    A, fitted, multiplier, mu = np.zeros((X.shape[1], Y.shape[1])), np.zeros_like(Y), np.zeros_like(Y), FIRST_PENALTY
    objective, gap = [], []
    for _ in range(STEPS):
        E = (multiplier + mu * (Y - fitted)) / (1.0 + mu)
        A = penalty.prox(A + step * products.backward(Y - fitted - E + multiplier / mu), 0.5 * step / mu)
        fitted = products.forward(A)
        left = Y - fitted - E
        multiplier, mu = multiplier + mu * left, mu * GROWTH
        objective.append(0.5 * float(np.sum(E**2)))
        gap.append(float(np.linalg.norm(left)))
    return {"objective": _numbered(objective), "gap": _numbered(gap)}


CURVES = {
    each.name: each
    for each in (
        Procedure("subset", subset, "7 neighbours (either way round), inner products; neighbours by Euclidean distance"),
        Procedure("lpfl history", history, f"5 neighbours, cosine; {KEPT_WORDS:,} words, μ = {FIRST_PENALTY:g} · {GROWTH:g}^t"),
    )
}

"""Theorems of AISTATS'12 and AAAI'08, the papers on few words, on made-up documents: one short experiment each.

X is documents x terms here and terms x documents in the papers, so that XᵀWX below is their XWXᵀ.
"""

from __future__ import annotations

import warnings
from functools import cache
from itertools import combinations

import numpy as np
from scipy.linalg import eigh

from papers.bounds import n_terms_by_bounds
from papers.claims.theorems import EXACT, cikm_1
from papers.claims.toys import documents, error, forms, residual, sine, smoothness, stored, tiny, unlike_identity, weights
from papers.claims.verdicts import Verdict, only_if, proved
from vicinal import LDA, Ridge
from vicinal._typing import FloatArray, IntArray
from vicinal.errors import IndistinctComponents
from vicinal.graph import as_graph, classes, complete, knn
from vicinal.projection import RowCount, TermCount, laplacian_scores, lasso_path, regress
from vicinal.spectrum import solve

MU, RHO = 1e-4, 1.5  # the penalty of AISTATS'12 at first, and by what it grows
TOY_WORDS, KEPT, DIMENSIONS, PROBLEMS = 7, 4, 2, 30  # of the bounds of AISTATS'12


# AISTATS'12


def aistats_1() -> Verdict:
    """X diag(p) A = Y gives directions of the pencil of the words that stay."""
    X = documents(25, 90)
    graph, kept = knn(X, 7), np.random.default_rng(0).random(90) < 0.7
    spectrum = solve(graph, 4)
    A = regress(X * kept, spectrum, Ridge(0.0)).weights
    off = residual(X * kept, stored(graph), A, spectrum.values)
    return proved(
        off < EXACT and not A[~kept].any(),
        f"25 documents, {kept.sum()} of 90 words kept: residual of the masked pencil below {tiny(off)} with the eigenvalues of "
        "the graph.",
    )


def aistats_2() -> Verdict:
    """The m longest rows are the nearest matrix with m rows: all choices tried."""
    hits, rng = 0, np.random.default_rng(0)
    for _ in range(20):
        M = rng.normal(size=(TOY_WORDS, 3))
        kept = RowCount(KEPT, 0.0).prox(M, 1.0)
        left = [np.sum(np.delete(M, chosen, axis=0) ** 2) for chosen in combinations(range(TOY_WORDS), KEPT)]
        hits += bool(np.sum((M - kept) ** 2) <= min(left) + 1e-12)
    return proved(hits == 20, f"Nearest of all {len(left)} choices of 4 rows of 7 in {hits} of 20 random matrices.")


@cache
def _bounds() -> FloatArray:
    """Problems x (lower bound, least and largest objective of all choices of words, upper bound, that of the Laplacian score)."""
    found = []
    for seed in range(PROBLEMS):
        X, W = np.random.default_rng(seed).random((20, TOY_WORDS)), weights(20, seed)
        values = smoothness(X, W)
        both = forms(X, W)
        objectives = [_objective(*both, chosen) for chosen in combinations(range(TOY_WORDS), KEPT)]
        ranked = np.argsort(laplacian_scores(X, as_graph(W)))[:KEPT]
        upper = values[TOY_WORDS - KEPT :][:DIMENSIONS].sum()
        found.append((values[:DIMENSIONS].sum(), min(objectives), max(objectives), upper, _objective(*both, tuple(ranked))))
    return np.array(found)


def _objective(near: FloatArray, degrees: FloatArray, chosen: tuple[int, ...]) -> float:
    """What the best two directions of some words reach: the two smallest eigenvalues, added up."""
    part = np.ix_(chosen, chosen)
    return float(DIMENSIONS - eigh(near[part], degrees[part], eigvals_only=True)[-DIMENSIONS:].sum())


def aistats_3() -> Verdict:
    """Both bounds, for every choice of words; and the matrix they need inverted where words outnumber documents."""
    lower, least, largest, upper, _ = _bounds().T
    inside = int(((lower <= least + 1e-10) & (largest <= upper + 1e-10)).sum())
    X = np.random.default_rng(0).random((20, 30))
    rank = int(np.linalg.matrix_rank(forms(X, weights(20))[1]))
    fewest = [_by_bounds(seed) for seed in range(PROBLEMS)]
    return only_if(
        inside == PROBLEMS and rank < 30,
        f"Both bounds hold in {inside} of {PROBLEMS} problems (4 words of 7, two dimensions), for each of the 35 choices of "
        f"words. They need XᵀDX non-singular: with 30 words in 20 documents its rank is {rank}, and the theorem does not apply, "
        f"as on either corpus. As a way to choose m it asks for {np.median(fewest):.0f} of {TOY_WORDS} words (median) where no "
        f"choice may lose a tenth, and for nearly all wherever words outnumber documents: it chooses nothing.",
    )


def _by_bounds(seed: int) -> int:
    """The number of words that theorem 3 asks for in one of these problems."""
    values = 1.0 - smoothness(np.random.default_rng(seed).random((20, TOY_WORDS)), weights(20, seed))
    return n_terms_by_bounds(values, DIMENSIONS, 0.9)


def aistats_4() -> Verdict:
    """On which side of LPFL's optimum those of LPI and of the Laplacian score are."""
    lower, least, _, _, ranked = _bounds().T
    below, above = int((lower < least).sum()), int((ranked >= least - 1e-10).sum())
    return proved(
        below < PROBLEMS // 2 and above == PROBLEMS,
        f"LPI's optimum is below LPFL's in {below} of {PROBLEMS} problems (mean {lower.mean():.3f} against {least.mean():.3f}): a "
        f"bound from below, as the paper's own theorem 3 has it. The words of the Laplacian score do bound it from above ({above} "
        f"of {PROBLEMS}, mean {ranked.mean():.3f}).",
    )


@cache
def _schedule() -> tuple[dict[str, int], IntArray]:
    """In how many of 20 problems each the published schedule finds the best 4 of 10 words, and its iterations."""
    hits, iterations = {"counts": 0, "signed": 0}, []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        words, Y = rng.normal(size=(30, 10)), rng.normal(size=(30, 3))
        for kind, X in (("counts", np.abs(words)), ("signed", words)):
            made_by = regress(X, Y, RowCount(4, 0.0), solver="adm", max_iter=1000).made_by
            iterations.append(made_by["iterations"])
            hits[kind] += made_by["objectives"]["adm"] <= _best_subset(X, Y, 4) * (1 + 1e-8)
    return hits, np.array(iterations)


def _best_subset(X: FloatArray, Y: FloatArray, n_terms: int) -> float:
    """The least ‖X A - Y‖² of all choices of words: by the Gram matrix, all at once."""
    chosen = np.array(list(combinations(range(X.shape[1]), n_terms)))
    gram, against = X.T @ X, X.T @ Y
    A = np.linalg.solve(gram[chosen[:, :, None], chosen[:, None, :]], against[chosen])
    return float(np.sum(Y * Y) - np.einsum("kij,kij->k", A, against[chosen]).max())


def aistats_5() -> Verdict:
    """The published schedule meets the condition of the theorem and misses the best subset."""
    hits, _ = _schedule()
    steps = MU * RHO ** np.arange(200)
    total = float(np.sum(steps[1:] / steps[:-1] ** 2))
    return proved(
        sum(hits.values()) == 40,
        f"The schedule meets the condition (the series adds up to {total:.2g}) and finds the best 4 of 10 words, all 210 choices "
        f"tried, in {hits['counts']} of 20 made-up problems with words that are not negative, as counts are, and in "
        f"{hits['signed']} of 20 with signed ones.",
    )


def aistats_6() -> Verdict:
    """How long the matrix of the bound's norm stays positive."""
    X = documents(60, 90)
    largest = float(np.linalg.eigvalsh(X.T @ X)[-1])
    steps = {name: int(np.ceil(np.log(1 / (MU * value)) / np.log(RHO))) for name, value in {"unit": 1.0, "these": largest}.items()}
    before, after = (1 - MU * RHO**t * largest for t in (steps["these"] - 1, steps["these"]))
    return only_if(
        before >= 0 > after,
        "The bound is in a norm that has to exist: I - μ XᵀX is positive only while μ < 1/σ². For 60 documents of length one (σ² "
        f"= {largest:.1f}) the schedule ends that at step {steps['these']} (smallest eigenvalue {before:.2f}, then {after:.2f}), "
        f"and at step {steps['unit']} at the latest for any documents of length one. With μ fixed below 1/σ² the premise is met.",
    )


def aistats_7() -> Verdict:
    """When steps have become nothing, and whether that is convergence."""
    hits, iterations = _schedule()
    return proved(
        bool(np.median(iterations) > 100),
        "Steps freeze because μ grows by half each time: weights change by less than a millionth after "
        f"{np.median(iterations):.0f} iterations (median of 40 problems, at most {iterations.max()}), at the best subset in "
        f"{sum(hits.values())} of 40 only. Standing still is no sign of convergence.",
    )


# AAAI'08


def aaai_1() -> Verdict:
    """The theorem of CIKM'07."""
    return cikm_1()


def aaai_2() -> Verdict:
    """L y = l D y and W y = λ D y: l = 1 - λ."""
    W = weights(30)
    D = np.diag(W.sum(axis=1))
    smallest, spectrum = eigh(D - W, D), solve(W, 5)
    values = float(np.abs(1 - spectrum.values - smallest[0][1:6]).max())
    turned = sine(smallest[1][:, 1:6], spectrum.vectors)
    return proved(max(values, turned) < EXACT, f"Five functions: l = 1 - λ to {tiny(values)}, the same span to {tiny(turned)}.")


def aaai_3() -> Verdict:
    """The class graph of weights 1/m_t, and its one function for two classes."""
    y = np.repeat([0, 1, 2], [5, 10, 15])
    graph = classes(y)
    values = np.linalg.eigvalsh(stored(graph))[::-1]
    off = max(np.abs(graph.degrees - 1).max(), np.abs(values[:3] - 1).max(), np.abs(values[3:]).max())
    two = np.repeat([0, 1], [8, 22])
    found, response = solve(classes(two), 1).vectors[:, 0], np.where(two == 0, 30 / 8, -30 / 22)
    cosine = abs(float(found @ response)) / float(np.linalg.norm(found) * np.linalg.norm(response))
    return proved(
        off < EXACT and cosine > 1 - EXACT,
        f"Degrees 1 and eigenvalues 1, 1, 1, 0, 0, ... to {tiny(off)}; two classes give m/m₁ and -m/m₂ up to scale (1 - cosine "
        f"below {tiny(abs(1 - cosine))}).",
    )


def aaai_4() -> Verdict:
    """All ones give principal components by another problem than equation 3; 1/m_t gives discriminant analysis."""
    X = np.random.default_rng(0).normal(size=(60, 4)) * [1, 2, 3, 4] + 5
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IndistinctComponents)
        values = solve(complete(X, weight="binary"), 5).values
    near, degrees = forms(X, np.ones((60, 60)))
    principal = np.linalg.svd(X - X.mean(axis=0))[2].T
    components = unlike_identity(np.abs(np.linalg.eigh(degrees - near)[1][:, ::-1].T @ principal))
    y = np.arange(60) % 3
    fisher = sine(_discriminants(X, y), LDA(2).fit(X, y).components_.T)
    return only_if(
        np.abs(values).max() < EXACT and components < 1e-6 and fisher < 1e-6,
        f"Discriminant analysis comes out (sine below {tiny(fisher)}). Principal components do not come out of equation 3, where "
        f"every λ but the first is 0 (largest below {tiny(np.abs(values).max())}) and any direction is as good; they are the "
        f"largest eigenvectors of XᵀLX under aᵀa = 1 (to {tiny(components)}).",
    )


def _discriminants(X: FloatArray, y: IntArray) -> FloatArray:
    """Fisher's directions: the largest of between classes over the whole."""
    centred = X - X.mean(axis=0)
    means = np.array([centred[y == each].mean(axis=0) for each in y])
    return np.asarray(eigh(means.T @ means, centred.T @ centred)[1][:, -(y.max()) :])


def aaai_5() -> Verdict:
    """The sum over pairs has a factor two."""
    X, W = documents(20, 12, 2), weights(20)
    near, degrees = forms(X, W)
    differences = X[:, None] - X[None, :]
    pairs = np.einsum("ij,ija,ijb->ab", W, differences, differences)
    off = error(pairs, 2 * (degrees - near))
    return proved(
        error(pairs, degrees - near) < EXACT,
        f"The sum over all i and j is twice that (equal to 2 aᵀXᵀLXa to {tiny(off)}); it is what is printed where each pair counts "
        "once. Harmless: the same a is best.",
    )


def aaai_6() -> Verdict:
    """Functions are uncorrelated by degree; places after the lasso are so no more."""
    X = documents()
    graph = knn(X, 7)
    spectrum = solve(graph, 4)
    share = graph.degrees / graph.degrees.sum()
    before = unlike_identity(spectrum.vectors.T @ (share[:, None] * spectrum.vectors))
    Z = X @ regress(X, spectrum, TermCount(10)).weights
    Z = (Z - share @ Z) / np.sqrt(share @ (Z - share @ Z) ** 2)
    after = unlike_identity(Z.T @ (share[:, None] * Z))
    return proved(
        before < EXACT,
        f"Four functions: to {tiny(before)}. It holds of y, not of the sparse places: with 10 words correlations reach "
        f"{after:.2f}.",
    )


def aaai_7() -> Verdict:
    """The path of the lasso passes every number of words, in about as many events."""
    X, y = documents(60, 90), np.random.default_rng(3).normal(size=60)
    whole, limits = lasso_path(X, y), range(1, 51)
    reached = sum(bool(((whole.counts <= k) & (whole.counts > 0)).any()) for k in limits)
    exact = sum(np.count_nonzero(regress(X, y[:, None], TermCount(k)).weights) == k for k in (1, 2, 5, 10, 20, 40))
    events = {k: len(lasso_path(X, y, n_terms=k)) for k in (10, 20, 40)}
    return proved(
        reached == len(limits) and exact == 6,
        f"Some β gives at most k words for each k of 1 to 50, and exactly k for 1, 2, 5, 10, 20, 40 ({exact} of 6). The path takes "
        f"{', '.join(f'{events[k]} events to {k} words' for k in events)}, as the cost stated supposes.",
    )

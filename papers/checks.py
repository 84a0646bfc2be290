"""Single choices that the papers leave open, each changed by itself on the first tests: they say what a difference comes from.

Those of AISTATS'12 have one setting of the grid, and are compared with the method at that setting.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from sklearn.decomposition import PCA

from papers.procedures import (
    PUBLISHED,
    WORDS_PER_DIMENSION,
    Procedure,
    by_name,
    factors,
    fssl,
    kmeans,
    lpfl,
    near,
    over,
    relative,
    reweighted,
    scored_first,
    selected,
    sparse_components,
)
from papers.samples import Sample
from papers.scores import Values, sum_of_distances
from vicinal import FSSL, LPI, LPP, LSI, PLSI, RLPI, SLPI, KernelOLPI, KernelSLPI, LaplacianEigenmap, SparsePCA

RANDOM = "random documents as first centres"
UNIT = "rows scaled to length one before k-means"
RARITY = "frequencies weighed by rarity"
DISTANCES = "the start with the lowest sum of distances, not squared (as the authors' later code has it)"
ONE_MORE = "c dimensions, as the paper says, instead of c - 1"
CHANGES: dict[str, tuple[str, dict[str, Any]]] = {
    "random": (RANDOM, {"init": "random"}),
    "unit": (UNIT, {"normalize": True}),
    "tfidf": (RARITY, {"weights": "tfidf"}),
}
ONE_GRID = (1000,)  # words of AISTATS'12's methods
Run = Callable[[Sample], Values]


def _pca(d: int) -> PCA:
    return PCA(d, svd_solver="arpack", random_state=0)


def _rlpi(d: int) -> RLPI:
    return RLPI(d, alpha=PUBLISHED, **near(7))


def _slpi(d: int, words: int) -> SLPI:
    return SLPI(d, n_terms=words, **near(5))


def _each(name: str, make: Callable[..., Run]) -> Iterator[Procedure]:
    """One procedure per change: ``lpi-5 random``, ``lpi-5 unit``, ``lpi-5 tfidf``."""
    yield from (Procedure(f"{name} {change}", make(**options), about) for change, (about, options) in CHANGES.items())


GENERAL = by_name(
    Procedure("kmeans random", partial(kmeans, init="random"), RANDOM),
    Procedure("kmeans tfidf", partial(kmeans, weights="tfidf"), RARITY),
    Procedure("lsi unit", relative(LSI, normalize=True), "rows scaled to length one after LSI"),
    Procedure("lsi random", relative(LSI, init="random"), RANDOM),
    Procedure("lsi tfidf", relative(LSI, weights="tfidf"), RARITY),
    Procedure(
        "plsi random", factors(lambda d: PLSI(d, init="random"), "counts"), "one random start instead of the singular vectors"
    ),
    Procedure("pca tfidf", reweighted(_pca), RARITY),
    Procedure("lpp-15 tfidf", reweighted(lambda d: LPP(d, **near(15))), RARITY),
    Procedure("le-15 tfidf", reweighted(lambda d: LaplacianEigenmap(d, **near(15))), RARITY),
    Procedure("spca unit", over((WORDS_PER_DIMENSION,), sparse_components, normalize=True), "rows scaled to length one"),
    Procedure("spca random", over((WORDS_PER_DIMENSION,), sparse_components, init="random"), RANDOM),
    Procedure("spca distances", over((WORDS_PER_DIMENSION,), sparse_components, lowest=sum_of_distances), DISTANCES),
    Procedure("lsi centred distances", relative(_pca, lowest=sum_of_distances), DISTANCES),
    *_each("rlpi-7", partial(relative, _rlpi)),
)

AISTATS = by_name(
    *_each("lpi-5", partial(relative, lambda d: LPI(d, **near(5)))),
    *_each("ls-5", partial(selected, ONE_GRID)),
    *_each("slpi-5", partial(over, (WORDS_PER_DIMENSION,), _slpi, -1)),
    *_each("ls+lpi-5", partial(over, ONE_GRID, scored_first, -1)),
    *_each("fssl-5", partial(over, ONE_GRID, fssl, -1)),
    *_each("lpfl-5", partial(over, ONE_GRID, lpfl, -1)),
    Procedure("slpi-5 c", over((WORDS_PER_DIMENSION,), _slpi), ONE_MORE),
    Procedure("ls+lpi-5 c", over(ONE_GRID, scored_first), ONE_MORE),
    Procedure("fssl-5 c", over(ONE_GRID, fssl), ONE_MORE),
    Procedure("lpfl-5 c", over(ONE_GRID, lpfl), ONE_MORE),
    Procedure("lpfl-5 adm", over(ONE_GRID, partial(lpfl, solver="adm"), -1), "the published solver alone"),
)

SHARES = (1, 3, 10)  # per cent of the penalty that selects no word
TURNS = 50  # of Zou's algorithm at most


def _dot(p: int) -> dict[str, Any]:
    return {"n_neighbors": p, "weight": "dot"}


def _in_turn(d: int, words: int) -> SparsePCA:
    return SparsePCA(d, n_terms=words, n_alternations=TURNS)


def _staged(d: int, share: int) -> FSSL:
    return FSSL(d, alpha=share / 100.0, solver="reweighted", **near(5))


#: What the papers describe or name beside their own method.
VARIANTS = by_name(
    Procedure(
        "rlpi-7 dot", relative(lambda d: RLPI(d, alpha=PUBLISHED, **_dot(7)), weights="counts"), "counts, dot products as edges"
    ),
    Procedure("lpi-5 dot", relative(lambda d: LPI(d, **_dot(5)), weights="counts"), "counts, dot products as edges"),
    Procedure("spca turns", over((WORDS_PER_DIMENSION,), _in_turn), "responses and weights fitted in turn (Zou's algorithm)"),
    Procedure(
        "spg-7 kernel",
        over((WORDS_PER_DIMENSION,), lambda d, n: KernelSLPI(d, kernel="rbf", n_documents=n, **near(7)), -1),
        "in the space of a Gaussian kernel, 60 documents per dimension",
    ),
    Procedure(
        "olpi-7 kernel", relative(lambda d: KernelOLPI(d, kernel="rbf", **near(7))), "OLPI in the space of a Gaussian kernel"
    ),
    Procedure(
        "fssl-5 staged", over(SHARES, _staged, -1), "the two stages of FSSL as published, 1, 3 or 10 % of the largest penalty"
    ),
    Procedure(
        "lpfl-5 plain",
        over(ONE_GRID, partial(lpfl, solver="adm", refit=False, ridge=0.0), -1),
        "the weights at which the published schedule ends, without a ridge",
    ),
)

CHECKS = GENERAL | AISTATS | VARIANTS

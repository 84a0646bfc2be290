"""What is done with a sample: every method of the papers with the settings of each paper, under a short name.

A procedure returns its results by variant: a method that is fitted once serves several columns (with c and with c - 1
dimensions, say). The same procedure serves every table that has it, so nothing is computed twice.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning

from papers.samples import Sample
from papers.scores import STARTS, Values, by_kmeans, score
from vicinal import (
    FSSL,
    LPFL,
    LPI,
    LPP,
    LSI,
    NMFNCW,
    OLPI,
    PLSI,
    RLPI,
    SLPI,
    LaplacianEigenmap,
    LaplacianScore,
    SparsePCA,
    Weighting,
    laplacian_score_lpi,
)
from vicinal._matrix import csr
from vicinal.errors import VicinalWarning

STEPS = 100  # of a factorisation from a random start
WORDS_PER_DIMENSION = 60  # non-zero weights per dimension of the sparse methods
GRID_WORDS = (20, 60, 100)
SWEPT_WORDS = (10, 20, 40, 60, 100, 200, 400)
FEW_TERMS = (1000, 3000, 5000)  # of AISTATS'12's 1000, 1500, ..., 5000: each costs seconds
SWEPT = (*range(1, 21), 25, 30, 40, 50, 70, 100)  # dimensions
MORE = (0, 1, 2, 3, 5, 10)  # dimensions than classes
_AND_MORE = f"as many dimensions as classes and {', '.join(map(str, MORE[1:]))} more"
NEIGHBORS = (3, 6, 10, 15, 25, 40)  # ICML'05, figure 2
_SOME_WORDS = f"{', '.join(map(str, GRID_WORDS[:-1]))} or {GRID_WORDS[-1]} words per dimension"
_SOME_TERMS = f"{', '.join(map(str, FEW_TERMS[:-1]))} or {FEW_TERMS[-1]} words"
BEST_WORDS = "as many words per dimension as give the highest accuracy"
PUBLISHED = 0.1  # α of CIKM'07


@final
@dataclass(frozen=True)
class Procedure:
    """A way from documents to results.

    Attributes
    ----------
    name : str
    run : function from Sample to Values
    about : str
        Its settings, for the report.
    """

    name: str
    run: Callable[[Sample], Values]
    about: str

    def __call__(self, sample: Sample) -> Values:
        """Do it, in silence: warnings of a method about one draw belong to that method's tests."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VicinalWarning)
            warnings.simplefilter("ignore", ConvergenceWarning)
            return self.run(sample)


def size(sample: Sample) -> Values:
    """How large the sample is."""
    return {"": dict(zip(("documents", "terms"), map(float, sample.counts.shape), strict=True))}


def kmeans(sample: Sample, *, weights: str = "tf", **options: Any) -> Values:
    """The documents themselves, clustered. Seconds are the processor's, which other work on the machine does not stretch."""
    X = getattr(sample, weights)
    start = time.process_time()
    found = by_kmeans(X, sample.y, sample.n_classes, **options)
    return {**found, "seconds": {"clustering": time.process_time() - start}}


def reduced(
    sample: Sample,
    method: Any,
    dimensions: Sequence[int] | None = None,
    *,
    weights: str = "tf",
    normalize: bool = False,
    **options: Any,
) -> Values:
    """Coordinates, then k-means on the first of them: one variant per number of dimensions, or one in all."""
    X, c = getattr(sample, weights), sample.n_classes
    start = time.process_time()
    Z = method.fit_transform(X)
    spent = time.process_time() - start
    found: Values = {}
    if dimensions is None:
        start = time.process_time()
        found |= by_kmeans(Z, sample.y, c, normalize=normalize, **options)
        return {**found, "seconds": {"reduction": spent, "clustering": time.process_time() - start}, **_sparsity(method)}
    for d in (each for each in dimensions if each <= Z.shape[1]):
        start = time.process_time()
        found |= by_kmeans(Z[:, :d], sample.y, c, str(d), normalize=normalize, **options)
        clustering = time.process_time() - start
    return {**found, "seconds": {"reduction": spent, "clustering": clustering}, **_sparsity(method)}


def _sparsity(method: Any) -> Values:
    """The share of weights that are zero."""
    weights = getattr(method, "components_", None)
    if not isinstance(method, SLPI | SparsePCA) or weights is None:
        return {}
    count = weights.nnz if hasattr(weights, "nnz") else np.count_nonzero(weights)
    return {"weights": {"sparsity": 1.0 - count / np.prod(weights.shape)}}


def relative(make: Callable[[int], Any], **options: Any) -> Callable[[Sample], Values]:
    """A method with as many dimensions as classes; variants ``c`` and ``c-1`` take all and all but the last."""

    def run(sample: Sample) -> Values:
        c = sample.n_classes
        found = reduced(sample, make(c), (c - 1, c), **options)
        return {_relative(name, c): values for name, values in found.items()}

    return run


def _relative(name: str, c: int) -> str:
    number, _, rest = name.partition(" ")
    return f"{ {str(c): 'c', str(c - 1): 'c-1'}[number] } {rest}".strip() if number.isdigit() else name


def with_more(make: Callable[[int], Any]) -> Callable[[Sample], Values]:
    """A method with more dimensions than classes; variant ``+5`` takes five more, ``+0`` as many."""

    def run(sample: Sample) -> Values:
        c = sample.n_classes
        found = reduced(sample, make(min(c + MORE[-1], *(side - 1 for side in sample.counts.shape))), [c + each for each in MORE])
        return {_beyond(name, c): values for name, values in found.items()}

    return run


def _beyond(name: str, c: int) -> str:
    number, _, rest = name.partition(" ")
    return f"+{int(number) - c} {rest}".strip() if number.isdigit() else name


def swept(make: Callable[[int, Sample], Any], dimensions: Sequence[int] = SWEPT) -> Callable[[Sample], Values]:
    """A method with many dimensions, clustered in the first one, two, three, ..."""
    return lambda sample: reduced(
        sample, make(min(max(dimensions), *(side - 1 for side in sample.counts.shape)), sample), dimensions
    )


def reweighted(make: Callable[[int], Any]) -> Callable[[Sample], Values]:
    """A method with c - 1 dimensions on frequencies weighed by rarity."""
    return lambda sample: reduced(sample, make(max(1, sample.n_classes - 1)), weights="tfidf")


def factors(make: Callable[[int], Any], weights: str) -> Callable[[Sample], Values]:
    """A factorisation: a document belongs to its largest factor; variant ``k-means`` clusters them instead."""

    def run(sample: Sample) -> Values:
        start = time.process_time()
        V = make(sample.n_classes).fit_transform(getattr(sample, weights))
        spent = time.process_time() - start
        found = {"": score(sample.y, np.argmax(V, axis=1))}
        return {**found, **by_kmeans(V, sample.y, sample.n_classes, "k-means"), "seconds": {"reduction": spent}}

    return run


def started(make: Callable[[int, int], Any], weights: str) -> Callable[[Sample], Values]:
    """A factorisation from ten random starts: the first one, and under ``best`` the one with the highest accuracy."""

    def run(sample: Sample) -> Values:
        X, c = getattr(sample, weights), sample.n_classes
        scores = [score(sample.y, np.argmax(make(c, seed).fit_transform(X), axis=1)) for seed in range(STARTS)]
        return {"": scores[0], "best": max(scores, key=lambda each: each["accuracy"])}

    return run


def lowest(sample: Sample) -> Values:
    """NMF-NCW of frequencies of unit length from ten random starts: the one with the lowest error, which needs no labels."""
    X, c = sample.tf, sample.n_classes
    weighed = csr(Weighting("ncw", unit=False).fit_transform(X))
    found = []
    for seed in range(STARTS):
        model = NMFNCW(c, init="random", max_iter=STEPS, random_state=seed)
        V = model.fit_transform(X)
        error = np.sum((V.T @ V) * (model.components_ @ model.components_.T)) - 2.0 * np.sum((weighed @ model.components_.T) * V)
        found.append((float(error), np.argmax(V, axis=1)))
    return {"": score(sample.y, min(found, key=lambda each: each[0])[1])}


def over(
    settings: Sequence[Any], make: Callable[[int, Any], Any], dimensions: int = 0, **options: Any
) -> Callable[[Sample], Values]:
    """One variant per setting of a grid, each fitted anew with c + ``dimensions`` dimensions."""

    def run(sample: Sample) -> Values:
        found: Values = {"seconds": {}}
        for setting in (each for each in settings if each <= sample.counts.shape[1] or each == settings[0]):
            values = reduced(sample, make(max(1, sample.n_classes + dimensions), setting), **options)
            found[str(setting)] = values[""] | values.get("weights", {})
            found[f"{setting} best"] = values["best"]
            found["seconds"][str(setting)] = values["seconds"]["reduction"]
        return found

    return run


def selected(grid: Sequence[int] = FEW_TERMS, *, weights: str = "tf", **options: Any) -> Callable[[Sample], Values]:
    """k-means on the words that the Laplacian score keeps, one variant per number of words."""

    def run(sample: Sample) -> Values:
        X, found = getattr(sample, weights), Values()
        for terms in (each for each in grid if each <= sample.counts.shape[1] or each == grid[0]):
            kept = LaplacianScore(terms, **near(5)).fit_transform(X)
            found |= by_kmeans(kept, sample.y, sample.n_classes, str(terms), **options)
        return found

    return run


def near(p: int) -> dict[str, Any]:
    """The published graph of p neighbours."""
    return {"n_neighbors": p, "weight": "cosine"}


def sparse_components(d: int, words: int) -> SparsePCA:
    """Sparse principal components with so many words each."""
    return SparsePCA(d, n_terms=words)


def scored_first(d: int, terms: int) -> Any:
    """LPI on the words that the Laplacian score keeps."""
    return laplacian_score_lpi(terms, n_components=d, **near(5))


def fssl(d: int, terms: int, **options: Any) -> FSSL:
    """FSSL with so many words in all."""
    return FSSL(d, n_terms=terms, **near(5), **options)


def lpfl(d: int, terms: int, **options: Any) -> LPFL:
    """LPFL with so many words in all."""
    return LPFL(d, n_terms=terms, **near(5), **options)


def by_name(*procedures: Procedure) -> dict[str, Procedure]:
    """What they are called by."""
    return {each.name: each for each in procedures}


def _published(p: int) -> str:
    return f"graph of {p} neighbours (either way round), cosine weights, term frequencies of unit length"


CLUSTERING = by_name(
    Procedure("size", size, "documents and terms"),
    Procedure("kmeans", kmeans, "term frequencies of unit length, k-means++"),
    Procedure("lsi", relative(LSI), "term frequencies of unit length"),
    Procedure(
        "lsi centred", relative(lambda d: PCA(d, svd_solver="arpack", random_state=0)), "term frequencies of unit length, centred"
    ),
    Procedure("plsi", factors(PLSI, "counts"), "counts; start by singular vectors; most probable class"),
    Procedure("nmf-ncw", factors(NMFNCW, "counts"), "start by singular vectors; largest factor"),
    Procedure(
        "nmf-ncw random",
        started(lambda d, seed: NMFNCW(d, init="random", max_iter=STEPS, random_state=seed), "counts"),
        f"ten random starts of at most {STEPS} steps, the one with the highest accuracy; largest factor",
    ),
    Procedure(
        "nmf-ncw lowest",
        lowest,
        f"frequencies of unit length, ten random starts of at most {STEPS} steps, the one with the lowest error; largest factor",
    ),
    Procedure("lpi-7", relative(lambda d: LPI(d, **near(7))), _published(7)),
    Procedure("rlpi-7", relative(lambda d: RLPI(d, alpha=PUBLISHED, **near(7))), f"{_published(7)}, α = {PUBLISHED}"),
    Procedure("spca", over((WORDS_PER_DIMENSION,), sparse_components), f"{WORDS_PER_DIMENSION} words per dimension"),
    Procedure(
        "spg-7",
        over((WORDS_PER_DIMENSION,), lambda d, words: SLPI(d, n_terms=words, **near(7)), -1),
        f"{WORDS_PER_DIMENSION} words per dimension, {_published(7)}",
    ),
    Procedure("lsi more", with_more(lambda d: PCA(d, svd_solver="arpack", random_state=0)), f"centred, {_AND_MORE}"),
    Procedure(
        "spca more",
        with_more(lambda d: sparse_components(d, WORDS_PER_DIMENSION)),
        f"{WORDS_PER_DIMENSION} words per dimension, {_AND_MORE}",
    ),
    Procedure(
        "spg-7 grid",
        over(GRID_WORDS, lambda d, words: SLPI(d, n_terms=words, **near(7)), -1),
        f"{_SOME_WORDS}, {_published(7)}",
    ),
    Procedure("pca", swept(lambda d, _: PCA(d, svd_solver="arpack", random_state=0)), "centred"),
    Procedure("lpp-15", swept(lambda d, _: LPP(d, **near(15))), _published(15)),
    Procedure("le-15", relative(lambda d: LaplacianEigenmap(d, **near(15))), _published(15)),
    Procedure("lpi-5", relative(lambda d: LPI(d, **near(5))), _published(5)),
    Procedure("ls-5", selected(), f"{_SOME_TERMS} kept and clustered, {_published(5)}"),
    Procedure(
        "slpi-5",
        over(GRID_WORDS, lambda d, words: SLPI(d, n_terms=words, **near(5)), -1),
        f"{_SOME_WORDS}, {_published(5)}",
    ),
    Procedure("ls+lpi-5", over(FEW_TERMS, scored_first, -1), f"{_SOME_TERMS} kept, {_published(5)}"),
    Procedure("fssl-5", over(FEW_TERMS, fssl, -1), f"{_SOME_TERMS} kept, {_published(5)}"),
    Procedure("lpfl-5", over(FEW_TERMS, lpfl, -1), f"{_SOME_TERMS} kept, the better of two solvers, {_published(5)}"),
)


def _timed(sample: Sample) -> Values:
    """Seconds of every method of CIKM'07's table 2 on one sample, one after the other; LPI by the published decomposition.

    Seconds of different runs are not compared: machines are busier at one time than at another, and the library changes.
    """
    published = CLUSTERING | {"lpi-7": Procedure("lpi-7", relative(lambda d: LPI(d, solver="dense", **near(7))), "")}
    large = len(sample.y) > TOO_LARGE_FOR_LPI
    return {name: published[name](sample)["seconds"] for name in TIMED if not (large and name == "lpi-7")}


TIMED = ("kmeans", "lsi", "plsi", "lpi-7", "rlpi-7", "nmf-ncw")
TOO_LARGE_FOR_LPI = 6000  # documents above which the published LPI is not timed: it is cubic
CLUSTERING |= by_name(Procedure("in turn", _timed, "every method in one run, LPI by the published decomposition"))

#: Curves of the figures.
SWEEPS = by_name(
    Procedure("spg-7 words", over(SWEPT_WORDS, lambda d, words: SLPI(d, n_terms=words, **near(7)), -1), BEST_WORDS),
    Procedure("spca words", over(SWEPT_WORDS, sparse_components), BEST_WORDS),
    Procedure("lpp p", over(NEIGHBORS, lambda d, p: LPP(d, **near(p)), -1), "neighbours"),
    Procedure(
        "lpp complete",
        lambda sample: reduced(sample, LPP(max(1, sample.n_classes - 1), graph="complete")),
        "all pairs, inner products",
    ),
    Procedure("lsi dimensions", swept(lambda d, _: LSI(d), range(1, 21)), "1 to 20 dimensions"),
    Procedure("lpi-7 dimensions", swept(lambda d, _: LPI(d, **near(7)), range(1, 21)), "1 to 20 dimensions"),
    Procedure("olpi-7 dimensions", swept(lambda d, _: OLPI(d, **near(7)), range(1, 21)), "1 to 20 dimensions"),
)

PROCEDURES = CLUSTERING | SWEEPS

"""A hash of what every method learns from one corpus; as a script, print them all. Two processes must print the same."""

from __future__ import annotations

import hashlib
import json
import random

import numpy as np

from vicinal import FSSL, LPFL, LPI, LPP, LSI, NMFNCW, OLPI, PLSI, RLPI, SLPI, KernelRLPI, LaplacianEigenmap, SparsePCA, Vectorizer

#: Large enough that rows are shared out in several blocks, and that the solvers for many documents are the ones that run.
N_DOCUMENTS = 700
N_WORDS = 2_400

VARIANTS = {
    "LSI": LSI(6),
    "LSI randomized": LSI(6, solver="randomized"),
    "LaplacianEigenmap": LaplacianEigenmap(6),
    "LPP": LPP(6),
    "LPI": LPI(6),
    "OLPI": OLPI(2),
    "RLPI": RLPI(6),
    "RLPI by cgls": RLPI(6, solver="cgls"),
    "RLPI by chebyshev, centred": RLPI(6, eigen_solver="chebyshev", center=True, solver="cgls"),
    "RLPI choosing alpha": RLPI(6, alpha="auto"),
    "RLPI choosing components": RLPI("auto"),
    "RLPI on a complete graph": RLPI(6, graph="complete"),
    "SLPI": SLPI(6, n_terms=20),
    "SLPI choosing terms": SLPI(2, n_terms="auto"),
    "SLPI by penalty, centred": SLPI(6, alpha=0.1, ridge=0.1, center=True),
    "FSSL": FSSL(6, n_terms=60),
    "FSSL by penalty, centred": FSSL(6, alpha=0.1, ridge=0.1, center=True),
    "FSSL choosing terms": FSSL(2, ridge=0.1, n_terms="auto"),  # a ridge: six times as fast, by the same solvers
    "LPFL": LPFL(6, n_terms=60),
    "LPFL choosing terms": LPFL(2, n_terms="auto"),
    "LPFL centred, without a ridge": LPFL(6, n_terms=60, ridge=0.0, center=True),
    "SparsePCA": SparsePCA(6, n_terms=20),
    "PLSI": PLSI(6, tol=0.0, max_iter=30),
    "PLSI at random": PLSI(6, init="random", tol=0.0, max_iter=30),
    "NMFNCW": NMFNCW(6),
    "KernelRLPI": KernelRLPI(6),
    "KernelRLPI rbf by landmarks": KernelRLPI(6, kernel="rbf", n_landmarks=200),
    "KernelRLPI polynomial": KernelRLPI(6, kernel="polynomial"),
}


def texts():
    """Documents of made-up words with the frequencies of a language, in seven topics."""
    choose = random.Random(0)
    words = [f"word{number}" for number in range(N_WORDS)]
    common = [1.0 / (rank + 1) for rank in range(N_WORDS)]
    documents = []
    for number in range(N_DOCUMENTS):
        topic = words[number % 7 :: 7]
        own = choose.choices(topic, common[: len(topic)], k=30)
        documents.append(" ".join(own + choose.choices(words, common, k=30)))
    return documents


def corpus():
    """Documents x terms of :func:`texts`, sparse."""
    return Vectorizer(min_df=1).fit_transform(texts())


def digest(array):
    """A hash of the bits of an array."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()


def learnt(model):
    """What a fitted method has learnt: its weights, of terms or documents, or the embeddings where there are no weights."""
    if isinstance(model, KernelRLPI):
        return model.dual_coef_
    return model.embedding_ if isinstance(model, LaplacianEigenmap) else model.components_


def fingerprints():
    """The hash of the corpus and of what each method learns from it."""
    X = corpus()
    found = {"corpus": digest(X.data) + digest(X.indices)}
    for name, model in VARIANTS.items():
        found[name] = digest(learnt(model.fit(X)))
    return found


if __name__ == "__main__":
    print(json.dumps(fingerprints()))  # noqa: T201

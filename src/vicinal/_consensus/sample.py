"""Large corpora: views are taken of a part of the documents, and the words of their topics sort the rest (V14).

Neighbours in a latent space cost the square of the number of documents, and what a corpus is about shows in a part of it. What is
learnt is a rule about words, so it holds for every document; words that the part does not have are learnt when all are sorted.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from vicinal._consensus.consensus import Corpus, corpus_with
from vicinal._consensus.rule import rule_of_centres
from vicinal._consensus.settle import Answer
from vicinal._consensus.word_model import learn_words, likeliest, refine
from vicinal._matrix import nonzero_rows
from vicinal._typing import IntArray
from vicinal.projection._projection import embed

SHARED = 2  # documents of the part that a word must be in to judge by
OF_EACH_CLASS = 20  # labelled documents that are in the part, where there are as many


def chosen(corpus: Corpus, most: int) -> IntArray | None:
    """Documents to take views of, in their order, drawn at random among those with words; None for all of them.

    Some of every class that is known come first, so that no class is missing.
    """
    n_documents = corpus.X.shape[0]
    if n_documents <= most:
        return None
    drawn = np.random.RandomState(corpus.random_state).permutation(np.flatnonzero(nonzero_rows(corpus.X)))
    if corpus.known is not None:
        drawn = np.concatenate([_some_of_each(drawn, corpus.known[drawn]), drawn])
        drawn = drawn[np.sort(np.unique(drawn, return_index=True)[1])]
    return np.sort(drawn[:most])


def _some_of_each(drawn: IntArray, known: IntArray) -> IntArray:
    order = np.argsort(known, kind="stable")
    rank = np.arange(len(order)) - np.searchsorted(known[order], known[order])
    return drawn[order[(rank < OF_EACH_CLASS) & (known[order] >= 0)]]


def part(corpus: Corpus, documents: IntArray) -> Corpus:
    """The same corpus with these documents only, judged by the words that at least two of them have.

    A word that none of them has would be one more to learn for every topic, and speak for few topics where there are many (V4).
    """
    known = None if corpus.known is None else corpus.known[documents]
    if corpus.evidence is None:
        return replace(corpus, X=corpus.X[documents], known=known)
    rows = sp.csr_array(corpus.evidence.X[documents])
    shared = np.flatnonzero(np.bincount(rows.indices, minlength=rows.shape[1]) >= SHARED)
    return corpus_with(corpus.X[documents], sp.csr_array(rows[:, shared]), known, corpus.random_state, corpus.n_jobs)


def spread(answer: Answer, documents: IntArray, corpus: Corpus, k: int) -> Answer:
    """The answer for a part of the documents, extended to all: by the words of topics, which then learn from all of them."""
    if corpus.evidence is None:
        rule = rule_of_centres(answer.projection, corpus.X[documents], answer.labels, k)
        labels = np.argmax(embed(rule.scores, corpus.X), axis=1).astype(np.int64)
    else:
        taught = np.full(corpus.X.shape[0], -1, dtype=np.int64)
        taught[documents] = answer.labels
        labels = likeliest(corpus.evidence, learn_words(corpus.evidence, taught, k))
    labels = np.where(nonzero_rows(corpus.X), labels, -1)
    labels = labels if corpus.known is None else np.where(corpus.known >= 0, corpus.known, labels)
    if corpus.evidence is not None:
        labels = refine(corpus.evidence, labels, k, fixed=corpus.known)
    return replace(answer, labels=labels)

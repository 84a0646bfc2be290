"""Toy corpora with planted topics: texts of garden, kitchen, railway and sea, and counts of made-up words."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

SUBJECTS = {
    "garden": ["rose", "soil", "spade", "seed", "water", "bloom", "root", "leaf", "prune", "bed"],
    "kitchen": ["bread", "oven", "flour", "knife", "salt", "butter", "dough", "pan", "taste", "bake"],
    "railway": ["train", "track", "signal", "station", "driver", "wagon", "ticket", "brake", "timetable", "whistle"],
    "sea": ["ship", "harbour", "sail", "anchor", "wave", "captain", "tide", "mast", "island", "storm"],
}
WORDS = [word for words in SUBJECTS.values() for word in words]


def planted(sizes=(24, 18, 12, 9), own=6, astray=2, seed=0):
    """Texts with ``own`` words of their subject and ``astray`` of any, and the subject of each, larger ones first."""
    rng = np.random.default_rng(seed)
    subject = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    lists = list(SUBJECTS.values())
    texts = [" ".join([*rng.choice(lists[s], own), *rng.choice(WORDS, astray)]) for s in subject]
    return texts, subject


def counted(n=120, n_topics=5, n_terms=60, seed=0):
    """Whole counts of words, sparse, and the topic that each document took most of them from."""
    rng = np.random.default_rng(seed)
    topic = np.arange(n) % n_topics
    rates = 0.08 + 1.2 * (topic[:, None] == np.arange(n_terms) % n_topics)
    return sp.csr_array(rng.poisson(rates).astype(np.float64)), topic


def same_groups(one, two):
    """Whether two labellings are the same up to the numbers of the groups."""
    pairs = {*zip(np.asarray(one).tolist(), np.asarray(two).tolist(), strict=True)}
    return len(pairs) == len(set(np.asarray(one).tolist())) == len(set(np.asarray(two).tolist()))

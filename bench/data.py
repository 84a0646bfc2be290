"""The corpora of the questions, as documents x terms."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from corpora import newsgroups, tdt2
from vicinal import Vectorizer
from vicinal._matrix import unit_rows


@cache
def tdt2_tf() -> tuple[Any, Any]:
    """TDT2 whole: term frequencies, rows of length one; classes."""
    X, y = tdt2.load()
    return unit_rows(X), y


@cache
def newsgroups_bm25() -> tuple[Any, Any]:
    """20 Newsgroups whole, subject and body: BM25, rows of length one; classes."""
    texts, y, _ = newsgroups.load("all")
    return Vectorizer("bm25").fit_transform(texts), np.asarray(y)


@cache
def newsgroups_by_date() -> tuple[Any, Any, Any, Any]:
    """20 Newsgroups by date, whole posts, stemmed: log-tf-idf of the training part; X, y, X of the test part, its y."""
    train, y, _ = newsgroups.load("train", headers="all")
    test, y_test, _ = newsgroups.load("test", headers="all")
    vectorizer = Vectorizer("log-tfidf", stem="english")
    X = vectorizer.fit_transform(train)
    return X, np.asarray(y), vectorizer.transform(test), np.asarray(y_test)

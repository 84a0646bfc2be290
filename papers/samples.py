"""Samples: the documents that one test of a table looks at. A sample has a name, and everything follows from it.

``tdt2/6/3``
    The fourth draw of six classes of TDT2 in the pool (draws.py); they count from 0. ``tdt2/30/0`` is the whole corpus.
``reuters/6/3``
    The same of Reuters-21578.
``reuters-numbers/6/3``, ``reuters-stems/6/3``, ``reuters-both/6/3``
    The same classes with the text of Reuters-21578 read otherwise: numbers kept, words stemmed, or both. Also with ``-small``.
``tdt2-small/6/3``, ``reuters-small/6/3``
    Of the classes of at most 1,000 documents, as ICML'05 must have had them (draws.py).
``top20/6/3``
    Of the twenty largest classes of TDT2, as SIGIR'05 had them.
``word/12``
    All documents of those classes that hold one word, the thirteenth of thirty by number of documents.
``news/5/3``
    20 Newsgroups with 5 % of the documents to learn from, fourth split. ``news/60/0`` is the split by date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import final

import numpy as np
import scipy.sparse as sp

from corpora import newsgroups, reuters, tdt2
from papers.draws import NUMBERS, POOL, drawn, members, pool
from papers.printed import cells
from vicinal import Vectorizer, Weighting
from vicinal._matrix import csr, dense
from vicinal._typing import IntArray, SparseMatrix, Terms
from vicinal.terms import ENGLISH_STOP_WORDS, unit_rows

WHOLE = 30  # classes of TDT2 and of Reuters-21578
LARGEST_SMALL_CLASS = 1000  # documents at most in a class of ICML'05
LARGEST = 20  # classes of SIGIR'05
WORD_SUBSETS = 30  # of SIGIR'05, the documents that hold one word each
FEWEST_DOCUMENTS, FEWEST_CLASSES = 200, 6  # of such a subset
LONGEST_RUN = 64  # characters of a word or number
SHARED = 2  # documents of a sample that a term must be in
SHARES_TO_LEARN_FROM = (5, 10, 20, 30, 40, 50, 60)  # of the documents of 20 Newsgroups, %, to learn from
SPLITS = 10
READ_OTHERWISE = {  # the text of Reuters-21578: whether numbers are kept, and whether words are stemmed
    "reuters-numbers": (True, False),
    "reuters-stems": (False, True),
    "reuters-both": (True, True),
}
DRAWN = (
    *("tdt2", "reuters", "tdt2-small", "reuters-small", "top20"),
    *READ_OTHERWISE,
    *(f"{source}-small" for source in READ_OTHERWISE),
)
BY_DATE = 60  # the share of documents to learn from that stands for the split by date
HEADERS = ("subject",)


@final
@dataclass(frozen=True, eq=False)
class Sample:
    """Documents and their classes.

    Attributes
    ----------
    name : str
    counts : documents x terms
        Only terms that two documents of the sample share. No paper says so, but AAAI'08 prints the number of terms per draw,
        and this gives it: 18,842 printed for ten classes of TDT2, 18,867 ours, where 24,288 terms occur.
    y : int array (documents,)
    train : int array
        Which documents labels may be learnt from; all, where documents are clustered.
    """

    name: str
    counts: Terms
    y: IntArray
    train: IntArray

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(np.unique(self.y))

    @cached_property
    def tf(self) -> Terms:
        """Term frequencies, documents scaled to length one: what the papers that name a weight used."""
        return unit_rows(self.counts)

    @cached_property
    def tfidf(self) -> Terms:
        """The same, frequencies weighed by rarity; no paper says that it did."""
        weights: Terms = Weighting("tfidf").fit_transform(self.counts)
        return weights

    @property
    def test(self) -> IntArray:
        """Documents that are not learnt from."""
        return np.setdiff1d(np.arange(len(self.y)), self.train)


def source_of(name: str) -> str:
    """The corpus that a sample is from: the first part of its name."""
    return name.split("/")[0]


def is_sample(name: str) -> bool:
    """Whether a sample may have that name."""
    source, *parts = name.split("/")
    if not all(re.fullmatch(r"\d{1,3}", each) for each in parts):
        return False
    numbers = [int(each) for each in parts]
    if source == "word":
        return len(numbers) == 1 and numbers[0] < WORD_SUBSETS
    if len(numbers) != 2:
        return False
    if source == "news":
        return numbers[0] in SHARES_TO_LEARN_FROM and numbers[1] < SPLITS
    if source in ("tdt2", "reuters") and numbers == [WHOLE, 0]:
        return True
    return source in DRAWN and numbers[0] in NUMBERS and numbers[1] < POOL


def test_of(name: str) -> int:
    """The number of the test, from 0."""
    return int(name.split("/")[-1])


def load(name: str) -> Sample:
    """The sample of that name."""
    source, *numbers = name.split("/")
    makers: dict[str, Callable[..., Sample]] = {
        "tdt2": _draw,
        "reuters": _draw,
        "tdt2-small": _small,
        "reuters-small": _small,
        **dict.fromkeys(READ_OTHERWISE, _draw),
        **{f"{each}-small": _small for each in READ_OTHERWISE},
        "top20": _largest,
        "word": _with_word,
        "news": _split,
    }
    return makers[source](name, *map(int, numbers))


def _draw(name: str, n_classes: int, test: int) -> Sample:
    source = source_of(name)
    counts, y = corpus(source)
    if n_classes == WHOLE:
        return _part(name, counts, y, np.arange(len(y)))
    return _part(name, counts, y, members(y, pool(n_classes)[test]))


def _small(name: str, n_classes: int, test: int) -> Sample:
    counts, y = corpus(source_of(name).removesuffix("-small"))
    small = np.flatnonzero(np.bincount(y) <= LARGEST_SMALL_CLASS)
    return _part(name, counts, y, members(y, small[list(pool(n_classes, len(small))[test])]))


def _largest(name: str, n_classes: int, test: int) -> Sample:
    counts, y = corpus("tdt2")
    return _part(name, counts, y, members(y, drawn(LARGEST, n_classes, 0, POOL)[test]))


def _with_word(name: str, number: int) -> Sample:
    counts, y = corpus("tdt2")
    inside = np.flatnonzero(y < LARGEST)
    column = frequent_words()[number]
    holds = dense(counts[inside][:, [column]]).ravel() > 0
    return _part(name, counts, y, inside[holds])


@cache
def frequent_words() -> tuple[int, ...]:
    """Columns of thirty words, each in as many documents as one of the paper's thirty, and in documents of at least six classes.

    Which column is which word is not known of TDT2, so the paper's words (from titles of TREC topics) cannot be found. How many
    documents each of them is in is printed, though: for each, largest first, the word nearest in number that is not yet taken.
    """
    counts, y = corpus("tdt2")
    inside = np.flatnonzero(y < LARGEST)
    holds = sp.csc_array(sp.csr_array(counts)[inside] > 0)
    found = np.diff(holds.indptr)
    free = [
        column
        for column in np.flatnonzero(found >= FEWEST_DOCUMENTS).tolist()
        if _n_classes(holds, y[inside], column) >= FEWEST_CLASSES
    ]
    chosen: list[int] = []
    for size in sorted((each.mean or 0.0 for each in cells("sigir05", "Table 2")), reverse=True):
        nearest = min((column for column in free if column not in chosen), key=lambda column: (abs(found[column] - size), column))
        chosen.append(nearest)
    return tuple(chosen)


def _n_classes(holds: SparseMatrix, y: IntArray, column: int) -> int:
    return len(np.unique(y[holds.indices[holds.indptr[column] : holds.indptr[column + 1]]]))


def _split(name: str, share: int, test: int) -> Sample:
    counts, y = corpus("news")
    if share == BY_DATE:
        return Sample(name, counts, y, np.arange(len(newsgroups.load("train")[1])))
    random = np.random.RandomState([share, test])
    chosen = [random.permutation(np.flatnonzero(y == each)) for each in np.unique(y)]
    return Sample(name, counts, y, np.sort(np.concatenate([each[: round(share / 100 * len(each))] for each in chosen])))


def _part(name: str, counts: Terms, y: IntArray, chosen: IntArray) -> Sample:
    rows = csr(counts[chosen])
    used = np.flatnonzero(np.bincount(rows.indices[rows.data > 0], minlength=rows.shape[1]) >= SHARED)
    return Sample(name, rows[:, used], np.unique(y[chosen], return_inverse=True)[1], np.arange(len(chosen)))


@cache
def corpus(source: str) -> tuple[Terms, IntArray]:
    """Counts of all documents and their classes."""
    if source == "tdt2":
        return tdt2.load()
    if source == "reuters" or source in READ_OTHERWISE:
        texts, y, _ = reuters.load()
        return _read_reuters(texts, *READ_OTHERWISE.get(source, (False, False))), y
    texts, y, _ = newsgroups.load(headers=HEADERS)
    return Vectorizer("tf", unit=False, min_df=2, max_df=1.0, stem="english").fit_transform(texts), y


def _read_reuters(texts: list[str], numbers: bool, stems: bool) -> Terms:
    """Counts of words; of numbers too, runs of digits and letters that start with a digit; of stems in place of words."""
    vectorizer = Vectorizer(
        "tf", unit=False, min_df=1, max_df=1.0, analyzer=words_and_numbers if numbers else None, stem="english" if stems else None
    )
    return vectorizer.fit_transform(texts)


def words_and_numbers(text: str) -> list[str]:
    """Runs of two or more letters and digits, without stop words."""
    return [run for run in re.findall(r"[^\W_]+", text.lower()) if 2 <= len(run) <= LONGEST_RUN and run not in ENGLISH_STOP_WORDS]

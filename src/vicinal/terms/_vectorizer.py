"""Texts in, weighted terms out: tokens, vocabulary and weights behind one scikit-learn transformer."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from vicinal._typing import Terms
from vicinal._validate import check_choice
from vicinal.errors import BadParameter, EmptyCorpus
from vicinal.terms._tokens import Analyzer, Tokenizer, analyze_documents, check_documents
from vicinal.terms._vocabulary import Limits, count_tokens, load_stemmer, merge_columns, stem_terms
from vicinal.terms._weight import SCHEMES, Weighting, learn_weights, weigh


class Vectorizer(TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Turn texts into a sparse matrix of weighted terms: one row per document, one column per word.

    Parameters
    ----------
    weight : {"bm25", "tf", "log-tf", "tfidf", "log-tfidf", "ncw"}, default="bm25"
        How counts become weights; see `Weighting`.
    stop_words : "english", None or collection of str, default="english"
        Words to leave out before anything else.
    min_df, max_df : int or float, default=2 and 0.5
        A term must be in at least ``min_df`` and at most ``max_df`` documents. A whole number counts documents, a float
        is a share of them: ``max_df=1`` is one document, ``max_df=1.0`` is all.
    max_terms : int or None, default=None
        Keep only this many of the terms within the limits: those that occur most often.
    stem : str or None, default=None
        Language of a Snowball stemmer, such as "english". Forms of one stem share a column, and the limits on documents
        apply to stems. Needs ``pip install vicinal[stem]``.
    ngram_range : (int, int), default=(1, 1)
        Shortest and longest run of words that makes a term.
    analyzer : callable or None, default=None
        Any function from a text to its tokens, in place of our own words; it then decides about stop words, n-grams and
        capitals itself. Languages written without spaces between words need one.
    lowercase : bool, default=True
        Whether capital letters are turned into small ones.
    k1, b : float, default=1.2 and 0.75
        Parameters of BM25.
    unit : bool, default=True
        Whether rows are scaled to Euclidean length 1; for "ncw", before its own scaling.

    Attributes
    ----------
    vocabulary_ : dict from term to column
    terms_ : ndarray of str, the terms in the order of the columns, which is alphabetical
    weight_ : Weighting, as learnt

    Notes
    -----
    A document without known words keeps its row, which is zero; words that were not learnt are ignored. A row depends
    on its text and on what was learnt, never on the documents beside it.

    Examples
    --------
    >>> texts = ["a red rose", "a white rose", "red wine", "white wine"]
    >>> vectorizer = Vectorizer("tf", unit=False)
    >>> vectorizer.fit_transform(texts).toarray().astype(int).tolist()
    [[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 1, 1]]
    >>> list(vectorizer.terms_)
    ['red', 'rose', 'white', 'wine']
    """

    def __init__(
        self,
        weight: str = "bm25",
        *,
        stop_words: str | Collection[str] | None = "english",
        min_df: int | float = 2,
        max_df: int | float = 0.5,
        max_terms: int | None = None,
        stem: str | None = None,
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: Analyzer | None = None,
        lowercase: bool = True,
        k1: float = 1.2,
        b: float = 0.75,
        unit: bool = True,
    ) -> None:
        self.weight = weight
        self.stop_words = stop_words
        self.min_df = min_df
        self.max_df = max_df
        self.max_terms = max_terms
        self.stem = stem
        self.ngram_range = ngram_range
        self.analyzer = analyzer
        self.lowercase = lowercase
        self.k1 = k1
        self.b = b
        self.unit = unit

    @classmethod
    def known(cls, terms: Iterable[str], weighting: Weighting, **options: Any) -> Vectorizer:
        """Return a vectorizer as it was learnt, from its terms and weights.

        Parameters
        ----------
        terms : iterable of str
            In the order of the columns.
        weighting : Weighting
            As learnt, one document frequency per term.
        **options
            How texts are split, as for a new one: ``stem``, ``stop_words``, ``lowercase``, ...
        """
        made = cls(weighting.scheme, k1=weighting.k1, b=weighting.b, unit=weighting.unit, **options)
        made._check_parameters()
        made.terms_ = np.array(list(terms), dtype=object)
        made.vocabulary_ = {term: column for column, term in enumerate(made.terms_)}
        if len(made.vocabulary_) != len(made.terms_) or len(made.terms_) != len(weighting.document_frequencies_):
            raise BadParameter(
                f"there must be one weight for each term and no term twice, got {len(made.terms_)} terms, of which "
                f"{len(made.vocabulary_)} differ, and {len(weighting.document_frequencies_)} weights."
            )
        made.weight_ = weighting
        return made

    def fit(self, documents: Iterable[str], y: Any = None) -> Vectorizer:
        """Learn the vocabulary of the documents, and how telling each of its terms is.

        Parameters
        ----------
        documents : iterable of str
            Read once, one after the other.
        y : ignored
        """
        self._learn(documents)
        return self

    def fit_transform(self, documents: Iterable[str], y: Any = None) -> Terms:
        """Learn from the documents and return their weights: what ``fit`` and then ``transform`` give, in one reading.

        Parameters
        ----------
        documents : iterable of str
        y : ignored

        Returns
        -------
        csr_array of float64, shape (documents, terms)
        """
        counts = self._learn(documents)
        return weigh(self.weight_, counts)

    def transform(self, documents: Iterable[str]) -> Terms:
        """Weigh the known terms of documents; unknown words are ignored.

        Parameters
        ----------
        documents : iterable of str

        Returns
        -------
        csr_array of float64, shape (documents, terms)
        """
        check_is_fitted(self)
        counts, words = self._count(documents)
        columns = [self.vocabulary_.get(term, -1) for term in self._stemmed(words)]
        if counts.shape[0] == 0:
            return sp.csr_array((0, len(self.vocabulary_)), dtype=np.float64)
        return weigh(self.weight_, merge_columns(counts, columns, len(self.vocabulary_)).astype(np.float64))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the terms in the order of the columns.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        ndarray of str
        """
        check_is_fitted(self)
        return self.terms_.copy()

    def _learn(self, documents: Iterable[str]) -> Terms:
        """Set what is learnt, all of it or, after an error, nothing; return the counts of the kept terms."""
        limits, weighting = self._check_parameters()
        counts, words = self._count(documents)
        refuse_wordless(counts.shape)
        counts, terms = self._merge_stems(counts, words)
        kept = limits.choose(counts, terms)
        destinations = np.full(len(terms), -1, dtype=np.int64)
        destinations[kept] = np.arange(kept.size)
        counts = merge_columns(counts, destinations, kept.size).astype(np.float64)
        self.weight_ = learn_weights(weighting, counts)
        self.terms_ = np.array([terms[column] for column in kept], dtype=object)
        self.vocabulary_ = {term: column for column, term in enumerate(self.terms_)}
        return counts

    def _check_parameters(self) -> tuple[Limits, Weighting]:
        """Refuse what cannot work before a long corpus is read."""
        scheme = check_choice("weight", self.weight, tuple(SCHEMES))
        weighting = Weighting(scheme, k1=self.k1, b=self.b, unit=self.unit)
        weighting.check_parameters()
        limits = Limits(self.min_df, self.max_df, self.max_terms)
        limits.check()
        if self.stem is not None:
            load_stemmer(self.stem)
        return limits, weighting

    def _count(self, documents: Iterable[str]) -> tuple[Terms, list[str]]:
        if self.analyzer is not None and not callable(self.analyzer):
            raise BadParameter(f"analyzer must be None or a function from a text to its tokens, got {self.analyzer!r}.")
        analyze = self.analyzer or Tokenizer(self.stop_words, self.ngram_range, self.lowercase)
        return count_tokens(analyze_documents(check_documents(documents), analyze))

    def _stemmed(self, words: list[str]) -> list[str]:
        return words if self.stem is None else stem_terms(words, load_stemmer(self.stem))

    def _merge_stems(self, counts: Terms, words: list[str]) -> tuple[Terms, list[str]]:
        """Join the columns of words with one stem; without a stemmer there is nothing to join."""
        if self.stem is None:
            return counts, words
        stems = self._stemmed(words)
        number = {stem: column for column, stem in enumerate(dict.fromkeys(stems))}
        return merge_columns(counts, [number[stem] for stem in stems], len(number)), list(number)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags


def refuse_wordless(shape: tuple[int, int]) -> None:
    """Raise EmptyCorpus when nothing was read, or nothing but stop words."""
    n_documents, n_terms = shape
    if n_documents == 0:
        raise EmptyCorpus(
            "reading found no documents: got an empty iterable, and words are learnt from documents. Pass at least one."
        )
    if n_terms == 0:
        raise EmptyCorpus(
            f"splitting into words left no terms: none of the {n_documents} documents has a word of 2 to 64 letters "
            f"and digits that is not a stop word. Check what was read, or use stop_words=None, or your own analyzer."
        )

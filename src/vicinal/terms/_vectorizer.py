"""`Vectorizer`: tokens, vocabulary and weights in one scikit-learn transformer from texts to documents x terms."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from vicinal._choice import is_auto
from vicinal._matrix import csr
from vicinal._typing import IntArray, SparseMatrix
from vicinal._validate import check_choice
from vicinal.errors import BadParameter
from vicinal.terms._growing import GrowingVocabulary
from vicinal.terms._languages import check_languages, detect_languages, sample_of, stemmers_of
from vicinal.terms._schemes import SCHEMES
from vicinal.terms._stems import load_stemmer, terms_of
from vicinal.terms._tokens import Analyzer, Tokenizer, analyze_documents, check_documents
from vicinal.terms._vocabulary import TermLimits, count_tokens, merge_columns, refuse_without_terms
from vicinal.terms._weight import Weighting, check_weighting, learn_weights, weigh

if TYPE_CHECKING:
    from sklearn.utils import Tags


class Vectorizer(GrowingVocabulary, TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[call-arg]
    """Turn texts into a sparse matrix of weighted terms: one row per document, one column per term.

    Parameters
    ----------
    weight : {"bm25", "tf", "log-tf", "tfidf", "log-tfidf", "ncw"}, default="bm25"
        How counts become weights; see `Weighting`.
    stop_words : "auto", "english", None or collection of str, default="auto"
        Words to leave out before anything else; those of the language for "auto".
    min_df : int or float, default=2
        Keep a term that is in at least so many documents. A whole number counts documents, a float is a share of them.
    max_df : int or float, default=0.5
        Keep a term that is in at most so many documents: ``max_df=1`` is one document, ``max_df=1.0`` is all.
    max_terms : int or None, default=None
        Keep only this many of the terms within the limits: those that occur most often.
    stem : str, sequence of str or None, default=None
        Language of a Snowball stemmer, such as "english"; of several each stems the words of its own script; "auto" for that of
        the language. Forms of one stem share a column, and the limits on documents apply to stems.
        Needs ``pip install vicinal[stem]``.
    ngram_range : tuple of (int, int), default=(1, 1)
        The smallest and the largest number of consecutive words in a term.
    analyzer : callable or None, default=None
        A function from a text to its tokens, in place of `Tokenizer`; it then decides about stop words, n-grams, the language and
        lower case itself.
    lowercase : bool, default=True
        Whether text is turned into lower case.
    language : str, sequence of str or None, default="auto"
        Language of the texts, by code or English name, such as "de", or several; "auto" recognises it when the vocabulary is
        learnt, and assumes English where it cannot. None takes every unbroken run of letters for a word; see `Tokenizer`.
    segmenter : {"jieba", "fugashi", "pythainlp"}, sequence of them or None, default=None
        Packages that tell the words of Chinese, Japanese and Thai apart; None takes pairs of characters. See `Tokenizer`.
    k1 : float, default=1.2
        Parameter of BM25; see `Weighting`.
    b : float, default=0.75
        Parameter of BM25; see `Weighting`.
    unit : bool, default=True
        Whether rows are scaled to Euclidean length 1; for "ncw", before its own scaling.

    Attributes
    ----------
    vocabulary_ : dict of str to int
        The column of each term.
    terms_ : ndarray of str of shape (n_terms,)
        The terms in the order of the columns, which is alphabetical; those that ``partial_fit`` adds follow.
    weight_ : Weighting
        The fitted weights.
    language_ : tuple of str
        Codes of the languages of the texts, the most frequent first; none where ``language`` is None.

    See Also
    --------
    Tokenizer : How a text is split.
    Weighting : How counts become weights.

    Notes
    -----
    A document without known terms keeps its row, which is zero; terms outside the vocabulary are ignored. A row depends
    on its text and on the fitted vocabulary and weights, never on the documents beside it. The default weights, BM25, are
    those of [1]_; normalised-cut weights are those of [2]_.

    References
    ----------
    .. [1] S. Robertson and H. Zaragoza. The probabilistic relevance framework: BM25 and beyond. Foundations and Trends in
       Information Retrieval, 3(4):333-389, 2009, section 3.4.
    .. [2] W. Xu, X. Liu and Y. Gong. Document clustering based on non-negative matrix factorization. SIGIR 2003, section 3.

    Examples
    --------
    >>> from vicinal import Vectorizer
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
        stop_words: str | Collection[str] | None = "auto",
        min_df: int | float = 2,
        max_df: int | float = 0.5,
        max_terms: int | None = None,
        stem: str | Sequence[str] | None = None,
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: Analyzer | None = None,
        lowercase: bool = True,
        language: str | Sequence[str] | None = "auto",
        segmenter: str | Sequence[str] | None = None,
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
        self.language = language
        self.segmenter = segmenter
        self.k1 = k1
        self.b = b
        self.unit = unit

    @classmethod
    def from_vocabulary(
        cls,
        terms: Iterable[str],
        weighting: Weighting,
        *,
        stop_words: str | Collection[str] | None = "auto",
        min_df: int | float = 2,
        max_df: int | float = 0.5,
        max_terms: int | None = None,
        stem: str | Sequence[str] | None = None,
        ngram_range: tuple[int, int] = (1, 1),
        analyzer: Analyzer | None = None,
        lowercase: bool = True,
        language: str | Sequence[str] | None = "en",
        segmenter: str | Sequence[str] | None = None,
    ) -> Vectorizer:
        """Make a fitted vectorizer from a vocabulary and weights that were stored.

        Parameters
        ----------
        terms : iterable of str
            The terms in the order of the columns; after stemming, where ``stem`` is given.
        weighting : Weighting
            Fitted weights, with one document frequency per term.
        stop_words : "auto", "english", None or collection of str, default="auto"
            As in the constructor, as all that follow.
        min_df : int or float, default=2
            Used if it is fitted again.
        max_df : int or float, default=0.5
            Used if it is fitted again.
        max_terms : int or None, default=None
            Used if it is fitted again.
        stem : str, sequence of str or None, default=None
            Language of a stemmer, or of several.
        ngram_range : tuple of (int, int), default=(1, 1)
            The smallest and the largest number of words in a term.
        analyzer : callable or None, default=None
            A function from a text to its tokens.
        lowercase : bool, default=True
            Whether text is turned into lower case.
        language : str, sequence of str or None, default="en"
            Language of the texts, or several; "auto" is refused, as there are no texts to recognise it by.
        segmenter : {"jieba", "fugashi", "pythainlp"}, sequence of them or None, default=None
            Packages that tell words apart.

        Returns
        -------
        Vectorizer
            Transforms texts as the one that terms and weights are from.

        Raises
        ------
        BadParameter
            A term occurs twice, there is not one document frequency per term, or a parameter has no possible value.
        """
        made = cls(
            weighting.scheme,
            stop_words=stop_words,
            min_df=min_df,
            max_df=max_df,
            max_terms=max_terms,
            stem=stem,
            ngram_range=ngram_range,
            analyzer=analyzer,
            lowercase=lowercase,
            language=language,
            segmenter=segmenter,
            k1=weighting.k1,
            b=weighting.b,
            unit=weighting.unit,
        )
        made._check_parameters()
        made.language_ = () if language is None else check_languages(language)
        made._set_vocabulary(list(terms), weighting)
        if len(made.vocabulary_) != len(made.terms_) or len(made.terms_) != len(weighting.document_frequencies_):
            raise BadParameter(
                f"there must be one document frequency for each term and no term twice, got {len(made.terms_)} terms, of which "
                f"{len(made.vocabulary_)} differ, and {len(weighting.document_frequencies_)} frequencies. Give all that was stored."
            )
        return made

    def fit(self, documents: Iterable[str], y: object = None) -> Vectorizer:
        """Learn the vocabulary of the documents, and the weights of its terms.

        Parameters
        ----------
        documents : iterable of str
            The texts; they are read once, one after the other.
        y : object, default=None
            Ignored.

        Returns
        -------
        Vectorizer
            This vectorizer, fitted.

        Raises
        ------
        BadData
            A document is not a str, or the analyzer does not return tokens.
        EmptyCorpus
            There are no documents, or no terms within the limits.
        BadParameter
            A parameter has no possible value.
        MissingExtra
            ``stem`` is given and PyStemmer is not installed.
        """
        self._learn(documents)
        return self

    def fit_transform(self, documents: Iterable[str], y: object = None) -> SparseMatrix:
        """Fit on the documents and return their weights: what ``fit`` and then ``transform`` give, in one pass.

        Parameters
        ----------
        documents : iterable of str
            The texts; they are read once, one after the other.
        y : object, default=None
            Ignored.

        Returns
        -------
        csr_array of float64 of shape (n_documents, n_terms)
            The weights.

        Raises
        ------
        VicinalError
            As in ``fit``.
        """
        counts = self._learn(documents)
        return weigh(self.weight_, counts)

    def transform(self, documents: Iterable[str]) -> SparseMatrix:
        """Count and weigh the known terms of documents; other terms are ignored.

        Parameters
        ----------
        documents : iterable of str
            The texts.

        Returns
        -------
        csr_array of float64 of shape (n_documents, n_terms)
            The weights.

        Raises
        ------
        BadData
            A document is not a str.
        """
        return self._transform(documents)[0]

    def _transform(self, documents: Iterable[str]) -> tuple[SparseMatrix, IntArray]:
        """The weights of documents, and how many tokens of each are not in the vocabulary."""
        check_is_fitted(self)
        counts, tokens = self._count(documents, self.language_)
        columns = np.array([self.vocabulary_.get(term, -1) for term in self._terms(tokens, self.language_)], dtype=np.int64)
        if counts.shape[0] == 0:
            return csr((0, len(self.vocabulary_))).astype(np.float64), np.zeros(0, dtype=np.int64)
        n_unknown = np.asarray(counts[:, np.flatnonzero(columns < 0)].sum(axis=1), dtype=np.int64).ravel()
        return weigh(self.weight_, merge_columns(counts, columns, len(self.vocabulary_)).astype(np.float64)), n_unknown

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        """Return the terms in the order of the columns.

        Parameters
        ----------
        input_features : object, default=None
            Ignored.

        Returns
        -------
        ndarray of str of shape (n_terms,)
            A copy of ``terms_``.

        Raises
        ------
        NotFittedError
            It is called before ``fit``.
        """
        check_is_fitted(self)
        return self.terms_.copy()

    def _learn(self, documents: Iterable[str], rare: bool = False) -> SparseMatrix:
        """Set all fitted attributes or, after an error, none; return the counts of the kept terms."""
        limits, weighting = self._check_parameters()
        language, texts = self._detect(documents)
        counts, tokens = self._count(texts, language)
        refuse_without_terms(counts.shape)
        counts, terms = self._merge_terms(counts, tokens, language)
        kept = limits.choose(counts, terms)
        left_out = limits.left_out(counts, terms, kept, rare)
        destinations = np.full(len(terms), -1, dtype=np.int64)
        destinations[kept] = np.arange(kept.size)
        counts = merge_columns(counts, destinations, kept.size).astype(np.float64)
        self._set_vocabulary([terms[column] for column in kept], learn_weights(weighting, counts))
        self.language_, self._left_out = language, left_out
        return counts

    def _set_vocabulary(self, terms: Sequence[str], weighting: Weighting) -> None:
        self.weight_ = weighting
        self.terms_ = np.array(terms, dtype=object)
        self.vocabulary_ = {term: column for column, term in enumerate(self.terms_)}

    def _check_parameters(self) -> tuple[TermLimits, Weighting]:
        """Refuse impossible parameters before a long corpus is read."""
        scheme = check_choice("weight", self.weight, tuple(SCHEMES))
        weighting = Weighting(scheme, k1=self.k1, b=self.b, unit=self.unit)
        check_weighting(weighting)
        limits = TermLimits(self.min_df, self.max_df, self.max_terms)
        limits.check()
        if self.analyzer is None:
            Tokenizer(
                self.stop_words, self.ngram_range, self.lowercase, "en" if is_auto(self.language) else self.language, self.segmenter
            )
        if self.stem is not None and not is_auto(self.stem):
            load_stemmer(self.stem)
        return limits, weighting

    def _detect(self, documents: Iterable[object]) -> tuple[tuple[str, ...], Iterable[object]]:
        """The languages of the documents, and the documents, of which the first were read where they can be read only once."""
        if self.language is None or self.analyzer is not None:
            return (), documents
        if not is_auto(self.language):
            return check_languages(self.language), documents
        sample, documents = sample_of(check_documents(documents))
        return detect_languages(text for text in sample if isinstance(text, str)).codes, documents

    def _count(self, documents: Iterable[object], language: tuple[str, ...]) -> tuple[SparseMatrix, list[str]]:
        if self.analyzer is not None and not callable(self.analyzer):
            raise BadParameter(f"analyzer must be None or a function from a text to its tokens, got {self.analyzer!r}. Use None.")
        analyze = self.analyzer or Tokenizer(self.stop_words, self.ngram_range, self.lowercase, language or None, self.segmenter)
        return count_tokens(analyze_documents(check_documents(documents), analyze))

    def _terms(self, tokens: Sequence[str], language: tuple[str, ...]) -> list[str]:
        """The term that each token becomes: its spelling joined with others, and stemmed."""
        stem = stemmers_of(language) if is_auto(self.stem) else self.stem
        return terms_of(tokens, stem, language)

    def _merge_terms(self, counts: SparseMatrix, tokens: list[str], language: tuple[str, ...]) -> tuple[SparseMatrix, list[str]]:
        """Merge the columns of tokens that become one term."""
        terms = self._terms(tokens, language)
        number = {term: column for column, term in enumerate(dict.fromkeys(terms))}
        if len(number) == len(tokens):
            return counts, terms
        return merge_columns(counts, [number[term] for term in terms], len(number)), list(number)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

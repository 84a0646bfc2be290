"""Tokens: a text is split into words, stop words are removed, and the rest, or n-grams of it, are the tokens to count."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TypeAlias, final

from vicinal._scripts import fold
from vicinal._validate import check_count
from vicinal.errors import BadData, BadParameter
from vicinal.terms._languages import ENGLISH, LANGUAGES, check_languages, stop_words_of, whole_stop_words_of
from vicinal.terms._segmenters import check_segmenters, load_segmenters, segmented
from vicinal.terms._words import ENGLISH_STOP_WORDS, LONGEST_TOKEN, cut_at_spaces, is_token, is_token_or_ideograph, split_tokens

Analyzer: TypeAlias = Callable[[str], Iterable[str]]


@final
class Tokenizer:
    """Split a text into the tokens to count: words of 2 to 64 letters and digits, without stop words, or n-grams of them.

    Words of Chinese, Japanese, Thai, Lao, Khmer and Burmese, which are written without spaces, and of Korean, which are written
    together with their particles, are split into overlapping pairs of characters.

    Parameters
    ----------
    stop_words : "auto", "english", None or collection of str, default="auto"
        Words to leave out; those of the language for "auto". Given words are split like any text, so "Don't" leaves out "don".
    ngram_range : tuple of (int, int), default=(1, 1)
        The smallest and the largest number of consecutive words in a token, after stop words are removed; (1, 2) gives
        words and pairs.
    lowercase : bool, default=True
        Whether text is turned into lower case.
    language : str, sequence of str or None, default="en"
        Code or English name of the language of the texts, such as "de", or of several. Of languages in one script a text is
        taken to be in the one whose stop words it has most of. None takes every unbroken run of letters for a word, in any script.
    segmenter : {"jieba", "fugashi", "pythainlp"}, sequence of them or None, default=None
        Packages that tell the words of Chinese, Japanese and Thai apart (``pip install vicinal[segment]``); None takes pairs of
        characters.

    Attributes
    ----------
    stop_words : frozenset of str
        The tokens that are left out; of several languages in one script only those of the first.
    ngram_range : tuple of (int, int)
        As given.
    lowercase : bool
        As given.
    language : tuple of str
        Codes of the languages; none for None.
    segmenter : tuple of str
        Names of the segmenters; none for None.

    Raises
    ------
    BadParameter
        ``stop_words``, ``ngram_range``, ``language`` or ``segmenter`` has no possible value.
    MissingExtra
        The package of a segmenter is not installed.

    See Also
    --------
    Vectorizer : Counts the tokens of many texts, and weighs them.

    Examples
    --------
    >>> from vicinal.terms import Tokenizer
    >>> list(Tokenizer()("The neighbours' fire_engine isn't red, 3d or b"))
    ['neighbours', 'fire', 'engine', 'red']
    >>> list(Tokenizer(ngram_range=(1, 2))("fresh rye bread"))
    ['fresh', 'rye', 'bread', 'fresh rye', 'rye bread']
    >>> list(Tokenizer(language="de")("Der Zug nach Bern ist voll"))
    ['zug', 'bern', 'voll']
    >>> list(Tokenizer()("火车站 is a station"))
    ['火车', '车站', 'station']
    """

    def __init__(
        self,
        stop_words: str | Collection[str] | None = "auto",
        ngram_range: tuple[int, int] = (1, 1),
        lowercase: bool = True,
        language: str | Sequence[str] | None = ENGLISH,
        segmenter: str | Sequence[str] | None = None,
    ) -> None:
        self.language = () if language is None else check_languages(language)
        self.segmenter = check_segmenters(segmenter)
        load_segmenters(self.segmenter)
        self.ngram_range = check_ngram_range(ngram_range)
        self.lowercase = lowercase
        automatic = isinstance(stop_words, str) and stop_words == "auto"
        self._rivals = _rivals(self.language) if automatic else []
        self.stop_words = self._automatic() if automatic else check_stop_words(stop_words, lowercase)
        latin = [code for code in self.language if LANGUAGES[code].script == "latin"]
        self._split = partial(split_tokens, lowercase=lowercase, bigrams=bool(self.language), turkish=latin == ["tr"])
        if self.segmenter:
            self._split = partial(self._split, segment=partial(segmented, self.segmenter))
        self._keeps = self._decisions(self.stop_words)
        self._keeps_of = [self._decisions(self._without_rivals() | stop_words_of(code)) for code in self._rivals]

    def __call__(self, text: str) -> Iterable[str]:
        """Yield the tokens of ``text`` in order, once per occurrence."""
        runs: Iterable[str] = chain.from_iterable(map(self._split, cut_at_spaces(text)))
        if self._rivals:
            runs = list(runs)
            tokens = filter(self._keeps_of[self._rival(runs)], runs)
        else:
            tokens = filter(self._keeps, runs)
        return tokens if self.ngram_range == (1, 1) else ngrams(list(tokens), *self.ngram_range)

    def _rival(self, runs: Sequence[str]) -> int:
        """Of the languages in one script the one whose stop words a text has most of; the first of equals."""
        hits = [sum(run in stop_words_of(code) for run in runs) for code in self._rivals]
        return hits.index(max(hits))

    def _automatic(self) -> frozenset[str]:
        if not self.language:
            return ENGLISH_STOP_WORDS
        return self._without_rivals().union(*(stop_words_of(code) for code in self._rivals[:1]))

    def _without_rivals(self) -> frozenset[str]:
        codes = [code for code in self.language if code not in self._rivals]
        whole = (whole_stop_words_of(code) for code in codes if self.segmenter)
        return frozenset[str]().union(*map(stop_words_of, codes), *whole)

    def _decisions(self, stop_words: frozenset[str]) -> Callable[[str], bool]:
        if not self.language:
            return _Decisions(stop_words).__getitem__
        return _Decisions(stop_words, is_token_or_ideograph, partial(fold, persian="fa" in self.language)).__getitem__


def _rivals(languages: Sequence[str]) -> list[str]:
    """The languages in Latin script, if there are several: a stop word of one can be a subject in another."""
    latin = [code for code in languages if LANGUAGES[code].script == "latin"]
    return latin if len(latin) > 1 else []


class _Decisions(dict[str, bool]):
    """Which runs to keep: decided once for each and then looked up, since a corpus repeats the same few tokens."""

    def __init__(
        self,
        stop_words: frozenset[str],
        is_token: Callable[[str], bool] = is_token,
        fold: Callable[[str], str] = str,
    ) -> None:
        super().__init__()
        self.stop_words, self.is_token, self.fold = stop_words, is_token, fold

    def __missing__(self, run: str) -> bool:
        kept = self.is_token(run) and run not in self.stop_words and self.fold(run) not in self.stop_words
        if len(run) <= LONGEST_TOKEN:  # the longest ones would hold whole attachments in memory
            self[run] = kept
        return kept


def ngrams(tokens: list[str], shortest: int, longest: int) -> Iterator[str]:
    """Join every run of ``shortest`` to ``longest`` consecutive tokens with spaces, the shortest runs first."""
    runs = (zip(*(tokens[start:] for start in range(length)), strict=False) for length in range(shortest, longest + 1))
    return map(" ".join, chain.from_iterable(runs))


def check_stop_words(stop_words: object, lowercase: bool = True) -> frozenset[str]:
    """Return the stop words as a set of tokens."""
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str):
        if stop_words == "english":
            return ENGLISH_STOP_WORDS
        raise BadParameter(
            f"stop_words must be 'auto', 'english', None or a collection of words, got the string {stop_words!r}. "
            f"Use a list, or language={stop_words!r} for those of a language."
        )
    if not isinstance(stop_words, Collection) or not all(isinstance(word, str) for word in stop_words):
        raise BadParameter(
            f"stop_words must be 'auto', 'english', None or a collection of str, got {stop_words!r:.80}. Use a list of words."
        )
    return frozenset(chain.from_iterable(split_tokens(word, lowercase) for word in stop_words))


def check_ngram_range(ngram_range: object) -> tuple[int, int]:
    """Return the shortest and the longest number of words in a term."""
    if not isinstance(ngram_range, tuple | list) or len(ngram_range) != 2:
        raise BadParameter(f"ngram_range must be a pair like (1, 2), got {ngram_range!r}. Use (1, 1) for single words.")
    shortest = check_count("the shortest of ngram_range", ngram_range[0])
    longest = check_count("the longest of ngram_range", ngram_range[1])
    if shortest > longest:
        raise BadParameter(f"ngram_range must go from short to long, got {ngram_range!r}. Use ({longest}, {shortest}).")
    return shortest, longest


def check_documents(documents: object) -> Iterable[object]:
    """Return ``documents`` if it can be a series of texts, or raise BadParameter."""
    if isinstance(documents, str | bytes):
        raise BadParameter(
            f"documents must be a list (or any iterable) of texts, got a single {type(documents).__name__}, "
            f"which would be read character by character. Pass a list: [text]."
        )
    if not isinstance(documents, Iterable):
        raise BadParameter(f"documents must be an iterable of texts, got {type(documents).__name__}. Pass a list: [text, ...].")
    dimensions = getattr(documents, "ndim", 1)
    if dimensions != 1:
        raise BadParameter(
            f"documents must be a one-dimensional series of texts, got a {type(documents).__name__} "
            f"of {dimensions} dimensions. Pass the one column that holds the text."
        )
    return documents


def analyze_documents(documents: Iterable[object], analyze: Analyzer) -> Iterator[Iterable[str]]:
    """Yield the tokens of each document in turn; raise BadData, with the position, where it is not a text."""
    for position, text in enumerate(documents):
        if not isinstance(text, str):
            remedy = "Decode it first: text.decode(encoding)." if isinstance(text, bytes) else 'Use "" for a missing text.'
            raise BadData(f"document {position} must be a str, got {type(text).__name__}. {remedy}")
        tokens = analyze(text)
        if isinstance(tokens, str) or not isinstance(tokens, Iterable):
            raise BadData(
                f"the analyzer must return an iterable of str, got {type(tokens).__name__} for document {position}. "
                f"Return a list of tokens."
            )
        yield tokens

"""Tokens: a text is split into words, stop words are removed, and the rest, or n-grams of it, are the tokens to count."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import TypeAlias, final

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS as SCIKIT_LEARN_STOP_WORDS

from vicinal._validate import check_count
from vicinal.errors import BadData, BadParameter

Analyzer: TypeAlias = Callable[[str], Iterable[str]]

#: Longer runs of letters are encoded attachments, keys and rulers; the words of any language are far shorter.
LONGEST_TOKEN = 64

#: An apostrophe ends a token, so "don't" becomes "don" and "we'll" becomes "ll", which are stop words as well.
#: "won" is not among them, since it is a word of its own.
CONTRACTION_PARTS = """
    ain aren couldn didn doesn don hadn hasn haven isn ll mightn mustn needn oughtn shan shouldn ve wasn weren wouldn
"""

#: Words in scikit-learn's list that can be what a document is about: a fire, a bill in parliament, an interest rate.
SUBJECTS = """
    amount bill cry describe detail empty fill fire interest mill serious sincere system thick thin
"""

#: Frequent English words that `Tokenizer` leaves out: scikit-learn's list without words that can be a document's subject,
#: and with the parts of contractions.
ENGLISH_STOP_WORDS: frozenset[str] = (
    frozenset(SCIKIT_LEARN_STOP_WORDS).union(CONTRACTION_PARTS.split()).difference(SUBJECTS.split())
)

#: A list of the tokens of a text takes ten times the memory of the text, so that longer texts are split in pieces.
PIECE_LENGTH = 1 << 22

_SPACE = re.compile(r"\s")
_ASCII_TO_SPACES = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))


def split_tokens(text: str, lowercase: bool = True) -> list[str]:
    """Split a text into its unbroken runs of letters and digits, in order; anything else, an underscore too, ends a run.

    Text is brought to Unicode's composed form (NFC) first, and combining marks belong to the run of their letter, so
    that é is one letter however it was typed, and Hindi words stay whole.
    """
    if text.isascii():  # translate + split takes a third of the time of a regular expression
        return (text.lower() if lowercase else text).translate(_ASCII_TO_SPACES).split()
    text = unicodedata.normalize("NFC", text.lower() if lowercase else text)
    text = text.replace("i\u0307", "i")  # what İ becomes in lower case; istanbul has no second dot
    return _run_finder()(text.replace("_", " "))


@lru_cache(maxsize=1)
def _run_finder() -> Callable[[str], list[str]]:
    """A function that finds letters and digits with their combining marks, which Python's ``\\w`` does not match."""
    marks = "".join(chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code)).startswith("M"))
    return re.compile(rf"[^\W_][\w{marks}]*").findall


def cut_at_spaces(text: str, length: int = PIECE_LENGTH) -> Iterator[str]:
    """Split a text into pieces of ``length`` or a little more, each up to a space, so that no token is split."""
    start = 0
    while start < len(text):
        space = _SPACE.search(text, start + length)
        end = space.start() if space else len(text)
        yield text[start:end]
        start = end


def is_token(run: str) -> bool:
    """Whether a run of letters and digits is a token: it has 2 to 64 characters and starts with a letter."""
    return 2 <= len(run) <= LONGEST_TOKEN and run[0].isalpha()


@final
class Tokenizer:
    """Split a text into the tokens to count: words of 2 to 64 letters and digits, without stop words, or n-grams of them.

    Parameters
    ----------
    stop_words : "english", None or collection of str, default="english"
        Words to leave out. Given words are split like any text, so "Don't" leaves out "don".
    ngram_range : tuple of (int, int), default=(1, 1)
        The smallest and the largest number of consecutive words in a token, after stop words are removed; (1, 2) gives
        words and pairs.
    lowercase : bool, default=True
        Whether text is turned into lower case.

    Attributes
    ----------
    stop_words : frozenset of str
        The tokens that are left out.
    ngram_range : tuple of (int, int)
        As given.
    lowercase : bool
        As given.

    Raises
    ------
    BadParameter
        ``stop_words`` or ``ngram_range`` has no possible value.

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
    """

    def __init__(
        self,
        stop_words: str | Collection[str] | None = "english",
        ngram_range: tuple[int, int] = (1, 1),
        lowercase: bool = True,
    ) -> None:
        self.stop_words = check_stop_words(stop_words, lowercase)
        self.ngram_range = check_ngram_range(ngram_range)
        self.lowercase = lowercase
        self._keeps = _Decisions(self.stop_words).__getitem__

    def __call__(self, text: str) -> Iterable[str]:
        """Yield the tokens of ``text`` in order, once per occurrence."""
        runs = chain.from_iterable(split_tokens(piece, self.lowercase) for piece in cut_at_spaces(text))
        tokens = filter(self._keeps, runs)
        return tokens if self.ngram_range == (1, 1) else ngrams(list(tokens), *self.ngram_range)


class _Decisions(dict[str, bool]):
    """Which runs to keep: decided once for each and then looked up, since a corpus repeats the same few tokens."""

    def __init__(self, stop_words: frozenset[str]) -> None:
        super().__init__()
        self.stop_words = stop_words

    def __missing__(self, run: str) -> bool:
        kept = is_token(run) and run not in self.stop_words
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
            f"stop_words must be 'english', None or a collection of words, got the string {stop_words!r}. Use a list."
        )
    if not isinstance(stop_words, Collection) or not all(isinstance(word, str) for word in stop_words):
        raise BadParameter(
            f"stop_words must be 'english', None or a collection of str, got {stop_words!r:.80}. Use a list of words."
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

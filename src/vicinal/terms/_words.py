"""Words of a text: unbroken runs of letters and digits, or pairs of characters where words are not spaced; English stop words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS as SCIKIT_LEARN_STOP_WORDS

from vicinal._scripts import is_ideograph, is_unspaced, plain_characters, with_bigrams

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


def split_tokens(
    text: str,
    lowercase: bool = True,
    *,
    bigrams: bool = False,
    turkish: bool = False,
    segment: Callable[[str], Iterable[str] | None] = lambda run: None,
) -> list[str]:
    """Split a text into its unbroken runs of letters and digits, in order; anything else, an underscore too, ends a run.

    Text is brought to Unicode's composed form (NFC) first, and combining marks belong to the run of their letter, so
    that é is one letter however it was typed, and Hindi words stay whole.

    With ``bigrams`` runs of Chinese, Japanese, Korean, Thai and others become pairs of characters, ligatures become letters,
    and soft hyphens part no word; ``segment`` may know the words of such runs. With ``turkish`` the small letter of I is ı.
    """
    if turkish and lowercase:
        text = text.replace("I", "ı").replace("İ", "i")
    if text.isascii():  # translate + split takes a third of the time of a regular expression
        return (text.lower() if lowercase else text).translate(_ASCII_TO_SPACES).split()
    text = plain_characters(text) if bigrams else text
    text = unicodedata.normalize("NFC", text.lower() if lowercase else text)
    text = text.replace("i\u0307", "i")  # what İ becomes in lower case; istanbul has no second dot
    runs = _run_finder()(text.replace("_", " "))
    return list(with_bigrams(runs, segment)) if bigrams and is_unspaced(text) else runs


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


def is_token_or_ideograph(run: str) -> bool:
    """Whether a run is a token where Chinese is read: a single character that stands by itself is one, too."""
    return is_token(run) or is_ideograph(run)

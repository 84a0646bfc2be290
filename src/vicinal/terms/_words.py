"""Words of a text: unbroken runs of letters and digits, or pairs of characters where words are not spaced; English stop words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from vicinal._scripts import is_ideograph, is_unspaced, plain_characters, with_bigrams

#: Longer runs of letters are encoded attachments, keys and rulers; the words of any language are far shorter.
LONGEST_TOKEN = 64

#: An apostrophe ends a token, so "don't" becomes "don" and "we'll" becomes "ll", which are stop words as well.
#: "won" is not among them, since it is a word of its own.
CONTRACTION_PARTS = """
    ain aren couldn didn doesn don hadn hasn haven isn ll mightn mustn needn oughtn shan shouldn ve wasn weren wouldn
"""

#: scikit-learn's list of English stop words, copied (a test compares them), so that a search need not import scikit-learn.
SCIKIT_LEARN_STOP_WORDS = """
    a about above across after afterwards again against all almost alone along already also although always am among
    amongst amoungst amount an and another any anyhow anyone anything anyway anywhere are around as at back be became
    because become becomes becoming been before beforehand behind being below beside besides between beyond bill both
    bottom but by call can cannot cant co con could couldnt cry de describe detail do done down due during each eg
    eight either eleven else elsewhere empty enough etc even ever every everyone everything everywhere except few
    fifteen fifty fill find fire first five for former formerly forty found four from front full further get give go
    had has hasnt have he hence her here hereafter hereby herein hereupon hers herself him himself his how however
    hundred i ie if in inc indeed interest into is it its itself keep last latter latterly least less ltd made many
    may me meanwhile might mill mine more moreover most mostly move much must my myself name namely neither never
    nevertheless next nine no nobody none noone nor not nothing now nowhere of off often on once one only onto or
    other others otherwise our ours ourselves out over own part per perhaps please put rather re same see seem seemed
    seeming seems serious several she should show side since sincere six sixty so some somehow someone something
    sometime sometimes somewhere still such system take ten than that the their them themselves then thence there
    thereafter thereby therefore therein thereupon these they thick thin third this those though three through
    throughout thru thus to together too top toward towards twelve twenty two un under until up upon us very via was
    we well were what whatever when whence whenever where whereafter whereas whereby wherein whereupon wherever
    whether which while whither who whoever whole whom whose why will with within without would yet you your yours
    yourself yourselves
"""

#: Words in scikit-learn's list that can be what a document is about: a fire, a bill in parliament, an interest rate.
SUBJECTS = """
    amount bill cry describe detail empty fill fire interest mill serious sincere system thick thin
"""

#: Frequent English words that `Tokenizer` leaves out: scikit-learn's list without words that can be a document's subject,
#: and with the parts of contractions.
ENGLISH_STOP_WORDS: frozenset[str] = (
    frozenset(SCIKIT_LEARN_STOP_WORDS.split()).union(CONTRACTION_PARTS.split()).difference(SUBJECTS.split())
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
    runs = _run_pattern().findall(text.replace("_", " "))
    return list(with_bigrams(runs, segment)) if bigrams and is_unspaced(text) else runs


def word_spans(text: str) -> Iterator[tuple[int, int]]:
    """Beginning and end of each unbroken run of letters and digits, as `split_tokens` splits them, in the text as it is."""
    return (found.span() for found in _run_pattern().finditer(text.replace("_", " ")))


@lru_cache(maxsize=1)
def _run_pattern() -> re.Pattern[str]:
    """Letters and digits with their combining marks, which Python's ``\\w`` does not match."""
    marks = "".join(chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code)).startswith("M"))
    return re.compile(rf"[^\W_][\w{marks}]*")


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

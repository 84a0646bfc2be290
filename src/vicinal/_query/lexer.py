"""From the text of a query to tokens: words, phrases, prefixes, operators and parentheses, each with its position.

Whether a character is syntax depends on where it stands. A quotation mark or a parenthesis opens at the beginning of a word and
closes at its end, a sign stands before a letter, a field is a name that documents have with a colon and no blank behind it, and
AND, OR and NOT are in capitals. All else is text: ``state-of-the-art``, ``don't``, ``5" pipe``, ``f(x)``, ``note: this``, ``-5``.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import final

from vicinal._query.nodes import SIGN
from vicinal.errors import BadQuery

OPERATORS = ("AND", "OR", "NOT")
#: A text in capitals with more words than that is a text, and its AND, OR and NOT are words.
FEW_WORDS = 3
#: A text with more words than that, beside phrases, is a text, unless it has operators: nothing in it is syntax.
MANY_WORDS = 12
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“]*“|«[^»]*»")
_CLOSING = {'"': '"', "“": "”", "„": "“", "«": "»"}
_PREFIX = re.compile(r"([^\W_]{2,})\*")
_FIELD = re.compile(r"([^\W\d][\w.-]*):(?=[^\s/:)])")
_WORD = re.compile(r"\S+")
_CLOSED = re.compile(r"(.*?)(\)+)[,.;:!?]*", re.DOTALL)


@final
@dataclass(frozen=True)
class Token:
    """A piece of a query.

    Attributes
    ----------
    kind : str
        "word", "phrase", "prefix", "field", or the operator itself: + - ( ) AND OR NOT.
    text : str
    position : int
        Where it begins, from 0.
    """

    kind: str
    text: str
    position: int


@final
@dataclass(frozen=True)
class Syntax:
    """What counts as syntax in a text.

    Attributes
    ----------
    fields : frozenset of str
        Names that may stand before a colon, in small letters.
    operators : bool
        Whether AND, OR and NOT are operators.
    parentheses : bool
        Whether parentheses group.
    """

    fields: frozenset[str]
    operators: bool
    parentheses: bool = True


def has_operators(text: str) -> bool:
    """Whether AND, OR or NOT stands in a text as an operator: in capitals, and not as one of many words in capitals."""
    words = text.split()
    others = [word for word in (each.strip("()") for each in words) if word not in OPERATORS and word.lower() != word.upper()]
    shouted = len(others) > FEW_WORDS and not any(word != word.upper() for word in others)
    return not shouted and any(word.strip("()") in OPERATORS for word in words)


def is_prose(text: str) -> bool:
    """Whether a text is so long that its quotation marks, signs and parentheses are those of a text: an abstract, a letter."""
    return len(_QUOTED.sub(" ", text).split()) > MANY_WORDS


def tokens(text: str, syntax: Syntax) -> Iterator[Token]:
    """Split a query into tokens, from left to right.

    Raises
    ------
    BadQuery
        A quotation mark is never closed, in a query with operators; in any other it is text.
    """
    at = 0
    while (at := _next(text, at)) < len(text):
        at = yield from _token(text, at, syntax)


def _next(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _token(text: str, at: int, syntax: Syntax) -> Generator[Token, None, int]:
    """Give the tokens that begin here, and return where the next one may begin."""
    signed = SIGN.match(text, at) and (syntax.parentheses or text[at + 1] != "(")
    if signed or (text[at] == "(" and syntax.parentheses):
        yield Token(text[at], text[at], at)
        return at + 1
    field = _FIELD.match(text, at)
    if field and field[1].lower() in syntax.fields:
        yield Token("field", field[1].lower(), at)
        return field.end()
    if text[at] in _CLOSING and (end := _end_of_phrase(text, at, syntax)) > 0:
        yield Token("phrase", " ".join(text[at + 1 : end].replace('"', " ").split()), at)
        return end + 1
    return (yield from _word(text, at, syntax))


def _end_of_phrase(text: str, at: int, syntax: Syntax) -> int:
    """Where the quotation mark at a position is closed; -1 where it is text."""
    end = text.find(_CLOSING[text[at]], at + 1)
    if end < 0 and syntax.operators:
        raise BadQuery.at(text, at, "the quotation mark is never closed", "Close it, or leave it out")
    ends = end >= 0 and not text[end + 1 : end + 2].isalnum()
    return end if ends and any(map(str.isalnum, text[at + 1 : end])) else -1


def _word(text: str, at: int, syntax: Syntax) -> Generator[Token, None, int]:
    found = _WORD.match(text, at)
    assert found is not None
    chunk, end = found[0], found.end()
    inner, n_closed = _without_closing(chunk) if syntax.parentheses else (chunk, 0)
    if inner:
        yield _classified(inner, at, syntax)
    for i in range(n_closed):
        yield Token(")", ")", at + len(inner) + i)
    return end


def _without_closing(chunk: str) -> tuple[str, int]:
    """A word without the parentheses that close at its end, and their number: those that it did not open itself."""
    found = _CLOSED.fullmatch(chunk)
    if found is None:
        return chunk, 0
    own = max(found[1].count("(") - found[1].count(")"), 0)
    closed = max(len(found[2]) - own, 0)
    return (found[1] + ")" * (len(found[2]) - closed), closed) if closed else (chunk, 0)


def _classified(word: str, at: int, syntax: Syntax) -> Token:
    if syntax.operators and word in OPERATORS:
        return Token(word, word, at)
    prefix = _PREFIX.fullmatch(word)
    return Token("prefix", prefix[1], at) if prefix else Token("word", word, at)

"""From the tokens of a query to its tree. Text without AND, OR or NOT in capitals never fails: what is no syntax is text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from vicinal._query.length import refuse_long
from vicinal._query.lexer import OPERATORS, Syntax, Token, has_operators, is_prose, tokens
from vicinal._query.nodes import Both, Either, Field, Must, Node, Not, Phrase, Prefix, SideBySide, Word
from vicinal.errors import BadQuery

#: Parentheses and signs inside each other, which no person writes.
DEEPEST = 50
_LEAVES: dict[str, type[Word | Phrase | Prefix]] = {"word": Word, "phrase": Phrase, "prefix": Prefix}


def parse_query(text: str, fields: Iterable[str] = ("title", "text")) -> SideBySide:
    """Parse a query.

    Parameters
    ----------
    text : str
    fields : iterable of str, default=("title", "text")
        Names that may stand before a colon; any other is text.

    Returns
    -------
    SideBySide
        Its ``inner()`` is a query that is parsed into the same tree.

    Raises
    ------
    BadQuery
        Something is wrong around AND, OR or NOT, and the message has the position; or it is too long. No other query is wrong.
    """
    refuse_long(text, "the query")
    names, operators = frozenset(name.lower() for name in fields), has_operators(text)
    if is_prose(text) and not operators:
        return SideBySide(tuple(map(Word, text.split())))
    try:
        return _QueryParser(text, Syntax(names, operators)).query()
    except BadQuery:
        if operators:
            raise
    return _QueryParser(text, Syntax(names, operators=False, parentheses=False)).query()


def _required(node: Node) -> Node:
    """A sign before a sign says nothing new: what is required or excluded is so already."""
    return node if isinstance(node, Must | Not) else Must(node)


def _excluded(node: Node) -> Node:
    """Two negations are a requirement."""
    match node:
        case Not(inner):
            return Must(inner)
        case Must(inner):
            return Not(inner)
    return Not(node)


def _in_field(name: str, node: Node) -> Node:
    """A sign stands before the field: ``title:-word`` is ``-title:word``."""
    return type(node)(Field(name, node.node)) if isinstance(node, Must | Not) else Field(name, node)


@final
class _QueryParser:
    """A parser by recursive descent: a method for each rule of the grammar.

    Parameters
    ----------
    text : str
    syntax : Syntax
    """

    def __init__(self, text: str, syntax: Syntax) -> None:
        self._text = text
        self._tokens = list(tokens(text, syntax))
        self._at = 0
        self._depth = 0

    def query(self) -> SideBySide:
        """query = item*, and nothing behind it."""
        nodes = self._items()
        if self._peek() is not None:
            raise self._wrong(self._tokens[self._at], "the parenthesis was never opened", "Leave it out, or open it")
        return SideBySide(nodes)

    def _items(self) -> tuple[Node, ...]:
        """item*, up to a closing parenthesis."""
        found: list[Node] = []
        while (token := self._peek()) is not None and token.kind != ")":
            found.append(self._either())
        return tuple(found)

    def _either(self) -> Node:
        """item = both (OR both)*."""
        found = [self._both()]
        while self._took("OR"):
            found.append(self._both())
        return found[0] if len(found) == 1 else Either(tuple(found))

    def _both(self) -> Node:
        """both = unary (AND unary)*."""
        found = [self._unary()]
        while self._took("AND"):
            found.append(self._unary())
        return found[0] if len(found) == 1 else Both(tuple(found))

    def _unary(self) -> Node:
        """unary = (NOT | - | +) unary | primary."""
        token = self._peek()
        if token is None or token.kind not in ("NOT", "-", "+"):
            return self._primary()
        self._at += 1
        self._deeper(token)
        inner = self._unary()
        self._depth -= 1
        return _required(inner) if token.kind == "+" else _excluded(inner)

    def _primary(self) -> Node:
        """primary = word | phrase | prefix | field primary | ( query )."""
        token = self._peek()
        if token is None or token.kind in (")", *OPERATORS):
            raise self._missing()
        self._at += 1
        if token.kind == "(":
            return self._group(token)
        if token.kind != "field":
            return _LEAVES[token.kind](token.text)
        self._deeper(token)
        inner = self._unary()
        self._depth -= 1
        return _in_field(token.text, inner)

    def _group(self, opened: Token) -> Node:
        self._deeper(opened)
        nodes = self._items()
        self._depth -= 1
        if self._took(")") is None:
            raise self._wrong(opened, "the parenthesis is never closed", "Close it, or leave it out")
        if not nodes:
            raise self._wrong(opened, "the parentheses are empty", "Put a word between them, or leave them out")
        return nodes[0] if len(nodes) == 1 and isinstance(nodes[0], Both | Either | SideBySide) else SideBySide(nodes)

    def _deeper(self, token: Token) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._wrong(token, f"more than {DEEPEST} signs and parentheses are inside each other", "Use fewer")

    def _peek(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _took(self, kind: str) -> Token | None:
        token = self._peek()
        if token is None or token.kind != kind:
            return None
        self._at += 1
        return token

    def _missing(self) -> BadQuery:
        """What to say where a word should stand: of the operator before it, or of the one in its place."""
        here, before = self._peek(), self._tokens[self._at - 1] if self._at else None
        if before is not None and before.kind in OPERATORS:
            return self._wrong(before, f"{before.kind} has nothing behind it", "Add a word, or write it in small letters")
        if here is not None and here.kind in OPERATORS:
            return self._wrong(here, f"{here.kind} has nothing before it", "Add a word, or write it in small letters")
        where = before or here
        assert where is not None
        return self._wrong(where, f"{where.text!r} has nothing behind it", "Add a word, or leave it out")

    def _wrong(self, token: Token, what: str, todo: str) -> BadQuery:
        return BadQuery.at(self._text, token.position, what, todo)

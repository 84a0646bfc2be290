"""A parsed query as a tree of frozen values; ``str`` writes it as a query that is parsed into the same tree.

Plain words rank documents and exclude none. Everything that is marked must hold: phrases, prefixes, fields, ``+``, ``-``, AND, OR
and NOT. Inside one of these, words side by side must all be there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias, final

#: A sign is one before a letter, a quotation mark or a parenthesis: -word, but not -5, and not rock -n- roll.
SIGN = re.compile(r"[+-](?=[^\W\d_](?!\S*-(?:\s|$))|[\"“„«(])")


@final
@dataclass(frozen=True)
class Word:
    """A plain word, or anything else between two blanks.

    Attributes
    ----------
    text : str
    """

    text: str

    def __str__(self) -> str:
        return self.text


@final
@dataclass(frozen=True)
class Phrase:
    """Words that stand together in this order.

    Attributes
    ----------
    text : str
        Without quotation marks.
    """

    text: str

    def __str__(self) -> str:
        return f'"{self.text}"'


@final
@dataclass(frozen=True)
class Prefix:
    """Words that begin so.

    Attributes
    ----------
    text : str
        Without the asterisk.
    """

    text: str

    def __str__(self) -> str:
        return f"{self.text}*"


@final
@dataclass(frozen=True)
class Field:
    """What must be found in one field of a document.

    Attributes
    ----------
    name : str
        Title, text, or a column of the metadata.
    node : Node
    """

    name: str
    node: Node

    def __str__(self) -> str:
        return f"{self.name}:{self.node}"


@final
@dataclass(frozen=True)
class Must:
    """What must be there: ``+word``.

    Attributes
    ----------
    node : Node
    """

    node: Node

    def __str__(self) -> str:
        signed = f"+{self.node}"
        return signed if SIGN.match(signed) else f"NOT NOT {self.node}"


@final
@dataclass(frozen=True)
class Not:
    """What must not be there: ``-word`` or ``NOT word``.

    Attributes
    ----------
    node : Node
    """

    node: Node

    def __str__(self) -> str:
        signed = f"-{self.node}"
        return signed if SIGN.match(signed) else f"NOT {self.node}"


@final
@dataclass(frozen=True)
class Both:
    """All of several: ``one AND other``.

    Attributes
    ----------
    nodes : tuple of Node
    """

    nodes: tuple[Node, ...]

    def __str__(self) -> str:
        return _in_parentheses(" AND ".join(map(str, self.nodes)))


@final
@dataclass(frozen=True)
class Either:
    """At least one of several: ``one OR other``.

    Attributes
    ----------
    nodes : tuple of Node
    """

    nodes: tuple[Node, ...]

    def __str__(self) -> str:
        return _in_parentheses(" OR ".join(map(str, self.nodes)))


@final
@dataclass(frozen=True)
class SideBySide:
    """Nodes side by side: a whole query, or what stands in parentheses.

    Attributes
    ----------
    nodes : tuple of Node
    """

    nodes: tuple[Node, ...]

    def __str__(self) -> str:
        return _in_parentheses(self.inner())

    def inner(self) -> str:
        """The nodes side by side without parentheses, as a whole query is written."""
        return " ".join(map(str, self.nodes))


Node: TypeAlias = Word | Phrase | Prefix | Field | Must | Not | Both | Either | SideBySide


def _in_parentheses(text: str) -> str:
    """A group; a blank keeps its end apart from a word that has an open parenthesis of its own."""
    last = text.rpartition(" ")[2]
    return f"({text} )" if last.count("(") > last.count(")") else f"({text})"


def children(node: Node) -> tuple[Node, ...]:
    """The nodes inside a node."""
    match node:
        case Both(nodes) | Either(nodes) | SideBySide(nodes):
            return nodes
        case Field(_, inner) | Must(inner) | Not(inner):
            return (inner,)
    return ()


def requirements(query: SideBySide) -> tuple[Node, ...]:
    """What must hold of every document that a query finds; empty where the query only ranks."""
    return tuple(_marked(query))


def _marked(node: SideBySide) -> Iterator[Node]:
    for each in node.nodes:
        if isinstance(each, SideBySide):
            yield from _marked(each)
        elif not isinstance(each, Word):
            yield each


def sought(node: Node, texts: frozenset[str]) -> Iterator[Word | Phrase | Prefix]:
    """The words, phrases and prefixes that a query looks for in titles and texts, in order: not those that it excludes.

    Parameters
    ----------
    node : Node
    texts : frozenset of str
        The fields that are text; the words of others are not looked for in it.
    """
    match node:
        case Word() | Phrase() | Prefix():
            yield node
        case Not():
            return
        case Field(name, _) if name not in texts:
            return
        case _:
            for each in children(node):
                yield from sought(each, texts)

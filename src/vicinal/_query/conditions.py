"""Conditions on the metadata of documents as people type them: ``year>=1998 AND (section=arts OR NOT label in (news, sport))``.

A comparison is a column, an operation and a value. AND, OR and NOT are in capitals, so that ``title~war and peace`` is one
comparison; a value goes on to the next of them, to the parenthesis that closes, or to the end, and stands in quotation marks
where it has one of these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, TypeAlias, final

from vicinal._query.length import refuse_long
from vicinal.errors import BadQuery

_OPERATION = re.compile(r"!=|<=|>=|==|=|<|>|~|\b(?:not\s+in|in|NOT\s+IN|IN)\b\s*(?=\()|\b(?:contains|CONTAINS)\b")
_WHOLE = re.compile(r"[+-]?(0|[1-9][0-9]*)")  # 02139 is a text, as it is when a table is read
_DECIMAL = re.compile(r"[+-]?([0-9]+\.[0-9]*|\.?[0-9]+)([eE][+-]?[0-9]+)?")
_JOINER = re.compile(r"\s*\b(AND|OR)\b\s*")
_NOT = re.compile(r"NOT\b(?!\s+IN\b)\s*")
_NAMES = {"==": "="}
DEEPEST = 50

Value: TypeAlias = "str | int | float"


@final
@dataclass(frozen=True)
class Comparison:
    """A column compared with a value.

    Attributes
    ----------
    column : str
    operation : str
        One of = != < <= > >= in contains.
    value : object
        A list for "in".
    """

    column: str
    operation: str
    value: Any


@final
@dataclass(frozen=True)
class And:
    """All conditions hold.

    Attributes
    ----------
    conditions : tuple of Condition
    """

    conditions: tuple[Condition, ...]


@final
@dataclass(frozen=True)
class Or:
    """At least one condition holds.

    Attributes
    ----------
    conditions : tuple of Condition
    """

    conditions: tuple[Condition, ...]


@final
@dataclass(frozen=True)
class Negated:
    """A condition does not hold.

    Attributes
    ----------
    condition : Condition
    """

    condition: Condition


Condition: TypeAlias = "Comparison | And | Or | Negated"


def parse_condition(text: str) -> Condition:
    """Parse a condition.

    Parameters
    ----------
    text : str

    Returns
    -------
    Condition

    Raises
    ------
    BadQuery
        The text is no condition; the message has the position.
    """
    refuse_long(text, "the condition")
    parser = _ConditionParser(text)
    found = parser.any_of()
    if parser.rest():
        raise parser.wrong("this was not expected", "Put AND or OR before it, or quotation marks around a value")
    return found


@final
class _ConditionParser:
    """A parser by recursive descent over the characters of a condition.

    Parameters
    ----------
    text : str
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    def rest(self) -> str:
        """What is not parsed yet."""
        self._skip()
        return self._text[self._at :]

    def wrong(self, what: str, todo: str, at: int | None = None) -> BadQuery:
        """The error at the present position, or at another."""
        return BadQuery.at(self._text, self._at if at is None else at, what, todo, "the condition")

    def any_of(self) -> Condition:
        """any_of = all_of (OR all_of)*."""
        found = [self._all_of()]
        while self._took_joiner("OR"):
            found.append(self._all_of())
        return found[0] if len(found) == 1 else Or(tuple(found))

    def _all_of(self) -> Condition:
        """all_of = unary (AND unary)*."""
        found = [self._unary()]
        while self._took_joiner("AND"):
            found.append(self._unary())
        return found[0] if len(found) == 1 else And(tuple(found))

    def _unary(self) -> Condition:
        """unary = NOT unary | ( any_of ) | comparison."""
        self._skip()
        start = self._at
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.wrong(f"more than {DEEPEST} parentheses are inside each other", "Use fewer")
        if negation := _NOT.match(self._text, self._at):
            self._at = negation.end()
            found: Condition = Negated(self._unary())
        elif self._text.startswith("(", self._at):
            self._at += 1
            found = self.any_of()
            self._close(start)
        else:
            found = self._comparison()
        self._depth -= 1
        return found

    def _close(self, opened: int) -> None:
        self._skip()
        if not self._text.startswith(")", self._at):
            raise self.wrong("the parenthesis is never closed", "Close it", opened)
        self._at += 1

    def _comparison(self) -> Condition:
        start, column = self._at, self._column()
        self._skip()
        operation = _OPERATION.match(self._text, self._at)
        if operation is None or not column:
            raise self.wrong("there is no column with one of = != < <= > >= ~ or in", "Write 'year>=1998'", start)
        self._at = operation.end()
        name = " ".join(operation[0].lower().split())
        if name in ("in", "not in"):
            among = Comparison(column, "in", self._list())
            return among if name == "in" else Negated(among)
        self._skip()
        if name in ("~", "contains"):
            return Comparison(column, "contains", self._value(numbers=False))
        return Comparison(column, _NAMES.get(name, name), self._value())

    def _column(self) -> str:
        """The name before the operation, which may have blanks; or one in quotation marks, which may have anything."""
        if self._text[self._at : self._at + 1] in ('"', "'"):
            quoted = self._quoted()
            if quoted is not None:
                return quoted
        found = _OPERATION.search(self._text, self._at)
        end = found.start() if found else len(self._text)
        name = self._text[self._at : end].strip()
        if found is None or not name or _JOINER.search(f" {name} "):
            return ""
        self._at = end
        return name

    def _list(self) -> list[Value]:
        """( value, value … )."""
        opened, found = self._at, list[Value]()
        self._at += 1
        while True:
            self._skip()
            if self._text.startswith(")", self._at):
                self._at += 1
                return found
            if self._at >= len(self._text):
                raise self.wrong("the list is never closed", "Write 'year in (1998, 1999)'", opened)
            found.append(self._value(ends=","))
            self._skip()
            if self._text.startswith(",", self._at):
                self._at += 1

    def _value(self, numbers: bool = True, ends: str = "") -> Value:
        """A value: in quotation marks, or up to AND, OR, a parenthesis that closes, or the end."""
        quoted = self._quoted() if self._text[self._at : self._at + 1] in ('"', "'") else None
        if quoted is not None:
            return quoted
        start, depth = self._at, 0
        while self._at < len(self._text):
            character = self._text[self._at]
            depth += (character == "(") - (character == ")")
            if depth < 0 or (character in ends and not depth) or (character.isspace() and _JOINER.match(self._text, self._at)):
                break
            self._at += 1
        text = self._text[start : self._at].strip()
        return as_number(text) if numbers else text

    def _quoted(self) -> str | None:
        """The text in quotation marks that begins here, where the end of a value is behind it; None where the marks are text."""
        mark = self._text[self._at]
        end = self._text.find(mark, self._at + 1)
        behind = self._text[end + 1 :].lstrip()
        ends = not behind or behind[0] in "),=!<>~" or _JOINER.match(f" {behind}") or _OPERATION.match(behind)
        if end < 0 or not ends:
            return None
        text, self._at = self._text[self._at + 1 : end], end + 1
        return text

    def _took_joiner(self, name: str) -> bool:
        found = _JOINER.match(self._text, self._at)
        if found is None or found[1] != name:
            return False
        self._at = found.end()
        if not self.rest():
            raise self.wrong(f"{name} has nothing behind it", "Add a condition", found.start(1))
        return True

    def _skip(self) -> None:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1


def as_number(text: str) -> Value:
    """A number where the text is one."""
    if _WHOLE.fullmatch(text):
        return int(text) if len(text) < 20 else float(text)
    if _DECIMAL.fullmatch(text) and not re.match(r"[+-]?0[0-9]", text):
        return float(text)
    return text

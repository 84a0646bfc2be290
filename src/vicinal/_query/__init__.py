"""The query language: queries and conditions as people type them, parsed into small trees; and words that were probably meant."""

from vicinal._query.conditions import And, Comparison, Condition, Negated, Or, parse_condition
from vicinal._query.length import LONGEST_QUESTION, refuse_long
from vicinal._query.nodes import Both, Either, Field, Must, Node, Not, Phrase, Prefix, SideBySide, Word
from vicinal._query.parser import parse_query
from vicinal._query.periods import Period, parse_period

__all__ = [
    "LONGEST_QUESTION",
    "And",
    "Both",
    "Comparison",
    "Condition",
    "Either",
    "Field",
    "Must",
    "Negated",
    "Node",
    "Not",
    "Or",
    "Period",
    "Phrase",
    "Prefix",
    "SideBySide",
    "Word",
    "parse_condition",
    "parse_period",
    "parse_query",
    "refuse_long",
]

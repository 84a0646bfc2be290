"""From the markup of a documentation string (reStructuredText, numpydoc) to plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc

HEADINGS = frozenset(
    {"attributes", "example", "examples", "methods", "notes", "other parameters", "parameters", "raises", "receives"}
    | {"references", "returns", "see also", "warnings", "warns", "yields"}
)

# Directives whose content is a formula, a program, a picture or the history of an interface: no text about the subject.
_BLOCK = re.compile(
    r"(\s*)\.\.\s+(?:math|plot|code|code-block|sourcecode|image|figure|index|only|highlight|testsetup|testcode|doctest|ipython"
    r"|versionadded|versionchanged|deprecated|legacy|jupyterlite|replite|try_examples|currentmodule|_[^:]+)(?:::|:)"
)
_DIRECTIVE = re.compile(r"\s*\.\.\s+(?:\[[^\]]+\]|\|[^|]+\| *\w+::|[\w:-]+::)")
_ADORNMENT = re.compile(r"\s*(?:([-=~^\"'*+#`.:_])\1{2,}|--|[-=+|\s]{3,})\s*")
_SIGNATURE = re.compile(r"[\w.]+\([^()]*(?:\([^()]*\)[^()]*)*\)(?:\s*->[\w\s,.|\[\]()]{0,40})?\s*")
_INLINE: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r":math:`[^`]*`"), " "),
    (re.compile(r"(?::[\w.+:-]+:)?`([^`<]+?)\s*<[^`>]*>`_{0,2}"), r"\1"),
    (re.compile(r":[\w.+:-]+:`[~!.]?([^`]*)`"), r"\1"),
    (re.compile(r"``([^`]*(?:`[^`]+)*)``"), r"\1"),
    (re.compile(r"`~?([^`\n]*)`_{0,2}"), r"\1"),
    (re.compile(r"\[[\w*#]+\]_"), " "),
    (re.compile(r"(?<![\w*])(\*{1,2})([^\s*](?:[^*\n]*[^\s*])?)\1(?![\w*])"), r"\2"),
    (
        re.compile(r"(?m)^\s*:(?:param|parameter|arg|argument|key|keyword|type|returns?|rtype|raises?|ivar|var|cvar)\b([^:\n]*):"),
        r"\1",
    ),
    (re.compile(r"%\(\w+\)[sdr]"), " "),
    (re.compile(r"(?m)::\s*$"), ":"),
    (re.compile(r"<BLANKLINE>|>>>"), " "),
)


def plain_text(docstring: str) -> str:
    """Leave only what a documentation string says: no examples to run, formulas, underlines, roles or quotes.

    The headings of numpydoc ("Parameters", "Returns", …) go, what stands under them stays.
    """
    lines = _without_headings(_without_blocks(_without_doctests(cleandoc(docstring).splitlines())))
    text = "\n".join(lines)
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    return _without_signature(_tidy(text))


def count_words(text: str) -> int:
    """How many pieces between spaces have a letter in them."""
    return len(re.findall(r"[^\W\d_]\S*", text))


def _without_doctests(lines: list[str]) -> Iterator[str]:
    """A line after the prompt and all that follows it up to an empty line is program and output."""
    inside = False
    for line in lines:
        inside = line.lstrip().startswith(">>>") or (inside and bool(line.strip()))
        if not inside:
            yield line


def _without_blocks(lines: Iterator[str]) -> Iterator[str]:
    indent: int | None = None
    for line in lines:
        if indent is not None and (not line.strip() or _indent(line) > indent):
            continue
        block = _BLOCK.match(line)
        indent = len(block[1]) if block else None
        if block is None:
            yield _DIRECTIVE.sub("", line, count=1) if _DIRECTIVE.match(line) else line


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _without_headings(lines: Iterator[str]) -> list[str]:
    kept: list[str] = []
    for line in lines:
        if not line.strip() or not _ADORNMENT.fullmatch(line):
            kept.append(line)
        elif kept and kept[-1].strip().lower() in HEADINGS:
            kept.pop()
    return kept


def _tidy(text: str) -> str:
    lines = (" ".join(line.split()) for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _without_signature(text: str) -> str:
    """Drop calls such as ``sum(a, axis=None) -> float`` that C functions begin with, when more follows."""
    for end in ("\n\n", "\n"):
        first, _, rest = text.partition(end)
        if rest.strip() and _SIGNATURE.fullmatch(first):
            return _without_signature(rest.strip())
    return text

"""LaTeX: the words of a source without commands, comments and the preamble; formulas are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input
from vicinal.corpus._formats.plain import titled

_BODY = re.compile(r"\\begin\{document\}(.*?)(?:\\end\{document\}|\Z)", re.DOTALL)
_TITLE = re.compile(r"\\title\s*(?:\[[^\]]*\])?\{((?:[^{}]|\{[^{}]*\})*)\}")
_FORMULAS = "equation|align|gather|multline|eqnarray|displaymath|math|tikzpicture|lstlisting|verbatim|thebibliography"
_RULES = (
    (re.compile(r"(?<!\\)%[^\n]*"), ""),
    (re.compile(rf"\\begin\{{({_FORMULAS})\*?\}}.*?\\end\{{\1\*?\}}", re.DOTALL), "\n"),
    (re.compile(r"\$\$[^$]*+\$\$|\\\[.*?\\\]|(?<!\\)\$[^$]*+\$|\\\(.*?\\\)", re.DOTALL), " "),
    (re.compile(r"\\(?:cite|ref|label|eqref|pageref|includegraphics|bibliography|bibliographystyle|input|usepackage|documentclass|vspace|hspace)"
                r"[a-z]{0,10}\*?(?:\[[^\]]*\])*\{[^{}]*\}"), " "),
    (re.compile(r"\\(?:begin|end)\{[^{}]*\}(?:\[[^\]]*\])?"), "\n"),
    (re.compile(r"\\(?:section|subsection|subsubsection|chapter|paragraph|part)\*?\{([^{}]*)\}"), r"\n\n\1\n\n"),
    (re.compile(r"\\item\b(?:\[([^\]]*)\])?"), r"\n\1 "),
    (re.compile(r"\\\\(?:\[[^\]]*\])?|\\par\b"), "\n"),
    (re.compile(r"\\[a-zA-Z]+\*?(?:\[[^\]]*\])?[ \t]?"), " "),
    (re.compile(r"\\([%&$#_{}])"), r"\1"),
    (re.compile(r"\{(\w{1,30})\}(?=\w)|(?<=\w)\{(\w{1,30})\}"), r"\1\2"),
    (re.compile(r"[{}~]"), " "),
    (re.compile(r"[ \t]+"), " "),
)  # fmt: skip
_ACCENT = re.compile(r"""\{?\\(["'`^~=.]|[uvHc](?=[\s{]))\s*\{?\\?([a-zA-Z])\}?\}?""")
#: Letters that have a command, which takes the blanks behind it.
_LETTERS = {"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł"}
_LETTER = re.compile(r"\{?\\(" + "|".join(_LETTERS) + r")(?![a-zA-Z])(?:\}|\{\}|[ \t]+)?")
_MARKS = dict(zip("\"'`^~=.uvHc", "\u0308\u0301\u0300\u0302\u0303\u0304\u0307\u0306\u030c\u030b\u0327", strict=True))


def latex(file: Input) -> Iterator[Document]:
    """Read a source as one text, with its title."""
    source = file.text()
    title = _TITLE.search(source)
    body = _BODY.search(source)
    yield titled(file, plain_text(body[1] if body else source), plain_text(title[1]) if title else "")


def plain_text(source: str) -> str:
    """The words of a LaTeX source."""
    source = _LETTER.sub(lambda found: _LETTERS[found[1]], _ACCENT.sub(lambda found: found[2] + _MARKS[found[1]], source))
    for pattern, replacement in _RULES:
        source = pattern.sub(replacement, source)
    return re.sub(r"\s*\n\s*\n\s*", "\n\n", source).strip()

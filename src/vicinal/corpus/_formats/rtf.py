"""Rich Text Format: its text without control words, pictures and tables of fonts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input
from vicinal.corpus._formats.plain import NO_TITLE, titled
from vicinal.corpus._read_report import Unreadable

#: A control word with its number, a byte in hexadecimal, a control symbol, a brace, or text.
_TOKEN = re.compile(r"\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-z'])|([{}])|([^\\{}\r\n]+)", re.IGNORECASE)
#: Groups that hold no text.
_UNSEEN = frozenset(
    {"fonttbl", "colortbl", "stylesheet", "info", "pict", "object", "header", "footer", "headerl", "headerr", "footerl", "footerr"}
    | {"themedata", "datastore", "listtable", "listoverridetable", "rsidtbl", "generator", "xmlnstbl", "mmathpr", "latentstyles"}
    | {"fldinst", "filetbl", "revtbl"}
)
_TITLE, _CODEPAGE = re.compile(r"\{\\title\s([^{}]{1,500})\}"), re.compile(r"\\ansicpg\d{1,5}")
#: What a file says of itself stands before its text, behind its fonts and styles.
_MOST_HEAD = 1_000_000
_BREAKS = {"par": "\n", "line": "\n", "sect": "\n\n", "page": "\n\n", "tab": "\t", "cell": "\t", "row": "\n"}
_BREAKS |= {"emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”"}
_SYMBOLS = {"~": "\u00a0", "_": "-", "-": "", "\\": "\\", "{": "{", "}": "}", "\n": "\n", "\r": "\n"}


def rtf(file: Input) -> Iterator[Document]:
    """Read the text of a file."""
    data = file.data().decode("latin-1")
    if not data.lstrip().startswith("{\\rtf"):
        raise Unreadable("not an RTF file")
    title = _title(data)
    yield titled(file, plain_text(data), "" if NO_TITLE.fullmatch(title) else title)


def _title(data: str) -> str:
    """The title among what a file says of itself."""
    head = data[:_MOST_HEAD]
    found, codepage = _TITLE.search(head, max(head.find("{\\info"), 0)), _CODEPAGE.search(head)
    return plain_text(f"{codepage[0] if codepage else ''}{{{found[1]}}}").strip() if found else ""


def plain_text(data: str) -> str:
    """The text of RTF whose bytes are given as characters."""
    pieces, pending = list[str](), bytearray()
    above, unseen, skip, width, codepage = list[tuple[bool, int]](), False, 0, 1, "cp1252"
    for word, number, byte, symbol, brace, text in _TOKEN.findall(data):
        if byte and not unseen:
            skip, pending = (skip - 1, pending) if skip else (0, pending + bytes.fromhex(byte))
            continue
        pieces.append(_decoded(pending, codepage))
        pending = bytearray()
        if brace == "{":
            above.append((unseen, width))
        elif brace == "}":
            unseen, width = above.pop() if above else (False, 1)
        elif word in _UNSEEN or symbol == "*":
            unseen = True
        elif word == "ansicpg":
            codepage = f"cp{number}"
        elif word == "uc":
            width = min(int(number or 1), 8)
        elif unseen:
            continue
        elif word == "u" and number:
            pieces.append(_character(int(number)))
            skip = width
        elif text:
            pieces.append(text[skip:])
            skip = 0
        else:
            pieces.append(_BREAKS.get(word, "") if word else _SYMBOLS.get(symbol, ""))
    return "".join([*pieces, _decoded(pending, codepage)]).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(code: int) -> str:
    return chr(code % 65_536)


def _decoded(data: bytes | bytearray, codepage: str) -> str:
    try:
        return bytes(data).decode(codepage, "replace")
    except LookupError:
        return bytes(data).decode("cp1252", "replace")

"""From bytes to text: encodings found or guessed, what cannot be text replaced, and every such act counted."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from vicinal.errors import BadParameter

#: How many bytes are looked at to tell text from other data.
SAMPLE = 65_536
#: As in Unicode's stream-safe text: no letter of any language carries more marks than this.
MOST_MARKS = 30
REPLACEMENT = "\ufffd"

_MARKS_OF_ORDER = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: Controls that no text has: all but backspace to carriage return and escape, which terminals write into their logs.
_CONTROLS = bytes({*range(8), *range(14, 27), 28, 29, 30, 31, 127})
_ESCAPED = re.compile("[\udc80-\udcff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ENCODED_SURROGATE = re.compile("\udced[\udca0-\udcbf][\udc80-\udcbf]")
_INVISIBLE = re.compile("[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]")
#: Where all combining characters are, and much else; a quick look that spares most texts a slow one.
_MAY_BE_A_TOWER = re.compile(f"[\u0300-\u30ff\ua66f-\uabff\ufb1e-\U0001ffff]{{{MOST_MARKS + 1}}}")
_WINDOWS = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(128, 256)}


@dataclass
class Tally:
    """What was guessed, replaced, left out or noticed while a source became text."""

    guessed: int = 0
    replaced: int = 0
    marks: int = 0
    invisible: int = 0

    def sentences(self) -> Iterator[str]:
        """One sentence for each thing that happened at all."""
        if self.guessed:
            yield f"bytes that are not UTF-8 and were read as Windows-1252: {self.guessed:,}"
        if self.replaced:
            yield f"bytes or characters that cannot be text and were replaced: {self.replaced:,}"
        if self.marks:
            yield f"combining characters left out, since more than {MOST_MARKS} stood on one letter: {self.marks:,}"
        if self.invisible:
            yield f"invisible characters (zero width, or turning the direction of writing), kept: {self.invisible:,}"


def checked_encoding(name: str | None) -> str | None:
    """Return the name of an encoding of text, or refuse it."""
    if name is None:
        return None
    try:
        "a".encode(name)  # says which codecs are not for text
        return codecs.lookup(name).name
    except (LookupError, TypeError, ValueError) as error:
        raise BadParameter(
            f"encoding must name an encoding of text, got {name!r}. Use encoding='utf-8', or None to find out."
        ) from error


def sniff(head: bytes) -> str | None:
    """Name the encoding in which text begins like this, UTF-8 when in doubt; None where it is no text."""
    for mark, name in _MARKS_OF_ORDER:
        if head.startswith(mark):
            return name
    wide = _wide(head)
    if wide:
        return wide
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return None if controls > max(1, len(head) // 50) else "utf-8"


def _wide(head: bytes) -> str | None:
    """UTF-16 without its mark: zeros in the upper bytes of many characters, never in the lower, and letters throughout."""
    head = head[: len(head) // 2 * 2]
    for name, upper, lower in (("utf-16-le", head[1::2], head[0::2]), ("utf-16-be", head[0::2], head[1::2])):
        if upper.count(0) * 20 >= max(len(upper), 20) and not lower.count(0):
            text = head.decode(name, "replace")
            odd = sum(unicodedata.category(character) in {"Cn", "Co", "Cs"} for character in text)
            controls = sum(character < " " and character not in "\b\t\n\v\f\r\x1b" for character in text)
            if (odd + controls) * 50 <= len(text):
                return name
    return None


def decode(data: bytes, tally: Tally, encoding: str | None = None, hint: str | None = None) -> str:
    """Turn bytes into text, whatever they are.

    ``encoding`` is taken at its word. Without it: a byte order mark, or UTF-16 that looks like it, or UTF-8; where the bytes
    are none of these, ``hint`` (what the document says of itself) if it fits, and else line by line Windows-1252, or
    replacement in lines that have UTF-8 too.
    """
    name = encoding or sniff(data[:SAMPLE]) or "utf-8"
    if encoding is None and name == "utf-8":
        text = data.decode("utf-8", "surrogateescape")
        if text.isascii() or not _ESCAPED.search(text):
            return text
        hinted = _hinted(data, hint)
        return mended(text, tally) if hinted is None else hinted
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        text = data.decode(name, "replace")
        tally.replaced += text.count(REPLACEMENT)
        return text


def _hinted(data: bytes, hint: str | None) -> str | None:
    try:
        return data.decode(hint) if hint else None
    except (LookupError, ValueError):
        return None


def mended(text: str, tally: Tally) -> str:
    """Give meaning to the bytes that a decoding of UTF-8 with ``surrogateescape`` set aside."""
    if text.isascii():
        return text
    return "".join(_mended_line(line, tally) for line in text.splitlines(keepends=True))


def _mended_line(line: str, tally: Tally) -> str:
    if line.isascii() or not _ESCAPED.search(line):
        return line
    line, surrogates = _ENCODED_SURROGATE.subn(REPLACEMENT, line)
    rest, escaped = _ESCAPED.subn("", line)
    if not rest.isascii():
        tally.replaced += surrogates + escaped
        return _ESCAPED.sub(REPLACEMENT, line)
    line = line.translate(_WINDOWS)
    unknown = line.count(REPLACEMENT)
    tally.guessed += escaped - unknown
    tally.replaced += unknown
    return line


def clean(text: str, tally: Tally) -> str:
    """Normalise a text (NFC, line ends) and take out what no text can hold: NULs, halves of characters, towers of marks."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        tally.replaced += text.count("\0")
        text = text.replace("\0", " ")
    if text.isascii():
        return text
    text, halves = _SURROGATE.subn(REPLACEMENT, text)
    tally.replaced += halves
    tally.invisible += len(_INVISIBLE.findall(text))
    return unicodedata.normalize("NFC", _without_towers(text, tally))


def _without_towers(text: str, tally: Tally) -> str:
    """Cut runs of combining characters short: to put a run in order takes time that grows with its square."""
    if not _MAY_BE_A_TOWER.search(text) or not _towers().search(text):
        return text
    shorter = _towers().sub(r"\1", text)
    tally.marks += len(text) - len(shorter)
    return shorter


@cache
def _towers() -> re.Pattern[str]:
    marks = "".join(chr(point) for point in range(0x300, 0x20000) if unicodedata.combining(chr(point)))
    return re.compile(f"([{marks}]{{{MOST_MARKS}}})[{marks}]+")


def one_line(text: str, width: int = 200) -> str:
    """Put a text on one line, with what cannot be printed written out, for reasons and notes."""
    shown = text if len(text) <= width else text[: width - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in shown)

"""Encodings older than Unicode, and UTF-16 without a mark, guessed by which of them makes frequent characters of the bytes."""

from __future__ import annotations

import re
from collections.abc import Callable

#: So much of the letters of a text must be bytes beyond ASCII; in the languages of western Europe fewer are.
_LEAST_HIGH = 0.3
_HIRAGANA = re.compile("[\u3041-\u309f]")
_HALF_WIDTH = re.compile("[\uff61-\uff9f]")
_IDEOGRAPHS = re.compile("[\u4e00-\u9fff]")
_HANGUL = re.compile("[\uac00-\ud7a3]")
_EAST_ASIAN = re.compile("[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e\u2010-\u203b\u0020-\u007e\n\r\t]")
_FREQUENT_MARKS = re.compile("[。、，的一是了のにはをがで다이]")
_GREEK = frozenset("αοιετσνηυρπκμλςίόάέήώ")
_CYRILLIC = frozenset("оеаинтсрвлкмдпуяыьгзбчй")


def guess_encoding(data: bytes) -> str | None:
    """The encoding of bytes that are neither UTF-8 nor in a language of western Europe; None where no candidate is likely."""
    try:
        data.decode("utf-8")
        return None
    except UnicodeDecodeError as error:
        if error.start >= len(data) - 3:  # a character that is cut at the end
            return None
    wide = _wide_east_asian(data)
    if wide:
        return wide
    high = sum(byte >= 0x80 for byte in data)
    letters = sum(65 <= byte & 0xDF <= 90 for byte in data if byte < 0x80)
    controls = sum(byte < 9 or 13 < byte < 27 for byte in data)
    if high < _LEAST_HIGH * (high + letters) or controls:
        return None
    scores = {name: score(data, name) for name, score in _CANDIDATES.items()}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] >= _LEAST else None


_LEAST = 0.7


def _wide_east_asian(data: bytes) -> str | None:
    """UTF-16 of Chinese, Japanese or Korean, which has few zero bytes."""
    data = data[: len(data) // 2 * 2]
    for name in ("utf-16-le", "utf-16-be"):
        text = data.decode(name, "replace")
        if len(_EAST_ASIAN.findall(text)) >= 0.95 * len(text) and len(_FREQUENT_MARKS.findall(text)) >= 0.02 * len(text):
            return name
    return None


def _decoded(data: bytes, name: str) -> str | None:
    """The text in an encoding, without a character that is cut at the end; None where the bytes are not in it."""
    for cut in range(3):
        try:
            return data[: len(data) - cut].decode(name)
        except UnicodeDecodeError as error:
            if error.start < len(data) - cut - 3:
                return None
    return None


def _japanese(data: bytes, name: str) -> float:
    text = _decoded(data, name) or ""
    beyond = sum(character > "\x7f" for character in text)
    kana, half = len(_HIRAGANA.findall(text)), len(_HALF_WIDTH.findall(text))
    return 0.0 if not beyond or kana < 0.15 * beyond or half > 0.1 * beyond else 1.0


def _by_lead_byte(low: int, high: int) -> Callable[[bytes, str], float]:
    """The share of ideographs whose first byte is among those of frequent ones."""

    def score(data: bytes, name: str) -> float:
        """How likely bytes are text in an encoding, by how many of the characters are frequent ones."""
        text = _decoded(data, name) or ""
        found = _IDEOGRAPHS.findall(text)
        frequent = sum(low <= character.encode(name)[0] <= high for character in found)
        beyond = sum(character > "\x7f" for character in text)
        return frequent / beyond if beyond else 0.0

    return score


def _korean(data: bytes, name: str) -> float:
    text = _decoded(data, name) or ""
    beyond = sum(character > "\x7f" for character in text)
    share = len(_HANGUL.findall(text)) / beyond if beyond else 0.0
    return 1.0 if share > 0.85 else 0.0


def _russian(data: bytes, name: str) -> float:
    letters = [character for character in data.decode(name, "replace") if character > "\x7f"]
    return sum(letter in _CYRILLIC for letter in letters) / len(letters) if letters else 0.0


def _greek(data: bytes, name: str) -> float:
    letters = [character for character in data.decode(name, "replace") if character > "\x7f"]
    return sum(letter in _GREEK for letter in letters) / len(letters) if letters else 0.0


#: In the order in which equals are taken.
_CANDIDATES: dict[str, Callable[[bytes, str], float]] = {
    "shift_jis": _japanese,
    "euc_jp": _japanese,
    "euc_kr": _korean,
    "gbk": _by_lead_byte(0xB0, 0xD7),
    "big5": _by_lead_byte(0xA4, 0xC6),
    "koi8-r": _russian,
    "cp1251": _russian,
    "cp866": _russian,
    "iso8859_5": _russian,
    "iso8859_7": _greek,
}
#: Encodings that are guessed from bytes alone.
GUESSED = frozenset(_CANDIDATES)

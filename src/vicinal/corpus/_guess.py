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
#: Frequent ideographs, simplified and traditional. None has the bytes of a kana in Shift-JIS.
_FREQUENT_IDEOGRAPHS = re.compile(
    "[不在人有我他这個个们中来上大为和国地到以说時时要就出会可也你對对生能而子那得于着下之年過过後后作里用道行所然家種种事成方多經经么去法學学"
    "如都同現现當当没動动面起看定天分還还进進好小部其些主样理心她本前開开但因只从從想日實实这這們來為國說會發发長长东東北京西南車车買买文字書书]"
)
_GREEK = frozenset("αοιετσνηυρπκμλςίόάέήώΆΈΉΊΌΎΏ")
_CYRILLIC = frozenset("оеаинтсрвлкмдпуяыьгзбчйіїєґ")
_LETTERS = re.compile(r"[^\W\d_]+")
_HEBREW_WORD, _ARABIC_WORD = re.compile("[א-ת]+"), re.compile("[ء-ي]+")
#: Words in which the five letters with a final form have it at the end, and nowhere else.
_HEBREW_SPELLING = re.compile("[אבגדהוזחטיכלמנסעפצקרשת]*[אבגדהוזחטילסעקרשתםןךףץ]")
_THAI = re.compile("[ก-๛]")
#: Vowels and tones of Thai that stand on a consonant, and vowels that stand before one; and where they may be.
_THAI_MARKS, _THAI_SPELLING = re.compile("[ัิ-ฺ็-๎เ-ไ]"), re.compile("(?<=[ก-ฮัิ-ฺ็-๎])[ัิ-ฺ็-๎]|[เ-ไ](?=[ก-ฮ])")


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
        frequent = len(_FREQUENT_MARKS.findall(text)) >= 0.02 * len(text) or len(_FREQUENT_IDEOGRAPHS.findall(text)) >= 0.1 * len(
            text
        )
        if len(_EAST_ASIAN.findall(text)) >= 0.95 * len(text) and frequent:
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
    """The share of frequent letters, times that of words without capitals behind small letters."""
    text = data.decode(name, "replace")
    letters = [character for character in text if character > "\x7f"]
    words = _LETTERS.findall(text)
    cased = sum(word.islower() or word[1:].islower() or word.isupper() for word in words)
    return sum(letter in _CYRILLIC for letter in letters) / len(letters) * cased / len(words) if letters and words else 0.0


def _greek(data: bytes, name: str) -> float:
    letters = [character for character in data.decode(name, "replace") if character > "\x7f"]
    return sum(letter in _GREEK for letter in letters) / len(letters) if letters else 0.0


def _hebrew(data: bytes, name: str) -> float:
    """The share of words that are spelled as in Hebrew, where nearly all letters are Hebrew."""
    text = data.decode(name, "replace")
    words = _HEBREW_WORD.findall(text)
    spelled = sum(len(word) > 1 and _HEBREW_SPELLING.fullmatch(word) is not None for word in words)
    return spelled / len(words) if _are_most(words, text) else 0.0


def _arabic(data: bytes, name: str) -> float:
    """One where nearly all letters are Arabic and some words begin with the article."""
    text = data.decode(name, "replace")
    words = _ARABIC_WORD.findall(text)
    return float(_are_most(words, text) and sum(word.startswith("ال") for word in words) >= 0.1 * len(words))


def _thai(data: bytes, name: str) -> float:
    """The share of vowels and tones that stand where they may, where nearly all letters are Thai."""
    text = _decoded(data, name) or ""
    marks = _THAI_MARKS.findall(text)
    return len(_THAI_SPELLING.findall(text)) / len(marks) if marks and _are_most(_THAI.findall(text), text) else 0.0


def _are_most(words: list[str], text: str) -> bool:
    """Whether words are nearly all of the characters beyond ASCII."""
    beyond = sum(character > "\x7f" for character in text)
    return sum(map(len, words)) > 0.95 * beyond


#: In the order in which equals are taken.
_CANDIDATES: dict[str, Callable[[bytes, str], float]] = {
    "shift_jis": _japanese,
    "euc_jp": _japanese,
    "euc_kr": _korean,
    "gbk": _by_lead_byte(0xB0, 0xD7),
    "gb18030": _by_lead_byte(0xB0, 0xD7),
    "big5": _by_lead_byte(0xA4, 0xC6),
    "cp1255": _hebrew,
    "cp1256": _arabic,
    "cp874": _thai,
    "koi8-r": _russian,
    "koi8-u": _russian,
    "cp1251": _russian,
    "cp866": _russian,
    "iso8859_5": _russian,
    "iso8859_7": _greek,
    "cp1253": _greek,
}
#: Encodings that are guessed from bytes alone.
GUESSED = frozenset(_CANDIDATES)

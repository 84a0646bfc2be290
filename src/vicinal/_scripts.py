"""Scripts: text without spaces between words becomes bigrams; in Arabic, Greek, Hindi and others spellings of one word are joined.

What is joined is what the analysers of Lucene join: forms of alef and yeh, vowel points, tatweel, accents and the final sigma of
Greek, ё and е, the nukta and the nasals of Devanagari, half and full width, Latin ligatures, raised and lowered figures. A raised
figure behind three letters or more is the mark of a footnote, and no part of the word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise

#: Characters of the scripts by name, as the inside of a character class.
SCRIPTS = {
    "han": "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f",
    "kana": "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff",
    "hangul": "\uac00-\ud7a3",
    "thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
    "lao": "\u0e81-\u0ecd\u0edc-\u0edf",
    "myanmar": "\u1000-\u103f\u1050-\u109f",
    "khmer": "\u1780-\u17d3",
    "cyrillic": "\u0400-\u052f",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "arabic": "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc",
    "hebrew": "\u0590-\u05ff\ufb1d-\ufb4f",
    "devanagari": "\u0900-\u097f",
    "tamil": "\u0b80-\u0bff",
    "armenian": "\u0530-\u058f",
    "latin": "A-Za-z\u00c0-\u024f\u1e00-\u1eff",
}
#: Runs in which words are not told apart, or in which particles are written on to words: they become bigrams.
_RUNS = ("han", "kana"), ("hangul",), ("thai",), ("lao",), ("myanmar",), ("khmer",)
_UNSPACED = re.compile("|".join(f"[{''.join(SCRIPTS[script] for script in run)}]+" for run in _RUNS))
_ONE_IDEOGRAPH = re.compile(f"[{SCRIPTS['han']}]")
#: Raised and lowered figures, Roman numerals, signs of units: a character that stands for one or more others.
_RAISED_LOWERED = "\u00b2\u00b3\u00b9\u2070\u2071\u2074-\u208e\u2090-\u209c"
_SIGNS = "\u2126\u212a\u212b\u2160-\u217f\u3371-\u337a\u3380-\u33df\u33ff"
#: The same of presentation forms, half and full width.
_COMPATIBLE = re.compile(f"[{_RAISED_LOWERED}{_SIGNS}\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdfb\ufe70-\ufefc\uff01-\uffee]+")
#: Raised figures, and where they are no part of a word: behind three letters or more, behind a digit, or before a word.
RAISED = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079"
_HAS_RAISED, _NOTE_MARK = (
    re.compile(f"[{RAISED}]"),
    re.compile(rf"(?<=[^\W\d_{RAISED}]{{3}})[{RAISED}]+|(?<![^\W\d_])[{RAISED}]+"),
)
#: Raised and lowered figures, and the plain ones.
_FIGURES = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "0123456789" * 2)
#: A soft hyphen, and marks that join letters without being one.
_JOINERS = dict.fromkeys((0xAD, 0x200D, 0x2060))
#: The nasal of a Devanagari cluster before a consonant of its own class.
_NASAL = re.compile("ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-न])|म्(?=[प-म])")


def plain_characters(text: str) -> str:
    """Replace ligatures, raised figures and characters of half, full or presentation width by plain ones; no soft hyphens."""
    if "\u00ad" in text or "\u200d" in text or "\u2060" in text:
        text = text.translate(_JOINERS)
    return _COMPATIBLE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), _without_note_marks(text))


def plain_figures(text: str) -> str:
    """Replace each raised or lowered figure by a plain one, and each mark of a footnote by a blank; nothing moves."""
    return text if text.isascii() else _without_note_marks(text).translate(_FIGURES)


def _without_note_marks(text: str) -> str:
    return _NOTE_MARK.sub(lambda found: " " * len(found[0]), text) if _HAS_RAISED.search(text) else text


def is_unspaced(text: str) -> bool:
    """Whether any part of a text is in a script that becomes bigrams."""
    return _UNSPACED.search(text) is not None


def is_ideograph(run: str) -> bool:
    """Whether a run is one Chinese character, which can be a word."""
    return len(run) == 1 and _ONE_IDEOGRAPH.match(run) is not None


def with_bigrams(runs: Iterable[str], segment: Callable[[str], Iterable[str] | None] = lambda run: None) -> Iterator[str]:
    """Replace each run in a script without spaces by its overlapping pairs of characters; a single one stays.

    Where ``segment`` knows the words of a run, these take its place.
    """
    for run in runs:
        position = 0
        for found in _UNSPACED.finditer(run):
            if found.start() > position:
                yield run[position : found.start()]
            words = segment(found[0])
            yield from _bigrams(found[0]) if words is None else words
            position = found.end()
        if position < len(run):
            yield run[position:]


def _bigrams(run: str) -> Iterator[str]:
    characters = _characters().findall(run)
    if len(characters) == 1:
        yield characters[0]
    yield from map("".join, pairwise(characters))


@cache
def _characters() -> re.Pattern[str]:
    """A character with its marks: the vowels and tones of Thai belong to the consonant before."""
    unspaced = (chr(code) for low, high in ((0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF)) for code in range(low, high + 1))
    marks = "".join(character for character in unspaced if unicodedata.category(character).startswith("M"))
    return re.compile(f".[{marks}\u3099\u309a]*", re.DOTALL)


def script_of(word: str) -> str:
    """The script of the first letter of a word that is in one of `SCRIPTS`; Latin for any other."""
    if word.isascii():
        return "latin"
    found = _script_finder().search(word)
    return str(found.lastgroup) if found else "latin"


@cache
def _script_finder() -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{script}>[{characters}])" for script, characters in SCRIPTS.items()))


def script_sizes(text: str) -> dict[str, int]:
    """How many characters of a text are in each script; those in none are not counted."""
    if text.isascii():
        return {"latin": sum(map(str.isalpha, text))}
    return {script: size for script, finder in _counters().items() if (size := sum(map(len, finder.findall(text))))}


@cache
def _counters() -> dict[str, re.Pattern[str]]:
    return {script: re.compile(f"[{characters}]+") for script, characters in SCRIPTS.items()}


def fold_accents(text: str) -> str:
    """A text in small letters without accents, as the table of words compares it."""
    if text.isascii():
        return text.lower()
    return "".join(each for each in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(each))


def fold(word: str, persian: bool = False) -> str:
    """Join spellings: words that differ in points, accents or forms of a letter, as their script allows, become equal."""
    if word.isascii():
        return word
    word = word.translate(_folds(persian))
    return _NASAL.sub("ं", word) if "\u094d" in word else word


@cache
def _folds(persian: bool) -> dict[int, str | int | None]:
    """The character that each stands for; None where it is left out."""
    found: dict[int, str | int | None] = dict.fromkeys([*range(0x610, 0x61B), *range(0x64B, 0x660), 0x640, 0x670])  # Arabic points
    found |= dict.fromkeys([*range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7])  # Hebrew points
    found |= {0x93C: None, 0x901: 0x902}  # nukta; chandrabindu as anusvara
    found |= str.maketrans("آأإٱ", "اااا")
    found |= str.maketrans("ىيےكہۀە", "یییکههه") if persian else str.maketrans("ىیےکةہۀە", "يييكهههه")
    found |= str.maketrans("άέήίόύώϊϋΐΰς", "αεηιουωιυιυσ") | str.maketrans("ё", "е")
    for first in (0x660, 0x6F0, 0x966):  # digits
        found |= {first + digit: str(digit) for digit in range(10)}
    return found

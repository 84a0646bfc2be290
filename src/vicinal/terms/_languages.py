"""Languages: their names, stemmers and stop words; and which languages texts are in, by their scripts and stop words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain, islice
from typing import NamedTuple, TypeVar, final

from vicinal._scripts import fold, script_sizes
from vicinal.errors import BadParameter
from vicinal.terms._stop_words import STOP_WORDS
from vicinal.terms._words import ENGLISH_STOP_WORDS, split_tokens

ENGLISH = "en"


class Language(NamedTuple):
    """A language: its English name, the name of its Snowball stemmer ("" where there is none), and its script."""

    name: str
    stemmer: str = ""
    script: str = "latin"


#: By ISO 639-1 code.
LANGUAGES: dict[str, Language] = {
    "ar": Language("Arabic", "arabic", "arabic"),
    "bg": Language("Bulgarian", script="cyrillic"),
    "ca": Language("Catalan", "catalan"),
    "cs": Language("Czech", "czech"),
    "da": Language("Danish", "danish"),
    "de": Language("German", "german"),
    "el": Language("Greek", "greek", "greek"),
    "en": Language("English", "english"),
    "eo": Language("Esperanto", "esperanto"),
    "es": Language("Spanish", "spanish"),
    "et": Language("Estonian", "estonian"),
    "eu": Language("Basque", "basque"),
    "fa": Language("Persian", "persian", "arabic"),
    "fi": Language("Finnish", "finnish"),
    "fr": Language("French", "french"),
    "ga": Language("Irish", "irish"),
    "he": Language("Hebrew", script="hebrew"),
    "hi": Language("Hindi", "hindi", "devanagari"),
    "hu": Language("Hungarian", "hungarian"),
    "hy": Language("Armenian", "armenian", "armenian"),
    "id": Language("Indonesian", "indonesian"),
    "it": Language("Italian", "italian"),
    "ja": Language("Japanese", script="kana"),
    "ko": Language("Korean", script="hangul"),
    "lt": Language("Lithuanian", "lithuanian"),
    "ne": Language("Nepali", "nepali", "devanagari"),
    "nl": Language("Dutch", "dutch"),
    "no": Language("Norwegian", "norwegian"),
    "pl": Language("Polish", "polish"),
    "pt": Language("Portuguese", "portuguese"),
    "ro": Language("Romanian", "romanian"),
    "ru": Language("Russian", "russian", "cyrillic"),
    "sr": Language("Serbian", "serbian", "cyrillic"),
    "sv": Language("Swedish", "swedish"),
    "ta": Language("Tamil", "tamil", "tamil"),
    "th": Language("Thai", script="thai"),
    "tr": Language("Turkish", "turkish"),
    "uk": Language("Ukrainian", script="cyrillic"),
    "vi": Language("Vietnamese"),
    "yi": Language("Yiddish", "yiddish", "hebrew"),
    "zh": Language("Chinese", script="han"),
}
_CODES = {language.name.lower(): code for code, language in LANGUAGES.items()} | {"nb": "no", "nn": "no"}

#: How much of a text its language is told by: characters, and words of them.
_CHARACTERS, _WORDS = 2_000, 300
#: The least sum of weights of stop words that tells a language; and how many times that of English, which is assumed otherwise.
_LEAST, _ABOVE_ENGLISH = 2.0, 1.25
#: The least number of different stop words that tells a language: "car" is one of French.
_DIFFERENT = 3
#: The least share of the texts that counts as a language of a corpus.
_SHARE = 0.05
#: Texts that are looked at together where most are too short by themselves.
_TOGETHER = 40
#: Texts by which the language of a corpus is recognised.
SAMPLE = 300

T = TypeVar("T")


def check_languages(language: object) -> tuple[str, ...]:
    """The codes of a language or of several, by code or English name; raise BadParameter where one is not known."""
    given = [language] if isinstance(language, str) else language
    if not isinstance(given, Sequence) or not given or not all(isinstance(each, str) for each in given):
        raise BadParameter(f"language must be the code or name of a language, or 'auto', got {language!r}. Use language='de'.")
    codes = [each.strip().lower().replace("_", "-").partition("-")[0] for each in given]
    codes = [_CODES.get(code, code) for code in codes]
    for code, each in zip(codes, given, strict=True):
        if code not in LANGUAGES:
            known = ", ".join(f"{code} ({language.name})" for code, language in LANGUAGES.items())
            raise BadParameter(f"language must be one that is known, got {each!r}. Use 'auto', or one of {known}.")
    return tuple(dict.fromkeys(codes))


@cache
def stop_words_of(code: str) -> frozenset[str]:
    """The stop words of a language as tokens, with spellings joined."""
    if code == ENGLISH:
        return ENGLISH_STOP_WORDS
    words = split_tokens(STOP_WORDS.get(code, ""), bigrams=True)
    return frozenset(fold(word, persian=code == "fa") for word in words)


@cache
def whole_stop_words_of(code: str) -> frozenset[str]:
    """The stop words of a language as they are written, which is how a segmenter gives them."""
    return frozenset(STOP_WORDS.get(code, "").split())


@final
@dataclass(frozen=True)
class DetectedLanguages:
    """The languages of a corpus, the most frequent first, and how many of the texts that were looked at are in each.

    Attributes
    ----------
    codes : tuple of str
        English where none was recognised.
    n_texts : int
    numbers : dict of str to int
        Texts by language; those in which none was recognised are not counted.
    """

    codes: tuple[str, ...]
    n_texts: int
    numbers: dict[str, int] = field(default_factory=dict)

    def sentence(self) -> str:
        """What was recognised or assumed, in words; empty where all of it is English."""
        if not self.numbers:
            return "the language of the documents was not recognised, and English is assumed. Use language=de, say, for another."
        if self.codes == (ENGLISH,):
            return ""
        named = [f"{LANGUAGES[code].name} ({self.numbers[code] / self.n_texts:.0%} of the documents)" for code in self.codes]
        return f"the language of the documents is taken to be {' and '.join(named)}. Use language=en, say, for another."


def sample_of(texts: Iterable[T]) -> tuple[list[T], Iterable[T]]:
    """Some of the texts, and all of them: evenly spaced ones of a list, the first ones of what can be read only once."""
    if isinstance(texts, Sequence):
        return list(texts[:: max(1, len(texts) // SAMPLE)]), texts
    following = iter(texts)
    sample = list(islice(following, SAMPLE))
    return sample, chain(sample, following)


def detect_languages(texts: Iterable[str]) -> DetectedLanguages:
    """The languages of at least one in twenty of the texts that have one; of all together where most have none."""
    sample = list(texts)
    found = Counter(map(detect_language, sample))
    n_texts, _ = found.total(), found.pop("", None)
    if 2 * found.total() < n_texts:
        some = sample[:: max(1, len(sample) // _TOGETHER)]
        together = detect_language("\n".join(text[: _CHARACTERS // _TOGETHER] for text in some))
        found = Counter({together: n_texts} if together else {})
    most = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    codes = tuple(code for code, number in most if number >= _SHARE * found.total())
    return DetectedLanguages(codes or (ENGLISH,), n_texts, dict(most))


def detect_language(text: str) -> str:
    """The code of the language that a text is in; empty where it is not recognised."""
    text = text[:_CHARACTERS]
    sizes = script_sizes(text)
    if not sizes:
        return ""
    ideographs, kana = sizes.pop("han", 0), sizes.get("kana", 0)
    if ideographs * 3 > sum(sizes.values()):  # an ideograph says as much as several letters
        return "ja" if 10 * kana > ideographs else "zh"
    script = max(sizes, key=lambda each: sizes[each])
    candidates = [code for code, language in LANGUAGES.items() if language.script == script or (script == "latin" and code == "sr")]
    if len(candidates) == 1:
        return candidates[0]
    return _by_stop_words(split_tokens(text)[:_WORDS], candidates)


def _by_stop_words(words: Sequence[str], candidates: Sequence[str]) -> str:
    weights = _weights()
    scores: defaultdict[str, float] = defaultdict(float)
    for word, number in Counter(map(fold, words)).items():
        languages = weights.get(word, ())
        for code in languages:
            scores[code] += min(number, 5) / len(languages)
    best = max(candidates, key=lambda code: scores[code], default="")
    known = {*words, *map(fold, words)}
    if not best or scores[best] < _LEAST or len(known & stop_words_of(best)) < _DIFFERENT:
        return ""
    return best if scores[best] > _ABOVE_ENGLISH * scores[ENGLISH] else ENGLISH


@cache
def _weights() -> dict[str, tuple[str, ...]]:
    """The languages that each stop word is of: one of many languages says little of which it is."""
    found: dict[str, list[str]] = {}
    for code in LANGUAGES:
        for word in {fold(each) for each in stop_words_of(code)}:
            found.setdefault(word, []).append(code)
    return {word: tuple(codes) for word, codes in found.items()}


def stemmers_of(codes: Iterable[str]) -> tuple[str, ...]:
    """The Snowball stemmers of languages, one for each script: that of the first language in it."""
    found: dict[str, str] = {}
    for code in codes:
        found.setdefault(LANGUAGES[code].script, LANGUAGES[code].stemmer)
    return tuple(stemmer for stemmer in found.values() if stemmer)


def script_of_stemmer(stemmer: str) -> str:
    """The script of the words that a stemmer is for."""
    return next((language.script for language in LANGUAGES.values() if language.stemmer == stemmer), "latin")

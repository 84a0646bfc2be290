"""From tokens to terms: spellings of one word are joined, and its forms, by Snowball stemmers, each for the words of its script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from typing import TypeAlias

from vicinal._scripts import fold, script_of
from vicinal.errors import BadParameter, MissingExtra
from vicinal.terms._languages import script_of_stemmer, stemmers_of

StemFunction: TypeAlias = Callable[[list[str]], list[str]]

#: Its stemmer joins the forms of letters itself, and tells suffixes by them.
_ARABIC = "arabic"


def terms_of(tokens: Sequence[str], stem: str | Sequence[str] | None, language: Sequence[str] = ()) -> list[str]:
    """The term that each token stands for: without languages the stem of the token as it is, else with spellings joined, too.

    Parameters
    ----------
    tokens : sequence of str
        Words, or n-grams with blanks between words.
    stem : str, sequence of str or None
        The stemmer of all words, or one for each script, or none.
    language : sequence of str
        Codes of the languages.
    """
    stemmer = None if stem is None or not stem else load_stemmer(stem)
    if not language:
        return list(tokens) if stemmer is None else stem_terms(tokens, stemmer)
    if stemmer is None and all(map(str.isascii, tokens)):
        return list(tokens)
    persian, arabic = "fa" in language, stem is not None and _ARABIC in ([stem] if isinstance(stem, str) else stem)

    def terms(words: list[str]) -> list[str]:
        """From words to terms, in the same order."""
        folded = [word if arabic and script_of(word) == _ARABIC else fold(word, persian) for word in words]
        stems = folded if stemmer is None else stemmer(folded)
        return [fold(each, persian) for each in stems] if arabic else stems

    return stem_terms(tokens, terms)


def load_stemmer(stem: object) -> StemFunction:
    """Return the function from a list of words to the list of their stems, of one stemmer or of one for each script."""
    if isinstance(stem, Sequence) and not isinstance(stem, str) and stem:
        return _by_script({script_of_stemmer(str(each)): _load_one(each) for each in stem})
    return _load_one(stem)


def _by_script(stemmers: dict[str, StemFunction]) -> StemFunction:
    def stems(words: list[str]) -> list[str]:
        """The stems of words, each by the stemmer of its script."""
        found = list(words)
        for script, stemmer in stemmers.items():
            positions = [position for position, word in enumerate(words) if script_of(word) == script]
            for position, stem in zip(positions, stemmer([words[position] for position in positions]), strict=True):
                found[position] = stem
        return found

    return stems


def _load_one(language: object) -> StemFunction:
    """Return PyStemmer's function from a list of tokens to the list of their stems."""
    if not isinstance(language, str):
        raise BadParameter(f"stem must be None or the name of a language, got {language!r}. Use stem='english'.")
    try:
        import Stemmer
    except ImportError:
        raise MissingExtra(
            f"stem={language!r} needs PyStemmer, which is not installed. "
            f"Run pip install vicinal[stem], or fit without a stemmer to count words as they are."
        ) from None
    try:
        stemmer: StemFunction = Stemmer.Stemmer(language, 0).stemWords  # no cache: each token comes once
    except KeyError:
        languages = ", ".join(Stemmer.algorithms())
        raise BadParameter(f"stem must be a language that has a stemmer, got {language!r}. Use one of {languages}.") from None
    return stemmer


def stem_terms(terms: Iterable[str], stemmer: StemFunction) -> list[str]:
    """Stem every token of every term; the stemmer gets each distinct token exactly once."""
    split_terms = [term.split(" ") for term in terms]
    tokens = sorted({token for term in split_terms for token in term})
    stems = dict(zip(tokens, stemmer(tokens), strict=True))
    return [" ".join([stems[token] for token in term]) for term in split_terms]


def available_stemmers(language: Sequence[str]) -> tuple[str, ...] | str | None:
    """The stemmers of languages that are installed: None for none, and the name where there is one."""
    if find_spec("Stemmer") is None:
        return None
    import Stemmer

    known = [stemmer for stemmer in stemmers_of(language) if stemmer in Stemmer.algorithms()]
    return tuple(known) if len(known) > 1 else known[0] if known else None

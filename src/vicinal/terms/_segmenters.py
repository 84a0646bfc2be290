"""Segmenters: other packages that tell the words of Chinese, Japanese and Thai apart, in place of pairs of characters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeAlias

from vicinal._scripts import script_sizes
from vicinal.errors import BadParameter, MissingExtra

Segment: TypeAlias = Callable[[str], Iterable[str]]
#: The name that stands for none: pairs of characters.
NO_SEGMENTER = "none"


class Segmenter(NamedTuple):
    """A package that segments runs of some scripts, and the function that loads it."""

    scripts: tuple[str, ...]
    packages: tuple[str, ...]
    load: Callable[[], Segment]


def _jieba() -> Segment:
    library: Any = import_module("jieba")
    library.setLogLevel(60)  # it reports on standard error that it loads its dictionary
    found: Segment = library.lcut_for_search  # also the words inside a long one: 火车 and 车站 of 火车站
    return found


def _fugashi() -> Segment:
    tagger = import_module("fugashi").Tagger()
    return lambda run: [word.surface for word in tagger(run)]


def _pythainlp() -> Segment:
    found: Segment = import_module("pythainlp.tokenize").word_tokenize
    return found


#: By name; the script that a segmenter is for first, and others that are written with it.
SEGMENTERS = {
    "fugashi": Segmenter(("kana", "han"), ("fugashi", "unidic_lite"), _fugashi),
    "jieba": Segmenter(("han",), ("jieba",), _jieba),
    "pythainlp": Segmenter(("thai",), ("pythainlp",), _pythainlp),
}


def check_segmenters(segmenter: object) -> tuple[str, ...]:
    """The names of segmenters, given as a sequence or with commas between them; none for None and "none"."""
    if segmenter is None or segmenter == NO_SEGMENTER:
        return ()
    given = segmenter.split(",") if isinstance(segmenter, str) else segmenter
    if not isinstance(given, Sequence) or not all(isinstance(name, str) and name.strip() in SEGMENTERS for name in given):
        known = ", ".join(SEGMENTERS)
        raise BadParameter(f"segmenter must be one or several of {known}, or 'none', got {segmenter!r}. Use segmenter='jieba'.")
    return tuple(name for name in SEGMENTERS if name in {each.strip() for each in given})


def load_segmenters(names: Sequence[str]) -> None:
    """Raise MissingExtra where a package of a segmenter is not installed."""
    for name in names:
        missing = [package for package in SEGMENTERS[name].packages if find_spec(package) is None]
        if missing:
            raise MissingExtra(
                f"segmenter={name} needs {' and '.join(missing).replace('_', '-')}, which is not installed. "
                f"Run pip install vicinal[segment], or use segmenter=none for pairs of characters."
            )


@cache
def _loaded(name: str) -> Segment:
    return SEGMENTERS[name].load()


def segmented(names: Sequence[str], run: str) -> Iterable[str] | None:
    """The words of a run in a script without spaces; None where no segmenter is for its script."""
    scripts = script_sizes(run)
    able = [name for name in names if any(script in scripts for script in SEGMENTERS[name].scripts)]
    first = [name for name in able if SEGMENTERS[name].scripts[0] in scripts]  # ideographs alone are Chinese where both are given
    chosen = next(iter(first or able), None)
    return None if chosen is None else _loaded(chosen)(run)

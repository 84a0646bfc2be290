"""Seed words as people type them: ``rugby: scrum, try``, on the command line or in the lines of a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import typer

from vicinal._sqlite_files import refuse_sqlite
from vicinal.errors import BadData

_OPTION, _EXAMPLE = "--seed-words", '--seed-words "rugby: scrum, try"'


def read_seed_words(given: Iterable[str]) -> dict[str, list[str]] | None:
    """The words of each class, of the option itself or of the files that it names; None where nothing is given.

    A class that comes twice has the words of both.
    """
    found: dict[str, list[str]] = {}
    for each in given:
        for name, words in _of_file(each) if os.path.isfile(each) else [_of_option(each)]:
            found[name] = [*found.get(name, []), *words]
    return found or None


def _of_option(text: str) -> tuple[str, list[str]]:
    found = _parsed(text)
    if found is None:
        why = f"it takes a class and its words, or a file of such lines, got {text!r}. Write {_EXAMPLE}."
        raise typer.BadParameter(why, param_hint=_OPTION)
    return found


def _of_file(path: str) -> Iterator[tuple[str, list[str]]]:
    """The classes of a file, a line each; empty lines, and those that begin with #, are passed over."""
    refuse_sqlite(path, "a file with a line for each class: rugby: scrum, try")
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    except UnicodeDecodeError:
        raise BadData(f"{path} is not text in UTF-8. Write a line for each class: rugby: scrum, try") from None
    named = False
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found, named = _parsed(line), True
        if found is None:
            raise BadData(
                f"{path}, line {number} is no class with its words, got {line!r:.80}. Write a line like rugby: scrum, try"
            )
        yield found
    if not named:
        raise BadData(f"{path} has no seed words. Write a line for each class: rugby: scrum, try")


def _parsed(text: str) -> tuple[str, list[str]] | None:
    """Class and words; None where one of them is missing."""
    name, _, listed = text.partition(":")
    words = [word.strip() for word in listed.split(",") if word.strip()]
    return (name.strip(), words) if name.strip() and words else None

"""Damage of the file: each kind is looked for, named, and given advice.

Level 1 checks the outline: SQLite's own quick check, the tables, how many rows they have, and whether the headers of arrays agree
with what is there. Level 2 reads everything: each document, block, setting and label against its checksum, and the words of
the full text against the texts.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from vicinal._sqlite_files import has_journal
from vicinal._store.arrays import Arrays
from vicinal._store.checksums import count_rows, expected_tallies, sum_checksums
from vicinal._store.document_row import from_row
from vicinal._store.documents import Documents
from vicinal._store.journal import about_lost_commits
from vicinal._store.labels import Labels
from vicinal._store.origins import Origins
from vicinal._store.schema import MISSING, TABLES, TALLIED, tallied_in
from vicinal._store.settings import Settings
from vicinal._store.store import Store
from vicinal._validate import check_count
from vicinal.errors import BadIndex, DiskError, DiskFull, IndexLocked, VicinalError

#: What to do: for what is made from the documents; for everything else; and where SQLite cannot open the file at all.
REPAIR = "Run: vicinal repair INDEX"
SALVAGE = "Run: vicinal repair INDEX --salvage NEW, then add to NEW the documents that it lists as lost."
RESTORE = "Restore the file from a copy, or build the index again: vicinal index FOLDER -o INDEX"
_MOST_SENTENCES = 20
_CHUNK = 500


@dataclass(frozen=True)
class Damage:
    """One damage of an index, as `check` finds it; printed, it is a sentence.

    Attributes
    ----------
    table : str
        Which table; "file" for the file as a whole.
    where : str
        Which row or part.
    what : str
        What is wrong with it.
    do : str
        What to do about it.

    Examples
    --------
    >>> from vicinal.index import Damage
    >>> print(Damage("words", "the full text", "Words of 3 documents are missing.", "Run vicinal repair."))
    words, the full text: Words of 3 documents are missing. Run vicinal repair.
    """

    table: str
    where: str
    what: str
    do: str

    def __str__(self) -> str:
        return f"{self.table}, {self.where}: {self.what} {self.do}"


#: What an index makes from its documents. The counter of commits, by which a reader sees that the file changed, goes on from there.
DERIVED = ("arrays", "blocks", "settings", "words", "commits")


#: Damage beside the tables: changes that a lost journal had, and bytes behind the last page. Neither is in the model.
JOURNAL, END = "journal", "end"


def leaves_model(damage: Damage) -> bool:
    """Whether a damage leaves the fitted model as it is: one of the full text, of the journal, or behind the last page.

    Parameters
    ----------
    damage : Damage

    Returns
    -------
    bool
    """
    return damage.table.startswith("words") or damage.table in (JOURNAL, END)


def _advice(table: str) -> str:
    """What to do about damage to a table, or to an index or a part of it, which SQLite names after the table."""
    name = table.removeprefix("sqlite_autoindex_").partition("_")[0]
    return REPAIR if name in DERIVED else SALVAGE


Step: TypeAlias = Callable[[Store], Iterator[Damage]]


def check(index: Store | str | os.PathLike[str], level: int = 2) -> list[Damage]:
    """List the damage in an index; the list is empty where there is none.

    Damage never raises an error here, and nothing is changed.

    Parameters
    ----------
    index : Store or path
    level : {1, 2}, default=2
        1 checks the outline, 2 reads everything.

    Returns
    -------
    list of Damage
    """
    check_count("level", level)
    if isinstance(index, Store):
        return _checked(index, level)
    try:
        with Store.open_unchecked(index) as store:
            return _checked(store, level)
    except BadIndex as error:
        return [Damage("file", os.fspath(index), str(error).removesuffix(" Run vicinal check."), RESTORE)]


def _checked(store: Store, level: int) -> list[Damage]:
    found: list[Damage] = []
    with store.reading():
        for table, step in _OUTLINE:
            found += _guarded(store, table, step)
        if any(not damage.what.endswith(f"{MISSING}.") for damage in found):
            return found  # a file that says otherwise what its tables are is not asked anything more
        for table, step in (*_FIRST, *(_SECOND if level > 1 else ())):
            found += _guarded(store, table, step)
    if level > 1:
        found += _guarded(store, "words", _terms) + _guarded(store, "words", _full_text)
    return list(dict.fromkeys(found))


def _guarded(store: Store, table: str, step: Step) -> list[Damage]:
    """The findings of a step until damage ended it. Damage can raise any error, which is then a finding too."""
    found: list[Damage] = []
    try:
        found += step(store)
    except (DiskError, DiskFull):  # says nothing about the content
        raise
    except Exception as error:
        found.append(Damage(table, "all of it", f"it cannot be read: {error}", _advice(table)))
    return found


def _sqlite(store: Store, pragma: str) -> Iterator[Damage]:
    for (sentence,) in store.rows(f"PRAGMA {pragma}({_MOST_SENTENCES})"):
        if sentence != "ok":
            yield Damage("file", str(store.path), f"SQLite's {pragma} reports: {sentence}.", SALVAGE)


def _quick(store: Store) -> Iterator[Damage]:
    return _sqlite(store, "quick_check")


def _integrity(store: Store) -> Iterator[Damage]:
    return _sqlite(store, "integrity_check")


def _tables(store: Store) -> Iterator[Damage]:
    for name, sentence in store.differences().items():
        changed = name in TABLES and name not in DERIVED and not sentence.endswith(MISSING)
        yield Damage(name, "its statement", f"{sentence}.", RESTORE if changed else _advice(name))


def _journal(store: Store) -> Iterator[Damage]:
    if store.lost_commits:
        yield Damage(JOURNAL, f"{store.path.name}-wal", about_lost_commits(store), REPAIR)


def _end_of_file(store: Store) -> Iterator[Damage]:
    """Bytes behind the last page, of which SQLite takes no notice; the journal may know of more pages than the file has yet."""
    [[pages]], [[size]] = store.rows("PRAGMA page_count"), store.rows("PRAGMA page_size")
    behind = os.stat(store.path).st_size - pages * size
    if behind > 0 and not has_journal(store.path):
        yield Damage(END, "behind its last page", f"{behind:,} bytes are there that nobody wrote as part of it.", REPAIR)


def _row_counts(store: Store) -> Iterator[Damage]:
    expected = expected_tallies(store)
    for table in {*tallied_in(store.format), "commits"} - expected.keys():
        yield Damage("tallies", table, "it is missing.", _advice(table))
    for table, (n_rows, _) in expected.items():
        yield from _compared(store, table, n_rows, count_rows, "rows")


def _totals(store: Store) -> Iterator[Damage]:
    for table, (_, total) in expected_tallies(store).items():
        yield from _compared(store, table, total, sum_checksums, "as the sum of their checksums")


def _compared(store: Store, table: str, expected: int, compute: Callable[[Store, str], int], unit: str) -> Iterator[Damage]:
    """Damage where what a table has is not what it must have; the counter of commits is of no table."""
    if table not in TALLIED:
        return
    try:
        there = compute(store, table)
    except VicinalError as error:
        yield Damage(table, "all of it", f"it cannot be read: {error}", _advice(table))
        return
    if there != expected:
        yield Damage(table, "rows", f"{expected} {unit} must be there, got {there}.", _advice(table))


def _array_headers(store: Store) -> Iterator[Damage]:
    arrays = Arrays(store)
    for name in arrays.names():
        try:
            arrays.pieces(name)
        except VicinalError as error:
            yield Damage("arrays", repr(name), str(error), REPAIR)


def _array_blocks(store: Store) -> Iterator[Damage]:
    arrays = Arrays(store)
    for name in arrays.names():
        try:
            for _ in arrays.every_piece(name):
                pass
        except VicinalError as error:
            yield Damage("blocks", repr(name), str(error), REPAIR)


def _documents(store: Store) -> Iterator[Damage]:
    for rows in Documents(store).raw_chunks(_CHUNK, -1):
        for row in rows:
            try:
                from_row(row)
            except VicinalError as error:
                yield Damage("documents", f"number {row[0]}", str(error), SALVAGE)


def _numbering(store: Store) -> Iterator[Damage]:
    [[last]] = store.rows("SELECT coalesce(max(number), 0) FROM documents")
    given = store.rows("SELECT seq FROM sqlite_sequence WHERE name = 'documents'") or [(0,)]
    if len(given) != 1 or not isinstance(given[0][0], int) or given[0][0] < last:
        yield Damage("sqlite_sequence", "documents", f"number {last} was given, but the last number on record is {given}.", SALVAGE)


def _settings(store: Store) -> Iterator[Damage]:
    settings = Settings(store)
    for name in settings.names():
        try:
            settings.get(name)
        except VicinalError as error:
            yield Damage("settings", repr(name), str(error), REPAIR)


def _labels(store: Store) -> Iterator[Damage]:
    try:
        Labels(store).get()
    except VicinalError as error:
        yield Damage("labels", "a row", str(error), SALVAGE)


def _origins(store: Store) -> Iterator[Damage]:
    origins = Origins(store)
    for table, read in (("roots", origins.roots), ("origins", origins.every)):
        try:
            read()
        except VicinalError as error:
            yield Damage(table, "a row", str(error), SALVAGE)


def _references(store: Store) -> Iterator[Damage]:
    for table, row, parent, _ in store.rows("PRAGMA foreign_key_check"):
        yield Damage(str(table), f"row {row}", f"it belongs to a row of {parent} that is gone.", _advice(str(table)))


class _TakeBack(Exception):
    """Ends a transaction of which nothing is to be kept."""


_INTEGRITY_OF_WORDS = "INSERT INTO words (words, rank) VALUES ('integrity-check', 1)"


def _full_text(store: Store) -> Iterator[Damage]:
    """Let FTS5 compare its terms with the texts; the statement needs a file that can be written: this one, or else a copy."""
    try:
        if store.writable and not store.lost_commits:
            with suppress(_TakeBack), store.writing():
                store.execute(_INTEGRITY_OF_WORDS)
                raise _TakeBack
            return
    except IndexLocked:
        pass
    except (DiskError, DiskFull):
        raise
    except VicinalError as error:
        yield Damage("words", "all of it", f"it does not agree with the texts: {error}", REPAIR)
        return
    yield from _full_text_of_copy(store)


def _full_text_of_copy(store: Store) -> Iterator[Damage]:
    with tempfile.TemporaryDirectory() as folder, closing(sqlite3.connect(Path(folder) / "copy")) as copy:
        store.copy_to(copy)
        try:
            copy.execute(_INTEGRITY_OF_WORDS)
        except sqlite3.Error as error:
            yield Damage("words", "all of it", f"it does not agree with the texts: {error}.", REPAIR)


def _terms(store: Store) -> Iterator[Damage]:
    """Look up each term: FTS5's own check reads the terms one after the other, and does not use the index to them."""
    store.rows("CREATE VIRTUAL TABLE temp.terms USING fts5vocab (main, words, row)")
    try:
        lost = "SELECT count(*) FROM temp.terms AS a WHERE NOT EXISTS (SELECT 1 FROM temp.terms AS b WHERE b.term = a.term)"
        if count := store.rows(lost)[0][0]:
            yield Damage("words", f"{count} terms", "they are there but cannot be found.", REPAIR)
    finally:
        store.rows("DROP TABLE temp.terms")


_OUTLINE: tuple[tuple[str, Step], ...] = (("file", _tables),)
_FIRST: tuple[tuple[str, Step], ...] = (
    ("file", _quick),
    (JOURNAL, _journal),
    (END, _end_of_file),
    ("tallies", _row_counts),
    ("arrays", _array_headers),
)
_SECOND: tuple[tuple[str, Step], ...] = (
    ("file", _integrity),
    ("documents", _documents),
    ("documents", _numbering),
    ("blocks", _array_blocks),
    ("settings", _settings),
    ("labels", _labels),
    ("origins", _origins),
    ("labels", _references),
    ("tallies", _totals),
)

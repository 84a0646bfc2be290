"""Unsafe variants: each takes one safeguard away, and the test of its promise must turn red; else the test could not see a loss.

``python -m tools.unsafe``. It is a plugin of pytest as well: the tests of the table are run with their variant, and one passes
where it would fail. A test that checks an unsafe variant by itself needs none here.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Variant:
    """What is taken away, how, and which of the cases of a test with parameters is run."""

    without: str
    take_away: Callable[[pytest.MonkeyPatch], None]
    case: int = 0


def replaced(**others: object) -> Callable[[pytest.MonkeyPatch], None]:
    """Put other objects in place of some; a name has two underscores for each dot behind the package."""

    def take_away(patch: pytest.MonkeyPatch) -> None:
        for name, other in others.items():
            patch.setattr(*_found("vicinal." + name.replace("__", ".")), other)

    return take_away


def _found(path: str) -> tuple[object, str]:
    """The module or class that has a name, and the name; a function may be called as its module is."""
    where, _, name = path.rpartition(".")
    with suppress(ImportError):
        return import_module(where), name
    holder, of = _found(where)
    return getattr(holder, of), name


def _nothing(*_: object, **__: object) -> None:
    """Do nothing."""


@contextmanager
def _kept_half_done(store: Any, begin: str, writes: bool = False) -> Iterator[None]:
    """A transaction that is committed after an error too."""
    connection, mine = store._connection(), store._mine
    connection.execute(begin)
    mine.inside, mine.writes = True, writes
    try:
        yield
    finally:
        mine.inside, mine.writes = False, False
        if connection.in_transaction:
            connection.execute("COMMIT")


def _migrated_in_steps(store: Any) -> None:
    """A migration whose statements are committed one by one."""
    from vicinal._store import schema

    connection = store._connection()
    connection.execute("COMMIT")
    schema.migrate(connection, store.path)
    connection.execute("BEGIN IMMEDIATE")


def _copied_without_journal(store: Any, file: Path) -> int:
    shutil.copyfile(store.path, file)
    return len(store.rows("SELECT 1 FROM documents"))


class _Idle:
    """A connection that compacts nothing."""

    def execute(self, _: str) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


def _all_or_none(store: Any, _: object) -> Iterator[Any]:
    from vicinal._store import Documents

    for chunk in Documents(store).chunks():
        yield from chunk


def _unverified(row: Any) -> Any:
    from vicinal import Document
    from vicinal._store.document_row import Stored, _read

    number, generation, _, _, id, title, text, source, label, metadata = row
    return Stored(number, Document(id, text, title, label, source, _read(metadata, number)), generation)


def _any_bytes(header: Any, data: bytes, _: object) -> Any:
    import numpy as np

    from vicinal._store.blocks import DTYPES

    return np.frombuffer(data, dtype=DTYPES[header.dtype]).reshape(header.shape)


def _straight(reader: Any, ask: Callable[[Any], Any]) -> Any:
    with reader._searching() as state:
        return ask(state)


def _not_counted(patch: pytest.MonkeyPatch) -> None:
    import numpy as np

    patch.setattr("vicinal._store.document_lookup.rising", lambda _, rows: np.array([row[0] for row in rows], dtype=np.int64))
    patch.setattr("vicinal._store.verified.counted", lambda store, table, n_rows: n_rows)


def _network(patch: pytest.MonkeyPatch) -> None:
    for name in ("connect", "connect_ex"):
        patch.setattr(socket.socket, name, _nothing)


class _Never:
    """A pattern that nothing matches."""

    def match(self, _: str) -> None:
        """Find nothing."""

    def sub(self, _: str, text: str) -> str:
        """Replace nothing."""
        return text


_no_rollback = replaced(_store__store__Store___transaction=_kept_half_done)
STORE, INDEX, ATTACKS, SERVE = "tests/store/test_", "tests/index/test_", "tests/attacks/test_", "tests/serve/test_"
#: By test, what its promise rests on.
VARIANTS = {
    f"{STORE}power_cut.py::test_any_operation_may_fail_and_the_index_is_as_before_or_after": Variant(
        "our words for errors of SQLite", replaced(_store__store__in_our_words=lambda _: nullcontext())
    ),
    f"{STORE}power_cut.py::test_a_power_cut_during_a_migration_leaves_the_old_version_or_the_new": Variant(
        "a transaction", replaced(_store__store__Store___migrate=_migrated_in_steps)
    ),
    f"{STORE}out_of_memory.py::test_any_allocation_of_python_may_fail": Variant("the rollback", _no_rollback),
    f"{STORE}media.py::test_a_limit_on_pages_is_a_full_disk_and_nothing_of_the_change_is_kept": Variant(
        "the count of what is kept", replaced(_store__store__what_is_kept=lambda _: "")
    ),
    f"{STORE}interrupt.py::test_ctrl_c_ends_a_long_statement_and_the_store_goes_on": Variant("the rollback", _no_rollback),
    f"{INDEX}format.py::test_a_later_format_and_none_are_refused_with_a_sentence_and_not_changed": Variant(
        "the comparison of versions", replaced(_store__schema__version=lambda connection, path: 2)
    ),
    f"{STORE}compacting.py::test_the_file_is_at_most_twice_its_contents_and_answers_stay": Variant(
        "VACUUM", replaced(_store__compacting___connection=lambda _: _Idle())
    ),
    f"{STORE}journal.py::test_a_copy_of_an_index_that_is_written_is_one_state_of_it": Variant(
        "SQLite's copy of the journal", replaced(_store__copying___copied=_copied_without_journal)
    ),
    f"{STORE}journal.py::test_bytes_behind_the_last_page_are_found_and_a_repair_takes_them_away": Variant(
        "the cut behind the last page", replaced(_store__recovery__cut_behind_last_page=_nothing)
    ),
    f"{STORE}damage.py::test_a_page_in_another_place_and_two_flips_give_the_truth_or_an_error_without_the_texts": Variant(
        "order and count of documents", _not_counted
    ),
    f"{STORE}damage.py::test_every_flipped_bit_of_a_text_is_found": Variant(
        "the checksum of a document",
        replaced(_store__document_lookup__from_row=_unverified, _store__file_check__from_row=_unverified),
    ),
    "tests/cli/test_damaged.py::test_a_flipped_bit_of_any_block_is_named_and_no_answer_is_wrong": Variant(
        "the checksum of a block", replaced(_store__arrays__to_array=_any_bytes)
    ),
    f"{INDEX}partly_damaged.py::test_documents_are_counted_by_a_column_only_where_their_checksums_are_right": Variant(
        "the checksum of a document", replaced(_store__document_lookup__from_row=_unverified)
    ),
    f"{INDEX}partly_damaged.py::test_search_goes_on_by_full_text_and_says_so": Variant(
        "the search by full text", replaced(index___search__search_reader__searched=_straight)
    ),
    f"{INDEX}partly_damaged.py::test_an_export_goes_on_without_it_and_lists_it": Variant(
        "the way around damaged documents",
        replaced(index___tables__export__readable_documents=_all_or_none),
    ),
    f"{INDEX}repair.py::test_following_the_advice_of_check_gives_a_sound_index_that_answers": Variant(
        "the repair of the file", replaced(index___damage__integrity__rebuild_derived=lambda _: [])
    ),
    f"{ATTACKS}crafted.py::test_numbers_that_cannot_be_are_found_though_every_checksum_is_right": Variant(
        "the rules of arrays", replaced(_store__array_rules__RULES={}), case=2
    ),
    f"{INDEX}export.py::test_what_could_be_a_formula_is_none": Variant(
        "the apostrophe", replaced(index___tables__export___FORMULA=_Never())
    ),
    f"{INDEX}export.py::test_no_formula_begins_where_a_program_splits_at_semicolons_or_tabs": Variant(
        "the apostrophe inside", replaced(index___tables__export___FORMULA_INSIDE=_Never())
    ),
    f"{ATTACKS}hostile_documents.py::test_a_large_table_has_time_by_its_size_and_as_much_again_for_its_rows": Variant(
        "the watch on time", replaced(corpus___caged__TimeWatch__document=_nothing)
    ),
    f"{ATTACKS}questions.py::test_a_question_longer_than_any_person_writes_is_refused": Variant(
        "the longest question", replaced(_query__length__LONGEST_QUESTION=1 << 40), case=2
    ),
    f"{ATTACKS}questions.py::test_near_words_are_looked_for_to_so_many_unknown_ones_and_each_document_is_read_once": Variant(
        "the most words that are looked for", replaced(index___search__one_query__MOST_SUGGESTED=1 << 40)
    ),
    f"{ATTACKS}questions.py::test_a_word_of_megabytes_is_cut_where_no_blank_is": Variant(
        "pieces of a text", replaced(_store__passages___LONGEST_PIECE=1 << 40)
    ),
    "tests/contract/test_no_network.py::test_a_connection_to_another_machine_fails": Variant("the guard of sockets", _network),
    f"{SERVE}who_may_ask.py::test_another_name_of_the_server_is_refused_whoever_asks": Variant(
        "the comparison of Host", replaced(serve___guard__caller__Doorkeeper___check_host=_nothing)
    ),
    f"{SERVE}who_may_ask.py::test_the_cookie_writes_nothing_for_other_pages": Variant(
        "the comparison of Origin", replaced(serve___guard__caller__Doorkeeper___check_origin=_nothing)
    ),
    f"{SERVE}refusals.py::test_a_server_that_is_read_only_changes_nothing": Variant(
        "the refusal to write", replaced(serve___server__Server__refuse_reading_only=_nothing)
    ),
}


def name_of(item: pytest.Item) -> str:
    """The test of an item as the table has it: its file and the name of its function."""
    return f"{item.path.relative_to(ROOT).as_posix()}::{getattr(item, 'originalname', item.name)}"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep one case of each test, and let nobody look at the indexes that its variant leaves."""
    of: dict[str, list[pytest.Item]] = {}
    for item in items:
        of.setdefault(name_of(item), []).append(item)
    items[:] = [cases[min(VARIANTS[name].case, len(cases) - 1)] for name, cases in of.items() if name in VARIANTS]
    for item in items:
        item.add_marker(pytest.mark.damages)


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Run a test with its variant: it passes where the test fails."""
    variant = VARIANTS[name_of(pyfuncitem)]
    with pytest.MonkeyPatch.context() as patch:
        variant.take_away(patch)
        try:
            yield
        except (Exception, pytest.fail.Exception) as error:
            sys.stdout.write(f"red: {name_of(pyfuncitem)} without {variant.without}: {type(error).__name__}\n")
            return True
    pytest.fail(f"without {variant.without} it stays green")


def main(arguments: list[str] | None = None) -> int:
    """Run each test with its variant; 1 where one stays green."""
    options = ["-q", "-p", "tools.unsafe", "-p", "no:cacheprovider", "-rP", "-W", "ignore", *(arguments or [])]
    files = dict.fromkeys(name.partition("::")[0] for name in VARIANTS)  # tests may be in classes
    done = subprocess.run([sys.executable, "-m", "pytest", *options, *files], cwd=ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    red = sorted({line for line in lines if line.startswith("red: ")})
    print("\n".join(red))
    if done.returncode:
        print(done.stdout[-6000:], done.stderr[-3000:], sep="\n")
    print(f"{len(red)} of {len(VARIANTS)} tests turn red without the safeguard of their promise")
    return int(done.returncode != 0 or len(red) != len(VARIANTS))


if __name__ == "__main__":
    sys.exit(main())

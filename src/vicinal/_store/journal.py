"""The journal of an index: copied into the file and cut to nothing when the index is closed; and what is done where it was lost."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from vicinal._sqlite_files import has_journal
from vicinal._store.commit_note import forget_commits, noted_commits
from vicinal.errors import VicinalError

if TYPE_CHECKING:
    from vicinal._store.store import Store

#: How long a checkpoint waits for readers of earlier states, in milliseconds.
_WAITS = 500


def checkpoint(store: Store) -> None:
    """Copy the journal into the file and cut it to nothing; then the file alone holds everything, and no note is needed.

    Where somebody reads an earlier state the journal stays, and is copied later.

    Parameters
    ----------
    store : Store
    """
    store.rows(f"PRAGMA busy_timeout = {_WAITS:d}")
    [[busy, *_]] = store.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    if busy:
        return
    with store.alone():  # nobody commits while the note is compared and taken away
        if not has_journal(store.path) and store.commits() >= noted_commits(store.path):
            forget_commits(store.path)


def cut_behind_last_page(store: Store) -> None:
    """Cut off bytes behind the last page, while nobody writes; the file is not opened for it, which could drop locks.

    Parameters
    ----------
    store : Store
    """
    checkpoint(store)
    with store.alone():
        [[pages]], [[size]] = store.rows("PRAGMA page_count"), store.rows("PRAGMA page_size")
        if not has_journal(store.path):
            os.truncate(store.path, pages * size)


def accept_loss(store: Store) -> None:
    """Go on without the commits that were lost; they are counted, so that no two states have the same number.

    Parameters
    ----------
    store : Store
    """
    noted, store.lost_commits = noted_commits(store.path), 0
    with store.writing():
        store.execute("UPDATE tallies SET n_rows = max(n_rows, ?) WHERE name = 'commits'", (noted,))


def what_is_kept(store: Store) -> str:
    """After a change that was undone: a sentence on what is in the file, as counted.

    Parameters
    ----------
    store : Store

    Returns
    -------
    str
    """
    with suppress(VicinalError):
        [[documents]] = store.rows("SELECT count(*) FROM documents")
        return f" The index has {documents:,} documents, all that was committed before."
    return ""


def about_lost_commits(store: Store) -> str:
    """A sentence on commits that were lost.

    Parameters
    ----------
    store : Store

    Returns
    -------
    str
    """
    return (
        f"its last {store.lost_commits:,} changes were acknowledged and are not in it. The journal {store.path.name}-wal that "
        f"had them was deleted, damaged or left behind, or the file was replaced by an older one; if you have the journal, "
        f"put it back before anything else."
    )

"""Bring an index in step with files, and ask before documents are removed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from vicinal._plural import counted
from vicinal.cli._terminal.confirm import confirmed
from vicinal.cli._terminal.exit_codes import print_to_stderr
from vicinal.cli._terminal.ingest import Columns, Ingest, print_some
from vicinal.cli._terminal.progress_display import ProgressDisplay
from vicinal.cli._terminal.text import visible

if TYPE_CHECKING:
    from vicinal.corpus import Limits
    from vicinal.index import Index, Synced


def bring_in_step(
    index: Index, paths: Sequence[str], columns: Columns, *, remove: bool, limits: Limits | None = None
) -> tuple[Synced, dict[str, object]]:
    """Sync an index; return what was done, and what was read. Columns that are not given are those of the last time."""
    relocated = index.relocate(*paths)
    for before, now in relocated.items():
        print_to_stderr(f"note: {visible(before)} is gone, and its documents are in {visible(now)}: they were moved there")
    with ProgressDisplay() as display:
        ingest = Ingest(paths, columns, display, recorded=index._recorded(), limits=limits, may_be_empty=True)
        done = replace(ingest.sync(index, remove), relocated=relocated)
    return done, ingest.facts()


def ask_to_remove(index: Index, done: Synced, *, ask: bool = True) -> Synced:
    """List the documents that are gone and are in the index still, and remove them if somebody says so."""
    left = len(done.gone) - done.removed
    print_some("gone", done.gone)
    print_some("cannot be read, kept", done.unread)
    if not left:
        return done
    if ask and confirmed(f"Remove {counted(left, 'document')} from the index?"):
        return replace(done, removed=index.remove(done.gone))
    print_to_stderr(f"note: {counted(left, 'document')} no longer in the files, kept in the index; --yes removes what is gone")
    return done


def synced_facts(done: Synced) -> Mapping[str, object]:
    """What was done, as plain values."""
    return {**vars(done), "skipped": [vars(each) for each in done.skipped]}

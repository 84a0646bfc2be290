"""``vicinal duplicates``: duplicates and near-duplicates in an index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile

if TYPE_CHECKING:
    from vicinal.index import DuplicateGroup


def duplicates(
    path: IndexFile,
    threshold: Annotated[
        float,
        typer.Option(metavar="NUMBER", help="Lowest similarity of duplicates: 1 is the same terms, 0.7 about seven of ten."),
    ] = 0.9,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="Show at most so many groups.", show_default="all")] = None,
    ids: Annotated[bool, typer.Option("--ids", help="Print the ids of removable documents only, for vicinal remove.")] = False,
    as_json: AsJson = False,
) -> None:
    """Find duplicates and near-duplicates.

    Documents with the same or nearly the same text form groups, largest first. The first document of each group, the one
    that was added first, is the one to keep. The similarity of the others is the cosine of their term weights with it; 1 is
    the same text or the same terms. A group may be a chain: a near-duplicate of a near-duplicate belongs to it even if it
    is less similar to the one to keep; --ids leaves it out. Before the first fit only identical texts are found.

    Near-duplicates may still be different documents, such as two parts of one report: look before you remove.

    **Examples**

    - `vicinal duplicates news.vic`: all groups

    - `vicinal duplicates news.vic --threshold 0.7 --limit 10`: less similar ones, the ten largest groups

    - `vicinal duplicates news.vic --ids | vicinal remove news.vic -`: keep the first of each group

    Exit codes: 0 success, 1 nothing found, 2 usage error, 3 input data error, 4 damaged index.
    """
    from vicinal.cli._terminal.exit_codes import reporting_errors
    from vicinal.cli._terminal.open_index import is_fitted, open_index
    from vicinal.cli._terminal.progress_display import notice_if_slow

    if ids and as_json:
        raise typer.BadParameter("it prints plain ids and no JSON: leave out one of the two.", param_hint="--ids")
    with reporting_errors("duplicates"), open_index(path) as index, notice_if_slow("duplicates: comparing documents ..."):
        found = index.duplicates(threshold, limit)
        fitted = is_fitted(index)
    _print(found, threshold, ids, as_json)
    _print_what_is_missing(path, bool(found), fitted, threshold)


def _print(found: Sequence[DuplicateGroup], threshold: float, ids: bool, as_json: bool) -> None:
    from vicinal.cli._terminal.output import print_ids, print_json, print_lines
    from vicinal.cli._terminal.rendering import duplicate_facts, duplicate_lines

    if as_json:
        print_json({"threshold": threshold, "groups": [duplicate_facts(each) for each in found]})
    elif ids:
        print_ids([id for each in found for id in each.removable])
    elif found:
        print_lines(duplicate_lines(found))


def _print_what_is_missing(path: str, found: bool, fitted: bool, threshold: float) -> None:
    from vicinal.cli._terminal.exit_codes import nothing_found, print_to_stderr

    fit = f"The index is not fitted yet, so terms were not compared. For near-duplicates: vicinal fit {path}"
    if not found:
        none = f"No two documents have a similarity of {threshold:g} or more." if fitted else f"No two texts are identical. {fit}"
        raise nothing_found(none)
    if not fitted:
        print_to_stderr(f"note: only identical texts were found. {fit}")

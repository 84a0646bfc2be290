"""From the rows of any table to drafts: columns chosen once, from the first rows, and then one draft per row."""

from __future__ import annotations

from collections.abc import Iterator

from vicinal.corpus._columns import Roles, Row, UnknownColumn, as_scalar, as_text, choose, sampled
from vicinal.corpus._formats.base import Desk, Draft
from vicinal.corpus._report import Unreadable
from vicinal.errors import BadParameter


def drafts(rows: Iterator[Row], desk: Desk, unit: str = "row") -> Iterator[Draft]:
    """Turn rows into drafts; says which columns were taken for what, and which rows have nothing to read."""
    sample, rows = sampled(rows)
    if not sample:
        return
    if len({column for row in sample for column in row.values}) > desk.limits.columns:
        raise Unreadable(f"{unit} {sample[0].number:,}: more than {desk.limits.columns:,} columns")
    roles = _roles(sample, desk)
    desk.note(f"columns of {desk.name}: {roles.said()}")
    for row in rows:
        draft = _draft(row, roles)
        if draft.text.strip() or draft.title.strip():
            yield draft
        else:
            desk.skip(f"{unit} {row.number:,}: no text")


def _roles(sample: list[Row], desk: Desk) -> Roles:
    try:
        roles = choose(sample, desk.wishes)
    except UnknownColumn as error:
        if desk.by_itself:
            raise BadParameter(
                f"{error.args[0]} (in {desk.source}). Use one of these names, or leave it out to have it guessed."
            ) from error
        raise Unreadable(error.args[0]) from error
    if roles is None:
        raise Unreadable("no column holds text")
    return roles


def _draft(row: Row, roles: Roles) -> Draft:
    values = row.values
    return Draft(
        text=as_text(values.get(roles.text)),
        title=as_text(values.get(roles.title)) if roles.title is not None else "",
        row=row.number,
        key=as_text(values.get(roles.id)).strip() if roles.id is not None else "",
        label=as_text(values.get(roles.label)) if roles.label is not None else "",
        metadata={column: as_scalar(values.get(column)) for column in roles.metadata},
    )

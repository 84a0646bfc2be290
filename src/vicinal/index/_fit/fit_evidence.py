"""Evidence besides terms for the fit of an index: vectors that are given or encoded, and links from a column of the metadata."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from vicinal._consensus.evidence import BesideTerms
from vicinal._progress import Progress
from vicinal._store import Documents, Settings, Store
from vicinal._typing import ArrayLike, Floats, IntArray
from vicinal._warn import warn
from vicinal.encoders import load_encoder
from vicinal.encoders._encoder import vectors_of
from vicinal.errors import BadData, BadParameter, MissingExtra, NoSuchSource, UnconfirmedEvidence
from vicinal.graph import links
from vicinal.index._recipe import NONE, Recipe
from vicinal.index._stored import VECTORS_GIVEN
from vicinal.uses._topics.topics_evidence import Given

BATCH = 1000  # texts that are encoded before progress is reported
_SEPARATOR = re.compile(r"[\s,;|]+")  # between ids in one column

#: Vectors by document: rows in the order of the documents, or by id.
Vectors: TypeAlias = "ArrayLike | Mapping[str, ArrayLike]"


def evidence_of(
    store: Store,
    numbers: IntArray,
    recipe: Recipe,
    embeddings: Vectors | None,
    progress: Progress,
    asked: Collection[str] = ("encoder", "links"),
) -> Given:
    """What is known of the documents of an index besides their terms; vectors that are given take the place of the encoder.

    ``asked`` has those of the parameters "encoder" and "links" that this fit was given, and not only remembers.
    """
    rows: ArrayLike | None = None
    if embeddings is not None:
        rows = _by_document(embeddings, store, numbers)
    elif recipe.encoder != NONE:
        rows = _encoded(store, numbers, recipe.encoder, progress, remembered="encoder" not in asked)
    elif Settings(store).get(VECTORS_GIVEN, False):
        warn(
            "the last fit was given vectors (embeddings=…) and this one is not: its clusters are by terms alone.",
            UnconfirmedEvidence,
        )
    Settings(store).set(VECTORS_GIVEN, embeddings is not None)
    views = () if recipe.links == NONE else _linked(store, numbers, recipe.links, remembered="links" not in asked)
    return Given(rows, views)


def _encoded(store: Store, numbers: IntArray, encoder: str, progress: Progress, *, remembered: bool) -> Floats:
    """The vectors of an encoder; an error says what to do without one that was there at an earlier fit."""
    try:
        return encoded(store, numbers, encoder, progress)
    except (MissingExtra, NoSuchSource) as error:
        if not remembered:
            raise
        raise type(error)(f"{error} An earlier fit used this encoder; to fit without it, encoder=none.") from None


def encoded(store: Store, numbers: IntArray, encoder: str, progress: Progress) -> Floats:
    """The vectors of all documents by an encoder, which is loaded before the first text is read."""
    model, found = load_encoder(encoder), []
    for start in range(0, len(numbers), BATCH):
        progress("encode", start, len(numbers))
        batch = Documents(store).at(numbers[start : start + BATCH].tolist())
        found.append(vectors_of(model, [stored.document.full_text for stored in batch]))
    return np.concatenate(found)


def _by_document(embeddings: Vectors, store: Store, numbers: IntArray) -> ArrayLike:
    """Rows as given, or in the order of the documents where they are given by id."""
    if not isinstance(embeddings, Mapping):
        return embeddings
    ids = _ids(store, numbers)
    missing = [id for id in ids if id not in embeddings]
    if missing:
        raise BadData(
            f"embeddings must hold a vector for every document, got none for {len(missing)} of {len(ids)}; the first is "
            f"{missing[0]!r:.80}. Use zeros for a document that has none."
        )
    _warn_unknown(embeddings, ids)
    try:
        return np.array([np.asarray(embeddings[id], dtype=np.float64) for id in ids])
    except (TypeError, ValueError) as error:
        raise BadData(
            f"embeddings must hold vectors of the same number of numbers for every document: {error}. Take all from one model."
        ) from None


def _warn_unknown(embeddings: Mapping[str, ArrayLike], ids: Collection[str]) -> None:
    """Warn of vectors of no document."""
    known = set(ids)
    unknown = [id for id in embeddings if id not in known]
    if unknown:
        are = "1 is" if len(unknown) == 1 else f"{len(unknown):,} are"
        said = f"of the {len(embeddings):,} vectors in embeddings, {are} of no document of the index"
        warn(f"{said}, first {unknown[0]!r:.80}. They are not used; check the ids.", UnconfirmedEvidence)


def _linked(store: Store, numbers: IntArray, column: str, *, remembered: bool = False) -> tuple[BesideTerms, ...]:
    """The links that a column of the metadata names; none where no document of it is in the index."""
    documents = [stored.document for stored in Documents(store).at(numbers.tolist())]
    named = [(document.id, document.metadata[column]) for document in documents if document.metadata.get(column) is not None]
    if not named and remembered:
        warn(
            f"no document has a value in the column {column!r} any more, and links of an earlier fit are not used.",
            UnconfirmedEvidence,
        )
        return ()
    if not named:
        raise BadParameter(
            f"links must be a column of the metadata, got {column!r}, which no document has. Use links=none to fit without links."
        )
    number = {document.id: i for i, document in enumerate(documents)}
    every = [(id, other) for id, value in named for other in linked_ids(str(value), number)]
    pairs = [(id, other) for id, other in every if other in number and other != id]
    if pairs:
        _warn_unused(column, every, number)
    else:
        warn(f"the column {column!r} names no other document of the index, and its links are not used.", UnconfirmedEvidence)
        return ()
    return (BesideTerms("links", graph=links(pairs, ids=list(number))),)


def linked_ids(value: str, known: Mapping[str, int]) -> list[str]:
    """The ids in a value: the value itself where a document has it, or its parts between blanks, commas, semicolons or bars."""
    if value.strip() in known:
        return [value.strip()]
    return [part for part in _SEPARATOR.split(value) if part]


def _warn_unused(column: str, pairs: Sequence[tuple[str, str]], known: Mapping[str, int]) -> None:
    """Warn of ids that no document has, and of documents that are linked to themselves."""
    unknown, own = [pair for pair in pairs if pair[1] not in known], sum(1 for id, other in pairs if id == other)
    said = []
    if unknown:
        said.append(f"{len(unknown):,} are of no document of the index, first {unknown[0][1]!r:.80} of {unknown[0][0]!r:.80}")
    if own:
        said.append(f"{own:,} of the document itself")
    if said:
        why = f"of the {len(pairs):,} links that the column {column!r} names, {', and '.join(said)}"
        warn(f"{why}. They are not used; check the ids.", UnconfirmedEvidence)


def _ids(store: Store, numbers: IntArray) -> list[str]:
    return [stored.document.id for stored in Documents(store).at(numbers.tolist())]

"""How large a corpus is, in the numbers that the cost of a fit depends on; estimated from a sample of its documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._matrix import csr
from vicinal._validate import check_count
from vicinal.errors import BadParameter, EmptyCorpus
from vicinal.index._model import fit_vocabulary, languages_of, stemmer_of

#: What a document of the size of an abstract has, where nothing is known.
TYPICAL_ENTRIES, TYPICAL_OVERLAP, CHARACTERS_PER_ENTRY = 53, 0.058, 18.0
GROWTH = 0.54  # exponent by which the number of different terms grows with documents (Heaps' law), measured on arXiv
MOST = 0.5  # terms of more than this share of documents tell none apart


@final
@dataclass(frozen=True)
class CorpusSize:
    """The numbers that the cost of a fit depends on.

    Attributes
    ----------
    n_documents : int
        How many documents.
    nnz : int
        Entries of documents x terms: different terms of each document, added up.
    n_terms : int
        Different terms of all documents.
    n_characters : int
        Characters of all texts.
    overlap : float
        The share of documents that the term of an entry is in, in the mean over entries. Exact neighbours take
        ``overlap * n_documents * nnz`` multiply-adds.

    Examples
    --------
    >>> from vicinal.planning import plan
    >>> plan(1_000_000, nnz=80_000_000).size.n_documents
    1000000
    """

    n_documents: int
    nnz: int
    n_terms: int
    n_characters: int
    overlap: float

    @property
    def multiply_adds(self) -> float:
        """Multiply-adds of the exact search for neighbours."""
        return self.overlap * self.n_documents * self.nnz


def size_of_numbers(
    n_documents: int, nnz: int | None, n_terms: int | None, n_characters: int | None, overlap: float | None
) -> CorpusSize:
    """What is given, and what documents like abstracts have in place of what is not."""
    n_documents = check_count("n_documents", n_documents, 1)
    nnz = TYPICAL_ENTRIES * n_documents if nnz is None else check_count("nnz", nnz, 1)
    n_terms = max(2, round(170 * n_documents**GROWTH)) if n_terms is None else check_count("n_terms", n_terms, 1)
    n_characters = round(CHARACTERS_PER_ENTRY * nnz) if n_characters is None else check_count("n_characters", n_characters, 0)
    overlap = TYPICAL_OVERLAP if overlap is None else overlap
    if not 0.0 < overlap <= 1.0:
        raise BadParameter(f"overlap must be a share above 0 and at most 1, got {overlap!r}. Use overlap={TYPICAL_OVERLAP}.")
    return CorpusSize(n_documents, nnz, n_terms, n_characters, overlap)


def size_of_sample(texts: Sequence[str], n_documents: float) -> CorpusSize:
    """The size of a corpus of which some texts are given."""
    n_sampled = len(texts)
    if not n_sampled:
        raise EmptyCorpus("there is no document to plan for. Name files or folders that hold text, or an index with documents.")
    _, language, _ = languages_of(texts, "auto")
    _, counts = fit_vocabulary(texts, stemmer_of("auto", language), language)
    frequencies = np.bincount(csr(counts).indices, minlength=counts.shape[1]).astype(np.float64)
    telling = frequencies <= max(2.0, MOST * n_sampled)
    entries, both = float(frequencies[telling].sum()), float((frequencies * (frequencies - 1))[telling].sum())
    times = n_documents / n_sampled
    return CorpusSize(
        round(n_documents),
        max(1, round(entries * times)),
        max(1, round(counts.shape[1] * max(1.0, times) ** GROWTH)),
        round(sum(map(len, texts)) * times),
        min(1.0, max(1e-6, both / max(1.0, entries * (n_sampled - 1)))),
    )

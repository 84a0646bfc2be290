"""`RowBlocks`: documents x terms in blocks of rows, in memory or in files, so that X need not fit in memory."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Self, final

import numpy as np

from vicinal._matrix import csr
from vicinal._memory_size import bytes_of
from vicinal._typing import ArrayLike, IntArray, SparseMatrix
from vicinal._validate import check_choice, check_count, check_terms, refuse_empty
from vicinal.errors import BadData, NoSuchSource
from vicinal.terms._row_shards import HeldRows, RowSource, shards_of, write_shards
from vicinal.terms._stored_rows import is_stored, stored_rows, write_rows

ROWS = 20_000  # documents of a block, where neither a number nor a budget is given: about 20 MB of abstracts
SHARE = 16  # of a memory budget is one block: a task holds some four times its size, and half of the budget is for other things
FORMATS = ("rows", "npz", "parquet")


@final
class RowBlocks:
    """Documents x terms in blocks of rows, in memory or in files, of which one is loaded at a time.

    Made by :meth:`of` from a matrix, by :meth:`open` from files, or by :meth:`write` from an iterator.

    Parameters
    ----------
    sources : sequence
        Where the rows of each block are.
    n_terms : int
        Number of terms.

    Attributes
    ----------
    shape : (int, int)
        Numbers of documents and of terms.
    starts : int array of shape (n_blocks + 1,)
        Number of the first document of each block, and the number of documents.

    See Also
    --------
    RLPI : Its ``fit`` takes row blocks in place of a matrix.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.terms import RowBlocks
    >>> blocks = RowBlocks.of(np.eye(5), rows=2)
    >>> blocks
    RowBlocks(5 documents x 5 terms in 3 blocks)
    >>> [block.shape[0] for block in blocks]
    [2, 2, 1]
    """

    def __init__(self, sources: Iterable[RowSource], n_terms: int) -> None:
        self._sources, self._n_terms = tuple(sources), int(n_terms)
        refuse_empty(self.shape, "the row blocks")

    @classmethod
    def of(cls, X: ArrayLike, rows: int | None = None, *, memory: int | str | None = None) -> Self:
        """Divide a matrix in memory into blocks; its entries are not copied.

        Parameters
        ----------
        X : array-like or sparse of shape (n_documents, n_terms)
            Term weights.
        rows : int, optional
            Documents of a block.
        memory : int or str, optional
            A memory budget such as "4GB", which decides about the size of blocks where ``rows`` is not given.

        Returns
        -------
        RowBlocks
            Of the same documents.

        Examples
        --------
        >>> import numpy as np
        >>> from vicinal.terms import RowBlocks
        >>> len(RowBlocks.of(np.eye(5), rows=3))
        2
        """
        checked = csr(check_terms(X, "the row blocks"))
        return cls([HeldRows(checked, 0, checked.shape[0])], checked.shape[1]).divided(rows, memory=memory)

    @classmethod
    def open(cls, path: str | Path, rows: int | None = None, *, memory: int | str | None = None) -> Self:
        """Open rows on disk, without reading them.

        Parameters
        ----------
        path : path-like
            A folder that :meth:`write` has written; a folder of ``npz`` files of ``scipy.sparse.save_npz``, or of Parquet files
            with the columns ``terms`` and ``weights``; or one such file.
        rows : int, optional
            Documents of a block. Shards stay whole unless it is given, since they can only be read whole.
        memory : int or str, optional
            A memory budget such as "4GB", which decides about the size of blocks where ``rows`` is not given.

        Returns
        -------
        RowBlocks
            Of all documents, in the order of the files' names.

        Raises
        ------
        NoSuchSource
            There is no such path.
        BadData
            The path holds no rows, or shards with different numbers of terms.

        Examples
        --------
        >>> import tempfile
        >>> import numpy as np
        >>> from vicinal.terms import RowBlocks
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     RowBlocks.write(folder, [np.eye(4)[:2], np.eye(4)[2:]])
        ...     RowBlocks.open(folder, rows=3)
        RowBlocks(4 documents x 4 terms in 1 blocks)
        RowBlocks(4 documents x 4 terms in 2 blocks)
        """
        folder = Path(path)
        if not folder.exists():
            raise NoSuchSource(f"no rows at {str(path)!r}: there is no such file or folder. Check the path.")
        if is_stored(folder):
            whole = stored_rows(folder)
            return cls([whole], whole.n_terms).divided(rows, memory=memory)
        shards = shards_of(folder)
        if not shards:
            raise BadData(f"{str(path)!r} holds no rows of documents x terms: no rows.json, no npz and no Parquet file. Check it.")
        blocks = cls(shards, shards[0].n_terms)
        return blocks if rows is None else blocks.divided(rows)

    @classmethod
    def write(
        cls,
        path: str | Path,
        blocks: Iterable[ArrayLike],
        *,
        format: str = "rows",
        rows: int | None = None,
        memory: int | str | None = None,
    ) -> Self:
        """Write blocks to files as they come, and open these.

        Parameters
        ----------
        path : path-like
            A folder; rows that it holds are replaced.
        blocks : iterable of array-like or sparse of shape (n, n_terms)
            Each is asked for once, and one of them is in memory at a time.
        format : {"rows", "npz", "parquet"}, default="rows"
            Three files of which any rows can be read, or a file per block.
        rows, memory : optional
            As for :meth:`open`.

        Returns
        -------
        RowBlocks
            Of what was written.

        Raises
        ------
        BadData
            A block is no matrix of finite numbers, or has other terms than the first.
        EmptyCorpus
            There are no blocks.

        Examples
        --------
        >>> import tempfile
        >>> import numpy as np
        >>> from vicinal.terms import RowBlocks
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     RowBlocks.write(folder, (np.eye(3)[[i]] for i in range(3)), format="npz")
        RowBlocks(3 documents x 3 terms in 3 blocks)
        """
        form = check_choice("format", format, FORMATS)
        checked = (csr(check_terms(block, "a block of rows")) for block in blocks)
        if form == "rows":
            write_rows(Path(path), checked)
        else:
            write_shards(Path(path), checked, form)
        return cls.open(path, rows, memory=memory)

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of documents and of terms."""
        return int(self.starts[-1]), self._n_terms

    @cached_property
    def starts(self) -> IntArray:
        """Number of the first document of each block, and the number of documents."""
        return np.cumsum([0, *(source.rows for source in self._sources)], dtype=np.int64)

    @property
    def in_memory(self) -> bool:
        """Whether rows are held in memory, so that another process cannot load them."""
        return any(isinstance(source, HeldRows) for source in self._sources)

    @property
    def sources(self) -> tuple[Any, ...]:
        """Where the rows of each block are: small values, each with a method ``load``, that can be sent to a worker."""
        return self._sources

    def load(self, number: int) -> SparseMatrix:
        """Load one block.

        Parameters
        ----------
        number : int
            Which one, from 0.

        Returns
        -------
        scipy.sparse.csr_array
            Its rows, in canonical form.
        """
        return self._sources[number].load()

    def divided(self, rows: int | None = None, *, memory: int | str | None = None) -> Self:
        """Return the same documents in blocks of another size.

        Parameters
        ----------
        rows : int, optional
            Documents of a block.
        memory : int or str, optional
            A memory budget such as "4GB": blocks are a sixteenth of it, where ``rows`` is not given.

        Returns
        -------
        RowBlocks
            No block spans two files.

        Raises
        ------
        BadParameter
            ``rows`` is no whole number above zero, or ``memory`` no size.
        """
        budget = bytes_of(memory)
        size = check_count("rows", rows) if rows is not None else ROWS if budget is None else self._rows_within(budget // SHARE)
        parts = ((source, range(0, source.rows, size)) for source in self._sources)
        return type(self)(
            (source.part(at, min(at + size, source.rows)) for source, starts in parts for at in starts), self._n_terms
        )

    def _rows_within(self, room: int) -> int:
        """Documents whose entries fit in so many bytes, if they are as long as those of the first few."""
        first = self._sources[0].part(0, min(self._sources[0].rows, 1000)).load()
        each = max(1.0, (first.data.nbytes + first.indices.nbytes + first.indptr.nbytes) / max(first.shape[0], 1))
        return max(1, int(room / each))

    def __len__(self) -> int:
        """Number of blocks."""
        return len(self._sources)

    def __iter__(self) -> Iterator[SparseMatrix]:
        return (source.load() for source in self._sources)

    def __repr__(self) -> str:
        return f"RowBlocks({self.shape[0]:,} documents x {self.shape[1]:,} terms in {len(self):,} blocks)"


def is_blocks(X: Any) -> bool:
    """Whether X is given in blocks: as row blocks, a path, or an iterator of blocks."""
    return isinstance(X, RowBlocks | str | Path) or (isinstance(X, Iterator) and not hasattr(X, "shape"))


def as_blocks(X: Any, folder: Path, *, in_files: bool, memory: int | None = None) -> RowBlocks:
    """Row blocks of whatever is given; an iterator, and with ``in_files`` a matrix in memory, is written to a folder first."""
    if isinstance(X, str | Path):
        return RowBlocks.open(X, memory=memory)
    if isinstance(X, Iterator):
        return RowBlocks.write(folder, X, memory=memory)
    blocks = X if isinstance(X, RowBlocks) else RowBlocks.of(X, memory=memory)
    if not (in_files and blocks.in_memory):
        return blocks
    write_rows(folder, iter(blocks))
    whole, bounds = stored_rows(folder), blocks.starts.tolist()
    return RowBlocks((whole.part(*pair) for pair in itertools.pairwise(bounds)), whole.n_terms)

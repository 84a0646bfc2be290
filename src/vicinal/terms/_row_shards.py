"""Rows in other forms: held in memory, or in shards on disk: SciPy's ``npz`` files, and row groups of Parquet files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr
from vicinal._typing import SparseMatrix
from vicinal._validate import check_terms
from vicinal.errors import BadData, MissingExtra

COLUMNS = ("terms", "weights")  # of a Parquet shard: for each document the numbers of its terms and their weights


class RowSource(Protocol):
    """Where the rows of one block are."""

    @property
    def rows(self) -> int:
        """How many documents."""

    @property
    def n_terms(self) -> int:
        """How many terms."""

    def load(self) -> SparseMatrix:
        """The rows as a canonical CSR array."""

    def part(self, start: int, stop: int) -> RowSource:
        """Some of these rows."""


@final
@dataclass(frozen=True, eq=False)
class HeldRows:
    """Some rows of a matrix in memory."""

    X: SparseMatrix
    start: int
    stop: int

    @property
    def rows(self) -> int:
        """How many documents."""
        return self.stop - self.start

    @property
    def n_terms(self) -> int:
        """How many terms."""
        return self.X.shape[1]

    def load(self) -> SparseMatrix:
        """The rows; their entries are not copied."""
        first, last = self.X.indptr[self.start], self.X.indptr[self.stop]
        starts = self.X.indptr[self.start : self.stop + 1] - first
        return csr((self.X.data[first:last], self.X.indices[first:last], starts), shape=(self.rows, self.X.shape[1]))

    def part(self, start: int, stop: int) -> HeldRows:
        """Some of these rows."""
        return HeldRows(self.X, self.start + start, self.start + stop)


@final
@dataclass(frozen=True)
class ShardRows:
    """Some rows of a shard, which is read whole to have them."""

    file: str
    group: int
    n_terms: int
    start: int
    stop: int

    @property
    def rows(self) -> int:
        """How many documents."""
        return self.stop - self.start

    def load(self) -> SparseMatrix:
        """Read the shard."""
        whole = check_terms(
            _read_npz(self.file) if self.file.endswith(".npz") else _read_group(self.file, self.group, self.n_terms)
        )
        rows = csr(whole)
        return rows if self.rows == rows.shape[0] else rows[self.start : self.stop]

    def part(self, start: int, stop: int) -> ShardRows:
        """Some of these rows."""
        return ShardRows(self.file, self.group, self.n_terms, self.start + start, self.start + stop)


def _read_npz(file: str) -> Any:
    return sp.csr_array(sp.load_npz(file))


def shards_of(folder: Path) -> list[ShardRows]:
    """The shards of a folder in the order of their names, or of one file, each once per row group."""
    files = [folder] if folder.is_file() else sorted(each for each in folder.iterdir() if each.suffix in (".npz", ".parquet"))
    shards = [shard for file in files for shard in (_npz_shards(file) if file.suffix == ".npz" else _parquet_shards(file))]
    n_terms = {shard.n_terms for shard in shards}
    if len(n_terms) > 1:
        raise BadData(f"the shards of {folder} have different numbers of terms: {sorted(n_terms)}. Use one vocabulary for all.")
    return [shard for shard in shards if shard.rows]


def _npz_shards(file: Path) -> Iterator[ShardRows]:
    with np.load(file, allow_pickle=False) as members:
        if "shape" not in members:
            raise BadData(f"{file} is no sparse matrix: it holds {', '.join(members.files)[:80]}. Use scipy.sparse.save_npz.")
        n_documents, n_terms = (int(side) for side in members["shape"])
    yield ShardRows(str(file), 0, n_terms, 0, n_documents)


def _parquet_shards(file: Path) -> Iterator[ShardRows]:
    about = _parquet(file)
    told = (about.schema_arrow.metadata or {}).get(b"vicinal")
    if told is None or not set(COLUMNS) <= set(about.schema_arrow.names):
        raise BadData(
            f"{file} is no Parquet file of documents x terms: it has the columns {', '.join(about.schema_arrow.names)[:80]}. "
            f"RowBlocks.write(path, blocks, format='parquet') writes such files."
        )
    n_terms = int(json.loads(told)["n_terms"])
    for group in range(about.num_row_groups):
        yield ShardRows(str(file), group, n_terms, 0, about.metadata.row_group(group).num_rows)


def _parquet(file: str | Path) -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("Parquet files need pyarrow, which is not installed. Use pip install 'vicinal[read]'.") from None
    return pyarrow.parquet.ParquetFile(file)


def _read_group(file: str, group: int, n_terms: int) -> SparseMatrix:
    table = _parquet(file).read_row_group(group, columns=list(COLUMNS)).combine_chunks()
    terms, weights = (table.column(name).combine_chunks() for name in COLUMNS)
    starts = terms.offsets.to_numpy()
    entries = weights.flatten().to_numpy(zero_copy_only=False), terms.flatten().to_numpy(zero_copy_only=False)
    return csr((*entries, starts - starts[0]), shape=(len(terms), n_terms))


def write_shards(folder: Path, blocks: Iterator[SparseMatrix], form: str) -> None:
    """Write each block as a shard of its own, numbered in their order."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"*.{form}"):
        old.unlink()
    for number, block in enumerate(blocks):
        file = folder / f"rows-{number:05}.{form}"
        if form == "npz":
            sp.save_npz(file, sp.csr_array(block), compressed=False)
        else:
            _write_parquet(file, block)


def _write_parquet(file: Path, block: SparseMatrix) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = [pa.ListArray.from_arrays(pa.array(block.indptr, pa.int32()), pa.array(each)) for each in (block.indices, block.data)]
    table = pa.Table.from_arrays(columns, names=list(COLUMNS))
    pq.write_table(table.replace_schema_metadata({"vicinal": json.dumps({"n_terms": block.shape[1]})}), file)

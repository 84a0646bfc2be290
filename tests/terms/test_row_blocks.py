"""Row blocks: the same documents in memory, in files and in shards, in blocks of any size."""

from __future__ import annotations

import json

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal.engines import ThreadEngine
from vicinal.errors import BadData, EmptyCorpus, NoSuchSource
from vicinal.terms import RowBlocks
from vicinal.terms._block_terms import block_terms


def some_rows(n_documents=23, n_terms=9, dtype=np.float64):
    rng = np.random.default_rng(3)
    counts = rng.poisson(0.4, (n_documents, n_terms)).astype(dtype)
    counts[4] = 0
    return sp.csr_array(counts)


def same(X, blocks):
    whole = sp.vstack(list(blocks), format="csr")
    return whole.shape == X.shape and whole.dtype == X.dtype and (whole != X).nnz == 0


@pytest.mark.parametrize("rows", [1, 5, 23, 100])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", ["memory", "rows", "npz", "parquet"])
def test_blocks_hold_the_same_documents_wherever_they_are(tmp_path, rows, dtype, form):
    X = some_rows(dtype=dtype)
    blocks = RowBlocks.of(X, rows)
    if form != "memory":
        blocks = RowBlocks.write(tmp_path, iter(blocks), format=form, rows=rows)
    assert same(X, blocks)
    assert blocks.shape == X.shape
    assert len(blocks) == -(-23 // rows)
    assert blocks.starts[-1] == 23
    assert (blocks.load(len(blocks) - 1) != X[blocks.starts[-2] :]).nnz == 0


@pytest.mark.parametrize("form", ["rows", "npz", "parquet"])
def test_blocks_are_divided_anew_without_being_written_again(tmp_path, form):
    X = some_rows()
    written = RowBlocks.write(tmp_path, [X[:10], X[10:]], format=form)
    before = sorted(file.stat().st_mtime_ns for file in tmp_path.iterdir())
    assert same(X, RowBlocks.open(tmp_path, rows=4))
    assert same(X, written.divided(7))
    assert before == sorted(file.stat().st_mtime_ns for file in tmp_path.iterdir())


def test_a_block_is_a_sixteenth_of_the_memory_budget():
    X = some_rows(4_000)
    entries = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    blocks = RowBlocks.of(X, memory=entries)
    assert 14 <= len(blocks) <= 18
    assert same(X, blocks)


def test_loading_a_block_reads_no_other(tmp_path):
    X = some_rows()
    blocks = RowBlocks.write(tmp_path, [X], rows=5)
    data = np.load(tmp_path / "data.npy")
    data[X.indptr[5] :] = np.nan
    np.save(tmp_path / "data.npy", data)
    assert (blocks.load(0) != X[:5]).nnz == 0
    assert np.isnan(blocks.load(1).data).all()


def test_rows_that_were_not_written_whole_are_not_opened(tmp_path):
    RowBlocks.write(tmp_path, [some_rows()])

    def interrupted():
        yield some_rows()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        RowBlocks.write(tmp_path, interrupted())
    with pytest.raises(BadData, match="holds no rows"):
        RowBlocks.open(tmp_path)


def test_what_is_no_row_blocks_is_refused_with_its_name(tmp_path):
    with pytest.raises(NoSuchSource, match="no such file or folder"):
        RowBlocks.open(tmp_path / "nowhere")
    with pytest.raises(EmptyCorpus, match="no blocks"):
        RowBlocks.write(tmp_path, [])
    with pytest.raises(BadData, match="same terms, got 3 after 9"):
        RowBlocks.write(tmp_path, [some_rows(), some_rows(n_terms=3)])
    (tmp_path / "rows.json").write_text(json.dumps({"format": "other"}))
    with pytest.raises(BadData, match="another format: 'other'"):
        RowBlocks.open(tmp_path)


def test_shards_of_other_programs_are_refused_or_read(tmp_path):
    np.savez(tmp_path / "a.npz", other=np.arange(3))
    with pytest.raises(BadData, match="is no sparse matrix: it holds other"):
        RowBlocks.open(tmp_path)
    unsorted = sp.csr_matrix((np.array([2.0, 1.0, 0.0]), np.array([1, 0, 2]), np.array([0, 3])), shape=(1, 3))
    sp.save_npz(tmp_path / "a.npz", unsorted)
    assert RowBlocks.open(tmp_path / "a.npz").load(0).toarray().tolist() == [[1.0, 2.0, 0.0]]
    assert RowBlocks.open(tmp_path / "a.npz").load(0).has_canonical_format
    sp.save_npz(tmp_path / "b.npz", sp.csr_array(np.eye(2)))
    with pytest.raises(BadData, match=r"different numbers of terms: \[2, 3\]"):
        RowBlocks.open(tmp_path)


def test_a_table_of_texts_is_no_matrix(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"text": ["a", "b"]}), tmp_path / "texts.parquet")
    with pytest.raises(BadData, match="has the columns text"):
        RowBlocks.open(tmp_path)


def test_a_bad_number_is_named_by_its_document(tmp_path):
    X = some_rows()
    X.data[X.indptr[13]] = np.nan
    blocks = RowBlocks([_Unchecked(X[:10]), _Unchecked(X[10:])], X.shape[1])
    with pytest.raises(BadData, match=f"NaN in row 13, column {X.indices[X.indptr[13]]}"):
        block_terms(blocks, ThreadEngine(1))
    X.data[X.indptr[13]] = 1e200
    blocks = RowBlocks([_Unchecked(X[:10]), _Unchecked(X[10:])], X.shape[1])
    with pytest.raises(BadData, match="1e\\+200, in row 13"):
        block_terms(blocks, ThreadEngine(1))


class _Unchecked:
    """Rows as a file that was changed since it was written may have them."""

    def __init__(self, rows):
        self._rows, self.rows = rows, rows.shape[0]

    def load(self):
        return self._rows


@pytest.mark.parametrize(("start", "stop"), [(0, 23), (3, 4), (4, 12), (10, 20), (22, 23)])
def test_pieces_of_blocks_are_the_documents_asked_for(start, stop):
    X = some_rows()
    terms = block_terms(RowBlocks.of(X, 5), ThreadEngine(1))
    pieces = terms.pieces(start, stop)
    assert same(X[start:stop], [source.load() for source, _, _ in pieces])
    assert pieces[0][1] == start
    assert pieces[-1][2] == stop
    wanted = np.array([0, 3, 4, 11, 22])
    assert (terms.rows(wanted) != X[wanted]).nnz == 0

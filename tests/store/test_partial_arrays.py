"""Arrays by their rows: a few blocks are read, each is verified before it is used, and rows agree with the whole array."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal._store import Arrays, PartialArray, Store, array_layout, block_at, entries_from, rows_from
from vicinal.errors import BadParameter, DamagedIndex

pytestmark = pytest.mark.damages


@pytest.fixture(name="arrays")
def arrays_of_many_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(array_layout, "BLOCK_BYTES", 64)
    with Store.open(tmp_path / "news.vic", create=True) as store:
        yield Arrays(store)


def hurt(arrays, name, part, first_row):
    with arrays.store.writing():
        arrays.store.execute(
            "UPDATE blocks SET bytes = zeroblob(length(bytes)) WHERE name = ? AND part = ? AND first_row = ?",
            (name, part, first_row),
        )


def n_blocks(arrays, name):
    return len(arrays.pieces(name))


def test_rows_of_a_dense_array_are_those_of_the_whole(arrays):
    whole = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)
    arrays.put("vectors", whole[:40])
    arrays.append("vectors", whole[40:])
    assert n_blocks(arrays, "vectors") > 5
    part, wanted = PartialArray(arrays, "vectors"), np.array([49, 0, 17, 17])
    np.testing.assert_array_equal(part.rows(wanted), whole[wanted])
    assert len(part) == 50
    with pytest.raises(IndexError, match=r"^row 50 of 50$"):
        part.rows(np.array([50]))
    with pytest.raises(BadParameter):
        PartialArray(arrays, "others")
    assert (arrays.has("vectors"), arrays.has("others")) == (True, False)


def test_rows_of_a_sparse_array_are_those_of_the_whole(arrays):
    whole = sp.random(30, 20, 0.3, format="csr", random_state=1)
    arrays.put("counts", whole)
    part = PartialArray(arrays, "counts")
    for row in (0, 7, 29):
        columns, values = part.entries(row)
        assert columns.tolist() == whole.indices[whole.indptr[row] : whole.indptr[row + 1]].tolist()
        assert values.tolist() == whole.data[whole.indptr[row] : whole.indptr[row + 1]].tolist()


def test_the_pattern_of_a_sparse_array_is_that_of_the_whole_and_values_are_not_read(arrays):
    whole = sp.random(30, 20, 0.3, format="csr", random_state=1)
    arrays.put("counts", whole)
    hurt(arrays, "counts", "values", 0)
    starts, columns = arrays.pattern("counts")
    assert (starts.tolist(), columns.tolist()) == (whole.indptr.tolist(), whole.indices.tolist())
    hurt(arrays, "counts", "columns", 0)
    with pytest.raises(DamagedIndex, match="columns"):
        arrays.pattern("counts")


def test_a_text_is_found_in_a_list_whether_or_not_the_list_is_in_order(arrays):
    for words in (["", "able", "bread", "corn", "été", "漢字"], ["corn", "able", "漢字", "bread", "", "été"]):
        words = [*words, *(f"word{i:03}" for i in range(60))]
        arrays.put("words", words)
        part = PartialArray(arrays, "words")
        assert [part.find(word) for word in words] == list(range(len(words)))
        assert [part.find(word) for word in ("cor", "corns", "漢", "half\ud800")] == [-1] * 4
        assert [part.text(row) for row in (0, 5, 65)] == [words[0], words[5], words[65]]


def test_a_damaged_block_is_noticed_when_it_is_first_read_and_not_before(arrays):
    whole = np.arange(60.0).reshape(20, 3)
    arrays.put("vectors", whole)
    last = arrays.pieces("vectors")[-1].first_row
    hurt(arrays, "vectors", "rows", last)
    part = PartialArray(arrays, "vectors")
    assert part.rows(np.array([0])).tolist() == [[0.0, 1.0, 2.0]]
    for _ in range(2):
        with pytest.raises(DamagedIndex, match=f"rows {last} to"):
            part.rows(np.array([19]))


def test_bytes_that_are_no_text_are_damage(arrays):
    with pytest.raises(DamagedIndex, match="no text"):
        array_layout.decoded(b"\xff")


def test_new_rows_are_read_behind_those_that_are_there_where_a_block_begins(arrays):
    whole = np.arange(60.0).reshape(20, 3)
    arrays.put("vectors", whole[:10])
    arrays.append("vectors", whole[10:])
    out = np.zeros((10, 3))
    assert rows_from(arrays, "vectors", 10, out)
    assert out.tolist() == whole[10:].tolist()
    assert not rows_from(arrays, "vectors", 11, out)
    assert rows_from(arrays, "vectors", 20, out[:0])


def test_new_rows_of_a_sparse_array_are_read_behind_those_that_are_there_where_a_block_begins(arrays):
    whole = sp.csr_array(np.where(np.arange(60).reshape(20, 3) % 4 == 0, np.arange(60.0).reshape(20, 3), 0.0))
    arrays.put("counts", whole[:10])
    arrays.append("counts", whole[10:15])
    arrays.append("counts", whole[15:])
    lengths, columns, values = entries_from(arrays, "counts", 10)
    assert lengths.tolist() == np.diff(whole[10:].indptr).tolist()
    assert (columns.tolist(), values.tolist()) == (whole[10:].indices.tolist(), whole[10:].data.tolist())
    assert entries_from(arrays, "counts", 11) is None


def test_a_hole_among_new_rows_is_damage(arrays):
    arrays.put("vectors", np.ones((4, 3)))
    for _ in range(3):
        arrays.append("vectors", np.ones((2, 3)))
    with arrays.store.writing():
        arrays.store.execute("DELETE FROM blocks WHERE name = 'vectors' AND first_row = 6")
    with pytest.raises(DamagedIndex, match="the next block is of row 8"):
        rows_from(arrays, "vectors", 4, np.zeros((6, 3)))


def test_an_array_that_is_put_anew_begins_with_another_block_and_one_that_grows_with_the_same(arrays):
    arrays.put("vectors", np.ones((4, 3)))
    arrays.put("others", np.ones((4, 3)))
    before = block_at(arrays, "vectors", 0)
    arrays.append("vectors", np.ones((4, 3)))
    assert block_at(arrays, "vectors", 0) == before
    arrays.put("vectors", np.ones((8, 3)))
    assert block_at(arrays, "vectors", 0) != before
    assert block_at(arrays, "vectors", 99) is None

"""Arrays: whatever is put comes back to the bit, whole or in part, and no header is believed beyond its bytes."""

from __future__ import annotations

import itertools
import json
import re
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from vicinal._store import Arrays, Store, array_layout, check
from vicinal._store.blocks import DTYPES, Header, read_header, read_shape
from vicinal._store.checksums import checksum
from vicinal.errors import BadData, BadParameter, DamagedIndex

pytestmark = pytest.mark.damages

many_examples = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
numbers = st.sampled_from(sorted(DTYPES)).flatmap(
    lambda dtype: npst.arrays(dtype, npst.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=7))
)


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of a few bytes, so that small arrays have many."""
    monkeypatch.setattr(array_layout, "BLOCK_BYTES", 64)


def same(left, right):
    return left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()


@many_examples
@given(numbers)
def test_a_dense_array_comes_back_to_the_bit(store, small_blocks, array):
    Arrays(store).put("x", array)
    assert same(Arrays(store).get("x"), np.ascontiguousarray(array))


@many_examples
@given(npst.arrays(np.float64, (9, 5), elements=st.sampled_from([0.0, 0.0, 1.5, -2.0])), st.sampled_from(sorted(DTYPES)))
def test_a_sparse_array_comes_back(store, small_blocks, dense, dtype):
    array = sp.csr_array(dense.astype(dtype))
    Arrays(store).put("x", array)
    back = Arrays(store).get("x")
    assert back.format == "csr"
    assert same(back.data, array.data)
    assert back.shape == array.shape
    assert np.array_equal(back.indices, array.indices)
    assert np.array_equal(back.indptr, array.indptr)


@many_examples
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=20))
def test_texts_come_back(store, small_blocks, texts):
    Arrays(store).put("x", texts)
    assert Arrays(store).get("x") == texts


@pytest.mark.parametrize("shape", [(0,), (0, 5), (5, 0), (3, 0, 2), (1,)])
@pytest.mark.parametrize("dtype", sorted(DTYPES))
def test_empty_arrays_keep_their_shape(store, shape, dtype):
    Arrays(store).put("x", np.zeros(shape, dtype))
    assert same(Arrays(store).get("x"), np.zeros(shape, dtype))


@pytest.mark.parametrize(
    "array", [sp.csr_array((0, 7)), sp.csr_array((7, 0)), sp.csr_array((4, 4)), sp.csc_matrix(np.eye(3))], ids=repr
)
def test_empty_and_other_sparse_arrays_are_kept_row_by_row(store, array):
    Arrays(store).put("x", array)
    back = Arrays(store).get("x")
    assert back.shape == array.shape
    assert np.array_equal(back.toarray(), array.toarray())


def test_any_layout_in_memory_is_kept_as_it_reads(store):
    base = np.arange(24.0).reshape(4, 6)
    layouts = (np.asfortranarray(base), base[::-1, ::2], base.astype(">f8"), np.broadcast_to(base[0], (3, 6)))
    for array in layouts:
        before = array.copy()
        Arrays(store).put("x", array)
        back = Arrays(store).get("x")
        assert np.array_equal(back, array)
        assert back.dtype == np.float64
        assert back.dtype.isnative
        assert back.flags.writeable
        assert np.array_equal(array, before)
    Arrays(store).put("x", np.array(["a", "", "漢字"]))
    assert Arrays(store).get("x") == ["a", "", "漢字"]


def test_large_arrays_are_many_blocks_and_small_rows_share_one(store):
    arrays = Arrays(store)
    arrays.put("wide", np.ones((3, 200_000)))
    arrays.put("long", np.ones((300_000, 1), np.float32))
    arrays.put("sparse", sp.random(20_000, 100, 0.1, format="csr", random_state=0))
    assert len(arrays.pieces("wide")) == 3
    assert len(arrays.pieces("long")) == 2
    assert len(arrays.pieces("sparse")) == 3
    assert arrays.get("long").sum() == 300_000


def test_put_replaces_append_adds_drop_forgets(store):
    arrays = Arrays(store)
    arrays.put("x", np.zeros((9, 2)))
    arrays.put("x", np.ones((3, 2), np.float32))
    arrays.append("x", np.full((2, 2), 7, np.float32))
    arrays.append("x", np.zeros((0, 2), np.float32))
    assert arrays.get("x").tolist() == [[1, 1]] * 3 + [[7, 7]] * 2
    arrays.put("s", sp.csr_array(np.eye(3)))
    arrays.append("s", sp.csr_array(np.ones((2, 3))))
    assert arrays.get("s").toarray().tolist() == [*np.eye(3).tolist(), [1, 1, 1], [1, 1, 1]]
    arrays.put("t", ["a"])
    arrays.append("t", ["b", "c"])
    assert arrays.get("t") == ["a", "b", "c"]
    assert arrays.names() == ["s", "t", "x"]
    assert [arrays.drop("s"), arrays.drop("s")] == [True, False]
    assert arrays.names() == ["t", "x"]


@pytest.mark.parametrize("other", [np.ones((2, 3), np.float32), np.ones((2, 2)), ["a"], sp.csr_array(np.ones((2, 2)))], ids=repr)
def test_rows_of_another_kind_cannot_be_added(store, other):
    Arrays(store).put("x", np.ones((3, 2), np.float32))
    with pytest.raises(BadData, match="can be added to array 'x'"):
        Arrays(store).append("x", other)
    assert Arrays(store).get("x").shape == (3, 2)


@pytest.mark.parametrize(
    "array",
    [
        np.array([object()]),
        np.array(["a"], dtype=object),
        np.ones(2, np.float16),
        np.ones(2, np.complex128),
        np.array(["2020-01-01"], "M8[D]"),
        np.zeros(2, [("a", "f4")]),
        np.array([["a"]]),
        np.array(3.0),
        3.0,
        [1, 2],
        ["half \ud800"],
        sp.csr_array(np.eye(2, dtype=np.complex128)),
        {"a": 1},
    ],
    ids=lambda array: re.sub(r"0x[0-9a-f]+", "…", repr(array)),
)
def test_what_is_no_plain_array_is_refused(store, array):
    with pytest.raises(BadData):
        Arrays(store).put("x", array)
    assert Arrays(store).names() == []


def test_an_unknown_name_and_one_that_cannot_be_are_said(store):
    Arrays(store).put("vectors", np.ones(3))
    with pytest.raises(BadParameter, match=r"no array 'vektors'.*There are: 'vectors'"):
        Arrays(store).get("vektors")
    for name in ("", "x" * 201, None, "\ud800"):
        with pytest.raises(BadParameter, match="must have a name"):
            Arrays(store).put(name, np.ones(3))


# Headers that lie, with checksums that agree: somebody made them.


def forge_block(store, part="rows", n_rows=4, dtype="float64", shape="[4, 2]", data=bytes(64), first_row=0):
    header = Header("x", part, first_row, n_rows, dtype, ())
    try:
        check_value = checksum("x", part, first_row, n_rows, dtype, json.dumps(json.loads(shape)), data)
    except (ValueError, RecursionError):
        check_value = 0
    with store.writing():
        store.execute("DELETE FROM blocks WHERE name = 'x' AND part = ? AND first_row = ?", (header.part, header.first_row))
        store.execute(
            "INSERT INTO blocks (name, part, first_row, n_rows, dtype, shape, checksum, bytes) VALUES ('x', ?, ?, ?, ?, ?, ?, ?)",
            (part, first_row, n_rows, dtype, shape, check_value, data),
        )


def forge_array(store, kind="dense", dtype="float64", shape="[4, 2]"):
    with store.writing():
        store.execute(
            "UPDATE arrays SET kind = ?, dtype = ?, shape = ?, checksum = ?",
            (kind, dtype, shape, checksum("x", kind, dtype, shape)),
        )


LIES = {
    "more rows than bytes": [{"n_rows": 1 << 40, "shape": "[1099511627776, 2]"}, {"shape": "[1099511627776, 2]"}],
    "a product that overflows": [{"n_rows": 1 << 40, "shape": f"[{1 << 40}, {1 << 40}]"}, {"shape": f"[{1 << 40}, {1 << 40}]"}],
    "a side below zero": [{"shape": "[-4, -2]"}, {"shape": "[-4, -2]"}],
    "a side that is no number": [{"shape": '["4", 2]'}, {}],
    "a side of 2^63": [{"shape": f"[{1 << 63}, 0]"}, {"shape": f"[{1 << 63}, 0]"}],
    "a very deep shape": [{"shape": "[" * 100 + "]" * 100}, {}],
    "a shape without end": [{"shape": "[" + "1," * 100_000 + "1]"}, {}],
    "too few bytes": [{"data": bytes(63)}, {}],
    "too many bytes": [{"data": bytes(72)}, {}],
    "an object dtype": [{"dtype": "object"}, {}],
    "a class for a dtype": [{"dtype": "os.system"}, {}],
    "an array of objects": [{}, {"dtype": "object"}],
    "an unknown kind": [{}, {"kind": "npz"}],
    "another dtype than the array": [{"dtype": "int64"}, {}],
    "other columns than the array": [{"shape": "[2, 4]", "n_rows": 2}, {}],
    "a hole": [{}, {"shape": "[9, 2]"}],
    "less than the blocks": [{}, {"shape": "[3, 2]"}],
    "a block before the first": [{"first_row": -4}, {}],
    "no rows at all": [{"n_rows": 0, "shape": "[0, 2]", "data": b""}, {}],
    "an overlap": [{"first_row": 2}, {}],
    "a part too many": [{"part": "columns"}, {}],
    "bool that is neither": [{"dtype": "bool", "data": b"\2" * 8}, {"dtype": "bool"}],
}


@pytest.mark.parametrize("lie", LIES)
def test_a_header_that_lies_is_refused_before_anything_is_allocated(tmp_path, lie):
    block, array = LIES[lie]
    with Store.open(tmp_path / "x.vic", create=True) as store:
        Arrays(store).put("x", np.ones((4, 2)))
        if block:
            forge_block(store, **block)
        if array:
            forge_array(store, **array)
        tracemalloc.start()
        with pytest.raises(DamagedIndex):
            Arrays(store).get("x")
        assert tracemalloc.get_traced_memory()[1] < 3_000_000
        tracemalloc.stop()
        assert {"arrays", "blocks"} & {damage.table for damage in check(store)}


SPARSE_LIES = {
    "starts that fall": {
        "part": "starts",
        "dtype": "int64",
        "shape": "[4]",
        "n_rows": 3,
        "data": np.array([0, 3, 1, 3], "<i8").tobytes(),
    },
    "starts beyond the end": {
        "part": "starts",
        "dtype": "int64",
        "shape": "[4]",
        "n_rows": 3,
        "data": np.array([0, 1, 2, 9], "<i8").tobytes(),
    },
    "starts that begin later": {
        "part": "starts",
        "dtype": "int64",
        "shape": "[4]",
        "n_rows": 3,
        "data": np.array([1, 1, 2, 3], "<i8").tobytes(),
    },
    "a column that is not there": {
        "part": "columns",
        "dtype": "int32",
        "shape": "[3]",
        "n_rows": 3,
        "data": np.array([0, 1, 3], "<i4").tobytes(),
    },
    "a column below zero": {
        "part": "columns",
        "dtype": "int32",
        "shape": "[3]",
        "n_rows": 3,
        "data": np.array([0, -1, 2], "<i4").tobytes(),
    },
    "more values than columns": {"part": "values", "dtype": "float64", "shape": "[4]", "n_rows": 3, "data": bytes(32)},
    "columns that are no whole numbers": {"part": "columns", "dtype": "float32", "shape": "[3]", "n_rows": 3, "data": bytes(12)},
}


@pytest.mark.parametrize("lie", SPARSE_LIES)
def test_a_sparse_array_that_lies_is_refused(tmp_path, lie):
    with Store.open(tmp_path / "x.vic", create=True) as store:
        Arrays(store).put("x", sp.csr_array(np.eye(3)))
        forge_block(store, **SPARSE_LIES[lie])
        with pytest.raises(DamagedIndex):
            Arrays(store).get("x")


def test_texts_that_are_no_text_are_refused(tmp_path):
    with Store.open(tmp_path / "x.vic", create=True) as store:
        Arrays(store).put("x", ["ab", "c"])
        forge_block(store, part="letters", dtype="uint8", shape="[3]", n_rows=2, data=b"\xff\xfe\xfd")
        with pytest.raises(DamagedIndex, match="no text"):
            Arrays(store).get("x")


def test_a_forged_header_that_tells_the_truth_is_read(tmp_path):
    """The forger's tools work: what is refused above is refused for what it says."""
    with Store.open(tmp_path / "x.vic", create=True) as store:
        Arrays(store).put("x", np.ones((4, 2)))
        forge_block(store)
        forge_array(store)
        assert np.array_equal(Arrays(store).get("x"), np.zeros((4, 2)))


def test_a_row_longer_than_a_block_has_a_block_of_its_own(small_blocks):
    for rows in (["a" * 10_000, "b", "c" * 10_000], sp.csr_array(np.ones((3, 5000)))):
        pieces = array_layout.cut(*array_layout.prepared(rows))
        assert [n_rows for n_rows, _ in itertools.islice(pieces, 5)] == [1, 1, 1]


def test_a_shape_of_more_bytes_than_there_can_be_is_no_shape():
    side = 1 << 32
    assert read_shape(f"[{side}, 2]", "an array") == (side, 2)
    for shape in (f"[{side}, {side}]", f"[0, {side}, {side}]", "[-1]", "[1.5]", "[true]", "7", "[]", "[1,1,1,1,1,1,1,1,1]", "{"):
        with pytest.raises(DamagedIndex, match="an array is damaged"):
            read_shape(shape, "an array")


@pytest.mark.parametrize(
    ("first_row", "n_rows"), [("0", 4), (0.0, 4), (0, "4"), (0, None), (-1, 4), (1 << 49, 4), (0, 0), (0, -4), (0, 1 << 49)]
)
def test_a_header_whose_rows_are_no_counts_is_damaged(first_row, n_rows):
    with pytest.raises(DamagedIndex, match="its rows are given as"):
        read_header("x", "rows", first_row, n_rows, "float64", "[4, 2]")
    assert read_header("x", "rows", 0, 4, "float64", "[4, 2]").shape == (4, 2)


@pytest.mark.parametrize("shape", ["[0]", "[0, 3]", f"[{1 << 48}]", "[1, 1, 1, 1, 1, 1, 1, 1]"])
def test_the_smallest_and_the_largest_shapes_are_shapes(shape):
    assert list(read_shape(shape, "x")) == json.loads(shape)


@pytest.mark.parametrize("shape", ["[-1]", f"[{(1 << 48) + 1}]", "[1, 1, 1, 1, 1, 1, 1, 1, 1]", "[]", "[true]", "3"])
def test_what_is_smaller_or_larger_is_none(shape):
    with pytest.raises(DamagedIndex, match="no shape of an array"):
        read_shape(shape, "x")


def test_clearing_leaves_no_array_and_sound_tallies(store):
    arrays = Arrays(store)
    arrays.put("a", np.arange(6.0).reshape(3, 2))
    arrays.put("b", np.arange(4))
    arrays.clear()
    assert (arrays.names(), arrays.has("a"), check(store)) == ([], False, [])
    arrays.put("a", np.zeros((2, 2)))
    assert (arrays.names(), check(store)) == (["a"], [])

"""Out again: every format is read back by another reader, and no cell starts a formula."""

from __future__ import annotations

import csv
import errno
import json
import os
import struct

import numpy as np
import pytest

import vicinal
from vicinal._whole_file import written_whole
from vicinal.corpus import Document
from vicinal.errors import BadParameter
from vicinal.index._tables.export import harmless


@pytest.fixture(scope="module", name="index")
def fitted(tmp_path_factory, documents):
    with vicinal.open(tmp_path_factory.mktemp("export") / "three.vic", create=True) as index:
        index.add([*documents, Document("=cmd()", "=1+1 bread oven", "+title", metadata={"year": 7, "note": "@x", "id": "mine"})])
        index.fit(n_clusters=3, n_components=5, n_neighbors=5)
        yield index


@pytest.mark.parametrize(("kind", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_tables_hold_every_document_and_no_formula(index, tmp_path, kind, delimiter):
    assert index.export(tmp_path / f"a.{kind}") == 61
    with (tmp_path / f"a.{kind}").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter=delimiter))
    assert len(rows) == 61
    last = rows[-1]
    assert (last["id"], last["title"], last["text"], last["note"]) == ("'=cmd()", "'+title", "'=1+1 bread oven", "'@x")
    assert (last["year"], last["id (metadata)"]) == ("7", "mine")
    assert {row["cluster"] for row in rows} == {"0", "1", "2"}


@pytest.mark.parametrize(("kind", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_raw_tables_have_every_cell_as_it_is(index, tmp_path, kind, delimiter):
    index.export(tmp_path / f"a.{kind}", raw=True)
    with (tmp_path / f"a.{kind}").open(encoding="utf-8", newline="") as stream:
        last = list(csv.DictReader(stream, delimiter=delimiter))[-1]
    assert (last["id"], last["title"], last["text"], last["note"]) == ("=cmd()", "+title", "=1+1 bread oven", "@x")


def test_json_lines_are_documents_as_they_are(index, tmp_path):
    index.export(tmp_path / "a.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert rows[-1]["id"] == "=cmd()"
    assert rows[0]["year"] == 1990
    assert 0 <= rows[0]["uncertainty"] <= 1


def test_parquet_has_columns_and_vectors_of_one_size(index, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    index.export(tmp_path / "a.parquet")
    assert parquet.read_table(tmp_path / "a.parquet").column("year").to_pylist()[:2] == [1990, 1990]
    index.export(tmp_path / "v.parquet", "embeddings")
    vectors = parquet.read_table(tmp_path / "v.parquet")
    assert vectors.column("embedding").type.list_size == 5
    assert vectors.column("id").to_pylist()[0] == "cars-0"


def test_vectors_are_of_length_one_and_the_map_gives_them(index, tmp_path):
    index.export(tmp_path / "v.npz", "embeddings")
    with np.load(tmp_path / "v.npz", allow_pickle=False) as kept:
        np.testing.assert_allclose(np.linalg.norm(kept["embeddings"], axis=1), 1.0, atol=1e-5)
        assert kept["ids"][0] == "cars-0"
    assert index.export(tmp_path / "m.npz", "projection") > 30
    with np.load(tmp_path / "m.npz", allow_pickle=False) as kept:
        assert kept["weights"].shape == (len(kept["terms"]), 5)


def test_safetensors_are_laid_out_as_they_must_be(index, tmp_path):
    index.export(tmp_path / "m.safetensors", "projection")
    data = (tmp_path / "m.safetensors").read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + length])
    words = header.pop("__metadata__")["terms"].split("\n")
    spans = sorted(each["data_offsets"] for each in header.values())
    assert spans[0][0] == 0
    assert spans[0][1] == spans[1][0]
    assert spans[1][1] == len(data) - 8 - length
    first, last = header["weights"]["data_offsets"]
    weights = np.frombuffer(data[8 + length :][first:last], dtype="<f4").reshape(header["weights"]["shape"])
    assert weights.shape == (len(words), 5)
    strongest = index.explain(component=0, limit=1)
    assert weights[words.index(strongest.terms[0]), 0] == pytest.approx(strongest.parts[0], rel=1e-6)


def test_a_format_that_is_not_there_is_said_and_leaves_nothing(index, tmp_path):
    with pytest.raises(BadParameter, match="documents can be written as csv or tsv or jsonl or parquet"):
        index.export(tmp_path / "a.xls")
    with pytest.raises(BadParameter, match="what must be one of"):
        index.export(tmp_path / "a.csv", "everything")
    with vicinal.open(tmp_path / "new.vic", create=True) as empty, pytest.raises(BadParameter, match="not fitted"):
        empty.export(tmp_path / "v.npz", "embeddings")
    assert not list(tmp_path.glob("a.*")) + list(tmp_path.glob("v.*"))


@pytest.mark.parametrize("target", ["table.csv", "link.csv", "other.csv"])
def test_an_export_never_replaces_an_index(tmp_path, target):
    with vicinal.open(tmp_path / "other.csv", create=True) as other, vicinal.open(tmp_path / "table.csv", create=True) as index:
        other.add([Document("b", "corn exports")])
        index.add([Document("a", "wheat exports")])
        (tmp_path / "link.csv").symlink_to("table.csv")
        with pytest.raises(BadParameter, match=rf"{target} is an index.*Name another file"):
            index.export(tmp_path / target)
    for name, id in {"table.csv": "a", "other.csv": "b"}.items():
        with vicinal.open(tmp_path / name) as there:
            assert [hit.id for hit in there.search("exports")] == [id]


def test_an_export_in_the_making_never_replaces_an_index(tmp_path):
    with vicinal.open(tmp_path / "table.csv.part", create=True) as index:
        index.add([Document("a", "wheat exports")])
        assert index.export(tmp_path / "table.csv") == 1
    with vicinal.open(tmp_path / "table.csv.part") as there:
        assert len(there) == 1


UNSEEN = ["\ufeff=1", "\u200b=1", "\u202e=1", "\x1b=1", "\x00=1", "\x9b=1", ' \u2060"=1']


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x", "  =1", '"=1', "'=1", "＝1", "－1", "＠x", *UNSEEN])
def test_what_could_be_a_formula_is_none(cell):
    assert harmless(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["text", "", 5, -5.5, None, True, "a=b", "1-2", "\x1b[31mred", "\u200bword"])
def test_other_cells_stay(cell):
    assert harmless(cell) == cell


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("text;=1+1", "text;'=1+1"),
        ('text; "@sum', "text; \"'@sum"),
        ("a\t=1+1", "a\t'=1+1"),
        ("\t=1", "'\t'=1"),
        ("a;\t '=1", "a;\t ''=1"),
        ("a\n=1", "a\n'=1"),
        ("a;-1", "a;'-1"),
        ("\r=1", "'\r'=1"),
        ("\n=1", "'\n'=1"),
        ("list:\n- one\n- two", "list:\n- one\n- two"),
        ("a; b = c", "a; b = c"),
    ],
)
def test_no_formula_begins_where_a_program_splits_at_semicolons_or_tabs(cell, said):
    assert harmless(cell) == said


def test_a_cell_of_blanks_takes_time_in_proportion_to_its_length():
    assert harmless("a" + "\t \n" * 300_000) == "a" + "\t \n" * 300_000


def test_a_disk_without_room_is_told_with_the_name_of_the_file(tmp_path):
    with pytest.raises(OSError, match=r"No space left on device: '.*a\.csv'"), written_whole(tmp_path / "a.csv"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert list(tmp_path.iterdir()) == []

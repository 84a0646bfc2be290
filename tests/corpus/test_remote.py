"""Documents of an object store: read as those of a local folder are."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

import vicinal
from vicinal.errors import BadParameter, NoSuchSource
from vicinal.planning import MachineSpeed, plan_of

fsspec = pytest.importorskip("fsspec")
FILES = {
    "a.txt": b"Prune the roses.",
    "deep/b.csv": b"text,year\nBake the bread,1990\n",
    ".hidden/c.txt": b"no",
    "deep/.d.txt": b"no",
}


@pytest.fixture(name="folder")
def local_folder(tmp_path):
    for name, content in FILES.items():
        (tmp_path / "papers" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "papers" / name).write_bytes(content)
    return tmp_path / "papers"


@pytest.fixture(name="bucket")
def folder_in_memory():
    system = fsspec.filesystem("memory")
    for name, content in FILES.items():
        system.pipe_file(f"/bucket/papers/{name}", content)
    yield "memory://bucket/papers"
    system.rm("/bucket", recursive=True)


def facts(reading):
    return [(each.id, each.text, each.metadata.get("year")) for each in reading]


def test_a_folder_of_a_store_is_read_as_a_local_one(bucket, folder):
    local = facts(vicinal.read(folder))
    assert len(local) == 2
    assert facts(vicinal.read(bucket)) == local
    assert facts(vicinal.read(folder.as_uri())) == local


def test_a_file_of_a_store_is_read_as_a_local_one(bucket, folder):
    assert facts(vicinal.read(f"{bucket}/deep/b.csv", text="text")) == facts(vicinal.read(folder / "deep" / "b.csv", text="text"))


def test_parquet_of_a_store_is_read_by_its_rows(bucket, tmp_path):
    polars = pytest.importorskip("polars")
    polars.DataFrame({"text": [f"row {number}" for number in range(500)]}).write_parquet(
        tmp_path / "rows.parquet", row_group_size=100
    )
    fsspec.filesystem("memory").pipe_file("/bucket/rows.parquet", (tmp_path / "rows.parquet").read_bytes())
    assert [each.text for each in vicinal.read("memory://bucket/rows.parquet")] == [f"row {number}" for number in range(500)]


def test_one_fetched_file_is_there_at_a_time_and_none_afterwards(bucket):
    def there():
        return {each.name for each in Path(tempfile.gettempdir()).glob("vicinal-fetched-*")}

    before = there()
    reading = vicinal.read(bucket)
    next(reading)
    assert len(there() - before) == 1
    reading.close()
    assert there() - before == set()


def test_what_cannot_be_read_is_reported_by_its_address(bucket):
    fsspec.filesystem("memory").pipe_file("/bucket/papers/broken.parquet", b"PAR1 and no more")
    reading = vicinal.read(bucket)
    assert len(list(reading)) == 2
    assert [each.source for each in reading.skipped] == ["memory://bucket/papers/broken.parquet"]


def test_an_index_is_made_of_a_store_and_knows_its_documents_again(bucket, tmp_path, monkeypatch):
    fsspec.filesystem("memory").pipe_file("/bucket/papers/deep/a.txt", b"Two files of one name, with roses.")
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        assert index.add(vicinal.read(bucket)).added == 3
        assert {hit.id for hit in index.search("roses")} == {"a.txt", "a.txt-2"}
        monkeypatch.chdir(tmp_path)
        again = index.add(vicinal.read(bucket))
        assert (again.added, again.changed, again.unchanged) == (0, 0, 3)
    assert plan_of(bucket, machine=MachineSpeed(1.0, 1.0, 1.0, 1)).size.n_documents == 3


def test_addresses_that_lead_nowhere_are_refused_at_once(bucket):
    with pytest.raises(NoSuchSource, match="no file or folder has that address"):
        vicinal.read(f"{bucket}/nowhere")
    with pytest.raises(NoSuchSource, match="nothing can be read at nosuchstore://"):
        vicinal.read("nosuchstore://bucket")
    with pytest.raises(BadParameter, match="address of a database"):
        vicinal.read("postgresql://host/name")


def test_a_password_is_shown_nowhere():
    with pytest.raises(NoSuchSource) as refused:
        vicinal.read("nosuchstore://me:secret@host/name")
    assert "secret" not in str(refused.value)

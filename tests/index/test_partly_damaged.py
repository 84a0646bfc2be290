"""One damaged part bricks nothing: documents come out, a fit mends the model, search goes on by full text, with a warning."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import vicinal
from tests.index.small import document, made
from tests.store.test_damage import sql
from vicinal._store import Documents, Labels, Store
from vicinal.cli._app import app
from vicinal.errors import BadParameter, DamagedIndex, DamagedPart
from vicinal.index import check

pytestmark = pytest.mark.damages


@pytest.fixture(scope="module", name="whole")
def sound_index(tmp_path_factory):
    return made(tmp_path_factory.mktemp("whole") / "small.vic", 5, added=1)


@pytest.fixture(name="path")
def own_copy(whole, tmp_path):
    return Path(shutil.copy(whole, tmp_path / "news.vic"))


def zero(path, pattern):
    """Damage of all blocks of some arrays."""
    sql(path, f"UPDATE blocks SET bytes = zeroblob(length(bytes)) WHERE name GLOB '{pattern}'")


def exported(index, path):
    index.export(path)
    return [json.loads(line) for line in path.read_text().splitlines()]


#: Arrays, and what the setting of the model says.
MODEL = ["rows/*", "words/*", "space/*", "topics/*", "search/*", "drift/*", "tree/*", "classes/*", "*"]


@pytest.mark.parametrize("pattern", MODEL)
def test_documents_are_exported_whatever_is_damaged_of_the_model(path, tmp_path, pattern):
    with vicinal.open(path) as index:
        truth = exported(index, tmp_path / "truth.jsonl")
    zero(path, pattern)
    with vicinal.open(path) as index:
        if pattern in ("rows/*", "*", "search/*"):
            with pytest.warns(DamagedPart, match="written without their clusters"):
                found = exported(index, tmp_path / "found.jsonl")
            truth = [each | {"cluster": None, "cluster_name": None, "uncertainty": None} for each in truth]
        else:
            found = exported(index, tmp_path / "found.jsonl")
    assert found == truth


@pytest.mark.parametrize("pattern", MODEL)
def test_a_fit_makes_a_damaged_index_sound_without_loading_the_old_model(path, pattern, monkeypatch):
    zero(path, pattern)
    monkeypatch.setattr("vicinal.index._index_state.load_model", None)
    sql(path, "DELETE FROM settings WHERE name = 'classes'")  # which are learnt by the new model
    sql(path, "UPDATE tallies SET (n_rows, total) = (SELECT count(*), sum(checksum) FROM settings) WHERE name = 'settings'")
    with vicinal.open(path) as index:
        fitted = index.fit()
    monkeypatch.undo()
    assert any("the last fit is damaged" in note for note in fitted.notes) == (pattern in ("rows/*", "search/*", "*"))
    assert check(path) == []
    with vicinal.open(path) as index:
        assert index.info().generation == 2
        assert index.search("bread oven")[0].id.startswith("kitchen")


@pytest.mark.parametrize("damage", ["UPDATE settings SET value = '{}' WHERE name = 'model'", "DELETE FROM blocks"])
def test_search_goes_on_by_full_text_and_says_so(path, damage):
    sql(path, damage)
    with vicinal.open(path) as index:
        with pytest.warns(DamagedPart, match="full text alone was searched"):
            found = index.search("bread oven", 5)
        assert {hit.id.split("-")[0] for hit in found} == {"kitchen"}
        with pytest.warns(DamagedPart):
            assert len(index.search_many(["bread", "rose"])) == 2
        with pytest.raises(DamagedIndex):
            index.search("bread", by="embedding")
        with pytest.warns(DamagedPart, match="equal texts"):
            assert index.duplicates() == []
        with pytest.warns(DamagedPart, match="without its cluster"):
            assert index.show("cars-1").cluster == -1
        with pytest.raises(DamagedIndex):
            index.near("cars-1")


def test_documents_are_added_and_removed_beside_a_damaged_model(path):
    zero(path, "*")
    with vicinal.open(path) as index:
        with pytest.warns(DamagedPart, match="kept and found by full text"):
            done = index.add([document("cars", 77)])
        assert (done.added, done.embedded) == (1, 0)
        assert index.remove(["cars-1"]) == 1
        with pytest.warns(DamagedPart):
            assert "cars-77" in [hit.id for hit in index.search(document("cars", 77).text, 30)]
        index.fit()
        assert (index.info().documents, index.info().unembedded) == (18, 0)
    assert check(path) == []


def test_labels_are_kept_beside_a_damaged_model(path):
    zero(path, "words/*")
    with vicinal.open(path) as index:
        with pytest.warns(DamagedPart, match="The labels are kept"):
            index.label({"cars-1": "machines"})
        assert "machines" in {label.label for label in Labels(index._store).get().values()}
        index.fit()
        index.label()
        assert "machines" in {found.label for found in index.classify(ids=["cars-1"])} | {"machines"}


class TestOneDamagedDocument:
    @pytest.fixture(name="hurt")
    def with_a_flipped_bit(self, path):
        data = path.read_bytes()
        with Store.open(path) as store:
            [[text]] = store.rows("SELECT text FROM documents WHERE id = 'kitchen-2'")
        assert data.count(text.encode()) == 1
        path.write_bytes(data.replace(text.encode(), text.upper().encode()[:1] + text.encode()[1:]))
        return path

    @pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl"])
    def test_an_export_goes_on_without_it_and_lists_it(self, hurt, tmp_path, suffix):
        with vicinal.open(hurt) as index, pytest.warns(DamagedPart, match=r"1 document cannot be read: kitchen-2\."):
            assert index.export(tmp_path / f"news.{suffix}") == 17
        assert "kitchen-3" in (tmp_path / f"news.{suffix}").read_text()
        done = CliRunner().invoke(app, ["export", str(hurt), "-o", str(tmp_path / "again.csv")])
        assert (done.exit_code, done.stdout) == (4, f"17 rows written to {tmp_path / 'again.csv'}.\n")
        assert "kitchen-2" in done.stderr

    def test_a_search_shows_the_others_and_names_it(self, hurt):
        with vicinal.open(hurt) as index:
            with pytest.warns(DamagedPart, match="kitchen-2"):
                found = index.search("bread oven flour", 20)
            assert {"kitchen-1", "kitchen-2", "kitchen-3"} <= {hit.id for hit in found}
            [lost] = [hit for hit in found if hit.id == "kitchen-2"]
            assert (lost.title, lost.snippet) == ("(damaged)", "")
            assert index.search("rose tulip", 3)[0].id.startswith("garden")

    def test_to_remove_it_leaves_a_sound_index(self, hurt):
        with vicinal.open(hurt) as index:
            assert index.remove(["kitchen-2"]) == 1
            assert [hit.id for hit in index.search("bread", 30)]
        assert check(hurt) == []

    def test_documents_by_number_raise_an_error_where_nobody_collects_them(self, hurt):
        with Store.open(hurt) as store, pytest.raises(DamagedIndex, match="kitchen-2"):
            Documents(store).get(["kitchen-2"])


def test_a_damaged_label_is_left_out_of_an_export_and_named(path, tmp_path):
    sql(path, "UPDATE labels SET label = 'x' WHERE document = 1")
    with vicinal.open(path) as index, pytest.warns(DamagedPart, match="the label of document 1 is damaged"):
        found = exported(index, tmp_path / "found.jsonl")
    assert [each["label"] for each in found][:2] == ["", "garden"]


def test_nothing_is_added_behind_a_number_that_cannot_be(path):
    sql(path, f"UPDATE sqlite_sequence SET seq = {2**63 - 1}")
    with vicinal.open(path) as index, pytest.raises(DamagedIndex, match="the last number of a document"):
        index.add([document("cars", 77)])


class TestUnfinishedExport:
    def test_what_lies_beside_the_file_is_left_alone(self, path, tmp_path):
        (tmp_path / "target").write_text("precious")
        (tmp_path / "news.csv.part").symlink_to(tmp_path / "target")
        with vicinal.open(path) as index:
            index.export(tmp_path / "news.csv")
        assert (tmp_path / "target").read_text() == "precious"
        assert (tmp_path / "news.csv.part").is_symlink()
        assert sorted(each.name for each in tmp_path.iterdir()) == ["news.csv", "news.csv.part", "news.vic", "target"]

    def test_who_may_read_the_file_is_as_before(self, path, tmp_path):
        (tmp_path / "news.csv").write_text("old")
        (tmp_path / "news.csv").chmod(0o640)
        with vicinal.open(path) as index:
            index.export(tmp_path / "news.csv")
            index.export(tmp_path / "new.csv")
        (tmp_path / "plain").write_text("as every new file")
        modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("news.csv", "new.csv", "plain")]
        assert modes == [0o640, modes[2], modes[2]]

    def test_a_copy_is_an_index_and_replaces_nothing(self, path, tmp_path):
        with vicinal.open(path) as index:
            assert index.copy(tmp_path / "copy.vic") == 18
            with pytest.raises(BadParameter, match="there already"):
                index.copy(tmp_path / "copy.vic")
        done = CliRunner().invoke(app, ["copy", str(path), str(tmp_path / "two.vic")])
        assert (done.exit_code, done.stdout) == (0, f"18 documents copied to {tmp_path / 'two.vic'}.\n")
        done = CliRunner().invoke(app, ["copy", str(path), str(tmp_path / "three.vic"), "--json"])
        assert json.loads(done.stdout)["documents"] == 18
        assert check(tmp_path / "copy.vic") == check(tmp_path / "two.vic") == []


@pytest.mark.parametrize(("column", "true", "false"), [("year", "1987", "1986"), ("label", "farm", "harm")])
def test_documents_are_counted_by_a_column_only_where_their_checksums_are_right(tmp_path, column, true, false):
    """What a flipped bit leaves of a column is no class and no year: clusters are described by other documents."""
    path = tmp_path / "news.vic"
    with vicinal.open(path, create=True) as index:
        texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"] * 6
        index.add(vicinal.Document(f"d{i}", text, label="farm", metadata={"year": 1987}) for i, text in enumerate(texts))
        index.fit(n_clusters=2)
        told = {id for cluster in index.clusters() for id, _ in cluster.exemplars}
        hurt = next(id for id in reversed(list(index)) if id not in told)
        assert index.by(column, output="polars")["size"].sum() == 36
    values = f"metadata = replace(metadata, '{true}', '{false}'), label = replace(label, '{true}', '{false}')"
    sql(path, f"UPDATE documents SET {values} WHERE id = '{hurt}'")
    with vicinal.open(path) as index:
        for count in (index.by,) if column == "label" else (index.by, index.over):
            with pytest.raises(DamagedIndex, match=f"id '{hurt}'. is damaged"):
                count(column, output="polars")

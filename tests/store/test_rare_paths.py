"""What is rare but happens: names that no disk can hold, words without spaces, ids that two sources claim, files of old formats."""

from __future__ import annotations

import io
import json
import os
import shutil

import pytest

from tests.data.make_format_1 import FILE
from tests.store.samples import documents, made, raw
from vicinal._store import Counts, Documents, Identities, Origins, Store, containing, match
from vicinal._store.checksums import checksum
from vicinal._store.id_lookup import is_one
from vicinal._store.origins import Origin
from vicinal.corpus import Document, read
from vicinal.errors import BadParameter, DamagedIndex

pytestmark = pytest.mark.damages

UNWRITABLE = "doc-\ud800"


@pytest.fixture(name="home", autouse=True)
def own_folder(tmp_path, monkeypatch):
    """An own folder, which is the present one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def add(store, given, **options):
    """Add documents by where they came from: the counts, and what was decided about ids."""
    identities = Identities(store, **options)
    return Documents(store).add(given, identities=identities), identities.naming


def texts(store):
    return {each.document.id: each.document.text for chunk in Documents(store).chunks() for each in chunk}


class TestNames:
    @pytest.fixture(name="held")
    def with_documents(self, store):
        Documents(store).add(documents(10))
        return store

    def test_a_pattern_that_is_no_utf_8_matches_nothing(self, held):
        assert Documents(held).ids_like("doc-[12]") == ["doc-1", "doc-2"]
        assert Documents(held).ids_like(UNWRITABLE + "*") == []

    def test_a_name_that_no_id_can_have_is_no_document(self, held):
        assert is_one(held, "doc-1")
        assert not any(is_one(held, name) for name in (UNWRITABLE, "", "doc-1\0"))

    def test_a_name_that_no_id_can_have_is_an_error_without_suggestions(self, held):
        with pytest.raises(BadParameter, match=r"is not in .*Check the spelling"):
            Documents(held).numbers([UNWRITABLE])

    def test_part_of_an_id_suggests_the_ids_that_contain_it(self, held):
        with pytest.raises(BadParameter, match=r"Did you mean 'doc-7'\?"):
            Documents(held).numbers(["OC-7"])

    def test_a_file_on_the_disk_that_was_never_added_leaves_the_name_to_the_ends_of_ids(self, store, home):
        Documents(store).add([Document("far/a.txt", "wheat"), Document("far/b.txt", "corn")])
        write(home / "b.txt", "another file of that name")
        assert Documents(store).numbers(["b.txt"]).tolist() == [2]

    def test_a_file_on_the_disk_that_was_added_goes_before_the_ends_of_ids(self, store, home):
        write(home / "b.txt", "of the file")
        add(store, [Document("far/b.txt", "by hand"), *read("b.txt")])
        os.rename("b.txt", "away.txt")
        assert Documents(store).numbers(["./b.txt"]).tolist() == [1]
        os.rename("away.txt", "b.txt")
        assert Documents(store).numbers(["./b.txt"]).tolist() == [2]


class TestWordsWithoutSpaces:
    @pytest.fixture(name="held")
    def with_chinese(self, store):
        Documents(store).add(
            [
                Document("both", "漢字 on the farm", title="first"),
                Document("title", "only English", title="漢字學"),
                Document("farm", "a farm by the river"),
                Document("neither", "字漢 in the wrong order"),
            ]
        )
        return store

    @pytest.mark.parametrize(("field", "numbers"), [(None, [1, 2]), ("title", [2]), ("text", [1])])
    def test_a_word_is_found_in_either_field_or_in_the_one_asked_for(self, held, field, numbers):
        assert containing(held, "漢字", field).tolist() == numbers

    def test_words_with_and_without_spaces_add_up(self, held):
        numbers, scores = match(held, "漢字 farm", 10)
        assert sorted(numbers.tolist()) == [1, 2, 3]
        assert numbers[0] == 1
        alone = [dict(zip(*map(list, match(held, word, 10)), strict=True)) for word in ("漢字", "farm")]
        assert scores[0] > max(each[1] for each in alone)


class TestIdsThatTwoSourcesClaim:
    @pytest.fixture(autouse=True)
    def tables(self, home):
        write(home / "jan.csv", "id,text\n1,wheat fell\n2,corn rose\n")
        write(home / "feb.csv", "id,text\n1,barley fell\n3,oats\n")

    def test_one_file_by_two_paths_in_one_batch_is_one_document(self, store, home):
        write(home / "news/tech/0.txt", "tech")
        counts, naming = add(store, [*read("news"), *read("news/tech")])
        assert (counts, naming.renamed) == (Counts(added=1, unchanged=1), {})
        assert texts(store) == {"news/tech/0.txt": "tech"}

    @pytest.mark.parametrize("source", ["", "\N{LATIN SMALL LETTER Z WITH CARON}urnal"])
    def test_a_key_of_a_document_whose_origin_is_not_known_is_not_overwritten(self, store, source):
        """One of a program, or of an earlier version, which noted the source alone."""
        Documents(store).add([Document("1", "by hand", source=source)])
        counts, naming = add(store, read("jan.csv", id="id"))
        assert (counts, naming.renamed) == (Counts(added=2), {"1": "jan.csv#1"})
        assert texts(store) == {"1": "by hand", "jan.csv#1": "wheat fell", "2": "corn rose"}

    def test_replacing_takes_the_key_of_another_table_and_says_which(self, store):
        add(store, read("jan.csv", id="id"))
        counts, naming = add(store, read("feb.csv", id="id"), replacing=True)
        assert (counts, naming.replaced, naming.renamed) == (Counts(added=1, changed=1), ["1"], {})
        assert texts(store) == {"1": "barley fell", "2": "corn rose", "3": "oats"}
        assert add(store, read("feb.csv", id="id"))[0] == Counts(unchanged=2)

    def test_an_id_that_is_also_taken_with_its_file_gets_a_number(self, store, home):
        add(store, read("feb.csv", id="id"))
        add(store, [Document("7", "by hand"), Document("feb.csv#7", "by hand too")])
        write(home / "feb.csv", "id,text\n1,barley fell\n3,oats\n7,rye\n")
        _, naming = add(store, read("feb.csv", id="id"))
        assert naming.renamed == {"7": "feb.csv#7 (2)"}
        assert texts(store)["feb.csv#7 (2)"] == "rye"

    def test_a_table_whose_name_begins_an_id_that_is_there_has_its_folder_before_it(self, store, home):
        add(store, [Document("1", "by hand"), Document("feb.csv#1", "by hand too")])
        _, naming = add(store, read("feb.csv", id="id"))
        assert naming.renamed["1"] == f"{home.name}/feb.csv#1"
        assert texts(store)[f"{home.name}/feb.csv#1"] == "barley fell"

    def test_a_document_of_a_program_replaces_the_one_that_has_its_id_in_one_batch_as_in_two(self, store, home):
        write(home / "a/x.txt", "of a")
        write(home / "b/x.txt", "of b")
        add(store, read("a/x.txt"))
        counts, naming = add(store, [*read("b/x.txt"), Document("b/x.txt", "by hand")])
        assert counts == Counts(added=1, changed=1)
        assert naming.renamed == {"x.txt": "b/x.txt"}
        assert texts(store) == {"x.txt": "of a", "b/x.txt": "by hand"}

    def test_a_file_that_comes_to_the_id_of_one_before_it_in_the_batch_leaves_it(self, store, home):
        write(home / "a/x.txt", "of a")
        write(home / "b/x.txt", "of b")
        add(store, read("a/x.txt"))
        counts, naming = add(store, [Document("b/x.txt", "by hand"), *read("b/x.txt")])
        own = f"{home.name}/b/x.txt"
        assert (counts, naming.renamed) == (Counts(added=2), {"x.txt": own})
        assert texts(store) == {"x.txt": "of a", "b/x.txt": "by hand", own: "of b"}
        assert add(store, read("b/x.txt"))[0] == Counts(unchanged=1)


def test_a_stream_goes_on_under_its_name_after_another_process_has_written(store):
    def write_elsewhere(_):
        with Store.open(store.path) as other:
            Documents(other).add([Document(f"other {Documents(other).count()}", "elsewhere")])

    reading = read(io.BytesIO(b"one\ntwo\n"))
    Documents(store).add(reading, batch_size=1, after_batch=write_elsewhere, identities=Identities(store))
    assert list(texts(store)) == ["stream#1", "other 1", "stream#2", "other 3"]
    assert [root.name for root in Origins(store).roots()] == ["stream"]


def test_a_file_of_the_first_format_knows_no_origins_and_is_left_as_it_is(home):
    path = home / "old.vic"
    shutil.copy(FILE, path)
    before = path.read_bytes()
    with Store.open(path) as store:
        origins = Origins(store)
        assert (origins.of([1, 2]), origins.find([Origin(1, "a.txt", "")]), origins.every()) == ({}, {}, [])
        origins.forget([1, 2])
        assert store.format == 1
    assert path.read_bytes() == before


@pytest.mark.parametrize("options", ["{", json.dumps([1])])
def test_a_root_whose_options_are_no_mapping_is_damaged_though_its_checksum_is_right(home, options):
    path = made(home / "hurt.vic", 3)
    check = checksum(2, "/home/more", "../more", "more", options)
    connection = raw(path)
    connection.execute("UPDATE roots SET options = ?, checksum = ? WHERE root = 2", (options, check))
    connection.close()
    with Store.open(path) as store, pytest.raises(DamagedIndex, match="root 2 is damaged"):
        Origins(store).roots()


def test_a_file_on_another_drive_has_no_path_beside_the_index(store, home, monkeypatch):
    def on_another_drive(path, start):
        raise ValueError(f"path is on mount 'D:', start on mount 'C:': {path}, {start}")

    write(home / "a.txt", "wheat")
    monkeypatch.setattr(os.path, "relpath", on_another_drive)  # as on Windows
    assert add(store, [Document("a.txt", "wheat", source=str(home / "a.txt"))])[0] == Counts(added=1)
    [root] = Origins(store).roots()
    assert (root.path, root.beside) == (os.path.realpath(home / "a.txt"), "")

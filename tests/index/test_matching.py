"""Names that mean documents: ids, ends of ids, paths of files and patterns."""

from __future__ import annotations

import pytest

import vicinal
from vicinal import Document
from vicinal.errors import BadParameter
from vicinal.index import Label, Matched

YEARS = {"news/sport/a.txt": 1987, "news/sport/b.txt": 1990, "news/farm/a.txt": 1990, "mail/sport.txt": 1991, "what?": 1992}


@pytest.fixture
def index(tmp_path):
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        index.add(Document(id, f"the text of {id}", metadata={"year": year}) for id, year in YEARS.items())
        yield index


@pytest.mark.parametrize(
    ("name", "ids"),
    [
        ("news/sport/a.txt", ["news/sport/a.txt"]),
        ("b.txt", ["news/sport/b.txt"]),
        ("news/*", ["news/sport/a.txt", "news/sport/b.txt", "news/farm/a.txt"]),
        ("sport/*", ["news/sport/a.txt", "news/sport/b.txt"]),
        ("./sport/*", ["news/sport/a.txt", "news/sport/b.txt"]),
        ("[ab].txt", ["news/sport/a.txt", "news/sport/b.txt", "news/farm/a.txt"]),
        ("sport.*", ["mail/sport.txt"]),
        ("port/*", []),  # a part of a name is no name
        ("what?", ["what?"]),  # exactly as written, not a pattern
        ("nobody", []),
    ],
)
def test_a_name_means_these_documents(index, name, ids):
    found = index.matching([name])
    assert list(found.ids) == ids
    assert found.unknown == (() if ids else (name,))


def test_a_pattern_that_whole_ids_have_means_no_others(index):
    index.add([Document("sport/c.txt", "a goal")])
    assert index.matching(["sport/*"]).ids == ("sport/c.txt",)
    assert index.matching(["*sport/*"]).ids == ("news/sport/a.txt", "news/sport/b.txt", "sport/c.txt")


def test_what_stands_for_an_id_is_told_and_each_id_is_given_once(index):
    found = index.matching(["b.txt", "news/sport/a.txt", "sport/*", "nobody"])
    assert found == Matched(("news/sport/a.txt", "news/sport/b.txt"), {"b.txt": "news/sport/b.txt"}, ("nobody",))


def test_conditions_hold_of_names_or_of_all_documents(index):
    assert index.matching(["news/*"], where="year=1990").ids == ("news/sport/b.txt", "news/farm/a.txt")
    assert index.matching(where="year>=1991").ids == ("mail/sport.txt", "what?")
    assert index.matching(["nobody"], where="year=1990").ids == ()
    assert index.matching().ids == ()


def test_ids_spelled_like_an_unknown_name_are_suggested_where_nothing_is_found(index):
    assert index.matching(["news/sprot/a.txt"]).suggestions[0] == "news/sport/a.txt"
    assert index.matching(["news/sprot/a.txt", "b.txt"]).suggestions == ()


def test_an_end_that_several_documents_have_is_refused(index):
    with pytest.raises(BadParameter, match="may be any of 2 documents"):
        index.matching(["a.txt"])
    with pytest.raises(BadParameter, match="names"):
        index.matching("b.txt")


def test_a_file_is_named_by_its_path(tmp_path, index):
    (tmp_path / "farm").mkdir()
    (tmp_path / "farm" / "corn.txt").write_text("corn harvest")
    index.add(tmp_path / "farm")
    assert index.matching([str(tmp_path / "farm" / "corn.txt")]).ids == ("farm/corn.txt",)
    assert index.sources() == [str(tmp_path / "farm")]


def test_remove_takes_patterns_as_matching_does_and_a_snapshot_matches_too(index):
    with index.snapshot() as snapshot:
        assert snapshot.matching(["sport/*"]) == index.matching(["sport/*"])
    assert index.remove(pattern="sport/*", where={"year": 1987}) == 1
    assert index.matching(["sport/*"]).ids == ("news/sport/b.txt",)


def test_options_of_a_reading_are_those_of_the_source_or_of_the_folder_around_it(tmp_path, index):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "a.csv").write_text("body,year\nwheat,1987\n")
    index.add(vicinal.read(tmp_path / "tables", text="body"))
    assert index.reading_options(tmp_path / "tables") == {"text": "body"}
    assert index.reading_options(tmp_path / "tables" / "a.csv") == {"text": "body"}
    assert index.reading_options(tmp_path) is None


def test_labels_can_be_kept_without_learning_before_a_fit(index):
    kept = index.label({"b.txt": "sport", "mail/sport.txt": "sport", "what?": "other"}, learn=False)
    assert (kept.n_labelled, kept.classes, kept.accuracy) == (3, (("other", 1), ("sport", 2)), None)
    assert index.labels() == {
        "news/sport/b.txt": Label("sport", "given"),
        "mail/sport.txt": Label("sport", "given"),
        "what?": Label("other", "given"),
    }
    index.label({"what?": None}, learn=False)
    assert list(index.labels()) == ["news/sport/b.txt", "mail/sport.txt"]

"""What can be asked of a served index: each answer is that of the method of the index that it stands for."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import vicinal
from tests.index.small import SUBJECTS
from tests.serve.conftest import client_of
from vicinal.serve import create_app
from vicinal.serve._shapes import ClusterShape


@pytest.fixture(scope="module")
def index(made_once):
    with vicinal.open(made_once) as index:
        yield index


@pytest.fixture(scope="module")
def unfitted(tmp_path_factory):
    path = tmp_path_factory.mktemp("unfitted") / "new.vic"
    with vicinal.open(path, create=True) as index:
        index.add(
            [vicinal.Document("a/b.txt", "wheat exports fell", metadata={"day": "1998-05-31"}), vicinal.Document("c", "corn")]
        )
    app = create_app(path, page=False)
    yield client_of(app)
    app.close()


def numbers(answer, kind):
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/octet-stream"
    return np.frombuffer(answer.content, dtype=kind)


def test_info_tells_the_contents_and_no_path_of_the_machine(reader, index):
    info = reader.get("/info").json()
    assert (info["documents"], info["n_clusters"], info["generation"]) == (30, 3, 1)
    assert info["path"] == "small.vic"
    assert info["columns"] == ["subject", "year"]
    assert info["has_map"] is info["has_tree"] is info["needs_fit"] is True
    assert info["drift"]["n_documents"] == 6
    assert info["limits"] == {"body": 10_000_000, "query": 10_000, "limit": 1_000, "selection": 100_000}


def test_points_are_little_endian_numbers_of_all_documents(reader, index):
    answer = reader.get("/points")
    assert answer.headers["x-vicinal-count"] == "30"
    raw = numbers(answer, "<f4")
    layout = index.layout()
    np.testing.assert_array_equal(raw[:60].reshape(2, 30).T, layout.points.astype(np.float32))
    np.testing.assert_array_equal(raw[60:].view("<i4"), layout.clusters)


def test_points_come_as_arrow_where_that_is_wanted(reader, index):
    answer = reader.get("/points", headers={"Accept": "application/vnd.apache.arrow.stream"})
    assert answer.headers["content-type"] == "application/vnd.apache.arrow.stream"
    table = pa.ipc.open_stream(io.BytesIO(answer.content)).read_all()
    assert table.column_names == ["id", "x", "y", "cluster"]
    assert table["id"].to_pylist() == list(index.layout().ids)


def test_an_answer_is_of_one_state_and_not_sent_twice(reader):
    answer = reader.get("/info")
    tag = answer.headers["etag"]
    assert tag.startswith('"1-')
    for path in ("/info", "/points", "/clusters", "/search?query=bread"):
        again = reader.get(path, headers={"If-None-Match": f'W/"other", {tag}'})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert reader.get(path, headers={"If-None-Match": '"0-0"'}).status_code == 200


def test_documents_are_listed_by_rows_ids_and_conditions(reader):
    first = reader.get("/documents", params={"rows": "0:3"}).json()["documents"]
    assert [each["id"] for each in first] == ["cars-0", "garden-0", "kitchen-0"]
    assert first[0]["metadata"] == {"subject": "cars", "year": 1990}
    assert (first[0]["row"], first[0]["label"], first[0]["label_origin"]) == (0, "cars", "subject")
    some = reader.get("/documents", params={"rows": "4,2"}).json()["documents"]
    assert [each["row"] for each in some] == [4, 2]
    named = reader.get("/documents", params={"id": ["kitchen-9", "cars-1"]}).json()["documents"]
    assert [each["id"] for each in named] == ["kitchen-9", "cars-1"]
    assert named[0]["label"] == ""
    found = reader.get("/documents", params={"where": "year>=1998 AND subject=cars"}).json()
    assert [each["id"] for each in found["documents"]] == ["cars-8", "cars-9"]


def test_pages_follow_each_other_by_cursors_to_the_end(reader):
    seen, cursor = [], None
    while True:
        page = reader.get("/documents", params={"limit": 7, **({"cursor": cursor} if cursor else {})}).json()
        seen += [each["row"] for each in page["documents"]]
        cursor = page["next"]
        if cursor is None:
            break
    assert seen == list(range(30))
    hits, cursor = [], ""
    while cursor is not None:
        page = reader.get("/search", params={"query": "bread", "limit": 4, "cursor": cursor}).json()
        hits += [each["id"] for each in page["hits"]]
        cursor = page["next"]
    assert len(hits) == len(set(hits)) == page["total"]


def test_one_document_has_its_text_and_the_places_of_the_words_of_a_query(reader, index):
    found = reader.get("/document", params={"id": "cars-1", "query": "engines OR roa*"}).json()
    text = index["cars-1"].text
    assert found["text"] == text
    marked = {text[start:end] for start, end in found["marks"]}
    assert marked == {word for word in text.split() if word in ("engine", "road")}
    assert found["cluster_name"] == index.show("cars-1").cluster_name
    assert reader.get("/document", params={"id": "cars-1"}).json()["marks"] == []


def test_words_of_a_document_add_up_to_its_score(reader, index):
    found = reader.get("/document/words", params={"id": "cars-1"}).json()
    why = index.explain("cars-1")
    assert found["why"]["total"] == pytest.approx(why.total)
    assert sum(part for _, part in found["why"]["terms"]) + found["why"]["rest"] == pytest.approx(why.total)
    text, parts = index["cars-1"].text, dict(zip(why.terms, why.parts, strict=True))
    by_word = {}
    for start, end, part in found["words"]:
        by_word[text[start:end]] = by_word.get(text[start:end], 0.0) + part
    in_title = {"car": 0.5}  # the title has "cars", which shares the part of "car" with the one of the text
    assert by_word == pytest.approx({word: parts[word] * in_title.get(word, 1.0) for word in by_word})
    assert set(by_word) == set(text.split()) & set(parts)
    other = reader.get("/document/words", params={"id": "cars-1", "cluster": 1}).json()
    assert (other["cluster"], other["why"]["total"]) == (1, pytest.approx(index.explain("cars-1", cluster=1).total))
    asked = reader.get("/document/words", params={"id": "cars-1", "query": "speed"}).json()
    assert asked["of"] == "query"
    assert {text[start:end] for start, end, _ in asked["words"]} == {"speed"}
    nothing = reader.get("/document/words", params={"id": "cars-1", "query": "subject:garden"}).json()
    assert (nothing["words"], nothing["why"]["total"]) == ([], 0.0)


def test_search_answers_as_the_index_does(reader, index):
    params = {"query": "bread oven -salt", "where": "year<1998", "limit": 3, "facet": ["subject", "cluster"]}
    found, hits = (
        reader.get("/search", params=params).json(),
        index.search("bread oven -salt", 3, where="year<1998", facets=["subject"]),
    )
    assert [each["id"] for each in found["hits"]] == [hit.id for hit in hits]
    assert found["total"] == hits.total
    assert found["hits"][0]["score"] == pytest.approx(hits[0].score)
    assert found["hits"][0]["passage"]["matches"] == [list(each) for each in hits[0].passage.matches]
    assert dict(map(tuple, found["facets"]["subject"])) == hits.facets["subject"]
    assert (found["total"], found["near"]) == (hits.total, hits.near)
    assert reader.get("/search", params={"query": "breed"}).json()["corrected"] == "bread"
    many = reader.post("/search", json={"queries": ["bread", "rose"], "limit": 2}).json()["answers"]
    assert [each["hits"][0]["id"] for each in many] == [each[0].id for each in index.search_many(["bread", "rose"], 2)]


def test_rows_of_a_search_are_those_of_its_hits(reader, index):
    raw = numbers(reader.get("/search/rows", params={"query": "bread"}), "<u4")
    rows, relevance = raw[: len(raw) // 2], raw[len(raw) // 2 :].view("<f4")
    hits = index.search("bread", 30)
    ids = list(index)
    assert [ids[row] for row in rows] == [hit.id for hit in hits]
    assert relevance == pytest.approx([hit.relevance for hit in hits], abs=1e-6)
    assert len(numbers(reader.get("/search/rows", params={"query": "bread", "where": "year<1980"}), "<u4")) == 0
    listed = numbers(reader.get("/search/rows", params={"where": "year=1990"}), "<u4")
    assert listed[:3].tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("text", "suggested"),
    [
        ("br", ["bread", "brake"]),
        ("oven +br", ["bread", "brake"]),
        ("sub", ["subject:"]),
        ("subject:c", ["subject:cars"]),
        ("label:k", ["label:kitchen"]),
        ("title:br", ["title:bread", "title:brake"]),
        ("", []),
        ("bread ", []),
    ],
)
def test_the_last_word_of_a_query_is_completed(reader, text, suggested):
    found = reader.get("/search/suggest", params={"text": text}).json()["suggestions"]
    assert [each["text"] for each in found] == suggested


def test_near_and_more_like_these(reader, index):
    near = reader.get("/near", params={"id": "cars-1", "limit": 3}).json()["hits"]
    assert [each["id"] for each in near] == [hit.id for hit in index.near("cars-1", 3)]
    like = reader.post("/like", json={"selection": {"ids": ["cars-1", "cars-2"]}, "limit": 8}).json()["hits"]
    assert {each["id"].split("-")[0] for each in like} == {"cars"}
    assert not {"cars-1", "cars-2"} & {each["id"] for each in like}
    only = reader.post("/like", json={"selection": {"ids": ["cars-1"]}, "where": "subject=garden"}).json()["hits"]
    assert {each["metadata"]["subject"] for each in only} <= {"garden"}
    alone = reader.post("/like", json={"selection": {"ids": ["cars-1"]}, "limit": 3}).json()["hits"]
    assert [each["id"] for each in alone] == [each["id"] for each in near]
    assert reader.post("/like", json={"selection": {"ids": []}}).json()["hits"] == []


def test_explanations_are_those_of_the_index(reader, index):
    for params in ({"id": "cars-1"}, {"id": "cars-1", "other": "cars-2"}, {"cluster": 0}, {"component": 1}):
        found = reader.get("/explain", params=params).json()
        assert found["total"] == pytest.approx(index.explain(**params).total)


def test_clusters_have_the_fields_that_are_described(reader):
    """Here, in the description of the API, and in the types of the page: a field that is missing in one of them is seen."""
    types = (Path(__file__).parents[2] / "web" / "src" / "api" / "types.ts").read_text(encoding="utf-8")
    page = re.search(r"^export interface Cluster \{\n(.*?)^\}", types, re.DOTALL | re.MULTILINE)[1]
    described = list(ClusterShape.__annotations__)
    assert re.findall(r"^  readonly (\w+):", page, re.MULTILINE) == described
    for params in ({}, {"of": "0"}, {"n_clusters": 2}):
        found = reader.get("/clusters", params=params).json()["clusters"]
        assert [list(each) for each in found] == [described] * len(found) != []


def test_clusters_cuts_and_parts(reader, index):
    assert [each["number"] for each in reader.get("/clusters").json()["clusters"]] == [each.number for each in index.clusters()]
    for params, of_index in (
        ({"level": "fine"}, {"level": "fine"}),
        ({"n_clusters": 2}, {"n_clusters": 2}),
        ({"of": "0"}, {"of": "0"}),
    ):
        found = reader.get("/clusters", params=params).json()["clusters"]
        assert [each["path"] for each in found] == [each.path for each in index.clusters(**of_index)]
    nodes = list(index.tree().cut(2).nodes)
    by_hand = reader.get("/clusters", params={"node": nodes}).json()["clusters"]
    assert {each["path"] for each in by_hand} == set(nodes)


@pytest.mark.parametrize("params", [{}, {"level": "coarse"}, {"level": "fine"}, {"n_clusters": 2}])
def test_the_clusters_of_a_cut_have_as_many_rows_as_documents(reader, params):
    rows = numbers(reader.get("/clusters/rows", params=params), "<i4")
    sizes = [each["size"] for each in reader.get("/clusters", params=params).json()["clusters"]]
    assert len(rows) == 30
    assert np.bincount(rows, minlength=len(sizes)).tolist() == sizes


def test_the_tree_has_every_node_its_middle_and_three_levels(reader, index):
    tree, own = reader.get("/tree").json(), index.tree()
    assert tree["root"] == own.root
    assert {each["id"] for each in tree["nodes"]} == set(own.ids)
    assert set(tree["levels"]) == {"coarse", "medium", "fine"}
    assert tree["levels"]["medium"] == list(own.cut().nodes)
    root = next(each for each in tree["nodes"] if each["id"] == own.root)
    assert [root["x"], root["y"]] == pytest.approx(np.median(index.layout().points, axis=0))
    places = {each["id"]: at for at, each in enumerate(tree["nodes"])}
    assert all(places[each["parent"]] < places[each["id"]] for each in tree["nodes"] if each["parent"])


def test_members_uncertain_documents_and_constraints(reader, index):
    members = reader.get("/clusters/members", params={"cluster": "0", "limit": 3}).json()["hits"]
    assert [each["id"] for each in members] == [hit.id for hit in index.members(0, 3)]
    uncertain = reader.get("/uncertain", params={"limit": 4}).json()["documents"]
    assert [each["id"] for each in uncertain] == [each.id for each in index.uncertain(4)]
    assert len(uncertain[0]["clusters"]) == len(uncertain[0]["terms"]) == 2
    of_one = reader.get("/uncertain", params={"cluster": 1, "limit": 5}).json()["documents"]
    assert {each["clusters"][0][0] for each in of_one} == {1}
    assert reader.get("/constraints").json() == {"constraints": []}


def test_a_query_chooses_documents_with_its_words_and_all_it_finds_where_none_has_them(reader, index):
    found = numbers(reader.get("/search/rows", params={"query": "bread"}), "<u4")
    found = set(found[: len(found) // 2].tolist())  # rows, and then as many numbers of relevance
    chosen = set(numbers(reader.post("/selection/rows", json={"selection": {"query": "bread"}}), "<u4").tolist())
    texts = [index[id].text.lower() for id in index]
    assert chosen == {row for row, text in enumerate(texts) if "bread" in text}
    assert chosen < found
    assert len(chosen) >= 2


@pytest.mark.parametrize(
    ("selection", "size"),
    [
        ({"ids": ["kitchen-1", "kitchen-2", "kitchen-1"]}, 2),
        ({"rows": [2, 5, 8]}, 3),
        ({"query": "subject:kitchen"}, 10),
        ({"query": "kitchen bread", "where": "subject=kitchen"}, 10),
        ({"query": "bread", "limit": 4}, 4),
        ({"where": "subject=kitchen"}, 10),
        ({"label": "kitchen"}, 8),
        ({"cluster": "that of kitchen-1"}, 10),
    ],
)
def test_a_selection_is_described_by_what_sets_it_apart(reader, index, selection, size):
    if "cluster" in selection:
        selection = {"cluster": str(index.show("kitchen-1").cluster)}
    found = reader.post("/selection", json={"selection": selection, "limit": 2}).json()
    assert found["size"] == size
    kitchen = {"kitchen", *SUBJECTS["kitchen"].split()}
    assert {word for word, _ in found["terms"][:3]} <= kitchen
    assert 1 <= len(found["typical"]) <= 2
    assert found["timeline"]["column"] == "year"
    assert sum(each["count"] for each in found["timeline"]["bins"]) == size
    assert sum(each["all"] for each in found["timeline"]["bins"]) == 30
    assert sum(count for *_, count in found["clusters"]) == size
    assert {label for label, _ in found["labels"]} <= {"kitchen"}
    assert len(numbers(reader.post("/selection/rows", json={"selection": selection}), "<u4")) == size


def test_two_groups_are_told_apart_by_their_words(reader):
    found = reader.post("/contrast", json={"one": {"label": "cars"}, "other": {"label": "garden"}, "limit": 4}).json()
    assert (found["one"]["size"], found["other"]["size"]) == (8, 8)
    assert {word for word, _ in found["one"]["terms"]} <= {
        "car",
        "cars",
        "engine",
        "wheel",
        "road",
        "driver",
        "brake",
        "motor",
        "speed",
        "fuel",
        "garage",
    }
    assert {word for word, _ in found["other"]["terms"]} <= {
        "rose",
        "tulip",
        "garden",
        "flower",
        "soil",
        "spring",
        "water",
        "leaf",
        "root",
        "bloom",
    }
    first = found["scatter"][0]
    assert 0 <= min(first["one"], first["other"]) < max(first["one"], first["other"]) <= 1
    rest = reader.post("/contrast", json={"one": {"label": "cars"}}).json()
    assert rest["other"]["size"] == 22
    empty = reader.post("/contrast", json={"one": {"ids": []}}).json()
    assert empty["one"] == {"size": 0, "terms": []}


def test_columns_have_kinds_values_codes_and_numbers(reader):
    kinds = {each["name"]: each["kind"] for each in reader.get("/columns").json()["columns"]}
    assert kinds == {"cluster": "category", "label": "category", "uncertainty": "number", "subject": "category", "year": "date"}
    values = reader.get("/columns/values", params={"name": "subject"}).json()
    assert values["values"] == [["cars", 10], ["garden", 10], ["kitchen", 10]]
    codes = numbers(reader.get("/columns/codes", params={"name": "subject"}), "<i4")
    assert codes[:6].tolist() == [0, 1, 2, 0, 1, 2]
    rare = numbers(reader.get("/columns/codes", params={"name": "subject", "limit": 1}), "<i4")
    assert rare[:3].tolist() == [0, 1, 1]
    labels = numbers(reader.get("/columns/codes", params={"name": "label"}), "<i4")
    assert labels[-3:].tolist() == [-1, -1, -1]
    years = reader.get("/columns/values", params={"name": "year"}).json()
    assert (years["min"], years["max"]) == ("1990-01-01", "1999-01-01")
    days = numbers(reader.get("/columns/numbers", params={"name": "year"}), "<f4")
    assert days[0] == 20 * 365 + 5
    assert numbers(reader.get("/columns/numbers", params={"name": "uncertainty"}), "<f4").max() <= 1
    assert reader.get("/columns/values", params={"name": "folder"}).json()["values"] == []


def test_periods_of_the_app_are_those_of_the_index(reader, made_once):
    with vicinal.open(made_once) as index:
        for period in ("auto", "quarter", "decade"):
            table = index.over("year", period=period, output="polars")
            starts, counts = table["period"].unique(maintain_order=True), dict(table.group_by("cluster").agg("size").iter_rows())
            found = reader.get("/columns/timeline", params={"name": "year", "period": period}).json()
            assert len(found["bins"]) == len(starts)
            assert {each["cluster"]: each["counts"] for each in found["series"]} == counts


def test_years_that_are_kept_as_fractions_are_dates(tmp_path):
    years = [1998.0, 1999.0, None, 2001.0]
    with vicinal.open(tmp_path / "floats.vic", create=True) as index:
        index.add(vicinal.Document(f"d{i}", "wheat exports", metadata={"year": year}) for i, year in enumerate(years))
    app = create_app(tmp_path / "floats.vic", page=False)
    try:
        found = client_of(app).get("/columns/timeline", params={"name": "year", "by": "year"}).json()
        assert (found["period"], found["bins"], found["all"]) == ("year", ["1998", "1999", "2000", "2001"], [1, 1, 0, 1])
        assert client_of(app).get("/columns/timeline", params={"name": "year", "period": "day"}).status_code == 200
    finally:
        app.close()


def test_clusters_over_time_and_by_column(reader):
    found = reader.get("/columns/timeline", params={"name": "year"}).json()
    assert (found["period"], found["bins"][0], found["bins"][-1], found["all"]) == ("year", "1990", "1999", [3] * 10)
    assert [sum(each["counts"]) for each in found["series"]] == [10, 10, 10]
    assert {"cluster", "name", "counts"} == set(found["series"][0])
    by = reader.get("/columns/timeline", params={"name": "year", "by": "subject", "period": "month"}).json()
    assert by["series"][0]["value"] == "cars"
    assert len(by["bins"]) == 9 * 12 + 1
    table = reader.get("/columns/table", params={"name": "subject"}).json()
    assert sorted(map(max, table["counts"])) == [10, 10, 10]
    assert np.array(table["expected"]) == pytest.approx(np.full((3, 3), 30 / 9))
    assert all(
        residual > 2 for residual, count in zip(np.ravel(table["residuals"]), np.ravel(table["counts"]), strict=True) if count
    )


def test_duplicates_are_those_of_the_index(reader, index):
    found = reader.get("/duplicates", params={"threshold": 0.5, "limit": 1}).json()
    groups = index.duplicates(0.5)
    assert found["total"] == len(groups)
    assert found["groups"][0]["removable"] == list(groups[0].removable)


def test_labels_what_to_ask_next_and_the_rest(reader, index):
    labels = reader.get("/labels").json()
    assert labels["labels"] == [["cars", 8], ["garden", 8], ["kitchen", 8]]
    assert (labels["n_labelled"], labels["learnt"], labels["accuracy"]) == (24, True, 1.0)
    assert reader.get("/labels/documents", params={"label": "cars", "limit": 3}).json()["total"] == 8
    asked = reader.get("/labels/ask", params={"limit": 2}).json()["predictions"]
    assert [each["id"] for each in asked] == [each.id for each in index.ask(2)]
    curve = reader.get("/labels/curve").json()["points"]
    assert [each["n_labelled"] for each in curve] == [6, 12, 18, 24]
    assert curve[-1]["accuracy"] == 1.0
    uncertain = reader.get("/labels/uncertain", params={"limit": 6}).json()["predictions"]
    rest = reader.get("/labels/rest").json()
    assert [each["id"] for each in rest["predictions"]] == [each["id"] for each in uncertain][::-1]
    assert rest["counts"] == [["cars", 2], ["garden", 2], ["kitchen", 2]]
    assert all(each["predicted"] == each["metadata"]["subject"] for each in rest["predictions"])
    texts = reader.post("/classify", json={"texts": ["rose tulip"], "ids": ["cars-9"]}).json()["predictions"]
    assert [each["predicted"] for each in texts] == ["garden", "cars"]


def test_files_to_take_away(reader, index, tmp_path):
    table = reader.get("/export", params={"format": "csv"})
    assert table.headers["content-disposition"] == 'attachment; filename="small-documents.csv"'
    index.export(tmp_path / "documents.csv")
    assert table.content == (tmp_path / "documents.csv").read_bytes()
    layout = reader.get("/export", params={"what": "layout", "format": "parquet"}).content
    assert pa.parquet.read_table(io.BytesIO(layout)).column_names == ["id", "x", "y", "cluster"]
    ids = reader.post("/export", json={"selection": {"where": "subject=cars AND year<1992"}, "format": "ids"})
    assert ids.text == "cars-0\ncars-1\n"
    some = reader.post("/export", json={"selection": {"ids": ["garden-2", "cars-1"]}, "format": "jsonl"}).text.splitlines()
    assert ['"id": "garden-2"' in some[0], '"id": "cars-1"' in some[1]] == [True, True]
    copied = tmp_path / "copied.vic"
    copied.write_bytes(reader.get("/copy").content)
    with vicinal.open(copied) as copy:
        assert list(copy) == list(index)


def test_damage_is_looked_for(reader):
    assert reader.post("/check", json={"level": 2}).json() == {"damage": []}
    assert reader.post("/needs-fit", json={"n_clusters": 5, "seed_words": {"a": ["b"]}}).json() == {"needs_fit": True}


def test_an_index_that_is_not_fitted_answers_what_it_can(unfitted):
    info = unfitted.get("/info").json()
    assert (info["generation"], info["has_map"], info["has_tree"]) == (0, False, False)
    assert unfitted.get("/search", params={"query": "wheat"}).json()["hits"][0]["id"] == "a/b.txt"
    assert unfitted.get("/clusters").json() == {"clusters": []}
    assert unfitted.get("/columns/values", params={"name": "folder"}).json()["values"] == [["a", 1]]
    found = unfitted.post("/selection", json={"selection": {"rows": [0, 1]}}).json()
    assert (found["size"], found["terms"], found["timeline"]["bins"]) == (2, [], [{"start": "1998-05-31", "count": 1, "all": 1}])
    assert [each["id"] for each in found["typical"]] == ["a/b.txt", "c"]
    for path in (
        "/points",
        "/tree",
        "/labels/ask",
        "/labels/curve",
        "/labels/rest",
        "/document/words?id=c",
        "/columns/table?name=day",
    ):
        answer = unfitted.get(path)
        assert (answer.status_code, answer.json()["kind"]) == (409, "not-fitted")
    assert unfitted.get("/search/suggest", params={"text": "wh"}).json() == {"suggestions": []}

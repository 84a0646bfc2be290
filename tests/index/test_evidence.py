"""Evidence besides terms in an index: vectors by row, by id and by an encoder, links by a column; what is wrong changes nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

import vicinal
from tests.index.small import documents
from vicinal.cli._app import app
from vicinal.errors import BadData, BadParameter, MissingExtra, NoSuchSource
from vicinal.index._fit import fit_evidence, fit_model
from vicinal.index._fit.fit_evidence import linked_ids
from vicinal.index._recipe import load_recipe

DOCUMENTS = documents(range(10))
SUBJECTS = [document.metadata["subject"] for document in DOCUMENTS]
VECTORS = np.array([[subject == name for name in ("cars", "garden", "kitchen")] for subject in SUBJECTS], dtype=float) + 0.1


def citing(i, document):
    """Every document cites two others of its subject, and one that is not in the index."""
    others = [
        other.id for other in DOCUMENTS if other.id != document.id and other.metadata["subject"] == document.metadata["subject"]
    ]
    cited = f"{others[i % 9]}, {others[(i + 4) % 9]};elsewhere-1"
    return replace(document, metadata={**document.metadata, "cites": cited, "none_here": "elsewhere-2", "year": 1990})


@pytest.fixture
def index(tmp_path):
    with vicinal.open(tmp_path / "small.vic", create=True) as index:
        index.add(citing(i, document) for i, document in enumerate(DOCUMENTS))
        yield index


class Subjects:
    """An encoder that knows the subject of a text by the first word of its title."""

    def encode(self, texts):
        return np.array([[name in text for name in ("cars no", "garden no", "kitchen no")] for text in texts], dtype=float) + 0.1


@pytest.fixture
def encoder(monkeypatch):
    asked = []
    monkeypatch.setattr(fit_evidence, "load_encoder", lambda name: asked.append(name) or Subjects())
    return asked


def used(index, monkeypatch, **options):
    """The evidence of a fit, and its result."""
    seen = []
    original = fit_model.check_evidence
    monkeypatch.setattr(fit_model, "check_evidence", lambda given, n: seen.append(given) or original(given, n))
    fitted = index.fit(n_clusters=3, n_components=4, n_neighbors=4, **options)
    return seen[0], fitted


@pytest.mark.parametrize("given", [VECTORS, {document.id: row for document, row in zip(DOCUMENTS, VECTORS, strict=True)}])
def test_vectors_are_taken_by_row_and_by_id(index, monkeypatch, given):
    evidence, fitted = used(index, monkeypatch, embeddings=given)
    np.testing.assert_array_equal(evidence.embeddings, VECTORS)
    assert fitted.n_clusters == 3
    assert load_recipe(index._store).encoder == "none"
    clusters = {hit.id.split("-")[0] for hit in index.members(index.clusters()[0].number, limit=30)}
    assert len(clusters) == 1


def test_an_encoder_is_kept_for_the_next_fit_and_can_be_ended(index, monkeypatch, encoder):
    steps = []
    index.fit(n_clusters=3, encoder="mini", progress=lambda step, done, total: steps.append((step, done, total)))
    assert steps[0] == ("encode", 0, 30)
    evidence, _ = used(index, monkeypatch)
    np.testing.assert_array_equal(evidence.embeddings, VECTORS.astype(np.float32))
    assert encoder == ["mini", "mini"]
    assert used(index, monkeypatch, encoder="none")[0].embeddings is None
    assert used(index, monkeypatch)[0].embeddings is None
    assert encoder == ["mini", "mini"]


def test_vectors_of_ones_own_take_the_place_of_the_encoder(index, monkeypatch, encoder):
    index.fit(n_clusters=3, encoder="mini")
    assert used(index, monkeypatch, embeddings=VECTORS)[0].embeddings is VECTORS
    assert encoder == ["mini"]


def test_documents_added_after_a_fit_with_an_encoder_need_none(index, encoder):
    index.fit(n_clusters=3, encoder="mini")
    assert index.add(documents(range(40, 42))).embedded == 6
    assert encoder == ["mini"]


def test_a_refit_without_the_encoder_says_how_to_go_on(index, encoder, monkeypatch):
    index.fit(n_clusters=3, encoder="subjects")

    def gone(name):
        raise NoSuchSource(f"there are no weights of an encoder called {name!r}.")

    monkeypatch.setattr(fit_evidence, "load_encoder", gone)
    with pytest.raises(NoSuchSource, match=r"called 'subjects'. An earlier fit used this encoder; to fit without it, encoder=none"):
        index.fit()
    with pytest.raises(NoSuchSource, match=r"called 'other'.$"):
        index.fit(encoder="other")
    assert index.fit(encoder="none").n_clusters == 3
    index.fit()


def test_a_refit_without_the_vectors_of_the_last_one_is_noted_once(index):
    noted = "the last fit was given vectors (embeddings=…) and this one is not: its clusters are by terms alone."
    assert noted not in index.fit(n_clusters=3, embeddings=VECTORS).notes
    assert noted not in index.fit(embeddings=VECTORS).notes
    assert noted in index.fit().notes
    assert noted not in index.fit().notes


def test_links_of_a_column_that_is_gone_do_not_stop_a_fit_that_remembers_them(index):
    index.fit(n_clusters=3, links="cites")
    index.update(DOCUMENTS)
    assert [note for note in index.fit().notes if "no document has a value in the column 'cites' any more" in note]
    with pytest.raises(BadParameter, match="links must be a column"):
        index.fit(links="cites")


def test_links_join_documents_of_the_index_and_leave_others_out(index, monkeypatch):
    evidence, fitted = used(index, monkeypatch, links="cites")
    [links] = evidence.views
    assert links.graph.n_edges > 15
    assert all(SUBJECTS[i] == SUBJECTS[j] for i, j in zip(*links.graph.weights.nonzero(), strict=True))
    assert fitted.n_clusters == 3
    assert load_recipe(index._store).links == "cites"


def test_links_that_lead_nowhere_are_noted(index):
    notes = index.fit(n_clusters=3, links="none_here").notes
    assert [note for note in notes if "'none_here' names no other document" in note]


def test_links_to_no_document_and_to_the_document_itself_are_counted(index):
    notes = index.fit(n_clusters=3, links="cites").notes
    [said] = [note for note in notes if "links that the column 'cites' names" in note]
    n_documents = len(DOCUMENTS)
    assert f"{n_documents} are of no document of the index, first 'elsewhere-1' of {DOCUMENTS[0].id!r}" in said
    index.update([replace(DOCUMENTS[0], metadata={"cites": f"{DOCUMENTS[0].id} {DOCUMENTS[3].id}"})])
    [said] = [note for note in index.fit().notes if "links that the column 'cites' names" in note]
    assert f"{n_documents - 1} are of no document" in said
    assert "1 of the document itself. They are not used" in said


def test_vectors_of_no_document_are_counted(index):
    given = {document.id: vector for document, vector in zip(DOCUMENTS, VECTORS, strict=True)}
    said = "of the 31 vectors in embeddings, 1 is of no document of the index, first 'cars-99'. They are not used; check the ids."
    assert said in index.fit(n_clusters=3, embeddings=given | {"cars-99": VECTORS[0]}).notes
    assert not [note for note in index.fit(embeddings=given).notes if "of no document" in note]


def test_random_vectors_are_noted_and_change_no_cluster(index):
    before = index.fit(n_clusters=3, n_components=4)
    members = [hit.id for hit in index.members(index.clusters()[0].number, limit=30)]
    noise = np.random.default_rng(0).normal(size=(30, 8))
    after = index.fit(n_clusters=3, embeddings=noise)
    assert [note for note in after.notes if note.startswith("embeddings agrees with the terms no more than by chance")]
    assert [note for note in before.notes if "language" not in note] == []
    assert [hit.id for hit in index.members(index.clusters()[0].number, limit=30)] == members


BAD = {
    "rows": ({"embeddings": VECTORS[1:]}, BadData, "embeddings has 29 rows but there are 30 documents"),
    "nan": ({"embeddings": VECTORS * np.nan}, BadData, "NaN in row 0"),
    "ids": ({"embeddings": {"cars-0": [1.0]}}, BadData, "got none for 29 of 30; the first is 'garden-0'"),
    "lengths": ({"embeddings": {d.id: [1.0] * (1 + i) for i, d in enumerate(DOCUMENTS)}}, BadData, "same number of numbers"),
    "column": ({"links": "cited"}, BadParameter, "got 'cited', which no document has"),
    "empty": ({"encoder": ""}, BadParameter, "encoder must be a text that is not empty"),
    "no weights": (
        {"encoder": "/no/such/folder"},
        (NoSuchSource, MissingExtra),
        "no weights of an encoder called '/no/such/f",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_evidence_is_refused_and_the_index_answers_as_before(index, case):
    options, error, said = BAD[case]
    index.fit(n_clusters=3)
    before = index.info()
    with pytest.raises(error, match=said):
        index.fit(**options)
    assert index.info() == before


@pytest.mark.parametrize(
    ("value", "found"),
    [("a", ["a"]), (" a ", ["a"]), ("a,b; c|x", ["a", "b", "c", "x"]), ("with blank", ["with blank"]), ("x ", ["x"]), ("", [])],
)
def test_ids_in_a_column(value, found):
    assert linked_ids(value, {"a": 0, "b": 1, "with blank": 2}) == found


def test_the_command_line_takes_an_encoder_and_links(index, encoder):
    done = CliRunner().invoke(app, ["fit", index.path, "--clusters", "3", "--encoder", "mini", "--links", "cites", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["n_clusters"] == 3
    assert encoder == ["mini"]


def test_the_command_line_says_what_is_missing(index):
    done = CliRunner().invoke(app, ["fit", index.path, "--links", "nothing"])
    assert done.exit_code == 2
    assert "--links must be a column" in done.output
    done = CliRunner().invoke(app, ["fit", index.path, "--encoder", "/no/such/folder"])
    assert done.exit_code == 3

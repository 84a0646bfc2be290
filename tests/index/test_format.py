"""Files that last: an index as the first format keeps it is read today, to the letter, and one of a later format is refused."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import vicinal
from tests.data.make_format_1 import ANSWERS, FILE, answers, documents
from tests.index.small import made
from vicinal._store import Arrays, Documents, Label, Labels, Settings, Store, schema
from vicinal.cli._app import app
from vicinal.errors import DamagedIndex, NewerIndex
from vicinal.index import Recipe
from vicinal.index._recipe import load_recipe
from vicinal.projection import LinearMap

pytestmark = pytest.mark.damages


@pytest.fixture(name="file")
def own_copy(tmp_path):
    return Path(shutil.copy(FILE, tmp_path / "old.vic"))


#: What is read from the file, to nine digits (a mean may be added up in another order); and what is reckoned from it in single
#: precision, to five: how is the business of the version that reads it.
READ, RECKONED = ("info", "clusters"), ("search", "near", "classes")
#: Fields of `Info` that had other names when the file was made.
NAMES = {
    "learnt": "fitted",
    "placed": "embedded",
    "unplaced": "unembedded",
    "doubt": "uncertainty",
    "doubt_of_placed": "uncertainty_of_new",
    "words": "n_terms",
    "dimensions": "n_components",
    "topics": "n_clusters",
}
DIGITS = {**dict.fromkeys(READ, 1e-9), **dict.fromkeys(RECKONED, 1e-5)}


def close(found, kept, digits):
    """The same values in the same order, numbers to so many digits."""
    if isinstance(kept, dict):
        return found.keys() == kept.keys() and all(close(found[name], kept[name], digits) for name in kept)
    if isinstance(kept, list):
        return len(found) == len(kept) and all(close(one, other, digits) for one, other in zip(found, kept, strict=True))
    return found == pytest.approx(kept, rel=digits, abs=digits) if isinstance(kept, float) else found == kept


def test_documents_and_labels_of_the_first_format_are_read_to_the_letter(file):
    with Store.open(file) as store:
        assert [each.document for chunk in Documents(store).chunks() for each in chunk] == documents()
        numbers = Documents(store).find(["river/0", "oven/0", "strings/0", "river/3", "oven/3", "strings/3"])
        given = {"river/0": "water", "oven/0": "kitchen", "strings/0": "music", "river/3": "water"}
        in_force = {numbers[id]: Label(label, "given") for id, label in given.items()}
        in_force |= {numbers[id]: Label(id.partition("/")[0], "document") for id in ("oven/3", "strings/3")}
        assert Labels(store).get() == in_force


def test_an_index_of_the_first_format_answers_as_it_did(file):
    kept = json.loads(ANSWERS.read_text(encoding="utf-8"))
    with vicinal.open(file) as index:
        found = json.loads(json.dumps(answers(index)))
    assert found.keys() == kept.keys() == DIGITS.keys()
    found["info"] = {name: found["info"][NAMES.get(name, name)] for name in kept["info"]}  # a later version may say more
    assert [name for name, digits in DIGITS.items() if not close(found[name], kept[name], digits)] == []
    kept["search"]["day"][0][1] *= 1.001
    assert not close(found["search"], kept["search"], DIGITS["search"])


def linear_maps(index):
    with index._reading() as state:
        return state.model.projection, state.model.rule.scores


def test_eigenvalues_are_kept_of_the_projection_and_not_of_the_scores_of_clusters(tmp_path):
    with vicinal.open(made(tmp_path / "new.vic", 5, added=0)) as index:
        assert [name for name in Arrays(index._store).names() if name.endswith("/values")] == ["space/values"]
        projection, scores = linear_maps(index)
        assert type(scores) is LinearMap
        assert np.isfinite(projection.eigenvalues).all()
        assert len(projection.eigenvalues) == projection.n_components


def test_numbers_that_stood_for_no_eigenvalues_are_not_read_and_go_with_the_next_change_of_clusters(file):
    with vicinal.open(file) as index:
        assert np.isnan(Arrays(index._store).get("topics/values")).all()
        projection, scores = linear_maps(index)
        assert type(scores) is LinearMap
        assert np.isfinite(projection.eigenvalues).all()
        index.merge_clusters([each.number for each in index.clusters()[:2]])
        assert not Arrays(index._store).has("topics/values")
        assert index.check() == []


def test_it_is_sound_and_reading_it_changes_no_byte(file):
    with vicinal.open(file) as index:
        index.search("boat")
        assert index.check() == []
    assert file.read_bytes() == FILE.read_bytes()


def test_the_recipe_of_the_first_format_is_read_and_kept_by_the_names_of_today(file):
    with vicinal.open(file) as index:
        old = Settings(index._store).get("recipe")
        assert (old["topics"], old["dimensions"], old["neighbors"], old["stem"], old["seed"]) == (3, 4, 3, None, 0)
        assert load_recipe(index._store) == Recipe(n_clusters=3, n_components=4, n_neighbors=3, stem="none")
        assert index.fit().n_clusters == 3
        assert Settings(index._store).get("recipe") == vars(Recipe(n_clusters=3, n_components=4, n_neighbors=3, stem="none"))
        assert [cluster.number for cluster in index.clusters()] == [0, 1, 2]


def test_it_can_be_gone_on_with(file):
    with vicinal.open(file) as index:
        index.remove(["oven/3"])
        assert index.add(documents()).added == 1
        index.fit()
        assert (index.info().generation, index.info().fitted) == (2, 12)
        assert index.check() == []


def stamped(file, version):
    connection = sqlite3.connect(file)
    connection.execute(f"PRAGMA user_version = {version:d}")
    connection.close()
    return file.read_bytes()


@pytest.mark.parametrize(
    ("version", "error", "sentence"),
    [
        (schema.FORMAT + 1, NewerIndex, f"has format {schema.FORMAT + 1}, and this version of vicinal knows formats up to"),
        (0, DamagedIndex, "has format 0, and formats begin at 1"),
    ],
)
def test_a_later_format_and_none_are_refused_with_a_sentence_and_not_changed(file, version, error, sentence):
    before = stamped(file, version)
    with pytest.raises(error, match=sentence):
        vicinal.open(file)
    for arguments in (["search", str(file), "boat"], ["add", str(file), __file__], ["fit", str(file)]):
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 4
        assert sentence in done.stderr
        assert len(done.stderr.splitlines()) <= 2
    assert file.read_bytes() == before
    assert [each.name for each in file.parent.iterdir()] == ["old.vic"]


def test_the_file_is_small_and_of_the_first_format():
    assert FILE.stat().st_size < 200_000
    connection = sqlite3.connect(f"{FILE.as_uri()}?mode=ro&immutable=1", uri=True)
    assert schema.pragma(connection, "user_version") == 1
    connection.close()

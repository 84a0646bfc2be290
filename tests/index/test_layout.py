"""The layout of an index: kept with its fit, extended by new documents, continued by the next fit, and exported."""

from __future__ import annotations

import numpy as np
import pytest

import vicinal
from vicinal._store import Arrays
from vicinal.errors import BadParameter, TooFewDocuments
from vicinal.index import Recipe
from vicinal.index._layout.stored_layout import has_layout

SUBJECTS = {
    "farm": "wheat corn harvest field grain tractor soil seed barley farmer crop rain",
    "sport": "goal match team player league coach stadium referee striker cup season win",
    "music": "violin concert orchestra piano melody composer opera choir sonata rhythm song stage",
}


def texts_of(subject, n, seed):
    rng, words = np.random.default_rng(seed), SUBJECTS[subject].split()
    return [" ".join(rng.choice(words, 8)) for _ in range(n)]


def documents(n=20, seed=0, name=""):
    return [
        vicinal.Document(f"{subject}{name}-{i}", text, label=subject)
        for subject in SUBJECTS
        for i, text in enumerate(texts_of(subject, n, seed + len(subject)))
    ]


@pytest.fixture
def index(tmp_path):
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        index.add(documents())
        index.fit(n_clusters=3)
        yield index


def subjects(found):
    return np.array([id.partition("-")[0].rstrip("0123456789") for id in found.ids])


def nearest_subject(found, of):
    squared = ((found.points[:, None] - found.points[None]) ** 2).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    return subjects(found)[squared[of].argmin(axis=1)]


def test_a_fit_keeps_a_point_for_each_document(index):
    found = index.layout()
    assert found.ids == tuple(index)
    assert np.isfinite(found.points).all()
    assert set(found.clusters) == {cluster.number for cluster in index.clusters()}
    assert (nearest_subject(found, np.arange(60)) == subjects(found)).mean() > 0.9
    assert has_layout(index._cache.state())
    assert index.check() == []


def test_a_snapshot_and_another_process_have_the_same_points(index):
    before = index.layout().points
    with index.snapshot() as snapshot:
        assert np.array_equal(snapshot.layout().points, before)
    with vicinal.open(index.path) as again:
        assert np.array_equal(again.layout().points, before)


def test_new_documents_are_near_their_neighbours_and_others_stay(index):
    before = index.layout()
    index.add(documents(5, seed=100, name="9"))
    after = index.layout()
    assert np.array_equal(after.points[:60], before.points)
    assert np.isfinite(after.points).all()
    assert (nearest_subject(after, np.arange(60, 75)) == subjects(after)[60:]).mean() > 0.9


def test_new_documents_are_given_the_same_points_one_by_one(tmp_path, index):
    new = documents(3, seed=100, name="9")
    with vicinal.open(tmp_path / "b.vic", create=True) as other:
        other.add(documents())
        other.fit(n_clusters=3)
        for each in new:
            other.add([each])
        index.add(new)
        assert np.allclose(other.layout().points, index.layout().points, atol=1e-9)


def test_a_new_document_without_known_terms_has_no_point(index):
    index.add([vicinal.Document("odd", "zyzzyva quokka")])
    found = index.layout()
    assert np.isnan(found.points[-1]).all()
    assert found.clusters[-1] == -1


def test_a_fit_without_new_documents_keeps_every_point(index):
    before = index.layout().points
    index.fit(n_clusters=4)
    assert np.array_equal(index.layout().points, before)
    index.remove(["farm-3"])
    index.fit()
    assert np.array_equal(index.layout().points, np.delete(before, 3, axis=0))


def test_a_fit_with_new_documents_continues_from_the_earlier_points(index):
    before = index.layout().points
    index.add(documents(4, seed=100, name="9"))
    index.fit()
    after = index.layout().points
    width = np.linalg.norm(before - before.mean(axis=0), axis=1).mean()
    assert not np.array_equal(after[:60], before)
    assert np.linalg.norm(after[:60] - before, axis=1).mean() < 0.5 * width


def test_without_a_layout_none_is_kept_and_one_is_computed_when_asked(index):
    kept = index.layout().points
    index.fit(layout=False)
    assert not has_layout(index._cache.state())
    assert not any(name.startswith("layout/") for name in Arrays(index._store).names())
    found = index.layout()
    assert np.isfinite(found.points).all()
    assert (nearest_subject(found, np.arange(60)) == subjects(found)).mean() > 0.9
    index.fit()
    assert not has_layout(index._cache.state())  # as in the last fit
    index.fit(layout=True)
    assert has_layout(index._cache.state())
    assert np.isfinite(index.layout().points).all()
    assert kept.shape == (60, 2)


def test_points_of_another_fit_are_not_read(index):
    Arrays(index._store)
    with index._store.writing():
        Arrays(index._store).put("layout/fit", np.array([7]))
    assert not has_layout(index._cache.state())


def test_an_index_that_is_not_fitted_has_no_layout(tmp_path):
    with vicinal.open(tmp_path / "c.vic", create=True) as empty, pytest.raises(TooFewDocuments, match="not fitted"):
        empty.layout()


def test_the_layout_is_exported(index, tmp_path):
    found = index.layout()
    assert index.export(tmp_path / "layout.csv", "layout") == 60
    lines = (tmp_path / "layout.csv").read_text().splitlines()
    assert lines[0] == "id,x,y,cluster"
    assert float(lines[1].split(",")[1]) == pytest.approx(found.points[0, 0], rel=1e-4)
    index.export(tmp_path / "layout.npz", "layout")
    with np.load(tmp_path / "layout.npz") as kept:
        assert np.array_equal(kept["points"], found.points)
        assert kept["ids"].tolist() == list(found.ids)
    with pytest.raises(BadParameter, match="layout can be written as"):
        index.export(tmp_path / "layout.docx", "layout")


def test_the_recipe_takes_yes_or_no():
    with pytest.raises(BadParameter, match="layout must be True or False"):
        Recipe(layout="yes").checked()

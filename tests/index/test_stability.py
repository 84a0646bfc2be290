"""Stability in an index: kept with the fit, told of each cluster and in all, not of what people change, noted by number."""

from __future__ import annotations

import random

import pytest

import vicinal
from tests.index.small import document
from tests.index.test_steering import number_of
from vicinal import Topics
from vicinal._store import Settings
from vicinal.cli._terminal.cluster_steering import unstable_lines


def by_number(index):
    return {cluster.number: cluster.stability for cluster in index.clusters()}


@pytest.fixture(scope="module", name="noise")
def file_of_noise(tmp_path_factory):
    """Words without subjects: any clusters are luck."""
    path, chance = tmp_path_factory.mktemp("noise") / "noise.vic", random.Random(2)
    words = [f"word{i:02d}" for i in range(120)]
    with vicinal.open(path, create=True) as index:
        index.add(vicinal.Document(str(i), " ".join(chance.choices(words, k=8))) for i in range(200))
        done = index.fit(n_clusters=8)
    return path, done


def test_it_is_that_of_topics_and_kept_in_the_file(index):
    done = index.fit()
    counts = index._cache.state().rows.counts[:, index._cache.state().model.vocabulary.shared]
    topics = Topics(3).fit(counts)
    assert sorted(by_number(index).values()) == pytest.approx(sorted(topics.stability_))
    assert done.stability == index.info().stability == pytest.approx(topics.overall_stability_)


def test_clusters_that_are_luck_are_low_and_noted_with_what_to_do_here(noise):
    path, done = noise
    assert done.stability < 0.5
    [note] = [note for note in done.notes if note.startswith("the clusters depend on the random seed")]
    assert f"agree with them by {done.stability:.2f} (adjusted Rand index)" in note
    assert note.endswith("Try another n_clusters (tree() shows what divides or merges), or label documents and use_labels=True.")
    with vicinal.open(path) as index:
        stable = by_number(index)
        least = min(stable, key=stable.get)
        assert f"and cluster {least} by {stable[least]:.2f} (Jaccard index)" in note
        [line] = unstable_lines(index.clusters())
        assert f"{least} ({stable[least]:.2f})" in line
        assert index.info().stability == done.stability


def test_one_large_cluster_is_noted_by_its_number_in_the_index(tmp_path):
    some = [document(subject, i) for subject, n in (("garden", 20), ("kitchen", 20)) for i in range(n)]
    with vicinal.open(tmp_path / "large.vic", create=True) as index:
        index.add(some)
        index.fit(n_clusters=2)
        index.add(document("cars", i) for i in range(100))
        done = index.fit(n_clusters=3)
        cars = number_of(index, "cars")
        assert cars != 0  # which Topics calls its largest cluster
        said = [note for note in done.notes if note.startswith(f"cluster {cars} has 100 of 140 documents.")]
        assert [note for note in said if f"clusters(of={cars}) shows its parts" in note]


def test_a_cluster_that_people_change_has_none_until_the_next_fit(index):
    stable, cars = by_number(index), number_of(index, "cars")
    index.move_documents(["cars-0"], number_of(index, "garden"))
    changed = by_number(index)
    assert (changed[cars], changed[number_of(index, "kitchen")]) == (None, stable[number_of(index, "kitchen")])
    assert index.info().stability is not None
    index.fit()
    assert all(each is not None for each in by_number(index).values())


def test_parts_and_nodes_have_none(index):
    assert {each.stability for each in [*index.clusters(of=0, n_clusters=2), *index.clusters(level="fine")]} == {None}


def test_an_index_of_an_earlier_version_has_none(index):
    kept = Settings(index._store).get("clusters")
    for each in kept["clusters"]:
        del each["stability"]
    del kept["stability"]
    with index.transaction():
        Settings(index._store).set("clusters", kept)
    assert (set(by_number(index).values()), index.info().stability) == ({None}, None)
    assert unstable_lines(index.clusters()) == []
    index.name_cluster(0, "Motoring")
    index.merge_clusters([0, 1])
    assert len(index.clusters()) == 2

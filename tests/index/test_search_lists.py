"""Search by lists that a fit wrote: the same answers as by lists computed from the rows, whatever became of the documents since."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import vicinal
from tests.index.small import made
from vicinal import Document
from vicinal._store import Arrays
from vicinal.index import _stored
from vicinal.index._search.search_only import SearchOnly
from vicinal.index._search.search_state import SearchCache

QUERIES = ["bread oven", "garden flower", "engine", "cars wheels road", "zeppelin", "baked bread in the oven"]


@pytest.fixture(name="index")
def small_index(tmp_path):
    with vicinal.open(made(tmp_path / "small.vic")) as index:
        yield index


def answers(index):
    found = index.search_many(QUERIES)
    return [[(hit.id, hit.score, hit.relevance, hit.snippet, hit.cluster) for hit in hits] for hits in found]


def close(one, other):
    """Ids, passages and clusters as they are, numbers to rounding."""
    assert [[(id, snippet, cluster) for id, _, _, snippet, cluster in hits] for hits in one] == [
        [(id, snippet, cluster) for id, _, _, snippet, cluster in hits] for hits in other
    ]
    numbers = [[each[1:3] for hits in answer for each in hits] for answer in (one, other)]
    np.testing.assert_allclose(*numbers, rtol=1e-12)


def without_lists(index):
    """The answers of the same state where the arrays of search are gone, as in an index of an earlier version."""
    with index._store.writing():
        for name in (_stored.LISTED_FIT, _stored.POSTINGS, _stored.LENGTHS, _stored.LEFT_BEHIND):
            Arrays(index._store).drop(name)
    return answers(index)


def change_nothing(index):
    pass


def add(index):
    index.add([Document("new-1", "bread and flowers from the oven of the zeppelin"), Document("new-2", "a road to the garden")])


def remove(index):
    index.remove(pattern="*-2")


def change(index):
    index.update([Document("cars-1", "bread from the oven, and no engine")])


def all_of_it(index):
    for step in (add, remove, change, add):
        step(index)


@pytest.mark.parametrize("step", [change_nothing, add, remove, change, all_of_it])
def test_lists_of_the_fit_give_the_answers_that_the_rows_give(index, step):
    index.search("bread")  # what is loaded before the change must not be used after it
    step(index)
    by_lists = answers(index)
    assert any(by_lists)
    with SearchOnly(index.path) as alone:
        close(answers(alone), by_lists)
    close(without_lists(index), by_lists)


def test_a_broken_list_would_be_seen(index):
    before = answers(index)
    with index._store.writing():
        arrays = Arrays(index._store)
        lists = arrays.get(_stored.POSTINGS)
        lists.data = np.roll(lists.data, 1) + np.arange(lists.nnz, dtype=np.uint8) % 3
        arrays.put(_stored.POSTINGS, lists)
    SearchCache(index._store)
    index._cache.searches.forget()
    with pytest.raises(AssertionError):
        close(answers(index), before)


def test_rows_left_behind_are_noted_and_a_note_of_another_state_is_not_used(index):
    numbers = Arrays(index._store).get(_stored.NUMBERS)
    generation = 1
    assert Arrays(index._store).get(_stored.LEFT_BEHIND)[4:].tolist() == []
    remove(index)
    noted = Arrays(index._store).get(_stored.LEFT_BEHIND)
    assert len(noted) > 4
    with index._store.reading():
        kept = _stored.kept_rows(index._store, numbers, generation)
    assert sorted([*kept, *noted[4:]]) == list(range(len(numbers)))
    with index._store.writing():
        noted[1] += 1
        Arrays(index._store).put(_stored.LEFT_BEHIND, noted)
        assert _stored.kept_rows(index._store, numbers, generation).tolist() == kept.tolist()


def test_a_search_imports_neither_scipy_nor_scikit_learn(index):
    program = (
        "import sys; from vicinal.index._search.search_only import SearchOnly\n"
        f"with SearchOnly({index.path!r}) as index: assert index.search('bread oven')\n"
        "print([name for name in ('scipy', 'sklearn', 'numba', 'joblib', 'pandas', 'pyarrow') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_plain_search_says_the_same_as_one_with_options(index):
    def said(*options):
        command = [sys.executable, "-m", "vicinal", "search", index.path, "bread", "oven", *options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    assert said() == said("--limit", "10")
    missing = [sys.executable, "-m", "vicinal", "search", index.path + "x", "bread"]
    codes = [subprocess.run([*missing, *more], capture_output=True, text=True, check=False) for more in ([], ["--limit", "10"])]
    assert codes[0].returncode == codes[1].returncode == 3
    assert codes[0].stderr == codes[1].stderr


def test_what_earlier_versions_wrote_for_search_and_nothing_reads_goes_with_the_next_fit(index):
    before = answers(index)
    with index._store.writing():
        Arrays(index._store).put(_stored.LENT, np.ones(3, dtype=np.float32))
    assert answers(index) == before
    index.fit()
    assert not Arrays(index._store).has(_stored.LENT)

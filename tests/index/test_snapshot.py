"""A snapshot answers everything from one state; a query is read once; an index that is not fitted needs no SciPy to say so."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys

import pytest

import vicinal
from tests.index.small import document, documents
from vicinal.errors import BadParameter, VicinalError
from vicinal.index import Snapshot
from vicinal.index._reader import IndexReader
from vicinal.terms import Tokenizer

QUESTIONS = sorted(name for name in dir(IndexReader) if not name.startswith("_"))


def test_a_snapshot_answers_as_before_while_another_writes(index):
    with index.snapshot() as snapshot:
        before = snapshot.info(), [hit.id for hit in snapshot.search("bread", 50)]
        with vicinal.open(index.path) as other:
            other.remove([before[1][0]])
            other.add([document("kitchen", 99)])
        assert (snapshot.info(), [hit.id for hit in snapshot.search("bread", 50)]) == before
    assert "kitchen-99" in [hit.id for hit in index.search("bread", 50)]


def test_a_snapshot_of_a_state_that_is_gone_refuses_to_answer(index):
    with index.snapshot() as snapshot:
        assert len(snapshot) == 60
    assert snapshot.search("bread")  # nothing has changed yet
    index.remove(["kitchen-1"])
    with pytest.raises(VicinalError, match="has changed since this snapshot was taken"):
        snapshot.search("bread")


CHANGES = {
    "add": lambda index: index.add([document("kitchen", 99)]),
    "remove": lambda index: index.remove(["kitchen-1"]),
    "label": lambda index: index.label({"kitchen-1": "food"}),
    "fit": lambda index: index.fit(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_inside_the_block_of_a_snapshot_is_refused_in_words_of_the_index(index, change):
    with index.snapshot(), pytest.raises(VicinalError, match=r"Leave the with block of snapshot\(\) first") as refused:
        change(index)
    assert set(re.findall(r"\b(\w+)\(\)", str(refused.value))) <= set(dir(index))


ABOUT_DOCUMENTS = {
    "len": len,
    "iteration": list,
    "in": lambda snapshot: "kitchen-2" in snapshot,
    "by id": lambda snapshot: snapshot["kitchen-2"],
    "show": lambda snapshot: snapshot.show("kitchen-2"),
    "info": lambda snapshot: snapshot.info(),
    "needs_fit": lambda snapshot: snapshot.needs_fit(),
}


@pytest.mark.parametrize("ask", ABOUT_DOCUMENTS.values(), ids=ABOUT_DOCUMENTS)
def test_a_snapshot_of_a_state_that_is_gone_tells_nothing_of_its_documents_either(index, ask):
    with index.snapshot() as snapshot:
        before = ask(snapshot)
    assert ask(snapshot) == before
    index.remove(["kitchen-1"])
    with pytest.raises(VicinalError, match="has changed since this snapshot was taken"):
        ask(snapshot)


def test_a_snapshot_can_be_asked_all_that_an_index_can_and_cannot_write(index):
    assert {"search", "near", "duplicates", "clusters", "members", "classify", "explain", "export", "info"} <= set(QUESTIONS)
    assert {"tree", "constraints", "uncertain", "ask"} <= set(QUESTIONS)
    assert all(getattr(Snapshot, name) is getattr(vicinal.Index, name) for name in QUESTIONS)
    assert not {"add", "update", "remove", "fit", "label"} & set(dir(Snapshot))


@pytest.mark.parametrize("by", ["both", "terms", "embedding"])
@pytest.mark.parametrize("query", ["bread and butter from the oven", "zeppelin bread", "1937"])
def test_a_query_is_tokenised_once(index, monkeypatch, by, query):
    calls = []
    split = Tokenizer.__call__
    monkeypatch.setattr(Tokenizer, "__call__", lambda self, text: calls.append(text) or split(self, text))
    index.search(query, by=by)
    assert calls == [query]


def test_a_query_before_the_first_fit_is_tokenised_once(tmp_path, monkeypatch):
    with vicinal.open(tmp_path / "new.vic", create=True) as index:
        index.add(documents(range(3)))
        calls = []
        split = Tokenizer.__call__
        monkeypatch.setattr(Tokenizer, "__call__", lambda self, text: calls.append(text) or split(self, text))
        assert index.search("bread oven")
        assert calls == ["bread oven"]


def test_whether_a_fit_would_change_anything_is_decided_by_the_documents(tmp_path):
    with vicinal.open(tmp_path / "new.vic", create=True) as index:
        assert not index.needs_fit()  # nothing to fit
        index.add(documents(range(6)))
        assert index.needs_fit()
        index.fit(n_clusters=3)
        assert not index.needs_fit()
        index.add(documents([6]))
        assert index.needs_fit()
        index.fit()
        index.remove(["cars-6"])
        assert index.needs_fit()  # the model still has what the removed document taught
        index.fit()
        index.update([vicinal.Document("cars-1", "another text about a car and its engine")])
        assert index.needs_fit()


def test_whether_a_fit_would_change_anything_is_decided_by_its_parameters_too(tmp_path):
    with vicinal.open(tmp_path / "new.vic", create=True) as index:
        assert not index.needs_fit({"n_clusters": 3})  # nothing to fit
        index.add(documents(range(6)))
        index.fit(n_clusters=3)
        assert not index.needs_fit({"n_clusters": 3, "language": None, "random_state": 0})
        assert index.needs_fit({"n_clusters": 2})
        with index.snapshot() as snapshot:
            assert snapshot.needs_fit({"language": "de"})
        with pytest.raises(BadParameter, match="n_clusters"):
            index.needs_fit({"n_clusters": "many"})
        with pytest.raises(BadParameter, match="no parameter 'clusters'"):
            index.needs_fit({"clusters": 3})


@pytest.mark.parametrize("name", QUESTIONS)
def test_examples_of_the_questions_run(name, tmp_path, monkeypatch):
    if name == "path":
        pytest.skip("a property without an example")
    monkeypatch.chdir(tmp_path)
    question = getattr(IndexReader, name)
    [test] = doctest.DocTestFinder().find(question, name, module=inspect.getmodule(question), globs={})
    assert test.examples
    runner, said = doctest.DocTestRunner(), []
    runner.run(test, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_what_an_index_holds_is_said_without_scipy_and_scikit_learn(file):
    program = (
        "import sys\n"
        "from vicinal._store import Store\n"
        "from vicinal.index import Info\n"
        "from vicinal.index._stored import contents\n"
        "with Store.open(sys.argv[1]) as store:\n"
        "    info = contents(store)\n"
        "assert isinstance(info, Info) and info.n_clusters == 3\n"
        "print(sorted(set(sys.modules) & {'scipy', 'sklearn', 'numba'}))\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_model_that_was_never_kept_is_not_taken_for_one_of_the_same_number(index, monkeypatch):
    """A fit fails after its model was loaded again for the classes; then another process fits, and gives its model that number."""

    def broken(*_):
        raise OSError("no space left")

    index.label(column="subject")
    with monkeypatch.context() as patch:
        patch.setattr("vicinal.index._fit.fit_index._note_unembedded", broken)
        with pytest.raises(OSError, match="no space left"):
            index.fit(n_clusters=4)
    with vicinal.open(index.path) as other:
        other.fit(n_clusters=2)
        expected = [hit.id for hit in other.search("bread oven")]
    assert (index.info().generation, len(index.clusters())) == (2, 2)
    assert [hit.id for hit in index.search("bread oven")] == expected

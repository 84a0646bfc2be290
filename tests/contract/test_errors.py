"""Every error and every warning can happen, says what, got and do, and stands in the tree on the first page of errors.py."""

from __future__ import annotations

import ast
import inspect
import re
import shutil
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import vicinal
from tests.data.make_format_1 import FILE
from tests.laws.subjects import planted
from tests.store import samples
from vicinal import LSI, RLPI, SLPI, SRDA, Topics, Vectorizer, errors, graph, read, spectrum
from vicinal._store import Store
from vicinal.datasets import load_folder


def descendants(root):
    for child in root.__subclasses__():
        if child.__module__ == "vicinal.errors":
            yield child
            yield from descendants(child)


ERRORS = sorted(set(descendants(errors.VicinalError)), key=lambda each: each.__name__)
WARNINGS = sorted(set(descendants(errors.VicinalWarning)), key=lambda each: each.__name__)


@dataclass(frozen=True)
class Example:
    """A call that must complain, and the parts of what it must say: what is wrong, what it got, what to do or what was done."""

    call: object
    what: str
    got: str
    do: str


def notes(*documents):
    """Documents of words a to f; a letter twice is a word twice."""
    return np.array([[document.count(word) for word in "abcdef"] for document in documents], dtype=np.float64)


NOTES = notes("aab", "abb", "abc", "bcd", "ccd", "cdd", "def", "eef", "eff", "dff")
ISLANDS = ("aab", "ab", "abb", "dde", "de", "dee")


def ring(n):
    return sp.csr_array(np.eye(n) + np.roll(np.eye(n), 1, axis=1))


def lonely(n):
    W = graph.knn(NOTES, 3).weights.tolil()
    W[n, :], W[:, n] = 0.0, 0.0
    return sp.csr_array(W)


def with_no_scheduler():
    import dask

    with dask.config.set({"distributed.comm.timeouts.connect": "0.2s"}):
        vicinal.engine("tcp://127.0.0.1:9")


class Restless(graph.Graph):
    """Weights that grow while they are looked at, so that no function can be smooth on them twice."""

    def __init__(self, at_first):
        self.at_first, self.looks = at_first, 0

    n_documents = property(lambda self: self.at_first.n_documents)
    degrees = property(lambda self: self.at_first.degrees)

    def matmul(self, Y):
        self.looks += 1
        return self.at_first.matmul(Y) * (1.0 + 0.01 * self.looks)

    def restrict(self, documents):
        return Restless(self.at_first.restrict(documents))

    def skeleton(self):
        return self.at_first.skeleton()


def a_folder_with_a_picture():
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "note.txt").write_text("words")
        Path(folder, "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\r")
        load_folder(folder)


def without_a_stemmer():
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "Stemmer", None)  # what an installation without the extra looks like
        Vectorizer(stem="english").fit(["some words", "more words"])


def index_without_tree():
    with tempfile.TemporaryDirectory() as folder, vicinal.open(shutil.copy(FILE, Path(folder) / "format-1.vic")) as index:
        index.tree()


def search_with_a_bad_query():
    with tempfile.TemporaryDirectory() as folder, vicinal.open(shutil.copy(FILE, Path(folder) / "format-1.vic")) as index:
        index.search("dark OR")


def with_nan():
    X = NOTES.copy()
    X[4, 2] = np.nan
    RLPI().fit(X)


EXAMPLES = {
    errors.BadParameter: Example(
        lambda: RLPI(n_neighbors=0).fit(NOTES),
        "n_neighbors must be a whole number of at least 1",
        "got 0",
        "Use n_neighbors=1 or more",
    ),
    errors.BadLabels: Example(
        lambda: RLPI().fit(NOTES, [0, 1]), "one label per document", r"got \(2,\)", r"expected shape \(10,\)"
    ),
    errors.BadQuery: Example(
        search_with_a_bad_query,
        "OR has nothing behind it",
        r"wrong at character 6, 'OR'",
        "Add a word, or write it in small letters",
    ),
    errors.BadData: Example(with_nan, "Input X contains NaN", "row 4, column 2", "replace or drop it"),
    errors.EmptyCorpus: Example(
        lambda: LSI().fit(np.zeros((0, 5))), r"LSI\.fit has no documents", r"shape=\(0, 5\)", "Check what was read"
    ),
    errors.EngineFailed: Example(with_no_scheduler, "cluster cannot be reached", "127.0.0.1:9", "Start its scheduler"),
    errors.TooFewDocuments: Example(
        lambda: RLPI(n_neighbors=12).fit(NOTES), "asked for 12 neighbours", "has 10 documents", "Use n_neighbors=9 or add documents"
    ),
    errors.TooFewTerms: Example(
        lambda: RLPI().fit(np.ones((4, 1))), "cannot tell documents apart", r"1 feature\(s\)", "need at least two terms"
    ),
    errors.NoNeighbors: Example(lambda: RLPI().fit(np.eye(6)), "have a term in common", "the 6 documents", "Add documents"),
    errors.NoVariation: Example(lambda: RLPI().fit(np.ones((5, 4))), "are the same", "all 5 documents", "Add others"),
    errors.NoTree: Example(index_without_tree, "keeps no tree of clusters", "format-1.vic", "Fit again to get a tree"),
    errors.OneClass: Example(
        lambda: RLPI().fit(NOTES, np.zeros(10)), "name 1 class", "labels of 10 documents", "Add documents of another class"
    ),
    errors.NoSuchSource: Example(
        lambda: read("no/such/folder"), "no file or folder has that path", "'no/such/folder'", "Check the spelling"
    ),
    errors.NotConverged: Example(
        lambda: spectrum.solve(Restless(graph.knn(NOTES, 3)), 2),
        "where 1e-06 is needed, even after a retry",
        r"the dense solver reached a residual of \d\.\de[-+]\d\d",
        "Raise max_iter, ask for fewer components",
    ),
    errors.BadIndex: Example(lambda: Store.open("no/such.vic"), "there is no index", r"no/such\.vic", "open it with create=True"),
    errors.NotAnIndex: Example(lambda: Store.open(__file__), "is not an index", "got a file of another kind", "Check the path"),
    errors.NewerIndex: Example(samples.open_a_newer_one, "knows formats up to 2", "has format 10", "Install a newer vicinal"),
    errors.DamagedIndex: Example(samples.open_a_damaged_one, "is damaged", "settings is missing", "Run vicinal check"),
    errors.IndexLocked: Example(samples.write_a_locked_one, "one writer at a time", r"by process \d+ since", "Wait for it to end"),
    errors.ReadOnlyIndex: Example(
        samples.write_one_that_can_only_be_read, "cannot be written", "its folder is read-only", "Copy it to a place"
    ),
    errors.DiskError: Example(samples.write_to_a_disk_that_fails, "error of the disk", "disk I/O", "Check the disk"),
    errors.DiskFull: Example(samples.write_where_there_is_no_room, "is full", "bytes are free", "Make room and do it again"),
    errors.MissingExtra: Example(without_a_stemmer, "PyStemmer", "stem='english'", r"pip install .*vicinal\[stem\]"),
    errors.FewerComponents: Example(
        lambda: LSI(50).fit(NOTES), "asked for 50 components", "10 documents x 6 terms", "Continuing with 6"
    ),
    errors.ClippedWeights: Example(
        lambda: graph.knn(NOTES - 1.0, 9), "cosine that is not above zero", r"\d+\.\d%", "Ask for fewer neighbours"
    ),
    errors.UnembeddedDocuments: Example(
        lambda: RLPI(2).fit(np.vstack([NOTES, np.zeros(6)])), "are not embedded", "1 of 11 documents", "their embedding is zero"
    ),
    errors.JoinedDocuments: Example(
        lambda: RLPI(2, graph=lonely(4)).fit(NOTES), "had no neighbour in the graph", "^1 document", "joined to their most similar"
    ),
    errors.DisconnectedGraph: Example(
        lambda: RLPI(1, n_neighbors=1).fit(notes(*ISLANDS)), "has 2 connected components", "of 3, 3 documents", "stay apart"
    ),
    errors.IndistinctComponents: Example(
        lambda: RLPI(3, n_neighbors=2).fit(ring(31)),
        "components 3 and 4 cannot be told apart",
        r"eigenvalue 0\.\d+",
        "Ask for another number of components",
    ),
    errors.SingletonClass: Example(
        lambda: RLPI().fit(NOTES, [0, 0, 0, 1, 1, 1, 1, 1, 1, 2]), "one document", "1 of 3 classes", "all that stands for its class"
    ),
    errors.UnlabelledDocuments: Example(
        lambda: SRDA().fit(NOTES, [0, 0, 0, 1, 1, 1, 1, 1, 1, -1]), "have no label", "1 of 10 documents", "Use RLPI"
    ),
    errors.ContradictingEdges: Example(
        lambda: RLPI(2, graph="complete").fit(NOTES, [0, 0, -1, -1, -1, -1, -1, -1, 1, 1]),
        "edges between documents of different classes stay",
        r"CompleteGraph\(10 documents\)",
        "Use nearest neighbours where some labels are known",
    ),
    errors.ZeroEmbeddings: Example(
        lambda: RLPI(2, alpha=1e20).fit(NOTES), "every embedding is zero", r"alpha=1e\+20", "Use a smaller alpha"
    ),
    errors.EmptyComponents: Example(
        lambda: SLPI(2, alpha=1.0).fit(NOTES), "components have no term left", "alpha=1 ", "Use an alpha below 1"
    ),
    errors.FewerTerms: Example(
        lambda: SLPI(2, n_terms=8).fit(NOTES), "asked for 8 terms", "the least 6: no more terms are independent", "Continuing"
    ),
    errors.UnconfirmedEvidence: Example(
        lambda: Topics(2).fit(NOTES, views=[graph.links([(0, 6), (1, 7), (2, 8)], 10)]),
        r"views\[0\] agrees with the terms no more than by chance",
        "correlation -",
        "is not used. Compare",
    ),
    errors.UnknownWords: Example(
        lambda: Topics(2).fit(["red rose"] * 3 + ["rose wine"] + ["oak tree"] * 4, seed_words={"flowers": ["rose", "tulip"]}),
        r"seed_words\['flowers'\] has 'tulip'",
        "no document has it as a term",
        "Continuing with its other words",
    ),
    errors.ClusterCount: Example(
        lambda: Topics(2).fit(NOTES, [0, 0, 0, 1, 1, 1, -1, -1, 2, 2]),
        "each class of y is a cluster",
        "asked for 2 clusters",
        "Continuing with 3",
    ),
    errors.ForgottenDocuments: Example(
        lambda: RLPI(2).fit(NOTES).partial_fit(NOTES), "after fit", "keeps no documents", "Call partial_fit with"
    ),
    errors.UnstableClusters: Example(
        lambda: Topics(3).fit(planted((150, 20, 20), seed=2)[0]),
        "cluster 0 has",
        r"1\d\d of \d\d\d documents",
        "shows its parts",
    ),
    errors.Unconverged: Example(
        lambda: RLPI(2, solver="cgls", max_iter=1, tol=1e-9).fit(NOTES), "stopped after 1 iteration", r"1\.0e-09", "Raise max_iter"
    ),
    errors.DamagedPart: Example(
        samples.open_one_that_lost_its_journal, "is damaged", "its last 1 changes were acknowledged", "Run vicinal check"
    ),
    errors.SkippedFiles: Example(
        a_folder_with_a_picture, "not every file became a document", r"1 skipped.*picture\.png: binary, not text", "The others"
    ),
}


def parts_missing(message, example):
    return [part for part in (example.what, example.got, example.do) if not re.search(part, message)]


@pytest.mark.parametrize("kind", ERRORS, ids=lambda each: each.__name__)
def test_every_error_is_raised_and_says_what_got_and_do(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.VicinalWarning)
        with pytest.raises(kind) as caught:
            EXAMPLES[kind].call()
    assert caught.type is kind
    assert parts_missing(str(caught.value), EXAMPLES[kind]) == [], str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("kind", WARNINGS, ids=lambda each: each.__name__)
def test_every_warning_is_given_once_and_says_what_got_and_do(kind):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        EXAMPLES[kind].call()
    messages = [str(each.message) for each in seen if each.category is kind]
    assert len(messages) == 1, messages
    assert parts_missing(messages[0], EXAMPLES[kind]) == [], messages[0]
    assert messages[0].endswith(".")


def test_a_message_that_leaves_a_part_out_is_caught():
    example = EXAMPLES[errors.BadParameter]
    assert parts_missing("n_neighbors must be a whole number of at least 1. Use n_neighbors=1 or more.", example) == ["got 0"]


def test_every_class_is_in_one_of_the_two_families():
    written = {each for _, each in inspect.getmembers(errors, inspect.isclass) if each.__module__ == "vicinal.errors"}
    assert written == {errors.VicinalError, errors.VicinalWarning, *ERRORS, *WARNINGS}


def test_errors_are_value_errors_and_a_missing_extra_is_an_import_error():
    assert all(issubclass(each, ValueError) for each in ERRORS)
    assert issubclass(errors.MissingExtra, ImportError)
    assert all(issubclass(each, UserWarning) for each in WARNINGS)


def drawn_tree(page):
    """Class name and parent of each line of the tree in a docstring, read by how far its name stands to the right."""
    above, found = [], {}
    for line in page.splitlines():
        match = re.match(r"^    ([├└│─ ]*)([A-Z]\w+)(?:\((\w+)\))?  ? ?", line)
        if match and (match[1] or match[3]):
            depth = len(match[1]) // 4
            above[depth:] = [match[2]]
            found[match[2]] = above[depth - 1] if depth else match[3]
    return found


def test_the_tree_on_the_first_page_lists_exactly_the_classes_that_exist():
    classes = [errors.VicinalError, errors.VicinalWarning, *ERRORS, *WARNINGS]
    assert drawn_tree(errors.__doc__) == {each.__name__: each.__bases__[0].__name__ for each in classes}


def test_a_class_missing_from_the_tree_is_seen():
    lines = [line for line in errors.__doc__.splitlines() if "OneClass" not in line]
    assert drawn_tree(errors.__doc__).keys() - drawn_tree("\n".join(lines)).keys() == {"OneClass"}


@pytest.mark.parametrize("kind", [*ERRORS, *WARNINGS], ids=lambda each: each.__name__)
def test_the_tree_says_of_every_class_what_it_is_for(kind):
    [line] = [line for line in errors.__doc__.splitlines() if re.search(rf"── {kind.__name__}\b", line)]
    assert len(line.split(kind.__name__)[1].split()) >= 4


def test_every_error_and_warning_is_a_public_name():
    defined = {name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, Exception)}
    assert {name for name in defined if vars(errors)[name].__module__ == "vicinal.errors"} == set(errors.__all__)


SOURCE = Path(errors.__file__).parent


def written(node):
    """A text in a source as it is written, with {} for what is filled in; empty for what is no text."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    texts = [part.value if isinstance(part, ast.Constant) else "{}" for part in parts]
    return "".join(texts) if isinstance(node, ast.JoinedStr | ast.Constant) else ""


def messages_of(text):
    """The messages with which a source raises errors of this project."""
    raised = (node.exc for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Raise))
    for call in raised:
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in errors.__all__ and call.args:
            yield written(call.args[0])


def without_advice(text):
    """Messages of one sentence: they say what is wrong and not what to do. One that ends with another message has its advice."""
    return [each for each in messages_of(text) if each.endswith(".") and not re.search(r"[.?] +\S", each)]


def test_every_message_says_what_to_do():
    found = {each for path in SOURCE.rglob("*.py") for each in without_advice(path.read_text(encoding="utf-8"))}
    assert found == set()


def test_a_message_without_advice_is_noticed():
    one, two = 'raise BadData(f"W must be square, got {W.shape}.")', 'raise BadData(f"W is {W}. Use another.") from None'
    assert without_advice(f"{one}\n{two}\nraise BadData(f'it is not: {{error}}')") == ["W must be square, got {}."]

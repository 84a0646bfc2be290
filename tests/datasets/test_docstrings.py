from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from vicinal.corpus import Document
from vicinal.datasets import PACKAGES, Dataset, load_docstrings
from vicinal.datasets._markup import count_words, plain_text
from vicinal.errors import BadParameter, SkippedFiles

LONG = "Walk slowly along the whole river bank and count every single boat that is moored there today."


@pytest.fixture(scope="module")
def corpus() -> Dataset:
    return load_docstrings()


@pytest.fixture(scope="module")
def by_title(corpus: Dataset) -> dict[str, Document]:
    return {document.title: document for document in corpus}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package on the path that must not be imported: doing so raises."""
    folder = tmp_path / "riverbank"
    folder.mkdir()
    (folder / "__init__.py").write_text("from ._boats import count\nraise RuntimeError('imported')\n")
    (folder / "_boats.py").write_text(f'def count():\n    """{LONG}"""\n\n\ndef _hidden():\n    """Hidden. {LONG}"""\n')
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def titles(name: str = "riverbank", **options) -> list[str]:
    return [document.title for document in load_docstrings([name], **options)]


def test_there_are_about_seven_thousand_documents_in_all_four_libraries(corpus):
    assert 6000 <= len(corpus) <= 8500
    tops = Counter(document.label.split(".")[0] for document in corpus)
    assert min(tops["numpy"], tops["scipy"], tops["sklearn"], tops["asyncio"], tops["email"]) > 100


def test_every_id_is_used_once_and_every_text_is_said_once(corpus):
    assert len({document.id for document in corpus}) == len(corpus)
    assert len({document.text for document in corpus}) == len(corpus)


def test_two_runs_give_the_same_documents_in_the_same_order():
    assert list(load_docstrings(["numpy"])) == list(load_docstrings(["numpy"]))


def test_every_document_has_twelve_words_and_no_markup_of_examples_or_headings(corpus):
    for document in corpus:
        assert len(document.text.split()) >= 12, document.id
        assert ">>>" not in document.text, document.id
        assert not any(len(line) > 2 and not line.strip("-=") for line in document.text.splitlines()), document.id


@pytest.mark.parametrize(
    ("title", "label", "words"),
    [
        ("numpy.empty", "numpy", "without initializing entries"),  # written in C, documented through add_newdoc
        ("numpy.ndarray.reshape", "numpy", "same data with a new shape"),  # a method written in C
        ("numpy.ufunc.reduce", "numpy", "dimension by one"),  # add_newdoc of (method, text)
        ("numpy.average", "numpy", "weighted average"),  # from numpy.lib, public as numpy's own
        ("numpy.linalg.svd", "numpy.linalg", "Singular Value Decomposition"),
        ("numpy.char.chararray", "numpy.char", "strings"),  # through "from numpy._core.defchararray import *"
        ("scipy.special.bdtr", "scipy.special", "Binomial distribution"),
        ("scipy.stats.pearsonr", "scipy.stats", "correlation"),
        ("scipy.stats.norm", "scipy.stats", "normal continuous random variable"),  # an instance of norm_gen
        ("scipy.stats.qmc.Sobol", "scipy.stats", "quasi"),
        ("scipy.sparse.linalg.eigsh", "scipy.sparse", "eigenvalues"),
        ("sklearn.linear_model.Ridge.fit", "sklearn.linear_model", "Ridge"),
        ("sklearn.base.BaseEstimator.get_params", "sklearn.base", "parameters"),
        ("asyncio.Queue.get", "asyncio", "queue"),
        ("unittest.TestCase.assertLogs", "unittest", "logger"),
        ("collections.abc.MutableMapping.update", "collections", "mapping"),
        ("json.dumps", "json", "JSON"),
    ],
)
def test_known_documents_are_there_under_their_public_name(by_title, title, label, words):
    assert by_title[title].label == label
    assert words.lower() in by_title[title].text.lower()


def test_private_names_and_tests_and_vendored_packages_are_left_out(corpus):
    for document in corpus:
        name = document.id.split(":")[1].split("#")[0]
        assert not any(part.startswith("_") for part in document.title.split(".")), document.title
        assert not any(part.startswith("_") for part in name.split(".")), document.id
        assert not {"test", "tests", "externals", "idlelib", "site-packages", "_vendor"} & set(document.source.split("/"))


def test_reading_imports_nothing():
    program = (
        "import sys\n"
        "from vicinal.datasets import load_docstrings\n"
        "before = set(sys.modules)\n"
        "assert sum(1 for _ in load_docstrings(['scipy', 'sklearn'])) > 2000\n"
        "print(sorted(set(sys.modules) - before))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    imported = {name.split(".")[0] for name in eval(done.stdout)}
    assert not imported & {"numpy", "scipy", "sklearn"}


def test_a_package_that_raises_when_imported_can_be_read(package):
    assert titles() == ["riverbank.count"]
    assert "riverbank" not in sys.modules


def test_files_that_cannot_be_parsed_or_decoded_are_reported_and_do_not_stop_the_others(package):
    (package / "broken.py").write_text("def half(:\n")
    (package / "latin.py").write_bytes(b'"""\xe9t\xe9"""\n')
    with pytest.warns(SkippedFiles, match=r"2 of 4 source files .*riverbank/broken\.py.*riverbank/latin\.py"):
        assert titles() == ["riverbank.count"]


def test_the_same_text_counts_once_and_the_first_is_kept(package):
    (package / "later.py").write_text((package / "_boats.py").read_text())
    assert titles() == ["riverbank.count"]


def test_a_name_defined_twice_with_two_texts_gets_two_ids(package):
    (package / "twice.py").write_text(
        f'if 1:\n    def f():\n        """One. {LONG}"""\nelse:\n    def f():\n        """Two. {LONG}"""\n'
    )
    assert [document.id for document in load_docstrings("riverbank")][1:] == ["riverbank.twice:f", "riverbank.twice:f#2"]


def test_short_texts_and_deprecated_aliases_are_left_out(package):
    (package / "other.py").write_text(
        'def short():\n    """Too short."""\n\n\n'
        f'def old():\n    """{LONG} This function is deprecated, use count() instead."""\n\n\n'
        f'def other():\n    """Other: {LONG}"""\n'
    )
    assert titles() == ["riverbank.count", "riverbank.other.other"]
    assert titles(min_words=1) == ["riverbank.count", "riverbank.other.short", "riverbank.other.other"]


def test_progress_hears_of_every_file(package):
    heard: list[tuple[str, int, int]] = []
    assert titles(progress=lambda *step: heard.append(step)) == ["riverbank.count"]
    assert heard == [("read", 0, 2), ("read", 1, 2), ("read", 2, 2)]


def test_a_limit_stops_after_so_many_documents_and_the_first_stay_the_same(corpus):
    few = load_docstrings(limit=7)
    assert list(few) == list(corpus)[:7]
    assert len(load_docstrings("numpy", limit=0)) == 0
    with pytest.raises(BadParameter, match="limit"):
        load_docstrings(limit=-1)


def test_the_classes_are_the_modules_and_subpackages(corpus):
    assert PACKAGES == ("stdlib", "numpy", "scipy", "sklearn")
    assert {"asyncio", "numpy.linalg", "scipy.stats", "sklearn.linear_model"} <= set(corpus.label_names)
    assert [corpus.label_names[number] for number in corpus.labels[:50]] == [document.label for document in corpus[:50]]
    assert corpus.texts[0] == f"{corpus[0].title}\n{corpus[0].text}"


def test_a_package_that_is_not_there_is_named_at_once_in_the_error():
    with pytest.raises(BadParameter, match="no_such_package"):
        load_docstrings(["numpy", "no_such_package"])
    with pytest.raises(BadParameter, match=r"scipy\.stats"):
        load_docstrings(["scipy.stats"])
    with pytest.raises(BadParameter, match="min_words"):
        load_docstrings(min_words=-1)


def test_markup_is_taken_off_and_the_words_stay():
    docstring = r"""
    mean(a, axis=None)

    Compute the *arithmetic* mean, see :func:`~numpy.median` and ``np.average`` [1]_.

    Parameters
    ----------
    a : array_like
        The :math:`\alpha_i` numbers, %(extra)s or `the guide <https://example.org>`_.

    .. versionadded:: 1.2
        Only lately.

    .. note:: Beware of `nan`.

    .. math::

        \frac{1}{n} \sum a

    Examples
    --------
    The mean of two::

    >>> mean([1,
    ...       2])
    1.5

    And so on, with *args and **kwargs.

    .. [1] A book
    """
    text = plain_text(docstring)
    assert " ".join(text.split()) == (
        "Compute the arithmetic mean, see numpy.median and np.average . a : array_like The numbers, or the guide. "
        "Beware of nan. The mean of two: And so on, with *args and **kwargs. A book"
    )
    assert count_words("a 1 -- b2 c_d") == 3

"""The bench of evidence: made-up citations of known noise, vectors that are kept, runs that go on where they stopped."""

from __future__ import annotations

import numpy as np
import pytest

from bench.evidence import __main__ as command
from bench.evidence import vectors
from bench.evidence.settings import SETTINGS, cited
from bench.quality.draws import parse
from bench.quality.material import Material

CLASSES = np.random.RandomState(0).permutation(np.repeat(np.arange(4), 100))


@pytest.mark.parametrize("wrong", [0.0, 0.3, 1.0])
def test_citations_are_wrong_as_often_as_asked(wrong):
    edges = cited(CLASSES, wrong, 1).weights.tocoo()
    assert np.mean(CLASSES[edges.row] != CLASSES[edges.col]) == pytest.approx(wrong, abs=0.05)
    assert edges.nnz / len(CLASSES) == pytest.approx(4.0, abs=0.4)
    assert (edges != cited(CLASSES, wrong, 2).weights.tocoo()).nnz > 0


@pytest.fixture
def corpus(monkeypatch, tmp_path):
    """A corpus of ten texts, and an encoder that notes what it is asked."""
    asked = []

    class Lengths:
        def encode(self, texts):
            asked.extend(texts)
            return np.array([[len(text), 1.0] for text in texts])

    monkeypatch.setenv(vectors.VARIABLE, str(tmp_path))
    monkeypatch.setattr(vectors, "documents", lambda draw: (["x" * i for i in range(10)], np.arange(10) % 2))
    monkeypatch.setattr(vectors, "load_encoder", lambda name: Lengths())
    monkeypatch.setattr(vectors, "_loaded", {})
    monkeypatch.setattr(vectors, "BATCH", 4)
    return asked


def test_no_text_is_encoded_twice(corpus):
    some, all_of_it = parse("ng:2:3:0", "held"), parse("ng", "held")
    first = vectors.vectors_of(some, "mini")
    assert len(corpus) == len(first) == 6
    found = vectors.vectors_of(all_of_it, "mini")
    assert found[:, 0].tolist() == list(range(10))
    assert len(corpus) == 10
    assert vectors.vectors_of(all_of_it, None).tolist() == found.tolist()


def test_missing_vectors_are_said(corpus):
    with pytest.raises(FileNotFoundError, match=r"10 vectors of ng are not in .*--encoder"):
        vectors.vectors_of(parse("ng", "held"), None)


def test_a_run_goes_on_where_it_stopped_and_prints_the_table(monkeypatch, tmp_path, capsys):
    rates = np.where(np.arange(40) // 10 == CLASSES[:, None], 0.5, 0.05)
    material = Material(np.random.RandomState(0).poisson(rates).astype(float), CLASSES)
    monkeypatch.setattr(command, "prepare", lambda draw: material)
    given = [
        "--results",
        str(tmp_path / "lines"),
        "--corpus",
        "ng",
        "--setting",
        "terms",
        "--setting",
        "random",
        "--setting",
        "links:0",
    ]
    assert command.main(given) == 0
    said = capsys.readouterr()
    assert [line.split()[:2] for line in said.out.splitlines()[1:]] == [["ng", "terms"], ["ng", "random"], ["ng", "links:0"]]
    assert "UnconfirmedEvidence" in said.err
    assert command.main(given) == 0
    again = capsys.readouterr()
    assert again.out == said.out
    assert again.err == ""


def test_every_setting_is_named_once():
    assert len({setting.name for setting in SETTINGS}) == len(SETTINGS)

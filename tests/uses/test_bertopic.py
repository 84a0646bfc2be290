"""An embedding of vicinal inside BERTopic: as its scikit-learn backend calls it, and in BERTopic itself where that is installed."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils.validation import check_is_fitted

from tests.plot.conftest import documents
from vicinal import RLPI, Topics, Vectorizer

PAGE = (Path(__file__).parents[2] / "docs" / "bertopic.md").read_text(encoding="utf-8")
#: The public methods of BERTopic 0.17.
NAMES = """approximate_distribution delete_topics find_topics fit fit_transform generate_topic_labels get_document_info get_params
get_representative_docs get_topic get_topic_freq get_topic_info get_topic_tree get_topics hierarchical_topics load
merge_models merge_topics partial_fit push_to_hf_hub reduce_outliers reduce_topics save set_topic_labels topic_labels_
topics_over_time topics_per_class transform update_topics visualize_approximate_distribution visualize_barchart
visualize_distribution visualize_document_datamap visualize_documents visualize_heatmap visualize_hierarchical_documents
visualize_hierarchy visualize_term_rank visualize_topics visualize_topics_over_time visualize_topics_per_class"""
METHODS = NAMES.split()


@pytest.fixture(scope="module")
def texts():
    return [document.text for document in documents()]


def embedded_as_bertopic_does(pipeline, texts):
    """Fitted and transformed where the pipeline is not fitted, else transformed alone."""
    try:
        check_is_fitted(pipeline)
        return pipeline.transform(texts)
    except NotFittedError:
        return pipeline.fit_transform(texts)


@pytest.mark.filterwarnings("ignore::vicinal.errors.VicinalWarning")
def test_the_pipeline_embeds_documents_first_and_words_afterwards(texts):
    pipeline = make_pipeline(Vectorizer(), RLPI(n_components=3))
    first = embedded_as_bertopic_does(pipeline, texts)
    assert first.shape == (60, 3)
    assert isinstance(first, np.ndarray)
    words = embedded_as_bertopic_does(pipeline, ["wheat", "violin", "unknown"])
    assert words.shape == (3, 3)
    np.testing.assert_array_equal(embedded_as_bertopic_does(pipeline, texts), first)


@pytest.mark.filterwarnings("ignore::vicinal.errors.VicinalWarning")
def test_bertopic_takes_the_pipeline(texts):
    bertopic = pytest.importorskip("bertopic")
    from sklearn.cluster import KMeans
    from sklearn.decomposition import PCA

    pipeline = make_pipeline(Vectorizer(), RLPI(n_components=3))
    model = bertopic.BERTopic(embedding_model=pipeline, umap_model=PCA(2), hdbscan_model=KMeans(3, random_state=0))
    found, _ = model.fit_transform(texts)
    assert len({tuple(found[i : i + 20]) for i in (0, 20, 40)}) == 3
    assert all(len(set(found[i : i + 20])) == 1 for i in (0, 20, 40))
    assert model.transform(texts[:1])[0][0] == found[0]


def test_the_page_names_every_method_of_bertopic():
    assert [name for name in METHODS if not re.search(rf"\b(?:m|BERTopic)\.{name}\b", PAGE)] == []
    bertopic = pytest.importorskip("bertopic")
    public = [name for name, _ in inspect.getmembers(bertopic.BERTopic) if not name.startswith("_")]
    assert [name for name in public if f".{name}" not in PAGE] == []


def test_every_method_of_topics_that_the_page_names_exists():
    named = set(re.findall(r"\btopics\.(\w+)", PAGE))
    fitted = Topics(n_clusters=2).fit(["red rose garden", "rose garden", "stock price", "price of stock"])
    assert [name for name in sorted(named) if not hasattr(fitted, name)] == []

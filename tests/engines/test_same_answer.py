"""One algorithm in three places: a fit from blocks of any size, on any number of workers, has the bits of a fit in memory."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone

import vicinal
from vicinal import RLPI, SRDA
from vicinal.engines import ThreadEngine
from vicinal.errors import BadData, BadParameter, NoVariation, TooFewDocuments
from vicinal.graph import knn, repair
from vicinal.graph._build import knn_of_blocks
from vicinal.graph._joining import repair_of_checked
from vicinal.projection._block_products import BlockProducts
from vicinal.projection._products import Products
from vicinal.terms import RowBlocks
from vicinal.terms._block_terms import block_terms

pytestmark = pytest.mark.filterwarnings("ignore::vicinal.errors.VicinalWarning")


def labels(y, which):
    """No labels, all of them, or those of every seventh document."""
    return {"none": None, "all": y, "some": np.where(np.arange(len(y)) % 7 == 0, y, -1)}[which]


@pytest.fixture(scope="module", name="in_memory")
def fits_in_memory(corpus):
    X, y = corpus
    return {which: RLPI(6).fit(X, labels(y, which)) for which in ("none", "all", "some")}


def same_bits(one, other, X):
    assert np.array_equal(one.components_, other.components_)
    assert np.array_equal(one.eigenvalues_, other.eigenvalues_)
    assert np.array_equal(one.unembedded_, other.unembedded_)
    assert one.n_iter_ == other.n_iter_
    assert np.array_equal(one.transform(X), other.transform(X))


@pytest.mark.parametrize("which", ["none", "all", "some"])
@pytest.mark.parametrize("rows", [1_111, 20_000])
def test_a_fit_from_blocks_in_threads_is_that_in_memory(corpus, in_memory, which, rows):
    X, y = corpus
    threads = vicinal.engine("threads", n_jobs=2)
    fitted = RLPI(6, engine=threads).fit(RowBlocks.of(X, rows), labels(y, which))
    same_bits(in_memory[which], fitted, X)
    assert np.array_equal(fitted.transform(RowBlocks.of(X, rows)), in_memory[which].transform(X))


@pytest.mark.parametrize("which", ["none", "all", "some"])
def test_a_fit_on_a_cluster_is_that_in_memory(corpus, in_memory, client, which):
    X, y = corpus
    with vicinal.engine("dask", client=client):
        fitted = RLPI(6).fit(RowBlocks.of(X, 2_500), labels(y, which))
    same_bits(in_memory[which], fitted, X)


@pytest.mark.parametrize("n_workers", [1, 4])
def test_the_number_of_workers_changes_no_bit(corpus, in_memory, n_workers):
    distributed = pytest.importorskip("distributed")
    X, y = corpus
    here = {"processes": False, "protocol": "tcp", "host": "127.0.0.1", "dashboard_address": None}
    with distributed.LocalCluster(n_workers, 1, **here) as cluster, distributed.Client(cluster) as client:
        same_bits(in_memory["all"], RLPI(6, engine=vicinal.engine("dask", client=client)).fit(X, y), X)
    same_bits(in_memory["all"], RLPI(6, engine=vicinal.engine("threads", n_jobs=n_workers)).fit(X, y), X)


def test_paths_and_iterators_are_fitted_like_the_matrix(corpus, in_memory, tmp_path):
    X, y = corpus
    blocks = RowBlocks.of(X, 3_000)
    stored = RowBlocks.write(tmp_path / "rows", iter(blocks))
    assert not stored.in_memory
    same_bits(in_memory["all"], RLPI(6).fit(str(tmp_path / "rows"), y), X)
    same_bits(in_memory["all"], RLPI(6, engine=vicinal.engine("disk", memory="20MB")).fit(iter(blocks), y), X)


def test_fit_transform_of_blocks_is_transform_of_the_matrix(corpus, in_memory):
    X, y = corpus
    embedded = RLPI(6).fit_transform(RowBlocks.of(X, 4_000), y)
    assert np.array_equal(embedded, in_memory["all"].transform(X))


def test_a_matrix_of_few_documents_or_few_terms_is_solved_exactly_too(corpus):
    X, _y = corpus
    for rows in (X[1000:1500], sp.csr_array(X[:2000, :300])):
        few = RLPI(4).fit(rows)
        blocks = RLPI(4).fit(RowBlocks.of(rows, 170))
        assert np.abs(few.components_ - blocks.components_).max() < 1e-10 * np.abs(few.components_).max()


def test_rows_that_take_no_part_and_centring_change_nothing(corpus):
    X, y = corpus
    same_bits(RLPI(5, center=True).fit(X, y), RLPI(5, center=True).fit(RowBlocks.of(X, 1_700), y), X)
    without = np.where(y == 2, -1, y)
    same_bits(SRDA().fit(X, without), SRDA().fit(RowBlocks.of(X, 1_700), without), X)


@pytest.mark.parametrize("weight", ["cosine", "dot", "binary", "heat"])
def test_neighbours_by_block_are_those_of_the_whole_search(corpus, weight):
    X = corpus[0][:700]
    terms = block_terms(RowBlocks.of(X, 90), ThreadEngine(2))
    one, other = knn(X, 5, weight=weight), knn_of_blocks(terms, 5, weight=weight)
    assert (one.weights != other.weights).nnz == 0
    by_length = weight == "dot"
    repaired = repair_of_checked(other, terms, by_length=by_length)
    assert (repair_of_checked(one, X, by_length=by_length).weights != repaired.weights).nnz == 0


def test_islands_are_bridged_by_the_same_edges():
    rng = np.random.default_rng(0)
    islands = [np.where(rng.random((40, 12)) < 0.4, 1.0, 0.0) for _ in range(4)]
    X = sp.csr_array(sp.block_diag(islands))
    X = sp.csr_array(sp.hstack([X, sp.csr_array(np.where(rng.random((160, 3)) < 0.05, 0.1, 0.0))]))
    one, terms = knn(X, 3), block_terms(RowBlocks.of(X, 23), ThreadEngine(2))
    assert one.connected_components.max() > 0
    assert (repair(one, X).weights != repair_of_checked(knn_of_blocks(terms, 3), terms).weights).nnz == 0


def test_equal_cosines_are_taken_in_document_order_across_blocks():
    X = sp.csr_array(np.tile(np.eye(3), (20, 1)))
    terms = block_terms(RowBlocks.of(X, 7), ThreadEngine(2))
    assert (knn(X, 4).weights != knn_of_blocks(terms, 4).weights).nnz == 0


@pytest.mark.parametrize("taken", [None, 5])
@pytest.mark.parametrize("rows", [700, 100_000])
def test_products_have_the_bits_of_products_in_memory(corpus, taken, rows):
    X, _ = corpus
    X = sp.csr_array(sp.vstack([X, X, X]))
    keep = None if taken is None else np.arange(X.shape[0]) % taken > 0
    whole = Products(X if keep is None else X[keep])
    blocks = BlockProducts(block_terms(RowBlocks.of(X, rows), ThreadEngine(2)), keep)
    rng = np.random.default_rng(1)
    B, R = rng.standard_normal((X.shape[1], 3)), rng.standard_normal((whole.shape[0], 3))
    assert blocks.shape == whole.shape
    assert np.array_equal(blocks.forward(B), whole.forward(B))
    assert np.array_equal(blocks.backward(R), whole.backward(R))
    scale, padded = rng.uniform(1.0, 2.0, X.shape[1]), np.zeros((X.shape[1], 32), np.float32)
    padded[:, :3] = B
    for there, here in ((np.empty((len(R), 32), np.float32), np.empty((len(R), 32), np.float32)),):
        blocks.in_single(scale).forward(padded, there)
        whole.in_single(scale).forward(padded, here)
        assert np.array_equal(there, here)
        back, forth = np.empty_like(padded), np.empty_like(padded)
        blocks.in_single(scale).backward(here, back)
        whole.in_single(scale).backward(here, forth)
        assert np.array_equal(back, forth)
    assert np.array_equal(blocks.term_squares(), whole.term_squares())
    assert np.abs(whole.backward(R) - whole.X.T @ R).max() < 1e-9


def test_the_order_of_sums_matters_to_the_last_bit(corpus):
    """Else the tests above could not tell a wrong order from the right one."""
    X = corpus[0]
    R = np.random.default_rng(1).standard_normal((X.shape[0], 3))
    halves = Products(X[:4500]).backward(R[:4500]) + Products(X[4500:]).backward(R[4500:])
    assert not np.array_equal(halves, Products(X).backward(R))


def test_an_engine_survives_clone_and_set_params(corpus):
    threads = ThreadEngine(1)
    copied = clone(RLPI(3, engine=threads))
    assert copied.engine is threads
    assert RLPI(3).set_params(engine="disk").engine == "disk"


@pytest.mark.parametrize("parameters", [{"graph": "complete"}, {"graph": "consensus"}, {"alpha": "auto"}, {"n_components": "auto"}])
def test_what_needs_all_of_x_is_refused_for_blocks(corpus, parameters):
    with pytest.raises(BadParameter, match=r"needs all of X in memory, got X in 1 row blocks"):
        RLPI(**parameters).fit(RowBlocks.of(corpus[0][:900]))


def test_blocks_are_validated_like_a_matrix(corpus):
    X = corpus[0][:300]
    with pytest.raises(TooFewDocuments, match="asked for 300 neighbours but the corpus has 300 documents"):
        RLPI(n_neighbors=300).fit(RowBlocks.of(X, 50))
    with pytest.raises(NoVariation, match="all 20 documents"):
        RLPI().fit(RowBlocks.of(np.tile([1.0, 2.0], (20, 1)), 6))
    fitted = RLPI(2).fit(RowBlocks.of(X, 50))
    assert fitted.n_features_in_ == X.shape[1]
    with pytest.raises(BadData, match="X has 5 features, but RLPI is expecting"):
        fitted.transform(RowBlocks.of(np.ones((2, 5))))
    with pytest.raises(BadParameter, match="engine must be one of"):
        RLPI(engine="nowhere").fit(X)

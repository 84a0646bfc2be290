from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

N_CLASSES = 6


@pytest.fixture(scope="session", name="cluster")
def cluster_of_processes():
    """Two worker processes of one thread each on this machine, for all tests of a session."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit="2GB", silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture(name="client")
def client_of_cluster(cluster):
    from distributed import Client

    with Client(cluster) as client:
        yield client


@pytest.fixture(scope="session", name="corpus")
def notes_of_classes():
    """Short documents of six classes: more than one chunk of them, one without terms, and one that shares no term with others."""
    rng = np.random.default_rng(5)
    n_documents, n_terms = 9_000, 900
    y = rng.integers(0, N_CLASSES, n_documents)
    shares = rng.gamma(0.1, 1.0, (N_CLASSES, n_terms))
    shares = 0.7 * shares / shares.sum(axis=1, keepdims=True) + 0.3 / n_terms
    counts = np.array([rng.multinomial(12, shares[label]) for label in y], dtype=np.float64)
    counts[17] = 0.0
    counts = np.column_stack([counts, np.zeros(n_documents)])
    counts[400], counts[400, -1] = 0.0, 1.0
    return sp.csr_array(counts), y

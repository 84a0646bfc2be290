"""RLPI: the eigenvectors of the neighbour graph, regressed onto terms with a ridge penalty."""

from __future__ import annotations

from typing import final

from vicinal.methods._partial_fit import PartialFit
from vicinal.methods._shared_docs import with_shared_docs


@final
@with_shared_docs
class RLPI(PartialFit):
    """Regularized locality preserving indexing: the smoothest functions on the neighbour graph, regressed onto terms [1]_.

    Takes the eigenvectors y of W y = λ D y (S1), or class indicators when labels are given (P15), and finds for each
    the weights of terms that minimise ‖Xa - y‖² + α‖a‖² (P1, P2). No matrix larger than X is formed, so the method
    scales to large corpora.

    Parameters
    ----------
    {n_components}
    {n_neighbors}
    {weight}
    {graph}
    {ridge_alpha}
    {ridge_solver}
    {center}
    {eigen_solver}
    {disconnected}
    {recall}
    {n_jobs}
    {random_state}
    {engine}

    Attributes
    ----------
    {components_}
    {eigenvalues_}
    {fitted_n_components}
    {projection_}
    {fitted_alpha}
    {n_iter_}
    {fitted_graph}
    {fitted_features}

    References
    ----------
    .. [1] D. Cai, X. He, W. V. Zhang and J. Han. Regularized locality preserving indexing via spectral regression.
       CIKM 2007, pages 741-750, section 3.

    Examples
    --------
    >>> from vicinal import RLPI
    {example_texts}
    >>> model = RLPI(n_components=1, n_neighbors=2).fit(X)
    >>> (model.transform(X)[:, 0] > 0).tolist()
    [True, True, True, False, False, False]
    """

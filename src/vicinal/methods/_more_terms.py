"""Batches of a fit that goes on: the terms of before in the same columns, and perhaps new ones after them."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import validate_data

from vicinal._typing import ArrayLike, Terms
from vicinal._warn import warn
from vicinal.errors import BadData, ForgottenDocuments
from vicinal.methods._base import Method


def with_more_terms(method: Method, X: ArrayLike) -> Terms:
    """A later batch as ``fit`` checks it; BadData where it has fewer terms than before, or other names of them."""
    names, n_terms = getattr(method, "feature_names_in_", None), getattr(method, "n_features_in_", 0)
    if names is not None:
        _refuse_other_names(method, X, list(names))
    batch = method._check_documents(X, "fit")
    if batch.shape[1] < n_terms:
        raise BadData(
            f"X has {batch.shape[1]} features, but {type(method).__name__} is expecting {n_terms} features as input, or more. "
            f"Keep the terms of before in their columns, and add new ones at the end."
        )
    if names is not None and not hasattr(method, "feature_names_in_"):  # as in transform, a batch may come without names
        method.feature_names_in_ = names
    return batch


def warn_of_forgetting(method: Method) -> None:
    """Warn where an estimator was fitted by ``fit``, which keeps no documents to go on from."""
    warn(
        f"partial_fit of a {type(method).__name__} after fit begins anew, with these documents alone: fit keeps no documents to go "
        f"on from. Call partial_fit with the first documents too.",
        ForgottenDocuments,
    )


def _refuse_other_names(method: Method, X: Any, names: list[str]) -> None:
    now = getattr(X, "columns", None)
    if now is not None and len(now) > len(names) and list(now[: len(names)]) == names:
        return
    if now is None and len(getattr(X, "shape", ())) == 2 and X.shape[1] > len(names):
        raise BadData(
            f"the terms of earlier batches have names, got {X.shape[1]} columns without names where there were {len(names)}. "
            f"Pass a data frame that names the new terms too."
        )
    try:
        validate_data(method, X, reset=False, skip_check_array=True)
    except ValueError as error:
        raise BadData(str(error)) from None

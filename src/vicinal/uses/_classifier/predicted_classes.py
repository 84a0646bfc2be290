"""The classes of Classifier: from labels to classes, and from probabilities to the class that is predicted."""

from __future__ import annotations

import numpy as np

from vicinal._choice import is_auto
from vicinal._typing import FloatArray, IntArray, LabelArray, LabelsLike
from vicinal._validate import check_number
from vicinal.errors import BadLabels, BadParameter, OneClass
from vicinal.uses._document_input import classes_of


def check_shares(share: float | str, abstain: float | None) -> None:
    """Refuse a share of the embedding, or a probability to abstain below, that is not from 0 to 1."""
    if not is_auto(share) and check_number("share", share) > 1:
        raise BadParameter(f"share must be 'auto' or a number from 0 to 1, got {share!r}. Use 'auto'.")
    if abstain is not None and check_number("abstain", abstain) > 1:
        raise BadParameter(f"abstain is a probability from 0 to 1, got {abstain!r}. Use 0.5, or None.")


def known_classes(y: LabelsLike | None, n_documents: int) -> tuple[LabelArray, IntArray]:
    """The classes, sorted, and the class of each document, numbered from 0, -1 where it is not known; refuses fewer than two."""
    if y is None:
        raise BadLabels("Classifier requires y to be passed, but the target y is None. Pass one label per document, -1 for none.")
    names, classes = classes_of(y, n_documents)
    if len(names) < 2:
        found = "one class" if len(names) else "no label"
        raise OneClass(f"y has {found}: a classifier needs documents of two classes. Label documents of another class.")
    return np.asarray(names), classes


def position(classes: LabelArray, label: object) -> int:
    """Which of the classes a label is."""
    found = [i for i, each in enumerate(classes.tolist()) if each == label]
    if not found:
        raise BadParameter(f"there is no class {label!r}. Classes are {classes.tolist()[:20]}.")
    return found[0]


def most_probable(classes: LabelArray, log_probabilities: FloatArray, abstain: float | None) -> LabelArray:
    """The most probable class of each row; -1, or None where classes are no numbers, if its probability is below ``abstain``."""
    found = classes[np.argmax(log_probabilities, axis=1)]
    if abstain is None:
        return np.asarray(found)
    uncertain = np.exp(log_probabilities.max(axis=1)) < abstain
    if classes.dtype.kind in "iuf":
        return np.where(uncertain, -1, found.astype(np.int64) if classes.dtype.kind == "u" else found)
    return np.asarray(np.where(uncertain, None, found.astype(object)))

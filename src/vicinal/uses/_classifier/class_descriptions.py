"""What describes the classes of a fitted classifier: why a document is in one, and the terms that speak for it."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from vicinal._typing import ArrayLike, LabelArray
from vicinal._validate import check_count
from vicinal.projection import Explanation, LinearMap
from vicinal.uses._classifier.classifier_rule import ClassifierRule
from vicinal.uses._classifier.predicted_classes import position
from vicinal.uses._document_input import DocumentMethod


class ClassDescriptions(DocumentMethod):
    """A fitted classifier whose classes and decisions are explained term by term."""

    classes_: LabelArray
    scores_: LinearMap
    _rule: ClassifierRule

    def explain(self, document: str | ArrayLike, label: object = None, against: object = None) -> Explanation:
        """Write a score of a document as a sum over its terms (K5).

        Parameters
        ----------
        document : str, or array-like or sparse of shape (1, n_terms)
            One document.
        label : object, optional
            The class whose score is explained; by default the most probable one.
        against : object, optional
            The class whose score is subtracted; by default the next probable one.

        Returns
        -------
        Explanation
            The contribution of each term, and "(constant)" for what no term contributes. They add up to the total.

        Raises
        ------
        BadParameter
            There is no such class.
        BadData
            It is not one document.

        Examples
        --------
        >>> from vicinal import Classifier
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> model = Classifier().fit(texts, ["farm", "farm", "farm", "sport", "sport", "sport"])
        >>> why = model.explain("wheat harvest")
        >>> why.total > 0, sorted(why.terms)
        (True, ['(constant)', 'harvest', 'wheat'])
        """
        row = self._reader.weights(self._read_one(document))
        order = np.argsort(-self._rule.log_probabilities(row)[0], kind="stable")
        chosen = int(order[0]) if label is None else position(self.classes_, label)
        other = int(order[order != chosen][0]) if against is None else position(self.classes_, against)
        return self._rule.why(row, chosen, other)

    def top_terms(self, label: object, limit: int = 10) -> list[tuple[str, float]]:
        """Return the terms that speak most for a class, compared with the mean of all classes.

        Parameters
        ----------
        label : object
            One of ``classes_``.
        limit : int, default=10
            How many terms at most.

        Returns
        -------
        list of (str, float)
            Terms and weights, the largest first; only terms that speak for the class.

        Raises
        ------
        BadParameter
            There is no such class.

        Examples
        --------
        >>> from vicinal import Classifier
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> model = Classifier().fit(texts, ["farm", "farm", "farm", "sport", "sport", "sport"])
        >>> sorted(term for term, _ in model.top_terms("farm", limit=3))
        ['corn', 'harvest', 'wheat']
        """
        check_is_fitted(self, "scores_")
        weights = self.scores_.weights
        column = weights[:, position(self.classes_, label)] - weights.mean(axis=1)
        order = np.argsort(-column, kind="stable")[: check_count("limit", limit)]
        names = self.terms_ if self.terms_ is not None else [f"term {t}" for t in range(len(column))]
        return [(str(names[t]), float(column[t])) for t in order if column[t] > 0]

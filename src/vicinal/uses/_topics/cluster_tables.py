"""The clusters and documents of a fitted estimator as data frames: one row per cluster, per document, per period and per class."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from vicinal._cluster_names import NAMED_BY, named_by_terms
from vicinal._consensus import ClusterRule
from vicinal._data_frame import data_frame
from vicinal._tallies import ClusterTally, by_class, over_time
from vicinal._typing import ArrayLike, FloatArray, IntArray, TermNames
from vicinal._validate import check_count
from vicinal.errors import BadData
from vicinal.uses._document_input import DocumentMethod, TextsOrRows
from vicinal.uses._topics.cluster_descriptions import ClusterDescriptions

SHOWN = 30  # clusters in a notebook


class ClusterTables(ClusterDescriptions, DocumentMethod):
    """A fitted estimator whose clusters can be shown in tables."""

    rule_: ClusterRule
    terms_: TermNames
    labels_: IntArray
    sizes_: IntArray
    typicality_: FloatArray
    uncertainty_: FloatArray
    stability_: FloatArray
    overall_stability_: float
    n_clusters_: int
    classes_: NDArray[Any] | None

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        """What a notebook shows: the clusters, and before the fit what scikit-learn shows of an estimator."""
        shown: dict[str, str] = super()._repr_mimebundle_(**options)
        return shown | {"text/html": self._clusters_html()} if "text/html" in shown and hasattr(self, "rule_") else shown

    def _repr_html_inner(self) -> str:
        """The same, for what asks for ``_repr_html_``."""
        return self._clusters_html() if hasattr(self, "rule_") else str(super()._repr_html_inner())

    def _clusters_html(self) -> str:
        from vicinal._notebook_html import card, listed, rows_of

        names, known = self.names(), self.sizes_.sum()
        rows = [
            (
                i,
                f"{self.sizes_[i]:,}",
                f"{self.sizes_[i] / max(known, 1):.1%}",
                names[i],
                listed(t for t, _ in self.top_terms(i, 8)),
            )
            for i in range(self.n_clusters_)
        ]
        about = f"{len(self.labels_):,} documents in {self.n_clusters_:,} clusters, stability {self.overall_stability_:.2f}"
        head = ("cluster", "documents", "share", "name", "terms")
        more = f"… and {len(rows) - SHOWN:,} more: table()" if len(rows) > SHOWN else None
        return card(type(self).__name__, about, rows_of(head, rows[:SHOWN], numbers=(0, 1, 2)), more)

    def names(self) -> tuple[str, ...]:
        """Name each cluster: by its class where it has one, else by its first terms.

        Returns
        -------
        tuple of str
            One per cluster.

        Raises
        ------
        NotFittedError
            It is called before ``fit``.

        Examples
        --------
        >>> from vicinal import Topics
        >>> texts = ["red rose garden", "white rose garden", "garden rose red",
        ...          "stock market price", "market price falls", "stock price"]
        >>> Topics(n_clusters=2).fit(texts).names()
        ('price, market, stock', 'garden, rose, red')
        """
        check_is_fitted(self, "rule_")
        known = () if self.classes_ is None else tuple(str(each) for each in self.classes_)
        terms = (named_by_terms(self.top_terms(i, NAMED_BY)) for i in range(len(known), self.n_clusters_))
        return (*known, *(name or f"cluster {len(known) + i}" for i, name in enumerate(terms)))

    def table(self, *, n_terms: int = 10, n_exemplars: int = 3, output: str | None = None) -> Any:
        """Return the clusters as a data frame.

        Parameters
        ----------
        n_terms : int, default=10
            Terms of each at most.
        n_exemplars : int, default=3
            Exemplars of each at most.
        output : {"pandas", "polars"} or None, default=None
            The library of the data frame; None is that of scikit-learn's ``set_config(transform_output=…)``, else the one that is
            imported already, else the one that is installed.

        Returns
        -------
        DataFrame
            A row per cluster: ``cluster``, ``name``, ``size``, ``share``, ``uncertainty`` (mean), ``stability``, ``terms`` and
            ``exemplars`` (numbers of documents).

        Raises
        ------
        MissingExtra
            The library is not installed.

        Examples
        --------
        >>> from vicinal import Topics
        >>> texts = ["red rose garden", "white rose garden", "garden rose red",
        ...          "stock market price", "market price falls", "stock price"]
        >>> Topics(n_clusters=2).fit(texts).table(output="polars").select("cluster", "name", "size").rows()
        [(0, 'price, market, stock', 3), (1, 'garden, rose, red', 3)]
        """
        check_is_fitted(self, "rule_")
        check_count("n_terms", n_terms)
        check_count("n_exemplars", n_exemplars)
        each = range(self.n_clusters_)
        uncertain = [float(self.uncertainty_[self.labels_ == i].mean()) if (self.labels_ == i).any() else None for i in each]
        columns = {
            "cluster": list(each),
            "name": list(self.names()),
            "size": self.sizes_.tolist(),
            "share": (self.sizes_ / max(int(self.sizes_.sum()), 1)).tolist(),
            "uncertainty": uncertain,
            "stability": [float(value) for value in self.stability_],
            "terms": [[term for term, _ in self.top_terms(i, n_terms)] for i in each],
            "exemplars": [self.exemplars(i, n_exemplars).tolist() for i in each],
        }
        return data_frame(columns, output)

    def documents(self, texts: Iterable[object] | None = None, *, output: str | None = None) -> Any:
        """Return the training documents with their clusters as a data frame.

        Parameters
        ----------
        texts : iterable of str, optional
            The documents, or anything with one value for each, such as titles or ids: a column ``text`` of the table.
        output : {"pandas", "polars"} or None, default=None
            As for ``table``.

        Returns
        -------
        DataFrame
            A row per document: ``document`` (its number), ``cluster`` (-1 for none), ``name`` of that, ``uncertainty``,
            ``typicality``, and ``text`` where given.

        Raises
        ------
        BadData
            There is not one text per document.
        MissingExtra
            The library is not installed.

        Examples
        --------
        >>> from vicinal import Topics
        >>> texts = ["red rose garden", "white rose garden", "garden rose red",
        ...          "stock market price", "market price falls", "stock price"]
        >>> found = Topics(n_clusters=2).fit(texts).documents(texts, output="polars")
        >>> found.select("document", "cluster", "text").row(0)
        (0, 1, 'red rose garden')
        """
        check_is_fitted(self, "rule_")
        names = (*self.names(), None)
        columns: dict[str, Any] = {
            "document": list(range(len(self.labels_))),
            "cluster": self.labels_.tolist(),
            "name": [names[label] for label in self.labels_],
            "uncertainty": self.uncertainty_.tolist(),
            "typicality": self.typicality_.tolist(),
        }
        if texts is not None:
            columns["text"] = list(texts)
            if len(columns["text"]) != len(self.labels_):
                raise BadData(
                    f"texts must be those of the {len(self.labels_)} documents of the fit, got {len(columns['text'])}. "
                    f"Pass one per document, in the order of the fit."
                )
        return data_frame(columns, output)

    def over(
        self,
        dates: ArrayLike,
        documents: TextsOrRows | None = None,
        *,
        period: str = "auto",
        n_terms: int = 5,
        output: str | None = None,
    ) -> Any:
        """Count the training documents of each cluster in each period.

        Parameters
        ----------
        dates : array-like of shape (n_documents,)
            Dates, times, text that begins with a date of ISO 8601, or years; None where unknown: such documents are left out.
        documents : iterable of str, or array-like or sparse of shape (n_documents, n_terms), optional
            The training documents again, which are not kept. With them the table has the terms of each cluster in each period.
        period : {"auto", "day", "week", "month", "quarter", "year", "decade"}, default="auto"
            "auto" is the shortest of which there are at most forty.
        n_terms : int, default=5
            Terms at most.
        output : {"pandas", "polars"} or None, default=None
            As for ``table``.

        Returns
        -------
        DataFrame
            A row per period and cluster: ``period`` (its first day), ``cluster``, ``name``, ``size``, ``share`` of the documents
            of the period, ``lift`` (that share over the one in all periods), and ``terms``: those that speak most for the cluster
            in its documents of the period.

        Raises
        ------
        BadData
            There is not one date or document per training document, or a value is no date.
        MissingExtra
            The library is not installed.

        Examples
        --------
        >>> from vicinal import Topics
        >>> texts = ["red rose garden", "white rose garden", "garden rose red",
        ...          "stock market price", "market price falls", "stock price"]
        >>> found = Topics(n_clusters=2).fit(texts).over([1999, 1999, 2000, 2000, 2000, 2000], output="polars")
        >>> found.select("period", "cluster", "size").rows()[0]
        (datetime.date(1999, 1, 1), 0, 0)
        >>> found["size"].to_list()
        [0, 2, 3, 1]
        """
        return self._tallied(self._tally(dates=dates, period=period), "period", documents, n_terms, output)

    def by(self, classes: ArrayLike, documents: TextsOrRows | None = None, *, n_terms: int = 5, output: str | None = None) -> Any:
        """Count the training documents of each cluster in each class.

        Parameters
        ----------
        classes : array-like of shape (n_documents,)
            A value per document: an author, a country, a label; None, NaN and "" where unknown: such documents are left out.
        documents : iterable of str, or array-like or sparse of shape (n_documents, n_terms), optional
            The training documents again, which are not kept. With them the table has the terms of each cluster in each class.
        n_terms : int, default=5
            Terms at most.
        output : {"pandas", "polars"} or None, default=None
            As for ``table``.

        Returns
        -------
        DataFrame
            A row per class and cluster: ``class``, ``cluster``, ``name``, ``size``, ``share`` of the documents of the class,
            ``lift`` (that share over the one in all classes), and ``terms`` as in ``over``.

        Raises
        ------
        BadData
            There is not one class or document per training document.
        MissingExtra
            The library is not installed.

        Examples
        --------
        >>> from vicinal import Topics
        >>> texts = ["red rose garden", "white rose garden", "garden rose red",
        ...          "stock market price", "market price falls", "stock price"]
        >>> found = Topics(n_clusters=2).fit(texts).by(["home", "home", "home", "work", "work", "home"], output="polars")
        >>> found.select("class", "cluster", "size").rows()
        [('home', 0, 1), ('home', 1, 3), ('work', 0, 2), ('work', 1, 0)]
        """
        return self._tallied(self._tally(classes=classes), "class", documents, n_terms, output)

    def _tally(self, *, dates: ArrayLike | None = None, classes: ArrayLike | None = None, period: str = "auto") -> ClusterTally:
        """Documents by cluster and period, or class: what tables and plots both show."""
        check_is_fitted(self, "rule_")
        clusters = self.labels_, range(self.n_clusters_), self.names()
        return over_time(*clusters, dates, period) if dates is not None else by_class(*clusters, [] if classes is None else classes)

    def _tallied(self, tally: ClusterTally, part: str, documents: TextsOrRows | None, n_terms: int, output: str | None) -> Any:
        columns = tally.columns(part)
        if documents is not None:
            columns["terms"] = self._terms_of_parts(documents, tally, check_count("n_terms", n_terms))
        return data_frame(columns, output)

    def _terms_of_parts(self, documents: TextsOrRows, tally: ClusterTally, n_terms: int) -> list[list[str]]:
        """For each part and cluster, the terms with the largest contributions to the scores of its documents, summed."""
        rows = sp.csr_array(self._reader.rule_input(self._read(documents)))
        if rows.shape[0] != len(self.labels_):
            raise BadData(
                f"documents must be the {len(self.labels_)} documents of the fit, got {rows.shape[0]}. Pass the same as to fit."
            )
        weights = np.asarray(self.rule_.scores.weights)
        names = [f"term {i}" for i in range(rows.shape[1])] if self.terms_ is None else self.terms_
        found = []
        for part in range(len(tally.parts)):
            for cluster in range(self.n_clusters_):
                here = (tally.of == part) & (self.labels_ == cluster)
                sums = np.asarray(rows[np.flatnonzero(here)].sum(axis=0)).ravel() * weights[:, cluster]
                order = np.argsort(-sums, kind="stable")[:n_terms]
                found.append([str(names[i]) for i in order if sums[i] > 0])
        return found

"""The parameters of a fit, kept in the file so that the next fit uses them again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, final

from vicinal._choice import is_auto
from vicinal._store import Settings, Store
from vicinal._validate import check_count, check_number, check_share
from vicinal.errors import BadParameter
from vicinal.index._drift.drift import stored_drift
from vicinal.index._results import Info
from vicinal.index._stored import MODEL, RECIPE, consistent, contents, documents_changed

NONE = "none"  # no encoder, no links
LARGEST_SEED = 2**32 - 1
#: Fields by the names that an index of format 1 may keep them under; ``"stem": null`` there is "none".
_OLD_NAMES = {"topics": "n_clusters", "dimensions": "n_components", "neighbors": "n_neighbors", "seed": "random_state"}


@final
@dataclass(frozen=True)
class Recipe:
    """The parameters of `Index.fit`.

    Attributes
    ----------
    n_clusters : int or "auto"
        Number of clusters; "auto" chooses the number of largest modularity.
    n_components : int
        Number of components of the embedding.
    n_neighbors : int
        Number of neighbours of each document in the neighbour graph.
    alpha : float
        Ridge penalty of the regression onto terms.
    stem : str
        Language of the stemmer, "none", or "auto": that of the documents where one is installed.
    random_state : int
        Random seed; the same seed gives the same result.
    encoder : str
        Folder of weights, or installed package, of the encoder whose vectors are evidence for the clusters; or "none".
    links : str
        Column of the metadata with the ids of linked documents, which are evidence for the clusters; or "none".
    language : str
        Code or English name of the language of the documents, which decides about stop words and stemmer; or "auto": recognised.
    segmenter : str
        Names of packages, with commas between them, that tell the words of Chinese, Japanese and Thai apart; or "none".
    use_labels : bool or None
        Whether each class that documents are labelled with is a cluster; None for no, with a note where there are labels.
    layout : bool
        Whether a layout is made, for the map.
    recall : float
        The share of the true neighbours that is enough, above 0; 1 for an exact search.

    Examples
    --------
    >>> from vicinal.index import Recipe
    >>> Recipe(n_clusters=20).n_clusters
    20
    >>> Recipe()  # doctest: +ELLIPSIS
    Recipe(n_clusters='auto', n_components=100, n_neighbors=15, alpha=15.0, stem='auto', ..., layout=True, recall=1.0)
    """

    n_clusters: int | str = "auto"
    n_components: int = 100
    n_neighbors: int = 15
    alpha: float = 15.0
    stem: str = "auto"
    random_state: int = 0
    encoder: str = NONE
    links: str = NONE
    language: str = "auto"
    segmenter: str = NONE
    use_labels: bool | None = None
    layout: bool = True
    recall: float = 1.0

    def checked(self) -> Recipe:
        """Check every parameter.

        Returns
        -------
        Recipe
            Itself.

        Raises
        ------
        BadParameter
            A parameter is out of range; the message names it.
        """
        if not is_auto(self.n_clusters):
            if isinstance(self.n_clusters, str):
                raise BadParameter(f'n_clusters must be a whole number or "auto", got {self.n_clusters!r}. Use n_clusters="auto".')
            check_count("n_clusters", self.n_clusters, 2)
        check_count("n_components", self.n_components)
        check_count("n_neighbors", self.n_neighbors)
        check_number("alpha", self.alpha)
        check_share("recall", self.recall)
        if not isinstance(self.stem, str):
            raise BadParameter(f'stem must be a language, "auto" or "none", got {self.stem!r}. Use stem="english".')
        if not is_auto(self.language):
            from vicinal.terms._languages import check_languages  # whose package loads scikit-learn, which `info` need not

            check_languages(self.language)
        if self.segmenter != NONE:
            from vicinal.terms._segmenters import check_segmenters

            check_segmenters(self.segmenter)
        for name, value in (("encoder", self.encoder), ("links", self.links)):
            if not isinstance(value, str) or not value:
                raise BadParameter(f'{name} must be a text that is not empty, got {value!r}. Use {name}="none" for none.')
        if self.use_labels is not None and not isinstance(self.use_labels, bool):
            raise BadParameter(f"use_labels must be True or False, got {self.use_labels!r}. Use use_labels=True.")
        if not isinstance(self.layout, bool):
            raise BadParameter(f"layout must be True or False, got {self.layout!r}. Use layout=True.")
        if check_count("random_state", self.random_state, 0) > LARGEST_SEED:
            raise BadParameter(f"random_state must be at most {LARGEST_SEED}, got {self.random_state}. Use random_state=0.")
        return self


def load_recipe(store: Store) -> Recipe:
    """The recipe of the last fit, or the default one."""
    kept: dict[str, Any] = Settings(store).get(RECIPE, {})
    with consistent(store):
        named = {_OLD_NAMES.get(name, name): value for name, value in kept.items()}
        if named.get("stem", "auto") is None:
            named["stem"] = "none"
        known = {each.name for each in fields(Recipe)}  # a later version may keep more
        return Recipe(**{name: value for name, value in named.items() if name in known}).checked()


def info_of(store: Store) -> Info:
    """The contents of an index in numbers, with the parameters of its last fit and the drift since."""
    with store.reading():
        kept, recipe, info = Settings(store).get(RECIPE) is not None, load_recipe(store), contents(store)
        with consistent(store):
            drift = stored_drift(store, recipe.n_neighbors)
        return replace(info, options=asdict(recipe) if kept else {}, drift=drift)


def info(path: str | os.PathLike[str]) -> Info:
    """Return the contents of an index in numbers; only its numbers are read, and no library for models is loaded.

    Parameters
    ----------
    path : str or path
        The file.

    Returns
    -------
    Info
        As `Index.info` gives it.

    Raises
    ------
    BadIndex
        There is no file, or it is not an index, damaged, or of a newer version: each is a kind of BadIndex.

    Examples
    --------
    >>> import vicinal
    >>> with vicinal.open("news.vic", create=True) as index:
    ...     added = index.add([vicinal.Document("a", "wheat exports fell")])
    >>> vicinal.index.info("news.vic").documents
    1
    """
    with Store.open(path) as store:
        return info_of(store)


def requested(store: Store, given: Mapping[str, Any]) -> Recipe:
    """The recipe of the last fit with the parameters that are given, those that are not None."""
    known = [each.name for each in fields(Recipe)]
    if unknown := sorted(given.keys() - set(known)):
        raise BadParameter(f"a fit keeps no parameter {unknown[0]!r}. Give some of {', '.join(known)}.")
    return replace(load_recipe(store), **{name: value for name, value in given.items() if value is not None}).checked()


def needs_fit(store: Store, given: Mapping[str, object]) -> bool:
    """Whether a fit with these parameters would change anything: the documents, or a parameter, are other than in the last one."""
    with store.reading():
        recipe, fitted = requested(store, given), Settings(store).get(MODEL) is not None
        return documents_changed(store) or (fitted and recipe != load_recipe(store))


def save_recipe(recipe: Recipe, store: Store) -> None:
    """Keep the recipe for the next fit."""
    Settings(store).set(RECIPE, asdict(recipe))

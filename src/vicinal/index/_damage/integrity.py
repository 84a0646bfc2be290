"""Integrity of an index: check the file and whether what was fitted can be loaded; repair in place, or salvage into a new index."""

from __future__ import annotations

import os
from dataclasses import dataclass

from vicinal._progress import Progress, silent
from vicinal._store import Damage, Salvaged, Settings, Store, drop_arrays, rebuild_derived
from vicinal._store import Lost as Lost
from vicinal._store import check as check_store
from vicinal._store import salvage as salvage_documents
from vicinal._store.file_check import REPAIR, leaves_model
from vicinal.errors import DamagedIndex
from vicinal.index._results import Fitted
from vicinal.index._stored import MODEL, RECIPE


def check(path: str | os.PathLike[str], level: int = 2) -> list[Damage]:
    """Look for damage in an index.

    Parameters
    ----------
    path : str or path
        The file of the index.
    level : {1, 2}, default=2
        1 looks at tables and sizes, 2 at every byte.

    Returns
    -------
    list of Damage
        What is found, each with what to do about it; empty where the index is sound.

    Raises
    ------
    BadParameter
        ``level`` is no whole number above 0.

    Examples
    --------
    >>> import vicinal
    >>> from vicinal.index import check
    >>> vicinal.open("news.vic", create=True).close()
    >>> check("news.vic")
    []
    """
    found = check_store(path, level)
    if found:
        return found
    from vicinal.index._clusters.cluster_tree import check_tree
    from vicinal.index._index_state import StateCache
    from vicinal.index._labels.classes import load_classes
    from vicinal.index._recipe import load_recipe
    from vicinal.index._stored import consistent

    with Store.open(path) as store, store.reading():
        try:
            with consistent(store):
                load_recipe(store)
                cache = StateCache(store)
                state, searched = cache.state().load(), cache.searches.state()
                if state.fitted:
                    searched.ranking.weights.posting(0)
                    load_classes(state)
                    check_tree(state)
        except DamagedIndex as error:
            return [Damage("arrays", "the fitted model", str(error), REPAIR)]
    return []


@dataclass(frozen=True)
class Repaired:
    """The result of a repair.

    Attributes
    ----------
    damages : tuple of Damage
        What was found and repaired; empty where the index was sound.
    fitted : Fitted or None
        The new fit; None where the model was not damaged, or there was none.

    Examples
    --------
    >>> import vicinal
    >>> from vicinal.index import repair
    >>> vicinal.open("whole.vic", create=True).close()
    >>> repair("whole.vic").damages
    ()
    """

    damages: tuple[Damage, ...]
    fitted: Fitted | None


def repair(path: str | os.PathLike[str], *, progress: Progress = silent) -> Repaired:
    """Rebuild whatever is damaged and made from the documents: the full text, and the model with its embeddings and clusters.

    Documents and their labels are not changed. A damaged model is fitted again with the parameters of the last fit, if these can
    be read; its clusters get new numbers.

    Parameters
    ----------
    path : str or path
        The file of the index.
    progress : callable, optional
        Called with a step, how much of it is done and how much there is.

    Returns
    -------
    Repaired
        What was done.

    Raises
    ------
    DamagedIndex
        Documents, labels or the file itself are damaged. Nothing was changed; `salvage` saves what can be read.

    Examples
    --------
    >>> import vicinal
    >>> from vicinal.index import repair
    >>> vicinal.open("sound.vic", create=True).close()
    >>> repair("sound.vic")
    Repaired(damages=(), fitted=None)
    """
    with Store.open_unchecked(path) as store:
        fitted = bool(
            store.readable_rows("SELECT 1 FROM arrays LIMIT 1")
            or store.readable_rows("SELECT 1 FROM settings WHERE name = ?", (MODEL,))
        )
        found = rebuild_derived(store)
    if not found:
        found = check(path)
    if all(leaves_model(damage) for damage in found):
        return Repaired(tuple(found), None)
    with Store.open(path) as store, store.writing():
        drop_arrays(store)
        Settings(store).drop(MODEL)
    return Repaired(tuple(found), _fit_again(path, progress) if fitted else None)


def _fit_again(path: str | os.PathLike[str], progress: Progress) -> Fitted:
    from vicinal.index._index import open

    with open(path) as index:
        return index.fit(progress=progress)


def salvage(path: str | os.PathLike[str], to: str | os.PathLike[str]) -> Salvaged:
    """Copy every readable document of a damaged index into a new one, with its labels and the parameters of the last fit.

    The damaged index is not changed. The new one is not fitted yet.

    Parameters
    ----------
    path : str or path
        The damaged index.
    to : str or path
        The new index; nothing may be there yet.

    Returns
    -------
    Salvaged
        How many documents and labels were copied, and the documents that are lost, with their ids where these can be read.

    Raises
    ------
    BadParameter
        Something is at the path of the new index.
    BadIndex
        SQLite cannot open the damaged file at all.

    Examples
    --------
    >>> import vicinal
    >>> from vicinal.index import salvage
    >>> with vicinal.open("damaged.vic", create=True) as index:
    ...     added = index.add([vicinal.Document("d1", "wheat and corn")])
    >>> salvage("damaged.vic", "saved.vic")
    Salvaged(n_documents=1, n_labels=0, lost=(), n_unknown=0)
    """
    with Store.open_unchecked(path) as store:
        return salvage_documents(store, to, (RECIPE,))

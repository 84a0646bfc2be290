"""What can be asked of an index whose clusters people steer: its constraints, and the documents worth a look."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from vicinal._validate import check_count
from vicinal.index import _uncertain
from vicinal.index._constraints import load_constraints
from vicinal.index._steering_results import Constraint, Uncertain

if TYPE_CHECKING:
    from vicinal.index._snapshot import Snapshot


class SteeringReader(ABC):
    """The read-only methods of an index for those who steer its clusters."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Snapshot]:
        """The state that is asked, for as long as the block lasts."""

    def constraints(self) -> list[Constraint]:
        """List what people decided about clusters, and every fit keeps.

        Returns
        -------
        list of Constraint
            Oldest first.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("constraints.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> pinned = index.pin_cluster(1)
        >>> index.constraints()
        [Constraint(number=1, kind='pin', clusters=(1,), n_documents=3, notes=())]
        """
        with self._reading() as snapshot:
            return [each.shown() for each in load_constraints(snapshot.store)]

    def uncertain(self, limit: int = 20) -> list[Uncertain]:
        """List the documents whose cluster is least certain, which are worth a look.

        Documents that were moved or are pinned are left out: a person has decided.

        Parameters
        ----------
        limit : int, default=20
            The number of documents at most.

        Returns
        -------
        list of Uncertain
            The most uncertain first, each with the two clusters that it lies between. Empty before the first fit.

        Raises
        ------
        BadParameter
            ``limit`` is out of range.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("uncertain.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> found = index.uncertain(1)[0]
        >>> len(found.clusters), 0.0 <= found.uncertainty <= 1.0
        (2, True)
        """
        check_count("limit", limit)
        with self._reading() as snapshot:
            return _uncertain.uncertain(snapshot, limit) if snapshot.fitted else []

"""How an index learns: the few choices there are, kept in the file so that the next fit makes them again."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, final

from vicinal._choice import is_auto
from vicinal._store import Settings, Store
from vicinal._validate import check_count, check_number
from vicinal.errors import BadParameter
from vicinal.index.whole import whole

NAME = "recipe"
LARGEST_SEED = 2**32 - 1


@final
@dataclass(frozen=True)
class Recipe:
    """What `Index.fit` is told.

    Attributes
    ----------
    topics : int or "auto"
        How many clusters; by default as many as explain the words best.
    dimensions : int
        Of the space that meaning is measured in.
    neighbors : int
        Documents that each is joined to.
    alpha : float
        Ridge: a direction shared by fewer documents than one neighbourhood is held for chance.
    stem : str or None
        Language of the stems, None for words as they are, "auto" for English where a stemmer is installed.
    seed : int
        Where chance starts; the same seed gives the same answer.
    """

    topics: int | str = "auto"
    dimensions: int = 100
    neighbors: int = 15
    alpha: float = 15.0
    stem: str | None = "auto"
    seed: int = 0

    def checked(self) -> Recipe:
        """Itself, or a BadParameter that names what cannot be."""
        if not is_auto(self.topics):
            if isinstance(self.topics, str):
                raise BadParameter(f'topics must be a whole number or "auto", got {self.topics!r}. Use topics="auto".')
            check_count("topics", self.topics, 2)
        check_count("dimensions", self.dimensions)
        check_count("neighbors", self.neighbors)
        check_number("alpha", self.alpha)
        if check_count("seed", self.seed, 0) > LARGEST_SEED:
            raise BadParameter(f"seed must be at most {LARGEST_SEED}, got {self.seed}. Use seed=0.")
        return self


def load_recipe(store: Store) -> Recipe:
    """That of the last fit, or the usual one."""
    kept: dict[str, Any] = Settings(store).get(NAME, {})
    known = {each.name for each in fields(Recipe)}
    with whole(store):
        return Recipe(**{name: value for name, value in kept.items() if name in known}).checked()


def save_recipe(recipe: Recipe, store: Store) -> None:
    """Keep it for the next fit."""
    Settings(store).set(NAME, asdict(recipe))

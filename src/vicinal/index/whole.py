"""What was learnt is whole, or it is damage: the file may be sound, and what stands in it not fit together."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from vicinal._store import Store
from vicinal.errors import BadIndex, DamagedIndex, DiskFull, IndexLocked, ReadOnlyIndex


@contextmanager
def whole(store: Store) -> Iterator[None]:
    """Turn what is missing or does not fit together inside the block into damage.

    Parameters
    ----------
    store : Store
    """
    try:
        yield
    except (BadIndex, IndexLocked, ReadOnlyIndex, DiskFull):  # said by the store already
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise DamagedIndex(f"{store.path}: what was learnt is not whole ({error}). Fit the index anew.") from error

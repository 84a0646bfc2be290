"""The settings of an index: small values by name, written as JSON."""

from __future__ import annotations

import json
from typing import Any, final

from vicinal._store.checksums import change_tally, checksum
from vicinal._store.document_row import encodable
from vicinal._store.store import Store
from vicinal._typing import Json
from vicinal.errors import BadData, BadParameter, DamagedIndex

LONGEST = 1 << 24
_LONGEST_NAME = 200
_WHOLE, _MOST_DIGITS = 1 << 63, 20


@final
class Settings:
    """The settings of a store.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self.store = store

    def set(self, name: str, value: Json) -> None:
        """Store a value under a name, in place of the one that was there.

        Parameters
        ----------
        name : str
        value : None, bool, int, float, str, or lists and dicts of these
            Numbers must be finite. A tuple is read back as a list.
        """
        _check_name(name)
        written = _written(name, value)
        with self.store.writing():
            self.drop(name)
            check = checksum(name, written)
            self.store.execute("INSERT INTO settings (name, value, checksum) VALUES (?, ?, ?)", (name, written, check))
            change_tally(self.store, "settings", 1, check)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a name.

        Parameters
        ----------
        name : str
        default : default=None
            What to return when there is none.

        Returns
        -------
        None, bool, int, float, str, list or dict
        """
        _check_name(name)
        found = self.store.rows("SELECT value, checksum FROM settings WHERE name = ?", (name,))
        return _read(name, *found[0]) if found else default

    def stamp(self, name: str) -> object:
        """What changes with the value of a name, so that one that was read need not be parsed again; None where there is none.

        Parameters
        ----------
        name : str

        Returns
        -------
        object
        """
        _check_name(name)
        found = self.store.rows("SELECT checksum FROM settings WHERE name = ?", (name,))
        return found[0] if found else None

    def names(self) -> list[str]:
        """Names of all settings, in alphabetical order."""
        return [name for (name,) in self.store.rows("SELECT name FROM settings ORDER BY name")]

    def drop(self, name: str) -> bool:
        """Delete a setting.

        Parameters
        ----------
        name : str

        Returns
        -------
        bool
            Whether it was there.
        """
        _check_name(name)
        with self.store.writing():
            checks = self.store.rows("SELECT checksum FROM settings WHERE name = ?", (name,))
            self.store.execute("DELETE FROM settings WHERE name = ?", (name,))
            change_tally(self.store, "settings", -len(checks), -sum(check for (check,) in checks))
        return bool(checks)


def _written(name: str, value: Json) -> str:
    try:
        written = json.dumps(value, ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"))
        json.loads(written, parse_int=_whole)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadData(f"setting {name!r:.80} cannot be written as JSON: {error}. Use plain values, lists and dicts.") from None
    if len(written) > LONGEST:
        raise BadData(f"setting {name!r:.80} has {len(written):,} characters, and {LONGEST:,} can be stored. Store it as an array.")
    return written


def _read(name: str, written: object, check: object) -> Any:
    if isinstance(written, str) and len(written) <= LONGEST and checksum(name, written) == check:
        try:
            return json.loads(written, parse_int=_whole, parse_constant=_whole)
        except (ValueError, RecursionError):
            pass
    raise DamagedIndex(f"setting {name!r:.80} is damaged: its checksum is not that of its value. Repair the index.")


def _whole(digits: str) -> int:
    """A whole number of at most 64 bits; neither a longer one nor NaN or infinity is written by us."""
    if len(digits) > _MOST_DIGITS or not -_WHOLE <= int(digits) < _WHOLE:
        raise ValueError("no number of 64 bits")
    return int(digits)


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME or not encodable(name):
        raise BadParameter(
            f"a setting must have a name of 1 to {_LONGEST_NAME} characters, got {name!r:.80}. Use one such as 'recipe'."
        )

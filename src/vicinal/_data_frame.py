"""Tables as data frames of pandas or polars: of the one that is asked for, in use already, or installed."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from vicinal._validate import check_choice
from vicinal.errors import MissingExtra

LIBRARIES = ("pandas", "polars")


def data_frame(columns: Mapping[str, Sequence[Any]], output: str | None = None) -> Any:
    """A data frame of named columns.

    Parameters
    ----------
    columns : mapping from str to sequence
    output : {"pandas", "polars"} or None, default=None
        The library; None is that of scikit-learn's ``set_config(transform_output=…)``, else the one that is imported already, else
        the one that is installed, pandas before polars.

    Raises
    ------
    MissingExtra
        The library, or both, are not installed.
    """
    library = _library(output)
    if library == "polars":
        import polars

        return polars.DataFrame(dict(columns), strict=False)
    import pandas

    return pandas.DataFrame({name: _series(pandas, values) for name, values in columns.items()})


def _series(pandas: Any, values: Sequence[Any]) -> Any:
    """A column of pandas; whole numbers with gaps stay whole."""
    if isinstance(values, list) and None in values and all(isinstance(each, int) or each is None for each in values):
        return pandas.array(values, dtype="boolean" if all(each is None or isinstance(each, bool) for each in values) else "Int64")
    return pandas.Series(values)


def _library(output: str | None) -> str:
    if output is not None:
        check_choice("output", output, LIBRARIES)
        if importlib.util.find_spec(output) is None:
            raise MissingExtra(f"output={output!r} needs {output}, which is not installed. Run pip install {output}.")
        return output
    from sklearn import get_config

    asked = get_config().get("transform_output")
    found = [asked] if asked in LIBRARIES else [name for name in LIBRARIES if name in sys.modules]
    found += [name for name in LIBRARIES if importlib.util.find_spec(name) is not None]
    if not found:
        raise MissingExtra("a table needs pandas or polars, and neither is installed. Run pip install vicinal[table].")
    return str(found[0])

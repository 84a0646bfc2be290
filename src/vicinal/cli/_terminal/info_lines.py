"""The contents of an index in two columns, and one sentence on whether to fit it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from vicinal.cli._terminal.exit_codes import NO_LABELS, OPTIONS, USE_LABELS
from vicinal.cli._terminal.text import documents_were, human_bytes, visible

if TYPE_CHECKING:
    from vicinal.index import Drift, Info


def info_rows(about: Info) -> Mapping[str, str]:
    """The contents of an index in two columns."""
    rows = {"index": about.path, "size": human_bytes(about.bytes), "documents": f"{about.documents:,}"}
    if about.generation:
        rows |= {
            "fitted": f"{about.fitted:,}",
            "embedded since": f"{about.embedded:,}",
            "terms": f"{about.n_terms:,}",
            "components": f"{about.n_components:,}",
            "clusters": f"{about.n_clusters:,}",
            "fits": f"{about.generation:,}",
        }
    if about.stability is not None:
        rows["stability"] = f"{about.stability:.2f}"
    if about.options:
        given = (_option(name, value) for name, value in about.options.items() if value is not None)
        rows["fit options"] = " ".join(each for each in given if each)
    if about.names:
        rows["names"] = "; ".join(f"{number} {visible(name)}" for number, name in about.names.items())
    if about.n_constraints:
        rows["constraints"] = f"{about.n_constraints:,}"
    if about.without_terms:
        rows["without terms"] = f"{about.without_terms:,}"
    if about.drift is not None and about.drift.expected_uncertainty is not None:
        rows["drift"] = _drift(about.drift)
    return rows


def _drift(drift: Drift) -> str:
    """Each measure of new documents, with what was expected in parentheses."""
    measures = (
        ("unknown words", drift.unknown_words, drift.expected_unknown_words, ".0%"),
        ("uncertainty", drift.uncertainty, drift.expected_uncertainty, ".2f"),
        ("closeness", drift.closeness, drift.expected_closeness, ".2f"),
    )
    said = (f"{name} {_or_none(new, form)} ({_or_none(expected, form)})" for name, new, expected, form in measures)
    return ", ".join(said)


def _or_none(value: float | None, form: str) -> str:
    return "none" if value is None else f"{value:{form}}"


def _option(name: str, value: object) -> str:
    if name == "use_labels":
        return USE_LABELS if value else NO_LABELS
    if name == "layout":
        return "" if value else "--no-map"
    return f"{OPTIONS.get(name, name)} {visible(str(value))}"


def advice(about: Info) -> str:
    """Whether the index should be fitted, and why; empty where no document was embedded since the fit."""
    if not about.generation:
        return f"The index is not fitted yet: vicinal fit {about.path}" if about.documents else "The index has no documents yet."
    unembedded = f"{documents_were(about.unembedded)} not embedded yet. " if about.unembedded else ""
    if about.drift is None:
        return unembedded.strip()
    since = f"{unembedded}{documents_were(about.drift.n_documents)} embedded since the last fit. {about.drift.advice}"
    return f"{since} Fit again: vicinal fit {about.path}" if about.drift.fit_pays else since

"""``vicinal repair``: rebuild what is damaged in an index, or save its readable documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from vicinal.cli._terminal.arguments import AsJson, IndexFile

if TYPE_CHECKING:
    from vicinal.index import Repaired, Salvaged


def repair(
    path: IndexFile,
    salvage: Annotated[
        str | None,
        typer.Option(metavar="NEW", help="Copy every readable document into this new index instead.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Repair a damaged index, as `vicinal check` advises.

    Full text and model are rebuilt from the documents; if the model is damaged, it is fitted again. If documents themselves are
    damaged, nothing is changed: with `--salvage`, every readable document and its labels are copied into a new index, and the
    lost documents are listed by id.

    **Examples**

    - `vicinal repair news.vic`: in place

    - `vicinal repair news.vic --salvage saved.vic`: into a new index

    Exit codes: 0 success, 2 usage error, 3 input data error, 4 the index cannot be repaired in place, or documents are lost.
    """
    from vicinal.cli._terminal.exit_codes import DAMAGED, reporting_errors
    from vicinal.cli._terminal.open_index import require_index
    from vicinal.cli._terminal.progress_display import ProgressDisplay

    with reporting_errors("repair"), ProgressDisplay() as display:
        require_index(path)
        from vicinal import index

        if salvage is None:
            repaired = index.repair(path, progress=display)
        else:
            with display.step("salvage"):
                salvaged = index.salvage(path, salvage)
    if salvage is None:
        _print_repaired(path, repaired, as_json)
        return
    _print_salvaged(path, salvage, salvaged, as_json)
    if salvaged.lost or salvaged.n_unknown:
        raise typer.Exit(DAMAGED)


def _print_repaired(path: str, repaired: Repaired, as_json: bool) -> None:
    from vicinal._plural import counted
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.rendering import fitted_facts, fitted_lines
    from vicinal.cli._terminal.text import visible

    fitted = repaired.fitted
    if as_json:
        damages = [vars(each) for each in repaired.damages]
        print_json({"index": path, "damages": damages, "fit": None if fitted is None else fitted_facts(fitted)})
        return
    if not repaired.damages:
        typer.echo(f"{visible(path)}: no damage found, nothing was changed.")
        return
    for damage in repaired.damages:
        typer.echo(visible(f"repaired: {damage.table}, {damage.where}: {damage.what}"))
    for each in fitted_lines(fitted) if fitted else ():
        typer.echo(visible(each))
    typer.echo(f"{visible(path)}: {counted(len(repaired.damages), 'damage')} repaired.")


def _print_salvaged(path: str, new: str, salvaged: Salvaged, as_json: bool) -> None:
    from vicinal._plural import counted
    from vicinal.cli._terminal.output import print_json
    from vicinal.cli._terminal.text import visible

    if as_json:
        lost = [vars(each) for each in salvaged.lost]
        print_json({"index": path, "salvaged": new, **vars(salvaged), "lost": lost})
        return
    for each in salvaged.lost:
        typer.echo(visible(f"lost: {each}"))
    if salvaged.n_unknown:
        typer.echo(f"lost: {counted(salvaged.n_unknown, 'document')} of which nothing is left")
    saved = f"{counted(salvaged.n_documents, 'document')} and {counted(salvaged.n_labels, 'label')} saved"
    typer.echo(f"{visible(new)}: {saved}. Fit it: vicinal fit {visible(new)}")

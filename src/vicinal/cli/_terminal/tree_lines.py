"""A tree of clusters as lines for people, as wide as the screen, and as plain values for JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from vicinal.cli._terminal.output import console
from vicinal.cli._terminal.text import aligned, fitting

if TYPE_CHECKING:
    from vicinal.uses import Cut, Tree, TreeNode

HEADS = ("docs", "share", "no.", "node")
TREE_HEADS = "terms that set it apart from its sibling"
#: Branches as they are drawn on screens with room, and on others; drawings get at most this share of a line.
WIDE, BRANCHES, NARROW_BRANCHES = 90, ("├─ ", "└─ ", "│  ", "   "), ("├ ", "└ ", "│ ", "  ")
MOST_DRAWN = 0.4
NARROWEST = 8  # cells for the drawing and the terms, however narrow the screen


def tree_facts(tree: Tree, cut: Cut, limit: int) -> list[dict[str, object]]:
    """The nodes from the root down to a cut as plain values, parents before their parts."""
    return [
        {**vars(node), "name": node.name, "terms": node.terms[:limit], "distinguishing": node.distinguishing[:limit]}
        for node, _ in _walk(tree, cut)
    ]


def tree_lines(tree: Tree, cut: Cut, limit: int) -> Iterator[Text]:
    """A head, and each node on a line, drawn below the node that it is part of."""
    width = console().width
    branches = BRANCHES if width >= WIDE else NARROW_BRANCHES
    total = max(1, tree.node(tree.root).size)
    shown = [(_cells(node, total), _drawn(lasts, branches), node) for node, lasts in _walk(tree, cut)]
    taken = [max(map(len, column)) for column in zip(HEADS, *(row for row, *_ in shown), strict=True)]
    room = max(width - sum(taken) - 2 * len(taken), NARROWEST)
    widths = (*taken, room)
    yield _line(HEADS, Text(TREE_HEADS, "dim"), widths, "dim")
    for row, drawn, node in shown:
        yield _line(row, _labelled(drawn, node, room, limit), widths)


def _walk(tree: Tree, cut: Cut) -> Iterator[tuple[TreeNode, tuple[bool, ...]]]:
    """Each node down to the cut, with whether it and each node around it is the last of its parent; the larger part first."""
    waiting: list[tuple[str, tuple[bool, ...]]] = [(tree.root, ())]
    ends = set(cut.nodes)
    while waiting:
        id, lasts = waiting.pop()
        node = tree.node(id)
        yield node, lasts
        if id not in ends and node.children:
            first, second = sorted(node.children, key=lambda each: (-tree.node(each).size, each))
            waiting += [(second, (*lasts, True)), (first, (*lasts, False))]


def _cells(node: TreeNode, total: int) -> tuple[str, str, str, str]:
    return f"{node.size:,}", f"{node.size / total:.0%}", f"{node.cluster}" if node.cluster >= 0 else "", node.id


def _drawn(lasts: tuple[bool, ...], branches: tuple[str, ...]) -> str:
    if not lasts:
        return ""
    own, last, line, nothing = branches
    return "".join(nothing if each else line for each in lasts[:-1]) + (last if lasts[-1] else own)


def _labelled(drawn: str, node: TreeNode, room: int, limit: int) -> Text:
    """The drawing, cut at its beginning where the tree is too deep for the screen, the name, and as many terms as fit."""
    most = max(1, int(MOST_DRAWN * room))
    drawn = drawn if cell_len(drawn) <= most else f"…{drawn[1 - most :]}" if most > 1 else "…"
    terms = [term for term, _ in node.terms[:limit]]
    words = [f"{node.given_name}: {''.join(terms[:1])}", *terms[1:]] if node.given_name else terms
    return Text(drawn, "dim").append(fitting(words, max(room - cell_len(drawn), 1)), "" if node.cluster >= 0 else "dim")


def _line(cells: tuple[str, ...], text: Text, widths: tuple[int, ...], style: str = "") -> Text:
    """Numbers to the right, the id and the text to the left."""
    *numbers, id = cells
    row = [Text(f"{number:>{width}}", style) for number, width in zip(numbers, widths, strict=False)]
    return aligned(zip([*row, Text(id, style or "cyan"), text], widths, strict=True))

"""Messages of Outlook written by hand: a compound file whose streams are all short."""

from __future__ import annotations

import struct

FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
BODY, SUBJECT, SENDER, NAME, DATA, METHOD = 0x1000, 0x0037, 0x0C1F, 0x3707, 0x3701, 0x3705
TEXT, BINARY, NUMBER = 0x001F, 0x0102, 0x0003


def made(subject: str, body: str, sender: str = "ann@example.org", attachments: dict[str, bytes] | None = None) -> bytes:
    """A message with a subject, a body and attached files."""
    files = attachments or {}
    head = struct.pack("<8x4I8x", 0, len(files), 0, len(files))
    tree: dict[str, object] = _properties(head, {(SUBJECT, TEXT): subject, (BODY, TEXT): body, (SENDER, TEXT): sender})
    for number, (name, data) in enumerate(files.items()):
        values = {(NAME, TEXT): name, (DATA, BINARY): data, (METHOD, NUMBER): 1}
        tree[f"__attach_version1.0_#{number:08X}"] = _properties(b"\0" * 8, values)
    return _compound(tree)


def _properties(head: bytes, values: dict[tuple[int, int], str | bytes | int]) -> dict[str, object]:
    streams: dict[str, object] = {}
    for (name, kind), value in values.items():
        if isinstance(value, int):
            head += struct.pack("<HHIII", kind, name, 6, value, 0)
            continue
        data = value.encode("utf-16-le") if isinstance(value, str) else value
        head += struct.pack("<HHIII", kind, name, 6, len(data) + 2 * (kind == TEXT), 0)
        streams[f"__substg1.0_{name:04X}{kind:04X}"] = data
    return {"__properties_version1.0": head, **streams}


def _compound(tree: dict[str, object]) -> bytes:
    entries: list[list[object]] = [["Root Entry", 5, FREE, FREE, END, 0]]
    mini, mini_fat = b"", []

    def child(items: dict[str, object]) -> int:
        nonlocal mini
        first, before = FREE, None
        for name, content in items.items():
            here = len(entries)
            entries.append([name, 1 if isinstance(content, dict) else 2, FREE, FREE, 0, 0])
            if before is None:
                first = here
            else:
                entries[before][2] = here
            before = here
            if isinstance(content, dict):
                entries[here][3] = child(content)
            elif isinstance(content, bytes):
                blocks = -(-len(content) // 64)
                start = len(mini_fat)
                mini_fat.extend([*range(start + 1, start + blocks), END][:blocks])
                mini += content.ljust(64 * blocks, b"\0")
                entries[here][4:] = [start, len(content)]
        return first

    entries[0][3] = child(tree)
    parts = [4 * len(mini_fat), len(mini), 128 * len(entries)]
    sizes = [-(-part // 512) for part in parts]
    starts = [1, 1 + sizes[0], 1 + sizes[0] + sizes[1]]
    entries[0][4:] = [starts[1], len(mini)]
    fat = [FAT, *(each for start, size in zip(starts, sizes, strict=True) for each in [*range(start + 1, start + size), END])]
    header = struct.pack("<8s16xHHHHH6xIIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6, 0, 1, starts[2],
                         0, 4096, starts[0], sizes[0], END, 0, 0)  # fmt: skip
    directory = b"".join(_entry(*each) for each in entries)  # type: ignore[arg-type]
    blocks = (_words(fat), _words(mini_fat), mini, directory)
    return (header.ljust(512, b"\xff")) + b"".join(block.ljust(-(-len(block) // 512) * 512, b"\xff") for block in blocks)


def _words(numbers: list[int]) -> bytes:
    return struct.pack(f"<{len(numbers)}I", *numbers)


def _entry(name: str, kind: int, right: int, child: int, start: int, size: int) -> bytes:
    text = name.encode("utf-16-le")
    return struct.pack("<64sHBBIII36xIQ", text, len(text) + 2, kind, 1, FREE, right, child, start, size)

"""A command for each verb that reads an index and for each that writes one; FILE is the index, SOURCE a table of documents."""

from __future__ import annotations

READING = {
    "info": ["info", "FILE"],
    "plan": ["plan", "FILE"],
    "search": ["search", "FILE", "bread", "oven", "--where", "year>=1990"],
    "near": ["near", "FILE", "cars-1"],
    "clusters": ["clusters", "FILE"],
    "explain": ["explain", "FILE", "cars-1", "cars-2"],
    "classify": ["classify", "FILE", "--id", "cars-1"],
    "export": ["export", "FILE", "-o", "FILE.csv", "--yes"],
    "map": ["map", "FILE", "-o", "FILE.html", "--yes"],
    "report": ["report", "FILE", "-o", "FILE.report.html", "--yes"],
    "show": ["show", "FILE", "cars-1", "--query", "engine"],
    "duplicates": ["duplicates", "FILE", "--threshold", "0.3"],
}
WRITING = {
    "index": ["index", "SOURCE", "-o", "FILE", "--clusters", "2"],
    "add": ["add", "FILE", "SOURCE"],
    "sync": ["sync", "FILE", "SOURCE", "--yes"],
    "fit": ["fit", "FILE", "--clusters", "2"],
    "label": ["label", "FILE", "--column", "subject"],
    "compact": ["compact", "FILE"],
    "remove": ["remove", "FILE", "kitchen-1", "kitchen-2", "garden-1", "garden-2"],
}


def filled(arguments, file, source="nowhere"):
    """A command about an index and a table; also FILE.csv is a file beside that index, and nowhere else."""
    return [each.replace("FILE", str(file)).replace("SOURCE", str(source)) for each in arguments]

"""The demonstration: an index of docstrings that every installation has, clustered, searched and classified, and a report of it."""

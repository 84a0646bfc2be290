"""Documents of an index: how they arrive, are replaced and removed, and are kept in step with files."""

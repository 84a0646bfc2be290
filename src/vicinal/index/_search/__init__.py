"""Search in an index: what a query requires, the hits that answer it, one document shown, and duplicates."""

"""The layout of an index: kept with its fit, and extended by the documents that came since."""

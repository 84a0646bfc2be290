"""The verbs of the command line, one per file."""

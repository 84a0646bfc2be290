"""The routes under ``/api/v1``: each file is a group of them, thin over the index, the state of its snapshot and ``_answers``."""

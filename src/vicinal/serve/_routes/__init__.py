"""The routes under ``/api/v1``: each file is a group of them, thin over the methods of the index."""

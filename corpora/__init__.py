"""The real corpora of tests, benchmarks and the papers' tables, read by `vicinal.datasets`. Not part of the package.

The files may not be redistributed and lie outside the project: ``corpora.place`` says where they are looked for.
Nothing is unpacked or kept on disk; what takes seconds to decompress is kept in memory for the life of the process.
"""

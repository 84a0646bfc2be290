"""What ``vicinal demo`` does: an index of documents that every installation has, asked everything, and all of it shown."""

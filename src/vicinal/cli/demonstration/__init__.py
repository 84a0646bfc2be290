"""What ``vicinal demo`` does: read, learn, find topics, answer questions, and show all of it."""

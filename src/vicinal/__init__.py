"""vicinal: learn what a pile of documents is about from who is near whom."""

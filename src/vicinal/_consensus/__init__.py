"""Views: several cheap looks at the same documents, what they agree on, and how to judge it without labels."""

from vicinal._consensus.consensus import Corpus, View, consensus, corpus_of, corpus_with, take_views
from vicinal._consensus.n_clusters import choose_number
from vicinal._consensus.settle import Answer, settle
from vicinal._consensus.spaces import Neighborhoods, look_around
from vicinal._consensus.word_model import WordModel, learn_words

__all__ = [
    "Answer",
    "Corpus",
    "Neighborhoods",
    "View",
    "WordModel",
    "choose_number",
    "consensus",
    "corpus_of",
    "corpus_with",
    "learn_words",
    "look_around",
    "settle",
    "take_views",
]

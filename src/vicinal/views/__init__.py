"""Views: several cheap looks at the same documents, what they agree on, and how to judge it without labels."""

from vicinal.views.consensus import Corpus, View, consensus, corpus_of, corpus_with, take_views
from vicinal.views.number import choose_number
from vicinal.views.settle import Answer, settle
from vicinal.views.spaces import Neighborhoods, look_around
from vicinal.views.words import WordModel, learn_words

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

"""Documents for the browser tests: six things that documents are about, with words of their own, dates, sections and labels."""

from __future__ import annotations

import random

import vicinal

WORDS = {
    "grain": "wheat corn harvest farm crop barley silo tractor acre yield flour mill seed drought bushel",
    "ships": "vessel harbour cargo port captain tanker crew anchor freight dock sail tide hull voyage strait",
    "music": "violin orchestra concert sonata opera tenor choir piano melody quartet baton score rhythm ballad flute",
    "stars": "galaxy telescope orbit comet nebula planet lunar eclipse asteroid spectrum quasar cosmic supernova satellite meteor",
    "medicine": "patient surgeon vaccine clinic dose symptom nurse therapy infection antibody tumour diagnosis fever virus ward",
    "chess": "pawn bishop rook checkmate opening gambit castle knight tournament endgame grandmaster board queen stalemate clock",
}
THEMES = {theme: words.split() for theme, words in WORDS.items()}
COMMON = ("year", "people", "said", "new", "time", "report", "week", "made", "large", "number", "first", "early", "old", "city")
EACH = 40


def documents():
    """Forty documents of each, the same on every run."""
    chance = random.Random(16)
    for theme, words in THEMES.items():
        for number in range(EACH):
            text = " ".join(chance.choice(words if chance.random() < 0.62 else COMMON) for _ in range(60))
            date = f"{1990 + (number * 7 + len(theme)) % 20}-{1 + number % 12:02d}-15"
            metadata = {"section": "arts" if theme in ("music", "chess") else "science", "date": date}
            yield vicinal.Document(
                f"{theme}/{number:02d}",
                f"{text.capitalize()}.",
                title=f"{chance.choice(words).capitalize()} {number}",
                metadata=metadata,
            )


def theme_of(id):
    """What a document is about."""
    return id.split("/")[0]


def make_index(path, extra=()):
    """An index of them, fitted to six clusters."""
    with vicinal.open(path, create=True) as index:
        index.add([*documents(), *extra])
        index.fit(n_clusters=6, random_state=0)
    return path

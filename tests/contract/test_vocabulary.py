"""One word per concept: what people read uses the words of docs/glossary.md and not those that it replaces."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest
from typer.main import get_command

import vicinal
from vicinal import methods
from vicinal.cli._app import app
from vicinal.index import Recipe

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src" / "vicinal").rglob("*.py"))
GLOSSARY = ROOT / "docs" / "glossary.md"
PAGES = ("app.md", "cli.md", "howto.md", "reliability.md", "scale.md")
REFERENCE = [*(ROOT / "docs" / page for page in PAGES), GLOSSARY, *sorted((ROOT / "docs" / "maths").glob("*.md"))]

#: Words that a concept had before, and phrases that only their author understands.
REPLACED = re.compile(
    r"\b(doubts?|doubtful|unsure|unplaced|is placed|are placed|lands? on|likeness"
    r"|places of (?:the )?documents|documents' places|place of a document|coordinates of|near means|chance starts"
    r"|documents that teach|documents that judge|teach and documents|would not do|(?:do|does) about as well|tried were"
    r"|holds? rare|from outside is looked|shell that every|says? something of (?:its|their) own|said aloud|what is told|believed"
    r"|n_topics|n_dimensions|n_words|per dimension|of dimensions|which dimension|in a dimension"
    r"|alike|twins?|price of a rough|kinds? of (?:an? |the )?documents?|categor(?:y|ies) of (?:an? |the )?documents?"
    r"|(?:the|their|its|an?|each|every|own|first|nearest|two|cluster|class) cent(?:re|er)s?"
    r"|cent(?:re|er)s? of (?:its |the |a |each )?(?:clusters?|class(?:es)?)"
    r"|(?<!in )(?<!take )(?<!takes )(?:its|their) (?:own |new )?places?|places? of (?:an? |the )?(?:cluster|embedding)s?)\b",
    re.IGNORECASE,
)
#: "Place" has other meanings than a document's embedding only inside these phrases.
PLACE = re.compile(r"\bplaces?\b", re.IGNORECASE)
IN_PLACE = re.compile(
    r"\bin place\b|\bin (?:its|their) place\b|\btake(?:s|n)? (?:the|its|their) place\b|\b(?:same|another|last|thirtieth) place\b"
    r"|\bplace (?:where|to run|a value)\b|-in-place-|\bone place\b|`place`|:meth:`place`|\btemp\.places\b",
    re.IGNORECASE,
)
#: The same for identifiers, whose parts are looked at one by one.
REPLACED_PARTS = {"unplaced", "placed", "places", "doubt", "doubts", "unsure", "likeness", "alike", "coordinates", "dimensions"}
REPLACED_PARTS |= {"centers", "centres", "centre"}  # `center` is scikit-learn's word for centring
#: Names of arrays in files of format 1, which is older than the glossary.
STORED_NAME = re.compile(r"[a-z]+/[a-z]+")


def found_in(text):
    """Replaced words of a text, wherever its lines are broken."""
    line = " ".join(text.split())
    return REPLACED.findall(line) + PLACE.findall(IN_PLACE.sub("", line)) + re.findall(r"\(centre\)", line)


def texts_of(path):
    """Every string and docstring of a source file, with its line; names of stored arrays left out."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and not STORED_NAME.fullmatch(node.value):
            yield node.lineno, node.value


def identifiers_of(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.lineno, node.name
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.lineno, node.target.id


def is_replaced(name):
    return bool(REPLACED_PARTS & set(name.lower().split("_")) or found_in(name))


def verb_of_an_engine(path):
    """Engines place values, call functions and get results: the words of such engines."""
    return "place" if path.parent.name == "engines" else None


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_or_name_of_the_source_uses_a_replaced_word(path):
    texts = [(line, found_in(text)) for line, text in texts_of(path) if found_in(text)]
    names = [(line, name) for line, name in identifiers_of(path) if name != verb_of_an_engine(path) and is_replaced(name)]
    assert texts + names == []


@pytest.mark.parametrize("path", REFERENCE, ids=lambda path: path.name)
def test_no_reference_page_uses_a_replaced_word(path):
    text = path.read_text(encoding="utf-8").partition("## Words that are not used")[0]
    assert found_in(text) == []


def options():
    """Every long option of the command line."""
    verbs = get_command(app).commands.values()
    return {option for verb in verbs for each in verb.params for option in (*each.opts, *each.secondary_opts) if option[:2] == "--"}


def rows_of_the_glossary():
    rows = re.findall(r"^\| \*\*(.*?)\*\*.*?\| (.*) \|$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)
    return {word: re.split(r" ?(?<!\\)\| ?", cells) for word, cells in rows}


def test_every_row_of_the_glossary_has_its_meaning_symbol_name_and_option():
    rows = rows_of_the_glossary()
    assert {word: len(cells) for word, cells in rows.items() if len(cells) != 4} == {}
    assert {"document", "term", "vocabulary", "weight", "neighbour graph", "embedding", "component", "cluster"} <= set(rows)
    assert {"label", "class", "uncertainty", "random seed", "penalty", "training set, validation set"} <= set(rows)
    assert [word for word, cells in rows.items() if not cells[0].endswith(".")] == []


def test_every_option_and_verb_that_the_glossary_names_exists():
    text = GLOSSARY.read_text(encoding="utf-8")
    assert set(re.findall(r"--[a-z]+(?:-[a-z]+)*", text)) <= options()
    assert set(re.findall(r"`vicinal (\w+)", text)) <= set(get_command(app).commands)


def members():
    """Parameters, fitted attributes and methods that the docstrings of the estimators promise, and names of scikit-learn."""
    estimators = (
        *methods.METHODS,
        *methods.SUPERVISED,
        *methods.SELECTORS,
        vicinal.Topics,
        vicinal.Vectorizer,
        vicinal.CentroidClassifier,
        vicinal.Classifier,
    )
    documented = {name for each in estimators for name in re.findall(r"^ *(\w+) :", each.__doc__, re.MULTILINE)}
    documented |= set(inspect.signature(vicinal.Topics.fit).parameters)
    return documented | {name for each in estimators for name in dir(each)} | {each.__name__ for each in estimators}


def test_every_parameter_and_attribute_that_the_glossary_names_exists():
    named = [re.findall(r"`(\w+)(?:\(\))?`", cells[2]) for cells in rows_of_the_glossary().values()]
    of_scikit_learn = {"X", "y", "cosine_similarity", "NearestCentroid", "train_test_split"}
    assert {name for names in named for name in names} - members() - of_scikit_learn == set()


def test_settings_have_the_names_of_scikit_learn_and_their_plain_forms():
    fields = set(Recipe.__dataclass_fields__)
    assert fields == {
        "n_clusters",
        "n_components",
        "n_neighbors",
        "alpha",
        "stem",
        "random_state",
        "encoder",
        "links",
        "language",
        "segmenter",
        "use_labels",
        "layout",
        "recall",
    }
    plain = {field.removeprefix("n_").replace("random_state", "seed").replace("_", "-") for field in fields}
    assert {f"--{name}" for name in plain} <= options()


@pytest.mark.parametrize(
    "page", ["README.md", "docs/tutorial.md", "docs/howto.md", "docs/start.md", "docs/cli.md", "docs/maths/README.md"]
)
def test_people_who_search_for_embeddings_find_them(page):
    assert re.search(r"\bembedding", (ROOT / page).read_text(encoding="utf-8"), re.IGNORECASE)


def test_a_replaced_word_is_caught():
    assert found_in("its doubt is 0.3") == ["doubt"]
    assert found_in("3 the data would\n    not do") == ["would not do"]
    assert found_in("the uncertainty of a document") == []
    assert found_in("Documents of one kind, at their new places") == ["their new places", "places"]
    assert found_in("the kind of a document, and documents that are alike") == ["kind of a document", "alike"]
    assert found_in("the Price of a rough function") == ["Price of a rough"]
    assert found_in("centres of clusters: its nearest\ncentre, and (centre) as a part") == [
        "centres of clusters",
        "nearest centre",
        "(centre)",
    ]
    assert found_in("do not centre the rows; documents that are centred; center : bool") == []
    assert is_replaced("centers")
    assert not is_replaced("center")
    assert found_in("a mark stands in its place, and three take its place; a kind of error") == []

"""The shape of the source: imports go one way, functions are short, nothing loads code from data, the door opens fast."""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import numpy as np
import pytest

import vicinal
from tools.docstrings import public_modules
from vicinal.index._index_state import IndexState

SOURCE = Path(vicinal.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))

#: The order of imports, as ARCHITECTURE.md states it: a module imports only from its left, or from its own place.
RULE = re.search(
    r"\*\*One-way rule\*\*.*?\(([^)]*)\)", (Path(__file__).parents[2] / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.DOTALL
)[1]
PACKAGES_IN_ORDER = re.findall(r"`(\w+)`", RULE)
#: Modules of the root come before every package.
PLACE = {path.stem: 0 for path in SOURCE.glob("*.py") if path.stem != "__init__"}
PLACE |= {name: place for place, name in enumerate(PACKAGES_IN_ORDER, 1)}
PLACE["__main__"] = len(PLACE)


@cache
def nodes_of(text):
    """Every node of the syntax tree of a module, its root first; many tests look at the same modules."""
    return tuple(ast.walk(ast.parse(text)))


def imported_modules(text, package):
    """The vicinal modules that a source text of ``package`` imports, anywhere in it."""
    found = set()
    for node in nodes_of(text):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")
            base = ".".join(parents[: len(parents) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module) if part)
            found.update(f"{module}.{alias.name}" for alias in node.names)
    homes = {name.split(".")[1] for name in found if name.startswith("vicinal.")}
    return homes - {"__version__"}  # a name of the front door itself that loads nothing


def wrong_way_imports(home, text):
    """What a module of ``home`` (the first name under vicinal) imports from its right, as sentences."""
    if home not in PLACE:
        return [f"{home} has no place in the order"]
    targets = sorted(imported_modules(text, f"vicinal.{home}") - {home})
    return [f"{home} imports {target}" for target in targets if PLACE.get(target, len(PLACE)) > PLACE[home]]


def units_imported(package, texts):
    """For each module and folder of a package, given as texts by path, the others that it imports when it is loaded."""
    found = {path.split("/")[0].removesuffix(".py"): set() for path in texts}
    for path, text in texts.items():
        home = path.split("/")[0].removesuffix(".py")
        for node in nodes_of(text)[0].body:
            if isinstance(node, ast.ImportFrom) and node.module and f"{node.module}.".startswith(f"{package}."):
                inner = node.module.removeprefix(package).lstrip(".").split(".")[0]
                found[home] |= ({inner} if inner else {alias.name for alias in node.names}) & found.keys() - {home}
    return found


@pytest.mark.parametrize("package", [name for name in PACKAGES_IN_ORDER if (SOURCE / name).is_dir()])
def test_folders_inside_a_package_are_imported_one_way(package):
    folder = SOURCE / package
    texts = {str(path.relative_to(folder)): path.read_text(encoding="utf8") for path in folder.rglob("*.py")}
    assert texts.pop("__init__.py")
    list(TopologicalSorter(units_imported(f"vicinal.{package}", texts)).static_order())  # CycleError names a circle


def test_a_folder_that_is_imported_both_ways_is_caught():
    texts = {"_a/b.py": "from vicinal.index import _c", "_c.py": "from vicinal.index._a.b import x", "_d.py": "import vicinal"}
    with pytest.raises(CycleError):
        TopologicalSorter(units_imported("vicinal.index", texts)).prepare()


def home_of(path):
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", [p for p in FILES if p != SOURCE / "__init__.py"], ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_go_one_way(path):
    assert wrong_way_imports(home_of(path), path.read_text(encoding="utf8")) == []


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("graph", "from vicinal.spectrum import solve"),
        ("graph", "import vicinal.methods as m"),
        ("graph", "from vicinal import methods"),
        ("graph", "def later():\n    from vicinal.projection._pencil import pencil"),
        ("spectrum", "from ..projection import Ridge"),
        ("graph", "from vicinal.metrics import locality"),
        ("metrics", "from vicinal.uses import cluster"),
        ("errors", "from vicinal.corpus._document import Document"),
        ("_consensus", "from vicinal.methods._base import Method"),
        ("projection", "from vicinal._consensus import consensus"),
        ("_kmeans", "from vicinal.graph import knn"),
        ("helpers", "import numpy"),
    ],
)
def test_a_wrong_way_import_is_caught(home, text):
    assert len(wrong_way_imports(home, text)) == 1


@pytest.mark.parametrize(
    ("home", "text"),
    [
        ("spectrum", "from vicinal.graph import knn"),
        ("metrics", "from vicinal.graph import Graph"),
        ("uses", "import vicinal.metrics"),
    ],
)
def test_a_right_way_import_is_let_through(home, text):
    assert wrong_way_imports(home, text) == []


#: What shows an index to people; it asks `Index`, `Snapshot` and what they return.
BEFORE_THE_STORE = ("serve", "cli")


def reached_into_the_store(text, package):
    """How a source text of ``package`` goes around an index to its file: it imports the store, or takes it from an object."""
    taken = {node.attr for node in nodes_of(text) if isinstance(node, ast.Attribute)} & {"store", "_store"}
    imported = imported_modules(text, package) & {"_store"}
    return [*(f"takes .{name}" for name in sorted(taken)), *(f"imports {name}" for name in imported)]


@pytest.mark.parametrize("path", [p for p in FILES if home_of(p) in BEFORE_THE_STORE], ids=lambda p: str(p.relative_to(SOURCE)))
def test_what_shows_an_index_never_sees_its_store(path):
    assert PLACE["_store"] < min(PLACE[name] for name in BEFORE_THE_STORE)
    assert reached_into_the_store(path.read_text(encoding="utf8"), f"vicinal.{home_of(path)}") == []


@pytest.mark.parametrize(
    "text",
    [
        "from vicinal._store import Store",
        "if TYPE_CHECKING:\n    from vicinal._store.filters import Filters",
        "def later():\n    from vicinal import _store",
        "found = relocate(index._store, paths)",
        "found = Settings(state.index_state.store)",
    ],
)
def test_a_way_around_an_index_is_caught(text):
    assert len(reached_into_the_store(text, "vicinal.cli")) == 1


def repeated(names):
    """The names that occur more than once, sorted."""
    return sorted(name for name, count in Counter(names).items() if count > 1)


def test_no_two_files_have_one_name():
    """But for the doors of packages, and the verbs of the command line, which are named after what they do."""
    names = [path.name.lstrip("_") for path in FILES if path.name != "__init__.py" and "_verbs" not in path.parts]
    assert len(names) > 100
    assert repeated(names) == []
    assert repeated(["a.py", "b.py", "a.py"]) == ["a.py"]


def test_a_verb_has_the_name_of_a_file_only_where_that_does_the_same():
    """In an index or, for a matrix, in `uses`; `repair` of a graph, say, is another thing than `vicinal repair`."""
    verbs = {path.name for path in FILES if "_verbs" in path.parts and path.name != "__init__.py"}
    others = [path.relative_to(SOURCE) for path in FILES if "_verbs" not in path.parts and path.name.lstrip("_") in verbs]
    assert len(others) > 5
    assert {path.parts[0] for path in others} == {"index", "uses"}


def test_no_two_classes_have_one_name():
    texts = [path.read_text(encoding="utf8") for path in FILES]
    names = [node.name.lstrip("_") for text in texts for node in nodes_of(text) if isinstance(node, ast.ClassDef)]
    assert len(names) > 100
    assert repeated(names) == []


#: A verb that two nouns have: a graph that lacks edges is repaired, and a damaged index.
OF_TWO_NOUNS = {"repair"}


def test_a_name_that_two_packages_export_is_one_thing():
    homes = {}
    for module, name in public_names():
        homes.setdefault(name, set()).add(id(getattr(importlib.import_module(module), name)))
    assert len(homes) > 150
    assert {name for name, things in homes.items() if len(things) > 1} == OF_TWO_NOUNS


def around_the_door(home, text):
    """Names that a module of ``home`` takes from inside another package although that package exports them."""
    found = []
    for node in nodes_of(text):
        parts = (node.module or "").split(".") if isinstance(node, ast.ImportFrom) and node.level == 0 else []
        if len(parts) > 2 and parts[0] == "vicinal" and parts[1] != home:
            exported = getattr(importlib.import_module(f"vicinal.{parts[1]}"), "__all__", ())
            found += [f"{node.module} {alias.name}" for alias in node.names if alias.name in exported]
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_what_a_package_exports_is_imported_from_its_door(path):
    assert around_the_door(home_of(path), path.read_text(encoding="utf8")) == []


@pytest.mark.parametrize(
    ("home", "text", "n_wrong"),
    [
        ("spectrum", "from vicinal.graph._graph import Graph", 1),
        ("projection", "def later():\n    from vicinal.graph._build import complete, knn", 2),
        ("graph", "from vicinal.graph._graph import Graph", 0),
        ("spectrum", "from vicinal.graph import Graph", 0),
        ("methods", "from vicinal.graph._edges import WEIGHTS", 0),
    ],
)
def test_an_import_around_a_door_is_caught(home, text, n_wrong):
    assert len(around_the_door(home, text)) == n_wrong


def defined(tree):
    """Each name that a module defines at its top, with the statement that does."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((name.id, node) for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))


def unused(texts):
    """Names of modules, given as texts by full name, that none of them uses or exports: dead code, or code for tests only."""
    walked = {module: nodes_of(re.sub(r'TypeAlias = "(.*)"', r"TypeAlias = \1", text)) for module, text in texts.items()}
    nodes = [node for each in walked.values() for node in each]
    taken = {(node.module, alias.name) for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    reached = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    for module, each in walked.items():
        named = names_in(each)
        for name, definition in defined(each[0]):
            is_named_elsewhere = named[name] > names_in(ast.walk(definition))[name]
            if not (
                is_named_elsewhere
                or (module, name) in taken
                or name in reached
                or name.startswith("__")
                or definition_registers(definition)
            ):
                yield f"{module} {name}"


def names_in(nodes):
    """How often each name stands among nodes."""
    return Counter(node.id for node in nodes if isinstance(node, ast.Name))


def definition_registers(definition):
    """Whether a decorator that is called, as ``@app.command()`` is, hands the function on."""
    return any(isinstance(each, ast.Call) for each in getattr(definition, "decorator_list", ()))


def test_every_name_is_used_or_promised():
    texts = {
        ".".join(("vicinal", *path.relative_to(SOURCE).with_suffix("").parts)): path.read_text(encoding="utf8") for path in FILES
    }
    texts = {module.removesuffix(".__init__"): text for module, text in texts.items()}
    promised = {f"{home} {name}" for home in ("vicinal", *(f"vicinal.{each}" for each in PACKAGES)) for name in promised_by(home)}
    assert sorted(set(unused(texts)) - promised) == []


def promised_by(module):
    return importlib.import_module(module).__all__


def test_a_name_that_nothing_uses_is_caught():
    texts = {
        "a": "def used(): ...\ndef unused(): return unused()\nLEFT = 1\n@register()\ndef verb(): ...",
        "b": "from a import used",
    }
    assert list(unused(texts)) == ["a unused", "a LEFT"]


def fresh(code):
    """What a fresh interpreter prints after running ``code``, read as json."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    return json.loads(done.stdout)


HEAVY = ("numba", "sklearn", "pandas", "rich", "typer", "scipy")
LOADED = f"import json, sys; print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"


def test_the_front_door_loads_nothing_heavy():
    assert fresh(f"import vicinal; {LOADED}") == []
    assert "scipy" in fresh(f"import vicinal; vicinal.graph; {LOADED}")  # and the check sees what is loaded


def test_an_index_loads_what_finds_clusters_only_to_fit():
    loaded = "import json, sys; print(json.dumps([name for name in ('numba', 'sklearn.cluster') if name in sys.modules]))"
    assert fresh(f"import vicinal.index._index; {loaded}") == []
    assert fresh(f"import vicinal.index._fit.fit_index; {loaded}") == ["numba"]  # and the check sees what is loaded


def test_every_name_of_the_front_door_can_be_had():
    assert set(vicinal.__all__) <= set(dir(vicinal))
    for name in vicinal.__all__:
        assert getattr(vicinal, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        vicinal.nothing  # noqa: B018


#: Whatever can run code that stands in a file.
UNSAFE = re.compile(
    r"\bimport pickle|\bfrom pickle|\bpickle\.|\bcloudpickle|\bjoblib\.load|\bfrom joblib import .*\bload\b|\bmarshal\b|\bshelve\b"
    r"|(?<![\w.])eval\(|(?<![\w.])exec\(|\byaml\.load|allow_pickle\s*=\s*True"
)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_nothing_loads_code_from_data(path):
    assert UNSAFE.findall(path.read_text(encoding="utf8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "pickle.load(f)",
        "joblib.load(path)",
        "from joblib import dump, load",
        "import marshal",
        "x = eval(text)",
        "exec(code)",
        "yaml.load(f)",
        "np.load(f, allow_pickle=True)",
        "np.load(f, allow_pickle = True)",
    ],
)
def test_a_line_that_loads_code_is_caught(line):
    assert UNSAFE.search(line)


def test_a_line_that_only_looks_like_it_is_let_through():
    assert not UNSAFE.search("np.load(f, allow_pickle=False); model.eval(); evaluate(x); retrieval(x)")


def functions(text):
    """Name and number of body lines, without the docstring, of every function in a source text."""
    for node in nodes_of(text):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            if body:
                yield node.name, body[-1].end_lineno - body[0].lineno + 1


def test_functions_are_short():
    lengths = {f"{path.name} {name}": length for path in FILES for name, length in functions(path.read_text(encoding="utf8"))}
    assert len(lengths) > 100
    assert np.mean(np.array(list(lengths.values())) <= 25) >= 0.9
    assert {where: length for where, length in lengths.items() if length > 29} == {}


def undocumented(text):
    """The functions of a source text, inner ones too, whose names have no underscore and which say nothing of themselves."""
    for node in nodes_of(text):
        if (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and not node.name.startswith("_")
            and not ast.get_docstring(node)
        ):
            yield node.name


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_a_function_without_an_underscore_says_what_it_does(path):
    assert list(undocumented(path.read_text(encoding="utf8"))) == []


def test_an_inner_function_that_says_nothing_is_caught():
    text = 'def f():\n    """One."""\n    def g(): return 1\n    def _h(): return 2\n    return g\n'
    assert list(undocumented(text)) == ["g"]


def test_the_length_of_a_function_leaves_its_docstring_out():
    text = 'def f():\n    """One.\n\n    Two.\n    """\n    x = 1\n\n    return x\n'
    assert list(functions(text)) == [("f", 3)]


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_files_are_short(path):
    assert path.read_text(encoding="utf8").count("\n") + 1 <= 400


#: What there is one of, by how it is recognised, and the module that has it.
ONE_OF_EACH = {
    r"warnings\.warn\(": "_warn.py",  # one warn, which finds the caller's line
    r"logsumexp\(": "_probabilities.py",  # one softmax and one log loss
    r"\* np\.log\(p\)|p \* log_p\b|shares \* np\.log": "_probabilities.py",  # one entropy
    r"Callable\[\[str, int, int\]|step: Callable\[\[str\]": "_progress.py",  # one progress protocol, which is a Protocol
    r"def (cosine_scores|squared_distances|class_means|nearest_centroid)\b": "_centroids.py",
    r"\bcontaining_prefix\(store|\bcontaining\(store": "_store/fulltext.py",  # an index asks through TextLookup
}


@pytest.mark.parametrize(("pattern", "home"), ONE_OF_EACH.items())
def test_there_is_one_of_each(pattern, home):
    found = {path.relative_to(SOURCE).as_posix() for path in FILES if re.search(pattern, path.read_text(encoding="utf8"))}
    assert found <= {home}


PACKAGES = tuple(name.removeprefix("vicinal.") for name in public_modules() if name != "vicinal")


def public_names():
    """Every public name but those of plain values, of which their module says what they are."""
    for home in ("vicinal", *(f"vicinal.{package}" for package in PACKAGES)):
        module = importlib.import_module(home)
        for name in module.__all__:
            if inspect.ismodule(getattr(module, name)) or callable(getattr(module, name)):
                yield home, name


def first_line(obj):
    lines = (inspect.getdoc(obj) or "").splitlines()
    return lines[0] if lines else ""


@pytest.mark.parametrize(("module", "name"), sorted(public_names()))
def test_every_public_name_says_what_it_is_in_a_sentence(module, name):
    obj = getattr(importlib.import_module(module), name)
    assert first_line(obj).endswith((".", ":")), first_line(obj)
    if inspect.isclass(obj):
        assert "__doc__" in vars(obj), f"{name} has its sentence from a class it is made from"


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_says_which_names_are_public(package):
    module = importlib.import_module(f"vicinal.{package}")
    assert module.__all__
    assert all(hasattr(module, name) for name in module.__all__)


@cache
def private_classes():
    """Classes of the project that no package exports; a protocol only says what is asked of a value."""
    nodes = [node for path in FILES for node in nodes_of(path.read_text(encoding="utf8"))]
    classes = {each.name for each in nodes if isinstance(each, ast.ClassDef) and "Protocol" not in map(ast.unparse, each.bases)}
    return classes - {name for _, name in public_names()}


def private_types_of(cls):
    """Public attributes and members of a class whose type is a class of the project that no package exports."""
    for owner in (each for each in cls.__mro__ if each.__module__.startswith("vicinal")):
        told = {name: [annotation] for name, annotation in inspect.get_annotations(owner).items()}
        for name, value in vars(owner).items():
            called = value.fget if isinstance(value, property) else getattr(value, "func", getattr(value, "__func__", value))
            told.setdefault(name, []).extend(getattr(called, "__annotations__", {}).values())
        for name in (each for each in told if not each.startswith("_")):
            words = {*re.findall(r"\w+", " ".join(map(str, told[name])))}
            yield from (f"{cls.__name__}.{name}: {each}" for each in words & private_classes())


def test_public_attributes_have_public_types():
    classes = {getattr(importlib.import_module(home), name) for home, name in public_names()}
    found = {each for cls in classes if inspect.isclass(cls) for each in private_types_of(cls)}
    assert sorted(found) == []


def test_a_public_attribute_of_a_private_type_is_caught():
    assert "IndexState.rows: Rows" in private_types_of(IndexState)


def public_members():
    for module, name in sorted(public_names()):
        obj = getattr(importlib.import_module(module), name)
        if inspect.isclass(obj) and obj.__module__.startswith("vicinal"):
            for member, value in vars(obj).items():
                if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property | classmethod)):
                    yield f"{name}.{member}", value


@pytest.mark.parametrize(("name", "member"), dict(public_members()).items())
def test_every_public_member_says_what_it_is_in_a_sentence(name, member):
    assert first_line(member).endswith((".", ":")), first_line(member)

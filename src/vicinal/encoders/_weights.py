"""Where the weights of an encoder are: in a folder, in an installed package, or in the local cache of the Hugging Face hub."""

from __future__ import annotations

import json
import os
from importlib import metadata
from pathlib import Path
from typing import Any

from vicinal.errors import BadParameter, MissingExtra, NoSuchSource

MARKS = ("modules.json", "config.json")  # a folder of weights holds one of them
EXTRA = "Run pip install vicinal[encoder]."


def weights_folder(name_or_path: str | os.PathLike[str], *, download: bool = False) -> Path:
    """The folder of weights that a name or path stands for; nothing is loaded from the network unless ``download``."""
    name = os.fspath(name_or_path)
    if not name:
        raise BadParameter("the encoder is empty. Give a folder of weights, or the name of an installed package that carries them.")
    path = Path(name).expanduser()
    if path.is_dir():
        return _marked(path)
    packaged = _in_package(name)
    if packaged is not None:
        return packaged
    return _from_hub(name, download)


def is_static(folder: Path) -> bool:
    """Whether the weights are one vector per token, as model2vec makes them: its versions say so in different files."""
    config, modules = _json(folder / "config.json", {}), _json(folder / "modules.json", [])
    named = config.get("model_type") == "model2vec" or "StaticModel" in (config.get("architectures") or ())
    return named or any(str(each.get("type", "")).endswith("StaticEmbedding") for each in modules)


def _json(file: Path, missing: object) -> Any:
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else missing


def _marked(path: Path) -> Path:
    if any((path / mark).is_file() for mark in MARKS):
        return path
    raise NoSuchSource(
        f"{path} holds no weights of an encoder: neither {' nor '.join(MARKS)} is in it. Give the folder that holds one of them."
    )


def _in_package(name: str) -> Path | None:
    """The shallowest folder with weights among the files of an installed package; None where there is no such package."""
    try:
        files = metadata.distribution(name).files or ()
    except (metadata.PackageNotFoundError, ValueError):
        return None
    for mark in MARKS:
        found = sorted((file for file in files if file.name == mark), key=lambda file: (len(file.parts), str(file)))
        if found:
            return Path(str(found[0].locate())).parent
    raise NoSuchSource(
        f"the installed package {name!r} carries no weights: none of its files is {' or '.join(MARKS)}. Give a folder of weights."
    )


def _from_hub(name: str, download: bool) -> Path:
    """A model of the Hugging Face hub, from the local cache or, if asked, from the network."""
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise MissingExtra(
            f"{_missing(name)} Names of the Hugging Face hub need a package that is not installed. {EXTRA}"
        ) from None
    try:
        return _marked(Path(snapshot_download(name, local_files_only=not download)))
    except NoSuchSource:
        raise
    except Exception as error:  # of the hub, its names and the network, which have no base class in common
        allowed = "" if download else " Nothing was downloaded, since that was not asked for (download=True)."
        said = str(error).partition("\n")[0]
        raise NoSuchSource(f"{_missing(name)}{allowed} The hub says: {said or type(error).__name__}") from None


def _missing(name: str) -> str:
    return f"there are no weights of an encoder called {name!r}: it is no folder and no installed package."

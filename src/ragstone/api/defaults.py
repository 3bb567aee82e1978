"""Which judge and embedder are used when the caller names none."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping

from ragstone.cache import DiskCacheBackend
from ragstone.errors import UsageError
from ragstone.settings import Settings
from ragstone.tools.embedder import Embedder
from ragstone.tools.judge import Judge

__all__ = ["choose_embedder", "choose_judge", "local_installed"]


def choose_judge(
    llm: Judge | str | None, settings: Settings, env: Mapping[str, str] | None = None
) -> Judge | None:
    """The judge that is named, or the best that is there.

    In this order: the caller's; the one the settings name; an LLM whose key is in the environment;
    the local judge; None when there is nothing of that. Answers of an LLM chosen by name are kept
    in the cache of the settings.
    """
    named = llm if llm is not None else settings.judge
    if isinstance(named, Judge):
        return named
    from ragstone.llms.factory import known_key, llm_factory

    if named is not None and not isinstance(named, str):
        raise UsageError(
            f"llm= takes a judge from llm_factory(...), 'local', or a model name, not {named!r}"
        )
    if named is None and (model := known_key(os.environ if env is None else env)):
        named = model
    if named == "local" or (named is None and local_installed()):
        from ragstone.local.judge import LocalJudge

        return LocalJudge()
    if named is None:
        return None
    return llm_factory(named, cache=DiskCacheBackend(settings.cache_dir))


def choose_embedder(embeddings: Embedder | None) -> Embedder | None:
    """The embedder that the caller gives; else the local one; None when it is not installed."""
    if embeddings is not None:
        if not isinstance(embeddings, Embedder):
            raise UsageError(f"embeddings= takes a ragstone Embedder, not {embeddings!r}")
        return embeddings
    if not local_installed():
        return None
    from ragstone.local.embedder import LocalEmbedder

    return LocalEmbedder()


def local_installed() -> bool:
    """Whether the packages of the extra `local` are there."""
    needed = ("onnxruntime", "tokenizers", "spacy", "ragstone_models")
    return all(importlib.util.find_spec(name) is not None for name in needed)

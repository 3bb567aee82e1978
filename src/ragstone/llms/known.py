"""The providers that Ragstone knows by name: where they are and which variable holds their key."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

__all__ = ["KNOWN", "Known", "known_key", "known_provider", "known_site", "same_site"]


@dataclass(frozen=True, slots=True)
class Known:
    """A provider: its endpoint, its key's variables, and a good cheap judge among its models.

    `wire` says which way its questions go: "openai" (the OpenAI-compatible protocol) or
    "pydantic-ai", under the name `inner` and with the extra `extra`, whose package is `package`.
    `url_variable` may name another endpoint. A provider without variables needs no key.
    """

    name: str
    endpoint: str = ""
    variables: tuple[str, ...] = ()
    judge: str | None = None
    wire: Literal["openai", "pydantic-ai"] = "openai"
    url_variable: str | None = None
    inner: str = ""
    extra: str = ""
    package: str = ""
    families: tuple[str, ...] = ()


# In the order in which keys in the environment are looked for.
_ALL = (
    Known(
        "openai",
        "https://api.openai.com/v1",
        ("OPENAI_API_KEY",),
        "gpt-4o-mini",
        url_variable="OPENAI_BASE_URL",
        families=("gpt", "o1", "o3", "o4", "chatgpt", "ft:"),
    ),
    Known(
        "anthropic",
        "https://api.anthropic.com",
        ("ANTHROPIC_API_KEY",),
        "claude-haiku-4-5",
        wire="pydantic-ai",
        inner="anthropic",
        extra="anthropic",
        package="anthropic",
        families=("claude",),
    ),
    Known(
        "gemini",
        "https://generativelanguage.googleapis.com/v1beta/openai",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        "gemini-2.5-flash",
        families=("gemini", "gemma"),
    ),
    Known(
        "mistral",
        "https://api.mistral.ai/v1",
        ("MISTRAL_API_KEY",),
        "mistral-small-latest",
        families=("mistral", "magistral", "ministral", "codestral"),
    ),
    Known("groq", "https://api.groq.com/openai/v1", ("GROQ_API_KEY",), "llama-3.3-70b-versatile"),
    Known(
        "deepseek",
        "https://api.deepseek.com/v1",
        ("DEEPSEEK_API_KEY",),
        "deepseek-chat",
        families=("deepseek",),
    ),
    Known(
        "together",
        "https://api.together.xyz/v1",
        ("TOGETHER_API_KEY", "TOGETHERAI_API_KEY"),
        "meta-llama/Llama-3.3-70B-Instruct-Turbo",
    ),
    Known(
        "openrouter",
        "https://openrouter.ai/api/v1",
        ("OPENROUTER_API_KEY",),
        "openai/gpt-4o-mini",
    ),
    Known("xai", "https://api.x.ai/v1", ("XAI_API_KEY",), families=("grok",)),
    Known("fireworks", "https://api.fireworks.ai/inference/v1", ("FIREWORKS_API_KEY",)),
    Known("perplexity", "https://api.perplexity.ai", ("PERPLEXITY_API_KEY",), families=("sonar",)),
    Known("azure", "", ("AZURE_OPENAI_API_KEY",), url_variable="AZURE_OPENAI_ENDPOINT"),
    Known("ollama", "http://localhost:11434/v1", url_variable="OLLAMA_BASE_URL"),
    Known("vllm", "http://localhost:8000/v1", url_variable="VLLM_BASE_URL"),
    Known("llamacpp", "http://localhost:8080/v1", url_variable="LLAMACPP_BASE_URL"),
    Known(
        "google",
        "https://generativelanguage.googleapis.com",
        ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        wire="pydantic-ai",
        inner="google",
        extra="google",
        package="google.genai",
    ),
    Known("bedrock", wire="pydantic-ai", inner="bedrock", extra="bedrock", package="boto3"),
    Known(
        "cohere",
        "https://api.cohere.com",
        ("CO_API_KEY",),
        wire="pydantic-ai",
        inner="cohere",
        extra="cohere",
        package="cohere",
        families=("command",),
    ),
)

KNOWN: Mapping[str, Known] = {known.name: known for known in _ALL}
_OTHER_NAMES = {"together_ai": "together", "azure_openai": "azure", "google_genai": "google"}


def known_provider(name: str) -> Known | None:
    """The provider of that name, in whatever case and with - or _."""
    name = name.lower().replace("-", "_")
    return KNOWN.get(_OTHER_NAMES.get(name, name))


def known_site(url: str | None) -> Known | None:
    """The provider at whose site an address is."""
    if not url:
        return None
    of_openai_wire = (known for known in _ALL if known.wire == "openai" and known.variables)
    return next((known for known in of_openai_wire if same_site(url, known.endpoint)), None)


def same_site(one: str, other: str) -> bool:
    """Whether two addresses belong to one owner, as api.x.com and eu.api.x.com do."""
    hosts = [(urlsplit(url).hostname or "").split(".")[-2:] for url in (one, other)]
    return hosts[0] == hosts[1]


def known_key(env: Mapping[str, str] | None = None) -> str | None:
    """The judge that the keys in the environment allow, as a name for `llm_factory`, or None.

    The first of these wins: OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or GOOGLE_API_KEY,
    MISTRAL_API_KEY, GROQ_API_KEY, DEEPSEEK_API_KEY, TOGETHER_API_KEY, OPENROUTER_API_KEY. A key
    whose provider needs an extra that is not installed is passed over.
    """
    env = os.environ if env is None else env
    for known in _ALL:
        has_key = any(env.get(variable, "").strip() for variable in known.variables)
        if known.judge and has_key and _installed(known.package):
            return f"{known.name}/{known.judge}"
    return None


def _installed(package: str) -> bool:
    return not package or importlib.util.find_spec(package) is not None

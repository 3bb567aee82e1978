"""From the name of a model to a judge that uses it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ragstone.cache import CacheInterface
from ragstone.errors import UsageError
from ragstone.llms.known import (
    KNOWN,
    Known,
    known_key,
    known_provider,
    known_site,
    same_site,
)
from ragstone.llms.provider import Provider

if TYPE_CHECKING:
    from ragstone.llms.judge import LLMJudge

__all__ = [
    "azure_provider",
    "checked_key",
    "checked_url",
    "known_key",
    "llm_factory",
    "make_provider",
    "openai_provider",
]

_AZURE_VERSION = "2024-10-21"


def llm_factory(  # noqa: PLR0913  the documented signature
    model: str,
    provider: str | None = None,
    client: Any = None,
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    cache: CacheInterface | None = None,
    system_prompt: str | None = None,
    timeout: float = 120.0,
    max_tokens: int | None = 4096,
    temperature: float | None = 0.0,
    top_p: float | None = None,
    seed: int | None = None,
    **model_args: Any,
) -> LLMJudge:
    """A judge that asks the model.

    `model` is "gpt-4o-mini", "PROVIDER/MODEL" ("anthropic/claude-haiku-4-5", "gemini/...",
    "ollama/...", "azure/DEPLOYMENT"), or a bare name with `provider=`. The key comes from
    `api_key`, from `client` (an official OpenAI, Azure OpenAI or Anthropic client) or from the
    provider's usual environment variable. With `base_url` any server that speaks the
    OpenAI-compatible protocol can judge. `timeout` is in seconds for one call; further arguments
    go to the model as they are.

    Raises UsageError for an unknown provider or a missing key, MissingExtra when the provider
    needs a package that is not installed.
    """
    from ragstone.llms.judge import LLMJudge, Sampling

    if client is not None:
        from ragstone.llms.clients import provider_of_client

        carrier = provider_of_client(client, provider, _checked_name(model), model_args)
    else:
        who, name = _split(_checked_name(model), provider, base_url)
        carrier = make_provider(who, name, base_url, api_key, model_args)
    return LLMJudge(
        carrier,
        sampling=Sampling(max_tokens, temperature, top_p, seed),
        system_prompt=system_prompt,
        cache=cache,
        timeout=timeout,
    )


def _split(model: str, provider: str | None, base_url: str | None) -> tuple[str, str]:
    """Provider and model of a name; a prefix counts only if it is a provider.

    Where `base_url` is the site of a provider that serves models of others ("openai/gpt-4o" at
    OpenRouter), only that provider's own prefix counts.
    """
    prefix, slash, rest = model.partition("/")
    site = known_site(base_url)
    if provider is None and site is not None:
        provider = site.name
    if provider is not None:
        return provider, rest if slash and _same(prefix, provider) else model
    if slash and rest and (known := known_provider(prefix)) is not None:
        return known.name, rest
    if base_url is not None:
        return "openai", model
    for known in KNOWN.values():
        if not slash and model.lower().startswith(known.families or ("\0",)):
            return known.name, model
    raise UsageError(
        f"no provider is known for the model {model!r}; write 'PROVIDER/MODEL' with one of "
        f"{', '.join(KNOWN)}, or pass base_url=... of a server that speaks the OpenAI protocol"
    )


def _checked_name(model: str) -> str:
    if not isinstance(model, str) or not model.strip():
        raise UsageError(f"model must be a name such as 'gpt-4o-mini', not {model!r}")
    return model.strip()


def _same(prefix: str, provider: str) -> bool:
    known = known_provider(provider)
    return prefix.lower() == provider.lower() or (
        known is not None and known_provider(prefix) is known
    )


def make_provider(
    who: str,
    model: str,
    base_url: str | None,
    api_key: str | None,
    extra: Mapping[str, Any],
    env: Mapping[str, str] | None = None,
) -> Provider:
    """The provider for a name, with the key from `api_key` or the environment."""
    env = os.environ if env is None else env
    known = known_provider(who)
    if known is not None and known.wire == "pydantic-ai":
        return _through_pydantic_ai(known, model, base_url, api_key, extra, env)
    if known is None and base_url is None:
        raise UsageError(
            f"unknown provider {who!r}; known are {', '.join(KNOWN)}. For another server that "
            "speaks the OpenAI protocol pass base_url=..."
        )
    known = known or Known(who)
    endpoint = base_url or env.get(known.url_variable or "") or known.endpoint
    if not endpoint:
        raise UsageError(
            f"{who!r} needs an endpoint; set {known.url_variable} or pass base_url=..."
        )
    endpoint = checked_url(endpoint)
    key = checked_key(api_key) or _key(known, endpoint, own_url=base_url is not None, env=env)
    if known.name == "azure":
        version = env.get("OPENAI_API_VERSION") or _AZURE_VERSION
        return azure_provider(model, endpoint, key, version, extra)
    return openai_provider(known, model, endpoint, key, extra)


def openai_provider(
    known: Known,
    model: str,
    endpoint: str,
    key: str | None,
    extra: Mapping[str, Any],
    headers: Mapping[str, str] | None = None,
) -> Provider:
    """A provider that speaks the OpenAI-compatible protocol."""
    from ragstone.llms.openai_wire import OpenAIWire

    own = {"Authorization": f"Bearer {key}"} if key else {}
    return OpenAIWire(
        known.name,
        endpoint,
        model,
        url=f"{endpoint}/chat/completions",
        headers={"Content-Type": "application/json", **(headers or {}), **own},
        extra=dict(extra),
        settings=dict(extra),
        key=key,
        key_variable=next(iter(known.variables), None),
    )


def azure_provider(
    deployment: str, endpoint: str, key: str | None, version: str, extra: Mapping[str, Any]
) -> Provider:
    """A provider for a deployment of Azure OpenAI."""
    from ragstone.llms.openai_wire import OpenAIWire

    root = endpoint.removesuffix("/openai")
    path = f"openai/deployments/{deployment}/chat/completions"
    return OpenAIWire(
        "azure",
        root,
        deployment,
        url=f"{root}/{path}?api-version={version}",
        headers={"Content-Type": "application/json", **({"api-key": key} if key else {})},
        extra=dict(extra),
        settings={**extra, "api_version": version},
        key=key,
        key_variable="AZURE_OPENAI_API_KEY",
    )


def _through_pydantic_ai(
    known: Known,
    model: str,
    base_url: str | None,
    api_key: str | None,
    extra: Mapping[str, Any],
    env: Mapping[str, str],
) -> Provider:
    from ragstone.llms.ai_provider import named_model

    endpoint = checked_url(base_url) if base_url is not None else known.endpoint
    key = checked_key(api_key) or _key(known, endpoint, own_url=base_url is not None, env=env)
    if key is None and known.variables:  # the SDK would send the provider's key to that server
        raise UsageError(f"with base_url={endpoint!r} pass api_key=... for that server")
    return named_model(known, model, base_url=base_url and endpoint, key=key, extra=extra)


def _key(known: Known, endpoint: str, *, own_url: bool, env: Mapping[str, str]) -> str | None:
    """The key from the environment. It is not sent to a server that is not its provider's."""
    if not known.variables:
        return None
    if own_url and known.endpoint and not same_site(endpoint, known.endpoint):
        return None
    for variable in known.variables:
        if (key := checked_key(env.get(variable), variable)) is not None:
            return key
    if known.name == "openai" and not same_site(endpoint, known.endpoint):
        return None  # OPENAI_BASE_URL points at a server that may need no key
    raise UsageError(
        f"no API key for {known.name!r}: set the environment variable {known.variables[0]} "
        "or pass api_key=..."
    )


def checked_key(key: str | None, source: str = "api_key") -> str | None:
    """The key without blanks around it, None when empty. Raises UsageError for a broken one."""
    key = (key or "").strip()
    if any(not (" " < letter < "\x7f") for letter in key):
        raise UsageError(f"{source} holds blanks or letters that no key has; copy it anew")
    return key or None


def checked_url(url: str) -> str:
    """The endpoint without a slash at its end. Raises UsageError for what is no HTTP address."""
    url = str(url).strip().rstrip("/")
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"base_url must begin with http:// or https:// and name a host: {url!r}")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            "base_url must hold no user, password, query or fragment; pass api_key=..."
        )
    return url

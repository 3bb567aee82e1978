"""Official clients of providers, read for where and with which key they ask.

No SDK is imported: a client is known by the module of its class. Of an OpenAI client only the
address and the key are taken, because our own adapter is an order of magnitude lighter; an
Anthropic client does the asking itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ragstone.errors import UsageError
from ragstone.llms.factory import azure_provider, checked_key, checked_url, openai_provider
from ragstone.llms.known import KNOWN, Known, known_provider, known_site
from ragstone.llms.provider import Provider

__all__ = ["provider_of_client"]


def provider_of_client(
    client: Any, who: str | None, model: str, extra: Mapping[str, Any]
) -> Provider:
    """A provider that asks where the client would ask. Raises UsageError for an unknown client.

    The model is named as that server names it; a prefix of the server's own provider is left out.
    """
    kind = type(client)
    package = kind.__module__.partition(".")[0]
    if package == "openai" and "Azure" in kind.__name__:
        return _azure(client, model.removeprefix("azure/"), extra)
    if package == "openai":
        return _openai(client, who, model, extra)
    if package == "anthropic":
        from ragstone.llms.ai_provider import client_model

        return client_model(KNOWN["anthropic"], model.removeprefix("anthropic/"), client, extra)
    raise UsageError(
        f"client must be an official OpenAI, Azure OpenAI or Anthropic client, not "
        f"{kind.__module__}.{kind.__qualname__}; without client=, llm_factory makes its own "
        "connection"
    )


def _openai(client: Any, who: str | None, model: str, extra: Mapping[str, Any]) -> Provider:
    endpoint = checked_url(client.base_url)
    site = known_site(endpoint)
    if site is not None:
        model = model.removeprefix(f"{site.name}/")
    headers = {
        name: value
        for name, value in (
            ("OpenAI-Organization", client.organization),
            ("OpenAI-Project", client.project),
        )
        if value
    }
    known = (known_provider(who) or Known(who)) if who else site or Known("openai")
    key = _readable_key(client.api_key)
    return openai_provider(known, model, endpoint, key, extra, headers)


def _azure(client: Any, deployment: str, extra: Mapping[str, Any]) -> Provider:
    version = str(client.default_query.get("api-version", ""))
    endpoint = checked_url(client.base_url).partition("/openai")[0]
    return azure_provider(deployment, endpoint, _readable_key(client.api_key), version, extra)


def _readable_key(key: Any) -> str | None:
    if not isinstance(key, str):
        raise UsageError("the client's API key is not a plain text; pass api_key=... instead")
    return checked_key(key, "the client's API key")

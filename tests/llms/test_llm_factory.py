from __future__ import annotations

import subprocess
import sys

import pytest
from judge_questions import VERDICT, YES, Text

from ragstone.errors import MissingExtra, UsageError
from ragstone.llms.factory import checked_url, known_key, llm_factory
from ragstone.llms.known import KNOWN
from ragstone.testing.llm_server import LLMServer


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for known in KNOWN.values():
        for variable in (*known.variables, known.url_variable):
            if variable:
                monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize(
    ("model", "variable", "name", "url"),
    [
        ("gpt-4o-mini", "OPENAI_API_KEY", "openai/gpt-4o-mini", "https://api.openai.com/v1"),
        ("o4-mini", "OPENAI_API_KEY", "openai/o4-mini", "https://api.openai.com/v1"),
        ("openai/gpt-5", "OPENAI_API_KEY", "openai/gpt-5", "https://api.openai.com/v1"),
        ("groq/llama-3.3-70b", "GROQ_API_KEY", "groq/llama-3.3-70b", KNOWN["groq"].endpoint),
        ("mistral-large-latest", "MISTRAL_API_KEY", "mistral/mistral-large-latest", None),
        ("deepseek/deepseek-chat", "DEEPSEEK_API_KEY", "deepseek/deepseek-chat", None),
        ("together/meta/llama", "TOGETHER_API_KEY", "together/meta/llama", None),
        ("openrouter/openai/gpt-4o", "OPENROUTER_API_KEY", "openrouter/openai/gpt-4o", None),
        ("gemini/gemini-2.5-flash", "GOOGLE_API_KEY", "gemini/gemini-2.5-flash", None),
        ("gemini-2.5-pro", "GEMINI_API_KEY", "gemini/gemini-2.5-pro", None),
        ("ollama/llama3:8b", None, "ollama/llama3:8b", "http://localhost:11434/v1"),
        ("anthropic/claude-haiku-4-5", "ANTHROPIC_API_KEY", "anthropic/claude-haiku-4-5", None),
        ("claude-haiku-4-5", "ANTHROPIC_API_KEY", "anthropic/claude-haiku-4-5", None),
    ],
)
def test_the_name_says_the_provider(monkeypatch, model, variable, name, url):
    if variable:
        with pytest.raises(UsageError, match="no API key for"):
            llm_factory(model)
        monkeypatch.setenv(variable, "key-of-the-environment")
    info = llm_factory(model).describe()
    assert info.name == name
    assert url is None or info.settings["endpoint"] == url
    assert "key-of-the-environment" not in repr(info)


def test_a_missing_key_names_its_variable():
    with pytest.raises(UsageError, match="set the environment variable GROQ_API_KEY or pass api_k"):
        llm_factory("groq/llama")


def test_an_unknown_name_lists_the_providers():
    with pytest.raises(UsageError, match=r"no provider is known for the model 'wizard'.*anthropic"):
        llm_factory("wizard")
    with pytest.raises(UsageError, match="unknown provider 'nobody'"):
        llm_factory("x", provider="nobody")
    with pytest.raises(UsageError, match="model must be a name"):
        llm_factory("")


def test_the_provider_may_be_named_apart():
    assert llm_factory("gpt-4o", provider="openai", api_key="k").describe().name == "openai/gpt-4o"
    assert llm_factory("a/b", "ollama").describe().name == "ollama/a/b"
    own = llm_factory("m", "my-server", base_url="http://127.0.0.1:9/v1/")
    assert own.describe().name == "my-server/m"
    assert own.describe().settings["endpoint"] == "http://127.0.0.1:9/v1"


def test_azure_needs_an_endpoint_and_asks_the_deployment(monkeypatch):
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", "k")
    with pytest.raises(UsageError, match="set AZURE_OPENAI_ENDPOINT"):
        llm_factory("azure/judge")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com/")
    monkeypatch.setenv("OPENAI_API_VERSION", "2025-01-01")
    provider = llm_factory("azure/judge").provider
    assert provider.url == (
        "https://mine.openai.azure.com/openai/deployments/judge/chat/completions"
        "?api-version=2025-01-01"
    )
    assert provider.headers["api-key"] == "k"
    assert "Authorization" not in provider.headers


async def test_azure_is_asked_as_it_wants_to_be():
    async with LLMServer(lambda _: YES, key="azure-key") as server:
        root = server.url.removesuffix("/v1")
        judge = llm_factory("azure/judge", base_url=root, api_key="azure-key")
        assert (await judge.ask(VERDICT, Text(text="x"))).verdict == "yes"
    assert judge.describe().settings["api_version"]


async def test_the_key_of_the_environment_stays_with_its_provider(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret-of-openai")
    async with LLMServer(lambda _: YES) as server:
        await llm_factory("m", base_url=server.url).ask(VERDICT, Text(text="x"))
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        await llm_factory("gpt-4o").ask(VERDICT, Text(text="y"))
    sent = [asked.headers.get("Authorization") for asked in server.requests]
    assert sent == [None, "Bearer secret-of-openai"]


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://x/v1", "http://", "https://user:pass@x/v1", "http://x/v1?k=1"]
)
def test_a_bad_address_is_refused(url):
    with pytest.raises(UsageError, match="base_url must"):
        checked_url(url)


@pytest.mark.parametrize("key", ["a\nb", "a b", "ключ"])
def test_a_broken_key_is_refused_without_being_shown(key):
    with pytest.raises(UsageError, match="api_key holds blanks") as caught:
        llm_factory("gpt-4o", api_key=key)
    assert key not in str(caught.value)


class AsyncOpenAI:
    """What our code reads of the official client, which tests don't install."""

    __module__ = "openai"
    organization, project = "org-1", None

    def __init__(self, base_url: str, api_key: object) -> None:
        self.base_url, self.api_key = base_url, api_key


class AsyncAzureOpenAI(AsyncOpenAI):
    __module__ = "openai.lib.azure"
    default_query = {"api-version": "2030-01-01"}  # noqa: RUF012


async def test_an_openai_client_gives_address_and_key():
    async with LLMServer(lambda _: YES, key="client-key") as server:
        client = AsyncOpenAI(f"{server.url}/", "client-key")
        judge = llm_factory("gpt-4o", client=client)
        assert (await judge.ask(VERDICT, Text(text="x"))).verdict == "yes"
    assert server.requests[0].headers["OpenAI-Organization"] == "org-1"
    with pytest.raises(UsageError, match="not a plain text"):
        llm_factory("gpt-4o", client=AsyncOpenAI(server.url, lambda: "token"))


@pytest.mark.parametrize(
    ("model", "url", "name"),
    [
        ("my-own", "http://127.0.0.1:9/v1", "openai/my-own"),
        ("openai/gpt-4o", "https://openrouter.ai/api/v1", "openrouter/openai/gpt-4o"),
        ("openai/gpt-4o", "https://api.openai.com/v1/", "openai/gpt-4o"),
        ("meta/llama", "http://127.0.0.1:9/v1", "openai/meta/llama"),
    ],
)
def test_a_model_is_named_as_its_server_names_it(model, url, name):
    client = AsyncOpenAI(url, "k")
    assert llm_factory(model, client=client).describe().name == name
    assert llm_factory(model, base_url=url, api_key="k").describe().name == name


def test_an_azure_client_gives_address_version_and_key():
    client = AsyncAzureOpenAI("https://mine.openai.azure.com/openai/", "k")
    provider = llm_factory("gpt-4o", client=client).provider
    assert provider.url == (
        "https://mine.openai.azure.com/openai/deployments/gpt-4o/chat/completions"
        "?api-version=2030-01-01"
    )


def test_another_client_is_refused_by_name():
    with pytest.raises(UsageError, match=r"not builtins\.dict"):
        llm_factory("gpt-4o", client={})


def test_the_keys_in_the_environment_choose_the_judge_in_a_fixed_order():
    assert known_key({}) is None
    assert known_key({"OPENAI_API_KEY": " "}) is None
    assert known_key({"MISTRAL_API_KEY": "k"}) == "mistral/mistral-small-latest"
    both = {"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}
    assert known_key(both) == "openai/gpt-4o-mini"
    assert known_key({"ANTHROPIC_API_KEY": "k"}) == "anthropic/claude-haiku-4-5"


def test_a_provider_whose_package_is_absent_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    monkeypatch.setitem(sys.modules, "pydantic_ai.exceptions", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ragstone\[anthropic\]'"):
        llm_factory("claude-haiku-4-5", api_key="k")


def test_a_key_is_asked_for_rather_than_sent_to_another_server(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "secret")
    with pytest.raises(UsageError, match="pass api_key="):
        llm_factory("anthropic/claude-haiku-4-5", base_url="http://127.0.0.1:9")


def test_importing_the_room_imports_nothing_heavy():
    program = (
        "import sys, ragstone.llms; "
        "print([m for m in ('aiohttp', 'pydantic_ai', 'genai_prices', 'openai', 'anthropic') "
        "if m in sys.modules])"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == "[]"

"""Multimodal metrics: which contexts become pictures, which are never opened, and what is sent."""

import base64
from pathlib import Path
from typing import Any

import anthropic
import pydantic_core
import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver

from ragstone.cache import MemoryCache
from ragstone.errors import Unscored
from ragstone.llms import llm_factory
from ragstone.local.judge import LocalJudge
from ragstone.metrics import MultiModalFaithfulness, MultiModalRelevance
from ragstone.prompt.images import Image
from ragstone.testing import LLMServer
from ragstone.tools.downloads import PublicResolver, download, is_public
from ragstone.tools.images import MOST_BYTES, image_of, read_images
from scripted import FAITHFUL, PERTINENT, FakeJudge

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 32
JPEG = b"\xff\xd8\xff\xe0" + b"\0" * 32
URI = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"
TESLA = "The Tesla Model X is an electric SUV."


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (PNG, "png"),
        (JPEG, "jpeg"),
        (b"GIF89a..", "gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "webp"),
        (b"BM\x10\0\0\0\0\0\0\0\x36", "bmp"),
    ],
)
def test_a_picture_is_told_by_its_first_bytes(data: bytes, kind: str) -> None:
    assert image_of(data, "x").media_type == f"image/{kind}"


@pytest.mark.parametrize("data", [b"", b"<svg>", b"%PDF", b"root:x:0:0", PNG * (MOST_BYTES // 30)])
def test_what_is_no_picture_or_too_large_is_refused(data: bytes) -> None:
    with pytest.raises(Unscored) as caught:
        image_of(data, "x")
    assert caught.value.code == "bad_image"


def test_as_plain_data_a_picture_is_its_hash() -> None:
    told = image_of(PNG, "x").model_dump(mode="json")
    assert set(told) == {"media_type", "sha256", "size"}
    assert "PNG" not in repr(image_of(PNG, "x"))


async def test_t86_paths_and_addresses_are_not_opened_unless_allowed(tmp_path: Path) -> None:
    """T86: no file is read and no address fetched because a context names it."""
    (tmp_path / "in").mkdir()
    inside, outside, secret = tmp_path / "in/a.png", tmp_path / "b.png", tmp_path / "in/key.png"
    inside.write_bytes(PNG)
    outside.write_bytes(PNG)
    secret.write_text("the key")
    link = tmp_path / "in/link.png"
    link.symlink_to(outside)
    allowed = [str(tmp_path / "in")]
    assert [type(c) for c in await read_images([str(inside), "text"], allowed, [])] == [Image, str]
    for name in (outside, link, tmp_path / "in/../b.png"):
        with pytest.raises(Unscored, match="image_not_allowed"):
            await read_images([str(name)], allowed, [])
    for name in (secret, tmp_path / "in/none.png"):
        with pytest.raises(Unscored, match="bad_image"):
            await read_images([str(name)], allowed, [])
    for url in ("http://127.0.0.1:9/a.png", "https://images.example/a.PNG?size=1"):
        with pytest.raises(Unscored, match="image_not_allowed"):
            await read_images([url], allowed, ["other.example"])


PLAIN = [
    "/etc/passwd",
    "https://example.org/page",
    "See the file logo.png",
    "file:///etc/passwd",
    "C:\\x",
]


@pytest.mark.parametrize("text", PLAIN)
async def test_t86_other_texts_stay_texts(text: str) -> None:
    """T86: what is not named like a picture is a text."""
    assert await read_images([text], [], []) == [text]


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "0.0.0.0",
     "::1", "fe80::1%eth0", "fc00::1", "::ffff:127.0.0.1", "224.0.0.1", "100.64.0.1"],
)  # fmt: skip
async def test_private_addresses_are_refused_even_when_allowed(address: str) -> None:
    assert not is_public(address)
    host = f"[{address.partition('%')[0]}]" if ":" in address else address
    with pytest.raises(Unscored, match="bad_image"):
        await read_images([f"http://{host}:1/a.png"], [], [host.strip("[]")])


async def test_a_name_with_a_private_address_is_refused() -> None:
    assert is_public("93.184.216.34")
    with pytest.raises(OSError, match="private"):
        await PublicResolver().resolve("localhost")
    for host in ("localhost", "2130706433"):
        with pytest.raises(Unscored, match="bad_image"):
            await read_images([f"http://{host}:1/a.png"], [], [host])


class Loopback(AbstractResolver):
    """Every name is this machine, so that a download can be tried without a network."""

    async def resolve(self, host: str, port: int = 0, family: Any = 0) -> Any:
        return [
            {
                "hostname": host,
                "host": "127.0.0.1",
                "port": port,
                "family": 2,
                "proto": 0,
                "flags": 0,
            }
        ]

    async def close(self) -> None:
        return None


async def test_a_download_is_bounded_and_follows_no_redirect() -> None:
    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/away.png":
            return web.Response(status=302, headers={"Location": "/a.png"})
        return web.Response(body=PNG if request.path == "/a.png" else b"x" * 5000)

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    base = f"http://images.example:{runner.addresses[0][1]}"
    try:
        assert await download(f"{base}/a.png", 1000, Loopback()) == PNG
        assert 1000 < len(await download(f"{base}/big.png", 1000, Loopback())) <= 5000
        with pytest.raises(Unscored, match="status 302"):
            await download(f"{base}/away.png", 1000, Loopback())
    finally:
        await runner.cleanup()


def by_name(data: Any) -> dict[str, str]:
    return {"verdict": "faithful" if "Tesla" in data.response else "unfaithful"}


def test_b30_the_documented_examples() -> None:
    judge = FakeJudge({FAITHFUL: by_name})
    for contexts in ([URI], [PNG]):
        fields: dict[str, Any] = {"retrieved_contexts": contexts, "llm": judge}
        assert MultiModalFaithfulness().score(response="Cats are cute.", **fields).value == 0.0
        assert MultiModalFaithfulness().score(response=TESLA, **fields).value == 1.0
    relevant = FakeJudge({PERTINENT: {"verdict": "relevant"}})
    result = MultiModalRelevance().score(
        user_input="What is it?", response=TESLA, retrieved_contexts=[URI, "A car."], llm=relevant
    )
    assert result.value == 1.0
    assert [piece.verdict for piece in result.evidence] == ["relevant", "seen"]


def test_a_bad_picture_is_no_score_and_not_asked_about() -> None:
    for bad in ("data:image/png;base64,AAAA", "data:image/png;base64,%%%", "/tmp/x.png", b"<svg>"):
        judge = FakeJudge({})
        fields: dict[str, Any] = {"response": TESLA, "retrieved_contexts": [bad]}
        result = MultiModalFaithfulness().score(**fields, llm=judge)
        assert result.status == "unscored"
        assert result.code in ("bad_image", "image_not_allowed")
    fields["retrieved_contexts"] = [URI]
    assert MultiModalFaithfulness().score(**fields, llm=LocalJudge()).code == "needs_llm"


async def test_pictures_go_over_the_openai_protocol_and_into_the_cache_key() -> None:
    async with LLMServer() as server:
        cache = MemoryCache()
        judge = llm_factory("m", base_url=server.url, api_key="k", cache=cache)
        other = f"data:image/jpeg;base64,{base64.b64encode(JPEG).decode()}"
        for uri in (URI, URI, other):
            fields: dict[str, Any] = {"response": TESLA, "retrieved_contexts": ["A text.", uri]}
            assert (await MultiModalFaithfulness().ascore(**fields, llm=judge)).value == 1.0
        assert server.calls == 2
        assert [asked.images for asked in server.requests] == [[URI], [other]]
        assert "[[begin contexts 2" in server.requests[0].user
        assert "picture 1" in server.requests[0].user
        await judge.aclose()


async def test_pictures_go_over_anthropics_protocol() -> None:
    seen: list[Any] = []

    async def answer(request: web.BaseRequest) -> web.StreamResponse:
        seen.append(pydantic_core.from_json(await request.read()))
        text = {"type": "text", "text": '{"reason": "r", "verdict": "faithful"}'}
        reply = {
            "id": "m", "type": "message", "role": "assistant", "model": "claude", "content": [text],
            "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1},
        }  # fmt: skip
        return web.json_response(reply)

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    client = anthropic.AsyncAnthropic(api_key="k", base_url=url)
    judge = llm_factory("claude-haiku-4-5", client=client)
    try:
        fields: dict[str, Any] = {"response": TESLA, "retrieved_contexts": [PNG]}
        assert (await MultiModalFaithfulness().ascore(**fields, llm=judge)).value == 1.0
    finally:
        await judge.aclose()
        await client.close()
        await runner.cleanup()
    (source,) = [p["source"] for p in seen[0]["messages"][0]["content"] if p["type"] == "image"]
    assert source["media_type"] == "image/png"
    assert base64.b64decode(source["data"]) == PNG

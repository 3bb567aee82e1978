"""Pictures out of contexts: bytes, data URIs, and files and addresses that are allowed."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from ragstone.errors import Unscored
from ragstone.prompt.images import Image
from ragstone.tools.downloads import download

__all__ = ["MOST_BYTES", "image_of", "read_images"]

MOST_BYTES = 10 * 1024 * 1024
"""Of one picture; all pictures of a question may have four times as many."""

_DATA = re.compile(r"data:image/[\w.+-]+(?:;[\w.=+-]+)*;base64,", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_NAMED = re.compile(r"[^\x00-\x1f]{1,4096}\.(?:jpe?g|png|gif|webp|bmp)", re.IGNORECASE)
_MAGIC = {b"\x89PNG\r\n\x1a\n": "png", b"\xff\xd8\xff": "jpeg", b"GIF87a": "gif", b"GIF89a": "gif"}


async def read_images(
    contexts: Sequence[str | bytes], allow_paths: Sequence[str], allow_hosts: Sequence[str]
) -> list[str | Image]:
    """The contexts with those that are pictures read; all others stay the texts that they are.

    A picture is bytes, a data URI, the path of a file below one of `allow_paths`, or an address of
    one of `allow_hosts`. Nothing else is opened. Raises Unscored("image_not_allowed") for what is
    named like a picture but not allowed, Unscored("bad_image") for what is none or too large.
    """
    found = [await _read(context, allow_paths, allow_hosts) for context in contexts]
    if sum(part.size for part in found if isinstance(part, Image)) > 4 * MOST_BYTES:
        raise Unscored("bad_image", f"the pictures have more than {4 * MOST_BYTES} bytes together")
    return found


async def _read(
    context: str | bytes, allow_paths: Sequence[str], allow_hosts: Sequence[str]
) -> str | Image:
    if isinstance(context, bytes):
        return image_of(context, "the bytes given")
    text = context.strip()
    if prefix := _DATA.match(text):
        return _decoded(text[prefix.end() :])
    if _ADDRESS.fullmatch(text):
        return await _fetched(context, text, allow_hosts)
    if _NAMED.fullmatch(text):
        return await asyncio.to_thread(_opened, context, text, allow_paths)
    return context


def image_of(data: bytes, what: str) -> Image:
    """The picture, by what its first bytes say it is; raises Unscored("bad_image")."""
    if len(data) > MOST_BYTES:
        raise Unscored("bad_image", f"{what}: more than {MOST_BYTES} bytes")
    kind = next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), None)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        kind = "webp"
    if data[:2] == b"BM" and data[6:10] == bytes(4):
        kind = "bmp"
    if kind is None:
        raise Unscored("bad_image", f"{what}: no PNG, JPEG, GIF, WebP or BMP picture")
    return Image(media_type=f"image/{kind}", data=data)


def _decoded(text: str) -> Image:
    if len(text) > MOST_BYTES * 2:
        raise Unscored("bad_image", f"a data URI: more than {MOST_BYTES} bytes")
    try:
        return image_of(base64.b64decode("".join(text.split()), validate=True), "a data URI")
    except binascii.Error as error:
        raise Unscored("bad_image", f"a data URI: no base64 ({error})") from None


async def _fetched(context: str, url: str, allow_hosts: Sequence[str]) -> str | Image:
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return context
    if host.lower() in {allowed.lower() for allowed in allow_hosts}:
        return image_of(await download(url, MOST_BYTES), f"the picture at {host!r}")
    if _NAMED.fullmatch(parts.path):
        detail = f"a picture at {host!r} is fetched only with allow_hosts=({host!r},)"
        raise Unscored("image_not_allowed", detail)
    return context


def _opened(context: str, name: str, allow_paths: Sequence[str]) -> str | Image:
    path = Path(name).resolve()
    if any(path.is_relative_to(Path(allowed).resolve()) for allowed in allow_paths):
        if not path.is_file():
            raise Unscored("bad_image", f"{path.name!r}: no such file")
        with path.open("rb") as file:
            return image_of(file.read(MOST_BYTES + 1), repr(path.name))
    if any(letter.isspace() for letter in name):
        return context  # a sentence that ends with the name of a file
    detail = f"the picture {path.name!r} is opened only below a folder of allow_paths=(...)"
    raise Unscored("image_not_allowed", detail)

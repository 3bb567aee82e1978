"""One small download from an allowed host, never from a private address."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from ragstone.errors import Unscored

__all__ = ["PublicResolver", "download", "is_public"]

_SECONDS = 10.0


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return ip.is_global and not ip.is_multicast


class PublicResolver(AbstractResolver):
    """Resolves names, and refuses those of which any address is private.

    The connection goes to the address that was checked, so that a name cannot change between.
    """

    def __init__(self) -> None:
        self._inner = aiohttp.ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """The addresses of a host; OSError when one of them is private."""
        found = await self._inner.resolve(host, port, family)
        if not all(is_public(each["host"]) for each in found):
            raise OSError(f"{host!r} has a private address")
        return found

    async def close(self) -> None:
        """Nothing is open."""


async def download(url: str, most: int, resolver: AbstractResolver | None = None) -> bytes:
    """What stands at an address, at most `most` + 1 bytes of it, within ten seconds.

    No redirect is followed and no cookie, key or proxy used. Raises Unscored("bad_image").
    """
    host = urlsplit(url).hostname or ""
    if _is_literal(host) and not is_public(host):
        raise Unscored("bad_image", f"{host!r} is a private address")
    connector = aiohttp.TCPConnector(resolver=resolver or PublicResolver())
    timeout = aiohttp.ClientTimeout(total=_SECONDS)
    jar = aiohttp.DummyCookieJar()
    try:
        async with (
            aiohttp.ClientSession(connector=connector, timeout=timeout, cookie_jar=jar) as session,
            session.get(url, allow_redirects=False) as reply,
        ):
            if reply.status != 200:
                raise Unscored("bad_image", f"{host!r} answered with status {reply.status}")
            return await _read(reply, most)
    except TimeoutError:
        raise Unscored("bad_image", f"{host!r} did not answer in {_SECONDS:g} s") from None
    except (aiohttp.ClientError, ValueError) as error:
        raise Unscored("bad_image", f"{host!r} cannot be read: {error}") from None


async def _read(reply: aiohttp.ClientResponse, most: int) -> bytes:
    data = b""
    async for part in reply.content.iter_any():
        data += part
        if len(data) > most:
            break
    return data


def _is_literal(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True

"""A fresh database of each kind for a test."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from ragstone.store import Store, open_store

_numbers = itertools.count(1)


@pytest.fixture
def postgres_url(postgres_uri: str) -> Iterator[str]:
    """The URL of an empty database on that server."""
    name = f"store_{next(_numbers)}"
    with psycopg.connect(postgres_uri, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield postgres_uri.replace("/postgres?", f"/{name}?")
    with psycopg.connect(postgres_uri, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of each kind in turn."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgres_url"))
    return f"sqlite:///{tmp_path / 'home' / 'ragstone.db'}"


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An open store in that database."""
    with open_store(url) as opened:
        yield opened

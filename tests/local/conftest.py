"""The real models, loaded once."""

import pytest

from ragstone.local.encoder import Encoder, encoder
from ragstone.local.judge import LocalJudge


@pytest.fixture(scope="session")
def model() -> Encoder:
    return encoder()


@pytest.fixture
def judge() -> LocalJudge:
    return LocalJudge()

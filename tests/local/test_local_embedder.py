"""The local embedder with its real model."""

import random
import subprocess
import sys

import numpy as np
import pytest

from ragstone.errors import MissingExtra, Unscored
from ragstone.local.embedder import LocalEmbedder
from ragstone.local.encoder import Encoder
from ragstone.tools.embedder import cosines

TEXTS = [
    "The cat sits on the mat.",
    "A cat is sitting on a rug.",
    "Interest rates rose by half a percent.",
    "日本の首都は東京です。",
    "x",
    "😀",
    "half a pair \ud83d of surrogates",
    "word " * 2000,
]


async def test_likeness():
    alike, unlike = await cosines(LocalEmbedder(), TEXTS[0], TEXTS[1:3])
    assert alike > 0.7
    assert unlike < 0.2


async def test_unit_vectors_of_one_length():
    vectors = np.array(await LocalEmbedder().aembed_texts(TEXTS))
    assert vectors.shape == (len(TEXTS), 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


async def test_a_vector_depends_on_its_own_text_alone(model: Encoder):  # T59
    together = await LocalEmbedder().aembed_texts(TEXTS)
    model._vectors.clear()
    order = random.Random(7).sample(range(len(TEXTS)), len(TEXTS))
    again = {n: (await LocalEmbedder().aembed_texts([TEXTS[n]]))[0] for n in order}
    assert [again[n] for n in range(len(TEXTS))] == together


async def test_text_is_cut_at_256_tokens():
    embedder = LocalEmbedder()
    assert embedder.describe().settings["max_tokens"] == 256
    long, longer = await embedder.aembed_texts(["word " * 254, "word " * 254 + "rocket " * 50])
    assert long == longer


@pytest.mark.parametrize("blank", ["", "  \n"])
async def test_a_blank_text_has_no_vector(blank: str):
    with pytest.raises(Unscored, match="text 2 of 2 is blank") as caught:
        await LocalEmbedder().aembed_texts(["a", blank])
    assert caught.value.code == "empty_text"


async def test_no_texts():
    assert await LocalEmbedder().aembed_texts([]) == []


def test_from_sync_code():
    assert len(LocalEmbedder().embed_text("hello")) == 384


def test_describe():
    info = LocalEmbedder().describe()
    assert (info.kind, info.name) == ("local", "all-MiniLM-L6-v2 (int8)")
    assert all(len(digest) == 64 for digest in info.settings["sha256"].values())


def test_kept_vectors_are_bounded(model: Encoder, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(model._vectors, "_size", 3)
    for n in range(10):
        model.vectors([f"text {n}"])
    assert len(model._vectors) == 3


@pytest.mark.parametrize("absent", ["onnxruntime", "tokenizers", "ragstone_models"])
def test_an_absent_package_names_the_extra(absent: str, monkeypatch: pytest.MonkeyPatch):
    from ragstone.local import encoder

    monkeypatch.setitem(sys.modules, absent, None)
    encoder._encoder.cache_clear()
    with pytest.raises(MissingExtra, match=r"pip install 'ragstone\[local\]'"):
        encoder.encoder()


def test_nothing_heavy_is_imported_with_the_room():
    code = (
        "import sys, ragstone.local.judge, ragstone.local.embedder; "
        "print([m for m in ('onnxruntime', 'tokenizers', 'spacy', 'ragstone_models') "
        "if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"

"""The packaged embedder gives unit vectors that depend on the text and on nothing else."""

import numpy as np
import onnxruntime as ort
import pytest
from numpy.typing import NDArray
from ragstone_models import model
from tokenizers import Tokenizer

CAT = "A cat is sleeping on the sofa."
LONG = "The committee met on Tuesday to discuss the budget. " * 100


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return Tokenizer.from_file(str(model("embedder").path("tokenizer.json")))


@pytest.fixture(scope="module")
def session() -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    path = str(model("embedder").path("model.onnx"))
    return ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def embed(session: ort.InferenceSession, tokenizer: Tokenizer, *texts: str) -> NDArray[np.float32]:
    encoded = tokenizer.encode_batch(list(texts))
    ids = np.array([one.ids for one in encoded], np.int64)
    mask = np.array([one.attention_mask for one in encoded], np.int64)
    feeds = {"input_ids": ids, "attention_mask": mask}
    vectors: NDArray[np.float32] = session.run(["embedding"], feeds)[0]
    return vectors


def test_any_text_gives_a_unit_vector(session: ort.InferenceSession, tokenizer: Tokenizer) -> None:
    vectors = embed(session, tokenizer, CAT, "", " \n", "日本語 😀", "\x00", LONG)
    assert vectors.shape == (6, 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(6), abs=1e-5)


def test_padding_does_not_change_a_vector(
    session: ort.InferenceSession, tokenizer: Tokenizer
) -> None:
    alone = embed(session, tokenizer, CAT)[0]
    beside_long = embed(session, tokenizer, CAT, LONG)[0]
    assert beside_long == pytest.approx(alone, abs=1e-5)


def test_text_is_cut_at_256_tokens(tokenizer: Tokenizer) -> None:
    assert len(tokenizer.encode(LONG).ids) == 256
    assert len(tokenizer.encode(CAT).ids) == 10


def test_nothing_but_padding_gives_zero_and_not_nan(session: ort.InferenceSession) -> None:
    nothing = np.zeros((1, 3), np.int64)
    (vector,) = session.run(None, {"input_ids": nothing, "attention_mask": nothing})
    assert not vector.any()


def test_paraphrase_is_closer_than_another_topic(
    session: ort.InferenceSession, tokenizer: Tokenizer
) -> None:
    cat, kitten, bank = embed(
        session, tokenizer, CAT, "A kitten naps on the couch.", "The bank raised its rates."
    )
    assert cat @ kitten > 0.6 > 0.2 > cat @ bank

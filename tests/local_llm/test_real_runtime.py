"""The real runtime on a tiny model with random weights: what it answers is noise, how is not."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import gguf
import numpy as np
import pytest

from ragstone.errors import UsageError
from ragstone.local_llm.judge import LocalLLMJudge
from ragstone.local_llm.neutral import neutral
from ragstone.local_llm.questions import question
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT, Claims, ClaimsIn
from ragstone.prompt.equivalence import EQUIVALENCE, EquivalenceIn
from ragstone.prompt.retrieval import USEFULNESS, UsefulnessIn
from ragstone.tools.recording import recording

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


TOKENS = 264


def write_tiny(path: Path) -> None:
    """One layer that says yes or no more readily than anything else."""
    out = gguf.GGUFWriter(path, "llama")
    _write_vocabulary(out)
    _write_layer(out, 32, 64)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


def _write_vocabulary(out: gguf.GGUFWriter) -> None:
    tokens = [b"<unk>", b"<s>", b"</s>", *(f"<0x{n:02X}>".encode() for n in range(256))]
    tokens += ["▁".encode(), b"yes", b"no", b"<|im_start|>", b"<|im_end|>"]
    assert len(tokens) == TOKENS
    out.add_vocab_size(TOKENS)
    out.add_tokenizer_model("llama")
    out.add_tokenizer_pre("default")
    out.add_token_list(tokens)
    out.add_token_scores([0.0] * 3 + [-1000.0] * 256 + [-5.0, -1.0, -1.0, 0.0, 0.0])
    out.add_token_types([2, 3, 3] + [6] * 256 + [1, 1, 1, 3, 3])
    out.add_bos_token_id(1)
    out.add_eos_token_id(2)
    out.add_unk_token_id(0)
    out.add_add_space_prefix(False)
    out.add_chat_template(TEMPLATE)


def _write_layer(out: gguf.GGUFWriter, width: int, inner: int) -> None:
    rng = np.random.default_rng(0)
    out.add_context_length(8192)
    out.add_embedding_length(width)
    out.add_block_count(1)
    out.add_feed_forward_length(inner)
    out.add_head_count(2)
    out.add_head_count_kv(2)
    out.add_rope_dimension_count(width // 2)
    out.add_layer_norm_rms_eps(1e-5)
    shapes = dict.fromkeys(("attn_q", "attn_k", "attn_v", "attn_output"), (width, width))
    shapes |= {"ffn_gate": (inner, width), "ffn_up": (inner, width), "ffn_down": (width, inner)}
    for name, shape in shapes.items():
        values = (rng.standard_normal(shape) * 0.1).astype(np.float32)
        out.add_tensor(f"blk.0.{name}.weight", values)
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        out.add_tensor(f"{name}.weight", np.ones(width, np.float32))
    embeddings = (rng.standard_normal((TOKENS, width)) * 0.3).astype(np.float32)
    embeddings[:, 0] = 3.0  # a direction that is always on, along which lie yes and no
    out.add_tensor("token_embd.weight", embeddings)
    head = (rng.standard_normal((TOKENS, width)) * 0.1).astype(np.float32)
    head[260:262, 0] = 2.0
    out.add_tensor("output.weight", head)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    write_tiny(path)
    return path


@pytest.fixture(scope="module")
def judge(tiny: Path) -> LocalLLMJudge:
    return LocalLLMJudge(tiny, threads=1, context=8192)


async def test_verdicts_carry_probabilities_and_count_tokens(judge: LocalLLMJudge) -> None:
    with recording() as calls:
        found = await judge.verdicts(
            SUPPORT, ["Rex is a dog.", "Rex weighs 9 kg."], contexts=["Rex is a dog of 5 kg."]
        )
    assert [verdict.id for verdict in found] == ["1", "2"]
    for verdict in found:
        assert verdict.probability is not None
        assert (verdict.verdict == "supported") == (verdict.probability >= 0.5)
    usage = calls[0].usage
    assert (usage.calls, usage.output_tokens, usage.cost) == (2, 2, 0.0)
    assert usage.input_tokens > 200
    assert not usage.estimated


async def test_the_same_question_has_the_same_answer(judge: LocalLLMJudge) -> None:
    data = UsefulnessIn(question="Who is Rex?", answer="", context="Rex is a dog.")
    first = await judge.ask(USEFULNESS, data)
    asked = EquivalenceIn(question="Who?", references=["Rex"], response="Rex")
    assert (await judge.ask(EQUIVALENCE, asked)).probability is not None
    again = await judge.ask(USEFULNESS, data)
    assert again.probability == pytest.approx(first.probability, abs=1e-5)


def test_describe_names_file_hash_and_runtime(judge: LocalLLMJudge) -> None:
    info = judge.describe()
    assert info.name == "local-llm/tiny.gguf"
    assert len(info.settings["sha256"]) == 64
    assert {"threads", "xllamacpp", "context"} <= set(info.settings)


def test_no_text_in_data_ends_its_turn() -> None:
    for mark in ("<|im_end|>", "<|eot_id|>", "</s>", "[/INST]", "<end_of_turn>", "<｜User｜>"):
        assert mark not in question("support", passage=f"a{mark}b", claim=mark).user
        assert neutral(mark).replace(" ", "") == mark
    assert neutral("a < b | c > d <b>") == "a < b | c > d <b>"


def test_what_is_no_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.gguf"):
        LocalLLMJudge(tmp_path / "none.gguf")


async def test_a_broken_file_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(100))
    data = UsefulnessIn(question="Who is Rex?", answer="", context="Rex is a dog.")
    with pytest.raises(UsageError, match=r"broken\.gguf"):
        await LocalLLMJudge(broken).ask(USEFULNESS, data)


def test_a_process_ends_well_and_quietly(tiny: Path) -> None:
    program = (
        "import asyncio, sys\n"
        "from ragstone.local_llm.judge import LocalLLMJudge\n"
        "from ragstone.prompt.retrieval import USEFULNESS, UsefulnessIn\n"
        "data = UsefulnessIn(question='Who?', answer='', context='Rex.')\n"
        "judge = LocalLLMJudge(sys.argv[1], threads=2)\n"
        "print(asyncio.run(judge.ask(USEFULNESS, data)).verdict)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tiny)], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0
    assert ended.stdout.strip() in ("useful", "not_useful")
    assert ended.stderr == ""


async def test_other_prompts_get_replies_of_their_form(tiny: Path) -> None:
    judge = LocalLLMJudge(tiny, threads=1, context=8192)
    with recording() as calls:
        outcome = await asyncio.gather(
            judge.ask(EXTRACT_CLAIMS, ClaimsIn(text="Rex is a dog.")), return_exceptions=True
        )
    # Random weights may never close a string; then the reply is cut off, and that is said.
    assert isinstance(outcome[0], Claims) or getattr(outcome[0], "code", "") == "truncated"
    assert calls[0].usage.cost == 0.0
    assert calls[0].usage.output_tokens > 0
    assert calls[0].raw is None or calls[0].raw.lstrip().startswith("{")

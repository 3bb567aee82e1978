"""The real runtime on a tiny model with random weights: what it answers is noise, how is not."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import gguf
import numpy as np
import pytest

from ragstone.errors import MissingExtra, Unscored, UsageError
from ragstone.local_llm.engine import shared_engine
from ragstone.local_llm.header import QUANTIZATIONS, quantization
from ragstone.local_llm.judge import LocalLLMJudge
from ragstone.local_llm.neutral import neutral
from ragstone.local_llm.questions import first_token, p_yes, question
from ragstone.prompt.claims import EXTRACT_CLAIMS, SUPPORT, Claims, ClaimsIn
from ragstone.prompt.equivalence import EQUIVALENCE, EquivalenceIn
from ragstone.tools.recording import recording

TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


TOKENS = 264


QUANTIZED = gguf.GGMLQuantizationType.Q4_0


def write_tiny(path: Path) -> None:
    """One layer of 4-bit weights that says yes or no more readily than anything else."""
    out = gguf.GGUFWriter(path, "llama")
    _write_vocabulary(out)
    _write_layer(out, 64, 128)
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
    out.add_file_type(gguf.LlamaFileType.MOSTLY_Q4_0)


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
        small = gguf.quants.quantize(values, QUANTIZED)
        out.add_tensor(f"blk.0.{name}.weight", small, raw_dtype=QUANTIZED)
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
    data = EquivalenceIn(question="Who is Rex?", references=["a dog"], response="Rex is a dog.")
    first = await judge.ask(EQUIVALENCE, data)
    asked = EquivalenceIn(question="Who?", references=["Rex"], response="Rex")
    assert (await judge.ask(EQUIVALENCE, asked)).probability is not None
    again = await judge.ask(EQUIVALENCE, data)
    assert again.probability == pytest.approx(first.probability, abs=1e-5)


def test_describe_names_file_hash_and_runtime(judge: LocalLLMJudge) -> None:
    info = judge.describe()
    assert info.name == "local-llm/tiny.gguf"
    assert len(info.settings["sha256"]) == 64
    assert {"threads", "xllamacpp", "context"} <= set(info.settings)
    assert info.settings["quantization"] == "Q4_0"


def test_quantizations_are_named_as_the_library_of_the_format_names_them() -> None:
    named = {int(kind): kind.name for kind in gguf.LlamaFileType}
    for number, name in QUANTIZATIONS.items():
        assert named[number].partition("_")[2] == name


def test_judges_share_a_model_and_another_one_takes_its_place(tiny: Path) -> None:
    def engine(context: int) -> object:
        return LocalLLMJudge(tiny, threads=1, context=context).provider.engine  # type: ignore[attr-defined]

    first = engine(1024)
    assert engine(1024) is first
    assert engine(2048) is not first
    assert shared_engine.cache_info().currsize == 1


async def test_a_claim_without_words_is_asked_all_the_same(judge: LocalLLMJudge) -> None:
    (found,) = await judge.verdicts(SUPPORT, ["✓"], contexts=["Rex is a dog. ✓", "Ada."])
    assert found.probability is not None
    assert 0.0 < found.probability < 1.0


async def test_what_is_read_anew_does_not_depend_on_earlier_questions(tiny: Path) -> None:
    """Quantized weights round otherwise in a batch of another size, so the sizes must be fixed."""
    engine = shared_engine(tiny, "", 1, 4096)
    claims = ["Rex is a dog.", "Rex is a dog of 5 kg.", "Ada."]
    passages = ["Rex is a dog of 5 kg.", "Rex is a dog of Ada's."]
    asked = {(p, c): question("support", passage=p, claim=c) for p in passages for c in claims}
    keys = list(asked)

    async def read(order: list[tuple[str, str]]) -> dict[tuple[str, str], tuple[int, float]]:
        found = {}
        for key in order:
            reply = await engine.chat(asked[key].body, asked[key].beginnings)
            cached = reply["usage"]["prompt_tokens_details"]["cached_tokens"]
            found[key] = (cached, p_yes(first_token(reply)))
        return found

    first = await read(keys)
    assert all(cached > len(passages[0]) for cached, _ in first.values())
    assert await read(keys[::-1]) == first
    assert await read([keys[0], keys[3], keys[1], keys[4], keys[2], keys[5]]) == first


def test_a_turn_that_ends_at_once_is_no_verdict() -> None:
    with pytest.raises(Unscored, match="neither yes nor no"):
        p_yes(first_token({"choices": [{"finish_reason": "stop", "logprobs": None}]}))


async def test_order_does_not_move_a_verdict(judge: LocalLLMJudge) -> None:
    claims, contexts = ["Rex is a dog.", "Rex weighs 9 kg.", "Ada."], ["Rex is a dog of 5 kg."]
    found = await judge.verdicts(SUPPORT, claims, contexts=contexts)
    turned = await judge.verdicts(SUPPORT, claims[::-1], contexts=contexts)
    for one, other in zip(found, turned[::-1], strict=True):
        assert one.probability == pytest.approx(other.probability, abs=1e-5)


def test_no_text_in_data_ends_its_turn() -> None:
    for mark in ("<|im_end|>", "<|eot_id|>", "</s>", "[/INST]", "<end_of_turn>", "<｜User｜>"):
        assert mark not in question("support", passage=f"a{mark}b", claim=mark).user
        assert neutral(mark).replace(" ", "") == mark
    assert neutral("a < b | c > d <b>") == "a < b | c > d <b>"


def test_what_is_no_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.gguf"):
        LocalLLMJudge(tmp_path / "none.gguf")


@pytest.mark.parametrize("head", [b"", b"PK\x03\x04", b"GGUF", b"GGUF" + b"\xff" * 60])
def test_what_is_no_whole_gguf_is_refused_at_once(tmp_path: Path, head: bytes) -> None:
    (tmp_path / "odd.gguf").write_bytes(head)
    with pytest.raises(UsageError, match=r"odd\.gguf"):
        LocalLLMJudge(tmp_path / "odd.gguf")
    with pytest.raises(UsageError, match=r"odd\.gguf"):
        quantization(tmp_path / "odd.gguf")


def test_without_the_extra_its_pip_line_is_named(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ragstone\[local-llm\]'"):
        LocalLLMJudge(tiny)


async def test_a_broken_file_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(100))
    data = EquivalenceIn(question="Who?", references=["Rex"], response="Rex")
    with pytest.raises(UsageError, match=r"broken\.gguf"):
        await LocalLLMJudge(broken).ask(EQUIVALENCE, data)


def test_a_process_ends_well_and_quietly(tiny: Path) -> None:
    program = (
        "import asyncio, sys\n"
        "from ragstone.local_llm.judge import LocalLLMJudge\n"
        "from ragstone.prompt.equivalence import EQUIVALENCE, EquivalenceIn\n"
        "data = EquivalenceIn(question='Who?', references=['Rex'], response='Rex.')\n"
        "judge = LocalLLMJudge(sys.argv[1], threads=2)\n"
        "print(asyncio.run(judge.ask(EQUIVALENCE, data)).verdict)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(tiny)], capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0
    assert ended.stdout.strip() in ("equivalent", "different")
    assert ended.stderr == ""


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc ends a fork as it should")
@pytest.mark.parametrize("before", [True, False])
def test_a_forked_process_judges_and_ends_with_its_own_status(tiny: Path, before: bool) -> None:
    program = (
        "import asyncio, os, sys\n"
        "from ragstone.local_llm.judge import LocalLLMJudge\n"
        "from ragstone.prompt.equivalence import EQUIVALENCE, EquivalenceIn\n"
        "data = EquivalenceIn(question='Who?', references=['Rex'], response='Rex.')\n"
        "judge = LocalLLMJudge(sys.argv[1], threads=2)\n"
        "def ask():\n"
        "    print(asyncio.run(judge.ask(EQUIVALENCE, data)).probability, flush=True)\n"
        "if sys.argv[2] == 'True':\n"
        "    ask()\n"
        "if not (child := os.fork()):\n"
        "    ask()\n"
        "    sys.exit(3)\n"
        "status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])\n"
        "ask()\n"
        "sys.exit(status)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, str(tiny), str(before)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == 3, ended.stderr
    assert ended.stderr == ""
    answers = ended.stdout.split()
    assert len(answers) == 2 + before
    assert len(set(answers)) == 1


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

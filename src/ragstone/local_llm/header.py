"""The head of a GGUF file, read for how its weights are quantized."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import IO

from ragstone.errors import UsageError

__all__ = ["QUANTIZATIONS", "quantization"]

_KEY = "general.file_type"
_STRING, _ARRAY = 8, 9
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_LONGEST = 1 << 26  # bytes: a count beyond it is damage, not data

_NAMES = """
F32 F16 Q4_0 Q4_1 - - - Q8_0 Q5_0 Q5_1 Q2_K Q3_K_S Q3_K_M Q3_K_L Q4_K_S Q4_K_M Q5_K_S Q5_K_M Q6_K
IQ2_XXS IQ2_XS Q2_K_S IQ3_XS IQ3_XXS IQ1_S IQ4_NL IQ3_S IQ3_M IQ2_S IQ2_M IQ4_XS IQ1_M BF16 - - -
TQ1_0 TQ2_0 MXFP4_MOE
"""

QUANTIZATIONS = {number: name for number, name in enumerate(_NAMES.split()) if name != "-"}
"""The number of a file type, as llama.cpp counts them -> its name."""


def quantization(path: Path) -> str:
    """Such as "Q4_K_M"; "unknown" when the file does not say. UsageError: it is no GGUF file."""
    try:
        with path.open("rb") as stream:
            if stream.read(4) != b"GGUF":
                raise UsageError(f"{str(path)!r} is no GGUF file")
            _, _, keys = _numbers(stream, "<IQQ")
            for _ in range(keys):
                key = _string(stream).decode("utf-8", "replace")
                (kind,) = _numbers(stream, "<I")
                if key == _KEY and kind == 4:
                    (number,) = _numbers(stream, "<I")
                    return QUANTIZATIONS.get(number, f"file type {number}")
                _skip(stream, kind)
    except (struct.error, ValueError) as error:
        raise UsageError(f"{str(path)!r} is a damaged GGUF file: its head ends early") from error
    return "unknown"


def _numbers(stream: IO[bytes], form: str) -> tuple[int, ...]:
    return struct.unpack(form, stream.read(struct.calcsize(form)))


def _string(stream: IO[bytes]) -> bytes:
    (length,) = _numbers(stream, "<Q")
    if length > _LONGEST:
        raise ValueError(length)
    return stream.read(length)


def _skip(stream: IO[bytes], kind: int) -> None:
    if kind == _STRING:
        _string(stream)
    elif kind == _ARRAY:
        of, count = _numbers(stream, "<IQ")
        if of == _STRING:
            for _ in range(count):
                _string(stream)
        elif of in _SIZES and count * _SIZES[of] <= _LONGEST:
            stream.seek(count * _SIZES[of], 1)
        else:
            raise ValueError(of)
    elif kind in _SIZES:
        stream.seek(_SIZES[kind], 1)
    else:
        raise ValueError(kind)

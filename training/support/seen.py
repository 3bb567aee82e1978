"""Write which documents and questions the local judge has learned from, as hashes.

    RAGSTONE_LABELLED_DATA=FOLDER python training/support/seen.py

`ragstone bench agreement` counts the measured rows that are among them. Run it again when another
set is learned from, and renew seen.toml beside the file that it writes.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import ragstone.bench.agreement as room
from data import raw
from ragstone.bench.agreement.groups import group_of, hashed, is_held_out


def main() -> None:
    """The oracle chunks have the groups of WiCE, and in a folder without WiCE their own."""
    pages = {row["id"]: group_of(row) for row in raw("dev/wice")}
    found: defaultdict[str, dict[str, set[str]]] = defaultdict(
        lambda: {"held_out": set(), "rest": set()}
    )
    for name in ("wice", "wice_oracle_chunks", "factcheck_gpt", "fm2", "evouna_tq"):
        for row in raw(f"dev/{name}"):
            own = group_of(row)
            page = pages[row["id"].replace("oracle-", "", 1)] if name.startswith("wice_") else own
            part = found[name]["held_out" if is_held_out(page) else "rest"]
            part |= {f"{hashed(group):012x}" for group in (own, page)}
    plain = {name: {part: sorted(g) for part, g in parts.items()} for name, parts in found.items()}
    text = json.dumps(plain, indent=0) + "\n"
    (Path(room.__file__).parent / "seen_groups.json").write_text(text, encoding="utf-8")
    for name, parts in plain.items():
        print(name, {part: len(groups) for part, groups in parts.items()})


if __name__ == "__main__":
    main()

"""Options that several commands have."""

from __future__ import annotations

import click

__all__ = ["budget", "concurrency", "database", "json_output", "judge"]

database = click.option(
    "--database",
    metavar="URL",
    help="Where the runs are kept (default: $RAGSTONE_DATABASE_URL, else a file in the data "
    "folder): sqlite:///PATH or postgresql://...",
)
json_output = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
judge = click.option(
    "--judge",
    metavar="local|local-llm|MODEL",
    help="Who judges: 'local' (offline), 'local-llm' or a .gguf file (a language model in this "
    "process), or a model such as gpt-4o-mini or ollama/qwen3 (default: $RAGSTONE_JUDGE; else the "
    "LLM whose key is set; else local-llm when it is installed and fetched; else local).",
)
budget = click.option(
    "--budget",
    metavar="LIMIT",
    help="Stop when this is spent, keeping what was scored: '$5', '1000 calls' or '2M tokens'.",
)
concurrency = click.option(
    "--concurrency",
    type=click.IntRange(min=1),
    default=64,
    metavar="N",
    show_default=True,
    help="Cells under way at the same time.",
)

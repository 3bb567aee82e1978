"""`python -m ragstone`, the same as `ragstone`."""

from __future__ import annotations

from ragstone.cli import main

main()

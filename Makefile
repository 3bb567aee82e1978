# Two commands matter: `make demo` and `make test`. Both make their own environment in .venv.

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
MODELS := packages/ragstone-models
SOURCES := src tests benchmarks training examples packages scripts/make-docs

.PHONY: demo test check format docs lock wheel clean

demo: $(VENV)/.demo  ## evaluate a real data set offline, print the table, write the report
	$(BIN)/ragstone demo --report ragstone-demo.html

test: $(VENV)/.test  ## the whole gate, from a clean checkout
	scripts/install-browser
	$(MAKE) --no-print-directory check wheel

check:  ## ruff, mypy --strict, import-linter, pytest
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n auto --dist loadfile

wheel: $(VENV)/.test  ## the bare wheel in an empty environment: import and help
	scripts/check-wheel $(PYTHON)

format:  ## put the code in shape
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

docs: $(VENV)/.test  ## write the pages that are taken from the code
	$(BIN)/python scripts/make-docs

lock: $(VENV)/.test  ## pin the versions anew
	scripts/lock $(BIN)/python

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

# The demo needs only what a user needs; the tests need all. Each stamp is remade when its pins are.
$(VENV)/.demo: requirements/demo.txt pyproject.toml $(MODELS)/pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -r requirements/demo.txt
	$(BIN)/python -m pip install --quiet --no-deps -e $(MODELS) -e .
	touch $@

$(VENV)/.test: requirements/test.txt pyproject.toml $(MODELS)/pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet -r requirements/test.txt
	$(BIN)/python -m pip install --quiet --no-deps -e $(MODELS) -e .
	touch $@

clean:  ## remove the environment and what was built
	rm -rf $(VENV) build dist ragstone-demo.html

# Equations in Motion: `make book` builds the site, `make test` checks everything.
# Each command sets up .venv first, once; afterwards it starts its work at once.

PYTHON ?= python3
SHELL := /bin/sh
SOLUTIONS := yes
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
# Notebooks and widgets must not look at, or write to, settings of the person who builds.
export PYTHONUTF8 := 1
export JUPYTER_PLATFORM_DIRS := 1

.DEFAULT_GOAL := help
.PHONY: help setup book test lab bench clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile

setup: $(STAMP) ## create .venv and install the course into it

$(STAMP): pyproject.toml constraints.txt
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.12"; exit 1; }
	"$(PYTHON)" -m venv "$(VENV)"
	"$(BIN)/python" -m pip install --quiet --upgrade pip --constraint constraints.txt
	"$(BIN)/python" -m pip install --quiet --editable '.[lab,book,test]' --constraint constraints.txt
	@touch "$@"

book: $(STAMP) ## execute every notebook, build the site in _build/html; SOLUTIONS=no leaves solutions out
	@rm -rf _build
ifeq ($(SOLUTIONS),no)
	"$(BIN)/python" tools/without_solutions.py _build/source
	"$(BIN)/jupyter-book" build _build/source --path-output . -W -n --keep-going
else
	"$(BIN)/jupyter-book" build . -W -n --keep-going
endif
	@"$(BIN)/python" tools/check_site.py

test: $(STAMP) ## check style and types, run every test and every notebook
	"$(BIN)/ruff" check .
	"$(BIN)/ruff" format --check .
	"$(BIN)/mypy"
	"$(BIN)/python" -m pytest --nbval-lax --nbval-current-env --nbval-cell-timeout=300 \
		--nbval-sanitize-with tests/notebooks/sanitize.cfg

lab: $(STAMP) ## make your own copies of the notebooks in work/, and open them in JupyterLab
	"$(BIN)/python" -m tutlib notebooks work
	"$(BIN)/jupyter" lab work

bench: $(STAMP) ## measure speed, as ratios
	"$(BIN)/python" -m benchmarks

clean: ## delete what was built; keeps .venv and all notebooks
	rm -rf _build .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info
	find . -path "./$(VENV)" -prune -o -name __pycache__ -type d -exec rm -rf {} +

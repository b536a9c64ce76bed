# Equations in Motion: `make book` builds the site, `make test` checks it.
# Each command sets up .venv first, once; afterwards it starts its work at once.

PYTHON ?= python3
SHELL := /bin/sh
SOLUTIONS := yes
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
DOOR := $(VENV)/door
SET_UP = "$(PYTHON)" publishing/set_up.py "$(VENV)" "$(EXTRAS)" $(if $(ASKED),"$(PYTHON)")
# A process for each core; they share the executed notebooks only, and a file of tests stays in one.
PYTEST := "$(BIN)/python" -m pytest -n auto --dist loadfile --no-loadscope-reorder
# .venv belongs to this folder and to a Python. In a folder that was copied or renamed, with a Python that
# has gone, where PYTHON= asks for another one, or with other pins, it is made anew; `tutlib` compares, too.
ASKED := $(filter command environment,$(firstword $(origin PYTHON)))
FITS := $(filter yes,$(shell [ ! -x "$(BIN)/python" ] || "$(BIN)/python" publishing/set_up.py --is-set-up "$(VENV)" \
	$(if $(ASKED),"$(PYTHON)") 2>&1))
# Another Python's packages have no place here; and without its bytecode, each new process compiles
# SymPy anew, for two seconds.
unexport PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE
# Notebooks and widgets must not look at, or write to, settings of the person who builds.
export PYTHONUTF8 := 1
export JUPYTER_PLATFORM_DIRS := 1

.DEFAULT_GOAL := help
.PHONY: anew help setup book lite pdf pins style executed test test-all fresh mutate lab bench machines links clean

help: ## show this list
	@echo "To read and to work:"
	@sed -nE 's/^(book|lab):.*## /  make \1\t/p' Makefile
	@echo "To change the course:"
	@sed -nE '/^(book|lab|help):/d; s/^([a-z-]*):.*## /  make \1\t/p' Makefile

setup: $(STAMP) ## create .venv and install the course into it

$(STAMP): EXTRAS := lab,book,test
$(STAMP): $(if $(FITS),,anew)
	@$(SET_UP)

# What builds JupyterLab for the browser, which `make book` does without.
$(DOOR): EXTRAS := lite
$(DOOR): $(STAMP)
	@$(SET_UP)
	@touch "$@"

book: $(STAMP) ## execute every notebook, build the site in _build/html; SOLUTIONS=no leaves solutions out
	@"$(BIN)/python" -m publishing.build_book $(if $(filter no,$(SOLUTIONS)),--without-solutions)

# COMPILED says where the wheels that Pyodide publishes are: an address, a folder, or "published".
lite: $(DOOR) ## build the site, with JupyterLab in the browser beside it; COMPILED=published adds NumPy
	"$(BIN)/python" -m publishing.build_book --lite $(if $(filter no,$(SOLUTIONS)),--without-solutions)
	"$(BIN)/python" -m publishing.lite $(if $(filter no,$(SOLUTIONS)),--without-solutions) \
		$(if $(filter published,$(COMPILED)),--published,$(if $(COMPILED),--compiled "$(COMPILED)"))

pdf: $(STAMP) ## print the site that `make book` built as one PDF, with a browser
	@"$(BIN)/python" -m publishing.pdf

# Each version that has a wheel where it is wanted stays; for the newest, remove the file before.
pins: $(STAMP) ## write constraints.txt, the versions for each Python and computer
	@echo pip | "$(BIN)/uv" pip compile --quiet - pyproject.toml --all-extras --universal --python-version 3.11 \
		--fork-strategy requires-python --no-annotate --no-emit-index-url \
		--custom-compile-command "make pins" --output-file constraints.txt

style: $(STAMP) ## check style and types
	"$(BIN)/ruff" check --quiet .
	"$(BIN)/ruff" format --quiet --check .
	"$(BIN)/mypy"

executed: $(STAMP) ## execute every notebook whose code, or what it uses, has changed
	-@"$(BIN)/python" -m publishing.execute_notebooks

# SITE=required builds the site, too, and fails if its pages cannot be tested in a browser.
test: $(STAMP) ## check all that a commit needs; FAST=yes takes a minute; SITE=required adds the site
ifeq ($(FAST),yes)
	@"$(MAKE)" --no-print-directory style
	$(PYTEST) -m "not slow and not tools" --ignore=tests/site tests
else
	@"$(MAKE)" --no-print-directory --jobs 2 style $(if $(SITE),book,executed)
	$(PYTEST) -m "not tools" $(if $(SITE),,--ignore=tests/site)
endif

test-all: $(DOOR) ## check everything once a week: the site in a browser, and the tools, too
	@"$(MAKE)" --no-print-directory --jobs 2 style book
	SITE=required $(PYTEST)

# A folder of the size of a Debian, for each; only what is committed goes there.
fresh: $(STAMP) ## run the two commands on new Debians (root, Linux); DEBIAN=bookworm for one, LIGHT=yes for a part
	"$(BIN)/python" -m publishing.fresh $(DEBIAN) $(if $(filter yes,$(LIGHT)),--light)

mutate: $(STAMP) ## plant faults, one by one, in copies of the course, and name those that no test sees
	"$(BIN)/python" -m tests.mutations

lab: $(STAMP) ## make your own copies of the notebooks in work/, and open them in JupyterLab
	@"$(BIN)/python" -m course notebooks work
	@"$(BIN)/python" -m jupyter lab work $(if $(filter 0,$(shell id -u)),--allow-root)

bench: $(STAMP) ## measure speed, as ratios, for five minutes; MINUTES=20 for all
	@TQDM_DISABLE=1 "$(BIN)/python" -m benchmarks $(if $(MINUTES),--minutes $(MINUTES))

machines: $(STAMP) ## run machines of other people, and write how many digits agree into the book
	"$(BIN)/python" -m benchmarks.machines

links: $(STAMP) ## ask every address that a text names whether it still answers
	"$(BIN)/python" -m publishing.check_links

clean: ## delete what was built; keeps .venv and all notebooks
	rm -rf _build .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info
	find . -path "./$(VENV)" -prune -o -name __pycache__ -type d -exec rm -rf {} +

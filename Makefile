# Every target makes .venv first when it is missing or older than its pins.
# Another interpreter: make setup PYTHON=python3.12

PYTHON ?= python3
VENV   ?= .venv
EX     ?=
EXTRA  ?=
OUT    ?= out
SUBMISSIONS ?= examples/submissions
# One more than cores: a test often waits for the process that it drives.
JOBS   ?= $(shell $(PYTHON) -c 'import os; print(1 + (os.cpu_count() or 1))' 2>/dev/null)
ISOLATION ?=

PY     := $(VENV)/bin/python
STAMP  := $(VENV)/.installed
EXTRAS := dev,docs,cluster,watch

.DEFAULT_GOAL := help
.PHONY: help setup check watch grade validate mutants seeds test attacks lint skeletons bench docs release

help: ## list the targets
	@echo "make TARGET, one of:"
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' Makefile

setup: $(STAMP) ## make .venv with the pinned packages (the other targets do it too)

check: $(STAMP) ## grade your own exercises with the public checks: EX=name for one
	@$(PY) -m grader check $(EX)

watch: $(STAMP) ## check again on every save: EX=name for one
	@$(PY) -m grader watch $(EX)

grade: $(STAMP) ## grade what was handed in: SUBMISSIONS=path OUT=folder ISOLATION=level
	@$(PY) -m grader grade "$(SUBMISSIONS)" --out "$(OUT)" $(if $(ISOLATION),--isolation $(ISOLATION))

validate: $(STAMP) ## prove the suites on references, skeletons, variants, mistakes: EX=name EXTRA=folder
	@$(PY) -m grader validate $(EX) $(if $(EXTRA),--extra "$(EXTRA)")

# A file's tests stay in one process: they share a session that takes seconds to start.
TESTS := -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

mutants: $(STAMP) ## change the solutions in every small way: do the suites notice? EX=name ARGS="--sample 20"
	@$(PY) -m grader.mutants $(EX) $(ARGS)

seeds: $(STAMP) ## grade everything known under many seeds (hours): EX=name ARGS="--seeds 20"
	@$(PY) -m grader.seeds $(EX) $(ARGS)

test: $(STAMP) ## run the project's own tests: ARGS="-k words tests/report" JOBS=processes
	@$(PY) $(TESTS) $(ARGS)

attacks: $(STAMP) ## of them, the hostile submissions at every isolation level
	@$(PY) $(TESTS) tests/attacks $(ARGS)

lint: $(STAMP) ## ruff check, ruff format --check and mypy
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .
	@$(PY) -m mypy

skeletons: $(STAMP) ## write exercises/ anew from solutions/, and the map in README.md
	@$(PY) -m grader.skeletons
	@$(PY) -m grader.coursemap

bench: $(STAMP) ## measure speed and memory: ARGS="--quick"
	@$(PY) -m grader.bench $(ARGS)

docs: $(STAMP) ## write the docs into site/
	@$(PY) -m sphinx -q -W --keep-going -b html docs site

release: $(STAMP) ## write the student bundle into dist/
	@$(PY) -m grader release

# The stamp is touched last: an install that broke off starts again next time.
$(STAMP): pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { \
	  echo "make: $(PYTHON) was not found. Install Python 3.11 or newer, or name one: make setup PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: $$($(PYTHON) --version) is too old, 3.11 is needed. Name a newer one: make setup PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "make: $(PYTHON) cannot make environments. On Debian or Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "Making $(VENV) with pinned packages; a few minutes, once."
	@$(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[$(EXTRAS)]'
	@touch $@

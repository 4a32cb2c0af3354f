# run: serve on the local network · dev: an invented circle, with reload · check: style, types, contracts
# quick: the pure layers and every page once, in a minute
# test: all but the long matrices, in minutes · test-all: every test, with coverage
# mutants: whether the tests catch known faults, in minutes
# bench: what must hold on a real server, with figures · sbom: what the program is made of, as CycloneDX
# release: wheel and source distribution, checked and tested where they are installed
# Each builds the virtual environment from the locks by itself.

PYTHON ?= python3
HOST ?= 0.0.0.0
PORT ?= 8000
DEV ?= instance/dev

BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# One more than there are cores: now and then each of them waits for a browser or a server.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
PYTEST := $(BIN)/pytest --numprocesses $(WORKERS) --dist worksteal
LOCKED := --require-hashes --no-deps --only-binary :all:

.PHONY: run dev quick test test-all check mutants bench picture sbom release lock texts clean

run: .venv/run.stamp
	@exec $(BIN)/scorer serve --host $(HOST) --port $(PORT)

dev: export SCORER_INSTANCE := $(DEV)
dev: export SCORER_LAN_HTTP := true
dev: .venv/run.stamp $(DEV)/way-in
	@$(BIN)/scorer db upgrade >/dev/null
	@echo "The owner of an invented circle: http://127.0.0.1:$(PORT)$$(cat $(DEV)/way-in)"
	@exec $(BIN)/flask --app scorer run --debug --port $(PORT) \
		--extra-files "$$(find static scorer/translations -type f | paste -s -d : -)"

$(DEV)/way-in: | .venv/run.stamp
	@mkdir -p $(DEV)
	@$(BIN)/scorer demo --address "" > $@ || { rm $@; exit 1; }

# The tests of the scripts: what they need of a browser is in tests/static/browser.js.
SCRIPTS := $(BIN)/deno test --quiet --no-check tests/static

# Every worker and every server that a test starts would compile the same modules again.
quick test test-all bench: export PYTHONDONTWRITEBYTECODE :=

# Without ARGS the browser is found, or brought, before the first test.
test: .venv/dev.stamp
	@$(if $(ARGS),,$(BIN)/python -m tests.chromium)
	$(PYTEST) $(or $(ARGS),-m "not slow")
	$(if $(ARGS),,$(SCRIPTS))

# The pure layers are covered whole by the short examples among their own tests. To trace lines
# doubles the time of whatever runs, so their properties and all other tests do without.
PURE := $(addprefix tests/,rules games cards ledger evening tournaments operations notebooks)
FULL := --hypothesis-profile full
# To rewrite every `assert`, so that a failure tells more, takes each worker seven seconds: here a
# failure shows its variables, and is run again with it.
TERSE := --assert plain --showlocals

# Nothing waits here for a browser or a server: one process a core.
EVERY_PAGE := tests/web/base/test_pages.py::test_every_page_opens_in_each_language_with_its_headers_and_changes_no_row
quick: .venv/dev.stamp
	$(SCRIPTS)
	$(PYTEST) --numprocesses auto --hypothesis-profile least -m "not slow" $(PURE) $(EVERY_PAGE)

test-all: .venv/dev.stamp
	@$(BIN)/python -m tests.chromium
	$(SCRIPTS)
	$(PYTEST) $(FULL) --cov --cov-report term-missing:skip-covered $(PURE)
	$(PYTEST) $(FULL) $(TERSE) --cache-clear $(addprefix --ignore=,$(PURE)) || \
		{ echo "What failed beside others is tried once more, alone:"; \
		$(PYTEST) $(FULL) --numprocesses 0 --last-failed --last-failed-no-failures none; }

check: .venv/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deno check --quiet static
	$(BIN)/deno lint --quiet static tests/static
	$(BIN)/actionlint -no-color .github/workflows/*.yml

mutants: .venv/dev.stamp
	$(BIN)/python -m tests.mutants $(ARGS)

bench: .venv/dev.stamp
	$(BIN)/python -m bench $(ARGS)

picture: .venv/dev.stamp
	PICTURES=docs/pictures $(BIN)/pytest tests/browser/base/test_picture.py tests/browser/tournament

sbom: .venv/dev.stamp
	@mkdir -p build
	$(BIN)/cyclonedx-py requirements --pyproject pyproject.toml --output-reproducible \
		--output-file build/scorer.cdx.json requirements/run.txt

# An interpreter that is not installed is reported and left out.
PYTHONS ?= python3.11 python3.12 python3.13 python3.14

release: .venv/dev.stamp build/tools.stamp sbom
	rm -rf dist
	build/tools/bin/python -m build --no-isolation --outdir dist
	build/tools/bin/twine check --strict dist/*
	$(BIN)/python -m tests.installed dist/*.whl $(PYTHONS)
	@awk '/^## / { sections++ } sections == 1' CHANGELOG.md
	@ls -1 dist build/scorer.cdx.json

build/tools.stamp: requirements/release.txt
	$(PYTHON) -m venv build/tools
	build/tools/bin/python -m pip install --quiet --disable-pip-version-check $(LOCKED) -r requirements/release.txt
	@touch $@

.venv/run.stamp: requirements/run.txt pyproject.toml | .venv/bin/python
	$(PIP) $(LOCKED) -r requirements/run.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

# Most modules of these tools are never imported; the others are compiled when they are.
.venv/dev.stamp: requirements/dev.txt .venv/run.stamp
	$(PIP) --no-compile $(LOCKED) -r requirements/dev.txt
	@touch $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 …")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { \
		echo "Python has no venv here. Debian and Ubuntu bring it in a package: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }

UV_COMPILE := uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet

lock:
	$(UV_COMPILE) pyproject.toml --extra postgres --group build --output-file requirements/run.txt
	$(UV_COMPILE) pyproject.toml --extra postgres --group build --group dev \
		--constraint requirements/run.txt --output-file requirements/dev.txt
	$(UV_COMPILE) --group build --group release --constraint requirements/run.txt \
		--output-file requirements/release.txt

# LOCALE begins the catalogue of another language; without it, all that are there get new texts.
texts: .venv/dev.stamp
	$(BIN)/pybabel --quiet extract --mapping-file pyproject.toml --keywords say \
		--keywords lazy_gettext --no-location --sort-output --no-wrap --output .texts.pot .
	$(BIN)/pybabel --quiet $(if $(LOCALE),init --locale $(LOCALE),update --no-fuzzy-matching \
		--ignore-obsolete --ignore-pot-creation-date) --no-wrap \
		--input-file .texts.pot --output-dir scorer/translations
	@rm .texts.pot

clean:
	rm -rf .venv

# run: serve on the local network · dev: an invented circle, with reload · test: every test
# check: style, types, contracts · bench: figures · load: what holds on a real server
# Each builds the virtual environment from the locks by itself.

PYTHON ?= python3
HOST ?= 0.0.0.0
PORT ?= 8000
DEV ?= instance/dev

BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
COVERAGE := --cov --cov-report term-missing:skip-covered
LOCKED := --require-hashes --no-deps --only-binary :all:

.PHONY: run dev test check bench load picture lock texts clean

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

test: .venv/dev.stamp
	$(BIN)/pytest --numprocesses auto --dist worksteal $(or $(ARGS),$(COVERAGE))

check: .venv/dev.stamp
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deno check --quiet static
	$(BIN)/deno lint --quiet static

bench: .venv/dev.stamp
	$(BIN)/python -m bench $(ARGS)

load: .venv/dev.stamp
	$(BIN)/python -m load $(ARGS)

picture: .venv/dev.stamp
	README_PICTURE=docs/session.png $(BIN)/pytest tests/browser/test_picture.py

.venv/run.stamp: requirements/run.txt pyproject.toml | .venv/bin/python
	$(PIP) $(LOCKED) -r requirements/run.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

.venv/dev.stamp: requirements/dev.txt .venv/run.stamp
	$(PIP) $(LOCKED) -r requirements/dev.txt
	@touch $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }

UV_COMPILE := uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet

lock:
	$(UV_COMPILE) pyproject.toml --extra postgres --group build --output-file requirements/run.txt
	$(UV_COMPILE) pyproject.toml --extra postgres --group build --group dev \
		--constraint requirements/run.txt --output-file requirements/dev.txt

texts: .venv/dev.stamp
	$(BIN)/pybabel --quiet extract --mapping-file pyproject.toml --keywords say \
		--keywords lazy_gettext --no-location --sort-output --no-wrap --output .texts.pot .
	$(BIN)/pybabel --quiet update --input-file .texts.pot --output-dir scorer/translations \
		--locale it --no-fuzzy-matching --ignore-obsolete --no-wrap --ignore-pot-creation-date
	@rm .texts.pot

clean:
	rm -rf .venv

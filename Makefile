# Two commands do everything, without root: make demo, make test.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
OUTPUT ?= output/testard2023

.PHONY: demo test lint types tests interpreted slow fuzz bench docs minimum dist archives clean

demo: $(VENV)/installed
	$(BIN)/chorda reproduce testard2023 --output $(OUTPUT)

test: lint types tests interpreted

lint: $(VENV)/developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/developing
	$(BIN)/mypy

tests: $(VENV)/developing
	$(BIN)/pytest -n 2 -m "not slow"

# the same code without a C compiler: what each kind of kernel does, and the commands; that both
# ways give the same numbers is in tests/verbs/compile, with and without a kept matrix
INTERPRETED := $(addprefix tests/exact/test_,mass_spring.py pendulum.py free_body.py closures.py \
  closed_start.py actuators.py slack.py turns.py settling.py continuous_statics.py) \
  tests/order/test_rod_free_vibration.py $(addprefix tests/cli/test_,simulate.py statics.py rods.py)

interpreted: $(VENV)/developing
	CHORDA_COMPILER=none $(BIN)/pytest -n 2 -m "not slow" $(INTERPRETED)

slow: $(VENV)/developing
	$(BIN)/pytest -n 2 -m slow

# minutes; a run that was killed goes on from its record. SEED=1 and COUNT=2000 choose others
SEED ?= 0
FUZZ_RECORD ?= output/fuzz-$(SEED).jsonl

fuzz: $(VENV)/developing
	@mkdir -p $(dir $(FUZZ_RECORD))
	$(BIN)/python -m tests.fuzz --seed $(SEED) --resume $(FUZZ_RECORD) $(if $(COUNT),--count $(COUNT))

bench: $(VENV)/developing
	$(BIN)/chorda bench

# the site, in docs/_build/html; after the installation it needs no network. Tutorials are executed,
# and again when they change
docs: $(VENV)/documenting
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

# a selection of the tests with the oldest dependencies that are allowed, those of the extras too, in
# an environment of its own
MINIMUM_EXTRAS := parquet sweep gym view video
MINIMUM := $(addprefix tests/exact/test_,pendulum.py mass_spring.py slack.py closures.py data_table.py \
  rod_bending.py continuous_statics.py) tests/identity/test_energy_balance.py \
  $(addprefix tests/cli/test_,simulate.py statics.py rods.py) src/chorda/results src/chorda/describe \
  src/chorda/identification src/chorda/view src/chorda/statics \
  $(addprefix tests/verbs/,sweep/test_store.py sweep/test_local.py sweep/test_cluster.py gym/test_env.py \
  gym/test_vector.py identification/test_reading.py view/test_viewer.py view/test_animation.py)

minimum: $(VENV)-minimum/installed
	$(VENV)-minimum/bin/python -m pytest -q -m "not slow" $(MINIMUM)

$(VENV)-minimum/installed: .ci/lower_bounds.py pyproject.toml
	$(PYTHON) -m venv $(VENV)-minimum
	$(VENV)-minimum/bin/python -m pip install --quiet --disable-pip-version-check \
	  $$($(PYTHON) .ci/lower_bounds.py $(MINIMUM_EXTRAS)) pytest hypothesis jsonschema psutil
	$(VENV)-minimum/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

# wheel and source archive in dist, as a release has them
dist: $(VENV)/developing
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/twine check --strict dist/*

# both, in clean environments of PYTHON, where what the README prints is run
archives: dist
	$(PYTHON) .ci/clean_install.py 'dist/*.whl' 'dist/*.tar.gz'

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Chorda needs Python 3.11 or newer; say make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/developing: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,peers]'
	@touch $@ $(VENV)/installed

$(VENV)/documenting: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	@touch $@ $(VENV)/installed

clean:
	rm -rf $(VENV) $(VENV)-minimum output build dist docs/_build docs/api/generated .pytest_cache .mypy_cache .ruff_cache

# Everything works from a fresh clone with nothing but python3 and make.
#   make report   plays the main experiment and writes its report
#   make test     runs the tests

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
RUN := $(VENV)/.installed
DEV := $(VENV)/.installed-dev
TRIALS ?=
EXPERIMENTS := $(filter-out experiments/altered_odds.toml,$(wildcard experiments/*.toml))

# The tests start many programs; without byte code each would compile all sources again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup report test thorough slow browser lint types check bench rules notebooks experiments docs clean

help: ## list what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(RUN): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(DEV): $(RUN)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	@touch $@

setup: $(DEV) ## make the virtual environment with everything in it

report: $(RUN) ## play the main experiment and write its report
	$(BIN)/simkit run experiments/altered_odds.toml $(if $(TRIALS),--trials $(TRIALS))
	$(BIN)/simkit report results/altered-odds

test: $(DEV) ## run the fast tests (under three minutes on two cores)
	$(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder

thorough: $(DEV) ## run what the fast tests leave out: more cases of the same, the long notebooks
	$(BIN)/python -m pytest -m "thorough and not slow" -n 2

slow: $(DEV) ## run the long statistical checks, on fresh dice too
	$(BIN)/python -m pytest -m slow -n 2

browser: $(DEV) ## open reports in a headless Chromium (needs one on the machine)
	$(BIN)/python -m pytest -m browser

lint: $(DEV) ## check style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(DEV) ## check types
	$(BIN)/mypy

check: test lint types ## everything that must be green

bench: $(DEV) ## measure speed as ratios, in one interleaved run; JSON into results/bench.json
	$(BIN)/python -m tests.bench

rules: $(DEV) ## list every rule id with the tests that cite it
	$(BIN)/python -m tests.rule_index

notebooks: $(DEV) ## write the .ipynb files beside their .py sources, without outputs
	$(BIN)/python -m tests.notebooks

experiments: $(RUN) ## play every experiment that ships
	for file in experiments/altered_odds.toml $(EXPERIMENTS); do $(BIN)/simkit run $$file || exit 1; done

docs: $(RUN) ## write the rules of every game and the help of every command as text into results/docs
	@mkdir -p results/docs
	for game in $(notdir $(patsubst %/,%,$(dir $(wildcard simkit/games/*/game.py)))); do \
		$(BIN)/simkit rules $$game > results/docs/rules-$$game.txt && \
		$(BIN)/simkit designs $$game > results/docs/vocabulary-$$game.txt || exit 1; \
	done
	for verb in $$($(BIN)/python -c "from simkit.cli import COMMANDS; print(*COMMANDS)"); do \
		$(BIN)/simkit $$verb --help > results/docs/simkit-$$verb.txt || exit 1; \
	done

clean: ## delete the virtual environment and caches (results stay)
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Everything a fresh machine needs: each target makes the virtual environment, installs what it uses, and then does its job.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Commands and tests start many processes, each of which would compile every module anew where the environment forbids to keep them.
unexport PYTHONDONTWRITEBYTECODE
# The environment of the peers of the leaderboard; options as in: make leaderboard ARGS="--only 'search/*'"
PEERS := .venv-peers
# What the peers' encoder runs on; for a build without CUDA from elsewhere: make leaderboard TORCH='torch --index-url https://download.pytorch.org/whl/cpu'
TORCH ?= torch==2.13.0
WORKERS ?= 2
KILLS ?= 10000
RACES ?= 500
MINUTES ?= 120
SECONDS ?= 3600
SAMPLE ?= 200
INDEX ?= demo.vic
# Per cent of lines and branches; a few branches depend on how busy the machine is.
COVERAGE ?= 96.5

.PHONY: demo app test coverage web kills faults races cuts unsafe hostile fuzz soak lint types reference check mutants supply pin sdist bench quality classifier leaderboard papers clean help

help:  ## show what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 13

demo: $(VENV)/.has-demo  ## learn the documentation of Python's libraries, show clusters, answer questions, draw the map in demo.html
	$(BIN)/vicinal demo --map demo.html

app: $(VENV)/.has-app  ## build the page of the app (needs Node 20 or later) and open INDEX=demo.vic in the browser
	$(BIN)/python -m tools.page
	test -e $(INDEX) || $(BIN)/vicinal demo -o $(INDEX)
	$(BIN)/vicinal serve $(INDEX) --open

test: $(VENV)/.has-test $(VENV)/.has-browser  ## run all tests
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

coverage: $(VENV)/.has-test $(VENV)/.has-browser  ## run all tests and measure which branches they take; fails below COVERAGE per cent, and where a branch of the store is not taken
	$(BIN)/python -m coverage erase
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal --cov --cov-report=
	$(BIN)/python -m coverage report --format=total --fail-under=$(COVERAGE)
	$(BIN)/python -m coverage report --include='*/_store/*' --fail-under=100

web: web/node_modules/.package-lock.json  ## style, types and unit tests of the page of the app; needs Node 20 or later
	npm --prefix web run check

faults: $(VENV)/.has-test  ## kill a worker of a Dask cluster TIMES=20 times during fits; the answer must have the bits of one in memory
	$(BIN)/python -m tools.faults $(or $(TIMES),20)

kills: $(VENV)/.has-test  ## kill writers and servers KILLS=10000 times, an hour in all, and go on with an earlier run; nothing acknowledged may be lost
	$(BIN)/python -m tools.kills --kills $(KILLS)

races: $(VENV)/.has-test  ## let three writers race RACES=500 times, with the index inside and outside the folder that is read; nothing may be lost
	$(BIN)/python -m tools.races --races $(RACES)

cuts: $(VENV)/.has-test  ## cut the power of a pretend disk at every operation of the store with 20 seeds, minutes in all; nothing may be lost
	VICINAL_CUTS=1 $(BIN)/python -m pytest -q -s tests/store/test_power_cut.py

unsafe: $(VENV)/.has-test  ## take one safeguard after the other away; the test of its promise must turn red
	$(BIN)/python -m tools.unsafe

hostile: $(VENV)/.has-test  ## read hostile documents of every kind, half an hour in all; prints time and memory of each
	$(BIN)/python -m tools.hostile

fuzz: $(VENV)/.has-fuzz  ## fuzz every reader, queries and blocks for SECONDS=3600 each, a day in all, and go on with an earlier run; nothing may be found
	$(BIN)/python -m tools.fuzz --seconds $(SECONDS)

soak: $(VENV)/.has-test  ## use an index for MINUTES=120 and print handles, memory, size of the file and latency, which may not grow
	$(BIN)/python -m tools.soak --minutes $(MINUTES)

mutants: $(VENV)/.has-mutants  ## break a line at a time and see whether a test notices, SAMPLE=200 lines, an hour in all
	$(BIN)/python -m tools.mutants --sample $(SAMPLE) --workers $(WORKERS)

lint: $(VENV)/.has-lint  ## style of the code, docstrings, reference pages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tools.docstrings
	$(BIN)/python -m tools.reference --check
	$(BIN)/python -m tools.tree --check

types: $(VENV)/.has-lint  ## types of the code
	$(BIN)/mypy

reference: $(VENV)/.has-lint  ## write docs/reference and the drawing in ARCHITECTURE.md from the docstrings
	$(BIN)/python -m tools.reference
	$(BIN)/python -m tools.tree

check: lint types web coverage  ## all that CI runs

supply: $(VENV)/.has-supply  ## build the wheel twice and compare, list what is installed (dist/sbom.json), audit what is pinned
	$(BIN)/python -m tools.supply $(ARGS)

pin: $(VENV)/.has-supply  ## write requirements/ci.txt: every package that CI installs, with the hashes of its files
	$(BIN)/uv pip compile pyproject.toml requirements/tools.in --extra test --extra lint --universal --python-version 3.11 \
		--generate-hashes --no-header --quiet --output-file requirements/ci.txt

sdist: $(VENV)/.has-test  ## build the source distribution, unpack it in an empty folder and run `make test` there
	$(BIN)/python -m tools.sdist

bench: $(VENV)/.has-bench  ## speed and memory against peers, as ratios; writes bench/README.md
	$(BIN)/python -m bench

quality: $(VENV)/.has-test  ## topics on every corpus and setting without a result yet, hours in all; writes bench/quality/README.md
	$(BIN)/python -m bench.quality

classifier: $(VENV)/.has-test  ## vicinal.Classifier against linear models and labels asked for against random ones, what has no result yet, an hour in all; writes bench/classifier/README.md
	$(BIN)/python -m bench.classifier
	$(BIN)/python -m bench.classifier --curve

leaderboard: $(PEERS)/.has-peers  ## vicinal and its peers on every task without a result yet, hours in all; writes bench/leaderboard/README.md
	$(PEERS)/bin/python -m bench.leaderboard $(ARGS)

papers: $(VENV)/.has-papers  ## the tables and figures of the five papers that have no result yet, hours in all; writes papers/REPORT.md
	$(BIN)/python -m papers

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) $(PEERS) .coverage .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
	find src tests bench corpora papers -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "vicinal needs Python 3.11 or later: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.has-demo: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

# A browser for tests/browser: the system's package where it can be installed, else Playwright's own, else a line that says so.
$(VENV)/.has-browser: $(VENV)/.has-test
	$(BIN)/python -m tools.browser
	touch $@

web/node_modules/.package-lock.json: web/package-lock.json
	npm --prefix web ci --no-audit --no-fund
	touch $@

# With PINNED=1, as in CI, what tests and lint need is installed from requirements/ci.txt, each file compared with its hash.
$(VENV)/.has-%: $(BIN)/python pyproject.toml
ifdef PINNED
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/ci.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
endif
	touch $@

$(PEERS)/.has-peers: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "vicinal needs Python 3.11 or later: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check $(TORCH)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[peers]'
	touch $@

# Pavise: each target installs the system packages it lacks, then does one thing.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

export SWIFT ?= swift
# A crash report of the Swift runtime prints memory: never while secrets are about (SECURITY.md).
export SWIFT_BACKTRACE := enable=no

# The modules that touch memory, files and sockets run again under the address sanitizer, those with threads of their own under
# the thread sanitizer. It does not see the lock of Synchronization.Mutex and would report what a Mutex guards: modules that keep
# their state in one are left out. Nothing else is built for them.
ADDRESS := Primitives CryptoBackend EncryptedDatabase Transport
THREAD := Primitives Lab

# All Swift that people write, the nested packages' too.
SOURCES := Package.swift Sources Tests $(wildcard Snippets */Package.swift */Sources Auditor/Tests Auditor/Fuzz Examples/*/Package.swift Examples/*/Sources Examples/*/Apple)

.PHONY: help packages build build-check install uninstall package release release-check release-validate release-installed toolset demo \
	test test-all diary-test diary diary-build diary-walk diary-pictures diary-install diary-evidence check lint layers \
	sanitize address thread document integration sync-peers sync-seeds entrypoints new-app bench fuzz corpora log-search whole-system \
	release-log document-window conformance controls mutants apple-check audit audit-test audit-bench claims evidence \
	audit-validate diary-program diary-files format clean

help: ## This list.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

packages: ## Install the system packages that are missing.
	@Scripts/bootstrap build

build: packages ## Build the programs for use, and check them: .build/release/pavise and pavise-lab.
	$(if $(PROGRAMS_ARE_BUILT),@true,Scripts/program)

build-check: build ## Let the built program judge itself by Conformance/build-policy.json, and notice what is planted in copies of it.
	Scripts/check-build .build/release/pavise

# The version stands in BuildFacts alone; the date is that of the commit, so that two installs are the same.
PREFIX ?= /usr/local
PROGRAMS ?= pavise pavise-lab
# Where `make audit` built it.
AUDITOR ?= $(wildcard Auditor/.build/release/pavise-audit)
install: ## Install the built programs, man pages and completions below DESTDIR=, PREFIX=/usr/local; run `make build` before.
	@for name in $(PROGRAMS); do [ -x .build/release/$$name ] || { echo "Not built: .build/release/$$name. Run make build."; exit 1; }; done
	install -d -m 0755 "$(DESTDIR)$(PREFIX)/bin"
	for name in $(PROGRAMS); do install -m 0755 .build/release/$$name "$(DESTDIR)$(PREFIX)/bin/"; done
	umask 022; Scripts/manual $(foreach name,$(PROGRAMS),--program .build/release/$(name)) \
		--version "$$(Scripts/package --version)" --date "$$(Scripts/package --date)" "$(DESTDIR)$(PREFIX)"
	[ -z "$(AUDITOR)" ] || Scripts/auditor --program "$(AUDITOR)" "$(DESTDIR)$(PREFIX)/libexec/pavise"
	install -d -m 0755 "$(DESTDIR)$(PREFIX)/share/doc/pavise"
	install -m 0644 Documentation/Managed.md Documentation/managed.* Documentation/Environment.md "$(DESTDIR)$(PREFIX)/share/doc/pavise/"
	install -d -m 0755 "$(DESTDIR)$(PREFIX)/share/doc/pavise/examples"
	install -m 0644 Examples/systemd/* "$(DESTDIR)$(PREFIX)/share/doc/pavise/examples/"

uninstall: ## Remove what `make install` laid below DESTDIR=, PREFIX=/usr/local, by the same programs; homes and their keys stay.
	@made=$$(mktemp -d); trap 'rm -rf "$$made"' EXIT; $(MAKE) --no-print-directory install DESTDIR="$$made" >/dev/null; \
	(cd "$$made" && find . -type f) | while read -r file; do rm -f "$(DESTDIR)/$$file"; done; \
	(cd "$$made" && find . -depth -type d -name 'pavise*' -o -depth -type d -path '*/pavise/*') | \
		while read -r folder; do rmdir "$(DESTDIR)/$$folder" 2>/dev/null || true; done

package: audit ## Make Debian packages of the built programs, their SBOM and checksums in .build/package, twice, and compare.
	Scripts/package --check .build/package

release: packages ## All that a release hands out, of the last commit, in FOLDER=.build/release-files; PAVISE_RELEASE_KEY signs it.
	nice Scripts/release $(if $(PRODUCTS),--only $(PRODUCTS)) $(or $(FOLDER),.build/release-files)

release-check: packages ## Build the last commit twice, as differently as this machine allows; each byte is compared. PRODUCTS="pavise" takes some.
	nice Scripts/release-check $(if $(PRODUCTS),--only $(PRODUCTS))

release-validate: packages ## Give the SBOMs and the provenance of FOLDER=.build/release-files to other people's validators.
	@Scripts/bootstrap release
	.build/validators/bin/python Conformance/Release/validate.py --self-test
	.build/validators/bin/python Conformance/Release/validate.py $(or $(FOLDER),.build/release-files)

release-installed: packages ## Install the packages in FOLDER=.build/package in a fresh Debian, and play the README's walk there. Asks for root.
	@# Debian's archive is asked for the Debian itself; nothing of it is kept.
	nice python3 Conformance/Release/installed.py $(or $(FOLDER),.build/package)

toolset: build ## Build the library behind `pavise toolset` into FOLDER=.build/toolset.
	nice Scripts/toolset $(TOOLSET) $(FOLDER)

demo: build ## Play the thirteen scenes of an attack against a session.
	.build/release/pavise-lab demo

test: packages ## Run the tests that take no long time; make check runs all.
	@Scripts/bootstrap test
	PAVISE_QUICK=1 Scripts/test

test-all: packages ## Run all tests, long ones too: every step of a kill, thousands of mutations, the whole attack matrix.
	@Scripts/bootstrap test
	Scripts/test

diary-test: packages ## Run the tests of the example app's core.
	PAVISE_TESTS=DiaryCore Scripts/test

diary-build: packages ## Build the sleep diary for a Linux desktop, a package of its own: Examples/SleepDiary.
	@Scripts/bootstrap diary
	@# What the tests have compiled of Pavise is taken: only the windows are left.
	nice $(SWIFT) build --package-path Examples/SleepDiary --scratch-path .build-tests $$(Scripts/whole-modules) --product sleep-diary

diary: build diary-build ## Open the sleep diary with a month of sample data against a lab server; without a display on one in memory.
	Examples/SleepDiary/Scripts/open

diary-walk: $(if $(PAVISE_LAB),,build) diary-build ## Play a day with the sleep diary, or ONLY=sync,erase of its parts: window, server, sign-in, lock, thief; and search for what must not be found.
	@Scripts/bootstrap walk
	dbus-run-session -- /usr/bin/python3 Examples/SleepDiary/Scripts/walk.py $(if $(ONLY),--only $(ONLY))

diary-pictures: build diary-build ## Compare the diary's pages in both languages with the pictures in Documentation/SleepDiary; RECORD=1 keeps them anew.
	PYTHONPATH=Examples/SleepDiary/Scripts /usr/bin/python3 Examples/SleepDiary/Scripts/pictures.py --self-test Documentation/SleepDiary
	dbus-run-session -- /usr/bin/python3 Examples/SleepDiary/Scripts/pictures.py $(if $(RECORD),,--compare) Documentation/SleepDiary

diary-program: packages ## Build the sleep diary for use: .build/release/sleep-diary, and document-window where WebKitGTK is installed.
	@Scripts/bootstrap diary
	Scripts/diary-program

diary-install: diary-program diary-files ## Build the sleep diary for use and install it with desktop file and icon below DESTDIR=, PREFIX=/usr/local.

diary-files: SHARED = $(DESTDIR)$(PREFIX)/share
# One of both for a package: PROGRAM=sleep-diary or PROGRAM=document-window.
diary-files: ## Install the sleep diary that was built below DESTDIR=, PREFIX=/usr/local; run `make diary-program` before.
	@[ -x .build/release/sleep-diary ] || { echo "Not built: .build/release/sleep-diary. Run make diary-program."; exit 1; }
ifneq ($(PROGRAM),document-window)
	install -d -m 0755 "$(DESTDIR)$(PREFIX)/bin" "$(SHARED)/applications" "$(SHARED)/metainfo" "$(SHARED)/icons/hicolor/scalable/apps"
	install -m 0755 .build/release/sleep-diary "$(DESTDIR)$(PREFIX)/bin/"
	install -m 0644 Examples/SleepDiary/Resources/*.desktop "$(SHARED)/applications/"
	install -m 0644 Examples/SleepDiary/Resources/*.metainfo.xml "$(SHARED)/metainfo/"
	install -m 0644 Examples/SleepDiary/Resources/*.svg "$(SHARED)/icons/hicolor/scalable/apps/"
endif
ifneq ($(PROGRAM),sleep-diary)
	[ ! -x .build/release/document-window ] || install -D -m 0755 .build/release/document-window "$(DESTDIR)$(PREFIX)/libexec/sleep-diary/document-window"
endif

diary-evidence: $(if $(AUDITOR_IS_BUILT),,audit) ## Audit the sleep diary, and compare the evidence with the report that is kept; RECORD=1 keeps it anew.
	Scripts/diary-evidence $(if $(RECORD),--record)

lint: packages ## Check the layout of the source, its words and ids, and the documentation of public declarations.
	python3 Conformance/evidence.py --check
	python3 Conformance/evidence.py --self-test
	Scripts/check-words --self-test
	Scripts/check-words
	Scripts/claims --self-test
	Scripts/claims --check
	Scripts/public-api --self-test
	Scripts/public-api
	Scripts/bootstrap --self-test
	Scripts/marks --self-test
	python3 Benchmarks/bench.py --self-test
	Scripts/marks
	Scripts/manual --self-test
	python3 Examples/SleepDiary/Apple/project.py --self-test
	Scripts/signature --self-test
	Scripts/package --self-test
	Scripts/release --self-test
	Scripts/check-managed --self-test
	Scripts/check-managed
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

layers: ## Check the rules of the layers: floors, importers, unsafe code, paths.
	Scripts/check-layers --self-test
	Scripts/check-layers
	Scripts/check-program --self-test
	nice Scripts/release-check --self-test

sanitize: address thread ## Run the suites that touch memory and threads under both sanitizers.

# The long tests walk the same code over more values: they run without a sanitizer.
# Leaks are not looked for: tests that end with a suspended task, and Foundation's Process, leave some.
address: packages
	ASAN_OPTIONS=detect_leaks=0 PAVISE_QUICK=1 PAVISE_TESTS='$(ADDRESS)' Scripts/test --sanitize=address --scratch-path .build-address

thread: packages
	TSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/thread-sanitizer.supp PAVISE_QUICK=1 PAVISE_TESTS='$(THREAD)' Scripts/test --sanitize=thread --scratch-path .build-thread

document: packages ## Build the documentation; a dead link is an error.
	Scripts/document

integration: build ## Run the program against three OAuth servers behind nginx, haproxy, apache2 and openssl; then the diary's day, unless WALKS=none.
	@Scripts/bootstrap integration
	python3 Integration/whole_system.py --self-test
	python3 Integration/run.py --self-test
	python3 Integration/run.py .build/release/pavise
	@[ "$(WALKS)" = none ] || $(MAKE) --no-print-directory document-window diary-walk diary-pictures

sync-seeds: packages ## Play COUNT=1000000 plans and runs of synchronisation by seed, from FIRST=0 on: a million take hours.
	nice Scripts/sync-seeds $(or $(COUNT),1000000) $(or $(FIRST),0)

sync-peers: build ## Play pavise sync and other people's clients with a second writer before each write; RACES=1000 plays so many.
	@Scripts/bootstrap peers
	python3 Integration/sync_peers.py .build/release/pavise $(if $(RACES),--races $(RACES))

log-search: build ## Load the lab for SECONDS=60 with all programs logging, then search every log for canaries; an hour is 3600.
	@Scripts/bootstrap integration
	python3 Integration/lab_load.py .build/release/pavise --seconds $(or $(SECONDS),60)

whole-system: $(if $(SANITIZE),packages,build) ## All at once for SECONDS=60 by SEED=, while disk, clock, servers and processes fail: nothing acknowledged is lost; SANITIZE=address or thread.
	@Scripts/bootstrap integration
	python3 Integration/whole_system.py $(if $(SANITIZE),--sanitize $(SANITIZE),.build/release/pavise) --seconds $(or $(SECONDS),60) $(if $(SEED),--seed $(SEED))

corpora: build ## Show payloads of others as pages in Chromium, every wire watched: FOLDERS="DOMPurify/test/fixtures …"; none is kept.
	@Scripts/bootstrap integration
	nice python3 Integration/corpora.py .build/release/pavise $(or $(FOLDERS),$(error FOLDERS names no folder with payloads))

release-log: packages ## Look whether a release of an app has the texts of its lower log levels in it.
	Scripts/check-release-log

document-window: packages ## Build a document's window of WebKitGTK, Examples/DocumentWindow, and try to get something out of it.
	@Scripts/bootstrap webkit
	nice $(SWIFT) build --package-path Examples/DocumentWindow --scratch-path .build-tests $$(Scripts/whole-modules)
	/usr/bin/python3 Examples/DocumentWindow/Scripts/view.py .build-tests/debug/document-window

entrypoints: toolset ## Try the three entry points from outside: a dependent package, the module Security, an untouched clone; and the snippets as an app's files.
	Scripts/check-isolation
	rm -rf .build-app
	nice Scripts/new-app --build-only .build-app
	COMPILED=.build-app/.build nice Scripts/entrypoints .build/release/pavise $(FOLDER)

new-app: build ## Play Documentation/Apps/NewApp.md as a person does: an app from an empty folder signs in at the lab; then all of AppSecurity, to the wipe.
	nice Scripts/new-app

bench: packages ## Measure against URLSession, libcurl, SQLite and OpenSSL in the same run, and an app's front door (Scripts/marks).
	Scripts/bench
	Scripts/marks --run

fuzz: packages ## Feed every parser of outside bytes with SECONDS=20 of hostile inputs each.
	Fuzz/fuzz.sh --seconds $(or $(SECONDS),20)

conformance: build ## Kill keychain workers at random; play published suites and the attack matrix.
	Conformance/conformance.sh $(if $(SEED),--seed $(SEED))

apple-check: packages ## Compile what a Mac builds, for Apple's systems, and run its adapter over our own keychain.
	nice python3 Conformance/Apple/check.py --self-test

controls: packages ## Take each control away in a copy, one after the other; its test must notice. CONTROLS="F7 A6" takes some.
	python3 Conformance/controls.py $(if $(CONTROLS),--only $(CONTROLS))

mutants: packages ## Change the source in COUNT=600 small ways chosen by SEED=1; a test must notice each (92 of 100). ONLY="Sources/Kit/Sync".
	nice $(SWIFT) build --package-path Auditor -c release --product pavise-mutants
	python3 Conformance/mutants.py --count $(or $(COUNT),600) --seed $(or $(SEED),1) $(if $(ONLY),--only $(ONLY)) $(if $(JSON),--json $(JSON))

audit: packages ## Build the auditor of Swift sources: Auditor/.build/release/pavise-audit.
	nice $(SWIFT) build --package-path Auditor -c release

audit-test: packages ## Test each rule of the auditor by its examples, hostile sources, and Pavise's own sources with it.
	@# Optimized: one build serves the tests and the program, and our own sources are read in seconds.
	nice $(SWIFT) test --package-path Auditor -c release --disable-xctest $(if $(CI),-Xswiftc -no-emit-module-separately-wmo)
	Auditor/.build/release/pavise-audit --fail-on warning Sources

audit-bench: audit ## Count the auditor against LABELS and SOURCES_OF_LABELS (Documentation/Audit.md), and its speed over SPEED=Sources and AGAIN.
	python3 Auditor/bench.py Auditor/.build/release/pavise-audit --speed $(or $(SPEED),Sources) $(if $(AGAIN),--again $(AGAIN)) $(if $(LABELS),--labels $(LABELS) --sources $(SOURCES_OF_LABELS)) $(if $(PEER),--peer "$(PEER)")

audit-validate: audit ## Give the SARIF, CycloneDX and HTML of an audit of APP=Examples/SleepDiary to other people's validators; SARIF_SCHEMA and VNU.
	@Scripts/bootstrap release
	.build/validators/bin/python Conformance/Audit/validate.py Auditor/.build/release/pavise-audit $(or $(APP),Examples/SleepDiary) $(if $(SARIF_SCHEMA),--sarif-schema $(SARIF_SCHEMA)) $(if $(VNU),--vnu $(VNU))

claims: packages ## Prove the ledger Documentation/Claims.toml: each promise's tests and commands; JSON=FILE gets the verdicts.
	@Scripts/bootstrap test
	Scripts/claims $(if $(JSON),--json $(JSON))

evidence: audit ## Evidence about Pavise itself below Artifacts/evidence; CONTROLS and CLAIMS are outputs of controls.py and claims.
	python3 Conformance/evidence.py --out Artifacts/evidence $(if $(CONTROLS),--controls $(CONTROLS)) $(if $(CLAIMS),--claims $(CLAIMS))

# Three steps at a time on two cores, those first that others wait for: tests wait for clocks and servers while other steps compile.
# What they install comes before them, because there is one lock of packages; of two that build in one folder, one waits for the other.
# (make comes to each in this order: one that still has to wait for another is looked at again only when all the rest have begun.)
CHECK := lint build test-all apple-check audit-test address integration thread entrypoints layers document diary-build build-check diary-evidence \
	release-log
check: packages ## Everything that a change must pass.
	@Scripts/bootstrap test
	@Scripts/bootstrap integration
	@Scripts/bootstrap diary
	@$(MAKE) --no-print-directory -j 3 --output-sync=line AUDITOR_IS_BUILT=1 WALKS=none $(CHECK:%=check-%)
	@echo "==> all checks passed"

# What audit-test builds serves diary-evidence: with other options it would be built once more.
check-diary-evidence: check-audit-test
check-document check-diary-build: check-test-all
check-entrypoints: check-test-all
check-integration check-entrypoints check-build-check: check-build
check-integration check-entrypoints check-build-check: BUILT := PROGRAMS_ARE_BUILT=1
# What packages see of the library is the same, optimized or not, and this is a quarter of the work. It is none for use.
check-entrypoints: BUILT := PROGRAMS_ARE_BUILT=1 TOOLSET=--debug FOLDER=.build/toolset-debug

# $(MAKE) stands in the line itself: where make does not see it, it keeps all words of a step back until the step has ended.
.PHONY: $(CHECK:%=check-%)
$(CHECK:%=check-%): check-%:
	@TIMEFORMAT='==> $*: %0R s, of the processors %0U + %0S s'; echo "==> make $*"; time $(MAKE) --no-print-directory $(BUILT) $*

format: packages ## Lay out the source as `make lint` wants it.
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

clean: ## Remove everything that was built.
	rm -rf .build .build-*

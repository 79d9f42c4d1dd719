# Every target needs only Go. Where tmux and PostgreSQL are installed, the tests use them, too.

BIN     := bin/bincard
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X bincard/cmd/bincard/cli.Version=$(VERSION)
LINT    := v2.15.0
LINTER  := bin/lint/$(LINT)/golangci-lint
SYSTEMS := linux/amd64 linux/arm64 darwin/arm64 windows/amd64
FUZZ    ?= 20s
SEEDS   ?= 20000
# test-dates runs these packages, which start the program or the demo, on these dates and
# in these zones; see server/testenv.
DATED   ?= ./cmd/bincard/... ./server/demo ./server/proof
DATES   ?= +1 +130 +463 02-29 12-31T23:58 12-31T23:59:55
ZONES   ?= Pacific/Pago_Pago Pacific/Kiritimati
# Leaves the paths of this machine out of what is built, so that all checkouts share Go's
# build cache, and the data for debuggers, which takes an eighth of the compiler's time.
export GOFLAGS ?= -trimpath -gcflags=all=-dwarf=false
# The compiler collects garbage less often than Go does by default.
COMPILE := CGO_ENABLED=0 GOGC=400
# By default, every process under the race detector sleeps a second on exit.
export GORACE ?= atexit_sleep_ms=0
# The programs under test, built once for all tests: bincard, and its commands without the
# terminal. Tests can shift their clock; see server/testenv.
TESTED  := $(CURDIR)/bin/tested/bincard
COMMANDS := $(CURDIR)/bin/tested/commands/bincard
CLOCK   := -X bincard/cmd/bincard/cli.TestClock=BINCARD_TEST_CLOCK
# The folders of this project, without those of a tool's cache.
FOLDERS := apiclient cmd offline server tui views
# Lists the packages with a line that matches an expression.
matching = $(shell grep -rlE --include='*.go' '$(1)' $(FOLDERS) | xargs -n1 dirname | sort -u | sed 's,^,./,')
# The packages that start goroutines. The programs that e2e and script start have no race detector.
GOSTART := ^[[:space:]]+go [a-zA-Z_.]+[(]|[.]Go[(]
RACED    = $(filter-out ./cmd/bincard/e2e ./cmd/bincard/script ./server/bench,$(call matching,$(GOSTART)))
# The packages that run more cases in test-long; see server/testenv.
LONG     = $(filter-out ./server/testenv ./cmd/bincard ./cmd/bincard/script,$(call matching,"bincard/server/testenv"))

.DEFAULT_GOAL := help
.PHONY: help run build tested test test-race test-long test-dates lint bench sim fixture fuzz cross messages pictures

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build and open the terminal on a demo warehouse
	@$(BIN) --demo

# On a fresh machine, a part of the standard library is compiled while the modules are downloaded.
build: ## build bin/bincard
	@mkdir -p bin
	@test -d "$$(go env GOMODCACHE)" || \
		{ go list -deps ./cmd/bincard >/dev/null & $(COMPILE) go build net/http database/sql encoding/gob; wait; }
	$(COMPILE) go build -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/bincard

# Builds a program under test. One that is up to date is not linked again, and an unchanged
# one keeps its time, so that go test finds its earlier results. It does not say which commit
# it is of, or whether a file differs from it.
link = @mkdir -p $(dir $1); test ! -f $1 || cp $1 $1.new; \
	$(COMPILE) go build -buildvcs=false -o $1.new $2 -ldflags '$(CLOCK)' ./cmd/bincard && \
	{ cmp -s $1.new $1 && rm $1.new || mv $1.new $1; }

tested:
	@command -v tmux >/dev/null || echo 'no tmux: the tests on a real screen are skipped'
	@command -v initdb >/dev/null || test -n "$$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" || echo 'no PostgreSQL: its tests are skipped'
	$(call link,$(TESTED),)
	$(call link,$(COMMANDS),-tags noterminal)

# The tests share the program, and the files of a new PostgreSQL server. Those are outside of
# this folder: go test compares all files inside of it that a test has read.
export BINCARD_BIN = $(TESTED)
export BINCARD_COMMANDS = $(COMMANDS)
export BINCARD_POSTGRES = $(or $(TMPDIR),/tmp)/bincard-postgres-$(shell id -u)

test: tested ## test every contract, job, screen and store: after each change
	CGO_ENABLED=0 go test -vet=off -timeout 20m ./...

test-race: tested ## test the packages that start goroutines with the race detector: needs a C compiler
	CGO_ENABLED=1 go test -race -vet=off -timeout 20m $(RACED)

test-long: tested ## test with many more random cases, kills, dates and time zones: before a release
	CGO_ENABLED=0 BINCARD_TESTS=long go test -vet=off -timeout 40m $(LONG)
	@TZ=Pacific/Kiritimati BINCARD_TESTS=long $(MAKE) --no-print-directory test-dates DATED='./cmd/bincard ./cmd/bincard/script' DATES=12-31T23:59:55 ZONES=

test-dates: ## test program start on other dates and in other time zones
	@for d in $(DATES); do echo "on $$d"; CGO_ENABLED=0 BINCARD_TEST_DATE=$$d go test -count 1 -vet=off -timeout 30m $(DATED) || exit 1; done
	@for z in $(ZONES); do echo "in $$z"; CGO_ENABLED=0 TZ=$$z go test -count 1 -vet=off -timeout 30m $(DATED) || exit 1; done

cross: ## build for all supported systems
	@for s in $(SYSTEMS); do echo "build $$s"; \
		CGO_ENABLED=0 GOOS=$${s%/*} GOARCH=$${s#*/} go build -trimpath -ldflags='$(LDFLAGS)' -o /dev/null ./cmd/bincard || exit 1; done

lint: $(LINTER) ## check style, names and the builds for all systems
	@go run .ci/names/main.go
	@go run .ci/systems/main.go $(filter-out linux/%,$(SYSTEMS))
	@CGO_ENABLED=0 $(LINTER) run ./...

$(LINTER):
	GOBIN=$(CURDIR)/$(@D) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT)

bench: ## run the benchmarks: service (and a handler that stores nothing), terminal, offline node
	go test -run '^$$' -bench . -benchtime 3s ./cmd/bincard/... ./server/... ./tui/... ./offline/bench

sim: ## simulate the offline node: $(SEEDS) seeds, or MINUTES=m
	BINCARD_CASES=$(if $(MINUTES),,$(SEEDS)) BINCARD_MINUTES=$(MINUTES) go test -v -count 1 -timeout 0 -run 'TestSimulation$$' ./offline/sim

fixture: ## record data of this version for upgrade tests: NAME=format-4
	@test -n "$(NAME)" || { echo 'name the fixture: make fixture NAME=format-4'; exit 1; }
	BINCARD_FIXTURE=$(NAME) go test -count 1 -run TestRecord_Fixture ./server/upgrade
	BINCARD_FIXTURE=$(NAME) go test -count 1 -run TestStoredTypes ./server/ledger ./offline/outbox ./offline/edge ./views/panel ./cmd/bincard/config

fuzz: ## run every fuzz target for $(FUZZ)
	@go list ./... | while read -r p; do \
		for f in $$(go test -list '^Fuzz' "$$p" 2>/dev/null | grep '^Fuzz'); do \
			echo "$$p $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZ) "$$p" || exit 1; done; done

messages: ## bring the message template and the catalogs up to date
	@go run .ci/messages/main.go

pictures: build ## make the pictures in the README
	@$(BIN) pictures .pictures

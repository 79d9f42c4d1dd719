# Every target needs only Go. With tmux installed, the tests also run the program on a
# real screen.

BIN     := bin/bincard
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X bincard/cmd/bincard/cli.Version=$(VERSION)
LINTER  := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
SYSTEMS := linux/amd64 linux/arm64 darwin/arm64 windows/amd64
FUZZ    ?= 20s
SEEDS   ?= 20000
# test-dates runs these packages, which start the program or the demo, on these dates and
# in these zones; see server/built.
DATED   ?= ./cmd/bincard/... ./server/crash ./server/demo ./server/proof
DATES   ?= +1 +130 +463 02-29 12-31T23:58 12-31T23:59:55
ZONES   ?= Pacific/Pago_Pago Pacific/Kiritimati
# The race detector needs a C compiler.
RACE    := $(shell command -v "$$(go env CC)" >/dev/null 2>&1 && [ "$$(go env CGO_ENABLED)" = 1 ] && echo -race)
# Leaves the paths of this machine out of what is built, so that all checkouts share Go's
# build cache.
export GOFLAGS ?= -trimpath
# By default, every process under the race detector sleeps a second on exit.
export GORACE ?= atexit_sleep_ms=0
# The program under test, built once for all tests.
TESTED  := $(CURDIR)/bin/tested/bincard
# Lets tests shift its clock; see server/built.
TESTCLOCK := -X bincard/cmd/bincard/cli.TestClock=BINCARD_TEST_CLOCK

.DEFAULT_GOAL := help
.PHONY: help run build test test-go test-worlds test-soon test-systems test-dates lint bench sim fixture fuzz cross messages pictures

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build and open the terminal on a demo warehouse
	@$(BIN) --demo

build: ## build bin/bincard
	@mkdir -p bin
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/bincard

test: ## run everything CI runs
	@test -z "$$(gofmt -l cmd tui views apiclient offline server 2>/dev/null)" || { gofmt -l cmd tui views apiclient offline server; echo 'run gofmt -w on these files'; exit 1; }
	@command -v initdb >/dev/null || test -n "$$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" || echo 'no PostgreSQL: its tests are skipped'
	@test -n "$(RACE)" || echo 'no C compiler: the tests run without the race detector'
	CGO_ENABLED=0 go build -o $(TESTED) -ldflags '$(TESTCLOCK)' ./cmd/bincard
	@$(MAKE) --no-print-directory -j3 test-go test-worlds test-soon test-systems

# go vet runs with the tests, because alone it would compile every package again.
test-go:
	BINCARD_BIN=$(TESTED) go test -vet=all -timeout 30m $(RACE) ./...

# With the race detector only few simulation seeds run, so more run here without it, while
# the other tests wait.
test-worlds:
	@test -z "$(RACE)" || CGO_ENABLED=0 nice -n 5 go test -vet=off -timeout 1h ./offline/sim

# The short form of test-dates.
test-soon:
	@$(MAKE) --no-print-directory test-dates DATED=./cmd/bincard DATES=02-29 ZONES=
	@TZ=Pacific/Kiritimati $(MAKE) --no-print-directory test-dates DATED=./cmd/bincard DATES=12-31T23:59:55 ZONES=

test-dates: ## test program start on other dates and in other time zones
	@for d in $(DATES); do echo "on $$d"; CGO_ENABLED=0 BINCARD_TEST_DATE=$$d go test -count 1 -vet=off -timeout 30m $(DATED) || exit 1; done
	@for z in $(ZONES); do echo "in $$z"; CGO_ENABLED=0 TZ=$$z go test -count 1 -vet=off -timeout 30m $(DATED) || exit 1; done

# Type-checking finds the errors of these builds in a tenth of the time.
test-systems:
	@go run .ci/systems/main.go $(SYSTEMS)

cross: ## build for all supported systems
	@for s in $(SYSTEMS); do echo "build $$s"; \
		CGO_ENABLED=0 GOOS=$${s%/*} GOARCH=$${s#*/} go build -trimpath -ldflags='$(LDFLAGS)' -o /dev/null ./cmd/bincard || exit 1; done

lint: ## run golangci-lint with the rules of .golangci.yml, and keep retired words out of names
	@go run .ci/names/main.go
	@export CGO_ENABLED=0; if command -v golangci-lint >/dev/null 2>&1; then golangci-lint run ./...; else go run $(LINTER) run ./...; fi

bench: ## run the benchmarks: service (and a handler that stores nothing), terminal, offline node
	go test -run '^$$' -bench . -benchtime 3s ./cmd/bincard/... ./server/... ./tui/... ./offline/bench

sim: ## simulate the offline node: $(SEEDS) seeds, or MINUTES=m
	BINCARD_SEEDS=$(if $(MINUTES),,$(SEEDS)) BINCARD_MINUTES=$(MINUTES) go test -v -count 1 -timeout 0 -run 'TestSimulation$$' ./offline/sim

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

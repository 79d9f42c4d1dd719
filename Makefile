# Every target works on a machine with Go alone; tmux lets the tests drive the
# real program on a real screen as well.

BIN     := bin/bincard
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)
LINTER  := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
SYSTEMS := linux/amd64 linux/arm64 darwin/arm64 windows/amd64
FUZZ    ?= 20s
SEEDS   ?= 20000
# The race detector needs a C compiler.
RACE    := $(shell command -v "$$(go env CC)" >/dev/null 2>&1 && [ "$$(go env CGO_ENABLED)" = 1 ] && echo -race)
# Otherwise every process that it watches sleeps for a second at its end.
export GORACE ?= atexit_sleep_ms=0
# The program that tests run, built once for all of them.
TESTED  := $(CURDIR)/bin/tested/bincard

.DEFAULT_GOAL := help
.PHONY: help run build test test-go test-worlds lint bench sim fuzz cross pictures

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build and open the terminal on a demo warehouse
	@$(BIN) --demo

build: ## build bin/bincard
	@mkdir -p bin
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/bincard

test: ## everything that CI runs
	@test -z "$$(gofmt -l cmd tui views apiclient offline server 2>/dev/null)" || { gofmt -l cmd tui views apiclient offline server; echo 'run gofmt -w on these files'; exit 1; }
	@test -n "$(RACE)" || echo 'no C compiler: the tests run without the race detector'
	CGO_ENABLED=0 go build -o $(TESTED) ./cmd/bincard
	@$(MAKE) --no-print-directory -j3 test-go test-worlds cross SYSTEMS='darwin/arm64 windows/amd64'

# Vet is part of it: apart, it would compile every package once more.
test-go:
	BINCARD_BIN=$(TESTED) go test -vet=all $(RACE) ./...

# With the race detector there is time for a few worlds alone. This and cross use the
# time in which other tests wait.
test-worlds:
	@test -z "$(RACE)" || CGO_ENABLED=0 nice -n 5 go test -vet=off -timeout 1h ./offline/sim

# Nobody runs these programs, so the compiler does not optimize them.
cross: ## build for the systems that Bincard runs on
	@for s in $(SYSTEMS); do echo "build $$s"; \
		CGO_ENABLED=0 GOOS=$${s%/*} GOARCH=$${s#*/} nice -n 5 go build -gcflags='all=-N -l -dwarf=false' -ldflags='-s -w' \
			-o /dev/null ./cmd/bincard || exit 1; done

lint: ## golangci-lint with the rules of .golangci.yml
	@export CGO_ENABLED=0; if command -v golangci-lint >/dev/null 2>&1; then golangci-lint run ./...; else go run $(LINTER) run ./...; fi

bench: ## the figures: service beside a handler that stores nothing, terminal, and offline node
	go test -run '^$$' -bench . -benchtime 3s ./cmd/bincard/... ./server/... ./tui/... ./offline/bench

sim: ## made-up worlds for the offline node: $(SEEDS) of them, or MINUTES=m
	BINCARD_SEEDS=$(if $(MINUTES),,$(SEEDS)) BINCARD_MINUTES=$(MINUTES) go test -v -count 1 -timeout 0 -run 'TestWorlds$$' ./offline/sim

fuzz: ## every fuzz target, $(FUZZ) each
	@go list ./... | while read -r p; do \
		for f in $$(go test -list '^Fuzz' "$$p" 2>/dev/null | grep '^Fuzz'); do \
			echo "$$p $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZ) "$$p" || exit 1; done; done

pictures: build ## the pictures of the readme
	@$(BIN) pictures .pictures

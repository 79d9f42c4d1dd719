// Package apitest is the contract suite: the tests that every api.Service must pass,
// whether it is a ledger in the same process, a client of a remote service or a node.
//
// [Run] runs all tests. At the end of each test it repeats every write of the test and
// requires the same response, and at the end of the suite it requires that the tests
// covered every operation.
package apitest

import (
	"slices"
	"testing"

	"bincard/server/testenv"
)

// A Part is a part of the contract that a Service in front of another may omit.
type Part int

const (
	// Plans are the limits of plans.
	Plans Part = iota
	// Feed is the change feed and the snapshot.
	Feed
	// Keys are the API keys.
	Keys
	// Origins are where writes were made. A node records itself instead.
	Origins
)

// parts are the tests of each part.
var parts = map[Part][]test{Plans: planTests, Keys: keyTests, Origins: originTests, Feed: append(slices.Concat(feedTests, chainTests),
	test{"feed and snapshot have only their own data", feedApart},
	test{"default page sizes", pagesDefault})}

// groups are all tests, the main one of each group first.
func groups() [][]test {
	return [][]test{
		catalogTests, inboundTests, lotTests, serialTests, stockTests, unitTests, balanceTests, reportTests, transferTests,
		outboundTests, reservationTests, kitTests, directStockTests, plateTests, traceTests, operationTests, lookupTests, idempotencyTests, validationTests, tenancyTests, pagingTests, raceTests, tableTests,
		planTests, keyTests, nodeTests, presenceTests, feedTests, asOfTests, cursorTests, clockTests, restartTests, ruleTests, operatorTests, originTests, occurredTests, chainTests,
	}
}

// Run runs the contract suite. open returns a new world for each test. Run skips the
// parts in without, and requires full coverage if there are none.
func Run(t *testing.T, open func(t *testing.T) World, without ...Part) {
	run(t, slices.Concat(groups()...), open, without, len(without) == 0)
}

// RunPart runs the tests of one part.
func RunPart(t *testing.T, open func(t *testing.T) World, part Part) {
	run(t, slices.Clone(parts[part]), open, nil, false)
}

// RunSample is like Run, but "make test" runs only the main test of each group, and those about
// races, restarts and repeated requests. It is for a service that differs from another one only
// below the ledger.
func RunSample(t *testing.T, open func(t *testing.T) World, without ...Part) {
	if testenv.Long() {
		Run(t, open, without...)
		return
	}

	var sample []test
	for _, group := range groups() {
		sample = append(sample, group[0])
	}
	for _, group := range [][]test{idempotencyTests, raceTests, restartTests} {
		sample = append(sample, group[1:]...)
	}

	run(t, sample, open, without, len(without) == 0)
}

func run(t *testing.T, tests []test, open func(t *testing.T) World, without []Part, complete bool) {
	skip := map[string]bool{}
	for _, part := range without {
		for _, x := range parts[part] {
			skip[x.name] = true
		}
	}

	tests = slices.DeleteFunc(tests, func(x test) bool { return skip[x.name] })

	covered := newCoverage()
	if complete {
		t.Cleanup(func() { covered.requireComplete(t, len(tests)) })
	}

	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t, open(t).recorded(covered, x.name))
			x.run(k)
			k.replayAll()
			covered.mu.Lock()
			defer covered.mu.Unlock()
			covered.ran++
		})
	}
}

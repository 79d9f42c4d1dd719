// Package testenv has what tests take from their environment: the program, built once for the
// tests that run it; the date and zone it runs at; and the number of cases of every test that
// draws cases at random, simulates, or repeats a fault: few in "make test", many in "make
// test-long".
//
// Three environment variables change a run:
//
//   - BINCARD_TESTS=long uses the numbers of "make test-long".
//
//   - BINCARD_CASES is the number of cases of every such test.
//
//   - BINCARD_SEED is the seed, or the first of several. It is the same in each run
//     unless it is set. Each test prints its seed, and repeats its cases with it:
//
//     BINCARD_SEED=42 BINCARD_CASES=1 go test ./views -run TestScans_AreRecorded
package testenv

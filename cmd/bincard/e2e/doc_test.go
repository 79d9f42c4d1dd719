// Package e2e tests the bincard program as people use it: on a tmux screen by keys and
// scans, on a bare terminal, over SSH and as commands, with a local ledger, a service or
// an edge, with and without failures. Benchmarks measure the whole program.
package e2e_test

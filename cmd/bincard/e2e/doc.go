// Package e2e holds the tests that drive the real program as people do: on a
// real screen (tmux) by keys and scans, on bare terminals, against its own ledger
// and against its own service, on good days and bad ones; and the figures of the
// whole program as benchmarks.
package e2e

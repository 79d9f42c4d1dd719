// Package proof has only tests that try to refute the ledger: they compare histories of
// concurrent clients with a model, and reopen files after a simulated loss of power, disk
// damage or full disk.
//
// The default run is short. BINCARD_PROOF=long tries many more cases; a failure reports the
// seed that reproduces it.
package proof

// Package proof holds no code, only tests that try to prove the ledger wrong:
// histories of concurrent clients are held against a model, and files as a
// loss of power, a bad disk or a full one leaves them are opened again.
//
// The usual run is short. BINCARD_PROOF=long tries many more cases; a failure
// names the seed that makes it again.
package proof

// Package proof has only tests that try to refute the ledger: they compare histories of
// concurrent clients with a model, and reopen files after a simulated loss of power, disk
// damage or full disk.
//
// Package testenv has their numbers of cases; a failure reports the seed that reproduces it.
package proof

// Package server assembles the service: the store in a data directory, the
// ledger on it, and the HTTP handler. The serve command, the terminal with an
// embedded ledger, and the tests open it here.
//
// The packages below it, in reading order:
//
//   - api: the contract; resources, inputs and their rules, operations, errors.
//   - ledger: the engine behind the contract. Every change is one write to its journal.
//     Below it, journal has the entries, stored the tables, and posting a write in progress
//     with the only way to move stock; catalog, document and stock are what requests
//     change, and report is what they read. audit verifies a ledger, and replica fills one
//     from another.
//   - account: organizations, API keys, plans and usage.
//   - store: ordered key-value transactions, and tables over them.
//   - httpapi: the contract over HTTP, in one pipeline for every operation.
//   - local, admin, archive: sharing the data directory that a process has open, administering
//     it, and its backups.
//   - intake, sheet, inbox, demo: filling a ledger from files, also from those that appear in a
//     directory, or with a made-up company.
//   - memory, metrics: the memory of a service, and its measurements.
//   - proof, upgrade, bench: the tests of the whole: invariants and crashes, data of older
//     versions, and speed. testenv has what they take from their environment.
package server

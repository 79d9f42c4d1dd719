// Package offline implements a node: an api.Service that keeps working without
// a connection to the service behind it, and syncs its operations when the
// connection returns.
//
// A node runs the service's own ledger over three layers:
//
//   - the replica holds what the service has confirmed. It can be deleted and
//     downloaded again at any time;
//   - the journal holds the operations done at the node and their outcomes. It
//     is the only copy of them, and is flushed before an operation is reported
//     as saved;
//   - the overlay is the replica with every operation applied that the replica
//     does not contain yet. It exists in memory only.
//
// Users therefore see at once what the ledger will answer, and an operation
// that the ledger would reject is rejected immediately.
//
// Package journal stores the journal, package outbox keeps the queue of
// operations, package replicas stores the replica, and package predict applies
// the operations over it. Package syncer follows the service: by its change feed, or
// by polling any service with the documented operations. Package edge puts a node
// between a service and the devices of a site. Package host runs a node in a process:
// it owns the directory and serves the other processes of the machine.
//
// To read it: node.go has the Node and its configuration, do.go what it does with
// a request, and rebuild.go what its users see meanwhile. push.go sends operations
// and pull.go reads what the service has confirmed; run.go does both. work.go and
// decisions.go are for operations that failed or need a decision, and
// describe.go says what an operation is about. pass_through.go and defaults.go
// are mostly for services with the documented operations only.
package offline

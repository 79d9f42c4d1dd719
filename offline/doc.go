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
// To read it: node.go has the Node, which wires its parts over one state (state.go,
// state_view.go). capture.go saves operations, drain.go and drain_probe.go send them,
// read*.go read the local data and keep it up to date, and resolve*.go are for what people
// decide. What differs between a service with a change feed and one that is polled is in
// source*.go.
package offline

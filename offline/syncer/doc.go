// Package syncer fills and follows a node's replica of what the service has
// confirmed.
//
// A Syncer returns the requests to send and takes their answers; it has no
// goroutine and no connection, and never calls its node. A feed follows the
// change feed of Bincard's own service, a poll any service with the documented
// operations, and New finds out which of them a service needs.
//
// A poll first fills a replica with the balances and the open documents
// (poll_fill.go). From then on a cycle reads the movements since the last one,
// and the balances and documents that they affect (poll_movements.go,
// poll_documents.go). It looks up operations whose answer was lost
// (poll_lookup.go), and merges what it read into the replica in one transaction
// (poll_merge.go). A pacer limits the requests to a share of the monthly quota.
// To read it: poll.go and poll_phases.go first, which say in which order this
// happens, then poll_state.go and poll_cycle.go.
package syncer

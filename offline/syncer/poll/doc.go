// Package poll follows a service that has the documented operations only.
//
// The first reading fills a replica with the balances and the open documents
// (fill.go). From then on a cycle reads the movements since the last one, and
// the balances and documents that they affect (movements.go, documents.go). It
// looks up operations whose answer was lost (lookup.go), and merges what it read
// into the replica in one transaction (merge.go). A pacer limits the requests to
// a share of the monthly quota.
//
// To read it: poll.go and phases.go first, which say in which order this
// happens, then state.go and cycle.go.
package poll

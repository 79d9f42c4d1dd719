// Package syncer defines how a node fills and follows its replica of what the
// service has confirmed.
//
// A Syncer returns the requests to send and takes their answers; it has no
// goroutine and no connection, and never calls its node. Package feed follows
// the change feed of Bincard's own service, package poll any service with the
// documented operations, and package detect finds out which of them a service
// needs.
package syncer

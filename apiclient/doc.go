// Package apiclient is the service over HTTP: a Service like the ledger itself,
// with every error rebuilt as the service meant it.
//
// A write is sent once. Whether to send it again, with the same key, is for the
// caller to decide; details.outcome of an UNAVAILABLE error tells whether the
// first one can have arrived.
package apiclient

// Package predict applies operations that the service has not confirmed to the
// local data, as the service will.
//
// A LocalView is the service's own ledger over an overlay: the replica with those
// operations applied, in memory. Each operation is a Step, which knows the rows
// that it read. When the replica has changed, Replay builds the next LocalView, and
// runs only the operations that read what has changed; for the others it copies
// what they wrote. Steps can be saved in a cache for the next start.
//
// To read it: view.go and replay.go first, which also has what is left out for services
// that report less than the ledger needs, then overlay.go and trace.go, which records what
// an operation touches. cache.go has the format of the cache.
package predict

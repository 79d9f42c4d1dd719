// Package offline is a node: an api.Service that goes on working where the
// service it stands for cannot be reached, and hands on what was done when it
// can.
//
// It runs the same ledger as the service over three layers:
//
//   - the base is what the service has confirmed. It can be thrown away and
//     read again at any time;
//   - the journal is what people did here and what became of it, the only copy
//     of it, flushed before anybody is told that it is saved;
//   - the front is the ledger applied to the base plus every operation that the
//     base does not hold yet. It is never stored.
//
// So people see at once what the ledger will say, and are stopped where it
// would stop them.
package offline

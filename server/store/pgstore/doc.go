// Package pgstore is a store.Store on PostgreSQL, which any number of processes may share.
//
// The database has the truth; a process has only caches. Each partition has a row in
// partitions, which is its lock and its version: a commit locks that row, stages its updates
// on the newest rows, writes them with the list of changes, and raises the version, in one
// READ COMMITTED transaction. Other processes read the lists of changes to bring their caches
// up to date, those of the store and, by OnChange, those of its users. A read learns the
// version with its snapshot, and reads what is cached as of that version. Updates of a
// partition that wait at the same time commit together; different partitions commit in
// parallel.
//
// A connection may be lost while a transaction commits. Each commit has an id, so the next
// transaction finds out whether it happened.
//
// The store uses no session state, advisory locks, sequences or notifications: they do not
// work behind poolers, or on distributed databases with PostgreSQL's protocol.
package pgstore

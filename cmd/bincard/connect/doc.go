// Package connect opens what a command or the terminal runs on: a local ledger, the demo, a
// service, or an offline node. It also makes errors readable on the command line, and checks
// the files that are imported.
//
// OpenShared opens the ledger in a data directory for several processes of one machine: the
// first process owns the directory and serves it on a socket (owner.go), and the others are
// its clients. When the owner ends, also when it is killed, one of the clients takes over,
// and a request in progress is repeated under its idempotency key. Package local shares the
// directory. A ledger in a database is open in each process that uses it. The service of
// 'bincard serve' shares its directory with no terminal: its keys decide who may do what.
package connect

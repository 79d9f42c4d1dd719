// Package local lets other programs on this machine use the process that has a
// data directory open, over HTTP on a socket in that directory. Whoever can
// open the directory may use it without a key.
//
// An Admin administers the ledger: DirectAdmin in the process that has the
// directory open, Client from another one.
package local

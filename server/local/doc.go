// Package local lets other programs of this machine reach the process that has
// a data directory open, over a socket in that directory. Whoever may open the
// directory may use it, and needs no key.
//
// What goes over it is HTTP. A Desk is the administration of the ledger: the
// process that has the directory open answers for it, and a Client asks.
package local

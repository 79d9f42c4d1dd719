// Package local lets the processes of this machine share a data directory: the
// one that has it open serves HTTP on a socket in it, and the others connect
// there. Whoever can open the directory may use it without a key.
//
// Serve is for the owner; Connect, Transport and AwaitClose are for the others.
// Answer and Call are the two ends of a request in JSON.
// What is served is the caller's: package admin serves the administration of a
// ledger, and package host the API of an offline node. The owner holds the
// directory by a lock of its own, because a socket alone cannot.
package local

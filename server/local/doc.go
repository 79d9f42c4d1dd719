// Package local lets the processes of this machine share a data directory: the
// one that has it open serves HTTP on a socket in it, and the others connect
// there. Whoever can open the directory may use it without a key.
//
//   - Serve is for the owner; Connect, Transport and AwaitClose are for the others.
//   - An Opener (opener.go) opens a directory unless another process serves it. Join
//     (member.go) returns this process's part in sharing it, a Member. When the owner
//     ends, another member takes over, and a request in progress is repeated.
//   - Answer and Call are the two ends of a request in JSON.
//
// What is served is the caller's: package admin serves the administration of a
// ledger, and package host the API of an offline node. The owner holds the
// directory by a lock of its own, because a socket alone cannot. Its directory is on
// no network drive (CheckDrive).
package local

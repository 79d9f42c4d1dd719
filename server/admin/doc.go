// Package admin administers the ledger in a data directory: organizations,
// keys, plans, rules, backups and verifications, from whichever process.
//
// Do runs something on the Admin of a directory. That is a Client of the process
// that has the directory open and serves a DirectAdmin there (see Serve and
// package local), or else the ledger opened by this process alone. Maintenance
// makes backups and verifies while a service runs. A verification reads pages
// that may be damaged, so ProcessVerifier runs it in a process of its own, whose
// progress travels as lines of JSON (WriteProgress, ReadProgress).
package admin

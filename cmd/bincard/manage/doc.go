// Package manage has the commands that manage a ledger: its organizations, keys, plans and
// operators, its backups, its verification, and its copies to other stores.
package manage

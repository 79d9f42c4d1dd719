// Package session is the session that all screens of a terminal share: a Site knows the
// service, the operator and the location.
//
// Call performs an operation. The site learns from the answers which operations the
// service supports (support.go) and what the caller may do (access.go, rights.go). It
// also keeps the sync state, a cache, and the unknown codes of the shift.
//
// The lookups find documents, items, locations and balances, also in a service without
// LookUp (without_lookup.go). Resolve says where a scan leads.
package session

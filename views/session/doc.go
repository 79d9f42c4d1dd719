// Package session is the session that all screens of a terminal share: a Site knows the
// service, the operator and the location.
//
// Call performs an operation. The connection (call.go) learns from the answers which
// operations the service supports (support.go), what the caller may do (access.go) and what
// waits to sync (sync_state.go). The worker is who works here, and where. The site also keeps
// a cache, and the unknown codes of the shift.
//
// The lookups find documents, items, locations and balances, also in a service without
// LookUp (lookup.go). Resolve says where a scan leads.
package session

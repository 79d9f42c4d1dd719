// Package status maintains the header of a terminal: its company, location, operator
// and connection.
//
// A Monitor wraps the service of the screens and records when it last answered
// (monitor.go). Resolve reads the key's access and location at the start
// (location.go), Poll reads the sync status of the node (poll.go), and Header
// combines them (header.go).
package status

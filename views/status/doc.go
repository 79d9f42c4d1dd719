// Package status keeps the header of a terminal true: its company, location,
// operator and connection.
//
// A Monitor stands in front of the service that the screens use and records when
// it last answered (monitor.go). Resolve finds out the key's access and location
// at the start (location.go), Poll follows the node that keeps offline work
// (poll.go), and Header puts them together (header.go).
package status

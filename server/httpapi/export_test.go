package httpapi

import (
	"net"
	"net/netip"
)

// SourceOf returns the network whose connections are limited together.
func SourceOf(address string, trusted ...netip.Prefix) string {
	l := newConnections(nil, 1, 1, trusted)
	addr, _ := net.ResolveTCPAddr("tcp", address)
	if p := l.sourceOf(addr); p.IsValid() {
		return p.String()
	}
	return ""
}

// A Connections is the listener that Serve limits connections with.
type Connections = connections

// NewConnections returns one.
var NewConnections = newConnections

// Package host runs an offline node in a process: it owns the node's directory,
// serves the node to the other processes of this machine, and takes over when
// the owner ends.
//
//   - Lock (lock.go) reserves a directory, and Open (node.go) opens the node in it
//     as a Node, until Close.
//   - Node.Serve (socket.go) serves the API on a socket in the directory; see
//     package local.
//   - Join (shared.go) returns the node of a directory as a Shared, an api.Service,
//     wherever it runs: the first process owns it and the others connect to that
//     one. When the owner ends, one of them takes over. A request in progress is
//     repeated under its idempotency key. Package local shares the directory.
//   - Attach (attach.go) puts the node of this machine in front of a service. What
//     the service said about the key is saved for a start without a connection
//     (access.go).
//   - RunEdge (edge.go) runs a site's own service over a node. Its device keys are
//     managed from other processes through WithDevices (devices.go).
package host

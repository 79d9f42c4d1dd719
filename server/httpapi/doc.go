// Package httpapi serves the operations of package api over HTTP.
//
// Every request passes the same steps, in handle.go: authenticate, check
// organization and scope, read headers and body, decode and check the input,
// call the service, write the answer. The operation's Spec determines what
// differs; no route has code of its own.
package httpapi

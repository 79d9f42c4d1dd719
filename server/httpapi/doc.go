// Package httpapi answers the operations of the contract over HTTP.
//
// Every request takes one way, in handle.go: authenticate, organization, scope,
// headers, body, decode and check, call, write. What differs from operation to
// operation stands in the operation's Spec; there is no code per route.
package httpapi

// Package transfers is the job of moving goods between places, seen from both
// ends: shipping what is to leave the place where one stands, and receiving
// what is on the way to it.
package transfers

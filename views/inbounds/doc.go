// Package inbounds is the receiving job: the list of expected inbounds, and the
// screen that counts one with its lots, serials and damaged quantity.
package inbounds

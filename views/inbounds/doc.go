// Package inbounds is the job of receiving: what is expected at a place, due
// first, and one inbound with its count, lots, serial numbers and damaged share.
package inbounds

// Package transfers contains the jobs that move stock between locations: shipping
// from the working location, and receiving at it.
package transfers

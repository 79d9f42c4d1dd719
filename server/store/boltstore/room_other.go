//go:build !linux && !darwin

package boltstore

// room is not known.
func room(string) int64 { return -1 }

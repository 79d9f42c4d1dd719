//go:build !linux && !darwin

package boltstore

// freeSpace is unknown on this system.
func freeSpace(string) int64 { return -1 }

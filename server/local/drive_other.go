//go:build !linux && !darwin && !freebsd && !windows

package local

// networkDrive cannot recognize network drives on this system.
func networkDrive(string) string { return "" }

//go:build !linux && !darwin && !freebsd && !windows

package offline

// networkDrive is not known here.
func networkDrive(string) string { return "" }

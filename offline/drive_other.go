//go:build !linux && !darwin && !freebsd && !windows

package offline

// farDrive is not known here.
func farDrive(string) string { return "" }

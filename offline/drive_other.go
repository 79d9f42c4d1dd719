//go:build !linux && !darwin && !freebsd && !windows

package offline

// networkDrive cannot recognize network drives on this system.
func networkDrive(string) string { return "" }

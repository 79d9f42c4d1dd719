package local

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// networkDrive returns "Windows" if dir is on a network drive, else empty.
func networkDrive(dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}

	root, err := windows.UTF16PtrFromString(filepath.VolumeName(dir) + `\`)
	if err != nil || windows.GetDriveType(root) != windows.DRIVE_REMOTE {
		return ""
	}

	return "Windows"
}

package journal

// unsupported ignores errors of flushing a directory, which Windows does not
// support; NTFS journals a rename itself.
func unsupported(error) bool { return true }

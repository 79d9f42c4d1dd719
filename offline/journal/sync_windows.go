package journal

// unsupported is true on Windows, where a folder cannot be flushed: a rename is
// in the file system's own journal.
func unsupported(error) bool { return true }

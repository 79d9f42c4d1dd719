//go:build !linux

package redo

import "os"

// flush has on disk what was written.
func flush(file *os.File) error { return file.Sync() }

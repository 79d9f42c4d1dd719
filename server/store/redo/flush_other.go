//go:build !linux

package redo

import "os"

// flush flushes a file to disk.
func flush(file *os.File) error { return file.Sync() }

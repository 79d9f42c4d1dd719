//go:build !linux

package wal

import "os"

// Flush flushes a file to disk.
func Flush(file *os.File) error { return file.Sync() }

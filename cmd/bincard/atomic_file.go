package main

import (
	"io"
	"io/fs"

	"bincard/views/export"
)

// writeFileAtomic writes a file that is there whole or not at all, as export.File does.
func writeFileAtomic(name string, perm fs.FileMode, fn func(io.Writer) error) error {
	f, err := export.Create(english, name, perm)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := fn(f); err != nil {
		return err
	}
	return f.Commit()
}

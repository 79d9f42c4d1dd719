// Package filestore stores the files of a terminal: the settings that operators save
// on screens (Settings) and the requests of command-line jobs (Requests).
package filestore

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"bincard/views/export"
)

// Settings stores the settings of one company and environment in a directory, one
// file per name.
type Settings struct{ Dir string }

// Load returns the data saved under name, or nil.
func (s Settings) Load(name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(s.Dir, name+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Save saves data under name and syncs it to disk.
func (s Settings) Save(name string, data []byte) error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return fmt.Errorf("cannot save it: %w", err)
	}
	return write(filepath.Join(s.Dir, name+".json"), data)
}

// write replaces a file that only its owner can read. It never leaves an incomplete
// file.
func write(name string, data []byte) error {
	return export.WriteFile(nil, name, 0o600, func(w io.Writer) error { _, err := w.Write(data); return err })
}

package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"bincard/views/export"
)

// SavedSettings stores the settings of one company and environment in a directory, one
// file per name.
type SavedSettings struct{ Dir string }

// Load returns the data saved under name, or nil.
func (s SavedSettings) Load(name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(s.Dir, name+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Save saves data under name and syncs it to disk.
func (s SavedSettings) Save(name string, data []byte) error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return fmt.Errorf("cannot save it: %w", err)
	}
	return writePrivateFile(filepath.Join(s.Dir, name+".json"), data)
}

// writePrivateFile replaces a file that only its owner can read. It never leaves an incomplete
// file.
func writePrivateFile(name string, data []byte) error {
	return export.WriteFile(nil, name, 0o600, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// Package filestore keeps in files what a terminal saves between sessions: what
// operators save on screens (Settings), and the requests of jobs done from the
// command line (Requests).
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

// Settings keeps what operators save of one company and environment, a file each in
// a directory.
type Settings struct{ Dir string }

// Load reads what was saved under name; nil if nothing was.
func (s Settings) Load(name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(s.Dir, name+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Save saves data under name, on disk before it returns.
func (s Settings) Save(name string, data []byte) error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return fmt.Errorf("cannot save it: %w", err)
	}
	return write(filepath.Join(s.Dir, name+".json"), data)
}

// write writes a file that only its owner can read, whole or not at all.
func write(name string, data []byte) error {
	return export.WriteFile(nil, name, 0o600, func(w io.Writer) error { _, err := w.Write(data); return err })
}

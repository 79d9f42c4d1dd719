package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"

	"bincard/server/api"
	"bincard/views/export"
)

// settingsStore keeps what operators save of one company and environment, a file each
// in a folder of the settings.
type settingsStore struct{ dir string }

func newSettingsStore(cfg config, env api.Environment) settingsStore {
	return settingsStore{filepath.Join(filepath.Dir(configFile()), "saved", cfg.sourceName()+"@"+sanitize(string(env)))}
}

// Load reads what was saved under name; nil if nothing was.
func (s settingsStore) Load(name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(s.dir, name+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Save keeps data under name, on disk before it returns.
func (s settingsStore) Save(name string, data []byte) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("cannot save it: %w", err)
	}
	return writeFileAtomic(filepath.Join(s.dir, name+".json"), 0o600, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// exportsDir is where files are written unless another place is named: the
// folder of downloads, else home, else where the program was begun.
func exportsDir() string {
	for _, dir := range []string{xdg.UserDirs.Download, xdg.Home} {
		if info, err := os.Stat(dir); dir != "" && err == nil && info.IsDir() {
			return dir
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		return os.TempDir()
	}
	return dir
}

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

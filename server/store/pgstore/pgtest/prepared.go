package pgtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// prepared is what initdb made, which takes longer than to copy it.
var prepared struct {
	sync.Mutex
	data *directory
}

// A directory is the content of a directory.
type directory struct {
	folders []string // each after the one that it is in
	files   map[string][]byte
}

func readDir(dir string) (*directory, error) {
	d := &directory{files: map[string][]byte{}}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			d.folders = append(d.folders, name)
			return nil
		}
		d.files[name], err = os.ReadFile(path)
		return err
	})
	return d, err
}

// write writes the content to a new directory, for the user that PostgreSQL runs as.
func (d *directory) write(dir string) error {
	for _, name := range d.folders {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		if err := giveUpRoot(path); err != nil {
			return err
		}
	}
	for name, data := range d.files {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return err
		}
		if err := giveUpRoot(path); err != nil {
			return err
		}
	}
	return nil
}

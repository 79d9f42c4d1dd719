package pgtest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

// prepared is what initdb made, which takes longer than to copy it. Test programs have it in
// common if BINCARD_POSTGRES names a directory for it.
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

// kept returns where what this server's initdb makes is kept, or "".
func (s *Server) kept() string {
	dir := os.Getenv("BINCARD_POSTGRES")
	initdb, err := os.Stat(filepath.Join(s.programs, "initdb"))
	if dir == "" || err != nil {
		return ""
	}
	return filepath.Join(dir, strconv.FormatInt(initdb.ModTime().Unix(), 36))
}

// load returns what another test program has kept, or nil.
func (s *Server) load() *directory {
	kept := s.kept()
	if kept == "" {
		return nil
	}

	d, err := readDir(kept)
	if err != nil {
		return nil
	}

	return d
}

// save keeps a directory for other test programs, unless one of them has done so.
func (s *Server) save(d *directory) error {
	kept := s.kept()
	if kept == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		return err
	}

	part, err := os.MkdirTemp(filepath.Dir(kept), "part")
	if err != nil {
		return err
	}

	defer os.RemoveAll(part)
	if err := d.write(filepath.Join(part, "data"), func(string) error { return nil }); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(part, "data"), kept); err != nil && s.load() == nil {
		return err
	}

	return nil
}

// write writes the content to a new directory, and calls own for all that it writes.
func (d *directory) write(dir string, own func(path string) error) error {
	for _, name := range d.folders {
		path := filepath.Join(dir, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			return err
		}
		if err := own(path); err != nil {
			return err
		}
	}

	for name, data := range d.files {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			return err
		}
		if err := own(path); err != nil {
			return err
		}
	}

	return nil
}

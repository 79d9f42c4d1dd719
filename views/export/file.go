package export

import (
	"bincard/tui/i18n"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is a file that is there whole or not at all: it is written beside its
// name and renamed when it is kept. A device or a pipe is written as it is.
type File struct {
	name   string
	perm   fs.FileMode
	to     *os.File
	direct bool
	closed bool
}

// Create begins a file. One that was there stays until the new one is kept,
// and gives it its mode, which else is perm.
func Create(t *i18n.Translator, name string, perm fs.FileMode) (*File, error) {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	f := &File{name: name, perm: perm}
	var err error
	switch info, none := os.Stat(name); {
	case none == nil && info.IsDir():
		return nil, errors.New(t.Get("%s is a directory; name a file in it", name))
	case none == nil && !info.Mode().IsRegular():
		f.direct = true
		f.to, err = os.OpenFile(name, os.O_WRONLY, 0)
		return f, err
	case none == nil:
		f.perm = info.Mode().Perm()
	}
	f.to, err = os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-")
	return f, err
}

// Name is the path under which the file will be found.
func (f *File) Name() string { return f.name }

// Write writes to the file.
func (f *File) Write(text []byte) (int, error) { return f.to.Write(text) }

// Commit puts the file in its place, on disk before it returns.
func (f *File) Commit() error {
	f.closed = true
	if f.direct {
		return f.to.Close()
	}
	err := errors.Join(f.to.Chmod(f.perm), f.to.Sync(), f.to.Close())
	if err == nil {
		err = os.Rename(f.to.Name(), f.name)
	}
	if err != nil {
		os.Remove(f.to.Name())
	}
	return err
}

// Discard leaves nothing of a file that was not kept.
func (f *File) Discard() {
	if f.closed {
		return
	}
	f.closed = true
	f.to.Close()
	if !f.direct {
		os.Remove(f.to.Name())
	}
}

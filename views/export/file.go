package export

import (
	"bincard/tui/i18n"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A File is written to a temporary file that Commit renames, so that an incomplete
// file never has the name. A device or pipe is written directly.
type File struct {
	name   string
	perm   fs.FileMode
	to     *os.File
	direct bool
	closed bool
}

// Create starts a file. An existing file stays until Commit and passes on its mode;
// otherwise the mode is perm.
func Create(t *i18n.Translator, name string, perm fs.FileMode) (*File, error) {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}

	f := &File{name: name, perm: perm}
	var err error
	switch info, none := os.Stat(name); {
	case none == nil && info.IsDir():
		return nil, t.NewError("%s is a directory; specify a file in it", name)
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

// Name returns the path of the committed file.
func (f *File) Name() string { return f.name }

// Write implements io.Writer.
func (f *File) Write(text []byte) (int, error) { return f.to.Write(text) }

// Commit syncs the file and renames it to its final name.
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

// Discard removes the file unless it was committed.
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

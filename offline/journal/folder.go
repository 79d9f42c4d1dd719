package journal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"bincard/server/store/wal"
)

// A Folder holds the files of a journal. Dir returns one on disk.
type Folder interface {
	// Open opens a file for reading and writing and creates it if it does not
	// exist.
	Open(name string) (File, error)
	// Rename replaces a file by another one. When it returns, the new name is
	// on disk.
	Rename(from, to string) error
	// Remove deletes a file. It is no error if the file does not exist.
	Remove(name string) error
}

// A File is a file of a Folder.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Size() (int64, error)
	Truncate(size int64) error
	// Sync returns when all writes are on disk.
	Sync() error
}

// Dir returns the folder with that path, which must exist.
func Dir(path string) Folder { return dir(path) }

type dir string

func (d dir) Open(name string) (File, error) {
	path := filepath.Join(string(d), name)
	_, before := os.Lstat(path)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if before != nil {
		if err := wal.SyncDir(string(d)); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}

	return file{f}, nil
}

func (d dir) Rename(from, to string) error {
	if err := os.Rename(filepath.Join(string(d), from), filepath.Join(string(d), to)); err != nil {
		return err
	}
	return wal.SyncDir(string(d))
}

func (d dir) Remove(name string) error {
	err := os.Remove(filepath.Join(string(d), name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

type file struct{ *os.File }

func (f file) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

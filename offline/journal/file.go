package journal

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// newSuffix is the suffix of a file that is about to replace another.
const newSuffix = ".new"

// ReadFile returns the content of a file of a folder, or empty if it does not
// exist. On disk it does not create the file.
func ReadFile(folder Folder, name string) ([]byte, error) {
	if d, ok := folder.(dir); ok {
		data, err := os.ReadFile(filepath.Join(string(d), name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		return data, err
	}

	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}

	defer f.Close()

	return readAll(f)
}

func readAll(f File) ([]byte, error) {
	size, err := f.Size()
	if err != nil {
		return nil, err
	}

	data := make([]byte, size)
	if n, err := f.ReadAt(data, 0); err != nil && (!errors.Is(err, io.EOF) || int64(n) < size) {
		return nil, err
	}

	return data, nil
}

// WriteTo writes to a file at an offset, and does not flush it.
func WriteTo(folder Folder, name string, data []byte, at int64) error {
	f, err := folder.Open(name)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, at)
	return errors.Join(err, f.Close())
}

// ReplaceFile replaces the content of a file, or leaves it unchanged, even if
// the power fails.
func ReplaceFile(folder Folder, name string, data []byte) error {
	fresh := name + newSuffix
	f, err := folder.Open(fresh)
	if err != nil {
		return err
	}

	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt(data, 0)
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, folder.Remove(fresh))
	}

	return folder.Rename(fresh, name)
}

package sheet

import (
	"bytes"
	"errors"
	"io"
	"os"
	"runtime"
)

// inMemory is the size in bytes below which a file is kept in memory. A larger file is copied to
// a temporary one.
const inMemory = 1 << 20

// spool returns a copy of in, which exists as long as the owner does.
func spool(in io.Reader, owner *Table) (*io.SectionReader, error) {
	var start bytes.Buffer
	n, err := io.CopyN(&start, in, inMemory)
	if errors.Is(err, io.EOF) {
		return io.NewSectionReader(bytes.NewReader(start.Bytes()), 0, n), nil
	}
	if err != nil {
		return nil, err
	}

	f, err := os.CreateTemp("", "bincard-import-")
	if err != nil {
		return nil, err
	}

	if os.Remove(f.Name()) != nil { // it is open
		runtime.AddCleanup(owner, func(f *os.File) {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}, f)
	}

	n, err = io.Copy(f, io.MultiReader(&start, io.LimitReader(in, maxSize+1-n)))
	if err == nil && n > maxSize {
		err = newError("the file is larger than %d MiB; split it", maxSize>>20)
	}

	return io.NewSectionReader(f, 0, n), err
}

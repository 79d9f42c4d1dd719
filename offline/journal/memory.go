package journal

import (
	"io"
	"sync"
)

// Memory is a folder in memory, for tests.
type Memory struct {
	mu    sync.Mutex
	files map[string]*memoryFile
}

// Open opens a file and creates it if it does not exist.
func (m *Memory) Open(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files == nil {
		m.files = map[string]*memoryFile{}
	}
	if m.files[name] == nil {
		m.files[name] = &memoryFile{}
	}

	return m.files[name], nil
}

// Rename replaces a file by another one.
func (m *Memory) Rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[to] = m.files[from]
	delete(m.files, from)
	return nil
}

// Remove deletes a file.
func (m *Memory) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.files, name)
	return nil
}

type memoryFile struct {
	mu   sync.Mutex
	data []byte
}

func (f *memoryFile) ReadAt(p []byte, at int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if at >= int64(len(f.data)) {
		return 0, io.EOF
	}

	n := copy(p, f.data[at:])
	if n < len(p) {
		return n, io.EOF
	}

	return n, nil
}

func (f *memoryFile) WriteAt(p []byte, at int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if end := at + int64(len(p)); end > int64(len(f.data)) {
		f.data = append(f.data, make([]byte, end-int64(len(f.data)))...)
	}
	return copy(f.data[at:], p), nil
}

func (f *memoryFile) Truncate(size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if size < int64(len(f.data)) {
		f.data = f.data[:size]
	}
	return nil
}

func (f *memoryFile) Size() (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return int64(len(f.data)), nil
}

func (f *memoryFile) Sync() error  { return nil }
func (f *memoryFile) Close() error { return nil }

// Package drafts stores unsent work: in files, or in memory where nothing must stay.
package drafts

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"bincard/tui"
)

// InMemory returns Drafts that end with the process.
func InMemory() tui.Drafts { return &memoryDrafts{data: map[string][]byte{}} }

type memoryDrafts struct {
	mu   sync.Mutex
	data map[string][]byte
}

func (m *memoryDrafts) Load(route string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	data, ok := m.data[route]
	return slices.Clone(data), ok, nil
}

func (m *memoryDrafts) Save(route string, data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.data[route] = slices.Clone(data)
	return nil
}

func (m *memoryDrafts) Discard(route string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.data, route)
	return nil
}

func (m *memoryDrafts) Routes() ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var routes []string
	for r := range m.data {
		routes = append(routes, r)
	}
	slices.Sort(routes)
	return routes, nil
}

// InFolder returns Drafts in dir: one file per route, readable by the owner only and
// replaced atomically.
func InFolder(dir string) tui.Drafts { return fileDrafts{dir: dir} }

type fileDrafts struct{ dir string }

// draftFile is a draft on disk. It has the route because its file name is a digest.
type draftFile struct {
	Route string `json:"route"`
	Data  string `json:"data"` // base64
}

func (f fileDrafts) file(route string) string {
	sum := sha256.Sum256([]byte(route))
	return filepath.Join(f.dir, hex.EncodeToString(sum[:16])+".draft")
}

func (f fileDrafts) Load(route string) ([]byte, bool, error) {
	d, err := readDraft(f.file(route))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	data, err := base64.StdEncoding.DecodeString(d.Data)
	if err != nil {
		return nil, false, fmt.Errorf("draft of %s is damaged: %w", route, err)
	}
	return data, true, nil
}

func readDraft(name string) (draftFile, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return draftFile{}, err
	}
	var d draftFile
	if err := json.Unmarshal(raw, &d); err != nil {
		return draftFile{}, fmt.Errorf("draft %s is damaged: %w", filepath.Base(name), err)
	}
	return d, nil
}

func (f fileDrafts) Save(route string, data []byte) error {
	raw, err := json.Marshal(draftFile{Route: route, Data: base64.StdEncoding.EncodeToString(data)})
	if err != nil {
		return err
	}
	return WriteFile(f.file(route), raw)
}

func (f fileDrafts) Discard(route string) error {
	if err := os.Remove(f.file(route)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (f fileDrafts) Routes() ([]string, error) {
	names, err := filepath.Glob(filepath.Join(f.dir, "*.draft"))
	if err != nil {
		return nil, err
	}
	var routes []string
	for _, name := range names {
		d, err := readDraft(name)
		if err != nil {
			continue // just discarded, or damaged: Load of its route reports that
		}
		routes = append(routes, d.Route)
	}
	slices.Sort(routes)
	return routes, nil
}

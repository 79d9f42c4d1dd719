// Package drafts stores unsent work: in files, or in memory where nothing must stay.
package drafts

import (
	"cmp"
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
	"strings"
	"sync"

	"bincard/tui"
)

// InMemory returns Drafts that end with the process.
func InMemory() tui.Drafts { return &memoryDrafts{drafts: map[key]tui.Draft{}} }

type memoryDrafts struct {
	mu     sync.Mutex
	drafts map[key]tui.Draft
}

type key struct{ route, owner string }

func (m *memoryDrafts) Load(route, owner string) (tui.Draft, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	d, ok := m.drafts[key{route, owner}]
	d.Data = slices.Clone(d.Data)
	return d, ok, nil
}

func (m *memoryDrafts) Save(d tui.Draft) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	d.Data = slices.Clone(d.Data)
	m.drafts[key{d.Route, d.Owner}] = d
	return nil
}

func (m *memoryDrafts) Discard(route, owner string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.drafts, key{route, owner})
	return nil
}

func (m *memoryDrafts) List() ([]tui.Draft, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]tui.Draft, 0, len(m.drafts))
	for _, d := range m.drafts {
		d.Data = slices.Clone(d.Data)
		list = append(list, d)
	}

	sortDrafts(list)

	return list, nil
}

func sortDrafts(list []tui.Draft) {
	slices.SortFunc(list, func(a, b tui.Draft) int {
		return cmp.Or(strings.Compare(a.Route, b.Route), strings.Compare(a.Owner, b.Owner))
	})
}

// InFolder returns Drafts in dir: one file per draft, readable by the owner only and
// replaced atomically.
func InFolder(dir string) tui.Drafts { return fileDrafts{dir: dir} }

type fileDrafts struct{ dir string }

// draftFile is a draft on disk. It has the route and the owner because its file name is a
// digest.
type draftFile struct {
	Route string `json:"route"`
	Data  string `json:"data"` // base64
	Owner string `json:"owner,omitempty"`
	From  string `json:"from,omitempty"`
}

func (f fileDrafts) file(route, owner string) string {
	text := route
	if owner != "" {
		text += "\x00" + owner
	}
	sum := sha256.Sum256([]byte(text))
	return filepath.Join(f.dir, hex.EncodeToString(sum[:16])+".draft")
}

func (f fileDrafts) Load(route, owner string) (tui.Draft, bool, error) {
	d, err := readDraft(f.file(route, owner))
	if errors.Is(err, fs.ErrNotExist) {
		return tui.Draft{}, false, nil
	}
	if err != nil {
		return tui.Draft{}, false, err
	}

	d.Route, d.Owner = route, owner

	return d, true, nil
}

func readDraft(name string) (tui.Draft, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return tui.Draft{}, err
	}

	var d draftFile
	if err := json.Unmarshal(raw, &d); err != nil {
		return tui.Draft{}, fmt.Errorf("draft %s is damaged: %w", filepath.Base(name), err)
	}

	data, err := base64.StdEncoding.DecodeString(d.Data)
	if err != nil {
		return tui.Draft{}, fmt.Errorf("draft of %s is damaged: %w", d.Route, err)
	}

	return tui.Draft{Route: d.Route, Owner: d.Owner, From: d.From, Data: data}, nil
}

func (f fileDrafts) Save(d tui.Draft) error {
	raw, err := json.Marshal(
		draftFile{Route: d.Route, Owner: d.Owner, From: d.From, Data: base64.StdEncoding.EncodeToString(d.Data)})
	if err != nil {
		return err
	}
	return WriteFile(f.file(d.Route, d.Owner), raw)
}

func (f fileDrafts) Discard(route, owner string) error {
	if err := os.Remove(f.file(route, owner)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (f fileDrafts) List() ([]tui.Draft, error) {
	names, err := filepath.Glob(filepath.Join(f.dir, "*.draft"))
	if err != nil {
		return nil, err
	}

	var list []tui.Draft
	for _, name := range names {
		d, err := readDraft(name)
		if err != nil {
			continue // just discarded, or damaged: Load of its route reports that
		}
		list = append(list, d)
	}

	sortDrafts(list)

	return list, nil
}

// WriteFile replaces a file atomically and syncs it to disk. It creates the folder if
// it is missing.
func WriteFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}

	tmp, err := os.CreateTemp(filepath.Dir(name), ".new-*") // mode 0600
	if err != nil {
		return err
	}

	defer os.Remove(tmp.Name())
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Sync()
	}
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}

	return os.Rename(tmp.Name(), name)
}

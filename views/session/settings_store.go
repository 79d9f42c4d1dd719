package session

import (
	"sync"
)

// A SettingsStore stores small values by name between sessions. Save returns after the
// data is on disk. Load returns nil for a name that was never saved.
type SettingsStore interface {
	Load(name string) ([]byte, error)
	Save(name string, data []byte) error
}

// NewMemorySettings returns a store that lasts as long as the process.
func NewMemorySettings() SettingsStore { return &memorySettings{values: map[string][]byte{}} }

type memorySettings struct {
	mu     sync.Mutex
	values map[string][]byte
}

func (s *memorySettings) Load(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.values[name], nil
}

func (s *memorySettings) Save(name string, data []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[name] = data
	return nil
}

package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"

	"github.com/BurntSushi/toml"

	"bincard/tui"
	"bincard/views/export"
)

// Read reads the settings file. A missing file is an empty configuration.
func Read() (Config, error) {
	var c Config
	data, err := os.ReadFile(File())
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err == nil {
		err = c.Decode(string(data))
	}
	if err != nil {
		return c, fmt.Errorf("cannot read the settings in %s: %w. Correct or remove the file", File(), err)
	}

	return c, nil
}

// Decode parses the settings, including those that this version does not know.
func (c *Settings) Decode(text string) error {
	meta, err := toml.Decode(text, c)
	if err == nil {
		err = c.checkRoles(text, meta.Undecoded())
	}
	if err == nil {
		err = c.checkCounts(text, meta.Undecoded())
	}
	if err != nil || len(meta.Undecoded()) == 0 {
		return err
	}

	var all struct {
		settings  map[string]any
		operators struct {
			Operators []map[string]any `toml:"operators"`
		}
	}

	if _, err := toml.Decode(text, &all.settings); err != nil {
		return err
	}
	if _, err := toml.Decode(text, &all.operators); err != nil {
		return err
	}

	for _, key := range meta.Undecoded() {
		switch {
		case len(key) == 1 && tui.CurrentName(key[0]) == "location":
			if c.Location == "" {
				c.Location, _ = all.settings[key[0]].(string)
			}
		case len(key) == 1:
			c.unknown = withEntry(c.unknown, key[0], all.settings[key[0]])
		case len(key) == 2 && key[0] == "operators":
			for i, o := range all.operators.Operators {
				if value, ok := o[key[1]]; ok {
					c.Operators[i].Unknown = withEntry(c.Operators[i].Unknown, key[1], value)
				}
			}
		}
	}

	return nil
}

// Encode writes the settings, including those that this version does not know.
func (c Settings) Encode(w io.Writer) error {
	var known bytes.Buffer
	if err := toml.NewEncoder(&known).Encode(c); err != nil {
		return err
	}

	all := map[string]any{}
	if _, err := toml.Decode(known.String(), &all); err != nil {
		return err
	}

	hasUnknown := len(c.unknown) > 0
	maps.Copy(all, c.unknown)
	if list, ok := all["operators"].([]map[string]any); ok {
		for i, o := range list {
			hasUnknown = hasUnknown || len(c.Operators[i].Unknown) > 0
			maps.Copy(o, c.Operators[i].Unknown)
		}
	}

	if !hasUnknown {
		_, err := known.WriteTo(w) // in field order
		return err
	}

	return toml.NewEncoder(w).Encode(all)
}

// withEntry sets an entry of m and returns m, which it makes if it is nil.
func withEntry(m map[string]any, key string, value any) map[string]any {
	if m == nil {
		m = map[string]any{}
	}
	m[key] = value
	return m
}

// Save replaces the settings file atomically.
func (c Settings) Save() error {
	if err := os.MkdirAll(filepath.Dir(File()), 0o700); err != nil {
		return fmt.Errorf("cannot save the settings: %w", err)
	}

	f, err := os.CreateTemp(filepath.Dir(File()), ".config-")
	if err != nil {
		return fmt.Errorf("cannot save the settings: %w", err)
	}

	defer os.Remove(f.Name())
	err = errors.Join(c.Encode(f), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), File())
	}
	if err != nil {
		return fmt.Errorf("cannot save the settings: %w", err)
	}

	return nil
}

// SavedSettings stores the settings of one company and environment in a directory, one
// file per name.
type SavedSettings struct{ Dir string }

// Load returns the data saved under name, or nil.
func (s SavedSettings) Load(name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(s.Dir, name+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// Save saves data under name and syncs it to disk.
func (s SavedSettings) Save(name string, data []byte) error {
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return fmt.Errorf("cannot save it: %w", err)
	}
	return writePrivateFile(filepath.Join(s.Dir, name+".json"), data)
}

// writePrivateFile replaces a file that only its owner can read. It never leaves an incomplete
// file.
func writePrivateFile(name string, data []byte) error {
	return export.WriteFile(nil, name, 0o600, func(w io.Writer) error { _, err := w.Write(data); return err })
}

package export

import (
	"io"
	"io/fs"

	"bincard/tui/i18n"
)

// WriteFile writes a file that is there whole or not at all; see File.
func WriteFile(t *i18n.Translator, name string, perm fs.FileMode, fn func(io.Writer) error) error {
	f, err := Create(t, name, perm)
	if err != nil {
		return err
	}

	defer f.Discard()
	if err := fn(f); err != nil {
		return err
	}

	return f.Commit()
}

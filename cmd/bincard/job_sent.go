package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"bincard/views/dock"
)

// sentRetention is how long the writes of a job are kept to be repeated as they were.
const sentRetention = 30 * 24 * time.Hour

// sentStore are the writes of jobs done from the command line as they were sent, by
// their keys: a command that is repeated sends the same bytes, whatever has
// changed in the books meanwhile.
type sentStore struct{ dir, source, command string }

// A sentFile is the stored request of one job.
type sentFile struct {
	What string           `json:"what"` // the command it was
	Plan *dock.Submission `json:"plan"`
}

func (s sentStore) file(key string) string {
	sum := sha256.Sum256([]byte(s.source + "\x00" + key))
	return filepath.Join(s.dir, hex.EncodeToString(sum[:16])+".json")
}

// load puts what was sent with the errand's key into it. A key that was used
// for another command is refused.
func (s sentStore) load(e *dock.Job) error {
	raw, err := os.ReadFile(s.file(e.Key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var f sentFile
	if err == nil {
		err = json.Unmarshal(raw, &f)
	}
	if err != nil {
		return fmt.Errorf("cannot read the request sent with the key %s: %w", e.Key, err)
	}
	if f.What != s.command {
		return usageErrorf("the key %s was used for another command (%s): use a new key", e.Key, f.What)
	}
	e.Saved = f.Plan
	return nil
}

// save writes what is to be sent, on disk before it is; what is old is cleared away.
func (s sentStore) save(key string, p *dock.Submission) error {
	if p == nil {
		return os.Remove(s.file(key))
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("cannot save the request: %w", err)
	}
	if entries, err := os.ReadDir(s.dir); err == nil {
		for _, e := range entries {
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > sentRetention {
				_ = os.Remove(filepath.Join(s.dir, e.Name()))
			}
		}
	}
	raw, err := json.Marshal(sentFile{s.command, p})
	if err == nil {
		err = writeFileAtomic(s.file(key), 0o600, func(w io.Writer) error { _, err := w.Write(raw); return err })
	}
	if err != nil {
		return fmt.Errorf("cannot save the request: %w", err)
	}
	return nil
}

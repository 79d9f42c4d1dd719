package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bincard/tui"
	"bincard/views/submit"
)

// requestRetention is how long requests are stored.
const requestRetention = 30 * 24 * time.Hour

// Requests stores the requests of jobs by idempotency key, so that a repeated
// command sends the same bytes.
type Requests struct {
	Dir     string
	Source  string // the ledger or service that receives them
	Command string // the command that makes them
}

// A KeyUsedError reports that a key was used for another command. The command line
// replaces its text.
type KeyUsedError struct{ Key, Command string }

func (e *KeyUsedError) Error() string { return fmt.Sprintf("%T: %s, %s", *e, e.Key, e.Command) }

// A requestFile holds the requests of one job.
type requestFile struct {
	What string             `json:"what"` // the command
	Plan *submit.Submission `json:"plan"`
}

func (r Requests) file(key string) string {
	sum := sha256.Sum256([]byte(r.Source + "\x00" + key))
	return filepath.Join(r.Dir, hex.EncodeToString(sum[:16])+".json")
}

// Load sets the saved request of the job's key. The error is a *KeyUsedError if the
// key was used for another command.
func (r Requests) Load(job *submit.Job) error {
	raw, err := os.ReadFile(r.file(job.Key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}

	var f requestFile
	if err == nil {
		err = json.Unmarshal(raw, &f)
	}
	if err != nil {
		return fmt.Errorf("cannot read the request sent with the key %s: %w", job.Key, err)
	}

	name, args, _ := strings.Cut(f.What, " ")
	if tui.CurrentName(name)+" "+args != r.Command {
		return &KeyUsedError{job.Key, f.What}
	}

	job.Saved = f.Plan

	return nil
}

// Save saves the request of a job and syncs it to disk, or removes it if it is nil.
// It also removes old requests.
func (r Requests) Save(key string, p *submit.Submission) error {
	if p == nil {
		return os.Remove(r.file(key))
	}
	if err := os.MkdirAll(r.Dir, 0o700); err != nil {
		return fmt.Errorf("cannot save the request: %w", err)
	}

	r.removeOld()
	raw, err := json.Marshal(requestFile{r.Command, p})
	if err == nil {
		err = writePrivateFile(r.file(key), raw)
	}
	if err != nil {
		return fmt.Errorf("cannot save the request: %w", err)
	}

	return nil
}

func (r Requests) removeOld() {
	entries, err := os.ReadDir(r.Dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > requestRetention {
			_ = os.Remove(filepath.Join(r.Dir, e.Name()))
		}
	}
}

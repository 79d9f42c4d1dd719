package inbox

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/uuid"

	"bincard/server/intake"
)

// A claim is a file that this process imports. Its kind, its time, a unique ID and its name
// are the name of the file in the folder working.
type claim struct {
	kind intake.Kind
	at   time.Time
	id   string
	name string      // as it was put into the inbox
	info fs.FileInfo // before it was claimed, nil for the claim of another process
}

const claimTime = "20060102T150405Z"

func (c *claim) file() string {
	return strings.Join([]string{string(c.kind), c.at.Format(claimTime), c.id, c.name}, "~")
}

func parseClaim(file string) (c claim, ok bool) {
	parts := strings.SplitN(file, "~", 4)
	if len(parts) < 4 {
		return c, false
	}
	at, err := time.Parse(claimTime, parts[1])
	return claim{kind: intake.Kind(parts[0]), at: at, id: parts[2], name: parts[3]}, err == nil
}

// path returns the path of a claimed file.
func (c *claim) path() string { return filepath.Join(working, c.file()) }

// claim claims a file. It reports false if another process was first.
func (x *Inbox) claim(kind intake.Kind, name string, info fs.FileInfo) (claim, bool) {
	c := claim{kind, x.now().UTC(), newID(), shortName(name), info}
	return c, x.rename(filepath.Join(string(kind), name), c.path())
}

// takeOver claims the file of a stale claim. It reports false if another process was first.
func (x *Inbox) takeOver(c *claim) bool {
	old := *c
	c.at, c.id = x.now().UTC(), newID()
	if !x.rename(old.path(), c.path()) {
		return false
	}
	x.removeReport(old.id)
	return true
}

// removeReport removes the report of a claim whose process crashed before it moved the file.
func (x *Inbox) removeReport(id string) {
	for _, folder := range []string{done, failed} {
		for name := range x.entries(folder) {
			if strings.Contains(name, "-"+id+"-") && strings.HasSuffix(name, reportEnd) {
				_ = x.root.Remove(filepath.Join(folder, name)) // the file gets another report
			}
		}
	}
}

// renew keeps a claim from becoming stale. It reports false if another process has taken it
// over.
func (x *Inbox) renew(c *claim) bool {
	now := x.now().UTC()
	if now.Sub(c.at) < renewAfter {
		return true
	}
	old := *c
	c.at = now
	return x.rename(old.path(), c.path())
}

// release puts a claimed file back, unless there is another one with its name.
func (x *Inbox) release(c *claim) {
	if x.root.Link(c.path(), filepath.Join(string(c.kind), c.name)) == nil {
		_ = x.root.Remove(c.path()) // if it fails, the file is imported again, which changes nothing
	}
}

// staleClaims returns the claims of processes that do not renew them.
func (x *Inbox) staleClaims() (stale []claim) {
	for _, file := range x.files(working) {
		if c, ok := parseClaim(file); ok && x.now().Sub(c.at) >= staleAfter {
			stale = append(stale, c)
		}
	}

	return stale
}

// rename renames a file, unless another process has done so.
func (x *Inbox) rename(from, to string) bool {
	err := x.root.Rename(from, to)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		x.log.Error("cannot claim a file", "file", from, "error", err)
	}
	return err == nil
}

func newID() string { return fmt.Sprintf("%x", uuid.New())[:12] }

// shortName shortens a name so that the names made from it are not too long for a file.
func shortName(name string) string {
	const most = 120
	if len(name) <= most {
		return name
	}

	extension := filepath.Ext(name)
	if len(extension) > 10 {
		extension = ""
	}

	return strings.ToValidUTF8(name[:most-len(extension)], "") + extension
}

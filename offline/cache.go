package offline

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/go-json-experiment/json"

	"bincard/offline/journal"
)

// CacheName is the file name of the prediction cache in the journal's folder.
// It saves the next start from predicting every operation again. Losing it is
// harmless; it is valid only for the replica, the program and the caller that
// it was written for.
const CacheName = "work.shown"

const cacheTag = "bincard shown 1\n"

// SaveCache writes the prediction cache if there are enough operations.
func (n *Node) SaveCache() error {
	steps, revision := n.cacheable(1)
	if len(steps) == 0 {
		return nil
	}
	return n.writeCache(steps, revision)
}

// cacheable returns the steps to cache, none if there are too few or fewer
// than fresh are new.
func (n *Node) cacheable(fresh int) ([]*step, string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	v := n.view.Load()
	if n.closed || v == nil || v.revision == "" || n.stale.Load() || len(v.steps) < n.cfg.CacheMin || len(v.steps)-n.cachedSteps < fresh && v.revision == n.cachedRevision {
		return nil, ""
	}
	n.cachedSteps, n.cachedRevision = len(v.steps), v.revision
	return v.steps[:len(v.steps):len(v.steps)], v.revision
}

func (n *Node) writeCache(steps []*step, revision string) error {
	data, err := n.encodeCache(steps, revision)
	if err != nil {
		return err
	}
	return replaceFile(n.cfg.Folder, CacheName, data)
}

// replaceFile replaces a file with data, or leaves it unchanged.
func replaceFile(folder journal.Folder, name string, data []byte) error {
	fresh := name + ".new"
	f, err := folder.Open(fresh)
	if err != nil {
		return err
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt(data, 0)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, folder.Remove(fresh))
	}
	return folder.Rename(fresh, name)
}

// loadCache returns the cached steps, none if they belong to another replica
// revision.
func (n *Node) loadCache(revision string) []*step {
	data, err := readFile(n.cfg.Folder, CacheName)
	if err != nil {
		n.cfg.Log.Warn("cannot read the prediction cache; rebuilding it", "error", err)
		return nil
	}
	return n.decodeCache(data, revision)
}

func readFile(folder journal.Folder, name string) ([]byte, error) {
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	data := make([]byte, size)
	if k, err := f.ReadAt(data, 0); err != nil && (!errors.Is(err, io.EOF) || int64(k) < size) {
		return nil, err
	}
	return data, nil
}

// cacheKey identifies what steps depend on besides the rows they read.
func (n *Node) cacheKey(revision string) string {
	program := "unknown"
	if path, err := os.Executable(); err == nil {
		if info, err := os.Stat(path); err == nil {
			program = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
	}
	return fmt.Sprintf("%s %s %+v", revision, program, n.cfg.Caller)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encodeCache encodes the cache: a tag, a checksum, the cache key and the
// steps.
func (n *Node) encodeCache(steps []*step, revision string) ([]byte, error) {
	w := cacheWriter{tables: map[string]uint64{}}
	w.data = append(w.data, cacheTag+"...."...)
	w.text(n.cacheKey(revision))
	w.number(uint64(len(steps)))
	for _, s := range steps {
		var risk []byte
		if s.risk != nil {
			var err error
			if risk, err = json.Marshal(s.risk); err != nil {
				return nil, err
			}
		}
		w.text(s.key)
		w.number(s.position.N)
		w.instant(s.position.At)
		w.instant(s.position.From)
		for _, list := range [][]uint64{s.reads, s.footprint.Reads, s.footprint.Writes, s.footprint.Makes} {
			w.list(list)
		}
		w.text(string(risk))
		w.number(uint64(len(s.rows)))
		for i := range s.rows {
			w.row(&s.rows[i])
		}
	}
	binary.LittleEndian.PutUint32(w.data[len(cacheTag):], crc32.Checksum(w.data[len(cacheTag)+4:], castagnoli))
	return w.data, nil
}

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

// CacheName is the name, in the journal's folder, of what is remembered of what
// shows, so that the next start need not work it out. It can be lost without
// harm, and counts only for the base, the program and the caller it is of.
const CacheName = "work.shown"

const cacheTag = "bincard shown 1\n"

// SaveCache writes down what shows, where that has become much.
func (n *Node) SaveCache() error {
	steps, stamp := n.cacheable(1)
	if len(steps) == 0 {
		return nil
	}
	return n.writeCache(steps, stamp)
}

// cacheable are the steps that show, where they are worth it and so many are new.
func (n *Node) cacheable(fresh int) ([]*step, string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	s := n.view.Load()
	if n.closed || s == nil || s.stamp == "" || n.stale.Load() || len(s.steps) < n.cfg.CacheMin || len(s.steps)-n.cachedSteps < fresh && s.stamp == n.cachedStamp {
		return nil, ""
	}
	n.cachedSteps, n.cachedStamp = len(s.steps), s.stamp
	return s.steps[:len(s.steps):len(s.steps)], s.stamp
}

func (n *Node) writeCache(steps []*step, stamp string) error {
	data, err := n.encodeCache(steps, stamp)
	if err != nil {
		return err
	}
	return replaceFile(n.cfg.Folder, CacheName, data)
}

// replaceFile puts data in the place of a file, or leaves that as it was.
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

// loadCache are the steps that were remembered, none where they are not of this
// base.
func (n *Node) loadCache(stamp string) []*step {
	data, err := readFile(n.cfg.Folder, CacheName)
	if err != nil {
		n.cfg.Log.Warn("cannot read the prediction cache; rebuilding it", "error", err)
		return nil
	}
	return n.decodeCache(data, stamp)
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

// cacheKey is what steps depend on besides what they read.
func (n *Node) cacheKey(stamp string) string {
	program := "unknown"
	if path, err := os.Executable(); err == nil {
		if info, err := os.Stat(path); err == nil {
			program = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
	}
	return fmt.Sprintf("%s %s %+v", stamp, program, n.cfg.Caller)
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encodeCache are steps as they are remembered: a tag, a checksum, and what is of
// whom.
func (n *Node) encodeCache(steps []*step, stamp string) ([]byte, error) {
	w := cacheWriter{tables: map[string]uint64{}}
	w.data = append(w.data, cacheTag+"...."...)
	w.text(n.cacheKey(stamp))
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

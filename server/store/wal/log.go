package wal

import "os"

// A Mark is the database's position in its log, written together with what is moved. The
// zero Mark is that of a database that never had a log.
type Mark struct {
	Checkpointed uint64 // the generation moved last
	Next         uint64 // the salt of the next one, 0 if it was not started
}

// A Log is the log of one database. Its methods are for one goroutine at a time, except
// that Free and Mark may run concurrently with Append.
type Log struct {
	dir   string
	slots [2]*slot

	first uint64 // the generation moved last when the log was opened

	at   *slot  // the file of the current generation, or nil
	gen  uint64 // its number, or that of the last one
	salt uint64
	seq  uint32 // of the next record
	end  int64  // where the next record goes
	full int64  // how far the file is filled with zeros

	writeAt func(*os.File, []byte, int64) (int, error)
	flush   func(*os.File) error
}

// Mark returns the mark to store once everything up to a generation, ended or pending, is
// moved.
func (l *Log) Mark(moved uint64) Mark {
	if l.at != nil && l.gen == moved+1 {
		return Mark{moved, l.salt}
	}
	return Mark{Checkpointed: moved}
}

// Free allows the files of the generations up to moved to be reused.
func (l *Log) Free(moved uint64) {
	for _, s := range l.slots {
		if s.gen <= moved {
			s.pending = false
		}
	}
}

// HasChanges reports whether the log has or had generations after the one moved at Open.
func (l *Log) HasChanges() bool { return l.gen > l.first }

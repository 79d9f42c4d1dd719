// Package wal has the log that makes the changes of a ledger durable before they are moved to
// the database: one record per commit with the changed rows, appended and flushed once.
//
// The log consists of generations. A generation is written to one of two files; when it
// ends the next one starts in the other file, and the ended one is moved to the database as
// a whole, which frees its file. So the size of the files and the time to read them are
// bounded.
//
// A record has its length, a checksum, and the number and the salt of its generation, so
// that leftovers of an older generation are never taken for records. The database stores a
// Mark: the generation moved last, and the salt of the next one. The last record of an ended
// generation has the salt of the next. So everything acknowledged, from the Mark to the last
// record, forms one chain:
//
//   - If what the Mark or an ended generation leads to is missing, something was lost, and
//     Open reports it.
//   - A file must not be shorter than its records say.
//   - An incomplete record ends the log, because a loss of power leaves one that was not
//     acknowledged yet. If complete records follow it, it was damaged later, and Open
//     reports that.
//   - Damage of the last record cannot be distinguished from a loss of power.
//
// The files are filled with zeros ahead of the records, so that a flush writes a record and
// no file metadata.
//
// The journal of an offline node is another log, which uses the records, the search for
// records after a damaged one, and the flushing of this package (wal.go). It appends to one
// growing file, truncates it when a write fails, and reads on after damage.
package wal

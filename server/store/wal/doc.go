// Package wal has what the logs of Bincard share: records with a checksum, the
// search for records after an incomplete or damaged one, and flushing.
//
// There are two logs. Package redo fills two preallocated files in turn and
// refuses to open if one is damaged. Package offline/journal appends to one
// growing file, truncates it when a write fails, and reads on after damage. The
// 120 lines here replace 130 of theirs; the 450 lines of redo and the 290 of
// journal that remain have no function in common, so a log with options for both
// would be longer than the two.
package wal

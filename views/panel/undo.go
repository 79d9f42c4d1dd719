package panel

import "bincard/views/count"

// maxUndo limits how many changes can be undone.
const maxUndo = 50

// An undoStack holds the counts before each change, latest last.
type undoStack struct {
	counts []*count.Counts
	before *count.Counts // the counts before the change being made
}

// begin notes the counts before a change.
func (u *undoStack) begin(before *count.Counts) { u.before = before }

// commit makes the change that was begun undoable.
func (u *undoStack) commit() {
	if u.before == nil {
		return
	}
	u.counts = append(u.counts, u.before)
	u.counts = u.counts[max(0, len(u.counts)-maxUndo):]
	u.before = nil
}

// pop returns the counts before the last change.
func (u *undoStack) pop() *count.Counts {
	last := u.counts[len(u.counts)-1]
	u.counts, u.before = u.counts[:len(u.counts)-1], nil
	return last
}

package dock

import (
	"slices"

	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// mostUndone is how many scans can be taken back.
const mostUndone = 50

// counted is what a bench had counted at a time.
type counted struct {
	at     int
	counts map[string]Count // by line
}

// counts are the counts as they are now.
func (b *Bench) counts() *counted {
	c := &counted{at: b.At, counts: map[string]Count{}}
	for _, l := range b.Lines {
		count := l.Count
		count.Serials, count.DamagedSerials = slices.Clone(count.Serials), slices.Clone(count.DamagedSerials)
		c.counts[l.Key] = count
	}
	return c
}

// keep remembers the counts before the change that was just made.
func (b *Bench) keep() {
	if b.before == nil {
		return
	}
	b.past = append(b.past, *b.before)
	b.past = b.past[max(0, len(b.past)-mostUndone):]
	b.before = nil
}

// undo is the action that takes the last scan or number back.
func (b *Bench) undo() tui.Action {
	return tui.Action{ID: "dock.undo", Keys: []string{"ctrl+z"}, Command: tui.DoUndo, Label: labelUndo, Help: helpUndo, NoFooter: true,
		Disabled: func() string {
			if why := b.closed(); why != "" {
				return why
			}
			if len(b.past) == 0 {
				return offUndo
			}
			return ""
		}, Run: func() tea.Cmd {
			last := b.past[len(b.past)-1]
			b.past, b.before, b.wants, b.plan = b.past[:len(b.past)-1], nil, false, nil
			b.At = last.at
			for _, l := range b.Lines {
				l.Count = last.counts[l.Key]
			}
			b.note(Said{What: wordUndone, SKU: b.Line().Goods.SKU, Lot: b.Line().Count.Lot, Now: widget.Count(b.Line().Count.Now)})
			return tui.Accepted()
		}}
}

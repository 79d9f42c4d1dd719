package panel

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// A counter counts the lines of a document. It knows which line is current and who chose it,
// and what can be undone.
type counter struct {
	// ScanMatcher has the lines. It matches scans to them.
	count.ScanMatcher

	undo      undoStack
	guard     lineGuard
	completed string // key of the line whose completion selected the current one, or ""
	refused   bool   // a booking was refused, and the next document tells of which line
}

// setLines sets the lines of a document that was loaded or changed. Lines with the same key as
// before keep their counts, and the current line stays. Nothing is to go on a closed document.
func (c *counter) setLines(lines []*count.Line, closed bool) {
	current := c.Line().Key
	for _, l := range lines {
		if closed {
			l.Pending = 0
		}

		if old := lineWithKey(c.Lines, l.Key); old != nil {
			l.Count = old.Count
			if l.Item.Tracking == "" {
				l.Item.Tracking = old.Item.Tracking
			}
		}
	}

	c.Lines = lines
	if at := lineIndex(lines, current); at >= 0 {
		c.Current = at
	}
}

// Choose selects a line for the operator.
func (c *counter) Choose(line int) {
	c.Current, c.completed = line, ""
	c.guard.choose(c.Line())
}

// selectItem selects the line of an item, an open one if it has several.
func (c *counter) selectItem(id api.ID) {
	found := false
	for i, l := range c.Lines {
		if l.Item.ID == id && (!found || c.Lines[c.Current].Pending == 0) {
			c.Current, found = i, true
		}
	}

	c.guard.choose(c.Line())
}

// selectLine selects the line with a key, unless nothing is left on it.
func (c *counter) selectLine(key string) {
	if at := lineIndex(c.Lines, key); at >= 0 {
		c.Current = at
		c.SelectOpen()
		c.guard.choose(c.Line())
	}
}

// advance selects the next open line if the current one is counted and can be booked.
func (c *counter) advance(now time.Time) {
	l := c.Line()
	if l.Remaining() > 0 || l.Count.Quantity == 0 || c.WantsSerial() || l.CheckBookable(c.Translator) != nil {
		return
	}
	switch next, _ := c.NextOpen(); {
	case next == nil:
	case next.Group() == l.Group(): // which the operator chose
		c.Choose(slices.Index(c.Lines, next))
	default:
		c.Current, c.completed = slices.Index(c.Lines, next), l.Key
		c.guard = lineGuard{*next, now} // even if it was the current line before
	}
}

// selectRefused selects the line that an error concerns, so that what is entered next
// corrects it. If the error names none, the document that is loaded next tells.
func (c *counter) selectRefused(err error) {
	c.completed, c.refused = "", true
	var e *api.Error
	if !errors.As(err, &e) {
		return
	}

	at := slices.IndexFunc(c.Lines, func(l *count.Line) bool { return isDetail(e.Details["lineId"], l.Key) })
	if at < 0 {
		at = slices.IndexFunc(c.Lines, func(l *count.Line) bool {
			return !l.Count.Empty() && isDetail(e.Details["productId"], l.Item.ID.String())
		})
	}

	if at >= 0 {
		c.Current, c.refused = at, false
	}
}

// isDetail reports whether a detail of an error is an ID. The service encodes it as text.
func isDetail(detail any, id string) bool {
	return detail != nil && strings.EqualFold(fmt.Sprint(detail), id)
}

// selectUnbookable selects the first line that can no longer be booked as it is counted, if
// a booking was refused.
func (c *counter) selectUnbookable() {
	if !c.refused {
		return
	}
	c.refused = false
	at := slices.IndexFunc(c.Lines, func(l *count.Line) bool { return l.CheckBookable(c.Translator) != nil })
	if at >= 0 {
		c.Current = at
	}
}

// selectUnfinished selects an open line, or else one with a count, unless the current line
// is one.
func (c *counter) selectUnfinished() {
	c.completed = ""
	c.SelectOpen()
	counted := slices.IndexFunc(c.Lines, func(l *count.Line) bool { return !l.Count.Empty() })
	if l := c.Line(); l.Remaining() == 0 && l.Count.Empty() && counted >= 0 {
		c.Current = counted
	}
}

// selectCompleted selects the completed line again. Labels without a product, and damage,
// still are about its pieces, until something is counted on the line after it.
func (c *counter) selectCompleted() {
	if at := lineIndex(c.Lines, c.completed); at >= 0 {
		c.Current = at
		c.guard.choose(c.Line())
	}
}

// isOfCompleted reports whether a label has no product, but the lot of the completed line's
// pieces, or another one that their box may have.
func (c *counter) isOfCompleted(r count.Label) bool {
	l := lineWithKey(c.Lines, c.completed)
	if l == nil || !l.ByLot() || r.Serial != "" {
		return false
	}
	return r.HasNoCode() || l.Count.Lot != "" && slices.Contains(r.Codes, l.Count.Lot)
}

// beginChange notes the counts before a change, so that it can be undone.
func (c *counter) beginChange() {
	c.undo.begin(c.Counts())
	c.completed, c.refused = "", false
}

// notUndoable returns why there is no change to undo, or "".
func (c *counter) notUndoable() string {
	switch {
	case len(c.undo.counts) > 0:
		return ""
	case c.Total() > 0:
		return c.Translator.Get("Scans from before the draft was saved cannot be undone. Type 0 to start over.")
	}

	return c.Translator.Get("There is no scan to undo")
}

// undoLast returns to the counts before the last change.
func (c *counter) undoLast() {
	c.Restore(c.undo.pop())
	c.guard.choose(c.Line())
}

// needsLot reports whether the lot of a line's counted pieces must be entered yet.
func (c *counter) needsLot(site *session.Site, l *count.Line) bool {
	if c.Ships {
		return submit.CheckLot(site, l) != nil
	}
	return c.Incoming && l.ByLot() && l.Count.Lot == "" && l.Count.Quantity > 0
}

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

// linePause is how long an operator needs to see that the program went to another line.
const linePause = time.Second

// A lineGuard makes sure that nothing is counted on a line that nobody chose. After the
// program went to another line, what is pressed may be meant for the one before. It is
// ignored until a scan or an arrow chooses a line, or nothing is pressed for linePause.
type lineGuard struct {
	line  count.Line // the current line, as seen last
	since time.Time  // when the pause began; zero if the operator chose the line
}

// choose notes that the operator chose the current line.
func (g *lineGuard) choose(current *count.Line) { g.line, g.since = *current, time.Time{} }

// see notes the current line. The program went to it if nobody chose it.
func (g *lineGuard) see(current *count.Line, now time.Time) {
	if current.Key != g.line.Key {
		g.line, g.since = *current, now
	}
}

// waits reports whether what is pressed now is ignored. A time before the pause is that of
// input that had to wait.
func (g *lineGuard) waits(now time.Time) bool {
	return !g.since.IsZero() && now.Sub(g.since) < linePause
}

// ignore says that a key is ignored. The pause begins again.
func (g *lineGuard) ignore(t *i18n.Translator, now time.Time) tea.Cmd {
	g.since = now
	return tui.Warn(t.Get("Ignored: %s is next. Scan it, or wait a second.", g.line.Item.SKU))
}

// isOfLine reports whether an action may be meant for the line before. Damage and what
// records the count are of what is counted.
func isOfLine(a tui.Action) bool {
	switch a.ID {
	case "panel.damaged", "fulfill.pick", "fulfill.pack":
		return false
	}
	return slices.ContainsFunc(a.Keys(), func(key string) bool {
		return key == "+" || key == "-" || len(key) > 1 && key[0] == 'f'
	})
}

// guard holds back the actions that may be meant for the line before.
func (g *lineGuard) guard(env tui.Env, actions []tui.Action) []tui.Action {
	if !g.waits(env.Now()) {
		return actions
	}

	for i, a := range actions {
		if !isOfLine(a) {
			continue
		}

		actions[i].Dangerous, actions[i].Supervisor, actions[i].Needs = false, false, nil
		actions[i].Run = func() tea.Cmd {
			if now := env.Now(); g.waits(now) {
				return g.ignore(env.T, now)
			}
			return tui.Perform(a)
		}
	}

	return actions
}

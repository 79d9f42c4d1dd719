package panel

import (
	"errors"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/go-json-experiment/json/jsontext"
)

// A CountPanel counts the items of a document: it takes scans and quantities, saves
// the draft, and books. A screen sets Job once, calls Show whenever its document was
// loaded or changed, forwards its messages and scans, and draws its Frame.
type CountPanel struct {
	Site *session.Site
	Env  tui.Env
	// Job is what the screen does with the count.
	Job CountJob
	// Document is what is counted.
	Document CountDocument
	// OpenDocument opens another document that was scanned, which r means. If it is nil,
	// such scans are rejected.
	OpenDocument func(r count.Label, found []api.Match) tea.Cmd
	// The counter has the lines of the document and what is counted of them.
	counter

	// What the operator enters.
	quantity       quantityInput
	lotForm        *widget.Form // nil unless it is open
	markingDamaged bool         // scanned serials are marked as damaged
	feed           feed
	lotDates       lotDates
	pickable       pickableStock
	finder         finder
	next           nextDocument // when the document is finished
	waiting        waitingOrders
	opens          string // the route to open when the submission is done, or ""

	receipts receipts

	// What is booked.
	location locationCheck
	sender   sender

	restored     *draft         // of an earlier session; applied when the document is loaded
	draftUnknown jsontext.Value // members of the draft that a newer version added
}

// NewCountPanel returns a count panel with the draft of its screen, if there is one.
func NewCountPanel(site *session.Site, env tui.Env) *CountPanel {
	p := &CountPanel{Site: site, Env: env, quantity: newQuantityInput(env.Now), location: locationCheck{site: site},
		finder: finder{site: site}}
	p.Translator = env.T
	p.Today = func() time.Time {
		y, m, d := env.Now().Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	if raw, ok := env.Draft(); ok {
		d, err := decodeDraft(raw)
		if err != nil {
			env.Log.Error("cannot decode draft", "route", env.Route.Path, "error", err)
			return p
		}
		p.restored, p.draftUnknown, p.sender = d, d.Unknown, d.sender()
	}

	return p
}

// Show shows a document that was loaded or changed. Lines with the same key as before
// keep their counts. Nothing is to go on a closed document.
func (p *CountPanel) Show(doc CountDocument, lines ...*count.Line) {
	opened := len(p.Lines) == 0
	p.Document, p.LocationID, p.Ships = doc, doc.Location.ID, doc.PickFrom != nil
	p.setLines(lines, doc.ClosedReason != "")
	if doc.PickFrom != nil && doc.Location.IsSet() || p.Job.NewSerials {
		p.HasSerial = p.finder.isCountable
	}

	p.pickable.show(lines)
	if d := p.restored; d != nil {
		p.restored, p.sender.submission, p.feed.entries = nil, d.Submission, d.Feed
		d.apply(&p.ScanMatcher, p.Env.Route.Param("id"))
	}
	if p.phase() == closed && p.sender.submission.State() == submit.Idle {
		p.sender.discard() // nothing takes the steps that were not sent
	}
	if opened {
		p.SelectOpen()
		p.guard.choose(p.Line())
	}

	p.selectUnbookable()
	p.guard.see(p.Line(), p.Env.Now())
}

// T returns the panel's translator.
func (p *CountPanel) T() *i18n.Translator { return p.Env.T }

// Busy reports whether scans must wait for a lookup or a booking.
func (p *CountPanel) Busy() bool { return p.finder.pending || p.Sending() }

// Sending reports whether a booking is being sent.
func (p *CountPanel) Sending() bool { return p.sender.isSending() }

// HasSubmission reports whether a booking was started and is not done.
func (p *CountPanel) HasSubmission() bool { return p.sender.submission != nil }

// Modal reports whether only the panel's own actions apply: the lot form is open,
// damaged serials are marked, or a booking is unfinished.
func (p *CountPanel) Modal() bool {
	return p.lotForm != nil || p.markingDamaged || p.sender.submission.Unfinished()
}

// CheckEditable returns why nothing may be changed now, or nil. It discards a booking
// that was never sent, because the change makes it obsolete.
func (p *CountPanel) CheckEditable() error {
	if why, _ := p.Frame().refusal(); why != "" {
		return errors.New(why)
	}
	p.sender.discard()
	return nil
}

// NotIdleReason returns why the document cannot be changed or ended now, or "".
func (p *CountPanel) NotIdleReason() string {
	if reason := TypedReason(p); reason != "" {
		return reason
	}
	if n := p.Total(); n > 0 && p.Document.ClosedReason == "" {
		return p.T().Get("%s counted, not recorded: press enter, or type 0", p.T().Count(n))
	}
	return p.Document.ClosedReason
}

// TypedReason returns why what is counted cannot be recorded now: a number is typed and not
// counted. It returns "" if none is.
func TypedReason(p *CountPanel) string {
	if text := p.quantity.number.Value(); text != "" {
		return p.T().Get("%s is typed, not counted: press enter, or esc", text)
	}
	return ""
}

// SetCount makes n the number counted on the current line, as if it had been typed. source
// is shown in the feed.
func (p *CountPanel) SetCount(n int64, source string) tea.Cmd {
	if err := p.CheckEditable(); err != nil {
		return tui.Fail(err)
	}
	if len(p.Lines) == 0 {
		return fail(p.T().Get("No product is selected. Scan it first, or press F2 to find it."))
	}

	p.beginChange()
	result := p.SetQuantity(n, source)
	if result.Err != nil {
		return tui.Fail(result.Err, p.recoveryActions(result.Err, nil)...)
	}

	return p.changed(*result.Entry)
}

// changed adds a change of the counts to the feed, and goes to the next line if the
// current one is complete. It discards a booking that was never sent, which is of the counts
// before.
func (p *CountPanel) changed(e count.FeedEntry) tea.Cmd {
	if p.phase() == unsent {
		p.sender.discard()
	}

	p.undo.commit()
	p.feed.add(e, p.Env.Now())
	delete(p.sender.lines.Refused, p.Line().Key)
	p.advance()
	if !p.Incoming {
		return nil
	}
	return p.lotDates.compare(p.Env, p.Site, p.Lines)
}

// ClearFeed removes the feed and what can be undone, and leaves the counts.
func (p *CountPanel) ClearFeed() { p.feed.entries, p.undo = nil, undoStack{} }

// Clear removes the counts, the booking, the feed and what can be undone.
func (p *CountPanel) Clear() {
	p.sender.discard()
	p.completed = ""
	p.ClearFeed()
	p.Reset()
}

// MoveLine selects the line above or below, to which quantities and lot labels then apply.
// It reports whether k is a key for that.
func (p *CountPanel) MoveLine(k tea.KeyMsg) bool {
	if len(p.Lines) < 2 || p.Modal() {
		return false
	}

	at, step := p.Current, map[tea.KeyType]int{tea.KeyUp: -1, tea.KeyDown: 1}[k.Type]
	for step != 0 && at+step >= 0 && at+step < len(p.Lines) {
		if at += step; p.Lines[at].Group() != p.Line().Group() {
			break
		}
	}
	p.Choose(at)

	return step != 0
}

// advance selects the next open line if the current one is complete.
func (p *CountPanel) advance() {
	if p.Job.Advance && !p.markingDamaged && !p.needsLot(p.Site, p.Line()) {
		p.counter.advance(p.Env.Now())
	}
}

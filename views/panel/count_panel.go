package panel

import (
	"context"
	"errors"
	"strconv"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/go-json-experiment/json/jsontext"
)

// A CountPanel counts the items of a document: it takes scans and quantities, saves
// the draft, and books. A screen forwards its messages and scans to the panel and
// shows it with View.
type CountPanel struct {
	count.ScanMatcher
	Site *session.Site
	Env  tui.Env
	// Verb names the booking action: "book", "ship".
	Verb string
	// Name is the display name of the document, for the list of unsent drafts.
	Name string
	// Question returns the prompt while something can be counted. If it is nil or
	// returns "", the default prompt is used.
	Question func(small bool) string
	// PastVerb says what was done: "shipped"; "booked" if empty.
	PastVerb string
	// Writes are the operations that booking needs. Booking is disabled if the key
	// lacks their scopes.
	Writes []*api.Spec
	// AllowDamaged allows part of the count to be marked as damaged.
	AllowDamaged bool
	// AllowOverReceipt allows counting more than is pending, to be received outside
	// the document.
	AllowOverReceipt bool
	// Location is where the items are handled; zero means anywhere.
	Location session.Location
	// PickFrom is the stock that outgoing items are taken from; nil for incoming
	// items.
	PickFrom *PickLocation
	// ClosedReason says why nothing can be counted anymore; "" while counting is
	// possible. ClosedShort is its short form for small screens.
	ClosedReason, ClosedShort string

	// PrepareSteps receives copies of the counted lines in the update loop. The
	// function it returns builds the steps that book them; it runs outside the update
	// loop and may call the service.
	PrepareSteps func(lines []count.Line) func(ctx context.Context) ([]submit.Step, error)
	// OnBooked is called in the update loop after each step, with its response. It may
	// be nil.
	OnBooked func(step submit.Step, res *api.Response)
	// BookedText returns the message after the last step: "booked 48, pending 96". It
	// may be nil.
	BookedText func(pieces int64) string
	// OnRefused is called when the service rejects a booking, to reload the document.
	// It is also called with nil when a booking is discarded or saved at risk. It may
	// be nil.
	OnRefused func(err error) tea.Cmd
	// OnLocation is called with a scanned location. It may be nil.
	OnLocation func(p session.Location) tea.Cmd
	// ActionsFor returns the actions to offer for an item that is not on the document.
	// It runs outside the update loop and may call the service. It may be nil.
	ActionsFor func(ctx context.Context, m *api.Match) []tui.Action

	question     widget.Question
	feed         []count.FeedEntry
	feedCount    int // entries added so far
	submission   *submit.Submission
	pendingDraft *draft // restored; applied when the document is loaded
	// draftUnknown holds the members of the draft that a newer version added.
	draftUnknown      jsontext.Value
	lookingUp         bool
	preparing         bool // the steps of a booking are being built
	form              *widget.Form
	markingDamaged    bool             // scanned serials are marked as damaged
	countsBefore      *count.Counts    // the counts before the change being made
	undoStack         []*count.Counts  // counts before earlier changes, latest last
	nextScan          *scan.Scan       // to be counted after the current booking
	confirmedLocation session.Location // other location that was confirmed for booking
	lastLetterAt      time.Time        // when a letter was typed
}

// NewCountPanel returns a count panel with the draft of its screen, if there is one.
func NewCountPanel(site *session.Site, env tui.Env) *CountPanel {
	b := &CountPanel{Site: site, Env: env, Verb: env.T.Get("book"), question: widget.Number("")}
	b.Translator = env.T
	b.Today = func() time.Time {
		y, m, d := env.Now().Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	if raw, ok := env.Draft(); ok {
		b.restore(raw)
	}
	return b
}

// SetLines sets the lines of the loaded document. Lines with the same key keep their
// counts.
func (p *CountPanel) SetLines(lines ...*count.Line) {
	for _, l := range lines {
		for _, old := range p.Lines {
			if old.Key == l.Key {
				l.Count = old.Count
				if l.Item.Tracking == "" {
					l.Item.Tracking = old.Item.Tracking
				}
			}
		}
	}
	p.Lines = lines
	if p.pendingDraft != nil {
		p.applyDraft()
	}
}

// Busy reports whether scans must wait for a lookup or a booking.
func (p *CountPanel) Busy() bool { return p.lookingUp || p.Sending() }

// Sending reports whether a booking is being sent.
func (p *CountPanel) Sending() bool { return p.preparing || p.submission.Sending() }

// Update handles the panel's messages and keys; handled reports whether msg was one of
// them.
func (p *CountPanel) Update(msg tea.Msg) (cmd tea.Cmd, handled bool) {
	switch msg := msg.(type) {
	case lookupMsg:
		return p.lookupAnswered(msg), true
	case stepsMsg:
		return p.stepsReady(msg), true
	case submit.Answer:
		return p.stepAnswered(msg), true
	case pickStockMsg:
		return p.pickStockRead(msg), true
	case tea.KeyMsg:
		return p.key(msg), true
	}
	return nil, false
}

// AcceptsKey reports whether k is text input for the panel: a number, a typed code, or
// input for its form.
func (p *CountPanel) AcceptsKey(k tea.KeyMsg) bool {
	if p.form != nil {
		return p.form.AcceptsKey(k)
	}
	if p.typingCode() && (k.Type == tea.KeyEnter || k.Type == tea.KeyEsc) {
		return true
	}
	return p.ClosedReason == "" && !p.markingDamaged && p.question.AcceptsKey(k)
}

// letterWindow is how long after a letter other keys belong to the same typed code.
const letterWindow = 2 * time.Second

// typingCode reports whether letters were typed just now. Digits among them belong to
// a code, and the enter after them books nothing.
func (p *CountPanel) typingCode() bool {
	return !p.lastLetterAt.IsZero() && p.Env.Now().Sub(p.lastLetterAt) < letterWindow
}

func (p *CountPanel) key(k tea.KeyMsg) tea.Cmd {
	t := p.T()

	if p.form != nil {
		if p.form.Key(k) {
			return p.closeLotForm()
		}
		return nil
	}
	if k.Type == tea.KeyRunes && !k.Paste && !p.question.AcceptsKey(k) {
		p.lastLetterAt = p.Env.Now()
		return nil
	}
	inCode := p.typingCode()
	text, done := p.question.Key(k)
	switch {
	case inCode && k.Type == tea.KeyEnter:
		p.lastLetterAt = time.Time{}
		return tui.Fail(errors.New(t.Get("That is not a number. Press F2 to type a code.")))
	case k.Type == tea.KeyEsc:
		p.lastLetterAt = time.Time{}
	}
	if !done {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return tui.Fail(errors.New(t.Get("%q is not a quantity.", text)))
	}
	return p.setCount(n, t.Get("typed"))
}

// T returns the panel's translator.
func (p *CountPanel) T() *i18n.Translator { return p.Env.T }

// setCount sets the count of the current line to n. source is shown in the feed.
func (p *CountPanel) setCount(n int64, source string) tea.Cmd {
	t := p.T()

	if err := p.CheckEditable(); err != nil {
		return tui.Fail(err)
	}
	if len(p.Lines) == 0 {
		return tui.Fail(errors.New(t.Get("No product is selected. Scan it first, or press F2 to find it.")))
	}
	p.countsBefore = p.Counts()
	result := p.SetQuantity(n, source)
	if result.Err != nil {
		return tui.Fail(result.Err, p.recoveryActions(result.Err, nil)...)
	}
	p.addFeed(*result.Entry)
	return nil
}

// CountAll counts all that is pending on the present line.
func (p *CountPanel) CountAll() tea.Cmd { return p.setCount(p.Line().Pending, p.T().Get("all")) }

// CheckEditable returns why nothing may be changed now, or nil. It discards a booking
// that was never sent, because the change makes it obsolete.
func (p *CountPanel) CheckEditable() error {
	t := p.T()

	switch {
	case p.ClosedReason != "":
		return errors.New(t.Get("%s Nothing was counted.", p.ClosedReason))
	case len(p.Lines) == 0 && p.AddLine == nil: // with AddLine, scans add the lines
		return errors.New(t.Get("The document is still loading. Nothing was counted: scan again."))
	case p.submission.Unfinished():
		return errors.New(t.Get("%q has no answer yet. Nothing was counted: press enter to retry it first.", p.submission.Steps[p.submission.Next].Text))
	}
	p.submission = nil
	return nil
}

// addFeed adds an entry to the feed, newest first, and records the change for undo.
func (p *CountPanel) addFeed(s count.FeedEntry) {
	p.pushUndo()
	s.At = i18n.Clock(p.Env.Now(), p.Env.Now())
	p.feedCount++
	p.feed = append([]count.FeedEntry{s}, p.feed...)
	p.feed = p.feed[:min(50, len(p.feed))]
}

// HasSubmission reports whether a booking was started and is not done.
func (p *CountPanel) HasSubmission() bool { return p.submission != nil }

// SetCount makes n the number counted on the present line, as if it had been typed.
func (p *CountPanel) SetCount(n int64) tea.Cmd { return p.setCount(n, p.T().Get("all")) }

// doneWord returns PastVerb, or "booked" if it is empty.
func (p *CountPanel) doneWord() string {
	if p.PastVerb != "" {
		return p.PastVerb
	}
	return p.T().Get("booked")
}

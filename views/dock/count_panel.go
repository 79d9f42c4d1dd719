package dock

import (
	"bincard/tui/i18n"
	"context"
	"errors"
	"strconv"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/go-json-experiment/json/jsontext"
)

// A CountPanel is the counting part of a job's screen: it takes scans and numbers,
// keeps the draft, and books. A screen embeds one, hands it what the shell hands
// the screen, and paints it with View.
type CountPanel struct {
	ScanMatcher
	Site *Site
	Env  tui.Env
	// Verb is what booking is called: "book", "ship".
	Verb string
	// Name is what people call the document, for the list of what is unsent.
	Name string
	// Question is what is asked while something can be counted; "" or nil leaves
	// the usual words.
	Question func(small bool) string
	// AllowZero lets a typed 0 say that there is none, which is a count too; else
	// it begins the line again.
	AllowZero bool
	// PastVerb is what was done when it is booked: "booked"; by the verb where empty.
	PastVerb string
	// Writes are what booking needs of the service; the key may lack the right.
	Writes []*api.Spec
	// AllowDamaged tells that a part of what is counted may be called damaged.
	AllowDamaged bool
	// AllowOverReceipt tells that more than is pending may be taken in beside the document.
	AllowOverReceipt bool
	// Location is the place at which the goods are handled; the zero place is anywhere.
	Location Location
	// PickFrom is where goods that go out are taken from; nil when they come in.
	PickFrom *PickLocation
	// ClosedReason says why nothing can be counted any more; "" while it can. Ended
	// says it in two words, for small screens.
	ClosedReason, ClosedShort string

	// PrepareSteps takes copies of the lines counted, in the screen's turn, and answers
	// what makes the writes that book them; that runs outside of it and may ask
	// the service.
	PrepareSteps func(lines []Line) func(ctx context.Context) ([]Step, error)
	// OnBooked is called after each step with its answer, in the screen's turn.
	OnBooked func(step Step, res *api.Response)
	// BookedText says what was booked, after the last step: "booked 48, pending 96".
	BookedText func(pieces int64) string
	// OnRefused may look at the document again after the service refused; may be nil.
	OnRefused func(err error) tea.Cmd
	// OnLocation hears of a location that was scanned; nil where that means nothing.
	OnLocation func(p Location) tea.Cmd
	// ActionsFor offers what to do with goods that belong elsewhere; it runs
	// outside the screen's turn and may ask the service. It may be nil.
	ActionsFor func(ctx context.Context, m *api.Match) []tui.Action

	question     widget.Question
	feed         []FeedEntry
	feedCount    int // how often something was said
	submission   *Submission
	pendingDraft *draft // of a document that is not loaded yet
	// draftUnknown are the members of the draft that a newer version added.
	draftUnknown      jsontext.Value
	lookingUp         bool
	sending           bool
	form              *widget.Form
	markingDamaged    bool             // the next serial number scanned is that of a damaged piece
	countsBefore      *countsSnapshot  // the counts before the change being made
	undoStack         []countsSnapshot // what can be taken back, the last at the end
	nextScan          *scan.Scan       // to be counted when what is being sent is booked
	confirmedLocation Location         // where one agreed to book, standing elsewhere
	lastLetterAt      time.Time        // when a letter was typed, which means nothing here
}

// NewCountPanel makes a bench, with the draft that was kept for its screen.
func NewCountPanel(site *Site, env tui.Env) *CountPanel {
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

// SetLines puts the lines of the document, read anew, in place; what is
// counted stays with the line of the same key.
func (b *CountPanel) SetLines(lines ...*Line) {
	for _, l := range lines {
		for _, old := range b.Lines {
			if old.Key == l.Key {
				l.Count = old.Count
				if l.Item.Tracking == "" {
					l.Item.Tracking = old.Item.Tracking
				}
			}
		}
	}
	b.Lines = lines
	if b.pendingDraft != nil {
		b.applyDraft()
	}
}

// Busy tells whether scans must wait: a code is being looked up, or something is booked.
func (b *CountPanel) Busy() bool { return b.lookingUp || b.sending }

// Sending tells whether something is being booked.
func (b *CountPanel) Sending() bool { return b.sending }

// unfinished tells whether a booking has no answer, or is half done: nothing else
// can be done before. One that never left holds nobody up.
func (b *CountPanel) unfinished() bool {
	return b.submission != nil && (b.submission.Sent || b.submission.Next > 0)
}

// Update handles the bench's own answers and its keys; mine tells whether msg
// was one of them.
func (b *CountPanel) Update(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	switch msg := msg.(type) {
	case lookupMsg:
		return b.lookupAnswered(msg), true
	case stepsMsg:
		return b.stepsReady(msg), true
	case stepMsg:
		return b.stepAnswered(msg), true
	case pickStockMsg:
		return b.pickStockRead(msg), true
	case tea.KeyMsg:
		return b.key(msg), true
	}
	return nil, false
}

// AcceptsKey tells whether a key is text for the bench: a number, or its form.
func (b *CountPanel) AcceptsKey(k tea.KeyMsg) bool {
	if b.form != nil {
		return b.form.AcceptsKey(k)
	}
	if b.typingCode() && (k.Type == tea.KeyEnter || k.Type == tea.KeyEsc) {
		return true
	}
	return b.ClosedReason == "" && !b.markingDamaged && b.question.AcceptsKey(k)
}

// letterWindow is for how long a letter makes a typed code of what is typed with it.
const letterWindow = 2 * time.Second

// typingCode tells whether letters were typed just now: the digits among them are
// those of a code and no number, and the enter after them books nothing.
func (b *CountPanel) typingCode() bool {
	return !b.lastLetterAt.IsZero() && b.Env.Now().Sub(b.lastLetterAt) < letterWindow
}

func (b *CountPanel) key(k tea.KeyMsg) tea.Cmd {
	t := b.T()

	if b.form != nil {
		if b.form.Key(k) {
			return b.closeLotForm()
		}
		return nil
	}
	if k.Type == tea.KeyRunes && !k.Paste && !b.question.AcceptsKey(k) {
		b.lastLetterAt = b.Env.Now()
		return nil
	}
	stray := b.typingCode()
	text, done := b.question.Key(k)
	switch {
	case stray && k.Type == tea.KeyEnter:
		b.lastLetterAt = time.Time{}
		return tui.Fail(errors.New(t.Get("That is not a number. Press F2 to type a code.")))
	case k.Type == tea.KeyEsc:
		b.lastLetterAt = time.Time{}
	}
	if !done {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return tui.Fail(errors.New(t.Get("%q is not a quantity.", text)))
	}
	return b.setCount(n, t.Get("typed"))
}

// T translates what the panel shows.
func (b *CountPanel) T() *i18n.Translator { return b.Env.T }

// setCount makes n the number counted on the present line.
func (b *CountPanel) setCount(n int64, how string) tea.Cmd {
	t := b.T()

	if err := b.CheckEditable(); err != nil {
		return tui.Fail(err)
	}
	if len(b.Lines) == 0 {
		return tui.Fail(errors.New(t.Get("No product is selected. Scan it first, or press F2 to find it.")))
	}
	line := b.Line()
	before := line.Count.Quantity
	b.countsBefore = b.snapshotCounts()
	if n == 0 {
		none := Count{}
		if b.AllowZero { // there is none of this lot
			none = Count{Lot: line.Count.Lot, LotID: line.Count.LotID, ExpiresAt: line.Count.ExpiresAt, None: true}
		}
		line.Count, b.wantsSerial = none, false
	} else if err := line.Set(t, n); err != nil {
		return tui.Fail(err, b.recoveryActions(err, nil)...)
	}
	b.addFeed(FeedEntry{Kind: typedCount, Source: how, SKU: line.Item.SKU, Lot: line.Count.Lot,
		Change: t.Change(line.Count.Quantity - before), Total: t.Count(line.Count.Quantity)})
	return nil
}

// CountAll counts all that is pending on the present line.
func (b *CountPanel) CountAll() tea.Cmd { return b.setCount(b.Line().Pending, b.T().Get("all")) }

// CheckEditable tells why nothing may be changed now, or nil. A booking that never left
// is forgotten then: what is changed makes another one.
func (b *CountPanel) CheckEditable() error {
	t := b.T()

	switch {
	case b.ClosedReason != "":
		return errors.New(t.Get("%s Nothing was counted.", b.ClosedReason))
	case len(b.Lines) == 0 && b.AddLine == nil: // a count of a place joins what it finds
		return errors.New(t.Get("The document is still loading. Nothing was counted: scan again."))
	case b.unfinished():
		return errors.New(t.Get("%q has no answer yet. Nothing was counted: press enter to retry it first.", b.submission.Steps[b.submission.Next].Text))
	}
	b.submission = nil
	return nil
}

// addFeed keeps a line of what was said, the newest first.
func (b *CountPanel) addFeed(s FeedEntry) {
	b.pushUndo()
	s.At = i18n.Clock(b.Env.Now(), b.Env.Now())
	b.feedCount++
	b.feed = append([]FeedEntry{s}, b.feed...)
	b.feed = b.feed[:min(50, len(b.feed))]
}

// HasSubmission tells whether there is a booking that was asked for and is not done.
func (b *CountPanel) HasSubmission() bool { return b.submission != nil }

// SetCount makes n the number counted on the present line, as if it had been typed.
func (b *CountPanel) SetCount(n int64) tea.Cmd { return b.setCount(n, b.T().Get("all")) }

package dock

import (
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

// A Bench is the counting part of a job's screen: it takes scans and numbers,
// keeps the draft, and books. A screen embeds one, hands it what the shell hands
// the screen, and paints it with View.
type Bench struct {
	Tally
	Site *Site
	Env  tui.Env
	// Verb is what booking is called: "book", "ship".
	Verb string
	// Name is what people call the document, for the list of what is unsent.
	Name string
	// Question is what is asked while something can be counted; "" or nil leaves
	// the usual words.
	Question func(small bool) string
	// Nothing lets a typed 0 say that there is none, which is a count too; else
	// it begins the line again.
	Nothing bool
	// Past is what was done when it is booked: "booked"; by the verb where empty.
	Past string
	// Writes are what booking needs of the service; the key may lack the right.
	Writes []*api.Spec
	// Damages tells that a part of what is counted may be called damaged.
	Damages bool
	// Surplus tells that more than is pending may be taken in beside the document.
	Surplus bool
	// Where is the place at which the goods are handled; the zero place is anywhere.
	Where Place
	// Rack is where goods that go out are taken from; nil when they come in.
	Rack *Rack
	// Closed says why nothing can be counted any more; "" while it can. Ended
	// says it in two words, for small screens.
	Closed, Ended string

	// Plan takes copies of the lines counted, in the screen's turn, and answers
	// what makes the writes that book them; that runs outside of it and may ask
	// the service.
	Plan func(lines []Line) func(ctx context.Context) ([]Step, error)
	// Booked is called after each step with its answer, in the screen's turn.
	Booked func(step Step, res *api.Response)
	// Done says what was booked, after the last step: "booked 48, pending 96".
	Done func(pieces int64) string
	// Refused may look at the document again after the service refused; may be nil.
	Refused func(err error) tea.Cmd
	// Placed hears of a location that was scanned; nil where that means nothing.
	Placed func(p Place) tea.Cmd
	// Elsewhere offers what to do with goods that belong elsewhere; it runs
	// outside the screen's turn and may ask the service. It may be nil.
	Elsewhere func(ctx context.Context, m *api.Match) []tui.Action

	question widget.Question
	said     []Said
	told     int // how often something was said
	plan     *Plan
	kept     *draft // of a document that is not loaded yet
	// draftMore are the members of the draft that a newer version added.
	draftMore jsontext.Value
	asking    bool
	sending   bool
	form      *widget.Form
	marking   bool       // the next serial number scanned is that of a damaged piece
	before    *counted   // the counts before the change being made
	past      []counted  // what can be taken back, the last at the end
	after     *scan.Scan // to be counted when what is being sent is booked
	abroad    Place      // where one agreed to book, standing elsewhere
	strayed   time.Time  // when a letter was typed, which means nothing here
}

// NewBench makes a bench, with the draft that was kept for its screen.
func NewBench(site *Site, env tui.Env) *Bench {
	b := &Bench{Site: site, Env: env, Verb: "book", question: widget.Number("")}
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
func (b *Bench) SetLines(lines ...*Line) {
	for _, l := range lines {
		for _, old := range b.Lines {
			if old.Key == l.Key {
				l.Count = old.Count
				if l.Goods.Tracking == "" {
					l.Goods.Tracking = old.Goods.Tracking
				}
			}
		}
	}
	b.Lines = lines
	if b.kept != nil {
		b.attach()
	}
}

// Busy tells whether scans must wait: a code is being looked up, or something is booked.
func (b *Bench) Busy() bool { return b.asking || b.sending }

// Sending tells whether something is being booked.
func (b *Bench) Sending() bool { return b.sending }

// waiting tells whether a booking has no answer, or is half done: nothing else
// can be done before. One that never left holds nobody up.
func (b *Bench) waiting() bool { return b.plan != nil && (b.plan.Sent || b.plan.Next > 0) }

// Update handles the bench's own answers and its keys; mine tells whether msg
// was one of them.
func (b *Bench) Update(msg tea.Msg) (cmd tea.Cmd, mine bool) {
	switch msg := msg.(type) {
	case foundMsg:
		return b.found(msg), true
	case plannedMsg:
		return b.planned(msg), true
	case stepMsg:
		return b.answered(msg), true
	case shelfMsg:
		return b.shelf(msg), true
	case tea.KeyMsg:
		return b.key(msg), true
	}
	return nil, false
}

// Types tells whether a key is text for the bench: a number, or its form.
func (b *Bench) AcceptsKey(k tea.KeyMsg) bool {
	if b.form != nil {
		return b.form.AcceptsKey(k)
	}
	if b.stray() && (k.Type == tea.KeyEnter || k.Type == tea.KeyEsc) {
		return true
	}
	return b.Closed == "" && !b.marking && b.question.AcceptsKey(k)
}

// strays is for how long a letter makes a typed code of what is typed with it.
const strays = 2 * time.Second

// stray tells whether letters were typed just now: the digits among them are
// those of a code and no number, and the enter after them books nothing.
func (b *Bench) stray() bool {
	return !b.strayed.IsZero() && b.Env.Now().Sub(b.strayed) < strays
}

func (b *Bench) key(k tea.KeyMsg) tea.Cmd {
	if b.form != nil {
		if b.form.Key(k) {
			return b.closeForm()
		}
		return nil
	}
	if k.Type == tea.KeyRunes && !k.Paste && !b.question.AcceptsKey(k) {
		b.strayed = b.Env.Now()
		return nil
	}
	stray := b.stray()
	text, done := b.question.Key(k)
	switch {
	case stray && k.Type == tea.KeyEnter:
		b.strayed = time.Time{}
		return tui.Fail(errors.New(typedNoNumber))
	case k.Type == tea.KeyEsc:
		b.strayed = time.Time{}
	}
	if !done {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return tui.Fail(errorf(notPieces, text))
	}
	return b.set(n, wordTyped)
}

// set makes n the number counted on the present line.
func (b *Bench) set(n int64, how string) tea.Cmd {
	if err := b.Thaw(); err != nil {
		return tui.Fail(err)
	}
	if len(b.Lines) == 0 {
		return tui.Fail(errors.New(countOfWhat))
	}
	line := b.Line()
	before := line.Count.Now
	b.before = b.counts()
	if n == 0 {
		none := Count{}
		if b.Nothing { // there is none of this lot
			none = Count{Lot: line.Count.Lot, LotID: line.Count.LotID, Ends: line.Count.Ends, None: true}
		}
		line.Count, b.wants = none, false
	} else if err := line.Set(n); err != nil {
		return tui.Fail(err, b.offers(err, nil)...)
	}
	b.note(Said{What: how, SKU: line.Goods.SKU, Lot: line.Count.Lot,
		Change: widget.Change(line.Count.Now - before), Now: widget.Count(line.Count.Now)})
	return nil
}

// Fill counts all that is pending on the present line.
func (b *Bench) Fill() tea.Cmd { return b.set(b.Line().Pending, "all") }

// Thaw tells why nothing may be changed now, or nil. A booking that never left
// is forgotten then: what is changed makes another one.
func (b *Bench) Thaw() error {
	switch {
	case b.Closed != "":
		return errorf(notCounted, b.Closed)
	case len(b.Lines) == 0 && b.Join == nil: // a count of a place joins what it finds
		return errors.New(notHere)
	case b.waiting():
		return errorf(notAnswered, b.plan.Steps[b.plan.Next].Words)
	}
	b.plan = nil
	return nil
}

// note keeps a line of what was said, the newest first.
func (b *Bench) note(s Said) {
	b.keep()
	s.At = widget.Clock(b.Env.Now(), b.Env.Now())
	b.told++
	b.said = append([]Said{s}, b.said...)
	b.said = b.said[:min(50, len(b.said))]
}

// Unsent tells whether there is a booking that was asked for and is not done.
func (b *Bench) Unsent() bool { return b.plan != nil }

// Say makes n the number counted on the present line, as if it had been typed.
func (b *Bench) Say(n int64) tea.Cmd { return b.set(n, "all") }

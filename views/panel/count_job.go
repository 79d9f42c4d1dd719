package panel

import (
	"cmp"
	"context"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"

	tea "github.com/charmbracelet/bubbletea"
)

// A CountJob is what a screen does with what is counted on its panel.
type CountJob struct {
	// Verb names the action that records the count: "ship". The default is "record".
	Verb string
	// Booking books the count; nil if the screen books it without the panel.
	Booking Booking
	// Writes are the operations that booking needs. Booking is disabled if the key
	// lacks their scopes.
	Writes []*api.Spec
	// Receives means that booking receives items, whose labels can then be printed.
	Receives bool
	// AllowDamaged allows part of the count to be marked as damaged.
	AllowDamaged bool
	// Question returns the prompt while something can be counted. If it is nil or
	// returns "", the default prompt is used.
	Question func(small bool) string
	// OtherItem returns the actions to offer for an item that is not on the document.
	// It runs outside the update loop and may call the service. It may be nil.
	OtherItem func(ctx context.Context, m *api.Match) []tui.Action
	// OtherProduct is called with a scanned product that is on no line. If it is nil, such a
	// scan is rejected.
	OtherProduct func(r count.Label, p *api.Product) tea.Cmd
	// Recover returns what the operator reads about a rejected booking and what they
	// can do about it. If it is nil or returns "", the default message is used.
	Recover func(err error) (text string, offers []tui.Action)
	// SwapLot returns the action that counts a lot on a line that was picked from another lot.
	SwapLot func(line string, count func() tea.Cmd) tui.Action
	// Waiting returns what can be done about a line that waits for stock; nil if nothing can.
	Waiting func() []tui.Action
	// SerialElsewhere is called with a serial that ScanMatcher.HasSerial rejected.
	SerialElsewhere func(e *count.SerialElsewhereError) tea.Cmd
	// NewSerials rejects serials that were received before.
	NewSerials bool
	// RecordedText returns the message after lines were booked each on its own, with what
	// was counted of them. It is needed by a booking whose steps have a Line.
	RecordedText func(lines []count.Line) string
	// Reload reads the document in the background after such a booking. It may be nil.
	Reload func() tea.Cmd
	// Advance selects the next open line when a line is complete.
	Advance bool
	// Ready means that a line counts what is ready, which may be less than what is to go.
	Ready bool
	// OtherLocation is called with a scanned location. If it is nil, the label of a
	// location is matched like any other.
	OtherLocation func(at session.Location) tea.Cmd
}

// verb returns the name of the action that records the count.
func (j *CountJob) verb(t *i18n.Translator) string { return cmp.Or(j.Verb, t.Get("record")) }

// A Booking builds the steps that book a count, and learns what was booked.
type Booking interface {
	// PrepareSteps receives copies of the counted lines in the update loop. The
	// function it returns builds the steps that book them; it runs outside the update
	// loop and may call the service.
	PrepareSteps(lines []count.Line) func(ctx context.Context) ([]submit.Step, error)
	// Booked is called in the update loop after each step, with its response; not after one
	// that was saved at risk, which has none.
	Booked(step submit.Step, res *api.Response)
	// BookedText returns the message after the last step: "Received 48: 144 of 240, 96 to go".
	// The lines still have their counts.
	BookedText(pieces int64) string
	// Refresh reloads the document. It is called if what is shown may be outdated: the
	// service rejected a booking, or a booking was discarded or saved at risk.
	Refresh() tea.Cmd
}

// A CountDocument is the document whose items are counted.
type CountDocument struct {
	// Name is its display name, for the list of unsent drafts.
	Name string
	// Location is where the items are handled; zero means anywhere.
	Location session.Location
	// PickFrom is the stock that outgoing items are taken from; nil for incoming items.
	PickFrom *PickLocation
	// AllowOverReceipt allows counting more than is pending, to be received outside the
	// document.
	AllowOverReceipt bool
	// ClosedReason says why nothing can be counted anymore; "" while counting is
	// possible. ClosedShort is its short form for small screens.
	ClosedReason, ClosedShort string
	// RestWaits means that a part of the document is done and nothing else is ready.
	RestWaits bool
}

// Status returns the short form of why nothing can be counted anymore, or what the status is
// otherwise.
func (d *CountDocument) Status(otherwise string) string {
	if d.ClosedReason == "" {
		return otherwise
	}
	return d.ClosedShort
}

// A PickLocation identifies the stock that items are taken from.
type PickLocation struct {
	Owner, Channel api.ID
	// Document is the display name of the document that the items are taken for.
	Document string
}

// A DocumentSummary is what a screen shows about its document around the count panel.
type DocumentSummary struct {
	Party string // "Nordic Foods", "from WH-2 Depot"
	// Way is the other end of a transfer on small screens: "to" and "WH-2".
	Way  widget.Pair
	Note string // a warning on small screens: "40 waiting"
	When string // "expected today 14:00"
	Late bool
	// Total is the whole quantity and Done the booked part. TotalWord and DoneWord
	// label them: "expected", "received".
	Total, Done         int64
	TotalWord, DoneWord string
	// Recorded names the lots or serials of the booked part of the line: "L42-A × 12".
	Recorded string
	// Lines has the lines of a document with several, in the order of the panel's.
	Lines []LineSummary
}

// A LineSummary is what a screen shows about a line of its document.
type LineSummary struct {
	Total  int64
	Status string // of a line with nothing to go: "✓ received", "12 missing"
}

// SummaryText describes the progress of a document: "expected 240  received 96
// pending 144".
func (s DocumentSummary) SummaryText(t *i18n.Translator, pending int64) string {
	return t.Get("%s %s  %s %s  to go %s", s.TotalWord, t.Count(s.Total), s.DoneWord, t.Count(s.Done), t.Count(pending))
}

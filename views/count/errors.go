package count

import (
	"bincard/tui/i18n"
)

// An OverReceiptError rejects a count that exceeds what is pending.
type OverReceiptError struct {
	Over    int64 // by how many it exceeds the limit
	Instead bool  // the quantity was to replace the count, not to add to it
	pieces  int64 // the quantity
	text    string
}

func (e *OverReceiptError) Error() string { return e.text }

// An OtherLotError rejects another lot than the one being counted.
type OtherLotError struct{ text string }

func (e *OtherLotError) Error() string { return e.text }

// A PickedLotError rejects another lot than those that its line is picked from.
type PickedLotError struct {
	Line *Line
	text string
}

func (e *PickedLotError) Error() string { return e.text }

// A SerialElsewhereError rejects a serial that is not recorded on its line.
type SerialElsewhereError struct {
	Line   *Line
	Serial string
	Label  Label // what was scanned
	text   string
}

func (e *SerialElsewhereError) Error() string { return e.text }

// MisreadError returns the error for a label with a problem.
func MisreadError(t *i18n.Translator, r Label) error {
	return t.NewError(
		"Invalid label: %s. Nothing was counted: scan it again, or type the quantity.",
		t.Message(r.Problem),
	)
}

// misreadError returns the error for a label with a problem. The quantity of a serialized
// item cannot be typed.
func (m *ScanMatcher) misreadError(r Label) error {
	if m.Line().BySerial() {
		return m.Translator.NewError(
			"Invalid label: %s. Nothing was counted: scan it again.",
			m.Translator.Message(r.Problem),
		)
	}
	return MisreadError(m.Translator, r)
}

// An UnknownCodeError reports a valid code that is unknown.
type UnknownCodeError struct {
	Code string
	text string
}

func (e *UnknownCodeError) Error() string { return e.text }

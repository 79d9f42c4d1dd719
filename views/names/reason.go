package names

import (
	"slices"
	"strings"

	"bincard/tui/i18n"
)

// Reasons to choose from, the most likely first. They are recorded in English, so that reports
// count those of all languages together.
var (
	AdjustmentReasons  = i18n.Text("counted; counting error; opening stock")
	RemovalReasons     = i18n.Text("lost; broken; expired; internal use; sample; counting error")
	AdditionReasons    = i18n.Text("found; received without a document; counting error")
	DamageReasons      = i18n.Text("damaged; failed inspection; expired; correction")
	ReleaseReasons     = i18n.Text("passed inspection; repaired; no longer on hold; correction")
	HoldReasons        = i18n.Text("needs inspection; on hold; correction")
	AssemblyReasons    = i18n.Text("built for sale; built for an order; correction")
	DisassemblyReasons = i18n.Text("components needed; kit returned; correction")
	DamageCauses       = i18n.Text("broken; crushed; wet; leaking; opened")
	UnlinkReasons      = i18n.Text("wrong product; wrong quantity; barcode no longer used")
)

// The reasons that Bincard itself records.
var (
	Counted          = i18n.Text("counted")
	Undo             = i18n.Text("undo")
	DamagedOnReceipt = i18n.Text("damaged on receipt")
	DamagedInTransit = i18n.Text("damaged in transit")
	CountedAt        = i18n.Text("counted at %s")
	FoundAt          = i18n.Text("found at %s")
	OverReceipt      = i18n.Text("over-receipt on %s")
	PutBack          = i18n.Text("put back on the shelf") // by the service
)

var (
	reasonLists = []string{AdjustmentReasons, RemovalReasons, AdditionReasons, DamageReasons, ReleaseReasons,
		HoldReasons, AssemblyReasons, DisassemblyReasons, DamageCauses, UnlinkReasons, Counted, Undo, DamagedOnReceipt,
		DamagedInTransit, PutBack}
	reasonFormats = []string{CountedAt, FoundAt, OverReceipt}
)

// Reasons returns the reasons of a list.
func Reasons(t *i18n.Translator, list string) []string { return strings.Split(t.Get(list), "; ") }

// RecordedReason returns what is recorded for a reason that was chosen or typed.
func RecordedReason(t *i18n.Translator, text string) string {
	for _, list := range reasonLists {
		english := Reasons(nil, list)
		if i := slices.Index(Reasons(t, list), text); i >= 0 && i < len(english) {
			return english[i]
		}
	}

	return text
}

// Reason returns a recorded reason in the language of t. What was typed stays as it is.
func Reason(t *i18n.Translator, recorded string) string {
	head, rest, more := strings.Cut(recorded, ": ")
	text, known := reasonText(t, head)
	switch {
	case !known:
		return recorded
	case more:
		return text + ": " + Reason(t, rest)
	}

	return text
}

func reasonText(t *i18n.Translator, english string) (text string, known bool) {
	for _, list := range reasonLists {
		shown := Reasons(t, list)
		if i := slices.Index(Reasons(nil, list), english); i >= 0 && i < len(shown) {
			return shown[i], true
		}
	}
	for _, format := range reasonFormats {
		if value, ok := strings.CutPrefix(english, strings.TrimSuffix(format, "%s")); ok {
			return t.Get(format, value), true
		}
	}

	return "", false
}

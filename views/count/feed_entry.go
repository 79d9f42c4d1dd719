package count

import (
	"strings"

	"bincard/tui/i18n"
)

// feedKind selects the text format of a feed entry.
type feedKind string

const (
	typedCount feedKind = "typed"
	serialScan feedKind = "serial"
	lotScan    feedKind = "lot"
)

// A FeedEntry is a line of the feed: "box OAT-1L L42-A +12 48".
type FeedEntry struct {
	At     string   `json:"at"` // time of day
	Kind   feedKind `json:"kind,omitempty"`
	Source string   `json:"what"` // in the language of the session
	SKU    string   `json:"sku,omitempty"`
	Lot    string   `json:"lot,omitempty"`
	Change string   `json:"change,omitempty"`
	Total  string   `json:"now,omitempty"`
}

// Text returns the entry in one line: "+12 box  lot L42-A  now 12".
func (e FeedEntry) Text(t *i18n.Translator) string {
	switch {
	case e.SKU == "":
		return e.Source
	case e.Kind == typedCount:
		return strings.TrimSpace(t.Get("now %s  %s", e.Total, e.lotText(t)))
	case e.Kind == serialScan:
		return strings.TrimSpace(strings.Join([]string{e.Change, t.Get("serial %s", e.Lot), "", t.Get("now %s", e.Total)}, " "))
	}
	text := strings.TrimSpace(e.Change + " " + e.Source)
	if lot := e.lotText(t); lot != "" && e.Kind != lotScan {
		text += "  " + lot
	} else if e.Kind == lotScan {
		text += " " + e.Lot
	}
	if e.Total != "" {
		text += "  " + t.Get("now %s", e.Total)
	}
	return text
}

func (e FeedEntry) lotText(t *i18n.Translator) string {
	if e.Lot == "" {
		return ""
	}
	return t.Get("lot %s", e.Lot)
}

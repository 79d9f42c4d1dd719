package panel

import (
	"bincard/tui/i18n"
)

// A DocumentSummary is what a screen shows about its document around the count panel.
type DocumentSummary struct {
	Party string // "Nordic Foods", "from WH-2 Depot"
	When  string // "expected today 14:00"
	Late  bool
	// Total is the whole quantity and Done the booked part. TotalWord and DoneWord
	// label them: "expected", "received".
	Total, Done         int64
	TotalWord, DoneWord string
}

// SummaryText describes the progress of a document: "expected 240  received 96
// pending 144".
func (s DocumentSummary) SummaryText(t *i18n.Translator, pending int64) string {
	return t.Get("%s %s  %s %s  pending %s", s.TotalWord, t.Count(s.Total), s.DoneWord, t.Count(s.Done), t.Count(pending))
}

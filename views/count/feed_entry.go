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
	// Sync and Keys are of what was saved on this machine: the keys of its operations.
	Sync SyncResult `json:"sync,omitempty"`
	Keys []string   `json:"keys,omitempty"`
}

// A SyncResult is what became of operations that were saved on this machine.
type SyncResult string

// The results.
const (
	NotSynced SyncResult = "pending"
	AtRisk    SyncResult = "risk" // not synced, and the service may reject it
	Synced    SyncResult = "synced"
	Rejected  SyncResult = "rejected"
	// NotPrinted is of labels, which have no operation.
	NotPrinted SyncResult = "notPrinted"
)

// Result returns the text of a result: "Saved, not synced. Received 12".
func (e FeedEntry) Result(t *i18n.Translator) string {
	switch e.Sync {
	case NotSynced:
		return t.Get("Saved, not synced. %s", e.Source)
	case AtRisk:
		return t.Get("Saved at risk: the service may reject it")
	case Synced:
		return t.Get("Synced. %s", e.Source)
	case Rejected:
		return t.Get("The service rejected it: see Sync. %s", e.Source)
	}

	return e.Source
}

// Text returns the entry in one line: "+12 box  lot L42-A  now 12".
func (e FeedEntry) Text(t *i18n.Translator) string {
	switch {
	case e.SKU == "":
		return e.Result(t)
	case e.Kind == typedCount:
		return strings.TrimSpace(t.Get("now %s  %s", e.Total, e.lotText(t)))
	case e.Kind == serialScan:
		return strings.TrimSpace(
			strings.Join([]string{e.Change, t.Get("serial %s", e.Lot), "", t.Get("now %s", e.Total)}, " "))
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

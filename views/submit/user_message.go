package submit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/names"
)

var placeholder = regexp.MustCompile(`\{([a-zA-Z]+)\}`)

// The operating system's errors, which other messages contain.
var _ = i18n.TableOf("error", map[string]string{
	"open":         "open %s: %v",
	"read":         "read %s: %v",
	"write":        "write %s: %v",
	"mkdir":        "mkdir %s: %v",
	"ENOSPC":       "no space left on device",
	"EACCES":       "permission denied",
	"ENOENT":       "no such file or directory",
	"EROFS":        "read-only file system",
	"EIO":          "input/output error",
	"ENOTDIR":      "not a directory",
	"EISDIR":       "is a directory",
	"EDQUOT":       "disk quota exceeded",
	"ENAMETOOLONG": "file name too long",
	"REFUSED":      "connection refused",
	"TIMEOUT":      "i/o timeout",
})

// UserMessage returns the text of an error for the operator.
func UserMessage(t *i18n.Translator, err error) string {
	var e *api.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return t.Get("The service did not answer. Retry.")
	case !errors.As(err, &e):
		return t.Message(err.Error())
	case e.Code == api.Unavailable && e.Message == "":
		return t.Get("The service cannot be reached, so this was not looked up. Retry.")
	}

	text, ok := refusals[e.Code]
	if !ok {
		return serviceMessage(t, e)
	}

	complete := true
	text = placeholder.ReplaceAllStringFunc(t.Get(text), func(name string) string {
		value, ok := e.Details[name[1:len(name)-1]]
		complete = complete && ok
		if name == "{status}" {
			return widget.Clean(names.Status(t, fmt.Sprint(value)) + stateText(t, e) + changedText(t, e))
		}
		return detailText(t, value)
	})

	if !complete {
		return serviceMessage(t, e)
	}

	return text
}

// stateText returns the state of a serial that is in stock but not available, if the error says so.
func stateText(t *i18n.Translator, e *api.Error) string {
	state, status := e.Details["inventoryState"], fmt.Sprint(e.Details["status"])
	if e.Code != api.SerialNotAvailable || status != string(api.InStock) || state == nil {
		return ""
	}
	if s := api.State(fmt.Sprint(state)); s != api.Available {
		return " (" + names.State(t, s) + ")"
	}

	return ""
}

// changedText returns who changed a document last, and when, if the error says so.
func changedText(t *i18n.Translator, e *api.Error) string {
	at, err := time.Parse(time.RFC3339, fmt.Sprint(e.Details["changedAt"]))
	if err != nil {
		return ""
	}
	return " (" + ChangeText(t, fmt.Sprint(e.Details["changedBy"]), at) + ")"
}

// ChangeText says who changed a document, and when: "Ben, 2026-11-20 19:26".
func ChangeText(t *i18n.Translator, by string, at time.Time) string {
	return widget.Clean(by) + ", " + t.DateClock(at.Local())
}

// serviceMessage returns the service's own message.
func serviceMessage(t *i18n.Translator, e *api.Error) string {
	if e.Message == "" {
		return t.Get("The service rejected it (%s).", e.Code)
	}
	text := t.Message(widget.Clean(e.Message))
	if e.Code == api.InternalError && e.RequestID != "" {
		text += " " + t.Get("Request %s.", e.RequestID)
	}
	return text
}

// refusalText describes the refusal of the next step. Too little stock means something
// else to a step without a quantity, or with the quantity that is left, and so does too little
// that is picked to a step that puts it back.
func (s *Submission) refusalText(t *i18n.Translator, err error) string {
	var e *api.Error
	if !errors.As(err, &e) || s.Next >= len(s.Steps) {
		return UserMessage(t, err)
	}

	current, ok := e.Details["current"].(int64)
	requested, complete := e.Details["requested"].(int64)
	switch step := &s.Steps[s.Next]; {
	case step.Op == api.UnpickOutbound.ID && e.Code == api.QuantityExceedsPending:
		pending := detailText(t, e.Details["pending"])
		return t.Get("Only %s can be put back: the rest is not picked, or was shipped. Count %s, then press F8.",
			pending, pending)
	case e.Code != api.InsufficientStock:
	case !ok || !complete:
	case step.Op == api.AllocateOutbound.ID:
		return t.Get(
			"Nothing can be allocated: %s available here, %s needed. Receive stock first.",
			t.Count(current),
			t.Count(requested),
		)

	case step.Op == api.ReconcileStock.ID:
		var in struct {
			CountedQuantity int64 `json:"countedQuantity"`
		}
		if json.Unmarshal(step.Body, &in) != nil {
			break
		}

		least := t.Count(in.CountedQuantity + requested - current)
		if holder, ok := e.Details["holder"].(string); ok {
			return t.Get(
				"Only %s can be removed; order %s holds stock. Enter %s or more, or open the order and cancel it.",
				t.Count(current),
				widget.Clean(holder),
				least,
			)
		}

		return t.Get(
			"Only %s can be removed; the rest is allocated. Enter %s or more, or open a document and cancel it.",
			t.Count(current), least)
	}

	return UserMessage(t, err)
}

// detailText formats a detail of an error.
func detailText(t *i18n.Translator, value any) string {
	switch v := value.(type) {
	case int64:
		return t.Count(v)
	case int:
		return t.Count(int64(v))
	case api.State:
		return names.State(t, v)
	case string:
		if s := api.State(v); s.Index() >= 0 {
			return names.State(t, s)
		}
		return widget.Clean(v)
	}

	return widget.Clean(strings.TrimSpace(fmt.Sprint(value)))
}

// unansweredText describes a step that brought no answer; unconfirmed is the text for one
// that may be booked, "" for the usual one.
func unansweredText(t *i18n.Translator, err error, sent bool, unconfirmed string) string {
	var e *api.Error
	if errors.As(err, &e) && (e.Code == api.RateLimited || e.Code == api.Unauthorized) {
		return UserMessage(t, err)
	}
	if e != nil && e.Code == api.Unavailable && e.Details["outcome"] == nil && e.Details["retryAfterSeconds"] != nil {
		return serviceMessage(t, e) + " " + t.Get("Your count is kept.") // the service did nothing and says why
	}

	if refusesCaller(err) {
		return t.Get(
			"No answer came, so this may already be recorded. The service rejects the retry: ask your supervisor.",
		)
	}

	if sent {
		if unconfirmed != "" {
			return unconfirmed
		}
		return t.Get("No answer came, so this may already be recorded. Your count is kept. Retry: it is recorded once.")
	}

	return t.Get("The service cannot be reached. Nothing was recorded; your count is kept. Retry.")
}

// refusals maps error codes to what the operator reads: what happened and what to do
// next. Names in {braces} are replaced by details of the error. If one is missing, the
// service's own message is used.
var refusals = i18n.Texts[api.Code]{
	api.QuantityExceedsPending: "Only {pending} to go, but the count is {requested}. Enter at most {pending}.",
	api.InboundNotOpen:         "This delivery is already {status}. Nothing was recorded; your count is kept. Go back (esc).",
	api.TransferNotOpen:        "This transfer is already {status}. Nothing was recorded; your count is kept. Go back (esc).",
	api.OutboundNotOpen:        "This order is already {status}. Nothing was recorded; your count is kept. Go back (esc).",
	api.ReservationNotPending:  "This reservation is already {status}. Nothing was changed: choose another action, or create a new one.",
	api.InboundAlreadyReceived: "{received} are already received, so this cannot be canceled. Close it short instead.",
	api.NothingPending:         "Not recorded: it is already done, or not ready yet. Check the lines, or go back (esc).",
	api.InsufficientStock:      "The {inventoryState} quantity here is {current}, but you need {requested}. Enter less, or find the rest.",
	api.SerialExists:           "Serial {serialNumber} is already in the ledger ({status}). Nothing was recorded: check its label, set the count to 0, and scan the others again.",
	api.SerialNotAvailable:     "Serial {serialNumber} is {status} at {locationCode}, so you cannot use it here. Check its label.",
	api.SerialCountMismatch:    "There are {serials} serial numbers for {quantity} items. Scan the serial number of each item.",
	api.LotRequired:            "{sku} is tracked by lot. Scan the lot or type it (F7), then record again.",
	api.LotArchived:            "Lot {lotCode} is closed. Use another lot (F7).",
	api.StateBackedByDocuments: "{backed} of {current} are allocated to open documents. Cancel or close those first.",
	api.VersionConflict:        "Someone else changed this. Check it again before you save.",
	api.InsufficientScope:      "This terminal has no permission to do that ({requiredScope}). Ask whoever manages the keys.",
	api.Unauthorized:           "The service rejects this terminal's key. Your draft is kept: ask for a new key.",
	api.PlanLimitExceeded:      "Monthly quota used up. Nothing was recorded; your draft is kept. Tell your supervisor.",
	api.RateLimited:            "The service is busy. Your draft is kept: press enter again in a moment.",
	api.ProductArchived:        "{sku} is archived. Nothing was recorded: ask your supervisor.",
}

// FailureText describes the error that Answered returned. unknown is the text for a step
// that may be done; a default is used if it is empty.
func (s *Submission) FailureText(t *i18n.Translator, err error, unknown string) string {
	if !OutcomeUnknown(err) && !s.Sent {
		return s.refusalText(t, err)
	}
	return unansweredText(t, err, s.Sent, unknown)
}

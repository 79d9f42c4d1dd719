package dock

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"bincard/server/api"
	"bincard/tui/widget"
)

// words are what a worker is told for each code of an error: what happened,
// with the numbers in {braces} from its details, and what to do next. Where a
// detail is missing the service's own message stands.
var words = map[api.Code]string{
	api.QuantityExceedsPending: "Only {pending} are pending, and {requested} were counted: some may have been booked meanwhile. Enter at most {pending}.",
	api.InboundNotOpen:         "This inbound is {status} already: somebody else finished it. Nothing was booked; your count is kept. Go back (esc) and ask who did.",
	api.TransferNotOpen:        "This transfer is {status} already: somebody else finished it. Nothing was booked; your count is kept. Go back (esc) and ask who did.",
	api.OutboundNotOpen:        "This order is {status} already: somebody else finished it. Nothing was booked; your count is kept. Go back (esc) and ask who did.",
	api.InboundAlreadyReceived: "{received} were received already, so it cannot be cancelled. Close it short instead.",
	api.NothingPending:         "Nothing is pending any more: somebody else did it. Go back (esc).",
	api.InsufficientStock:      "Only {current} are {inventoryState} here, and {requested} were asked for. Enter at most {current}, or look where the rest is.",
	api.SerialExists:           "Piece {serialNumber} is in the books already ({status}). Nothing was booked: check its label, set it to 0 and scan the others again.",
	api.SerialNotAvailable:     "Piece {serialNumber} is {status} at {locationCode}, so it cannot be taken here. Check its label.",
	api.SerialCountMismatch:    "There are {serials} serial numbers for {quantity} pieces. Scan the serial number of each piece.",
	api.LotRequired:            "{sku} is kept by lot. Scan the lot or type it (F7), then book again.",
	api.LotArchived:            "Lot {lotCode} is closed. Take another lot (F7).",
	api.StateBackedByDocuments: "Open documents hold {backed} of the {current}. Cancel or close those first.",
	api.VersionConflict:        "Somebody changed this since it was read. Look at it again, then decide anew.",
	api.InsufficientScope:      "This terminal may not do that: it lacks the right {requiredScope}. Ask the one who manages the keys.",
	api.Unauthorized:           "The service no longer knows this terminal's key. The draft is kept: ask for a new key.",
	api.PlanLimitExceeded:      "The company's plan is used up, so nothing was booked. The draft is kept: tell your supervisor.",
	api.RateLimited:            "The service is too busy. The draft is kept: press enter again in a moment.",
	api.ProductArchived:        "{sku} was taken out of use. Nothing was booked: ask your supervisor.",
}

// unanswered is said when a write brought no answer, by whether it can have arrived.
const (
	unreached = "The service cannot be reached. Nothing was booked; your count is kept. Try again."
	unknown   = "No answer came, so nobody knows whether it was booked. Your count is kept. Send it again: it is booked once."
	unread    = "The service cannot be reached, so this could not be looked up. Try again."
)

var brace = regexp.MustCompile(`\{([a-zA-Z]+)\}`)

// Words are an error as a worker understands it.
func Words(err error) string {
	var e *api.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "No answer came in time. Try again."
	case !errors.As(err, &e):
		return err.Error()
	case e.Code == api.Unavailable && e.Message == "":
		return unread
	}
	text, ok := words[e.Code]
	if !ok {
		return said(e)
	}
	whole := true
	text = brace.ReplaceAllStringFunc(text, func(name string) string {
		value, ok := e.Details[name[1:len(name)-1]]
		whole = whole && ok
		return plain(value)
	})
	if !whole {
		return said(e)
	}
	return text
}

// said is what the service itself says.
func said(e *api.Error) string {
	if e.Message == "" {
		return fmt.Sprintf("The service refused it (%s).", e.Code)
	}
	text := widget.Clean(e.Message)
	if e.Code == api.InternalError && e.RequestID != "" {
		text += " Request " + e.RequestID + "."
	}
	return text
}

// plain writes a detail as people read it.
func plain(value any) string {
	switch v := value.(type) {
	case int64:
		return widget.Count(v)
	case int:
		return widget.Count(int64(v))
	case api.State:
		return v.Title()
	case string:
		if s := api.State(v); s.Index() >= 0 {
			return s.Title()
		}
		return widget.Clean(v)
	}
	return widget.Clean(strings.TrimSpace(fmt.Sprint(value)))
}

// wordsOfSending are the words for a step that brought no answer.
func wordsOfSending(err error, sent bool) string {
	var e *api.Error
	if errors.As(err, &e) && (e.Code == api.RateLimited || e.Code == api.Unauthorized) {
		return Words(err)
	}
	if sent {
		return unknown
	}
	return unreached
}

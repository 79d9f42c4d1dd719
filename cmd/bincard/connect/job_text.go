package connect

import (
	"errors"
	"regexp"
	"strings"

	"bincard/cmd/bincard/cli"
	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/count"
	"bincard/views/session"
	"bincard/views/submit"
)

// keyHint matches the name of a terminal key in a message, like " (F5)".
var keyHint = regexp.MustCompile(` \((F\d+|esc|enter|\+)\)`)

// keptCount matches the sentences about a count on a screen, which a command does not have.
var keptCount = regexp.MustCompile(
	` (?:(?:Nothing was|Not) (?:counted|added)\.|The count stays at [\d,]+\.|[Yy]our count is kept\.)`)

// screenPhrases are phrases of the screens' messages, without keys, and what a command says
// instead.
var screenPhrases = []struct{ screen, command string }{
	{"Scan it again, or choose it from the list.", "Check the reference."},
	{"Check the number, or scan it again.", "Check the reference."},
	{"Check the code, or press esc and choose a location.", "Check --location."},
	{"Check the code, or add the product.", "Check the SKU, or have the product added first."},
	{"scan each serial number.", "specify each serial number with --serial."},
	{"Scan the others, or set the count to 0 and start over.", "Specify the others with --serial."},
	{"Scan the product, or type the quantity.", "Specify a quantity instead of --serial."},
	{"Check the label, or correct the lot.", "Check --lot."},
	{"Use the lot it holds, or swap the lots.", "Use the lot it holds."},
	{"Scan the lot or type it, then record again.", "Specify it with --lot."},
	{"Scan the serial number of each item.", "Specify each with --serial."},
	{"Scan or type the lot, then try again.", "Specify it with --lot."},
	{"Clear the lot, then try again.", "Omit --lot."},
	{"Choose another state.", "Choose another --state."},
	{" Check the lines, or go back.", ""},
	{" Go back.", ""},
	{"; your count is kept", ""},
	{"or fulfill everything ready.", "or fulfill all."},
	{"Specify one (", "Specify one with --sku ("},
	{"Specify one:", "Specify one with --sku:"},
	{"Count all of", "Fulfill all of"},
	{"Type at most", "Enter at most"},
}

// errorText returns an error's message for the command line, without keys of the terminal. An
// English one names flags instead of scans.
func errorText(t *i18n.Translator, err error) string {
	if api.HasCode(err, api.InternalError) {
		return cli.ErrorSentence(err)
	}
	text := keptCount.ReplaceAllString(keyHint.ReplaceAllString(submit.UserMessage(t, err), ""), "")
	for _, x := range screenPhrases {
		text = strings.ReplaceAll(text, x.screen, x.command)
	}
	return text
}

// rejected is the code of a request that was rejected before it was sent, for a reason that
// no other code names.
const rejected api.Code = "REJECTED"

// errorCode returns the code of a job's error.
func errorCode(err error) api.Code {
	var e *api.Error
	var over *count.OverReceiptError
	var missing *session.NotFoundError
	switch {
	case errors.As(err, &e):
		return e.Code
	case errors.As(err, &over):
		return api.QuantityExceedsPending
	case errors.As(err, &missing):
		return api.NotFound
	case StatusOf(err) == cli.StatusUnknown:
		return api.Unavailable
	}

	return rejected
}

// lotAdvice returns how a command takes another lot than the one that was picked, or "".
func lotAdvice(t *i18n.Translator, err error) string {
	var e *api.Error
	if !errors.As(err, &e) || e.Code != api.LotMismatch || e.Details["allocated"] == nil {
		return ""
	}

	available, _ := e.Details["available"].(int64)
	requested, _ := e.Details["requested"].(int64)
	if available < requested {
		return ""
	}

	return t.Message(i18n.Textf("Repeat the command with --swap to put the picked lot back and take this one."))
}

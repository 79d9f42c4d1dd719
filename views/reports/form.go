package reports

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/balances/catalogue"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

const anyValue = "any"

func stockChoices() []string { return []string{anyValue, optionIn, optionOut} }

// operationChoices and states are the choices of the form, in words.
func operationChoices() []string {
	out := []string{anyValue}
	for _, o := range api.MovementOperations {
		out = append(out, strings.ReplaceAll(string(o), "_", " "))
	}
	return out
}

func stateChoices() []string {
	out := []string{anyValue}
	for _, s := range api.States {
		out = append(out, s.Title())
	}
	return out
}

// newForm asks for a filter; of balances also for what they hold and when.
func newForm(f filter, balances bool, now time.Time) *widget.Form {
	var spans []string
	for _, p := range periods() {
		spans = append(spans, p.name)
	}
	if !slices.Contains(spans, f.periodText()) && f.From == "" && f.To == "" {
		spans = append(spans, f.periodText())
	}
	readable := func(ends bool) func(string) error {
		return func(text string) error { _, err := parseTime(text, now, ends); return err }
	}
	fields := []widget.Field{
		{Name: "sku", Label: fieldProduct, Hint: hintScanItOrType},
		{Name: "place", Label: fieldPlace, Hint: hintPlace},
		{Name: "operation", Label: fieldOperation, Kind: widget.ChoiceField, Options: operationChoices()},
		{Name: "state", Label: fieldState, Kind: widget.ChoiceField, Options: stateChoices()},
	}
	if balances {
		fields = append(fields, widget.Field{Name: "status", Label: fieldHolds, Kind: widget.ChoiceField, Options: stockChoices()},
			widget.Field{Name: "asOf", Label: fieldAsOf, Hint: hintNowOr, Check: readable(true)})
	}
	span := fieldPeriod
	if balances {
		span = fieldBegun // the period of a snapshot is when its balances began
	}
	fields = append(fields,
		widget.Field{Name: "span", Label: span, Kind: widget.ChoiceField, Options: spans},
		widget.Field{Name: "from", Label: fieldFrom, Hint: hintFrom, Check: readable(false)},
		widget.Field{Name: "to", Label: fieldTo, Hint: hintTo, Check: readable(true)},
		widget.Field{Name: "owner", Label: fieldOwner, Hint: hintItsCode},
		widget.Field{Name: "channel", Label: fieldChannel, Hint: hintItsCode})
	form := widget.NewForm(fields...)
	for name, text := range f.fields() {
		form.Fill(name, *text)
	}
	form.Fill("operation", strings.ReplaceAll(f.Operation, "_", " "))
	form.Fill("state", api.State(f.State).Title())
	form.Fill("status", stockChoices()[max(0, slices.Index([]string{"", string(api.StockIn), string(api.StockOut)}, f.Status))])
	form.Fill("span", f.periodText())
	if f.From != "" || f.To != "" {
		form.Fill("span", spanFromTo)
	}
	return form
}

// readForm takes a filter from the form. A day that was typed counts, whatever the
// period says.
func readForm(form *widget.Form, old filter) filter {
	var f filter
	for name, text := range f.fields() {
		*text = form.Value(name)
	}
	f.Operation, f.State, f.From, f.To = "", "", normalizeDay(f.From), normalizeDay(f.To)
	f.AsOf = normalizeDay(f.AsOf)
	if i := slices.Index(operationChoices(), form.Value("operation")); i > 0 {
		f.Operation = string(api.MovementOperations[i-1])
	}
	if i := slices.Index(stateChoices(), form.Value("state")); i > 0 {
		f.State = string(api.States[i-1])
	}
	f.Status = []string{"", string(api.StockIn), string(api.StockOut)}[max(0, slices.Index(stockChoices(), form.Value("status")))]
	span := form.Value("span")
	if span != spanFromTo && (f.From != "" || f.To != "") && f.From == old.From && f.To == old.To {
		f.From, f.To = "", "" // another period was chosen in their place
	}
	f.Days = old.Days
	for _, p := range periods() {
		if p.name == span {
			f.Days = max(0, p.days)
		}
	}
	if f.From != "" || f.To != "" {
		f.Days = 0
	}
	return f
}

// normalizeDay writes a date that was typed another way as the others are; what is no
// such date stays.
func normalizeDay(text string) string {
	for _, layout := range []string{"20060102", "02.01.2006", "2.1.2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Format(time.DateOnly)
		}
	}
	return text
}

// matchMsg is what a code scanned into the form was found to be.
type matchMsg struct {
	match catalogue.Match
	err   error
}

// lookUpScan looks up what a code is, to filter by it.
func lookUpScan(env tui.Env, site *dock.Site, got scan.Scan) tea.Cmd {
	codes := dock.ParseLabel(got).Codes
	return env.Do(func(ctx context.Context) tea.Msg {
		thing, err := catalogue.Find(ctx, site, codes...)
		return matchMsg{thing, err}
	})
}

// withMatch is the filter with a scanned thing in it.
func (f filter) withMatch(t catalogue.Match) (filter, error) {
	switch {
	case t.Product == nil && t.Location == nil:
		return f, errors.New(aDocument)
	case t.Product != nil:
		f.SKU = t.Product.SKU
	}
	if t.Location != nil {
		f.Location = t.Location.Code
	}
	return f, nil
}

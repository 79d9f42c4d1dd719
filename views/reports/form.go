package reports

import (
	"context"
	"errors"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/scan"
	"bincard/tui/widget"
	"bincard/views/balances/catalogue"
	"bincard/views/dock"

	tea "github.com/charmbracelet/bubbletea"
)

func stockChoices(t *i18n.Translator) []string {
	return []string{t.Get("any"), t.GetC("in stock", "reports"), t.Get("out of stock")}
}

// operationChoices returns the operations of the form.
func operationChoices(t *i18n.Translator) []string {
	out := []string{t.Get("any")}
	for _, o := range api.MovementOperations {
		out = append(out, dock.OperationText(t, o))
	}
	return out
}

func stateChoices(t *i18n.Translator) []string {
	out := []string{t.Get("any")}
	for _, s := range api.States {
		out = append(out, dock.StateText(t, s))
	}
	return out
}

// newForm returns the form for a filter. For balances it also asks for stock status
// and time.
func newForm(t *i18n.Translator, f filter, balances bool, now time.Time) *widget.Form {
	var spans []string
	for _, p := range periods(t) {
		spans = append(spans, p.name)
	}
	if !slices.Contains(spans, f.periodText(t)) && f.From == "" && f.To == "" {
		spans = append(spans, f.periodText(t))
	}
	checkTime := func(ends bool) func(string) error {
		return func(text string) error { _, err := parseTime(t, text, now, ends); return err }
	}
	fields := []widget.Field{
		{Name: "sku", Label: t.Get("Product"), Hint: t.Get("scan or type the SKU")},
		{Name: "place", Label: t.Get("Location"), Hint: t.Get("scan or type the code")},
		{Name: "operation", Label: t.Get("Operation"), Kind: widget.ChoiceField, Options: operationChoices(t)},
		{Name: "state", Label: t.Get("State"), Kind: widget.ChoiceField, Options: stateChoices(t)},
	}
	if balances {
		fields = append(fields, widget.Field{Name: "status", Label: t.Get("Stock"), Kind: widget.ChoiceField, Options: stockChoices(t)},
			widget.Field{Name: "asOf", Label: t.Get("As of"), Hint: t.Get("now, or 2026-03-31 18:00"), Check: checkTime(true)})
	}
	span := t.Get("Period")
	if balances {
		span = t.Get("Created") // a snapshot filters balances by creation time
	}
	fields = append(fields,
		widget.Field{Name: "span", Label: span, Kind: widget.ChoiceField, Options: spans},
		widget.Field{Name: "from", Label: t.Get("From"), Hint: t.Get("2026-03-01, or 2026-03-01 14:00"), Check: checkTime(false)},
		widget.Field{Name: "to", Label: t.Get("To"), Hint: t.Get("2026-03-31, or 2026-03-31 14:00"), Check: checkTime(true)},
		widget.Field{Name: "owner", Label: t.Get("Owner"), Hint: t.Get("code")},
		widget.Field{Name: "channel", Label: t.Get("Channel"), Hint: t.Get("code")})
	form := widget.NewForm(t, fields...)
	for name, text := range f.fields() {
		form.Fill(name, *text)
	}
	form.Fill("operation", dock.OperationText(t, api.MovementOperation(f.Operation)))
	form.Fill("state", dock.StateText(t, api.State(f.State)))
	form.Fill("status", stockChoices(t)[max(0, slices.Index([]string{"", string(api.StockIn), string(api.StockOut)}, f.Status))])
	form.Fill("span", f.periodText(t))
	if f.From != "" || f.To != "" {
		form.Fill("span", t.Get("from … to"))
	}
	return form
}

// readForm returns the filter in the form. Dates that were just typed override the
// period.
func readForm(t *i18n.Translator, form *widget.Form, old filter) filter {
	var f filter
	for name, text := range f.fields() {
		*text = form.Value(name)
	}
	f.Operation, f.State, f.From, f.To = "", "", normalizeDay(f.From), normalizeDay(f.To)
	f.AsOf = normalizeDay(f.AsOf)
	if i := slices.Index(operationChoices(t), form.Value("operation")); i > 0 {
		f.Operation = string(api.MovementOperations[i-1])
	}
	if i := slices.Index(stateChoices(t), form.Value("state")); i > 0 {
		f.State = string(api.States[i-1])
	}
	f.Status = []string{"", string(api.StockIn), string(api.StockOut)}[max(0, slices.Index(stockChoices(t), form.Value("status")))]
	span := form.Value("span")
	if span != t.Get("from … to") && (f.From != "" || f.To != "") && f.From == old.From && f.To == old.To {
		f.From, f.To = "", "" // another period was chosen instead
	}
	f.Days = old.Days
	for _, p := range periods(t) {
		if p.name == span {
			f.Days = max(0, p.days)
		}
	}
	if f.From != "" || f.To != "" {
		f.Days = 0
	}
	return f
}

// normalizeDay converts other date formats to 2006-01-02. Any other text is returned
// unchanged.
func normalizeDay(text string) string {
	for _, layout := range []string{"20060102", "02.01.2006", "2.1.2006"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Format(time.DateOnly)
		}
	}
	return text
}

// matchMsg is the result of looking up a scan in the form.
type matchMsg struct {
	match catalogue.Match
	err   error
}

// lookUpScan looks up a scan to filter by it.
func lookUpScan(env tui.Env, site *dock.Site, got scan.Scan) tea.Cmd {
	codes := dock.ParseLabel(env.T, got).Codes
	return env.Do(func(ctx context.Context) tea.Msg {
		match, err := catalogue.Find(ctx, site, codes...)
		return matchMsg{match, err}
	})
}

// withMatch returns the filter with the scanned product or location.
func (f filter) withMatch(t *i18n.Translator, match catalogue.Match) (filter, error) {
	switch {
	case match.Product == nil && match.Location == nil:
		return f, errors.New(t.Get("That is a document. Scan a product or a location."))
	case match.Product != nil:
		f.SKU = match.Product.SKU
	}
	if match.Location != nil {
		f.Location = match.Location.Code
	}
	return f, nil
}

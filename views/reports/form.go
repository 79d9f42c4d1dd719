package reports

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/catalog"
	"bincard/views/names"
)

// choice returns a field with the given values and "" for any.
func choice(t *i18n.Translator, name, label string, values, texts []string) widget.Field {
	return widget.Field{Name: name, Label: label, Kind: widget.ChoiceField,
		Values: append([]string{""}, values...), Options: append([]string{t.GetC("any", "reports")}, texts...)}
}

func operationChoice(t *i18n.Translator) widget.Field {
	var values, texts []string
	for _, o := range api.MovementOperations {
		values, texts = append(values, string(o)), append(texts, names.Operation(t, o))
	}
	return choice(t, "operation", t.Get("Operation"), values, texts)
}

func stateChoice(t *i18n.Translator) widget.Field {
	var values, texts []string
	for _, s := range api.States {
		values, texts = append(values, string(s)), append(texts, names.State(t, s))
	}
	return choice(t, "state", t.Get("State"), values, texts)
}

// fromTo stands for the period in the fields "from" and "to".
const fromTo = "-1"

// newForm returns the form for a filter. For balances it also asks for stock status
// and time.
func newForm(t *i18n.Translator, f filter, balances bool, now time.Time) *widget.Form {
	var spans, days []string
	for _, p := range periods(t) {
		spans, days = append(spans, p.name), append(days, strconv.Itoa(p.days))
	}
	if !slices.Contains(days, strconv.Itoa(f.Days)) && f.From == "" && f.To == "" {
		spans, days = append(spans, f.periodText(t)), append(days, strconv.Itoa(f.Days))
	}

	checkTime := func(ends bool) func(string) error {
		return func(text string) error { _, err := parseTime(t, text, now, ends); return err }
	}
	fields := []widget.Field{
		{Name: "sku", Label: t.Get("Product"), Hint: t.Get("scan or type it")},
		{Name: "location", Label: t.Get("Location"), Hint: t.Get("scan or type it")},
		operationChoice(t),
		stateChoice(t),
	}

	if balances {
		fields = append(
			fields,
			choice(t, "status", t.Get("Stock"), []string{string(api.StockIn), string(api.StockOut)},
				[]string{t.GetC("in stock", "reports"), t.Get("out of stock")}),
			widget.Field{
				Name:  "asOf",
				Label: t.Get("As of"),
				Hint:  t.Get("now, or %s", t.DateExample(true)),
				Check: func(text string) error {
					_, err := filter{AsOf: text}.asOf(t, now)
					return err
				},
			},
		)
	}

	span := t.Get("Period")
	if balances {
		span = t.Get("Created") // a snapshot filters balances by creation time
	}

	fields = append(fields,
		widget.Field{Name: "span", Label: span, Kind: widget.ChoiceField, Options: spans, Values: days},
		widget.Field{Name: "from", Label: t.Get("From"), Hint: t.DateExample(false), Check: checkTime(false)},
		widget.Field{Name: "to", Label: t.Get("To"), Hint: t.DateExample(true), Check: checkTime(true)},
		widget.Field{Name: "owner", Label: t.Get("Owner"), Hint: t.Get("code")},
		widget.Field{Name: "channel", Label: t.Get("Channel"), Hint: t.Get("code")})

	if !balances {
		fields = append(fields, widget.Field{Name: "person", Label: t.Get("Person")},
			widget.Field{Name: "document", Label: t.Get("Document")}, widget.Field{Name: "lot", Label: t.Get("Lot")},
			widget.Field{Name: "serial", Label: t.Get("Serial")})
	}

	form := widget.NewForm(t, fields...)
	for name, text := range f.fields() {
		form.Fill(name, *text)
	}

	form.Fill("span", strconv.Itoa(f.Days))
	if f.From != "" || f.To != "" {
		form.Fill("span", fromTo)
	}

	return form
}

// readForm returns the filter in the form. Dates that were just typed override the
// period.
func readForm(t *i18n.Translator, form *widget.Form, old filter, now time.Time) filter {
	var f filter
	for name, text := range f.fields() {
		*text = form.Value(name)
	}

	for _, text := range []*string{&f.From, &f.To, &f.AsOf} {
		*text = normalizeTime(t, *text, now)
	}
	span := form.Value("span")
	if span != fromTo && (f.From != "" || f.To != "") && f.From == old.From && f.To == old.To {
		f.From, f.To = "", "" // another period was chosen instead
	}

	f.Days = old.Days
	if n, err := strconv.Atoi(span); err == nil {
		f.Days = max(0, n)
	}
	if f.From != "" || f.To != "" {
		f.Days = 0
	}

	return f
}

// normalizeTime converts what people type as a date, with or without a time, to 2006-01-02 or
// 2006-01-02 15:04. Any other text is returned unchanged.
func normalizeTime(t *i18n.Translator, text string, now time.Time) string {
	at, onlyDay, ok := t.ParseTime(text, now)
	switch {
	case !ok:
		return strings.TrimSpace(text)
	case onlyDay:
		return at.Format(time.DateOnly)
	case at.Second() > 0:
		return at.Format(time.DateTime)
	}

	return at.Format(minute)
}

// withMatch returns the filter with the scanned product or location.
func (f filter) withMatch(t *i18n.Translator, match catalog.Match) (filter, error) {
	switch {
	case match.Product == nil && match.Location == nil:
		return f, t.NewError("That is a document. Scan a product or a location.")
	case match.Product != nil:
		f.SKU = match.Product.SKU
	}

	if match.Location != nil {
		f.Location = match.Location.Code
	}

	return f, nil
}

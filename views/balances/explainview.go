package balances

import (
	"errors"
	"strconv"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/catalog"
	"bincard/views/listscreen"
	"bincard/views/names"
	"bincard/views/stocktext"
	"bincard/views/submit"
)

func (x *explain) View(size tui.Size) string {
	t, width := x.Theme, size.Width
	margin, room := " ", width-2
	if size.Small() {
		margin, room = "", width
	}
	if x.explanation == nil {
		return x.loadingLine(t, width)
	}

	var lines []string
	add := func(line string) { lines = append(lines, margin+line) }
	b := &x.explanation.Balance
	if size.Class >= tui.Wide {
		add(widget.Row(
			t,
			room,
			widget.Pair{Label: x.T.Get("owner"), Value: names.LocationName(b.Owner)},
			widget.Pair{Label: x.T.Get("channel"), Value: names.LocationName(b.Channel)},
			widget.Pair{
				Label: x.T.Get("version"),
				Value: x.T.Count(b.Version),
			},
			widget.Pair{Label: x.T.Get("changed"), Value: x.timeText(b.UpdatedAt)},
		))
	}

	if size.Class == tui.Narrow && !x.chartOpen {
		lines = append(lines, x.quantities(t, width)...)
	} else if size.Class != tui.Narrow {
		equation := stocktext.EquationLines(x.T, t, b.Quantities, room, size.Small())
		if len(equation) == 1 {
			equation = append(equation, stocktext.Bar(t, b.Quantities, room))
		}
		for _, line := range equation {
			add(line)
		}
	}

	if text := x.expired.text(x.T, size.Small()); text != "" {
		add(t.Warn(widget.Clip(text, room-2)))
	}

	if past := x.pastText(size); past != "" {
		text := widget.Wrap(past, room-2)
		add(t.Warn(text[0]))
		for _, line := range text[1:] {
			add("  " + t.Warning.Render(line))
		}
	}

	proof := x.proofLine(t, room)
	if spark := x.sparkline(room - widget.Width(proof) - 3); !size.Small() && spark != "" &&
		len(mismatches(x.T, x.explanation)) == 0 {
		proof = widget.Between(proof, t.Muted.Render(spark), room)
	}

	filters := x.filterLines(t, size)
	for _, line := range filters {
		add(line)
	}
	if len(filters) == 0 || len(mismatches(x.T, x.explanation)) > 0 {
		add(proof)
	}
	if file := x.exporter.Status(t, room); file != "" {
		add(file)
	}
	if x.chartOpen {
		return strings.Join(append(lines, x.chartView(t, size, size.Height-len(lines))...), "\n")
	}
	if !size.Small() {
		add(x.statusLine(t, room))
	} else if x.pages.Err() != nil {
		add(x.pages.Status(t, room))
	}

	x.pages.List.Columns = widget.BoxedColumns(x.columns(size), x.T.Count)
	x.pages.List.EmptyText = x.emptyText()
	x.top = len(lines)
	detail := func(e any) string { return x.detailText(e.(*entry), size) }
	lines = append(lines, x.pages.Rows(t, size, size.Height-len(lines), detail)...)

	return strings.Join(lines, "\n")
}

// pastText says that the balance is not the one of the snapshot from which the screen was
// opened, or returns "".
func (x *explain) pastText(size tui.Size) string {
	query := x.Route.Query
	at, onHand := query.Get("asOf"), query.Get("onHand")
	n, err := strconv.ParseInt(onHand, 10, 64)
	if at == "" || err != nil {
		return ""
	}
	if size.Small() {
		return x.T.Get("balance now; %s: %s", at, x.T.Count(n))
	}

	return x.T.Get("This is the balance now. As of %s, %s were on hand.", at, x.T.Count(n))
}

// loadingLine replaces the view until the balance is loaded.
func (x *explain) loadingLine(t widget.Theme, width int) string {
	err := x.loadErr
	if err == nil {
		err = x.pages.Err()
	}
	if err == nil {
		return " " + t.Unconfirmed(x.T.Get("looking for %s…", widget.Clean(x.Route.Param("balance"))))
	}

	var lines []string
	form := i18n.Text("%s Press F5 to retry.")
	if errors.Is(err, catalog.ErrNeverStocked) {
		form = i18n.Text("%s Press F6 to adjust its stock.")
	}

	for i, line := range widget.Wrap(x.T.Get(form, widget.Clean(submit.UserMessage(x.T, err))), max(8, width-3)) {
		if i == 0 {
			line = t.Refused(line)
		} else {
			line = t.Error.Render("  " + line)
		}

		lines = append(lines, " "+line)
	}

	return strings.Join(lines, "\n")
}

// quantities lists the quantities, one per line. States without stock leave their lines to
// the movements.
func (x *explain) quantities(t widget.Theme, width int) []string {
	var pairs []widget.Pair
	for _, s := range api.States {
		if n := x.explanation.Balance.Of(s); n != 0 || s == api.OnHand || s == api.Available {
			pairs = append(pairs, widget.Pair{Label: names.State(x.T, s), Value: x.T.Count(n)})
		}
	}

	return strings.Split(widget.Fields(t, width, pairs...), "\n")
}

// filters says which movements are listed and whether the balance changed meanwhile.
func (x *explain) filters() (words []string) {
	if x.state != "" {
		words = append(words, x.T.Get("%s only", names.State(x.T, x.state)))
	}
	if x.lot != "" {
		words = append(words, x.T.Get("lot %s only", x.lot))
	}
	if x.balanceMoved {
		words = append(words, x.T.Get("balance changed: F5 refreshes"))
	}

	return words
}

// filterLines shows the filters on a small screen.
func (x *explain) filterLines(t widget.Theme, size tui.Size) (lines []string) {
	words := x.filters()
	if !size.Small() || len(words) == 0 {
		return nil
	}

	n := 1
	if size.Class == tui.Narrow {
		n = 2
	}
	for _, line := range widget.FitParts(listscreen.JoinParts(words...), size.Width, n) {
		lines = append(lines, t.Warning.Render(line))
	}

	return lines
}

// statusLine shows the filters and the position in the history.
func (x *explain) statusLine(t widget.Theme, width int) string {
	words := x.filters()
	if b := &x.explanation.Balance; x.site.HasUnsyncedStock(b.ProductID, b.LocationID) {
		words = append(words, widget.GlyphPending+" "+x.T.Get("part of it is not synced yet"))
	}
	left := t.Warning.Render(widget.Clean(strings.Join(words, " · ")))
	right := x.pages.Status(t, max(20, width-widget.Width(left)-2))
	return widget.Between(left, right, width)
}

func (x *explain) emptyText() string {
	switch {
	case x.pages.Loading():
		return ""
	case x.state != "" || x.lot != "":
		return x.T.Get("No movements match. Press F3 and F4 to show all.")
	}

	return x.T.Get("No movements here yet.")
}

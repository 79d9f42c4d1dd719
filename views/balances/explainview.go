package balances

import (
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/theme"
	"bincard/tui/widget"
	"bincard/views/dock"
)

func (x *explain) View(size tui.Size) string {
	t, width := x.env.Theme, size.Width
	margin, room := " ", width-2
	if size.Small() {
		margin, room = "", width
	}
	if x.head == nil {
		return x.waiting(t, width)
	}
	var lines []string
	add := func(line string) { lines = append(lines, margin+line) }
	b := &x.head.Balance
	if size.Class >= tui.Wide {
		add(widget.Row(t, room, widget.Pair{Label: labelOwner, Value: name(b.Owner)}, widget.Pair{Label: labelChannel, Value: name(b.Channel)},
			widget.Pair{Label: labelVersion, Value: widget.Count(b.Version)}, widget.Pair{Label: labelChanged, Value: x.when(b.UpdatedAt)}))
	}
	if size.Class == tui.Narrow && !x.graphed {
		lines = append(lines, x.quantities(t, width)...)
	} else {
		add(Equation(t, b.Quantities, room))
		add(Bar(t, b.Quantities, room))
	}
	proof := x.proof(t, room)
	if spark := x.spark(room - widget.Width(proof) - 3); !size.Small() && spark != "" && len(faults(x.head)) == 0 {
		proof = widget.Between(proof, t.Muted.Render(spark), room)
	}
	add(proof)
	if file := x.desk.Status(t, room); file != "" {
		add(file)
	}
	if x.graphed {
		return strings.Join(append(lines, x.graph(t, size, size.Height-len(lines))...), "\n")
	}
	if !size.Small() {
		add(x.standing(t, room))
	} else if x.pages.Err() != nil {
		add(x.pages.Status(t, room))
	}
	x.pages.List.Columns = x.columns(size)
	x.pages.List.EmptyText = x.empty()
	x.top = len(lines)
	lines = append(lines, x.pages.Rows(t, size, size.Height-len(lines), x.detail)...)
	return strings.Join(lines, "\n")
}

// waiting is shown until the balance is known.
func (x *explain) waiting(t theme.Theme, width int) string {
	err := x.lost
	if err == nil {
		err = x.pages.Err()
	}
	if err == nil {
		return " " + t.Unconfirmed(fmt.Sprintf(saidLookingFor, widget.Clean(x.env.Route.Param("balance"))))
	}
	var lines []string
	for i, line := range widget.Wrap(fmt.Sprintf(saidF5TriesAgain, widget.Clean(dock.Words(err))), max(8, width-3)) {
		if i == 0 {
			line = t.Refused(line)
		} else {
			line = t.Error.Render("  " + line)
		}
		lines = append(lines, " "+line)
	}
	return strings.Join(lines, "\n")
}

// quantities are the eight of them below each other.
func (x *explain) quantities(t theme.Theme, width int) []string {
	pairs := make([]widget.Pair, len(api.States))
	for i, s := range api.States {
		pairs[i] = widget.Pair{Label: s.Title(), Value: widget.Count(x.head.Balance.Of(s))}
	}
	return strings.Split(widget.Fields(t, width, pairs...), "\n")
}

// standing says what part of the history is shown and where one is in it.
func (x *explain) standing(t theme.Theme, width int) string {
	var words []string
	if x.state != "" {
		words = append(words, fmt.Sprintf(onlyState, x.state.Title()))
	}
	if x.lot != "" {
		words = append(words, fmt.Sprintf(onlyLot, x.lot))
	}
	if x.moved {
		words = append(words, saidMovedMeanwhileF5Reads)
	}
	if b := &x.head.Balance; x.site.Unconfirmed(b.ProductID, b.LocationID) {
		words = append(words, theme.GlyphPending+" "+saidUnconfirmed)
	}
	left := t.Warning.Render(widget.Clean(strings.Join(words, " · ")))
	right := x.pages.Status(t, max(20, width-widget.Width(left)-2))
	return widget.Between(left, right, width)
}

func name(ref *api.PlaceRef) string {
	if ref == nil {
		return ""
	}
	return ref.Name
}

func (x *explain) empty() string {
	switch {
	case x.pages.Loading():
		return ""
	case x.state != "" || x.lot != "":
		return saidNoMovementOfThat
	}
	return saidNothingEverMovedHere
}

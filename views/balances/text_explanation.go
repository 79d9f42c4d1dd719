package balances

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/tui/widget"
	"bincard/views/catalog"
	"bincard/views/names"
	"bincard/views/session"
	"bincard/views/stocktext"
)

// A TextExplanation is the explanation of a balance for the command line.
type TextExplanation struct {
	api.Explanation
	Proof []string // states that do not add up, with both numbers; empty if all do
}

// ExplainText explains the balance that text names (SKU@LOCATION or an ID), with its
// newest movements.
func ExplainText(ctx context.Context, site *session.Site, text string, movements int64) (*TextExplanation, error) {
	t := site.T()

	rows, err := catalog.Balances(ctx, site, text)
	if err != nil {
		return nil, err
	}

	if len(rows) > 1 {
		text := t.Get("There are %d balances of it here. Specify one by its ID:", len(rows))
		for _, r := range rows {
			text += t.Get("%s  %s, %s: %s on hand", r.ID, r.OwnerName, r.ChannelName, t.Count(r.OnHand))
		}
		return nil, fmt.Errorf("%s", text)
	}

	src := &source{site: site, id: rows[0].ID}
	out, err := src.fetchPage(ctx, api.NewestFirst, "")
	if err != nil {
		return nil, err
	}

	a := &TextExplanation{Explanation: out, Proof: mismatches(t, &out)}
	if int64(len(a.Movements)) > movements {
		a.Movements = a.Movements[:movements]
	}

	return a, nil
}

// Err returns nil if the movements add up to the balance.
func (a *TextExplanation) Err() error {
	if len(a.Proof) == 0 {
		return nil
	}
	return errors.New(strings.Join(a.Proof, "; "))
}

// Lines returns the balance, its equation, the proof, and one line per movement. They are
// clean.
func (a *TextExplanation) Lines(t *i18n.Translator) []string {
	b := &a.Balance
	name := sku(b)
	if b.Product != nil {
		name += "  " + b.Product.Name
	}

	proof := t.Get("The movements add up to the balance in all eight states")
	if len(a.Proof) > 0 {
		proof = strings.Join(a.Proof, "; ")
	}

	lines := []string{
		name + "  @ " + locationCode(b),
		strings.Join(strings.Fields(stocktext.Equation(t, widget.PlainTheme(), b.Quantities, 400)), " "),
		proof,
	}
	for i := range a.Movements {
		m := &a.Movements[i]
		lines = append(lines, t.Get("%s  %s  %s %s  %s to %s  %s", m.CreatedAt.Format("2006-01-02 15:04:05"),
			widget.Left(names.OperationIn(t, m.Operation, 17), 18), widget.Left(names.State(t, m.InventoryState), 18),
			widget.Right(t.Change(m.Quantity), 7), widget.Right(t.Count(m.BalanceBefore), 7),
			widget.Right(t.Count(m.BalanceAfter), 7),
			strings.TrimSpace(stocktext.MovementReason(t, m)+"  "+stocktext.MovementActor(t, m))))
	}

	for i := range lines {
		lines[i] = widget.Clean(lines[i])
	}

	return lines
}

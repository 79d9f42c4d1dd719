package dock

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// A Rack is the stock from which goods are taken, for the question whether
// there is any left.
type Rack struct {
	Owner, Channel api.ID
	// Document is what the goods are taken for, as people call it.
	Document string
}

// shelfMsg answers what the books say is on the shelf.
type shelfMsg struct {
	goods []Goods
	stock []int64 // on hand, of each
	asked bool    // by a person: else only an empty one is asked about
	err   error
}

// shelved tells whether the service knows what is on a shelf and takes a count of it.
func (b *Bench) shelved() bool {
	return b.Rack != nil && b.Where.Chosen() && b.Site.Has(api.ListBalances.Spec) && b.Site.Has(api.ReconcileStock.Spec) &&
		b.Site.Lacks(api.ReconcileStock.Spec) == ""
}

// lookAtShelf asks what the books say is left of goods.
func (b *Bench) lookAtShelf(asked bool, goods ...Goods) tea.Cmd {
	if len(goods) == 0 {
		return nil
	}
	shelf, at := *b.Rack, b.Where
	read := func(ctx context.Context) tea.Msg {
		m := shelfMsg{goods: goods, asked: asked}
		for _, g := range goods {
			list, err := Ask(ctx, b.Site, api.ListBalances, api.ListBalancesInput{ProductID: g.ID, LocationID: at.ID,
				OwnerID: shelf.Owner, ChannelID: shelf.Channel})
			if err != nil {
				m.err = err
				return m
			}
			var n int64
			for _, x := range list.Items {
				n += x.OnHand
			}
			m.stock = append(m.stock, n)
		}
		return m
	}
	if asked {
		return b.Env.Do(read)
	}
	return b.Env.Latest("shelf", read) // no scan waits for it
}

// shelf goes on with what the books say: a person tells how many there are, or
// whether the shelf is as empty as the books say.
func (b *Bench) shelf(m shelfMsg) tea.Cmd {
	switch {
	case m.err != nil && m.asked:
		return tui.Fail(errors.New(Words(m.err)))
	case m.err != nil:
		return nil
	case m.asked:
		return b.countShelf(m.goods[0], fmt.Sprintf(askShelf, widget.Count(m.stock[0]), m.goods[0].SKU, b.Where.Code), m.stock[0], "")
	}
	for i, g := range m.goods {
		if m.stock[i] > 0 {
			continue
		}
		rest := func() tea.Cmd { return b.shelf(shelfMsg{goods: m.goods[i+1:], stock: m.stock[i+1:]}) }
		return tui.Confirm(tui.Question{Text: fmt.Sprintf(askEmpty, g.SKU, b.Where.Code), Yes: answerEmpty, No: answerNotEmpty,
			OnYes: rest, OnNo: func() tea.Cmd { return b.countShelf(g, fmt.Sprintf(askLeft, g.SKU, b.Where.Code), 0, "") }})
	}
	return nil
}

// countShelf asks how many there are and puts the books right.
func (b *Bench) countShelf(g Goods, ask string, books int64, value string) tea.Cmd {
	number := func(text string) (int64, error) {
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil || n < 0 {
			return 0, fmt.Errorf(notPieces, text)
		}
		return n, nil
	}
	return tui.Prompt(tui.Request{Text: ask, Value: value,
		Check: func(text string) error { _, err := number(text); return err },
		OnText: func(text string) tea.Cmd {
			n, _ := number(text)
			if n == books {
				return tui.Toast(fmt.Sprintf(shelfAgrees, widget.Count(n), g.SKU))
			}
			step, err := NewStep(api.ReconcileStock, api.ReconcileStockInput{ProductID: g.ID, LocationID: b.Where.ID, CountedQuantity: &n,
				OwnerID: b.Rack.Owner, ChannelID: b.Rack.Channel, Reason: fmt.Sprintf(reasonShelf, b.Rack.Document)},
				fmt.Sprintf(stepShelf, widget.Count(n), g.SKU))
			return b.submit(&Plan{Steps: []Step{step}, Toast: fmt.Sprintf(shelfCounted, widget.Count(n), g.SKU), Keep: true}, err)
		}})
}

// emptied is the action that says how many there are really.
func (b *Bench) emptied() tui.Action {
	return tui.Action{ID: "dock.shelf", Keys: []string{"-"}, Label: labelShelf, Short: shortShelf, Help: helpShelf, NoFooter: true,
		Disabled: func() string {
			switch {
			case !b.shelved():
				return offShelf
			case b.Line().BySerial():
				return offShelfSerial
			}
			return b.closed()
		},
		Run: func() tea.Cmd { return b.lookAtShelf(true, b.Line().Goods) }}
}

package panel

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/views/count"
	"bincard/views/session"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	// pickStockAge is after what time the stock to pick is read again.
	pickStockAge = 2 * time.Minute
	// waitingStockAge is the same while a line waits for stock.
	waitingStockAge = refreshEvery / 2
	// maxPickItems limits how many items of a document it is read for.
	maxPickItems = 50
)

// pickableStock is the stock that the items of a document can be taken from.
type pickableStock struct {
	of     string // what it was read for
	readAt time.Time
	lots   map[api.ID][]api.PickableLot
}

// pickableMsg carries the stock to pick that was read for a state of the document.
type pickableMsg struct {
	of   string
	lots map[api.ID][]api.PickableLot
}

// readPickable reads the stock to pick of the items with lots or serials, unless it was
// read for this state of the document just now.
func (p *CountPanel) readPickable() tea.Cmd {
	if p.Document.PickFrom == nil || !p.Document.Location.IsSet() || p.Document.ClosedReason != "" || !p.Site.Supports(api.ListPickableStock.Spec) {
		return nil
	}
	var of strings.Builder
	var items []api.ID
	age := pickStockAge
	for _, l := range p.Lines {
		fmt.Fprintf(&of, "%s %s %d\n", l.Key, l.Item.ID, l.Pending)
		if l.Stock.Waiting > 0 {
			age = waitingStockAge
		}
		if (l.ByLot() || l.BySerial() || l.Stock.Waiting > 0) && len(items) < maxPickItems {
			items = append(items, l.Item.ID)
		}
	}
	now := p.Env.Now()
	if len(items) == 0 || p.pickable.of == of.String() && now.Sub(p.pickable.readAt) < age {
		return nil
	}
	p.pickable.of, p.pickable.readAt = of.String(), now
	from, at := *p.Document.PickFrom, p.Document.Location.ID
	return p.Env.Latest("pickable", func(ctx context.Context) tea.Msg {
		m := pickableMsg{of: of.String(), lots: map[api.ID][]api.PickableLot{}}
		for _, id := range items {
			if m.lots[id] != nil {
				continue
			}
			list, err := session.Call(ctx, p.Site, api.ListPickableStock, api.ListPickableStockInput{ProductID: id, LocationID: at, OwnerID: from.Owner, ChannelID: from.Channel})
			if err != nil {
				break // without it, the items can be counted too
			}
			m.lots[id] = list.Items
		}
		return m
	})
}

func (p *CountPanel) pickableRead(m pickableMsg) {
	if m.of != p.pickable.of {
		return
	}
	p.pickable.lots = m.lots
	p.showPickable()
}

// showPickable adds the stock to pick to the lines.
func (p *CountPanel) showPickable() {
	for _, l := range p.Lines {
		l.Stock.Available, l.Stock.Serials, l.Stock.Free = nil, nil, nil
		lots, known := p.pickable.lots[l.Item.ID]
		if known {
			l.Stock.Free = new(int64)
		}
		for _, x := range lots {
			*l.Stock.Free += x.AvailableQuantity
			l.Stock.Serials = append(l.Stock.Serials, slices.Sorted(slices.Values(x.SerialNumbers))...)
			if x.LotCode == "" || x.AvailableQuantity <= 0 {
				continue
			}
			lot := count.PickLot{Code: x.LotCode, Quantity: x.AvailableQuantity}
			if x.ExpiresAt != nil {
				lot.ExpiresAt = *x.ExpiresAt
			}
			l.Stock.Available = append(l.Stock.Available, lot)
		}
	}
}

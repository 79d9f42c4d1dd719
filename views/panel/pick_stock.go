package panel

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bincard/server/api"
	"bincard/tui"
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

// read reads the stock to pick of the items with lots or serials, unless it was read for
// this state of the document just now.
func (s *pickableStock) read(env tui.Env, site *session.Site, doc CountDocument, lines []*count.Line) tea.Cmd {
	if doc.PickFrom == nil || !doc.Location.IsSet() || doc.ClosedReason != "" ||
		!site.Supports(api.ListPickableStock.Spec) {
		return nil
	}

	var of strings.Builder
	var items []api.ID
	age := pickStockAge
	for _, l := range lines {
		fmt.Fprintf(&of, "%s %s %d %v\n", l.Key, l.Item.ID, l.Pending, l.Stock.Held)
		if l.Stock.Waiting > 0 {
			age = waitingStockAge
		}
		if (l.ByLot() || l.BySerial() || l.Stock.Waiting > 0) && len(items) < maxPickItems {
			items = append(items, l.Item.ID)
		}
	}

	now := env.Now()
	if len(items) == 0 || s.of == of.String() && now.Sub(s.readAt) < age {
		return nil
	}

	s.of, s.readAt = of.String(), now
	from, at := *doc.PickFrom, doc.Location.ID

	return env.Latest("pickable", func(ctx context.Context) tea.Msg {
		m := pickableMsg{of: of.String(), lots: map[api.ID][]api.PickableLot{}}
		for _, id := range items {
			if m.lots[id] != nil {
				continue
			}

			list, err := session.Call(ctx, site, api.ListPickableStock, api.ListPickableStockInput{
				ProductID: id, LocationID: at, OwnerID: from.Owner, ChannelID: from.Channel})
			if err != nil {
				break // without it, the items can be counted too
			}

			m.lots[id] = list.Items
		}

		return m
	})
}

// loaded shows the stock that was read, unless the document has changed since.
func (s *pickableStock) loaded(m pickableMsg, lines []*count.Line) {
	if m.of == s.of {
		s.lots = m.lots
		s.show(lines)
	}
}

// show adds the stock to pick to the lines.
func (s *pickableStock) show(lines []*count.Line) {
	for _, l := range lines {
		l.Stock.Available, l.Stock.Serials, l.Stock.Free = nil, nil, nil
		lots, known := s.lots[l.Item.ID]
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

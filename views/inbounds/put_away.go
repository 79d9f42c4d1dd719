package inbounds

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/listscreen"
	"bincard/views/session"
)

// A putAway is how much of an item was received today, and its shelves.
type putAway struct {
	item     count.Item
	shelves  []string
	quantity int64
}

func (p *putAway) mainShelf() string { return strings.Join(p.shelves[:min(1, len(p.shelves))], "") }

// receivedBy are the operations that receive stock.
var receivedBy = []api.MovementOperation{api.OpInboundReceive, api.OpTransferIn, api.OpReceive, api.OpReturnStock}

// maxReceived is how many movements of an operation the list reads.
const maxReceived = 2000

// PutAway returns the factory of the list of what was received today, in the order of the shelves.
func PutAway(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*putAway] {
		t := s.T

		return listscreen.Kind[*putAway]{
			Texts: listscreen.Fixed(listscreen.Texts{
				Title:         t.Get("Put away"),
				Question:      t.Get("Received today, in the order of the shelves"),
				ShortQuestion: t.Get("received today"),
				Noun:          t.Get("items"),
				Empty:         t.Get("Nothing was received here today. Receive a delivery first."),
			}),
			Key: func(p *putAway) string { return p.item.ID.String() },
			Load: func() listscreen.Loader[*putAway] {
				at, now := site.Location(), s.Now()
				today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
				return listscreen.Load(func(ctx context.Context) ([]putAway, bool, error) {
					return received(ctx, site, at.ID, today)
				})
			},
			Columns: func(size tui.Size) []widget.Column[*putAway] {
				columns := []widget.Column[*putAway]{
					{Title: t.Get("shelf"), Width: 10, Cell: (*putAway).mainShelf},
					{Title: t.Get("product"), Width: 12, Cell: func(p *putAway) string { return p.item.SKU }},
					{Title: t.Get("name"), Rank: 1, Cell: func(p *putAway) string { return p.item.Name }},
					{
						Title:  t.Get("quantity"),
						Width:  8,
						Right:  true,
						Number: func(p *putAway) int64 { return p.quantity },
					},
				}
				if size.Class == tui.Narrow {
					columns[0].Width, columns[1].Width = 7, 0
					return []widget.Column[*putAway]{columns[0], columns[1]}
				}
				return columns
			},
			Open: tui.Action{ID: "putaway.open", Label: t.GetC("open", "verb"),
				Help: t.Get("Show the documents and the stock of the item")},
			OpenRow:    func(p *putAway) tea.Cmd { return tui.Open(tui.Path("item", p.item.SKU)) },
			FilterText: func(p *putAway) string { return p.mainShelf() + " " + p.item.SKU + " " + p.item.Name },
			Detail: func(p *putAway) string {
				return listscreen.JoinParts(t.Count(p.quantity)+" × "+p.item.Title(), strings.Join(p.shelves, ", "))
			},
			AtLocation: true,
			Scan:       s.Resolve,
		}
	})
}

// received returns what was received at a location since a time, in the order of the shelves; more
// reports that there were more movements than it read.
func received(
	ctx context.Context, site *session.Site, at api.ID, since time.Time,
) (rows []putAway, more bool, err error) {
	sums := map[api.ID]*putAway{}
	limit := int64(500)
	for _, op := range receivedBy {
		in := api.ReportMovementsInput{StockFilter: api.StockFilter{LocationID: at}, CreatedFrom: &since, Operation: op,
			InventoryState: api.Available, Limit: &limit}
		for read := int64(0); read < maxReceived; read += limit {
			page, err := session.Call(ctx, site, api.ReportMovements, in)
			if err != nil {
				return nil, false, err
			}
			for i := range page.Items {
				if err := addReceived(ctx, site, sums, at, &page.Items[i]); err != nil {
					return nil, false, err
				}
			}

			more = page.NextCursor != nil
			if !more {
				break
			}
			in.Cursor = *page.NextCursor
		}
	}

	for _, p := range sums {
		rows = append(rows, *p)
	}
	slices.SortFunc(rows, func(a, b putAway) int {
		return cmp.Or(count.CompareShelves(a.shelves, b.shelves), cmp.Compare(a.item.SKU, b.item.SKU))
	})

	return rows, more, nil
}

// addReceived adds a movement to the sum of its product.
func addReceived(
	ctx context.Context, site *session.Site, sums map[api.ID]*putAway, at api.ID, row *api.MovementRow,
) error {
	p := sums[row.ProductID]
	if p == nil {
		item, err := site.Item(ctx, row.ProductID,
			&api.ProductRef{ID: row.ProductID, SKU: row.ProductSKU, Name: row.ProductName})
		if err != nil {
			return err
		}
		p = &putAway{item: item, shelves: item.ShelvesAt(at)}
		sums[row.ProductID] = p
	}
	p.quantity += row.Quantity

	return nil
}

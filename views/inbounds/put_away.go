package inbounds

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"bincard/server/api"
	"bincard/tui"
	"bincard/tui/widget"
	"bincard/views/count"
	"bincard/views/listscreen"
	"bincard/views/session"
)

// receivedBy are the operations that receive stock.
var receivedBy = []api.MovementOperation{api.OpInboundReceive, api.OpTransferIn, api.OpReceive, api.OpReturnStock}

// maxReceived is how many movements of an operation the list reads.
const maxReceived = 2000

// PutAway returns the factory of the list of what was received today, in the order of the shelves.
func PutAway(site *session.Site) tui.Factory {
	return listscreen.New(site, func(s *listscreen.Screen) listscreen.Kind[*count.Line] {
		t := s.T

		return listscreen.Kind[*count.Line]{
			Texts: listscreen.Fixed(listscreen.Texts{
				Title:         t.Get("Put away"),
				Question:      t.Get("Received today, in the order of the shelves"),
				ShortQuestion: t.Get("received today"),
				Noun:          t.Get("items"),
				Empty:         t.Get("Nothing was received here today. Receive a delivery first."),
			}),
			Key: func(l *count.Line) string { return l.Item.ID.String() },
			Load: func() listscreen.Loader[*count.Line] {
				at, now := site.Location(), s.Now()
				today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
				return listscreen.Load(func(ctx context.Context) ([]count.Line, bool, error) {
					return received(ctx, site, at.ID, today)
				})
			},
			Columns: func(size tui.Size) []widget.Column[*count.Line] {
				columns := []widget.Column[*count.Line]{
					{Title: t.Get("shelf"), Width: 10, Cell: (*count.Line).MainShelf},
					{Title: t.Get("product"), Width: 12, Cell: func(l *count.Line) string { return l.Item.SKU }},
					{Title: t.Get("name"), Rank: 1, Cell: func(l *count.Line) string { return l.Item.Name }},
					{
						Title:  t.Get("quantity"),
						Width:  8,
						Right:  true,
						Number: func(l *count.Line) int64 { return l.Count.Quantity },
					},
				}
				if size.Class == tui.Narrow {
					columns[0].Width, columns[1].Width = 7, 0
					return []widget.Column[*count.Line]{columns[0], columns[1]}
				}
				return columns
			},
			Open: tui.Action{ID: "putaway.open", Label: t.GetC("open", "verb"),
				Help: t.Get("Show the documents and the stock of the item")},
			OpenRow:    func(l *count.Line) tea.Cmd { return tui.Open(tui.Path("item", l.Item.SKU)) },
			FilterText: func(l *count.Line) string { return l.MainShelf() + " " + l.Item.SKU + " " + l.Item.Name },
			Detail: func(l *count.Line) string {
				return listscreen.JoinParts(t.Count(l.Count.Quantity)+" × "+l.Item.Title(), l.ShelfText())
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
) (rows []count.Line, more bool, err error) {
	sums := map[api.ID]*count.Line{}
	limit := int64(500)
	for _, op := range receivedBy {
		in := api.ReportMovementsInput{StockFilter: api.StockFilter{LocationID: at}, CreatedFrom: &since, Operation: op,
			InventoryState: api.Available, Limit: &limit}
		for read := limit; ; read += limit {
			page, err := session.Call(ctx, site, api.ReportMovements, in)
			if err != nil {
				return nil, false, err
			}
			for i := range page.Items {
				if err := addReceived(ctx, site, sums, at, &page.Items[i]); err != nil {
					return nil, false, err
				}
			}

			if page.NextCursor == nil {
				break
			}
			if read >= maxReceived {
				more = true
				break
			}
			in.Cursor = *page.NextCursor
		}
	}

	for _, l := range sums {
		rows = append(rows, *l)
	}
	slices.SortFunc(rows, func(a, b count.Line) int {
		return cmp.Or(count.CompareShelves(a.Shelves, b.Shelves), cmp.Compare(a.Item.SKU, b.Item.SKU))
	})

	return rows, more, nil
}

// addReceived adds a movement to the sum of its product.
func addReceived(
	ctx context.Context, site *session.Site, sums map[api.ID]*count.Line, at api.ID, row *api.MovementRow,
) error {
	l := sums[row.ProductID]
	if l == nil {
		item, err := site.Item(ctx, row.ProductID,
			&api.ProductRef{ID: row.ProductID, SKU: row.ProductSKU, Name: row.ProductName})
		if err != nil {
			return err
		}
		l = &count.Line{Item: item, Shelves: item.ShelvesAt(at)}
		sums[row.ProductID] = l
	}
	l.Count.Quantity += row.Quantity

	return nil
}

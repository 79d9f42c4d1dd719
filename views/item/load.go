package item

import (
	"context"
	"slices"
	"time"

	"bincard/server/api"
	"bincard/tui"
	"bincard/views/catalog"
	"bincard/views/count"
	"bincard/views/names"
	"bincard/views/session"
)

const (
	maxDocuments = 100 // read of each job and status
	maxLotOrders = 10  // orders whose lots are read
)

// A subject is what the documents are of: the item at a location, and the scanned lot or
// serial.
type subject struct {
	site        *session.Site
	item        count.Item
	at          session.Location
	lot, serial string // IDs, or ""
	zone        *time.Location
}

func (s *subject) filter() api.StockFilter {
	return api.StockFilter{ProductID: s.item.ID, LocationID: s.at.ID}
}

func firstPage() api.Page {
	limit := int64(maxDocuments)
	return api.Page{Limit: &limit}
}

func loadInbounds(ctx context.Context, s *subject) (out []document, err error) {
	for _, status := range []api.InboundStatus{api.InboundPartiallyReceived, api.InboundExpected} {
		list, err := session.Call(ctx, s.site, api.ListInbounds,
			api.ListInboundsInput{Status: status, StockFilter: s.filter(), Page: firstPage()})
		if err != nil {
			return nil, err
		}

		for i := range list.Items {
			in := &list.Items[i]
			out = append(out, document{
				name:  names.Inbound(in),
				party: in.SupplierName,
				route: tui.Path("receive", in.ID.String()),
				toGo:  in.Pending(),
				due:   in.Due(s.zone),
			})
		}
	}

	return out, nil
}

func loadDepartures(ctx context.Context, s *subject) (out []document, err error) {
	return loadTransfers(ctx, s, api.ListTransfersInput{SourceLocationID: s.at.ID}, "ship",
		func(t *api.Transfer) int64 { return t.PendingShipmentQuantity })
}

func loadArrivals(ctx context.Context, s *subject) (out []document, err error) {
	return loadTransfers(ctx, s, api.ListTransfersInput{DestinationLocationID: s.at.ID}, "receive-transfer",
		func(t *api.Transfer) int64 { return t.PendingReceiveQuantity })
}

func loadTransfers(
	ctx context.Context,
	s *subject,
	in api.ListTransfersInput,
	job string,
	pending func(*api.Transfer) int64,
) (out []document, err error) {
	in.ProductID, in.Status, in.Page = s.item.ID, api.TransferInTransit, firstPage()
	list, err := session.Call(ctx, s.site, api.ListTransfers, in)
	for i := range list.Items {
		if t := &list.Items[i]; pending(t) > 0 {
			out = append(out, document{name: names.Transfer(t), route: tui.Path(job, t.ID.String()), toGo: pending(t)})
		}
	}

	return out, err
}

func loadOutbounds(ctx context.Context, s *subject) (out []document, err error) {
	for _, status := range api.OutboundStatus("").Values() {
		if !api.OutboundStatus(status).Open() {
			continue
		}

		list, err := session.Call(ctx, s.site, api.ListOutbounds,
			api.ListOutboundsInput{Status: api.OutboundStatus(status), StockFilter: s.filter(), Page: firstPage()})
		if err != nil {
			return nil, err
		}

		for i := range list.Items {
			o := &list.Items[i]
			if d := s.order(o); d.toGo > 0 {
				d.holds = d.holds || len(out) < maxLotOrders && s.holdsLot(ctx, o)
				out = append(out, d)
			}
		}
	}

	return out, nil
}

// order returns an order with what its lines still need of the item.
func (s *subject) order(o *api.Outbound) document {
	d := document{
		name:  names.Outbound(o),
		party: o.CustomerName,
		route: tui.Path("fulfill", o.ID.String()),
		due:   o.Due(s.zone),
	}

	if len(o.Lines) == 0 {
		d.toGo = o.RequestedQuantity - o.FulfilledQuantity
	}

	for i := range o.Lines {
		l := &o.Lines[i]
		if l.ProductID != s.item.ID {
			continue
		}

		d.toGo += l.RequestedQuantity - l.FulfilledQuantity
		d.holds = d.holds ||
			s.serial != "" &&
				slices.ContainsFunc(
					l.Serials,
					func(x api.OutboundLineSerial) bool { return x.SerialID.String() == s.serial && x.ShippedAt == nil },
				)
	}

	return d
}

// holdsLot reports whether an order holds the scanned lot. Without an answer it does not.
func (s *subject) holdsLot(ctx context.Context, o *api.Outbound) bool {
	if s.lot == "" || !s.site.Supports(api.ListOutboundLots.Spec) {
		return false
	}
	lots, err := session.Call(ctx, s.site, api.ListOutboundLots, api.OutboundInput{OutboundID: o.ID})
	return err == nil && slices.ContainsFunc(lots.Items, func(l api.OutboundLot) bool {
		return l.LotID.String() == s.lot && l.AllocatedQuantity > l.FulfilledQuantity
	})
}

func loadLots(ctx context.Context, s *subject) (out []document, err error) {
	list, err := session.Call(ctx, s.site, api.ListLots, api.ListLotsInput{ProductID: s.item.ID, Page: firstPage()})
	for i := range list.Items {
		if l := &list.Items[i]; l.Status == api.Active {
			out = append(out, document{name: l.LotCode, route: tui.Path("trace", l.ID.String()), due: l.ExpiresAt})
		}
	}

	return out, err
}

// stock is what is at the location.
type stock struct {
	onHand    int64
	available int64 // and not expired
	expired   int64
	count     *api.MovementRow // the last one, if it is known
}

func loadStock(ctx context.Context, s *subject) (out stock, err error) {
	list, err := session.Call(ctx, s.site, api.ListBalances,
		api.ListBalancesInput{StockFilter: s.filter(), Page: firstPage()})
	for i := range list.Items {
		b, expired := &list.Items[i], int64(0)
		if s.item.Tracking != api.TrackNone {
			expired = catalog.Expired(ctx, s.site, b.SnapshotRow())
		}
		out.onHand += b.OnHand
		out.available += b.Available - expired
		out.expired += expired
	}

	counts, countErr := session.Call(ctx, s.site, api.ReportMovements,
		api.ReportMovementsInput{StockFilter: s.filter(), Operation: api.OpReconcile})
	if countErr == nil && len(counts.Items) > 0 {
		out.count = &counts.Items[0]
	}

	return out, err
}

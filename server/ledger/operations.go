package ledger

import (
	"context"
	"sync"

	"github.com/go-json-experiment/json"

	"bincard/server/api"
	"bincard/server/ledger/internal/catalog"
	"bincard/server/ledger/internal/document"
	"bincard/server/ledger/internal/journal"
	"bincard/server/ledger/internal/posting"
	"bincard/server/ledger/internal/report"
	"bincard/server/ledger/internal/stock"
	"bincard/server/ledger/internal/stored"
)

// A binding implements one operation. A read returns its output; a write changes
// the ledger and adds a journal entry, which render turns into the output.
type binding struct {
	read   func(tx *stored.Tx, input any) (any, error)
	change func(c *posting.Tx, input any) error
	render func(tx *stored.Tx, e *journal.Entry) (any, error)
	// afterWrite does the part of a write outside its partition, after the commit
	// and before the response; also on a replay, in case the first attempt stopped
	// after its commit.
	afterWrite func(ctx context.Context) error
	// handle replaces the default handling of an operation.
	handle handler
}

// reads binds a reading operation.
func reads[I, O any](b map[string]binding, op api.Operation[I, O], fn func(*stored.Tx, *I) (*O, error)) {
	b[op.Spec.ID] = binding{read: func(tx *stored.Tx, input any) (any, error) {
		out, err := fn(tx, input.(*I))
		if err != nil {
			return nil, err
		}
		return out, nil
	}}
}

// writes binds a writing operation.
func writes[I, O any](
	b map[string]binding,
	op api.Operation[I, O],
	fn func(*posting.Tx, *I) error,
	render func(*stored.Tx, *journal.Entry) (*O, error),
) {
	b[op.Spec.ID] = binding{
		change: func(c *posting.Tx, input any) error { return fn(c, input.(*I)) },
		render: func(tx *stored.Tx, e *journal.Entry) (any, error) {
			out, err := render(tx, e)
			if err != nil {
				return nil, err
			}
			return out, nil
		},
	}
}

// A handler handles the requests of an operation in place of read or write.
type handler func(ctx context.Context, l *Ledger, req *api.Request, b binding) (*api.Response, error)

// handleWith sets the handler of operations that are bound.
func handleWith(b map[string]binding, handle handler, ids ...string) {
	for _, id := range ids {
		x := b[id]
		x.handle = handle
		b[id] = x
	}
}

// commonBindings are the bindings that are the same in all ledgers.
var commonBindings = sync.OnceValue(func() map[string]binding {
	b := map[string]binding{}
	bindCatalog(b)
	bindDocuments(b)
	bindStock(b)
	bindReports(b)
	bindKeys(b)
	bindNodes(b)
	bindPresence(b)
	return b
})

// bindOwn returns the bindings that need the ledger itself.
func (l *Ledger) bindOwn() map[string]binding {
	b := map[string]binding{}
	reads(b, api.GetAccess, l.getAccess)
	l.bindFeed(b)
	return b
}

// binding returns the binding of an operation. It reports false for an unknown operation.
func (l *Ledger) binding(id string) (binding, bool) {
	b, ok := l.bindings[id]
	if !ok {
		b, ok = commonBindings()[id]
	}
	return b, ok
}

func bindCatalog(b map[string]binding) {
	writes(b, api.CreateProduct, catalog.CreateProduct, showDocument[api.Product])
	writes(b, api.ChangeProduct, catalog.ChangeProduct, showDocument[api.Product])
	writes(b, api.SetShelves, catalog.SetShelves, showDocument[api.Product])
	writes(b, api.ArchiveProduct, catalog.ArchiveProduct, showDocument[api.Product])
	writes(b, api.LinkBarcode, catalog.LinkBarcode, showDocument[api.Product])
	writes(b, api.UnlinkBarcode, catalog.UnlinkBarcode, showDocument[api.Product])
	writes(b, api.ArchiveLot, catalog.ArchiveLot, showDocument[api.Lot])
	reads(b, api.GetProduct, (*stored.Tx).GetProduct)
	reads(b, api.GetProductHistory, (*stored.Tx).ProductHistory)
	reads(b, api.ListProducts, (*stored.Tx).ListProducts)

	writes(b, api.CreateLocation, func(c *posting.Tx, in *api.CreateLocationInput) error {
		return catalog.CreatePlace(c, stored.Locations, "location", in.Code, in.Name, string(in.Type))
	}, showDocument[api.Place])
	writes(b, api.ChangeLocation, catalog.ChangeLocation, showDocument[api.Place])
	reads(b, api.GetLocationHistory, (*stored.Tx).LocationHistory)
	writes(b, api.CreateOwner, func(c *posting.Tx, in *api.CreatePlaceInput) error {
		return catalog.CreatePlace(c, stored.Owners, "owner", in.Code, in.Name, in.Type)
	}, showDocument[api.Place])
	writes(b, api.CreateChannel, func(c *posting.Tx, in *api.CreatePlaceInput) error {
		return catalog.CreatePlace(c, stored.Channels, "channel", in.Code, in.Name, in.Type)
	}, showDocument[api.Place])
	reads(b, api.ListLocations, stored.ListPlaces(stored.Locations))
	reads(b, api.ListOwners, stored.ListPlaces(stored.Owners))
	reads(b, api.ListChannels, stored.ListPlaces(stored.Channels))
	writes(b, api.CreateOperator, catalog.CreateOperator, showDocument[api.Operator])
	writes(b, api.ChangeOperator, catalog.ChangeOperator, showDocument[api.Operator])
	reads(b, api.ListOperators, (*stored.Tx).ListOperators)
	reads(b, api.ListLots, (*stored.Tx).ListLots)
	reads(b, api.ListPickableStock, report.PickableStock)
	reads(b, api.ListNextCounts, report.NextCounts)
	reads(b, api.GetPlate, (*stored.Tx).GetPlate)
	writes(b, api.RegisterPlate, stock.RegisterPlate, (*stored.Tx).ShowPlate)
	reads(b, api.ListSerials, (*stored.Tx).ListSerials)
}

func bindDocuments(b map[string]binding) {
	writes(b, api.CreateInbound, document.CreateInbound, stored.ShowInbound)
	writes(b, api.ReceiveInbound, document.ReceiveInbound, stored.ShowInbound)
	writes(b, api.CancelInbound, document.CancelInbound, stored.ShowInbound)
	writes(b, api.CloseInbound, document.CloseInbound, stored.ShowInbound)
	reads(b, api.GetInbound, (*stored.Tx).GetInbound)
	reads(b, api.ListInbounds, (*stored.Tx).ListInbounds)

	writes(b, api.CreateTransfer, document.CreateTransfer, stored.ShowTransfer)
	writes(b, api.ShipTransfer, document.ShipTransfer, stored.ShowTransferSource)
	writes(b, api.ReceiveTransfer, document.ReceiveTransfer, stored.ShowTransferDestination)
	writes(b, api.CancelTransfer, document.CancelTransfer, stored.ShowTransferSource)
	writes(b, api.CloseTransfer, document.CloseTransfer, stored.ShowTransferDestination)
	reads(b, api.GetTransfer, (*stored.Tx).GetTransfer)
	reads(b, api.ListTransfers, (*stored.Tx).ListTransfers)

	writes(b, api.CreateOutbound, document.CreateOutbound, stored.ShowOutbound)
	writes(b, api.AllocateOutbound, document.AllocateOutbound, stored.ShowOutbound)
	writes(b, api.AllocateOutbounds, document.AllocateOutbounds, showDocument[api.AllocateOutboundsResult])
	writes(b, api.PickOutbound, document.PickOutbound, stored.ShowOutbound)
	writes(b, api.UnpickOutbound, document.UnpickOutbound, stored.ShowOutbound)
	writes(b, api.PackOutbound, document.PackOutbound, stored.ShowOutbound)
	writes(b, api.ShipOutbound, document.ShipOutbound, stored.ShowOutbound)
	writes(b, api.FulfillOutbound, document.FulfillOutbound, stored.ShowOutbound)
	writes(b, api.CancelOutbound, document.CancelOutbound, stored.ShowOutbound)
	reads(b, api.GetOutbound, (*stored.Tx).GetOutbound)
	reads(b, api.ListOutboundLots, (*stored.Tx).ListOutboundLots)
	reads(b, api.ListOutbounds, (*stored.Tx).ListOutbounds)

	writes(b, api.CreateReservation, document.CreateReservation, stored.ShowReservation)
	writes(b, api.CommitReservation, document.CommitReservation, stored.ShowReservation)
	writes(b, api.ReleaseReservation, document.ReleaseReservation, stored.ShowReservation)
	writes(b, api.CancelReservation, document.CancelReservation, stored.ShowReservation)
	reads(b, api.GetReservation, (*stored.Tx).GetReservation)
	reads(b, api.ListReservations, (*stored.Tx).ListReservations)
}

func bindStock(b map[string]binding) {
	writes(b, api.AdjustStock, stock.Adjust, stock.Show)
	writes(b, api.MoveStock, stock.Move, stock.Show)
	writes(b, api.ReceiveStock, stock.Receive, stock.Show)
	writes(b, api.ReturnStock, stock.Return, stock.Show)
	writes(b, api.FulfillStock, stock.Fulfill, stock.Show)
	writes(b, api.WriteOffStock, stock.WriteOff, stock.Show)
	writes(b, api.ReconcileStock, stock.Reconcile, stock.Show)
	writes(b, api.DisassembleStock, stock.Disassemble, stock.ShowKit)
	writes(b, api.AssembleStock, stock.Assemble, stock.ShowKit)
}

func bindReports(b map[string]binding) {
	reads(b, api.ListBalances, report.ListBalances)
	reads(b, api.GetBalance, report.GetBalance)
	reads(b, api.ExplainBalance, report.ExplainBalance)
	reads(b, api.ReportMovements, report.Movements)
	reads(b, api.ReportSnapshot, report.Snapshot)
	reads(b, api.TraceLot, report.TraceLot)
	reads(b, api.GetSerialHistory, report.SerialHistory)
	reads(b, api.LookUp, report.LookUp)
}

// showDocument returns the resource that a write's journal entry has.
func showDocument[T any](_ *stored.Tx, e *journal.Entry) (*T, error) {
	out := new(T)
	return out, json.Unmarshal(e.Document, out)
}

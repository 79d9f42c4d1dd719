package offline

import (
	"cmp"
	"context"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"bincard/server/api"
	"bincard/server/ledger"
	"bincard/server/store"
)

// confirmedLedger is the ledger over the base alone: what the service has.
type confirmedLedger struct {
	replica store.Store
	ledger  *ledger.Ledger
}

// A views tells what operations are about, by what is known here and there.
type views struct{ local, remote api.Service }

func (n *Node) views(caller *api.Caller) views {
	var l views
	if s := n.view.Load(); s != nil {
		l.local = api.As(s.ledger, *caller, "")
	}
	if b := n.confirmedLedger(); b != nil {
		l.remote = api.As(b.ledger, *caller, "")
	}
	return l
}

// ReadLocal answers a read from what shows here, whatever the service has.
func (n *Node) ReadLocal(ctx context.Context, req *api.Request) (*api.Response, error) {
	if err := n.refresh(ctx); err != nil {
		return nil, err
	}
	s := n.view.Load()
	if s == nil {
		return nil, notReadyError()
	}
	mine := *req
	if mine.Caller == nil {
		mine.Caller = &n.cfg.Caller
	}
	return s.ledger.Do(ctx, &mine)
}

// Polled tells whether the service behind has the documented operations alone, so
// that there are no others here.
func (n *Node) Polled() bool { return n.polled.Load() }

// confirmedLedger is the ledger over the current base, made when it is first asked for.
func (n *Node) confirmedLedger() *confirmedLedger {
	base := n.cfg.Replicas.Current()
	old := n.confirmed.Load()
	if base == nil || old != nil && old.replica == base {
		return old
	}
	fresh := &confirmedLedger{base, ledger.New(newOverlay(base, n.partition(), n.now), ledger.Options{Log: n.cfg.Log, Now: n.cfg.Now, LocalWrites: true})}
	if !n.confirmed.CompareAndSwap(old, fresh) {
		fresh.ledger.Close()
		return n.confirmed.Load()
	}
	if old != nil {
		old.ledger.Close()
	}
	return fresh
}

// inputRefs are what an input names, by whatever operation.
type inputRefs struct {
	ProductID             api.ID   `json:"productId"`
	LocationID            api.ID   `json:"locationId"`
	SourceLocationID      api.ID   `json:"sourceLocationId"`
	DestinationLocationID api.ID   `json:"destinationLocationId"`
	OwnerID               api.ID   `json:"ownerId"`
	ChannelID             api.ID   `json:"channelId"`
	LotID                 api.ID   `json:"lotId"`
	LotCode               string   `json:"lotCode"`
	Quantity              *int64   `json:"quantity"`
	Delta                 *int64   `json:"quantityDelta"`
	Counted               *int64   `json:"countedQuantity"`
	Expected              *int64   `json:"expectedQuantity"`
	Requested             *int64   `json:"requestedQuantity"`
	SerialIDs             []api.ID `json:"serialIds"`
	SerialNumbers         []string `json:"serialNumbers"`
	Serials               []struct {
		SerialNumber string `json:"serialNumber"`
	} `json:"serials"`
	SKU               string `json:"sku"`
	Code              string `json:"code"`
	Name              string `json:"name"`
	ReferenceID       string `json:"referenceId"`
	ExternalOrderID   string `json:"externalOrderId"`
	SupplierReference string `json:"supplierReference"`
}

// describe is what an operation is about, as far as it is known.
func (l views) describe(ctx context.Context, w *api.Work) (g api.WorkGoods) {
	var in inputRefs
	if len(w.Body) > 0 {
		_ = json.Unmarshal(w.Body, &in) // what of it is of another shape is not shown
	}
	paths := map[string]string{}
	spec := api.FindOperation(w.Operation)
	if spec != nil {
		paths, _ = matchPath(spec.Path, w.Target)
	}
	g = api.WorkGoods{ProductID: cmp.Or(in.ProductID, parseID(paths["productId"])), LocationID: cmp.Or(in.LocationID, in.SourceLocationID),
		OwnerID: in.OwnerID, ChannelID: in.ChannelID, SKU: in.SKU, Lot: in.LotCode,
		Quantity: cmp.Or(in.Quantity, in.Delta, in.Counted, in.Expected, in.Requested), Serials: in.SerialNumbers,
		Reference: cmp.Or(in.ReferenceID, in.ExternalOrderID, in.SupplierReference)}
	if w.Operation == api.CreateProduct.ID {
		g.Product = in.Name
	}
	if w.Operation == api.CreateLocation.ID {
		g.Location = cmp.Or(in.Code, in.Name)
	}
	for _, s := range in.Serials {
		g.Serials = append(g.Serials, s.SerialNumber)
	}
	l.addDocument(ctx, spec, paths, &g)
	l.addLotAndSerials(ctx, cmp.Or(in.LotID, parseID(paths["lotId"])), in.SerialIDs, &g)
	l.resolveNames(ctx, &g)
	g.Here, g.There = balanceOf(ctx, l.local, &g), balanceOf(ctx, l.remote, &g)
	return g
}

func parseID(id string) api.ID {
	found, _ := uuid.Parse(id) // none where it names none
	return found
}

// addLotAndSerials puts the codes of a lot and of serials in the place of their ids.
func (l views) addLotAndSerials(ctx context.Context, lot api.ID, serials []api.ID, g *api.WorkGoods) {
	if lot != (api.ID{}) && g.Lot == "" {
		if m := l.find(ctx, api.KindLot, lot); m != nil {
			g.Lot = m.Lot.LotCode
			l.addProduct(m.Product, g)
		}
	}
	for _, id := range serials {
		if m := l.find(ctx, api.KindSerial, id); m != nil {
			g.Serials = append(g.Serials, m.Serial.SerialNumber)
		}
	}
}

func (l views) addProduct(p *api.Product, g *api.WorkGoods) {
	if p != nil && (g.ProductID == (api.ID{}) || g.ProductID == p.ID) {
		g.ProductID, g.SKU, g.Product = p.ID, p.SKU, p.Name
	}
}

// resolveNames fills in what product and location are called.
func (l views) resolveNames(ctx context.Context, g *api.WorkGoods) {
	if g.ProductID != (api.ID{}) && g.SKU == "" {
		if m := l.find(ctx, api.KindProduct, g.ProductID); m != nil {
			l.addProduct(m.Product, g)
		}
	}
	if g.LocationID != (api.ID{}) && g.Location == "" {
		if m := l.find(ctx, api.KindLocation, g.LocationID); m != nil {
			g.Location = m.Location.Code
		}
	}
}

// find is what an id means here, else there.
func (l views) find(ctx context.Context, kind api.Kind, id api.ID) *api.Match {
	for _, svc := range []api.Service{l.local, l.remote} {
		if svc == nil {
			continue
		}
		found, err := api.LookUp.Call(ctx, svc, api.LookupInput{Code: id.String(), Kind: kind})
		if err == nil && len(found.Matches) > 0 {
			return &found.Matches[0]
		}
	}
	return nil
}

// balanceOf is the quantities of the goods as svc has them, nil where it has none.
func balanceOf(ctx context.Context, svc api.Service, g *api.WorkGoods) *api.Quantities {
	if svc == nil || g.ProductID == (api.ID{}) || g.LocationID == (api.ID{}) {
		return nil
	}
	limit := int64(2)
	list, err := api.ListBalances.Call(ctx, svc, api.ListBalancesInput{ProductID: g.ProductID, LocationID: g.LocationID,
		OwnerID: g.OwnerID, ChannelID: g.ChannelID, Limit: &limit})
	if err != nil || len(list.Items) != 1 {
		return nil
	}
	return &list.Items[0].Quantities
}

package lots

import (
	"context"
	"slices"
	"sync"

	"bincard/server/api"
	"bincard/tui/i18n"
	"bincard/views/session"

	"github.com/google/uuid"
)

// pageSize is the maximum number of movements per request.
const pageSize = 500

// traceHead holds the lot or serial that is traced and the data that came with its
// movements.
type traceHead struct {
	product  *api.ProductRef
	lot      *api.Lot
	serial   *api.Serial
	holdings []api.LotHolding
	kits     totals // from and out of kits
}

// source reads a trace page by page. Its methods run outside the update loop.
type source struct {
	site   *session.Site
	serial bool
	id     api.ID

	mu    sync.Mutex
	trace *traceHead
}

func (s *source) last() *traceHead {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.trace
}

// fetch returns a page of movements, oldest first.
func (s *source) fetch(ctx context.Context, cursor string) ([]api.Movement, *string, error) {
	limit := int64(pageSize)
	var head traceHead
	var movements []api.Movement
	var next *string
	if s.serial {
		h, err := session.Call(ctx, s.site, api.GetSerialHistory,
			api.SerialHistoryInput{SerialID: s.id, HistoryPage: api.HistoryPage{Limit: &limit, Cursor: cursor}})
		if err != nil {
			return nil, nil, traceError(s.site.T(), err)
		}
		head, movements, next = traceHead{product: h.Product, lot: h.Lot, serial: &h.Serial}, h.Movements, h.NextCursor
	} else {
		t, err := session.Call(ctx, s.site, api.TraceLot,
			api.TraceLotInput{LotID: s.id, HistoryPage: api.HistoryPage{Limit: &limit, Cursor: cursor}})
		if err != nil {
			return nil, nil, traceError(s.site.T(), err)
		}

		head = traceHead{
			product:  t.Product,
			lot:      &t.Lot,
			holdings: t.Holdings,
		}
		movements = t.Movements
		next = t.NextCursor
		if cursor != "" {
			head.kits.from, head.kits.out = slices.Clone(s.last().kits.from), slices.Clone(s.last().kits.out)
		}

		s.addKits(ctx, &head.kits, movements)
	}

	s.mu.Lock()
	s.trace = &head
	s.mu.Unlock()

	return movements, next, nil
}

// traceError explains that the service does not support traces.
func traceError(t *i18n.Translator, err error) error {
	if session.IsUnsupported(err) {
		return t.NewError("This service does not trace lots or serials.")
	}
	return err
}

// candidate is a lot or serial that the route may mean.
type candidate struct {
	id   api.ID
	name string // of its product
}

// find returns the lot or serial with the ID in text, or all with that code.
func (s *source) find(ctx context.Context, text string) ([]candidate, error) {
	if id, err := uuid.Parse(text); err == nil && len(text) == 36 {
		return []candidate{{id: id}}, nil
	}

	kind, none := api.KindLot, i18n.Text("Lot %s not found. Scan it again, or look in the expiring lots (ctrl+p).")
	if s.serial {
		kind, none = api.KindSerial, i18n.Text("Serial %s not found. Scan it again.")
	}

	found, err := session.Call(ctx, s.site, api.LookUp, api.LookupInput{Code: text, Kind: kind})
	if err != nil {
		return nil, traceError(s.site.T(), err)
	}

	var out []candidate
	for _, m := range found.Matches {
		if m.Kind != kind {
			continue
		}
		c := candidate{id: m.ID}
		if m.Product != nil {
			c.name = m.Product.SKU + " " + m.Product.Name
		}
		out = append(out, c)
	}

	if len(out) == 0 {
		return nil, s.site.T().NewError(none, text)
	}

	return out, nil
}

// parties returns the names of suppliers and customers by route. Those that cannot
// be read are omitted.
func parties(ctx context.Context, site *session.Site, list []Party) map[string]string {
	out := map[string]string{}
	for _, p := range list {
		if ctx.Err() != nil {
			return out
		}

		out[p.Route] = ""
		switch p.Op {
		case "outbound fulfill", "outbound ship":
			if docs, err := site.FindOutbounds(ctx, p.ref); err == nil && len(docs) > 0 {
				out[p.Route] = docs[0].CustomerName
			}
		case "inbound receive":
			if docs, err := site.FindInbounds(ctx, p.ref); err == nil && len(docs) > 0 {
				out[p.Route] = docs[0].SupplierName
			}
		}
	}

	return out
}

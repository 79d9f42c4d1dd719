package syncer

import (
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
)

// overlap is how far before the last reading a cycle starts: a movement may
// appear in the report some time after its timestamp.
const overlap = 5 * time.Minute

// A cycle reads what has happened since the last one: the movements, the
// balances that they do not explain, and their documents. Nothing is sent
// meanwhile, so the cycle contains exactly the operations that were answered
// before it began, and none that was not sent.
type cycle struct {
	from   time.Time
	latest time.Time // the latest time of the service's clock seen
	passes int
	audit  bool // read all open transfers
	// movementsUpTo and transfersUpTo are the times up to which the lists are
	// complete: the latest time seen when each list was requested.
	movementsUpTo, transfersUpTo time.Time

	seen          map[api.ID]bool
	pass          []*api.MovementRow                // of this pass
	movements     []*api.MovementRow                // oldest first, if the report is sorted by time
	balances      map[api.StockKey]*api.SnapshotRow // read again in full
	docs          map[api.ID]any                    // *api.Inbound, *api.Transfer, *api.Reservation or *api.Outbound
	confirmed     map[string]bool                   // operations that the cycle contains
	touched       map[api.StockKey]bool             // by new movements
	dirty         map[api.StockKey]documentKinds    // whose documents to read
	documentsRead map[api.StockKey]bool             // whose documents were read
	outbounds     map[api.ID]bool                   // outbounds to read
	lookups       map[string]*movementLookup
}

func newCycle(from time.Time) *cycle {
	return &cycle{
		from:          from,
		latest:        from,
		movementsUpTo: from,
		transfersUpTo: from,
		seen:          map[api.ID]bool{},
		balances:      map[api.StockKey]*api.SnapshotRow{},
		docs:          map[api.ID]any{},
		confirmed:     map[string]bool{},
		touched:       map[api.StockKey]bool{},
		dirty:         map[api.StockKey]documentKinds{},
		documentsRead: map[api.StockKey]bool{},
		outbounds:     map[api.ID]bool{},
		lookups:       map[string]*movementLookup{},
	}
}

// markAsked records that the first page of a list is requested.
func (r *cycle) markAsked(cursor string, upto *time.Time) {
	if cursor == "" {
		*upto = later(*upto, r.latest)
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func (r *cycle) since() *time.Time {
	if r.from.IsZero() {
		return nil
	}
	at := r.from.Add(-overlap)
	return &at
}

// sortPass adds the movements of a pass, oldest first: the report is sorted
// newest first unless its timestamps show the opposite.
func (r *cycle) sortPass() {
	if n := len(r.pass); n > 0 && !r.pass[0].CreatedAt.Before(r.pass[n-1].CreatedAt) {
		slices.Reverse(r.pass)
	}
	r.movements, r.pass = append(r.movements, r.pass...), nil
}

func (r *cycle) byStockKey() map[api.StockKey][]*api.MovementRow {
	of := map[api.StockKey][]*api.MovementRow{}
	for _, m := range r.movements {
		of[stockKeyOf(m)] = append(of[stockKeyOf(m)], m)
	}
	return of
}

// touches reports whether the cycle read anything new of one of the stock
// keys.
func (r *cycle) touches(list []api.StockKey) bool {
	for _, of := range []map[api.StockKey]bool{r.touched, r.documentsRead} {
		for at := range of {
			if slices.ContainsFunc(list, func(k api.StockKey) bool { return sameStock(at, k) }) {
				return true
			}
		}
	}

	return false
}

// A movementLookup searches the movements of the balances that an operation touches
// for its key.
type movementLookup struct {
	op         *outbox.Operation
	keyExpired bool // the service may have forgotten the key
	found      bool
	// expected is how many answers are needed, and complete how many arrived
	// with movements that add up to the balance.
	expected, complete int
	resolved           bool
}

// maxExplanationPages limits the pages that a lookup reads of one balance.
const maxExplanationPages = 200

// explain requests the movements of a balance, oldest first, until the key is found.
func (l *movementLookup) explain(p *poll, balance api.ID) {
	var sum api.Quantities
	pages := 0
	readPages(p, api.ExplainBalance, func(cursor string) api.ExplainBalanceInput {
		if cursor == "" {
			sum, pages = api.Quantities{}, 0
		}
		return api.ExplainBalanceInput{BalanceID: balance, HistoryPage: api.HistoryPage{Cursor: cursor}}
	}, func(x *api.Explanation) *string {
		for i := range x.Movements {
			m := &x.Movements[i]
			sum.Add(m.InventoryState, m.Quantity)
			l.found = l.found || m.IdempotencyKey == l.op.Key
		}

		pages++
		if l.found || pages >= maxExplanationPages {
			return nil
		}
		if x.NextCursor == nil && sum == x.Balance.Quantities {
			l.complete++
		}

		return x.NextCursor
	})
}

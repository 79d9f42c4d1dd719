package offline

import (
	"context"
	"slices"
	"time"

	"bincard/offline/outbox"
	"bincard/server/api"
	"bincard/server/ledger"
)

// overlap is how far a round looks back beyond what was read: what was written
// at one time may show a little later.
const overlap = 5 * time.Minute

// passes is how often a round looks again for what came while it was reading.
const passes = 4

// A round reads what has happened since the last one: the movements, what they
// do not explain, and the documents they are of. Nothing is sent meanwhile, so
// that of what was done here it is known whether the round has it: all that was
// answered before it began, and nothing that was not sent.
type round struct {
	from   time.Time
	latest time.Time // that was seen of the service's clock
	passes int
	audits bool // it looks through all open transfers
	// upto is to when each list was read: what the service had then is in it, and
	// what came after it was asked may not be, however late its answer was.
	movesUpto, transfersUpto time.Time

	rows    map[api.ID]bool
	came    []*api.MovementRow        // in this pass
	list    []*api.MovementRow        // oldest first, as far as the order of the report tells
	fresh   map[spot]*api.SnapshotRow // read again as a whole
	docs    map[api.ID]any            // pointers to inbounds, transfers, reservations, outbounds
	sure    map[string]bool           // operations that the round has
	touched map[spot]bool             // by movements that were not known
	dirty   map[spot]kind             // whose documents are to be read
	read    map[spot]bool             // whose documents were read
	orders  map[api.ID]bool           // outbounds that are to be read
	looked  map[string]*lookup
}

// begins begins a round from an instant of the service's clock. Its questions
// come when nothing is under way any more.
func (p *plain) begins(from time.Time) {
	p.round = &round{from: from, latest: from, movesUpto: from, transfersUpto: from, rows: map[api.ID]bool{}, fresh: map[spot]*api.SnapshotRow{}, docs: map[api.ID]any{},
		sure: map[string]bool{}, touched: map[spot]bool{}, dirty: map[spot]kind{}, read: map[spot]bool{}, orders: map[api.ID]bool{}, looked: map[string]*lookup{}}
	p.pull.quiet = true
	p.tasks, p.then = nil, p.opened
}

// see notes an instant of the service's clock.
func (p *plain) see(at time.Time) {
	if p.round != nil {
		p.round.latest = later(p.round.latest, at)
	} else {
		p.since = later(p.since, at)
	}
}

// asks notes that a list is asked from its beginning.
func (r *round) asks(cursor string, upto *time.Time) {
	if cursor == "" {
		*upto = later(*upto, r.latest)
	}
}

// upto is to when the round has all that the service had.
func (p *plain) upto() time.Time {
	r := p.round
	if p.shut[api.ListTransfers.ID] || r.transfersUpto.After(r.movesUpto) {
		return r.movesUpto
	}
	return r.transfersUpto
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func (r *round) since() *time.Time {
	if r.from.IsZero() {
		return nil
	}
	at := r.from.Add(-overlap)
	return &at
}

func (p *plain) opened(ctx context.Context) error {
	for _, it := range p.box.Unsettled() {
		if err := p.sure(ctx, it); err != nil {
			return err
		}
	}
	p.moves()
	p.then = p.moved
	return p.newTransfers(ctx)
}

// sure takes an operation for one that the round has.
func (p *plain) sure(ctx context.Context, it *outbox.Item) error {
	p.round.sure[it.Key] = true
	return p.soil(ctx, it)
}

// soil has the documents of an operation read.
func (p *plain) soil(ctx context.Context, it *outbox.Item) error {
	t, err := p.touches(ctx, it)
	if err != nil {
		return err
	}
	for _, at := range t.spots {
		p.round.dirty[at] |= t.kind
	}
	if t.outbound != (api.ID{}) {
		p.round.orders[t.outbound] = true
	}
	return nil
}

// moves reads the movements.
func (p *plain) moves() {
	r := p.round
	walks(p, api.ReportMovements, func(cursor string, bare bool) api.ReportMovementsInput {
		r.asks(cursor, &r.movesUpto)
		return api.ReportMovementsInput{CreatedFrom: r.since(), Limit: most(reportPage, bare), Cursor: cursor}
	}, func(_ context.Context, rows []api.MovementRow) error {
		for i := range rows {
			m := &rows[i]
			if r.rows[m.ID] {
				continue
			}
			r.rows[m.ID] = true
			r.came = append(r.came, m)
			p.see(m.CreatedAt)
			r.movesUpto = later(r.movesUpto, m.CreatedAt)
			if !p.known[m.ID] {
				r.touched[spotOf(m)] = true
				r.dirty[spotOf(m)] |= tells(m.Operation)
			}
		}
		return nil
	})
}

// moved reads what the movements leave open, and then looks whether there are
// more; where they leave nothing open, it looks up what was not answered.
func (p *plain) moved(ctx context.Context) error {
	r := p.round
	r.passes++
	r.sort()
	if err := p.unexplained(ctx); err != nil {
		return err
	}
	if err := p.documents(ctx); err != nil {
		return err
	}
	switch {
	case len(p.tasks) == 0 || r.passes > passes:
		p.then = p.lookups
	default:
		p.moves()
	}
	return nil
}

// sort adds the movements of a pass: the report has the newest first, unless
// what it had tells that it begins with the oldest.
func (r *round) sort() {
	if n := len(r.came); n > 0 && !r.came[0].CreatedAt.Before(r.came[n-1].CreatedAt) {
		slices.Reverse(r.came)
	}
	r.list, r.came = append(r.list, r.came...), nil
}

// moving are the movements by what they are of.
func (r *round) moving() map[spot][]*api.MovementRow {
	of := map[spot][]*api.MovementRow{}
	for _, m := range r.list {
		of[spotOf(m)] = append(of[spotOf(m)], m)
	}
	return of
}

// unexplained has the balances read again that the movements do not lead to.
func (p *plain) unexplained(ctx context.Context) error {
	r := p.round
	return p.look(ctx, func(base *ledger.Replica) error {
		moving := r.moving()
		for _, at := range inOrder(moving) {
			moves := moving[at]
			if r.fresh[at] != nil {
				continue
			}
			row, err := base.Standing(at.product, at.location, at.owner, at.channel)
			if err != nil {
				return err
			}
			if row != nil {
				if _, fits := brought(*row, moves); fits {
					continue
				}
			}
			walks(p, api.ReportSnapshot, func(cursor string, bare bool) api.ReportSnapshotInput {
				return api.ReportSnapshotInput{ProductID: at.product, LocationID: at.location, OwnerID: at.owner, ChannelID: at.channel,
					Limit: most(reportPage, bare), Cursor: cursor}
			}, func(_ context.Context, rows []api.SnapshotRow) error {
				for i := range rows {
					x := &rows[i]
					r.fresh[spot{x.ProductID, x.LocationID, x.OwnerID, x.ChannelID}] = x
				}
				return nil
			})
		}
		return nil
	})
}

func (p *plain) look(ctx context.Context, fn func(*ledger.Replica) error) error {
	return ledger.Look(ctx, p.base(), p.partition(), fn)
}

package stock

import (
	"context"
	"errors"
	"fmt"

	"bincard/server/api"
	"bincard/tui/widget"
	"bincard/views/dock"
)

// A Change is what an errand does to a balance: Count of the errand is how
// much, and Ref names the goods as SKU@PLACE.
type Change struct {
	State  api.State // that is adjusted, or that the goods leave
	To     api.State // that they go to, of a move
	Less   bool      // they are taken away; else they are added
	Exact  bool      // the count is what there shall be
	Reason string
}

// subjectOf finds the goods and the place.
func subjectOf(ctx context.Context, e *dock.Errand, c *Change) (subject, error) {
	if err := dock.Reason(c.Reason); err != nil {
		return subject{}, err
	}
	s, err := named(ctx, e.Site, e.Ref)
	switch {
	case err != nil:
		return s, err
	case s.goods.ID == (api.ID{}):
		return s, errors.New(errandGoods)
	case !s.place.Chosen():
		return s, fmt.Errorf(errandPlace, s.goods.SKU)
	}
	return s, nil
}

// AdjustOnce does in one go what the screen of adjusting does.
func AdjustOnce(ctx context.Context, e *dock.Errand, c Change) (dock.Report, error) {
	return e.Do(ctx, func(ctx context.Context) (*dock.Plan, error) {
		s, err := subjectOf(ctx, e, &c)
		if err != nil {
			return nil, err
		}
		there := s.balance.Of(c.State)
		by := e.Count.Now
		switch {
		case c.Exact:
			by -= there
		case c.Less:
			by = -by
		}
		if by == 0 {
			return nil, fmt.Errorf(nothingChanges, c.State.Title(), widget.Count(there))
		}
		up := by > 0
		line := &dock.Line{Goods: s.goods, Pending: api.MaxQuantity, Word: fmt.Sprintf(saidHere, c.State.Title())}
		if !up {
			line.Pending = there
		}
		e.Count.Now = by
		if !up {
			e.Count.Now = -by
		}
		if err := e.Fit(line); err != nil {
			return nil, err
		}
		lots := line.Count.Lot != "" || len(line.Count.Serials) > 0
		switch {
		case lots && (c.State == api.Committed || c.State == api.Incoming):
			return nil, fmt.Errorf(noLotsThere, c.State.Title())
		case up && line.ByLot() && !lots && c.State != api.Incoming && e.Site.Has(api.ReceiveStock.Spec):
			return nil, fmt.Errorf(lotWanted, s.goods.SKU)
		}
		change := correction{subject: s, state: c.State, reason: c.Reason}
		if c.Exact {
			change.match = s.balance.Version
		}
		p, err := counted(ctx, e.Site, *line, up)
		if err != nil {
			return nil, err
		}
		list, err := change.steps(p, up)
		return &dock.Plan{Steps: list, Touched: p.n, Toast: s.goods.SKU + ": " + telling(deltas(s.balance.Quantities, c.State, by))}, err
	}, nil)
}

// MoveOnce does in one go what the screen of moving between states does.
func MoveOnce(ctx context.Context, e *dock.Errand, c Change) (dock.Report, error) {
	return e.Do(ctx, func(ctx context.Context) (*dock.Plan, error) {
		for _, state := range []api.State{c.State, c.To} {
			if why := immovable(state); why != "" {
				return nil, fmt.Errorf(cannotMove, state.Title(), why)
			}
		}
		s, err := subjectOf(ctx, e, &c)
		if err != nil {
			return nil, err
		}
		q := s.balance.Quantities
		line := &dock.Line{Goods: s.goods, Pending: q.Of(c.State), Word: fmt.Sprintf(saidHere, c.State.Title())}
		if err := e.Fit(line); err != nil {
			return nil, err
		}
		p, err := counted(ctx, e.Site, *line, false)
		if err != nil {
			return nil, err
		}
		step, err := correction{subject: s, reason: c.Reason}.move(c.State, c.To, p)
		done := []delta{{c.State, q.Of(c.State), q.Of(c.State) - p.n}, {c.To, q.Of(c.To), q.Of(c.To) + p.n}}
		return &dock.Plan{Steps: []dock.Step{step}, Touched: p.n, Toast: s.goods.SKU + ": " + telling(done)}, err
	}, nil)
}
